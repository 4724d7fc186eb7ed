"""Claims of the papers, loaded from YAML, checked, and represented as immutable values.

1. :func:`load_claims` reads each ``<paper>/claims.yaml`` of a folder and checks it against
   ``claims.schema.yaml`` beside this module, which describes every key.
2. Rules that tie one key to another, and one claim to the others, are checked here.
3. What comes out is a flat tuple of :class:`Claim` for :mod:`noiseless.ledger.judge`.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from typing import Any

from noiseless.errors import ConfigError
from noiseless.settings import load_schema, load_yaml, suggest_name, validate

Cell = str | int | float | bool

PAPER, OURS = "paper", "own"
ELLIPSIS = "[...]"
SCHEMA = Path(__file__).with_name("claims.schema.yaml")
_NUMERIC_RELATIONS = ("equals", "at_most", "at_least", "between")
_STRICT_ORDERS = ("increasing", "decreasing")
# Placeholders in a row that lists sets: the set's name, and the upper end of its public range.
_SETS = {"homes": "{homes}", "recordings": "{recording}"}
_RANGE_PLACEHOLDER = "{public_range_kwh}"
RUN_KEYS = frozenset({"seed", "half"})  # keys that differ in other runs, and in those of robustness
_FAVOURABLE_KINDS = ("reading", "premise", "counter_example")
_ORDERS = ("nondecreasing", "nonincreasing", *_STRICT_ORDERS)


@dataclass(frozen=True)
class Tolerance:
    """Tolerance of a check: the distance outside its bounds at which a number still passes.

    Attributes
    ----------
    absolute : float
        In the unit of the value; 0 for a relative tolerance.
    relative : float
        As a share of the expected number; 0 for an absolute tolerance.
    why : str
        The reason for this much.
    """

    absolute: float = 0.0
    relative: float = 0.0
    why: str = ""


@dataclass(frozen=True)
class Interval:
    """Choice to judge the rows' intervals [``low``, ``high``] in place of their ``value``.

    Attributes
    ----------
    confidence : float
        With which an interval holds what it estimates.
    together : bool
        Whether all intervals of the table hold together with this confidence, in place of each by
        itself.
    """

    confidence: float = 0.95
    together: bool = False


@dataclass(frozen=True)
class Bounds:
    """Closed range [``low``, ``high``] that a number must lie in.

    ``equals`` has equal ends; ``at_most`` and ``at_least`` have an infinite one.
    """

    low: float
    high: float


@dataclass(frozen=True)
class ExpectedEntries:
    """Expected numbers, one for each value of a column.

    Attributes
    ----------
    column : str
        The column that tells the numbers apart.
    expected : mapping of cell value to float
        The number at each value of the column.
    """

    column: str
    expected: Mapping[Cell, float]


@dataclass(frozen=True)
class Order:
    """Order that values must have along a column.

    Attributes
    ----------
    direction : str
        ``nondecreasing``, ``nonincreasing``, ``increasing`` or ``decreasing``.
    along : str
        The numeric column to go along, from small to large.
    within : tuple of str, optional
        Columns whose equal values make a group; None for all the other cell columns.
    least : float
        For ``increasing`` and ``decreasing``: by how much more than this a value must differ from
        those before it.
    """

    direction: str
    along: str
    within: tuple[str, ...] | None = None
    least: float = 0.0

    @property
    def strict(self) -> bool:
        """True if equal neighbours break the order."""
        return self.direction in _STRICT_ORDERS

    @property
    def rising(self) -> bool:
        """True for ``nondecreasing`` and ``increasing``, False for the two falling orders."""
        return self.direction in ("nondecreasing", "increasing")


@dataclass(frozen=True)
class Decided:
    """Function that decides a claim, in place of a relation of a table's rows.

    Attributes
    ----------
    module, function : str
        Where it is; it says itself what must hold.
    """

    module: str
    function: str


@dataclass(frozen=True)
class Check:
    """Check of a claim: rows of a table, and the relation that they must satisfy.

    Attributes
    ----------
    table : str
        Name of the table, ``<paper>/<name>``.
    relation : Bounds, Entries, Order or Decided
        What must hold.
    where : mapping of str to tuple
        Column -> the values that a selected row may have in it.
    reduce : str
        ``value``, ``all``, ``max``, ``min``, ``sum``, ``mean`` or ``count``; matters to
        :class:`Bounds` alone.
    tolerance : Tolerance
        Zero by default.
    interval : Interval, optional
        Where the rows' ``low`` and ``high`` are judged, in place of their ``value``.
    demands : mapping of str to float
        Statistics of the same cells, and the least that each must sum up to; the check says nothing
        otherwise, because it had too few cases that could have failed.
    demands_each : mapping of str to mapping of str to float
        The same for cells of one statement alone, by the statement's name.
    """

    table: str
    relation: Bounds | ExpectedEntries | Order | Decided
    where: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)
    reduce: str = "value"
    tolerance: Tolerance = Tolerance()
    interval: Interval | None = None
    demands: Mapping[str, float] = field(default_factory=dict)
    demands_each: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def cells(self) -> dict[str, tuple[Cell, ...]]:
        """Values allowed in each column of a row, with the keys of :class:`ExpectedEntries`."""
        if not isinstance(self.relation, ExpectedEntries):
            return dict(self.where)
        return {**self.where, self.relation.column: tuple(self.relation.expected)}


@dataclass(frozen=True)
class DataUse:
    """Use of a dataset in a paper: the paper's own files, and what other files stand in for.

    Attributes
    ----------
    paper : tuple of str
        The files of the registry that are the paper's own data.
    stand_in : str
        What any other file of the dataset is, and what it stands in for.
    """

    paper: tuple[str, ...]
    stand_in: str


@dataclass(frozen=True)
class FavourableCase:
    """Most favourable reading, premise or counter-example for a statement wrong as printed.

    Attributes
    ----------
    kind : str
        ``reading``: the most favourable other reading, which fails, too; ``premise``: the one
        premise whose addition makes the statement true; ``counter_example``: there is neither, and
        this is how the counter-example meets every premise that the paper states; ``misprint``:
        where the paper itself prints the right form.
    text : str
        That, in words.
    check : Check, optional
        The number by which the reading fails, or what shows the premise or the counter-example,
        where the erratum's own check does not.
    """

    kind: str
    text: str
    check: Check | None = None


@dataclass(frozen=True)
class Erratum:
    """Erratum of a claim: what is wrong as printed, what holds instead, and its check.

    Attributes
    ----------
    wrong, holds : str
    check : Check
        The check of what holds.
    same_as : str
        The id of the claim whose erratum lacks the same hypothesis or has the same slip, so that
        both count as one; empty for none.
    friendliest : Friendliest, optional
        What was tried in favour of the statement.
    slip : str
        What the slip in a line of a proof, or in how a thing is said, does to what is proved there;
        empty where the statement itself fails.
    """

    wrong: str
    holds: str
    check: Check
    same_as: str = ""
    friendliest: FavourableCase | None = None
    slip: str = ""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Checks of the correction and, if it has its own, of the most favourable reading."""
        tried = self.friendliest and self.friendliest.check
        return (self.check, tried) if tried else (self.check,)


