"""Definitions of ``deterministic``, as printed and as corrected.

1. :func:`build_definitions_table`: Definition II.2 and the taxicab partition, the values of a
   piecewise constant function, the policies of Equations 20 and 21, and I* of equal symbols.
2. :func:`build_range_table`: Theorem IV.1 where the outputs have no bound.
3. :func:`build_level_sets_table`: the condition of Corollary IV.1 in the plane.
"""

import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Final

import numpy as np
import pandas as pd
from scipy.ndimage import label

from noiseless.papers.deterministic.policies import ACCURACY, QUERIES, QUERY_RANGES
from noiseless.tables import Rows, returns_table
from noiseless.theory.enumeration import (
    Exact,
    StatementCounts,
    StatementSides,
    enumerate_maps,
    enumerate_relations,
)
from noiseless.theory.finite import Relation
from noiseless.theory.policies import build_optimal_quantizer

RELATIONS: Final = ((2, 2), (2, 3), (3, 2), (3, 3))  # numbers of values of X and Y
MAX_LEVELS: Final = 8  # largest number of levels of a quantizer of [0, 1]
PARTS_PER_UNIT: Final = 4  # points per unit of the lattices of data
CORNER: Final = 2  # data of Example IV.1 lie in [-2, 2] x [-2, 2]
PLANE: Final = 4  # half of the side of a square that holds each ellipse of Example IV.1
HALF_RANGES: Final = (1, 2, 4, 8, 16, 32, 64)  # L of the ranges [-L, L], subsets of [Y] = R
MAX_CELLS: Final = 4  # largest number of cells of a function whose symbols may be equal

# Equation 20 (of the sum of both numbers) and Equation 21: query, ends of the bins, and whether the
# last bin holds its upper end.
PRINTED: Final = {
    "20": (lambda x1, x2: x1 + x2, (-4, -2, 0, 2, 4), True),
    "21": (lambda x1, x2: x1**2 + 2 * x2**2, tuple(range(13)), False),
}
Pair = tuple[Hashable, Hashable]


def build_definition_tables(*, lattice: int) -> dict[str, pd.DataFrame]:
    """Build the three tables of this module, by name.

    Parameters
    ----------
    lattice : int
        Points along each axis of :func:`build_level_sets_table`.

    Returns
    -------
    dict
        ``definitions``, ``ranges`` and ``level_sets``.
    """
    return {
        "definitions": build_definitions_table(),
        "ranges": build_range_table(),
        "level_sets": build_level_sets_table(lattice=lattice),
    }


@returns_table("statement", "universe")
def build_definitions_table() -> Rows:
    """Build the table of the cases that contradict each definition, as printed and corrected.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`.  Statements:

        - ``II.2, printed``: a joint range has at least one taxicab partition, if a part is taxicab
          connected when all points of [X, Y] are; ``II.2, mended``: when all its own are; ``II.2,
          whole``: as printed, of joint ranges all of whose points are.
        - ``partition, one``: then it has no second one of parts that are not empty; ``partition,
          components``: it is that of :attr:`noiseless.theory.finite.Relation.taxicab_partition`.
        - ``values, printed``: a piecewise constant function has one value at most for each x, if
          it has b_i where b_i is in X_i; ``values, mended``: where x is in X_i; ``values,
          one set``: as printed, for one set alone.  ``values, defined, ...``: it has one at least.
        - ``20``, ``21``, ``21, closed``: each datum of Example IV.1 has a report by that equation;
          ``... once``: no datum has two.
        - ``I*, printed``: I* of a step function is the logarithm of its number of cells; ``I*,
          mended``: of its number of different symbols.
    """
    tallies = StatementCounts()
    for sizes in RELATIONS:
        for relation in enumerate_relations(*sizes):
            tallies.count(_enumerate_partition_facts(relation), f"{sizes[0]} x {sizes[1]} values")
    for levels in range(1, MAX_LEVELS + 1):
        tallies.count(_enumerate_value_facts(levels), "quantizers of [0, 1]")
    for name, (query, ends, closed) in PRINTED.items():
        tallies.count(_enumerate_report_facts(name, query, ends, closed), "lattice of the square")
    query, ends, _ = PRINTED["21"]
    tallies.count(_enumerate_report_facts("21, closed", query, ends, True), "lattice of the square")
    for cells in range(1, MAX_CELLS + 1):
        for symbols in itertools.combinations_with_replacement(range(MAX_CELLS), cells):
            count = Relation.from_outcomes(range(cells), symbols).maximin_count
            for name, expected in (("printed", cells), ("mended", len(set(symbols)))):
                facts = [(f"I*, {name}", count, expected), (f"I*, {name}", expected, count)]
                tallies.count(facts, f"symbols of up to {MAX_CELLS} cells")
    yield from tallies.iterate_rows()


def _enumerate_partition_facts(relation: Relation) -> StatementSides:
    """Yield the statements on taxicab partitions of a joint range, over all its set partitions."""
    pairs = sorted(relation.pairs)
    is_linked = find_reachable(pairs)
    couples = list(itertools.combinations(range(len(pairs)), 2))
    links = [(one, other) for one, other in couples if is_linked[pairs[one], pairs[other]]]
    partitions: list[frozenset[frozenset[Pair]]] = []
    isolated = 0
    for labels in enumerate_maps(len(pairs)):
        if any(labels[one] != labels[other] for one, other in links):
            continue
        isolated += 1
        if sum(labels[one] == labels[other] for one, other in couples) == len(links):
            parts: dict[int, set[Pair]] = {}
            for pair, part in zip(pairs, labels, strict=True):
                parts.setdefault(part, set()).add(pair)
            partitions.append(frozenset(map(frozenset, parts.values())))
    yield "II.2, printed", 1, isolated if len(links) == len(couples) else 0
    yield "II.2, mended", 1, len(partitions)
    if len(links) == len(couples):
        yield "II.2, whole", 1, isolated
    yield "partition, one", len(partitions), 1
    yield "partition, components", 1, partitions.count(relation.taxicab_partition)


