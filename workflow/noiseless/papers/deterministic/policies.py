"""Example IV.1 of ``deterministic``: best quantizers of an average and of a quadratic query.

1. :func:`build_averaging_table`: the average of two numbers (Figures 1 and 3).
2. :func:`build_regions_table`, :func:`build_raster_table`: the regions of Figures 1 and 2.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

import numpy as np
import pandas as pd

from noiseless.arrays import Floats
from noiseless.tables import Rows, returns_table
from noiseless.theory.geometry import (
    compute_log_measure,
    compute_min_slab_share,
    compute_slab_radius_squared,
    compute_slab_shares,
)
from noiseless.theory.policies import (
    build_optimal_quantizer,
    compute_min_levels,
    find_least_leaking_quantizer,
)

ACCURACY: Final = 2  # gamma of Figures 1 and 2
ACCURACIES: Final = (0.25, 5)  # ends of the axis of Figure 3
_CORNER = 2  # data lie in [-2, 2] x [-2, 2] (Example IV.1)
QUERIES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "average": lambda x1, x2: (x1 + x2) / 2,
    "quadratic": lambda x1, x2: x1**2 + 2 * x2**2,
}
QUERY_RANGES = {"average": (-2.0, 2.0), "quadratic": (0.0, 12.0)}
_CUT_CELLS = 200  # smallest number of cells between which the least leaking policy may cut


def build_policy_tables(
    *, accuracies_per_unit: int, lattice: int, raster_lattice: int
) -> dict[str, pd.DataFrame]:
    """Build the three tables of this module, by name."""
    return {
        "averaging": build_averaging_table(accuracy=list_accuracies(accuracies_per_unit)),
        "regions": build_regions_table(lattice=lattice),
        "raster": build_raster_table(lattice=raster_lattice),
    }


def list_accuracies(per_unit: int) -> list[Fraction]:
    """List the multiples of ``1 / per_unit`` on the axis of Figure 3, as exact fractions."""
    first, last = (end * per_unit for end in ACCURACIES)
    return [Fraction(n, per_unit) for n in range(math.ceil(first), math.floor(last) + 1)]


@returns_table("gamma")
def build_averaging_table(*, accuracy: Sequence[Fraction]) -> Rows:
    """Build the table of the optimal policy for the average of two numbers in [-2, 2] (Figure 3).

    The reported average is off by at most 1/gamma. The number of cells is a multiple of gamma's
    numerator, so that time grows with it. Statistics: ``levels``, ``leakage_nats`` (L0),
    ``maximin_nats`` (I*), ``smallest_error`` (d_min of the best estimator, in the unit of the data)
    and ``query_error``, the largest error of the reported average times gamma (at most 1), all of
    equal bins, which are optimal for P2; ``least_leakage_nats``, L0 of bins that are optimal for
    P1, and ``least_leakage_bound_nats``, which no policy of this accuracy is below.
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
            "smallest_error": 2 * _CORNER * math.sqrt(find_min_radius_squared(2, levels)),
            "query_error": gamma * Fraction(_CORNER, levels),
            "least_leakage_nats": compute_log_measure(1 / least.share),
            "least_leakage_bound_nats": compute_log_measure(1 / least.bound),
        }


def find_min_radius_squared(people: int, levels: int) -> Fraction:
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

    Statistics of a region, from 1: ``lower``, ``upper`` and ``symbol`` of the bin, ``area`` of the
    region, and ``level_set_pieces``, the connected pieces of the set of data whose output is the
    symbol, counted on ``lattice`` points along each axis.
    """
    for query, output_range in QUERY_RANGES.items():
        quantizer = build_optimal_quantizer(Fraction(str(accuracy)), output_range=output_range)
        below = [_compute_area_below(query, edge) for edge in quantizer.edges]
        pieces = count_pieces(query, np.linspace(-_CORNER, _CORNER, lattice), accuracy=accuracy)
        for k, symbol in enumerate(quantizer.midpoints):
            yield {
                "query": query,
                "region": k + 1,
                "lower": quantizer.edges[k],
                "upper": quantizer.edges[k + 1],
                "symbol": symbol,
                "area": below[k + 1] - below[k],
                "level_set_pieces": pieces[k + 1],
            }


def count_pieces(query: str, axis: Floats, *, accuracy: float = ACCURACY) -> dict[int, int]:
    """Count the connected pieces of a query's level sets on a lattice, in a square, by bin from 1.

    A level set is that whose output is the middle of a bin; ``accuracy`` is gamma.
    """
    # Imported here, as figures import this module for its queries alone.
    from scipy.ndimage import label

    quantizer = build_optimal_quantizer(Fraction(str(accuracy)), output_range=QUERY_RANGES[query])
    outputs, half = QUERIES[query](*np.meshgrid(axis, axis)), 0.1 * np.diff(quantizer.edges)[0]
    return {
        k: label(np.abs(outputs - symbol) <= half, structure=np.ones((3, 3)))[1]
        for k, symbol in enumerate(quantizer.midpoints, 1)
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
    """Build the table of the region, from 1, of each point of a lattice, for Figures 1 and 2."""
    # One cell more along x2 keeps the centres of the cells off the diagonals, where regions end.
    x1, x2 = np.meshgrid(
        *(_CORNER * (2 * np.arange(n) + 1 - n) / n for n in (lattice, lattice + 1))
    )
    for query, output_range in QUERY_RANGES.items():
        quantizer = build_optimal_quantizer(Fraction(str(accuracy)), output_range=output_range)
        region = quantizer.find_bins(QUERIES[query](x1, x2)) + 1
        columns = {"x1": x1.ravel(), "x2": x2.ravel(), "region": region.ravel()}
        yield pd.DataFrame({"query": query, **columns})