@dataclass(frozen=True)
class Claim:
    """Claim that a table can decide: a statement of a paper, or one reading or part of it.

    Attributes
    ----------
    id : str
        Unique among all claims.
    paper, title : str
        Key and title of the paper.
    locator : str
        Where the paper says it.
    claim : str
        What is said, in our own words.
    check : Check
        What is said, as printed.
    needs : tuple of str
        Datasets that must be the real public data for a verdict.
    quote : str
        The paper's own words, where they decide what is checked; empty where they do not.
    cut : tuple of str
        The words that each ``[...]`` of the quote leaves out; empty for complete sentences.
    prints : str
        What the paper prints, in a line and in its own terms, for a reader of the results page;
        empty where the quote or the expected number says it.
    category : str
        ``paper``, or ``own`` for a statement of this project's, which is counted apart; one for all
        claims of a statement.
    statement : str
        The statement of the paper that this is a reading or a part of; the claim's own id where it
        is the whole of one.
    reading : str
        Which reading of the statement this is, where its text allows several.
    presupposes : str
        The id of a claim that must be reproduced for this one to say anything; empty for none.
    used : mapping of str to Used
        What data the paper used, by the datasets in ``needs``.
    figure : str, optional
        Name of the figure beside it, ``<paper>/<name>``.
    printed : True or float, optional
        Whether the numbers that are expected are the paper's own, so that a figure may show them as
        such; or the number of the paper within what is expected.
    erratum : Erratum, optional
        For a claim that is wrong as printed.
    source : str
        The file that the claim stands in, for error messages.
    presumes : mapping of str to value
        The paper's choices, by the full names of their keys in the configuration.
    limits : mapping of str to Bounds
        How precise tables must be, by the full names of keys, such as a largest tolerance.
    sizes : frozenset of str
        Full names of the keys whose value no claim is about.
    data_set : str
        The set of homes, or the recording, that it is judged on, of a row that lists several; empty
        for other claims.
    """

    id: str
    paper: str
    title: str
    locator: str
    claim: str
    check: Check
    needs: tuple[str, ...] = ()
    quote: str = ""
    cut: tuple[str, ...] = ()
    prints: str = ""
    category: str = PAPER
    statement: str = ""
    reading: str = ""
    presupposes: str = ""
    used: Mapping[str, DataUse] = field(default_factory=dict)
    figure: str | None = None
    printed: float | None = None
    erratum: Erratum | None = None
    source: str = "claims"
    presumes: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Bounds] = field(default_factory=dict)
    sizes: frozenset[str] = frozenset()
    data_set: str = ""

    @property
    def stand_in(self) -> str:
        """Set of data that stands in for the paper's; empty for a claim on the paper's own."""
        return self.data_set if self.data_set and not self.used[self.data_set].paper else ""

    @property
    def family(self) -> tuple[str, str]:
        """Key of the claims whose intervals hold together: the paper, and the stand-in or ""."""
        return self.paper, self.stand_in

    @property
    def checks(self) -> tuple[Check, ...]:
        """Check of the claim as printed, then those of its erratum if it has one."""
        return (self.check,) if self.erratum is None else (self.check, *self.erratum.checks)

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that the claim uses, each once."""
        return tuple(dict.fromkeys(check.table for check in self.checks))


def load_claims(folder: str | Path) -> tuple[Claim, ...]:
    """Load and check the claims of every ``<paper>/claims.yaml`` in ``folder``.

    Parameters
    ----------
    folder : path
        Papers are taken in the order of their names, claims in the order of their file.

    Returns
    -------
    tuple of Claim

    Raises
    ------
    ConfigError
        If there is no such file, or one breaks the format; names the file, the claim and the key.
    """
    paths = sorted(Path(folder).glob("*/claims.yaml"))
    if not paths:
        raise ConfigError(f"{folder}: no claims file (<paper>/claims.yaml) here.")
    return check_claims(claim for path in paths for claim in load_paper_claims(path))


def check_claims(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Check that claims fit together; return them.

    Raises
    ------
    ConfigError
        If two have one id, or one names another that is not there.
    """
    claims = tuple(claims)
    sources: dict[str, str] = {}
    categories: dict[str, str] = {}
    for claim in claims:
        if categories.setdefault(claim.statement, claim.category) != claim.category:
            raise ConfigError(
                f"{claim.source}: claim `{claim.id}`: the statement `{claim.statement}` has claims "
                "of the category `paper` and of `own`. Give these a statement of their own."
            )
        if claim.id in sources:
            raise ConfigError(
                f"{claim.source}: the id `{claim.id}` is taken by another claim of "
                f"{sources[claim.id]}. Give each claim its own."
            )
        sources[claim.id] = claim.source
    errata = {claim.id for claim in claims if claim.erratum and not claim.erratum.same_as}
    for claim in claims:
        if claim.presupposes and claim.presupposes not in sources:
            raise ConfigError(
                f"{claim.source}: claim `{claim.id}` presupposes `{claim.presupposes}`, and there "
                "is no such claim."
            )
        if claim.erratum and claim.erratum.same_as and claim.erratum.same_as not in errata:
            raise ConfigError(
                f"{claim.source}: the erratum of `{claim.id}` is the same as that of "
                f"`{claim.erratum.same_as}`, which has none of its own."
            )
    _refuse_partial_readings(claims)
    return claims


