"""How a section of a paper registers its statements.

A section is a module ``papers/<paper>/section_<n>.py``.  What stands in it, in the order of the
paper, is the words, and below them the function that decides them.  The name of the function is the
statement's name, its docstring says what is computed.
"""

import importlib
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from noiseless.errors import ConfigError
from noiseless.statements.cells import widen
from noiseless.statements.findings import Finding
from noiseless.tables import Provenance, read_table

Check = Callable[..., Finding]


class Category(StrEnum):
    """Whose statement it is."""

    PAPER = "paper"
    OWN = "own"


class Sizes(StrEnum):
    """How many cases a run looks at."""

    SMOKE = "smoke"
    PAPER = "paper"


class Sets(StrEnum):
    """What a set of data is of: a section of the configuration."""

    HOMES = "homes"
    RECORDINGS = "recordings"


class Part(StrEnum):
    """What a statement asks of a set of data, and a set may lack."""

    PEOPLE = "people"  # the paper's own homes
    DAYS = "days"  # the paper's own days
    NUMBER = "number"  # homes enough for groups of 16, and others beside them
    WEEK = "week"  # a week that was fixed beforehand, in a year of days
    APPLIANCES = "appliances"  # all that the paper names
    READINGS = "readings"  # as the meters made them, not by the minute


class Kind(StrEnum):
    """What is wrong with words that do not hold as printed."""

    FAILS = "fails"
    READING = "reading"  # another one holds
    PREMISE = "premise"  # they hold with one sentence more
    MISPRINT = "misprint"  # the same paper prints the right form, or the main clause holds
    SLIP = "slip"  # of a line whose result stands
    ELSEWHERE = "elsewhere"  # the fault is another line's, and counted there
    ASIDE = "aside"  # in a reading that the paper itself excludes (`Statement.aside`)


# What a correction of a kind says, beside what fails and what holds instead: one of these.
_SAID_BY_KIND = {
    Kind.FAILS: (),
    Kind.READING: ("true_if",),
    Kind.PREMISE: ("premise",),
    Kind.MISPRINT: ("right_at", "main_clause"),
    Kind.SLIP: ("stands",),
    Kind.ELSEWHERE: (),
    Kind.ASIDE: (),
}


@dataclass
class Run:
    """Sizes, seed and tables of a run, and the universes that it has built.

    ``left_out`` has the dataset behind each table that is not there because its data were left out.
    """

    sizes: Sizes
    seed: int
    tables: Mapping[str, str | Path] = field(default_factory=dict)
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    built: dict[Any, Any] = field(default_factory=dict)


class Source:
    """What a check looks at: it is built once in a run, and shared by checks."""

    def load(self, run: Run) -> Any:
        """Return the value, built at the first call."""
        if self not in run.built:
            run.built[self] = self._build(run)
        return run.built[self]

    def _build(self, run: Run) -> Any:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Universe(Source):
    """The cases of statements without data, in a size for a try and in that of the reference."""

    function: Callable[..., Any]  # builds the cases from their sizes
    smoke: Mapping[str, Any]
    paper: Mapping[str, Any]
    # The least of a size, of the largest of a list of sizes, or of the number of a list of others:
    # with fewer or coarser cases a verdict would be about these.
    least: Mapping[str, float]

    @property
    def name(self) -> str:
        """Name of the function, by which the configuration gives other sizes."""
        return self.function.__name__

    @property
    def is_seeded(self) -> bool:
        """Whether some of its cases are drawn with the run's seed."""
        return "seed" in inspect.signature(self.function).parameters

    def get_sizes(self, run: Run) -> dict[str, Any]:
        """Return the sizes of a run: those of a try or of the reference, and the run's own.

        None may exceed those of the reference: cases grow without bound, and how long those take is
        known.
        """
        given = {Sizes.SMOKE: self.smoke, Sizes.PAPER: self.paper}[run.sizes]
        sizes = {**given, **run.overrides.get(self.name, {})}
        for name, least in self.least.items():
            if _measure_size(sizes[name]) < least:
                raise ConfigError(
                    f"`{self.name}.{name}` is {sizes[name]}, and must be {least} or more (of a "
                    "list of numbers the largest; of another list, how many there are)."
                )
        for name, size in run.overrides.get(self.name, {}).items():
            most = max(_measure_reach(each[name]) for each in (self.smoke, self.paper))
            if _measure_reach(size) > most:
                raise ConfigError(
                    f"`{self.name}.{name}` is {size}, and must reach {most:g} or less, as in the "
                    "reference: nobody knows how long larger cases take. To try, change the sizes "
                    f"beside the function `{self.name}` in `{self.function.__module__}`."
                )
        return sizes

    def _build(self, run: Run) -> Any:
        seed = {"seed": run.seed} if self.is_seeded else {}
        return self.function(**self.get_sizes(run), **seed)


