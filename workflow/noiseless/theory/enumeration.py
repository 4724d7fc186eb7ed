"""Enumeration of small universes, and counts of the cases that violate a statement.

Every statement is brought to the form ``left <= right`` of two exact numbers.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from numbers import Rational
from typing import NamedTuple

from noiseless.theory.finite import Relation

Exact = int | Fraction
Cases = Counter[tuple[Exact, Exact]]
"""How often each left and right side of a statement occurs."""
StatementSides = Iterable[tuple[str, Exact, Exact]]
"""Statements, each with both of its sides in one case."""
CASE_STATISTICS = (
    "cases",
    "violations",
    "equalities",
    "violations_if_halved",
    "violations_if_one_less",
)


def enumerate_maps(size: int, start: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Enumerate all maps of ``size`` elements, up to the names of the values.

    Values are numbered in the order in which they first occur; other names give the same sizes.
    """
    if len(start) == size:
        yield start
        return
    for value in range(max(start, default=-1) + 2):
        yield from enumerate_maps(size, (*start, value))


def rename_values(values: Sequence[Hashable]) -> tuple[int, ...]:
    """Rename values to 0, 1, ... in order of first occurrence, as :func:`enumerate_maps` does."""
    names: dict[Hashable, int] = {}
    return tuple(names.setdefault(value, len(names)) for value in values)


def enumerate_relations(xs: int, ys: int) -> Iterator[Relation]:
    """Enumerate all joint ranges with ``xs`` values of X and ``ys`` values of Y, all used."""
    pairs = list(itertools.product(range(xs), range(ys)))
    for bits in range(1, 1 << len(pairs)):
        chosen = [pair for k, pair in enumerate(pairs) if bits >> k & 1]
        if len({x for x, _ in chosen}) == xs and len({y for _, y in chosen}) == ys:
            yield Relation(frozenset(chosen))


def enumerate_channels(
    inputs: int, outputs: int, *, denominator: int
) -> Iterator[tuple[tuple[Fraction, ...], ...]]:
    """Enumerate all channels whose probabilities have a denominator: P(y|x), a row for each x."""
    numbers = itertools.product(range(denominator + 1), repeat=outputs)
    rows = [
        tuple(Fraction(each, denominator) for each in row)
        for row in numbers
        if sum(row) == denominator
    ]
    yield from itertools.product(rows, repeat=inputs)


def enumerate_compositions(total: int) -> Iterator[tuple[int, ...]]:
    """Enumerate the ways to write a number as a sum of numbers from 1, by how many they are."""
    for count in range(1, total + 1):
        for cuts in itertools.combinations(range(1, total), count - 1):
            yield tuple(high - low for low, high in itertools.pairwise((0, *cuts, total)))


class Conditioned(NamedTuple):
    """A joint range, and values of Y of which one is observed."""

    relation: Relation
    observed: frozenset[Hashable]

    def list_numbers(self) -> dict[str, str]:
        """List the possible pairs, and what is observed."""
        return {
            **self.relation.list_numbers(),
            "Y is one of": " ".join(map(str, sorted(self.observed, key=repr))),
        }

    @property
    def printed(self) -> frozenset[Hashable]:
        """{X(w) : exists w with Y(w) in observed}, where the condition binds a w of its own."""
        occurs = any(y in self.observed for _, y in self.relation.pairs)
        return frozenset(x for x, _ in self.relation.pairs if occurs)

    @property
    def meant(self) -> frozenset[Hashable]:
        """{X(w) : Y(w) in observed}, the values of X beside one that is observed."""
        return frozenset(x for x, y in self.relation.pairs if y in self.observed)

    @property
    def united(self) -> frozenset[Hashable]:
        """The union of the conditional ranges [X|y] of what is observed."""
        return frozenset().union(*(self.relation.x_given_y[y] for y in self.observed))


def list_conditioned(relations: Iterable[Relation], *, most: int) -> list[Conditioned]:
    """List each joint range with each set of up to ``most`` values of Y that may be observed."""
    return [
        Conditioned(relation, frozenset(observed))
        for relation in relations
        for size in range(1, most + 1)
        for observed in itertools.combinations(sorted(relation.x_given_y, key=repr), size)
    ]


def count_violations(
    cases: Mapping[tuple[Exact, Exact], int] | Iterator[tuple[Exact, Exact]],
) -> dict:
    """Count the cases of a statement ``left <= right``, and of stronger ones that must fail.

    The result has ``cases``; ``violations``, those with left > right; ``equalities``, which show
    that no smaller bound holds; ``violations_if_halved`` and ``violations_if_one_less``: those that
    would break the statement with right / 2 or right - 1 in place of right.  A check that finds
    none of these could not have found a violation either.  A number that is not exact is a
    TypeError: rounding could make or hide a violation.
    """
    counts = dict.fromkeys(CASE_STATISTICS, 0)
    for (left, right), number in Counter(cases).items():
        if not (isinstance(left, Rational) and isinstance(right, Rational)):
            raise TypeError(f"{left!r} <= {right!r} is not a statement about exact numbers")
        counts["cases"] += number
        counts["violations"] += number * (left > right)
        counts["equalities"] += number * (left == right)
        counts["violations_if_halved"] += number * (2 * left > right)
        counts["violations_if_one_less"] += number * (left > right - 1)
    return counts


class StatementCounts(defaultdict[tuple, Cases]):
    """Counts of the cases of statements, by statement and universe (the key of a table's row)."""

    def __init__(self) -> None:
        super().__init__(Counter)

    def count(self, facts: StatementSides, *universe: object, times: int = 1) -> None:
        """Count each fact a number of times, under its statement and universe."""
        for statement, left, right in facts:
            self[statement, *universe][left, right] += times

    def iterate_rows(self, *cell: str, whole: bool = True, above_1: bool = False) -> Iterator[dict]:
        """Iterate over rows for :func:`noiseless.tables.returns_table`: key columns, then counts.

        Sides that are not ``whole`` numbers have no levels to take one away from.  With
        ``above_1``, the equalities of numbers above 1 are counted, too: those of sizes that tell
        something, where a statement about sizes of 1 alone would hold by itself.
        """
        for key, cases in self.items():
            counts = count_violations(cases)
            if not whole:
                del counts["violations_if_one_less"]
            if above_1:
                counts["equalities_above_1"] = sum(
                    number for (left, right), number in cases.items() if left == right > 1
                )
            yield dict(zip(cell or ("statement", "universe"), key, strict=True)) | counts


def find_positions(reports: Sequence[int], report: int) -> list[int]:
    """Find the cells whose report is ``report``."""
    return [cell for cell, each in enumerate(reports) if each == report]


def compute_span(cells: Sequence[int]) -> int:
    """Compute the length of the shortest interval that holds cells of length 1."""
    return max(cells) - min(cells) + 1


def iterate_accurate_levels(count: int, half_width: Fraction) -> Iterator[int]:
    """Iterate over the number of reports of each accurate map of ``count`` cells.

    The cells have length 1 and lie side by side.  A map is accurate enough if the cells of every
    report fit into an interval of length ``2 * half_width``.
    """
    for reports in enumerate_maps(count):
        spans = [compute_span(find_positions(reports, report)) for report in set(reports)]
        if max(spans) <= 2 * half_width:
            yield len(spans)
