"""Lower bounds of an adversary's error: radii of the sets that a report leaves open.

In most functions the data are n numbers in [0, 1], and the report says that their sum lies between
two numbers.  What is left open is a slab of the unit cube.  The distance to a point is convex, so
its maximum over the slab is at a vertex; the slab does not change when people change places, so the
best centre has equal coordinates, and its search is one-dimensional and exact.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from noiseless.theory.intervals import Number

PI_LOWER_BOUND: Final = Fraction(333, 106)
"""A lower bound of pi, for inequalities between fractions."""


def compute_log_measure(value: Fraction) -> float:
    """Compute the natural logarithm of a fraction, also beyond floats; minus infinity at 0."""
    if value == 0:
        return -math.inf
    return math.log(value.numerator) - math.log(value.denominator)


def compute_slab_radius_squared(people: int, low: Number, high: Number) -> Fraction:
    """Compute the squared radius of the ball around ``{x in [0,1]^n : low <= sum x <= high}``.

    It is the squared worst-case error of the best estimate.  Its centre lies in the slab, which is
    convex and must not be empty, so the estimate is unbiased (Assumption II.1).
    """
    vertices = _compute_vertex_sums(people, Fraction(low), Fraction(high))
    # For the centre (c, ..., c): the squared distance to a vertex with sums s and t of its
    # coordinates and their squares is t - 2 c s + n c^2.
    centres = {s / people for s, _ in vertices}
    centres |= {
        (t - t2) / (2 * (s - s2))
        for (s, t), (s2, t2) in itertools.combinations(vertices, 2)
        if s != s2
    }
    return min(max(t - 2 * c * s + people * c * c for s, t in vertices) for c in centres)


def _compute_vertex_sums(
    people: int, low: Fraction, high: Fraction
) -> set[tuple[Fraction, Fraction]]:
    """Compute sum and sum of squares of the coordinates of each vertex of the slab.

    A vertex has coordinates 0 and 1 but for at most one, and that one only on a face of the slab.
    """
    sums = {(Fraction(k), Fraction(k)) for k in range(people + 1) if low <= k <= high}
    for face in (low, high):
        whole = math.floor(face)
        rest = face - whole
        if whole < people:
            sums.add((face, whole + rest**2))
    return sums


def compute_min_slab_share(people: int, levels: int) -> Fraction:
    """Compute the smallest share of the unit cube that an average in equal bins leaves open."""
    return min(compute_slab_shares(people, levels))


def compute_slab_shares(people: int, levels: int) -> list[Fraction]:
    """Compute the share of the unit cube that each report of a quantized average leaves open.

    Parameters as for :func:`compute_min_slab_share`.  The distribution of a sum is that of Irwin
    and Hall.
    """
    # Shares below each edge, times n! levels^n.
    below = [
        sum(
            (-1) ** j * math.comb(people, j) * (people * k - j * levels) ** people
            for j in range(people * k // levels + 1)
        )
        for k in range(levels + 1)
    ]
    whole = math.factorial(people) * levels**people
    return [Fraction(b - a, whole) for a, b in itertools.pairwise(below)]


def compute_enclosing_radius_squared(points: Sequence[tuple[Number, Number]]) -> Fraction:
    """Compute the squared radius of the smallest disk around at most three points of the plane.

    By Helly's theorem that of more points is the largest one of any three of them.
    """
    squared = sorted(
        (a - c) ** 2 + (b - d) ** 2 for (a, b), (c, d) in itertools.combinations(points, 2)
    )
    if len(points) < 3 or squared[0] + squared[1] <= squared[2]:
        return Fraction(max(squared, default=0), 4)
    (a, b), (c, d), (e, f) = points
    doubled_area = (c - a) * (f - b) - (e - a) * (d - b)
    return Fraction(math.prod(squared), 4 * doubled_area**2)
