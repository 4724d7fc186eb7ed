"""What a check found: numbers, the case that decides, and how near it came to failing.

A check that cannot fail is a defect.  So ``for_all`` counts the cases that a sharper statement
would break (``sharp``), and a statement without one is inconclusive.  Nothing equal to nothing is
no such case.  A check against a printed number needs no such count: any other number fails it.

What is found has types, and no words: words are made where it is shown (:mod:`.words`).
"""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, runtime_checkable

from noiseless.errors import ConfigError

DASH = "-"  # of a printed table, for no number
Exact = int | Fraction
Place = tuple[float, float]
Value = int | float | str | bool
"""A number of an example; a fraction, a set or a list of numbers as text, such as ``4/3``."""


class MissingCellError(ConfigError):
    """Error about a table that lacks the cell that a statement is about: it is not tested then."""


class Relation(StrEnum):
    """How the two sides of a fact are related."""

    AT_MOST = "<="
    LESS = "<"
    EQUAL = "=="


class Wanted(StrEnum):
    """What a check asks of what it found."""

    NO_CASE_FAILS = "no case fails"
    EQUAL = "equal"
    BOUNDED = "bounded"
    INTERVALS_WITHIN = "intervals within"
    AS_PRINTED = "as printed"
    RISES = "rises"
    FALLS = "falls"
    NEVER_FALLS = "never falls"
    NEVER_RISES = "never rises"


@runtime_checkable
class Case(Protocol):
    """What a statement is about once; a reader can check it by hand from its numbers."""

    def list_numbers(self) -> Mapping[str, Any]:
        """List the numbers by their names."""


@dataclass(frozen=True)
class Example:
    """A case of a check by its numbers, and the two sides as they had to be related.

    ``holds`` is False for a counter-example, and True for a case that a sharper statement would
    break.
    """

    numbers: Mapping[str, Value]
    left: Value
    relation: Relation
    right: Value
    holds: bool


class Fact(NamedTuple):
    """A relation of two exact values in one case, which stands for ``times`` cases."""

    left: Any
    relation: Relation
    right: Any
    case: Case | Mapping[str, Any]
    times: int = 1

    @property
    def holds(self) -> bool:
        """Whether left and right are related as stated."""
        match self.relation:
            case Relation.EQUAL:
                return bool(self.left == self.right)
            case Relation.LESS:
                return bool(self.left < self.right)
            case Relation.AT_MOST:  # a set is at most one that holds it
                return bool(self.left <= self.right)
        raise ValueError(f"there is no relation {self.relation!r}")

    @property
    def is_sharp(self) -> bool:
        """Whether the fact holds, and one less on the right, or half of fractions, breaks it."""
        if not (self.right and self.holds):
            return False
        if self.relation is Relation.EQUAL:
            return True
        whole = isinstance(self.left, int) and isinstance(self.right, int)
        sharper = self.right - 1 if whole else self.right / 2
        return not self._replace(right=sharper).holds


NO_CASE: Mapping[str, Any] = {}


def at_most(left: Exact, right: Exact, case: Any = NO_CASE, *, times: int = 1) -> Fact:
    """State that ``left <= right``."""
    return Fact(left, Relation.AT_MOST, right, case, times)


def less(left: Exact, right: Exact, case: Any = NO_CASE, *, times: int = 1) -> Fact:
    """State that ``left < right``."""
    return Fact(left, Relation.LESS, right, case, times)


def equal(left: Any, right: Any, case: Any = NO_CASE, *, times: int = 1) -> Fact:
    """State that both are equal: numbers or sets."""
    return Fact(left, Relation.EQUAL, right, case, times)


def agrees(found: bool, stated: bool, case: Any = NO_CASE, *, times: int = 1) -> Fact:
    """State that a condition is true just where another one is."""
    return Fact(bool(found), Relation.EQUAL, bool(stated), case, times)


def holds(condition: bool, case: Any = NO_CASE, *, times: int = 1) -> Fact:
    """State that a condition is true."""
    return Fact(bool(condition), Relation.EQUAL, True, case, times)