def _refuse_partial_readings(claims: Sequence[Claim]) -> None:
    """Refuse a reading that is judged on fewer cells than the statement's other readings.

    The cells are those in which rows of one reading and table differ, such as the two of "n = 4 or
    n = 8"; by dataset, because a stand-in is judged apart.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Claim]] = {}
    for claim in claims:
        groups.setdefault((claim.statement, claim.needs), []).append(claim)
    for members in groups.values():
        names = dict.fromkeys(claim.reading for claim in members if claim.reading)
        readings = {
            name: [claim for claim in members if claim.reading in ("", name)] for name in names
        }
        columns = sorted(set().union(*map(_find_differing_columns, readings.values())))
        cells = {name: _list_cells(rows, columns) for name, rows in readings.items()}
        complete = set().union(*cells.values())
        for name, found in cells.items():
            if found != complete:
                lacking = min(complete - found, key=str)
                raise ConfigError(
                    f"{members[0].source}: the statement `{members[0].statement}` is judged on "
                    f"{', '.join(f'{c} {v}' for c, v in zip(columns, lacking, strict=True))} in "
                    f"another reading, but not in the reading `{name}`. Give every reading a claim "
                    "on each of the statement's cells."
                )


def _find_differing_columns(rows: Sequence[Claim]) -> set[str]:
    """Find the columns in which two checks of one table select different cells."""
    found: set[str] = set()
    for one, other in combinations((claim.check for claim in rows), 2):
        if one.table == other.table:
            columns = one.cells.keys() | other.cells.keys()
            found |= {each for each in columns if one.cells.get(each) != other.cells.get(each)}
    return found - {"statistic"}  # which says what is measured, not where


def _list_cells(rows: Sequence[Claim], columns: Sequence[str]) -> set[tuple[Cell, ...]]:
    """List the combinations of values that the claims of a reading select in some columns."""
    return {
        cell
        for claim in rows
        for cell in product(*(claim.check.cells.get(column, ("any",)) for column in columns))
    }


def list_tables(claims: Iterable[Claim]) -> list[str]:
    """Return the names of the tables that claims use, each once, in the order of the claims."""
    return list(dict.fromkeys(name for claim in claims for name in claim.tables))


def check_tables(claims: Iterable[Claim], known: Collection[str]) -> None:
    """Refuse a claim on a table that the workflow does not make.

    Raises
    ------
    ConfigError
        Names the claim, and the table that it may mean.
    """
    for claim in claims:
        for name in claim.tables:
            # A set of data that is not there has no tables.
            if name not in known and not claim.stand_in:
                raise ConfigError(
                    f"{claim.source}: claim `{claim.id}`: the workflow makes no table `{name}`."
                    f"{suggest_name(name, known)}"
                )


def load_paper_claims(path: str | Path) -> tuple[Claim, ...]:
    """Load and check the claims of one ``<paper>/claims.yaml``, in their order.

    Raises
    ------
    ConfigError
        If the file breaks the format; names the file, the claim and the key.
    """
    path = Path(path)
    document = load_yaml(path)
    _validate(document, path)
    paper = document["paper"]
    if paper != path.parent.name:
        raise ConfigError(
            f"{path}: `paper` is `{paper}`, but the folder's name says `{path.parent.name}`. "
            "They must be the same."
        )
    return tuple(
        _parse_claim(each, document, str(path))
        for raw in document["claims"]
        for each in _expand_sets(raw, document, str(path))
    )


def _validate(document: Any, path: Path) -> None:
    """Check a claims file against the schema; add the claim's id to an error about one claim."""
    try:
        validate(document, load_schema(SCHEMA), source=str(path))
    except ConfigError as error:
        place = re.search(r"`claims\.(\d+)", str(error))
        if place is None:
            raise
        index = int(place[1])
        raw = document["claims"][index]
        name = raw.get("id", "without id") if isinstance(raw, Mapping) else "not a mapping"
        raise ConfigError(f"{error} (claims.{index} is claim `{name}`)") from None


