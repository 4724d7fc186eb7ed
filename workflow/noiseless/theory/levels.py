"""Exact numbers of levels that a quantizer may have.

For Theorem 8 of ``noiseless`` and Theorem 5 of ``nsht``; the optimal policies of
``deterministic`` are in :mod:`.policies`.

*How many bins an interval touches.*  Take q bins of width w on a range of length R = q w, each
closed on the left, and a closed interval of length S = (k + r) w with k whole and 0 <= r < 1.  It
touches the bins from floor(a/w) to floor((a + S)/w) of its left end a.  For r = 0 these are k + 1,
wherever the interval lies (k only where it ends with the range); for r > 0 they are k + 1 or
k + 2, and k + 2 happens for a = (1 - r) w.  Both are ceil(S/w) + 1, and there are never more than
q.  So the worst case is::

    touched(q) = min(q, ceil(q S / R) + 1),

one more than Theorem 8 counts where q S / R is whole.  It does not fall as q grows, so the levels
that keep b values are exactly those up to::

    max(b, floor((b - 1) R / S)).

The worst case is reached by every query whose output, with one person's data varied, is an
interval of length S at any place of the range: the average of two or more people is one.

*Indistinguishability of the average of n people* (``nsht``).  Let s = q/n be one person's share in
bins.  With their data fixed the output is an interval of q - s bins that starts at u in [0, s];
first and last bin grow with u, so the two reports' ranges differ most between u = 0 and u = s:
by floor(s) bins on the left and q - 1 - floor(q - s) = ceil(s) - 1 on the right (the last bin is
closed).  So floor(s) + ceil(s) - 1 <= 2^eps, that is q <= n (2^(eps-1) + 1) - 1, is exact for
n >= 2 and whole eps >= 1, where the paper grants n (2^(eps-1) - 1).
"""

import math
from fractions import Fraction

from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import convert_to_python, is_number
from noiseless.mechanisms.families.quantizer import (
    ROUNDING,
    Number,
    check_finite_range,
    compute_local_levels,
    floor_with_tolerance,
)


def compute_exact_levels(
    epsilon_bits: Number, *, output_range: tuple[Number, Number], sensitivity: Number
) -> int:
    """Compute the most levels for which a quantized query is epsilon-noiselessly private.

    In place of Theorem 8 of ``noiseless``, whose rule
    (:func:`noiseless.mechanisms.families.quantizer.compute_printed_levels`) can grant too many.
    All numbers of levels up to this one are private for every query of that range and sensitivity;
    none above is for a query whose outputs, with one person's data varied, can be an interval of
    the length of the sensitivity at any place of the range, as an average's can.

    Parameters
    ----------
    epsilon_bits : int, float or Fraction
        Budget in bits, larger than 0 and at most 50.
    output_range : tuple
        (y_min, y_max), the range of the query's output.
    sensitivity : int, float or Fraction
        S_f, how far one person can move the output; (b - a) / n for an average of n people.

    Returns
    -------
    int
        max(b, floor((b - 1) (y_max - y_min) / S_f)) with b = floor(2^epsilon).

    Raises
    ------
    ConfigError
        If epsilon or the sensitivity is not positive, epsilon above 50, or the range empty or
        shorter than the sensitivity.

    Examples
    --------
    Three bits for the mean of ten homes whose days lie in [0, 20] kWh:

    >>> compute_exact_levels(3, output_range=(0, 20), sensitivity=20 / 10)
    70
    """
    values, sensitivity = compute_local_levels(epsilon_bits), convert_to_python(sensitivity)
    output_range = check_finite_range(output_range)
    length = Fraction(output_range[1]) - Fraction(output_range[0])
    if not (is_number(sensitivity) and sensitivity > 0):
        raise ConfigError(f"the sensitivity is {sensitivity}, but it must be larger than 0.")
    if length * (1 + ROUNDING) < sensitivity:
        raise ConfigError(
            f"the output range {tuple(output_range)} is shorter than the sensitivity {sensitivity}."
        )
    return max(values, floor_with_tolerance((values - 1) * length / Fraction(sensitivity)))


def count_differing_reports(levels: int, share: Fraction) -> int:
    """Count the largest symmetric difference of a linear query's ranges (``nsht``, Equation 13).

    Found by trying every position at which a bin is entered or left, not by the formula.  ``share``
    is one person's part in the range of the query's output, |c_i| (x_max - x_min) over its length.
    """
    s = levels * share
    # The first bin changes where u is whole, the last one where u - s is.
    # From one of these positions to the next, both bins stay the same.
    starts = {Fraction(0), s, *_list_steps(Fraction(0), s), *_list_steps(s, s)}
    # The last bin is closed: one person alone can reach the upper end of the range.
    last = levels - 1
    ranges = {(min(last, math.floor(u)), min(last, math.floor(u + levels - s))) for u in starts}
    return max(_count_symmetric_difference(one, other) for one in ranges for other in ranges)


def compute_indistinguishable_levels(epsilon_bits: int, people: int) -> int:
    """Compute the most levels of an epsilon-indistinguishable quantized average.

    They are n (2^(epsilon - 1) + 1) - 1 for n people and a budget in bits (``nsht``, Definition 5);
    see the module for the proof.
    """
    return people * (2 ** (epsilon_bits - 1) + 1) - 1


def _count_symmetric_difference(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Count the symmetric difference of two integer ranges, ends included."""
    common = max(0, min(one[1], other[1]) - max(one[0], other[0]) + 1)
    return one[1] - one[0] + 1 + other[1] - other[0] + 1 - 2 * common


def _list_steps(origin: Fraction, upto: Fraction) -> list[Fraction]:
    """List the points from 0 to ``upto`` at an integer distance from ``origin``."""
    first = origin % 1
    return [first + k for k in range(math.floor(upto - first) + 1)]