def _measure_size(size: Any) -> float:
    """Measure a size: a number, the largest of a list of numbers, or the length of a list."""
    if isinstance(size, int | float):
        return size
    numbers = [each for each in size if isinstance(each, int | float)]
    return max(numbers) if numbers and len(numbers) == len(size) else len(size)


def _measure_reach(size: Any) -> float:
    """Measure how far a size reaches: a number, the largest of a list, the product of one in it."""
    if isinstance(size, int | float):
        return size
    return max((_multiply(each) for each in size), default=0)


def _multiply(size: Any) -> float:
    """Multiply all numbers of a nested size."""
    if isinstance(size, int | float):
        return size
    return math.prod(
        _multiply(each) for each in (size.values() if isinstance(size, Mapping) else size)
    )


@dataclass(frozen=True, eq=False)
class Table(Source):
    """The table of an experiment, wide: its key columns, and a column for each statistic."""

    name: str

    def _build(self, run: Run) -> Any:
        long, run.built[self.name] = read_table(run.tables[self.name])
        return widen(long)

    def get_provenance(self, run: Run) -> Provenance:
        """Return where the table's numbers come from."""
        self.load(run)
        provenance: Provenance = run.built[self.name]
        return provenance


@dataclass(frozen=True, eq=False)
class SetTables:
    """An experiment's tables, one of each set of data, for statements about sets."""

    name: str  # with `{homes}` or `{recordings}` in place of the set's
    asks: Part | None = None  # what a set must have for a statement to look at its table

    @property
    def sets(self) -> Sets:
        """What the sets are of."""
        return next(each for each in Sets if f"{{{each}}}" in self.name)

    def get_table(self, data_set: str) -> Table:
        """Return the table of a set."""
        return table(self.name.format(**{self.sets: data_set}))


Over = Source | SetTables | tuple[Source | SetTables, ...]


def universe(
    *,
    smoke: Mapping[str, Any] = {},
    paper: Mapping[str, Any] | None = None,
    least: Mapping[str, float] = {},
) -> Any:
    """Make a function of sizes (and of the run's ``seed``) a source of cases."""
    return lambda function: Universe(function, smoke, smoke if paper is None else paper, least)


def table(name: str) -> Table:
    """Take an experiment's table, by its name ``<paper>/<table>``."""
    return _TABLES.setdefault(name, Table(name))


_TABLES: dict[str, Table] = {}


def table_of_each(name: str, *, asks: Part | None = None) -> SetTables:
    """Take an experiment's tables, one of each set of data that has what is asked.

    ``name`` is such as ``<paper>/<table>_{homes}``.
    """
    return SetTables(name, asks)


@dataclass(frozen=True)
class Drawn:
    """A printed number that a figure draws beside those of an experiment's table."""

    table: Table
    statistic: str
    where: Mapping[str, Any]  # the value, or values, of key columns
    number: float
    is_largest: bool = False  # printed as "at most"


