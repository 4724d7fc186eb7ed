"""Bins of quantizers, point by point (``deterministic``, Section IV, Equations 20 and 21)."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

EQUATION_20 = (-4, -2, 0, 2, 4)  # ends of the bins of the sum of both numbers
EQUATION_21 = tuple(range(13))  # of x1^2 + 2 x2^2


def is_in_bin(
    ends: Sequence[Fraction | int], bin_: int, point: Fraction, *, closed: bool = True
) -> bool:
    """Return whether a point lies in a bin; if ``closed``, the last bin holds its upper end."""
    last = bin_ == len(ends) - 2
    return ends[bin_] <= point < ends[bin_ + 1] or (closed and last and point == ends[-1])


def iterate_bins() -> Iterator[tuple[list[Fraction], Fraction]]:
    """Iterate over the ends of the bins of quantizers of [0, 1], and the points of a lattice."""
    for levels, k in itertools.product(range(1, 9), range(33)):
        yield [Fraction(j, levels) for j in range(levels + 1)], Fraction(k, 32)


def count_reports(
    ends: Sequence[int], *, closed: bool
) -> Iterator[tuple[int, Mapping[str, Fraction]]]:
    """Count the reports of each datum of a lattice of [-2, 2]^2 by one of both equations."""
    axis = [Fraction(k, 4) for k in range(-8, 9)]
    for x1, x2 in itertools.product(axis, axis):
        output = x1 + x2 if ends == EQUATION_20 else x1**2 + 2 * x2**2
        reports = sum(is_in_bin(ends, k, output, closed=closed) for k in range(len(ends) - 1))
        yield reports, {"x1": x1, "x2": x2}