def _expand_sets(
    raw: Mapping[str, Any], document: Mapping[str, Any], source: str
) -> Iterator[Mapping[str, Any]]:
    """Iterate over the claims of a row: the row itself, or one for each set of data it lists."""
    listed = [key for key in _SETS if key in raw]
    for key, name in _SETS.items():
        if key not in listed and name in str(raw):
            raise ConfigError(
                f"{source}: claim `{raw['id']}`: {name} stands in it, but it lists no `{key}`."
            )
    if not listed:
        yield raw
        return
    if len(listed) > 1:
        raise ConfigError(f"{source}: claim `{raw['id']}`: it lists `homes` and `recordings`.")
    [section] = listed
    data, presumes = document.get("data", {}), document.get("presumes", {})
    for data_set in raw[section]:
        if _SETS[section] not in raw["needs"]:
            raise ConfigError(
                f"{source}: claim `{raw['id']}`: it lists `{section}`, but its `needs` lack "
                f'"{_SETS[section]}".'
            )
        public_range_kwh = presumes.get(f"homes.{data_set}.public_range_kwh")
        filled = _fill_set(raw, _SETS[section], data_set, public_range_kwh)
        filled["data_set"] = data_set
        filled.setdefault("statement", raw["id"])  # on whichever set, it is one statement
        if data_set in data and not data[data_set]["paper"]:
            if "said" not in data[data_set]:
                raise ConfigError(
                    f"{source}: claim `{raw['id']}`: `data.{data_set}` lacks `said`, which the "
                    "locator of a claim on that set needs."
                )
            filled["id"] += f"-{data_set}"
            filled["locator"] = f"{_join_lines(filled['locator'])}, {data[data_set]['said']}"
            if "presupposes" in filled:  # the row on the same set
                filled["presupposes"] += f"-{data_set}"
        yield filled