def find_reachable(pairs: Sequence[Pair]) -> dict[tuple[Pair, Pair], bool]:
    """Find the pairs of points that steps in one coordinate at a time connect (Definition II.2).

    The result, by pair of points, is the transitive closure of single steps.
    """
    step = {(a, b): a[0] == b[0] or a[1] == b[1] for a in pairs for b in pairs}
    for middle, one, other in itertools.product(pairs, repeat=3):
        step[one, other] |= step[one, middle] and step[middle, other]
    return step


def _enumerate_value_facts(levels: int) -> StatementSides:
    """Yield the statements on the number of values of a quantizer of [0, 1] at lattice points."""
    ends = [Fraction(k, levels) for k in range(levels + 1)]
    symbols = [(low + high) / 2 for low, high in itertools.pairwise(ends)]
    for number in range(PARTS_PER_UNIT * MAX_LEVELS + 1):
        x = Fraction(number, PARTS_PER_UNIT * MAX_LEVELS)
        for name, points in (("printed", symbols), ("mended", [x] * levels)):
            values = sum(_is_in_bin(ends, k, point) for k, point in enumerate(points))
            yield f"values, {name}", values, 1
            if levels == 1 and name == "printed":
                yield "values, one set", values, 1
            yield f"values, defined, {name}", 1, values


def _is_in_bin(ends: Sequence[Exact], bin_: int, point: Exact, *, closed: bool = True) -> bool:
    """Return whether a point lies in a bin; if ``closed``, the last bin holds its upper end."""
    last = bin_ == len(ends) - 2
    return ends[bin_] <= point < ends[bin_ + 1] or (closed and last and point == ends[-1])


def _enumerate_report_facts(
    name: str, query: Callable[..., Fraction], ends: Sequence[int], closed: bool
) -> StatementSides:
    """Yield the statements on the number of reports of each datum of a lattice by a policy."""
    axis = [Fraction(k, PARTS_PER_UNIT) for k in _iterate_integers(CORNER * PARTS_PER_UNIT)]
    for x1, x2 in itertools.product(axis, axis):
        output = query(x1, x2)
        reports = sum(_is_in_bin(ends, k, output, closed=closed) for k in range(len(ends) - 1))
        yield name, 1, reports
        yield f"{name} once", reports, 1


def _iterate_integers(end: int) -> Iterator[int]:
    """Return an iterator of the integers from -end to end."""
    return iter(range(-end, end + 1))


@returns_table("half_range")
def build_range_table(*, accuracy: int = 1) -> Rows:
    """Build the table of the fewest values of a step function of an accuracy on [-L, L].

    On [Y] = R a step function needs as many values as on each [-L, L], so that no number of values
    is enough, and every accurate policy has P2 = 0 (Theorem IV.1).

    Parameters
    ----------
    accuracy : int
        gamma.

    Returns
    -------
    DataFrame
        Cells ``half_range``, L.  Statistics: ``fewest_values``, counted by placing an interval of
        length 2/gamma at the first point of a lattice that none holds yet; ``optimal_levels``,
        those of :func:`noiseless.theory.policies.build_optimal_quantizer`.
    """
    width = Fraction(2, accuracy)
    for half in HALF_RANGES:
        points = [Fraction(k, PARTS_PER_UNIT) for k in _iterate_integers(half * PARTS_PER_UNIT)]
        values, end = 0, points[0] - 1
        for point in points:
            if point > end:
                values, end = values + 1, point + width
        yield {
            "half_range": half,
            "fewest_values": values,
            "optimal_levels": build_optimal_quantizer(accuracy, output_range=(-half, half)).levels,
        }


@returns_table("query", "domain", "region")
def build_level_sets_table(*, lattice: int, accuracy: float = ACCURACY) -> Rows:
    """Build the table of the connected pieces of the level sets of Example IV.1's queries.

    Parameters
    ----------
    lattice : int
        Points along each axis.
    accuracy : float
        gamma.

    Returns
    -------
    DataFrame
        Cells (query, domain, region): ``square`` is that of the data, ``plane`` one that holds
        every level set of the second query as a whole.  Statistic: ``pieces``, for the middle of
        the bin of the region, from 1.
    """
    for query, output_range in QUERY_RANGES.items():
        quantizer = build_optimal_quantizer(Fraction(str(accuracy)), output_range=output_range)
        for domain, half in (("square", CORNER), ("plane", PLANE)):
            outputs = QUERIES[query](*np.meshgrid(*[np.linspace(-half, half, lattice)] * 2))
            for k, symbol in enumerate(quantizer.midpoints):
                band = np.abs(outputs - symbol) <= 0.1 * (quantizer.edges[1] - quantizer.edges[0])
                yield {
                    "query": query,
                    "domain": domain,
                    "region": k + 1,
                    "pieces": label(band, structure=np.ones((3, 3)))[1],
                }
