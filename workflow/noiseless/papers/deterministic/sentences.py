"""Statements of ``deterministic`` that are not numbered: lines of proofs, and density of steps.

:func:`build_sentences_table` counts, in exact fractions, the cases that contradict each statement
as printed and as corrected.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from noiseless.tables import Rows, returns_table
from noiseless.theory.enumeration import StatementCounts, StatementSides, enumerate_maps
from noiseless.theory.geometry import PI_LOWER_BOUND, compute_enclosing_radius_squared

_LINE_CELLS = 6  # number of cells of an interval; all unions are tried
_GRIDS = ((2, 2), (2, 3), (3, 3))  # sizes of grids of unit cells; all unions are tried
_MAP_CELLS = 5  # number of equal cells of data; all maps and maps of their reports are tried
_WHOLE_PARTS = 4  # t is a multiple of 1/4
_MAX_T = 10
_MAX_STEPS = 64


@returns_table("statement", "universe")
def build_sentences_table() -> Rows:
    """Build the table of the cases that contradict each statement, as printed and corrected.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`.  Statements, each with a ``printed``
        and a ``mended`` one:

        - ``II.1``: the last line of the proof of Theorem II.1, half of the Hausdorff measure of a
          set is at most the radius of a ball that holds it; mended, the isodiametric inequality.
        - ``III.1``: the proof of Theorem III.1 calls the least measure of a set of data with the
          same report d0, which is its logarithm; mended, the least measure after further
          processing is at least that before.
        - ``IV.2``: the proof of Theorem IV.2 calls ceil(t) the smallest integer that is larger
          than t; mended, that is not smaller.
        - ``dense``: the squared distance in L^2 of 1 - y, on [0, 1], to the nearest step function
          of m equal cells goes to 0 (is at most 1/m^2) if its values do not decrease, as Section IV
          defines piecewise constant functions; mended, values in any order.
    """
    tallies = StatementCounts()
    tallies.count(_enumerate_line_facts(), f"{_LINE_CELLS} cells of an interval")
    for width, height in _GRIDS:
        tallies.count(_enumerate_grid_facts(width, height), f"{width} x {height} unit cells")
    tallies.count(
        _enumerate_processing_facts(), f"maps of {_MAP_CELLS} cells, and maps of their reports"
    )
    tallies.count(_enumerate_ceiling_facts(), f"multiples of 1/{_WHOLE_PARTS} to {_MAX_T}")
    for name, ordered in (("printed", True), ("mended", False)):
        for steps in range(1, _MAX_STEPS + 1):
            distance = compute_squared_distance(steps, ordered=ordered)
            fact = f"dense, {name}", distance, Fraction(1, steps**2)
            tallies.count([fact], f"steps up to {_MAX_STEPS}")
    yield from tallies.iterate_rows()


def _enumerate_line_facts() -> StatementSides:
    """Yield measure and radius, halved and not, for all unions of cells of an interval."""
    for cells in _enumerate_subsets(range(_LINE_CELLS)):
        length = max(cells) + 1 - min(cells)
        yield "II.1, printed", Fraction(len(cells), 2), Fraction(length, 2)
        yield "II.1, mended", len(cells), length


def _enumerate_grid_facts(width: int, height: int) -> StatementSides:
    """Yield measure and radius, and measure and disk, for all unions of cells of the plane."""
    for held in _enumerate_subsets(list(itertools.product(range(width), range(height)))):
        corners = sorted({(x + i, y + j) for x, y in held for i in (0, 1) for j in (0, 1)})
        radius_squared = max(
            compute_enclosing_radius_squared(points)
            for points in itertools.combinations(corners, 3)
        )
        diameter_squared = max(
            (a - c) ** 2 + (b - d) ** 2 for (a, b), (c, d) in itertools.combinations(corners, 2)
        )
        yield "II.1, printed", Fraction(len(held) ** 2, 4), radius_squared
        # By the isodiametric inequality, a set is at most as large as the disk of its diameter.
        yield "II.1, mended", 4 * len(held), PI_LOWER_BOUND * diameter_squared


def _enumerate_subsets(cells: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield all nonempty subsets of the cells."""
    for size in range(1, len(cells) + 1):
        yield from itertools.combinations(cells, size)


def _enumerate_processing_facts() -> StatementSides:
    """Yield the measures before and after each map g of the reports of each map f of equal cells.

    Because log m <= m - 1, every measure m refutes the printed equality of m and its logarithm.
    """
    for reports in enumerate_maps(_MAP_CELLS):
        before = min(Counter(reports).values())
        for processing in enumerate_maps(len(set(reports))):
            after = min(Counter(processing[report] for report in reports).values())
            measure = Fraction(after, _MAP_CELLS)
            yield "III.1, printed", measure, measure - 1
            yield "III.1, mended", before, after


def _enumerate_ceiling_facts() -> StatementSides:
    """Yield ceil(t) with the smallest integer above t, and with the smallest integer >= t."""
    for t in (Fraction(k, _WHOLE_PARTS) for k in range(1, _WHOLE_PARTS * _MAX_T + 1)):
        yield "IV.2, printed", math.floor(t) + 1, math.ceil(t)
        yield "IV.2, mended", min(n for n in range(_MAX_T + 2) if n >= t), math.ceil(t)


def compute_squared_distance(steps: int, *, ordered: bool) -> Fraction:
    """Compute the squared distance in L^2([0, 1]) of 1 - y to step functions on equal cells.

    Parameters
    ----------
    steps : int
        Number of cells, m.
    ordered : bool
        Whether the values must not decrease.

    Returns
    -------
    Fraction
        Distance to the nearest step function, squared.

    Notes
    -----
    The nearest values are the means of the cells; the nearest nondecreasing values follow by
    pooling neighbours that decrease (Ayer et al., 1955).
    """
    means = [1 - Fraction(2 * cell + 1, 2 * steps) for cell in range(steps)]
    values = _fit_nondecreasing(means) if ordered else means
    # Within a cell the mean squared distance to a value is the variance plus that of the mean.
    within = Fraction(1, 12 * steps**2)
    return within + _compute_mean(
        [(mean - value) ** 2 for mean, value in zip(means, values, strict=True)]
    )


def _fit_nondecreasing(means: Sequence[Fraction]) -> list[Fraction]:
    """Fit the nondecreasing numbers nearest to the means, by pooling neighbours that decrease."""
    blocks: list[list[Fraction]] = []
    for mean in means:
        blocks.append([mean])
        while len(blocks) > 1 and _compute_mean(blocks[-2]) > _compute_mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    return [_compute_mean(block) for block in blocks for _ in block]


def _compute_mean(block: Sequence[Fraction]) -> Fraction:
    """Compute the mean of fractions, exactly."""
    return sum(block, Fraction(0)) / len(block)