def draw(
    table: Table, statistic: str, along: str, numbers: Mapping[Any, float], **where: Any
) -> tuple[Drawn, ...]:
    """Draw printed numbers beside a table's: one for each value of a key column."""
    return tuple(
        Drawn(table, statistic, {**where, along: value}, number)
        for value, number in numbers.items()
    )


@dataclass(frozen=True)
class Limit:
    """Where printed words end: this project's cases on which they do not hold."""

    words: "Statement | str"  # the paper's statement, or its function's name
    # What in the words leaves these cases out; without it they are within the words, which then
    # cannot be said to hold.
    outside: str = ""


@dataclass(frozen=True)
class DataUse:
    """Use of a dataset in a paper: its own files, and what any other file stands in for."""

    paper: tuple[str, ...]  # none of a dataset that can only stand in
    stand_in: str  # what any other file is, what it stands in for, and what is odd about it
    sets: Sets | None = None  # what it is a set of
    said: str = ""  # how a place says that it is about this set, where it stands in
    lacks: frozenset[Part] = frozenset()
    presumes: Mapping[str, Any] = field(default_factory=dict)  # values by the keys' full names


def describe_stand_in(use: Mapping[str, Any]) -> str:
    """Describe what stands in for a paper's data, from its plain ``DATA``, and what is odd."""
    return "; ".join(" ".join(each.split()) for each in (use["stand_in"], *use.get("odd", ())))


def parse_data(plain: Mapping[str, Mapping[str, Any]]) -> dict[str, DataUse]:
    """Parse a paper's use of data from the plain values of its ``DATA``, which rules read, too."""
    found = {}
    for name, each in plain.items():
        sets = Sets(each["sets"]) if "sets" in each else None
        if sets and not each["paper"] and "said" not in each:
            raise ConfigError(f"`DATA`: the set `{name}` stands in, and lacks `said`.")
        found[name] = DataUse(
            tuple(each["paper"]),
            describe_stand_in(each),
            sets,
            each.get("said", ""),
            frozenset(map(Part, each.get("lacks", ()))),
            {f"{sets}.{name}.{key}": value for key, value in each.get("presumes", {}).items()},
        )
    return found


@dataclass(eq=False)
class Correction:
    """What holds in place of a statement, or how it fails even in its most favourable reading.

    Each kind but ``FAILS`` and ``ELSEWHERE`` says one thing more (``_SAID_BY_KIND``).
    """

    kind: Kind
    fails: str  # why, with the smallest example first
    check: Check  # its docstring says what is computed
    over: tuple[Source, ...]
    reading: str = ""  # the most favourable other one, in which the statement fails, too
    proof: str = ""  # anchor of docs/proofs/<paper>.md
    mend: str = ""  # what holds instead, where that is not the function's docstring
    rests: str = ""  # what rests on the words
    true_if: str = ""
    premise: str = ""
    right_at: str = ""
    right_words: str = ""  # what stands there, if that is no statement of its own (`shown_by`)
    main_clause: str = ""
    stands: str = ""  # the place of `shown_by`, if it says nothing else
    tried: str = ""  # how the counter-example meets every premise, if no other reading helps
    same_as: "Statement | None" = None  # its correction has the same cause; of ELSEWHERE: the fault
    # The statement, or its function's name, of the result that stands, of the main clause, or of
    # the right form at `right_at`: if it does not hold, the words fail.
    shown_by: "Statement | str | None" = None

    def __post_init__(self) -> None:
        if self.kind is Kind.SLIP and isinstance(self.shown_by, Statement):
            self.stands = self.stands or self.shown_by.where
        names = [name for each in _SAID_BY_KIND.values() for name in each]
        given = [name for name in names if getattr(self, name)]
        wanted = () if self.reading or self.same_as else _SAID_BY_KIND[self.kind]
        if len(given) != bool(wanted) or not set(given) <= set(wanted):
            raise ConfigError(
                f"{self.check.__name__}: a correction of the kind `{self.kind}` says "
                f"{' or '.join(wanted) or 'nothing more'}, not {', '.join(given) or 'nothing'}."
            )
        if (self.stands or self.main_clause) and self.shown_by is None:
            raise ConfigError(
                f"{self.check.__name__}: `shown_by` names the statement of what stands, or of the "
                "main clause."
            )
        if bool(self.right_at) != bool(self.right_words or (self.right_at and self.shown_by)):
            raise ConfigError(
                f"{self.check.__name__}: `right_at` goes with the statement of that place "
                "(`shown_by`), or with words that stand there (`right_words`)."
            )
        if self.kind is Kind.ASIDE:
            raise ConfigError(
                f"{self.check.__name__}: `aside` of its statement says that it is one."
            )
        if self.kind is Kind.ELSEWHERE and self.same_as is None:
            raise ConfigError(f"{self.check.__name__}: `same_as` names the line with the fault.")

    @property
    def holds_instead(self) -> str:
        """What holds, in a sentence: as a reader needs it, or else what is computed."""
        return self.mend or _join_lines(inspect.getdoc(self.check) or "")

    @property
    def cause(self) -> "Correction":
        """The correction of the same cause that says what this one has no words of its own for."""
        if self.same_as is None:
            return self
        return next(each for each in self.same_as.corrections if not each.reading).cause

    @property
    def said(self) -> str:
        """The sentence that its kind has beside the others; empty where it has none."""
        return "".join(str(getattr(self, name)) for name in _SAID_BY_KIND[self.kind])