@dataclass(frozen=True)
class Estimate:
    """A number with an interval, judged together with all others of its family."""

    value: float
    low: float
    high: float
    label: str = ""


@dataclass(frozen=True)
class PrintedTable:
    """A table as a paper prints it: texts by row and column."""

    names: tuple[str, str]  # what the numbers before the rows, and above the columns, are of
    decimals: int  # after how many a number is rounded or cut off
    cells: Mapping[Place, str]

    @classmethod
    def parse(cls, text: str, *, rows: str, columns: str, decimals: int) -> "PrintedTable":
        """Parse lines of words: a header, and a line for each row, which begins with its number."""
        header, *lines = (line.split() for line in text.strip().splitlines())
        cells = {
            (float(row), float(column)): cell
            for row, *its_cells in lines
            for column, cell in zip(header, its_cells, strict=True)
        }
        return cls((rows, columns), decimals, cells)

    @property
    def numbers(self) -> dict[Place, float]:
        """The printed numbers, without dashes."""
        return {place: float(text) for place, text in self.cells.items() if text != DASH}


@dataclass(frozen=True)
class Cell:
    """A cell of a printed table, and what was found for it; None for a dash."""

    where: Mapping[str, float]
    printed: float | None
    found: float | None
    holds: bool

    @property
    def name(self) -> str:
        """The values of row and column, such as ``beta0.5-f0.55``."""
        return "-".join(f"{name}{value:g}" for name, value in self.where.items())


@dataclass(frozen=True)
class Margin:
    """By how much a number may be off, absolutely or as a share of the printed number; and why."""

    size: float
    why: str
    relative: bool = False

    def widen(self, number: float) -> tuple[float, float]:
        """Return the ends of the numbers that are near enough to a printed one."""
        if not math.isfinite(number):
            return number, number
        size = _to_exact(self.size) * (abs(_to_exact(number)) if self.relative else 1)
        return float(_to_exact(number) - size), float(_to_exact(number) + size)


EXACT = Margin(0, "")


@dataclass(frozen=True)
class Finding:
    """What a check found."""

    holds: bool  # of estimates, judged later, always True
    wanted: Wanted
    found: tuple[float, ...]  # the numbers that decide
    printed: tuple[float, ...] = ()  # what they were held against: one, or one for each
    names: tuple[str, ...] = ()  # what each number is of, where they have names
    bounds: tuple[float, float] = (-math.inf, math.inf)  # of the range that was wanted
    cases: int = 1
    failed: int = 0
    sharp: int | None = None  # cases that a sharper statement breaks; None: any other number fails
    sharp_wanted: int = 1
    example: Example | None = None  # the first counter-example, or sharp case if all hold
    within: Margin = EXACT
    estimates: tuple[Estimate, ...] = ()
    confidence: float = 0.95  # of an estimate's interval
    together: int = 0  # intervals that hold together with it, these included; 0: each by itself
    cells: tuple[Cell, ...] = ()

    def get_bounds(self, place: int) -> tuple[float, float]:
        """Return what an estimate is held against: its printed number, or the printed range."""
        return (self.printed[place],) * 2 if self.printed else self.bounds

    @property
    def is_vacuous(self) -> bool:
        """Whether too few cases could have failed."""
        return self.holds and self.sharp is not None and self.sharp < self.sharp_wanted