def _fill_set(value: Any, name: str, data_set: str, public_range_kwh: float | None) -> Any:
    """Replace the placeholders in a value of a row by the set's name and public range."""
    if isinstance(value, Mapping):
        return {
            key: _fill_set(inner, name, data_set, public_range_kwh) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_fill_set(inner, name, data_set, public_range_kwh) for inner in value]
    if value == _RANGE_PLACEHOLDER:
        return public_range_kwh
    return value.replace(name, data_set) if isinstance(value, str) else value


def _parse_claim(raw: Mapping[str, Any], document: Mapping[str, Any], source: str) -> Claim:
    """Parse a claim from its mapping in the file."""
    paper = document["paper"]
    try:
        for key in ("id", "statement"):
            if not raw.get(key, paper).startswith(paper):
                raise ConfigError(f"its {key} must begin with the paper's key, `{paper}`.")
        erratum = raw.get("erratum")
        return Claim(
            id=raw["id"],
            paper=paper,
            title=_join_lines(document["title"]),
            locator=_join_lines(raw["locator"]),
            claim=_join_lines(raw["claim"]),
            check=_parse_check(raw["check"]),
            needs=tuple(raw["needs"]),
            quote=_join_lines(raw.get("quote", "")),
            cut=_parse_cut(raw),
            prints=_join_lines(raw.get("prints", "")),
            category=raw.get("category", PAPER),
            statement=raw.get("statement", raw["id"]),
            reading=_join_lines(raw.get("reading", "")),
            presupposes=raw.get("presupposes", ""),
            used=_parse_data_use(raw["needs"], document.get("data", {})),
            figure=raw.get("figure"),
            printed=raw.get("printed"),
            erratum=erratum and _parse_erratum(erratum, _join_lines(raw.get("reading", ""))),
            source=source,
            presumes=document.get("presumes", {}),
            limits={
                key: Bounds(limit.get("at_least", -math.inf), limit.get("at_most", math.inf))
                for key, limit in document.get("limits", {}).items()
            },
            sizes=frozenset(document.get("sizes", ())) | RUN_KEYS,
            data_set=raw.get("data_set", ""),
        )
    except ConfigError as error:
        raise ConfigError(f"{source}: claim `{raw['id']}`: {error}") from None


