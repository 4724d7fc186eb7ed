"""Examples of ``deterministic``, Sections II to V: best quantizers, regions, heights.

1. :func:`build_examples_table`: Example II.1, and the statements of Sections III to V that are
   numbers.
2. :func:`build_averaging_table`: Example IV.1, the average of two numbers (Figures 1 and 3).
3. :func:`build_regions_table`, :func:`build_raster_table`: the regions of Figures 1 and 2.
4. :func:`build_heights_table`: Example IV.2, the average of heights.
5. :func:`build_two_outputs_table`: beyond the paper, queries of two outputs.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.tables import Rows, returns_table
from noiseless.theory.enumeration import iterate_accurate_levels
from noiseless.theory.geometry import (
    compute_log_measure,
    compute_min_slab_share,
    compute_slab_radius_squared,
    compute_slab_shares,
)
from noiseless.theory.intervals import BoxUnion, PiecewiseMap
from noiseless.theory.policies import (
    bound_min_regions,
    build_optimal_quantizer,
    compute_min_levels,
    find_least_leaking_quantizer,
    find_min_cells,
    find_optimal_grid,
)

Floats = NDArray[np.float64]

ACCURACY: Final = 2  # gamma of Figures 1 and 2
ACCURACIES: Final = (0.25, 5)  # ends of the axis of Figure 3
# Example IV.2: the public range of a height, numbers of people, and the largest number of levels.
HEIGHT_RANGE_CM: Final = (100, 250)
PEOPLE: Final = (1, 2, 3, 5)
MAX_LEVELS: Final = 30
_CORNER = 2  # data lie in [-2, 2] x [-2, 2] (Example IV.1)
QUERIES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "average": lambda x1, x2: (x1 + x2) / 2,
    "quadratic": lambda x1, x2: x1**2 + 2 * x2**2,
}
QUERY_RANGES = {"average": (-2.0, 2.0), "quadratic": (0.0, 12.0)}
_CUT_CELLS = 200  # smallest number of cells between which the least leaking policy may cut


def build_policy_tables(
    *,
    accuracies_per_unit: int,
    lattice: int,
    raster_lattice: int,
    two_outputs: Mapping[str, Any],
) -> dict[str, pd.DataFrame]:
    """Build the six tables of this module, by name.

    Parameters
    ----------
    accuracies_per_unit : int
        Accuracies gamma in each unit of :data:`ACCURACIES`, for :func:`build_averaging_table`.
    lattice, raster_lattice : int
        ``lattice`` of :func:`build_regions_table` and of :func:`build_raster_table`.
    two_outputs : mapping
        Arguments of :func:`build_two_outputs_table`.

    Returns
    -------
    dict
        ``examples``, ``averaging``, ``regions``, ``raster``, ``heights`` and ``two_outputs``.
    """
    return {
        "examples": build_examples_table(),
        "averaging": build_averaging_table(accuracy=list_accuracies(accuracies_per_unit)),
        "regions": build_regions_table(lattice=lattice),
        "raster": build_raster_table(lattice=raster_lattice),
        "heights": build_heights_table(),
        "two_outputs": build_two_outputs_table(**two_outputs),
    }


def list_accuracies(per_unit: int) -> list[Fraction]:
    """List the multiples of ``1 / per_unit`` on the axis of Figure 3, as exact fractions."""
    first, last = (end * per_unit for end in ACCURACIES)
    return [Fraction(n, per_unit) for n in range(math.ceil(first), math.floor(last) + 1)]


@returns_table()
def build_examples_table() -> Rows:
    """Build the table of the numbers in Example II.1 and in statements of Sections III to V.

    Returns
    -------
    DataFrame
        One cell.  Statistics: ``ex2_1_*`` (h0(X|Y) for both readings of the supremum, d0, L0 and
        I* in nats, d_min and d_max, and the lower bound of d_max by Theorem II.1);
        ``unrelated_leakage_nats`` and ``unrelated_privacy``, 1/L0 of a report that says nothing;
        for an output range of 8 cells and an error of 1 cell, ``fewest_levels`` and
        ``most_levels`` of all policies that are accurate enough, I* of the fewest in nats
        (``fewest_levels_maximin_nats``) and the measure P2 of both (``*_privacy``), and the
        difference of the two;
        ``copied_rows_d0_nats`` and ``copied_rows_leakage_nats``, Proposition V.1 on a table of
        three numbers in [0, 1], two of which are released unchanged;
        of two outputs in the unit square and the radius squared 65/256, ``boxes_regions`` of three
        boxes, ``boxes_missing_area``, what they leave uncovered, ``boxes_beyond_radius``, the
        largest of their radii squared minus that, and ``boxes_grid_regions`` of the best grid.
    """
    half = Fraction(1, 2)
    example = PiecewiseMap(((Fraction(0), half, None), (half, Fraction(1), Fraction(1))))
    d_min, d_max = example.compute_error_bounds()
    constant = PiecewiseMap(((Fraction(0), Fraction(1), Fraction(0)),))
    unrelated = compute_log_measure(constant.domain.measure) - compute_log_measure(
        constant.smallest_conditional
    )
    accurate = list(iterate_accurate_levels(8, Fraction(1)))
    fewest, most = min(accurate), max(accurate)
    copied_measure = BoxUnion.from_boxes([(half, half), (half, half), (0, 1)]).measure
    yield {
        "ex2_1_h0_sup_nats": compute_log_measure(example.compute_max_conditional("sup")),
        "ex2_1_h0_ess_sup_nats": compute_log_measure(example.compute_max_conditional("ess sup")),
        "ex2_1_d0_nats": compute_log_measure(example.smallest_conditional),
        "ex2_1_leakage_nats": compute_log_measure(example.domain.measure)
        - compute_log_measure(example.smallest_conditional),
        "ex2_1_maximin_nats": math.log(example.maximin_count),
        "ex2_1_d_min": d_min,
        "ex2_1_d_max": d_max,
        "ex2_1_theorem_2_1": example.compute_max_conditional("sup") / 2,
        "unrelated_leakage_nats": unrelated,
        "unrelated_privacy": math.inf if unrelated == 0 else 1 / unrelated,
        "fewest_levels": fewest,
        "most_levels": most,
        "fewest_levels_maximin_nats": math.log(fewest),
        "fewest_levels_privacy": 1 / math.log(fewest),
        "most_levels_privacy": 1 / math.log(most),
        "most_minus_fewest_privacy": 1 / math.log(most) - 1 / math.log(fewest),
        "copied_rows_d0_nats": compute_log_measure(copied_measure),
        "copied_rows_leakage_nats": -compute_log_measure(copied_measure),
        **_compare_boxes_with_grid(),
    }


def _compare_boxes_with_grid() -> dict[str, Fraction]:
    """Compute regions and excess radius of a three-box policy, and cells of the best grid."""
    radius_squared = Fraction(65, 256)
    nil, eighth, half, one = Fraction(0), Fraction(1, 8), Fraction(1, 2), Fraction(1)
    boxes = [
        ((nil, one), (nil, eighth)),
        ((nil, half), (eighth, one)),
        ((half, one), (eighth, one)),
    ]
    widths = [[high - low for low, high in box] for box in boxes]
    errors = [_compute_squared_error(each, (1, 1)) for each in widths]
    return {
        "boxes_regions": Fraction(len(boxes)),
        "boxes_missing_area": 1 - BoxUnion.from_boxes(*boxes).measure,
        "boxes_beyond_radius": max(errors) - radius_squared,
        "boxes_grid_regions": Fraction(math.prod(find_min_cells((one, one), radius_squared))),
    }


@returns_table("gamma")
def build_averaging_table(*, accuracy: Sequence[Fraction]) -> Rows:
    """Build the table of the optimal policy for the average of two numbers in [-2, 2] (Figure 3).

    Parameters
    ----------
    accuracy : sequence of Fraction
        gamma; the reported average is off by at most 1/gamma.  The number of cells is a multiple
        of gamma's numerator, so that time grows with it.

    Returns
    -------
    DataFrame
        Cells (gamma,).  Statistics: ``levels``, ``leakage_nats`` (L0), ``maximin_nats`` (I*),
        ``smallest_error`` (d_min of the best estimator, in the unit of the data) and
        ``query_error``, the largest error of the reported average times gamma (at most 1), all of
        equal bins, which are optimal for P2; ``least_leakage_nats``, L0 of bins that are optimal
        for P1, and ``least_leakage_bound_nats``, which no policy of this accuracy is below.
    """
    public = (-_CORNER, _CORNER)
    for gamma in accuracy:
        levels = compute_min_levels(gamma, output_range=public)
        # The number of cells makes the longest bin and each equal bin a whole number of cells.
        step = math.lcm((2 / gamma / (2 * _CORNER)).denominator, levels)
        cells = step * math.ceil(Fraction(_CUT_CELLS, step))
        least = find_least_leaking_quantizer(
            gamma, output_range=public, volumes=compute_slab_shares(2, cells)
        )
        yield {
            "gamma": float(gamma),
            "levels": levels,
            "leakage_nats": compute_log_measure(1 / compute_min_slab_share(2, levels)),
            "maximin_nats": math.log(levels),
            "smallest_error": 2 * _CORNER * math.sqrt(_find_min_radius_squared(2, levels)),
            "query_error": gamma * Fraction(_CORNER, levels),
            "least_leakage_nats": compute_log_measure(1 / least.share),
            "least_leakage_bound_nats": compute_log_measure(1 / least.bound),
        }


def _find_min_radius_squared(people: int, levels: int) -> Fraction:
    """Find the squared d_min of a quantized average of numbers in [0, 1], min over all reports."""
    return min(
        compute_slab_radius_squared(
            people, Fraction(people * k, levels), Fraction(people * (k + 1), levels)
        )
        for k in range(levels)
    )


@returns_table("query", "region")
def build_regions_table(*, lattice: int, accuracy: float = ACCURACY) -> Rows:
    """Build the table of the regions of Example IV.1's optimal policies (Figures 1 and 2).

    Parameters
    ----------
    lattice : int
        Points along each axis on which the pieces of a level set are counted.
    accuracy : float
        gamma.

    Returns
    -------
    DataFrame
        Cells (query, region), regions from 1.  Statistics: ``lower``, ``upper`` and ``symbol`` of
        the bin, ``area`` of the region, and ``level_set_pieces``, the connected pieces of the set
        of data whose output is the symbol.
    """
    # Imported here, as figures import this module for its queries alone.
    from scipy.ndimage import label

    axis = np.linspace(-_CORNER, _CORNER, lattice)
    x1, x2 = np.meshgrid(axis, axis)
    for query, output_range in QUERY_RANGES.items():
        quantizer = build_optimal_quantizer(Fraction(str(accuracy)), output_range=output_range)
        below = [_compute_area_below(query, edge) for edge in quantizer.edges]
        outputs = QUERIES[query](x1, x2)
        for k, symbol in enumerate(quantizer.midpoints):
            band = np.abs(outputs - symbol) <= 0.1 * (quantizer.edges[1] - quantizer.edges[0])
            yield {
                "query": query,
                "region": k + 1,
                "lower": quantizer.edges[k],
                "upper": quantizer.edges[k + 1],
                "symbol": symbol,
                "area": below[k + 1] - below[k],
                "level_set_pieces": label(band, structure=np.ones((3, 3)))[1],
            }


def _compute_area_below(query: str, output: float) -> float:
    """Compute the area of the data in [-2, 2]^2 whose output is at most ``output``."""

    def compute_width(x2: float) -> float:
        """Compute the length of the x1 with an output of at most ``output`` at x2."""
        if query == "average":
            return min(max(2 * output - x2 + _CORNER, 0), 2 * _CORNER)
        return 2 * min(math.sqrt(max(output - 2 * x2**2, 0)), _CORNER)

    kinks = {2 * output - _CORNER, 2 * output + _CORNER}
    if query == "quadratic":
        roots = [math.sqrt(max(output - cut, 0) / 2) for cut in (0, _CORNER**2)]
        kinks = {sign * root for root in roots for sign in (1, -1)}
    inner = sorted(kink for kink in kinks if -_CORNER < kink < _CORNER)
    ends = [-_CORNER, *inner, _CORNER]
    # Imported here, as figures import this module for its queries alone.
    from scipy.integrate import quad

    return sum(quad(compute_width, low, high)[0] for low, high in itertools.pairwise(ends))


@returns_table("query", "x1", "x2")
def build_raster_table(*, lattice: int, accuracy: float = ACCURACY) -> Rows:
    """Build the table of the region of each point of a lattice, for Figures 1 and 2.

    Parameters
    ----------
    lattice : int
        Points along x1; one more along x2.
    accuracy : float
        gamma.

    Returns
    -------
    DataFrame
        Cells (query, x1, x2).  Statistic: ``region``, from 1.
    """
    # One cell more along x2 keeps the centres of the cells off the diagonals, where regions end.
    x1, x2 = np.meshgrid(
        *(_CORNER * (2 * np.arange(n) + 1 - n) / n for n in (lattice, lattice + 1))
    )
    for query, output_range in QUERY_RANGES.items():
        quantizer = build_optimal_quantizer(Fraction(str(accuracy)), output_range=output_range)
        region = quantizer.find_bins(QUERIES[query](x1, x2)) + 1
        columns = {"x1": x1.ravel(), "x2": x2.ravel(), "region": region.ravel()}
        yield pd.DataFrame({"query": query, **columns})


@returns_table("people", "levels")
def build_heights_table(
    *,
    people: Sequence[int] = PEOPLE,
    levels: int = MAX_LEVELS,
    height_range_cm: Sequence[float] = HEIGHT_RANGE_CM,
) -> Rows:
    """Build the table of the adversary's smallest error for a quantized average of heights (cm).

    The data are those of Example IV.2.

    Parameters
    ----------
    people : sequence of int
        Numbers n_x of people.
    levels : int
        Largest number of levels.
    height_range_cm : pair of float
        Public range of a height.

    Returns
    -------
    DataFrame
        Cells (people, levels).  Statistics: ``gamma_above``, ``gamma_up_to``, the accuracies in
        1/cm which take this number of levels; ``d_min_cm``; ``printed_cm``, 150 sqrt(2) / levels
        for that range; ``difference_of_squares_cm2`` of the two, computed in fractions.
    """
    low, high = (Fraction(str(end)) for end in height_range_cm)
    for n, q in itertools.product(people, range(1, levels + 1)):
        squared = (high - low) ** 2 * _find_min_radius_squared(n, q)
        printed = (high - low) ** 2 * Fraction(2, q**2)
        yield {
            "people": n,
            "levels": q,
            "gamma_above": 2 * (q - 1) / (high - low),
            "gamma_up_to": 2 * q / (high - low),
            "d_min_cm": math.sqrt(squared),
            "printed_cm": math.sqrt(printed),
            "difference_of_squares_cm2": squared - printed,
        }


@returns_table("first_side", "second_side", "gamma")
def build_two_outputs_table(*, sides: Sequence[Sequence[float]], accuracy: Sequence[float]) -> Rows:
    """Build the table that compares the best grid with a lower bound for policies of two outputs.

    Parameters
    ----------
    sides : sequence of pairs of float
        Lengths of the ranges of both outputs.
    accuracy : sequence of float
        gamma; the pair that is reported is off by at most 1/gamma (Euclidean).

    Returns
    -------
    DataFrame
        Cells (first_side, second_side, gamma).  Statistics: ``grid_regions``; ``least_regions``,
        which no policy is below; ``ratio`` of the two; ``ratio_minus_limit``, above what the
        proof allows: 3 sqrt(3)/4 times (1 + sqrt(2) r/side) for either side, r = 1/gamma;
        ``error_times_gamma``, the largest error of the grid; ``fewer_accurate_pairs``, quantizers
        of the first output with which some quantizer of the second is accurate and has fewer
        regions, by trying each.
    """
    for (first, second), gamma in itertools.product(sides, accuracy):
        exact = Fraction(str(gamma))
        sides_exact = Fraction(str(first)), Fraction(str(second))
        ranges = (0, sides_exact[0]), (0, sides_exact[1])
        levels = tuple(each.levels for each in find_optimal_grid(exact, output_ranges=ranges))
        grid = math.prod(levels)
        least = bound_min_regions(exact, output_ranges=ranges)
        margins = (1 + math.sqrt(2) / (gamma * float(side)) for side in sides_exact)
        limit = math.prod(margins, start=0.75 * math.sqrt(3))
        # Try only the most levels that make fewer regions: the error falls with the levels.
        level_pairs = ((one, (grid - 1) // one) for one in range(1, grid))
        yield {
            "first_side": float(first),
            "second_side": float(second),
            "gamma": float(gamma),
            "grid_regions": grid,
            "least_regions": least,
            "ratio": grid / least,
            "ratio_minus_limit": grid / least - limit,
            "error_times_gamma": gamma * math.sqrt(_compute_squared_error(sides_exact, levels)),
            "fewer_accurate_pairs": sum(
                _compute_squared_error(sides_exact, pair) * exact**2 <= 1 for pair in level_pairs
            ),
        }


def _compute_squared_error(sides: Sequence[Fraction], levels: Sequence[int]) -> Fraction:
    """Compute the square of half the diagonal of a grid cell, for some sides and levels."""
    halves = (side / count / 2 for side, count in zip(sides, levels, strict=True))
    return sum((half**2 for half in halves), Fraction(0))