def for_all(
    facts: Iterable[Fact],
    *,
    sharper: Callable[[Exact], Exact] | None = None,
    attained: float = 0,
) -> Finding:
    """State that every fact holds; ``found`` is the number of cases in which it does not.

    The smallest cases come first: the first one that fails is the counter-example. ``sharper``
    makes the right side of what must fail in some case: by default one less of whole numbers, and
    half of others. With ``attained`` both sides must be equal in that share of the cases: no
    smaller bound holds.
    """
    cases = failed = near = 0
    broken = tight = None
    for fact in facts:
        cases += fact.times
        if not fact.holds:
            failed += fact.times
            broken = broken or fact
            continue
        if attained:
            is_sharp = fact.left == fact.right
        elif sharper:
            is_sharp = not fact._replace(right=sharper(fact.right)).holds
        else:
            is_sharp = fact.is_sharp
        if is_sharp:
            near += fact.times
            tight = tight or fact
    shown = broken or tight
    return Finding(
        holds=not failed,
        wanted=Wanted.NO_CASE_FAILS,
        found=(failed,),
        printed=(0,),
        cases=cases,
        failed=failed,
        sharp=near,
        sharp_wanted=max(1, math.ceil(attained * cases)),
        example=_make_example(shown) if shown else None,
    )


def find_some(facts: Iterable[Fact]) -> Finding:
    """State that some facts do not hold; ``found`` is their number, and the example the first."""
    broken = for_all(facts)
    return replace(bounded([broken.failed], at_least=1), example=broken.example)


def equals(found: Any, printed: Any, *, within: Margin = EXACT) -> Finding:
    """State that numbers are those that are printed, by name, or all one printed number."""
    if isinstance(printed, Mapping):
        pairs = [(str(name), found[name], each) for name, each in printed.items()]
    else:
        pairs = [(label, value, printed) for label, value in _label(found)]
    if not pairs:
        raise MissingCellError("there is no number to compare with the printed one")
    off = [(name, value, each) for name, value, each in pairs if not _is_near(value, each, within)]
    return Finding(
        holds=not off,
        wanted=Wanted.EQUAL,
        found=tuple(float(value) for _, value, _ in pairs),
        printed=tuple(float(each) for *_, each in pairs),
        names=tuple(name for name, *_ in pairs) if isinstance(printed, Mapping) else (),
        cases=len(pairs),
        failed=len(off),
        example=_make_number(*off[0][:2], Relation.EQUAL, off[0][2], False) if off else None,
        within=within,
    )


def _is_near(found: Any, printed: Any, within: Margin) -> bool:
    """Return whether numbers are near, as the decimals that they print as; never of NaN."""
    one, other = _to_exact(found), _to_exact(printed)
    if one == other:  # infinities, too
        return True
    margin = _to_exact(within.size) * (abs(other) if within.relative else 1)
    return bool(abs(one - other) <= margin)


def bounded(
    found: Any,
    *,
    at_most: float = math.inf,
    at_least: float = -math.inf,
    within: Margin = EXACT,
    sharp: int | None = None,
    sharp_wanted: int = 1,
) -> Finding:
    """State that all numbers lie in a range; ``found`` is the one that is nearest to leaving it.

    Of a range with two ends it is the smallest and the largest number.

    Where the numbers are differences of this project's, and not printed, ``sharp`` says how many
    cases a sharper statement would break.
    """
    labelled = _label(found)
    if not labelled:
        raise MissingCellError("there is no number to bound")
    margin = _to_exact(within.size)
    ends = [pick(labelled, key=lambda each: each[1]) for pick in (min, max)]
    has_two = math.isfinite(at_most) and math.isfinite(at_least)
    off = [
        each
        for each in labelled
        if not _to_exact(at_least) - margin <= _to_exact(each[1]) <= _to_exact(at_most) + margin
    ]
    worst = ends[math.isfinite(at_most)]
    if has_two and ends[0] in off and ends[1] not in off:
        worst = ends[0]
    return Finding(
        holds=not off,
        wanted=Wanted.BOUNDED,
        found=tuple(float(each) for _, each in (ends if has_two else [worst])),
        cases=len(labelled),
        failed=len(off),
        sharp=sharp,
        sharp_wanted=sharp_wanted,
        example=_make_bound(*worst, at_least, at_most, not off) if worst[0] else None,
        within=within,
        bounds=(at_least, at_most),
    )


def rises(*curves: Mapping[Any, Any], strictly: bool = True, by: float = 0) -> Finding:
    """State that each curve, from points to numbers, rises along its points."""
    return _order(curves, 1, strictly, by, Wanted.RISES if strictly else Wanted.NEVER_FALLS)


