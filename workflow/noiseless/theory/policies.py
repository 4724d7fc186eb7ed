"""Optimal policies of a given accuracy, exactly (``deterministic``, Theorems IV.2 and IV.3).

A policy answers a query to within r = 1/gamma: the data that share a report have outputs in an
interval of length 2 r, or in a disk of radius r where there are two outputs.  Nothing else is asked
of the sets X_i of data that share a report: they need not be connected, and data with the same
output may get different reports.

*Fewest reports: measure P2 = 1/I*, one output.*  The intervals of the reports cover the output's
range of length L, so there are at least q = ceil(L / 2r), and q equal bins do it.  That holds for
every query; the condition of Corollary IV.1 is not needed.  (:func:`build_optimal_quantizer`.)

*Least leakage: measure P1 = 1/L0, one output.*  Sought is the largest possible volume of the
smallest X_i (Equation 16, with disjoint X_i: those that overlap are no policy).

1. *Bins are enough.*  Widen the interval of each report to [l_i, l_i + 2r], sort by l_i, and let
   m_i be the volume of X_i.  Cut the outputs, from the lowest up, into bins of volumes m_1, m_2,
   and so on.  The first i sets have all their outputs below l_i + 2r, so the i-th bin ends there
   or before; the sets from i on have theirs above l_i, so it begins there or after.  So it is no
   longer than 2r.
   (Where many data share an output, a cut may divide them.)
2. *Equal bins are best where the data are spread evenly* over the outputs, as for one number that
   is released itself: there are at least q sets, so the smallest is at most 1/q of all.
3. *Otherwise they are not*: bins where data are rare, as at the ends of an average's range, should
   be as wide as the accuracy allows.  :func:`find_best_cuts` finds the best bins whose edges lie on
   a lattice of cells, by dynamic programming.
4. *Nothing is far better.*  Moving the cuts of any bins down to the next edge of a cell makes no
   bin longer than ceil(2r / cell) cells, and costs it at most the volume of the cell above its new
   end.  So no policy has a smallest set larger than the best cuts for that length have, where a bin
   is given that cell as well (:func:`bound_min_volume`).

*Two outputs.*  :func:`find_optimal_grid` is the best pair of quantizers, and on small lattices no
grouping of the cells has fewer regions; but it is not the best policy.  For the unit square and
r^2 = 65/256 every grid has four regions or more, where three boxes do: 1 by 1/8, and twice 1/2 by
7/8.  :func:`bound_min_regions` is a number that no policy can beat.  Let the sides be A and B.

1. Points further than 2r apart need different reports; a lattice holds ceil(A/2r) ceil(B/2r) such,
   and opposite corners may be two.
2. The disks of n reports cover the rectangle.  Give each point to the nearest centre: this cuts the
   rectangle into at most n convex cells, each inside its disk.  By Euler's formula they have fewer
   than 6 n sides together, and a polygon of s sides in the disk has at most the area
   (s/2) r^2 sin(2 pi / s), which is concave and rises with s.  So A B <= n (3 sqrt(3) / 2) r^2
   (Fejes Toth's argument).  A square in the disk has 2 r^2, so where r is small the best grid has
   at most 3 sqrt(3) / 4 = 1.30 times as many regions as the best policy.

*Two outputs, least leakage (P1), data spread evenly over the rectangle.*  Sought is the largest
possible area of the smallest region.  :func:`bound_max_area` is a number that no policy can beat:
regions share the rectangle, one of them has a corner, and those along a side share what their disks
hold of the rectangle (proof: docs/proofs/deterministic.md, "Two outputs, least leakage").
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import ConfigError
from noiseless.mechanisms.families.quantizer import (
    ROUNDING,
    Number,
    Quantizer,
    UnequalBinQuantizer,
    ceil_with_tolerance,
    floor_with_tolerance,
)
from noiseless.mechanisms.interface import Domain

Range = tuple[Number, Number]

_MAX_INT64_VOLUME = 2**62  # larger sums of two volumes might not fit into 64 bits


@dataclass(frozen=True)
class LeastLeakingPolicy:
    """Least leaking policy of its kind, a quantizer for each output, and a bound of all policies.

    ``share`` of the data is what the most telling report leaves open; L0 = log(1 / share).  No
    policy of this accuracy and of any kind has one above ``bound``.
    """

    quantizers: tuple[UnequalBinQuantizer, ...]
    share: Fraction
    bound: Fraction


def compute_min_levels(accuracy: Number, *, output_range: Range) -> int:
    """Compute the fewest reports that tell every output to within 1/accuracy (Theorem IV.2).

    They are ceil(gamma (y_max - y_min) / 2) for the accuracy gamma.
    """
    length = Fraction(output_range[1]) - Fraction(output_range[0])
    if not accuracy > 0:
        raise ConfigError(f"the accuracy is {accuracy}, but it must be larger than 0.")
    if not length > 0:
        raise ConfigError(f"the output range {tuple(output_range)} is empty.")
    return max(1, ceil_with_tolerance(Fraction(accuracy) * length / 2))


def build_optimal_quantizer(accuracy: Number, *, output_range: Range) -> Quantizer:
    """Build the policy with the fewest reports for a query of one output (measure P2).

    It is also the least leaking one (P1) where the data are spread evenly over the outputs; see the
    module for both proofs.  An output outside the range is an error.
    """
    levels = compute_min_levels(accuracy, output_range=output_range)
    return _create_unclipped_quantizer(output_range, levels)


def _create_unclipped_quantizer(output_range: Range, levels: int) -> Quantizer:
    """Create a quantizer on an output range that rejects values outside of it."""
    low, high = map(float, output_range)
    return Quantizer(Domain((low,), (high,)), levels, clip=False)


def find_best_cuts(volumes: Sequence[Number], *, longest: int) -> tuple[int, ...]:
    """Cut cells into bins so that the smallest volume of a bin is as large as possible.

    Bins have at most ``longest`` cells.  Cuts are from 0 to the number of cells; of all with the
    same smallest volume, one with the fewest bins.
    """
    below, _ = _cumulate_volumes(volumes)
    least = _maximise_min_volume(below, below, longest)
    # Fewest bins of at least that volume up to each cut, and where the last of them starts.
    fewest = np.zeros(len(below))
    starts = np.zeros(len(below), dtype=int)
    for end in range(1, len(below)):
        held = slice(max(0, end - longest), end)
        bins = np.where(below[end] - below[held] >= least, fewest[held] + 1, np.inf)
        starts[end] = held.start + bins.argmin()
        fewest[end] = bins.min()
    cuts = [len(below) - 1]
    while cuts[-1]:
        cuts.append(int(starts[cuts[-1]]))
    return tuple(reversed(cuts))


def bound_min_volume(volumes: Sequence[Number], *, longest: int) -> Fraction:
    """Bound the smallest volume of a bin from above, for bins that may cut cells anywhere.

    ``longest`` is the length that a bin may have, in cells; rounded up.
    """
    below, unit = _cumulate_volumes(volumes)
    beyond = np.append(below[1:], below[-1])
    return _maximise_min_volume(below, beyond, longest) * unit


def _maximise_min_volume(below: NDArray, upto: NDArray, longest: int) -> int:
    """Maximise the smallest ``upto[end] - below[start]`` over all divisions into bins."""
    best = np.empty_like(below)
    best[0] = below[-1]
    for end in range(1, len(below)):
        held = slice(max(0, end - longest), end)
        best[end] = np.minimum(best[held], upto[end] - below[held]).max()
    return int(best[-1])


def _cumulate_volumes(volumes: Sequence[Number]) -> tuple[NDArray, Fraction]:
    """Compute the volume below each edge of the cells, in whole units, and the unit."""
    exact = _convert_to_fractions(volumes)
    parts = math.lcm(*(volume.denominator for volume in exact))
    whole = (volume.numerator * (parts // volume.denominator) for volume in exact)
    below = list(itertools.accumulate(whole, initial=0))
    dtype = np.int64 if below[-1] < _MAX_INT64_VOLUME else object
    return np.array(below, dtype=dtype), Fraction(1, parts)


def compute_min_volume(volumes: Sequence[Number], cuts: Sequence[int]) -> Number:
    """Compute the smallest volume of a bin, for bins of whole cells between cuts."""
    return min(sum(volumes[low:high]) for low, high in itertools.pairwise(cuts))


def find_least_leaking_quantizer(
    accuracy: Number, *, output_range: Range, volumes: Sequence[Number]
) -> LeastLeakingPolicy:
    """Find the least leaking policy for a query of one output (measure P1, Theorem IV.3).

    ``volumes`` are of the data whose outputs fall into each of some equal cells of the range, in
    any unit; for instance, the counts of a histogram of the query's outputs on a lattice of data.
    The bins' edges are edges of these cells; the more cells, the closer to the bound.  A cell that
    is too long for the accuracy is a ConfigError.
    """
    levels = compute_min_levels(accuracy, output_range=output_range)
    exact = _convert_to_fractions(volumes)
    if not exact or min(exact) < 0 or not any(exact):
        raise ConfigError("`volumes` must be 0 or larger, and at least one of them above 0.")
    length = Fraction(output_range[1]) - Fraction(output_range[0])
    cells = 2 / Fraction(accuracy) * len(exact) / length
    longest = floor_with_tolerance(cells)
    if longest < 1:
        raise ConfigError(
            f"the accuracy is {accuracy}, but a cell of the output is longer than 2/accuracy: give "
            f"the volumes of {levels} cells or more, not {len(exact)}."
        )
    cuts = find_best_cuts(exact, longest=longest)
    bound = bound_min_volume(exact, longest=ceil_with_tolerance(cells))
    total = sum(exact)
    low = Fraction(output_range[0])
    edges = (float(low + length * cut / len(exact)) for cut in cuts)
    return LeastLeakingPolicy(
        (UnequalBinQuantizer(tuple(edges)),),
        share=Fraction(compute_min_volume(exact, cuts)) / total,
        bound=min(Fraction(1, levels), bound / total),
    )


def find_optimal_grid(
    accuracy: Number, *, output_ranges: tuple[Range, Range]
) -> tuple[Quantizer, ...]:
    """Find the best pair of quantizers for a query of two outputs, by exhaustive search.

    It has the fewest regions (P2), and among those the smallest error, of all pairs of quantizers
    whose reports are within 1/accuracy (Euclidean) of the outputs; and so the least leakage (P1) of
    them where the data are spread evenly over the rectangle of outputs.  Policies that are no grid
    can do better, but not better than :func:`bound_min_regions`.
    """
    levels = find_min_cells(*_compute_sides_and_radius(accuracy, output_ranges))
    return tuple(
        _create_unclipped_quantizer(output_range, count)
        for output_range, count in zip(output_ranges, levels, strict=True)
    )


def find_min_cells(sides: tuple[Fraction, Fraction], radius_squared: Fraction) -> tuple[int, int]:
    """Find the levels along both sides of the grid with the fewest cells that fit into disks."""
    first, second = sides
    best: tuple[int, Fraction, int, int] | None = None
    q = _ceil_sqrt(first**2 / (4 * radius_squared))
    while best is None or q <= best[0]:
        room = 4 * radius_squared - (first / q) ** 2
        if room > 0:
            other = max(1, _ceil_sqrt(second**2 / room))
            error = (first / q) ** 2 + (second / other) ** 2
            best = min(filter(None, (best, (q * other, error, q, other))))
        q += 1
    return best[2], best[3]


def bound_min_regions(accuracy: Number, *, output_ranges: tuple[Range, Range]) -> int:
    """Compute a lower bound of the reports of every policy for two outputs.

    It is max(ceil(A/2r) ceil(B/2r), ceil(A B / (2.598 r^2))) for sides A and B, r = 1/accuracy; and
    2 or more if A^2 + B^2 > 4 r^2.  See the module for the proof.
    """
    return bound_regions_from_sides(*_compute_sides_and_radius(accuracy, output_ranges))


def bound_max_area(accuracy: Number, *, output_ranges: tuple[Range, Range]) -> float:
    """Compute an upper bound of the area of the smallest region of any policy for two outputs.

    The smallest of three bounds, for disks of the radius r = 1/accuracy: the rectangle's area over
    :func:`bound_min_regions`; (1 + pi/2) r^2, the most that a disk which holds a corner has of the
    rectangle; and (c + 3.124 r/A) r^2 from the disks along the longer side A, where c = sqrt(2) +
    arccos(-1/3)/2 = 2.3695.  The data are spread evenly over the rectangle.

    L0 of every accurate policy is at least the logarithm of the rectangle's area over it.  Of a
    square of 10 by 10, to within 1, the best pair of quantizers has 7 by 8 cells:

    >>> ranges = ((0, 10), (0, 10))
    >>> [each.levels for each in find_optimal_grid(1, output_ranges=ranges)], round(100 / 56, 4)
    ([7, 8], 1.7857)
    >>> round(bound_max_area(1, output_ranges=ranges), 4)
    2.5641
    """
    sides, radius_squared = _compute_sides_and_radius(accuracy, output_ranges)
    in_disks = float(radius_squared) * min(
        _compute_corner_area(), _compute_side_area(sides, radius_squared)
    )
    return min(float(math.prod(sides) / bound_regions_from_sides(sides, radius_squared)), in_disks)


def _compute_corner_area() -> float:
    """Compute the most area of a rectangle that a disk of radius 1 with a corner inside covers."""
    return 1 + math.pi / 2


def _compute_side_area(sides: tuple[Fraction, Fraction], radius_squared: Fraction) -> float:
    """Compute the most area per disk that disks of radius 1 along the longer side cover."""
    tangent = math.acos(-1 / 3)  # where the tangent of the sine has the slope -1/3
    each = math.sqrt(2) + tangent / 2
    ends = math.pi - math.sin(tangent) - tangent / 3
    return each + ends * 2 * math.sqrt(radius_squared) / float(max(sides))


def bound_regions_from_sides(sides: tuple[Fraction, Fraction], radius_squared: Fraction) -> int:
    """Compute :func:`bound_min_regions` from sides and radius; see :func:`find_min_cells`."""
    apart = math.prod(_ceil_sqrt(side**2 / (4 * radius_squared)) for side in sides)
    corners = 1 if sum(side**2 for side in sides) * (1 - ROUNDING) <= 4 * radius_squared else 2
    hexagons = _ceil_sqrt(4 * math.prod(sides) ** 2 / (27 * radius_squared**2))
    return max(apart, corners, hexagons)


def _compute_sides_and_radius(
    accuracy: Number, output_ranges: tuple[Range, Range]
) -> tuple[tuple[Fraction, Fraction], Fraction]:
    """Compute both sides of the output, and the squared radius that an accuracy allows."""
    for output_range in output_ranges:
        compute_min_levels(accuracy, output_range=output_range)  # raises for invalid arguments
    first, second = (Fraction(high) - Fraction(low) for low, high in output_ranges)
    return (first, second), 1 / Fraction(accuracy) ** 2


def _convert_to_fractions(volumes: Sequence[Number]) -> list[Fraction]:
    """Convert volumes to fractions."""
    # A fraction of numpy integers would overflow silently.
    return [Fraction(int(each) if isinstance(each, np.integer) else each) for each in volumes]


def _ceil_sqrt(value: Fraction) -> int:
    """Compute the smallest integer whose square is at least the value, up to rounding."""
    value *= 1 - ROUNDING
    root = math.isqrt(math.ceil(value))
    return root if root * root >= value else root + 1