def _parse_erratum(raw: Mapping[str, Any], reading: str) -> Erratum:
    """Parse an erratum from its mapping in the file; ``reading`` is its claim's reading."""
    if "friendliest" in raw and "slip" in raw:
        raise ConfigError("`slip`, which is for a line of a proof, does not go with `friendliest`.")
    return Erratum(
        wrong=_join_lines(raw["wrong"]),
        holds=_join_lines(raw["holds"]),
        check=_parse_check(raw["check"]),
        same_as=raw.get("same_as", ""),
        friendliest=_parse_favourable_case(raw["friendliest"], reading)
        if "friendliest" in raw
        else None,
        slip=_join_lines(raw.get("slip", "")),
    )


def _parse_favourable_case(raw: Mapping[str, Any], reading: str) -> FavourableCase:
    """Parse the most favourable reading, premise or counter-example from its mapping."""
    given = [key for key in _FAVOURABLE_KINDS if key in raw]
    if len(given) != 1:
        raise ConfigError(
            f"`friendliest` has exactly one of {', '.join(_FAVOURABLE_KINDS)}; this one has "
            f"{', '.join(given) or 'none'}."
        )
    text = _join_lines(raw[given[0]])
    if given == ["reading"] and text == reading:
        raise ConfigError("the reading of `friendliest` is the claim's own. Name another one.")
    if given == ["reading"] and "check" not in raw:
        raise ConfigError(
            "a reading of `friendliest` needs a `check`: the number by which the statement fails "
            "in it."
        )
    return FavourableCase(given[0], text, _parse_check(raw["check"]) if "check" in raw else None)


def _parse_cut(raw: Mapping[str, Any]) -> tuple[str, ...]:
    """Parse the words that each ellipsis of a claim's quote leaves out, after counting them."""
    quote, cut = _join_lines(raw.get("quote", "")), raw.get("cut", [])
    if cut and len(cut) != quote.count(ELLIPSIS):
        raise ConfigError(
            f"`cut` has {len(cut)} texts, but the quote {quote.count(ELLIPSIS)} times {ELLIPSIS}. "
            "Give one for each: the words that it leaves out, or an empty text where complete "
            "sentences stand between."
        )
    return tuple(map(_join_lines, cut))


def _parse_data_use(needs: Sequence[str], data: Mapping[str, Any]) -> dict[str, DataUse]:
    """Parse the paper's use of each dataset that a claim needs, by dataset."""
    unknown = [dataset for dataset in needs if dataset not in data]
    if unknown:
        raise ConfigError(
            f"it needs {unknown[0]}, but `data` of this file does not say which files of "
            f"{unknown[0]} the paper used, and what others stand in for."
        )
    return {
        each: DataUse(tuple(data[each]["paper"]), _join_lines(data[each]["stand_in"]))
        for each in needs
    }


def _join_lines(text: str) -> str:
    """Join the lines of a text with single blanks between its words."""
    return " ".join(text.split())


def _parse_check(raw: Mapping[str, Any]) -> Check:
    """Parse a check from its mapping in the file."""
    given = [key for key in (*_NUMERIC_RELATIONS, *_ORDERS) if key in raw]
    if len(given) != 1:
        raise ConfigError(
            f"a check has exactly one of {', '.join((*_NUMERIC_RELATIONS, *_ORDERS))}; "
            f"this one has {', '.join(given) or 'none'}."
        )
    relation = _parse_relation(given[0], raw)
    _refuse_unused_keys(given[0], relation, raw)
    return Check(
        table=raw["table"],
        relation=relation,
        where={
            column: tuple(wanted) if isinstance(wanted, list) else (wanted,)
            for column, wanted in raw.get("where", {}).items()
        },
        reduce=raw.get("reduce", "value"),
        tolerance=_parse_tolerance(given[0], raw),
        interval=_parse_interval(raw),
        demands=raw.get("demands", {}),
        demands_each=raw.get("demands_each", {}),
    )