def falls(
    *curves: Mapping[Any, Any],
    strictly: bool = True,
    by: float = 0,
    within: Margin = EXACT,
) -> Finding:
    """State that each curve, from points to numbers, falls along its points.

    Without ``strictly`` it may rise ``within`` a margin.
    """
    wanted = Wanted.FALLS if strictly else Wanted.NEVER_RISES
    return replace(_order(curves, -1, strictly, by - within.size, wanted), within=within)


def _order(
    curves: Sequence[Mapping[Any, Any]], sign: int, strictly: bool, by: float, wanted: Wanted
) -> Finding:
    """Compare all pairs of points, so that many small steps back do not add up."""
    broken, found, failed = None, [], 0
    relation = Relation.LESS if strictly else Relation.AT_MOST
    for curve in curves:
        points = sorted(curve.items())
        if len(points) < 2:
            raise MissingCellError(f"a curve needs two points, and has {dict(points)}")
        found += [float(value) for _, value in points]
        for (at, one), (then, other) in itertools.combinations(points, 2):
            step = sign * (_to_exact(other) - _to_exact(one)) - _to_exact(by)
            if step < 0 or (strictly and step == 0):
                failed += 1
                left, right = (one, other) if sign > 0 else (other, one)
                broken = broken or _make_number(f"{at} to {then}", left, relation, right, False)
    return Finding(
        not failed, wanted, tuple(found), cases=len(found), failed=failed, example=broken
    )


def within(
    estimates: Iterable[Estimate],
    low: float,
    high: float,
    *,
    confidence: float = 0.95,
    together: int = 0,
    why: str = "",
) -> Finding:
    """State that estimates lie in a printed range; judged together with all of the family.

    Intervals that were made to hold ``together``, so many of them, are judged as they are.
    ``why`` says why this range is taken for words without a number.
    """
    finding = _estimate(estimates, confidence)
    margin = Margin(0, why)
    return replace(finding, bounds=(low, high), together=together, within=margin)


def hold(
    estimates: Iterable[Estimate],
    printed: float | Mapping[str, float],
    *,
    within: Margin = EXACT,
    confidence: float = 0.95,
) -> Finding:
    """State that the intervals of estimates hold printed numbers, by label, or all one number.

    Judged as :func:`within` is.
    """
    if isinstance(printed, Mapping):
        by_label = {each.label: each for each in estimates}
        if lacking := [label for label in printed if label not in by_label]:
            raise MissingCellError(f"there is no estimate of {lacking[0]}")
        found = _estimate([by_label[label] for label in printed], confidence)
        numbers = tuple(printed.values())
    else:
        found = _estimate(estimates, confidence)
        numbers = (printed,) * found.cases
    return replace(found, printed=numbers, within=within)


def _estimate(estimates: Iterable[Estimate], confidence: float) -> Finding:
    found = tuple(estimates)
    if not found:
        raise MissingCellError("there is no estimate")
    return Finding(
        holds=True,
        wanted=Wanted.INTERVALS_WITHIN,
        found=tuple(each.value for each in found),
        names=tuple(each.label for each in found),
        cases=len(found),
        estimates=found,
        confidence=confidence,
    )


def as_printed(found: Mapping[Place, float | None], printed: PrintedTable) -> Finding:
    """State that numbers are those of a printed table, and that there is none where it has a dash.

    ``found`` has a number, or None, for each printed cell; its own number is how many cells differ.
    """
    cells = tuple(
        Cell(
            dict(zip(printed.names, place, strict=True)),
            None if text == DASH else float(text),
            found[place],
            _is_printed_as(found[place], text, printed.decimals),
        )
        for place, text in printed.cells.items()
    )
    off = [each for each in cells if not each.holds]
    return Finding(
        holds=not off,
        wanted=Wanted.AS_PRINTED,
        found=(len(off),),
        printed=(0,),
        cases=len(cells),
        failed=len(off),
        example=_make_cell(off[0]) if off else None,
        cells=cells,
    )