@dataclass(eq=False)
class Statement:
    """What a paper prints, where, in which reading, and the function that decides it."""

    paper: "Paper"
    where: str
    quote: str  # the printed words, to the letter
    check: Check
    over: tuple[Source, ...]
    category: Category
    prints: str = ""  # what is printed, where it is a formula
    says: str = ""  # a whole sentence in the paper's terms, where what is computed does not say it
    reading: str = ""  # this one of several
    label: str = ""  # the reading in at most eight words
    aside: str = ""  # why the paper itself excludes the reading
    of: "Statement | str | None" = None  # what this is a reading or part of; a name: of parts alone
    needs: tuple[str, ...] = ()  # datasets that must be the real public data for a verdict
    figure: str = ""
    presupposes: "Statement | None" = None  # must be reproduced for this one to say anything
    presumes: Mapping[str, Any] = field(default_factory=dict)  # the paper's values, by full keys
    transcribed: bool = False  # what is wrong may be a slip of our copy: no publisher's page seen
    cut: tuple[str, ...] = ()  # the words that each `[...]` of the quote leaves out
    draws: tuple[Drawn, ...] = ()  # the printed numbers that the figure draws
    data_set: str = ""  # what it is judged on; empty for a statement that is not about sets
    limits: tuple[Limit, ...] = ()  # of one of our own: printed words that fail on its cases
    on: Mapping[str, "Statement"] = field(default_factory=dict)  # the same on each set, by its name
    corrections: list[Correction] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Name of the paper and of the function, and of a set that stands in."""
        name = build_id(self.paper.name, self.check.__name__)
        return f"{name}-{self.stand_in}" if self.stand_in else name

    @property
    def group(self) -> str:
        """Name of the statement that this is a reading or a part of; one for all sets."""
        if isinstance(self.of, str):
            return build_id(self.paper.name, self.of)
        return self.of.group if self.of else build_id(self.paper.name, self.check.__name__)

    @property
    def limited(self) -> dict[str, Limit]:
        """The printed words that do not hold on its cases, by the name of their group."""
        return {
            each.words.group
            if isinstance(each.words, Statement)
            else self.paper.find(each.words).group: each
            for each in self.limits
        }

    @property
    def stand_in(self) -> str:
        """The set of data, where it stands in for the paper's; empty otherwise.

        The intervals of a paper hold together, and those on each set that stands in, apart.
        """
        own = not self.data_set or self.paper.data[self.data_set].paper
        return "" if own else self.data_set

    @property
    def used(self) -> dict[str, DataUse]:
        """What the paper used of the data that must be real; a number may rest on others, too."""
        return {name: self.paper.data[name] for name in self.needs}

    @property
    def computes(self) -> str:
        """What is computed."""
        return _join_lines(inspect.getdoc(self.check) or "")

    @property
    def sentence(self) -> str:
        """What is said, as a whole sentence: in the paper's terms, or else what is computed."""
        return self.says or self.computes

    @property
    def sources(self) -> list[Source]:
        """What the statement and its corrections look at, each once."""
        of_corrections = [source for each in self.corrections for source in each.over]
        return list(dict.fromkeys((*self.over, *of_corrections)))

    @property
    def tables(self) -> list[Table]:
        """The tables that the statement and its corrections look at."""
        return [each for each in self.sources if isinstance(each, Table)]

    @property
    def universes(self) -> list[Universe]:
        """The universes that the statement and its corrections look at."""
        return [each for each in self.sources if isinstance(each, Universe)]