def _parse_interval(raw: Mapping[str, Any]) -> Interval | None:
    """Parse the choice of intervals of a check; None if it judges values."""
    given = raw.get("interval")
    if isinstance(given, Mapping):
        return Interval(**given)
    return Interval() if given else None


def _parse_relation(name: str, raw: Mapping[str, Any]) -> Bounds | ExpectedEntries | Order:
    """Parse the relation ``name`` of a check: a range, expected numbers or an order."""
    given = raw[name]
    if name in _ORDERS:
        within = given.get("within")
        least = float(given.get("least", 0))
        if least and name not in _STRICT_ORDERS:
            raise ConfigError(f"`least` does not go with `{name}`, which allows equal values.")
        return Order(name, given["along"], None if within is None else tuple(within), least)
    if name == "equals" and isinstance(given, Mapping):
        if "by" not in raw:
            raise ConfigError("`equals` gives several numbers; name their column in `by`.")
        return ExpectedEntries(
            raw["by"], {key: _check_not_nan(value) for key, value in given.items()}
        )
    if name == "between":
        low, high = map(_check_not_nan, given)
        if not low < high:
            raise ConfigError(f"`between` is {given}; the first number must be the smaller one.")
        return Bounds(low, high)
    number = _check_not_nan(given)
    low = -math.inf if name == "at_most" else number
    high = math.inf if name == "at_least" else number
    return Bounds(low, high)


def _check_not_nan(number: float) -> float:
    """Return a number as a float; raise ConfigError if it is NaN."""
    if math.isnan(number):
        raise ConfigError("NaN is no number that a table could agree with.")
    return float(number)


def _refuse_unused_keys(
    name: str, relation: Bounds | ExpectedEntries | Order, raw: Mapping[str, Any]
) -> None:
    """Refuse keys that the relation would ignore, because their author expects an effect."""
    if isinstance(relation, Order):
        unfit: tuple[str, ...] = ("reduce", "by", "interval")
    elif isinstance(relation, ExpectedEntries):
        unfit = ("reduce",)
    else:
        unfit = ("by",)
    for key in unfit:
        if key in raw:
            raise ConfigError(f"`{key}` does not go with this `{name}`; leave one of them out.")
    where = raw.get("where", {})
    if ("demands" in raw or "demands_each" in raw) and "statistic" not in where:
        raise ConfigError("`demands` are of other statistics; name this one in `where`.")
    selected = where.get("statement", [])
    for statement in raw.get("demands_each", {}):
        if statement not in (selected if isinstance(selected, list) else [selected]):
            raise ConfigError(
                f"`demands_each` names the statement `{statement}`, which the check does not "
                "select. Name it in `where: statement`, or leave its demands out."
            )
    if raw.get("interval") and raw.get("reduce", "value") not in ("value", "all"):
        raise ConfigError(
            f"`interval` does not go with `reduce: {raw['reduce']}`: rows have intervals, and a "
            f"{raw['reduce']} of rows has none. Use `value` or `all`."
        )


def _parse_tolerance(name: str, raw: Mapping[str, Any]) -> Tolerance:
    """Parse and check the tolerance of a check, which ``equals`` must have; 0 without one."""
    if "tolerance" not in raw:
        if name == "equals":
            raise ConfigError(
                "`equals` needs a `tolerance` with its `why`; say `absolute: 0` for an exact one."
            )
        return Tolerance()
    given = raw["tolerance"]
    if ("absolute" in given) == ("relative" in given):
        raise ConfigError("`tolerance` must have one of `absolute` and `relative`, not both.")
    if name in _STRICT_ORDERS:
        raise ConfigError(
            f"`{name}` takes no tolerance, because within one equal values would pass; "
            f"say `non{'de' if name == 'increasing' else 'in'}creasing`."
        )
    if name in _ORDERS and "relative" in given:
        raise ConfigError(f"the tolerance of `{name}` must be `absolute`.")
    tolerance = Tolerance(
        float(given.get("absolute", 0)), float(given.get("relative", 0)), _join_lines(given["why"])
    )
    if not (math.isfinite(tolerance.absolute) and math.isfinite(tolerance.relative)):
        raise ConfigError("`tolerance` must be finite, or no table could ever differ.")
    return tolerance