def _is_printed_as(number: float | None, text: str, decimals: int) -> bool:
    """Return whether a number prints as a text, rounded or cut off after some decimals."""
    if text == DASH or number is None:
        return text == DASH and number is None
    exact, printed = _to_exact(number), Fraction(text)
    unit = Fraction(1, 10**decimals)
    return bool(printed - unit / 2 <= exact <= printed + unit)


def _make_cell(cell: Cell) -> Example:
    """Make the example of a cell that differs."""
    found, printed = (DASH if each is None else each for each in (cell.found, cell.printed))
    return Example(dict(cell.where), found, Relation.EQUAL, printed, cell.holds)


def all_of(*findings: Finding) -> Finding:
    """State several findings at once, of one kind; each has to hold, and to be able to fail."""
    first = findings[0]
    if len({each.wanted for each in findings}) > 1 or any(each.estimates for each in findings):
        raise ValueError("findings that are stated at once want one thing, and have no intervals")
    counts = [each.sharp for each in findings if each.sharp is not None]
    return replace(
        first,
        holds=all(each.holds for each in findings),
        found=(sum(each.failed for each in findings),)
        if first.wanted is Wanted.NO_CASE_FAILS
        else tuple(itertools.chain.from_iterable(each.found for each in findings)),
        printed=tuple(itertools.chain.from_iterable(each.printed for each in findings)),
        names=tuple(itertools.chain.from_iterable(each.names for each in findings))
        if all(each.names for each in findings)
        else (),
        cases=sum(each.cases for each in findings),
        failed=sum(each.failed for each in findings),
        sharp=min(counts) if counts else None,
        sharp_wanted=max(each.sharp_wanted for each in findings),
        example=next((e.example for e in findings if not e.holds), first.example),
        within=max((each.within for each in findings), key=lambda each: each.size),
    )


def _label(found: Any) -> list[tuple[str, Any]]:
    """Return numbers with what they are of: those of a series, a mapping, a sequence, or one."""
    if hasattr(found, "items"):
        return [(str(label), value) for label, value in found.items()]
    if isinstance(found, Iterable):
        return [("", value) for value in found]
    return [("", found)]


def _to_exact(number: Any) -> Any:
    """Return the exact rational of the decimals that a number prints as; infinities as they are."""
    if isinstance(number, Fraction | int):
        return number
    number = float(number)
    return Fraction(repr(number)) if math.isfinite(number) else number


def _make_example(fact: Fact) -> Example:
    """Make the example of a fact: the numbers of its case, and both sides."""
    numbers = fact.case.list_numbers() if isinstance(fact.case, Case) else fact.case
    plain = {name: to_value(each) for name, each in numbers.items()}
    return Example(plain, to_value(fact.left), fact.relation, to_value(fact.right), fact.holds)


def _make_number(name: str, left: Any, relation: Relation, right: Any, holds: bool) -> Example:
    """Make the example of one number that has a name, if any."""
    return Example({"at": name} if name else {}, float(left), relation, float(right), holds)


def _make_bound(name: str, value: Any, low: float, high: float, holds: bool) -> Example:
    """Make the example of the number that is nearest to leaving a range."""
    if math.isfinite(high) and not value < low:
        return _make_number(name, value, Relation.AT_MOST, high, holds)
    return _make_number(name, low, Relation.AT_MOST, value, holds)


def to_value(number: Any) -> Value:
    """Convert a number, set or list to what JSON can hold; fractions and sets become text."""
    if isinstance(number, bool | int | str):
        return number
    if isinstance(number, Fraction):
        return int(number) if number.denominator == 1 else str(number)
    if isinstance(number, set | frozenset):
        return " ".join(str(to_value(each)) for each in sorted(number)) or "none"
    if isinstance(number, list | tuple):
        return " ".join(str(to_value(each)) for each in number)
    return float(number)