@dataclass(eq=False)
class Paper:
    """A paper: title, data, settings, and its statements in the order of its sections."""

    name: str
    title: str
    data: Mapping[str, DataUse] = field(default_factory=dict)
    # The paper's values of keys, by their full names: a verdict on a table that was made with
    # another value would be about something else.
    presumes: Mapping[str, Any] = field(default_factory=dict)
    # Keys of which tables need a value between two, to be precise enough for a verdict.
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    # Keys that any value will do for: they can make a verdict weaker, and never another.
    sizes: Iterable[str] = ()
    statements: list[Statement] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Presume the settings of the sets of data, too."""
        for use in self.data.values():
            self.presumes = {**self.presumes, **use.presumes}

    def states(
        self,
        where: str,
        quote: str = "",
        *,
        over: Over = (),
        category: Category = Category.PAPER,
        asks: Part | None = None,
        without: Part | None = None,
        **words: Any,
    ) -> Callable[[Check], Statement]:
        """Register the function below as the decision of what is printed at a place, to the letter.

        The function is called with what ``over`` names. Over tables of sets of data it is one
        statement on each set that has what it asks, and lacks what it is ``without``; what is
        returned is the first, which knows those on the other sets (``on``). ``words`` are the other
        attributes of :class:`Statement`.
        """
        sources = over if isinstance(over, tuple) else (over,)
        sets = self._select_sets(where, sources, asks, without)

        def register(check: Check) -> Statement:
            on: dict[str, Statement] = {}
            for name in sets:
                given = _get_sources(sources, name)
                made = Statement(
                    self, where, quote, check, given, category, data_set=name, on=on, **words
                )
                on[name] = made
                self._add(made)
            return on[sets[0]]

        return register

    def _select_sets(
        self,
        where: str,
        sources: tuple[Source | SetTables, ...],
        asks: Part | None,
        without: Part | None,
    ) -> list[str]:
        """Select the sets that a statement is about, in the order of the data; [""] for none."""
        tables = [each for each in sources if isinstance(each, SetTables)]
        if not tables:
            return [""]
        wanted = {asks, *(each.asks for each in tables)} - {None}
        found = [
            name
            for name, use in self.data.items()
            if {use.sets} == {each.sets for each in tables}
            and not wanted & use.lacks
            and (without is None or without in use.lacks)
        ]
        if not found:
            raise ConfigError(f"{where}: no set of data has what this statement asks.")
        return found

    def find(self, function: str) -> Statement:
        """Find a statement by the name of its function; on several sets the first."""
        for each in self.statements:
            if each.check.__name__ == function:
                return each
        raise ConfigError(f"{self.name}: no statement is called {function}.")

    def _add(self, made: Statement) -> None:
        """Add a statement, with what a set of data makes of its words."""
        place = f"{made.check.__module__}.{made.check.__name__}"
        if made.data_set:
            use = self.data[made.data_set]
            made.needs = (made.data_set, *made.needs)
            made.figure = made.figure.format(**{str(use.sets): made.data_set})
            made.where += f", {use.said}" if made.stand_in else ""
            made.presupposes = made.presupposes and made.presupposes.on[made.data_set]
        if made.id in {each.id for each in self.statements}:
            raise ConfigError(f"{place}: another statement is called {made.id}.")
        if not made.computes:
            raise ConfigError(f"{place}: say in a docstring what is computed.")
        if unknown := [each for each in made.needs if each not in self.data]:
            raise ConfigError(f"{place}: the paper's `data` does not have {unknown[0]}.")
        if made.limits and made.category is not Category.OWN:
            raise ConfigError(f"{place}: words of the paper are limited by statements of ours.")
        if isinstance(made.of, Statement) and made.of.category is not made.category:
            raise ConfigError(f"{place}: a reading of {made.group} is {made.of.category}, too.")
        self.statements.append(made)

    def adds(self, where: str, quote: str = "", **words: Any) -> Callable[[Check], Statement]:
        """Register a statement of this project's own."""
        return self.states(where, quote, category=Category.OWN, **words)


def corrects(
    statement: Statement,
    kind: Kind = Kind.FAILS,
    fails: str = "",
    *,
    over: Over | None = None,
    **words: Any,
) -> Callable[[Check], Check]:
    """Register the function below as what holds in place of a statement.

    Its docstring says what holds.  With ``reading``, it says how the statement fails in its most
    favourable reading.  It looks at what the statement does, unless ``over`` says otherwise.
    """
    sources = over if over is None or isinstance(over, tuple) else (over,)

    def register(check: Check) -> Check:
        for name, each in statement.on.items():
            given = each.over if sources is None else _get_sources(sources, name)
            each.corrections.append(Correction(kind, fails, check, given, **words))
        return check

    return register


def _get_sources(sources: tuple[Source | SetTables, ...], data_set: str) -> tuple[Source, ...]:
    """Return what a function is called with on a set of data."""
    return tuple(
        each.get_table(data_set) if isinstance(each, SetTables) else each for each in sources
    )


def build_id(paper: str, function: str) -> str:
    """Build the name of a statement from its paper's and its function's.

    An underscore is a hyphen, and between digits a dot: ``thm2_1_proof`` is ``thm2.1-proof``.  Two
    are a hyphen between digits, too; one in front, before a digit, is left out.
    """
    name = re.sub(r"(?<=[0-9])_(?=[0-9])", ".", function.lstrip("_"))
    return f"{paper}-{name.replace('__', '-').replace('_', '-')}"


def load_sections(paper: str) -> Paper:
    """Import the sections of a paper; return the paper with their statements, in its order."""
    module = importlib.import_module(f"noiseless.papers.{paper}")
    sections = [f"noiseless.papers.{paper}.{name}" for name in module.SECTIONS]
    for name in sections:
        importlib.import_module(name)
    found: Paper = module.paper
    for statement in found.statements:
        for result in (each.shown_by for each in statement.corrections):
            if isinstance(result, str):
                found.find(result)
        for group, limit in statement.limited.items():
            if not any(
                each.group == group and each.category is Category.PAPER for each in found.statements
            ):
                raise ConfigError(f"{statement.id}: {limit.words} is no statement of the paper.")
    # Who imported a section by itself before has registered its statements first.
    found.statements.sort(key=lambda statement: sections.index(statement.check.__module__))
    return found


def load_statements(papers: Iterable[str]) -> list[Statement]:
    """Load the statements of papers, in the papers' order and in each paper's."""
    return [each for paper in papers for each in load_sections(paper).statements]


def _join_lines(text: str) -> str:
    return " ".join(text.split())
