"""How many levels a quantizer may have, exactly.

For Theorem 8 of ``noiseless``, Theorem 5 of ``nsht``, and Theorem IV.2 of ``deterministic``.

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

import itertools
import math
from fractions import Fraction

from noiseless.errors import ConfigError
from noiseless.mechanisms.quantizer import Number, Quantizer, local_levels

_ROUNDING = Fraction(1, 10**12)


def touched_bins(levels: int, *, output_range: Number, sensitivity: Number) -> int:
    """Most bins that the outputs of a query can fall into while one person's data varies.

    Parameters
    ----------
    levels : int
        Number q of equal bins on the output range.
    output_range, sensitivity : int, float or Fraction
        Lengths R and S, 0 < S <= R, in the same unit.

    Returns
    -------
    int
        min(q, ceil(q S / R) + 1); see the module for the proof.
    """
    return min(levels, _ceil(levels * Fraction(sensitivity) / Fraction(output_range)) + 1)


def exact_levels(
    epsilon: Number, *, output_range: tuple[Number, Number], sensitivity: Number
) -> int:
    """The most levels for which a quantized query is epsilon-noiselessly private.

    In place of Theorem 8 of ``noiseless``, whose rule
    (:func:`noiseless.mechanisms.quantizer.levels_from_budget`) can grant too many.  All numbers of
    levels up to this one are private for every query of that range and sensitivity; none above is
    for a query whose outputs, with one person's data varied, can be an interval of the length of
    the sensitivity at any place of the range, as an average's can.

    Parameters
    ----------
    epsilon : int, float or Fraction
        Budget in bits, larger than 0.
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
        If epsilon or the sensitivity is not positive, or the range is empty or shorter than the
        sensitivity.
    """
    values = local_levels(epsilon)
    length = Fraction(output_range[1]) - Fraction(output_range[0])
    if not sensitivity > 0:
        raise ConfigError(f"the sensitivity is {sensitivity}, but it must be larger than 0.")
    if length * (1 + _ROUNDING) < sensitivity:
        raise ConfigError(
            f"the output range {tuple(output_range)} is shorter than the sensitivity {sensitivity}."
        )
    return max(values, _floor((values - 1) * length / Fraction(sensitivity)))


def reports_that_differ(levels: int, share: Fraction) -> int:
    """Largest symmetric difference of a quantized linear query's ranges (``nsht``, Equation 13).

    Found by trying every position at which a bin is entered or left, not by the formula.

    Parameters
    ----------
    levels : int
        Number q of equal bins on the range of the query's output.
    share : Fraction
        One person's part in that range, |c_i| (x_max - x_min) over its length; above 0, at most 1.
    """
    s = levels * share
    # The first bin changes where u is whole, the last one where u - s is.
    turns = sorted({Fraction(0), s, *_steps(Fraction(0), s), *_steps(s, s)})
    starts = {*turns, *((a + b) / 2 for a, b in itertools.pairwise(turns))}
    ranges = {(math.floor(u), min(levels - 1, math.floor(u + levels - s))) for u in starts}
    return max(_symmetric_difference(one, other) for one in ranges for other in ranges)


def indistinguishable_levels(epsilon: int, people: int) -> int:
    """The most levels for which the quantized average of people is epsilon-indistinguishable.

    Parameters
    ----------
    epsilon : int
        Budget in bits (``nsht``, Definition 5), 1 or larger.
    people : int
        Number n of people, 2 or more.

    Returns
    -------
    int
        n (2^(epsilon - 1) + 1) - 1; see the module for the proof.
    """
    return people * (2 ** (epsilon - 1) + 1) - 1


def levels_for_accuracy(accuracy: Number, *, output_range: tuple[Number, Number]) -> int:
    """Fewest reports that tell every output to within 1/accuracy (deterministic, Thm IV.2).

    Parameters
    ----------
    accuracy : int, float or Fraction
        gamma, larger than 0; the reported output is off by at most 1/gamma.
    output_range : tuple
        (y_min, y_max), the range of the query's output.

    Returns
    -------
    int
        ceil(gamma (y_max - y_min) / 2).

    Raises
    ------
    ConfigError
        If the accuracy is not positive or the range is empty.
    """
    length = Fraction(output_range[1]) - Fraction(output_range[0])
    if not accuracy > 0:
        raise ConfigError(f"the accuracy is {accuracy}, but it must be larger than 0.")
    if not length > 0:
        raise ConfigError(f"the output range {tuple(output_range)} is empty.")
    return max(1, _ceil(Fraction(accuracy) * length / 2))


def optimal_quantizer(accuracy: Number, *, output_range: tuple[float, float]) -> Quantizer:
    """The optimal policy of Theorems IV.2 and IV.3 for the measure P2, for any scalar query.

    Parameters and errors as for :func:`levels_for_accuracy`.

    Returns
    -------
    Quantizer
        Apply it to the query's output; with :attr:`~Quantizer.clip` off, an output outside the
        range is an error.
    """
    return Quantizer(
        *map(float, output_range), levels_for_accuracy(accuracy, output_range=output_range)
    )


def optimal_grid(
    accuracy: Number, *, output_ranges: tuple[tuple[float, float], tuple[float, float]]
) -> tuple[Quantizer, Quantizer]:
    """The best pair of quantizers for a query of two outputs, by exhaustive search.

    It has the fewest cells, and among those the smallest error, of all pairs whose reports are
    within 1/accuracy (Euclidean) of the outputs.  The paper proves optimality for one output only;
    regions that are not boxes, such as hexagons, can do better.

    Parameters
    ----------
    accuracy : int, float or Fraction
        gamma, larger than 0.
    output_ranges : pair of tuples
        (y_min, y_max) of each output.

    Raises
    ------
    ConfigError
        If the accuracy is not positive or a range is empty.
    """
    first, second = (Fraction(high) - Fraction(low) for low, high in output_ranges)
    # Each output alone needs at least so many levels.
    least = levels_for_accuracy(accuracy, output_range=output_ranges[0])
    levels_for_accuracy(accuracy, output_range=output_ranges[1])
    allowed = 4 / Fraction(accuracy) ** 2

    def second_levels(q: int) -> int | None:
        room = allowed - (first / q) ** 2
        return None if room <= 0 else max(1, _ceil_root(second**2 / room))

    best: tuple[int, Fraction, int, int] | None = None
    q = least
    while best is None or q <= best[0]:
        other = second_levels(q)
        if other is not None:
            error = (first / q) ** 2 + (second / other) ** 2
            best = min(filter(None, (best, (q * other, error, q, other))))
        q += 1
    return tuple(
        Quantizer(*map(float, ends), levels)
        for ends, levels in zip(output_ranges, best[2:], strict=True)
    )


def _symmetric_difference(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Size of the symmetric difference of two ranges of whole numbers, ends included."""
    common = max(0, min(one[1], other[1]) - max(one[0], other[0]) + 1)
    return one[1] - one[0] + 1 + other[1] - other[0] + 1 - 2 * common


def _steps(origin: Fraction, upto: Fraction) -> list[Fraction]:
    """The points from 0 to ``upto`` at a whole distance from ``origin``."""
    first = origin % 1
    return [first + k for k in range(math.floor(upto - first) + 1)]


def _floor(value: Fraction) -> int:
    """Floor in which a value that misses a whole number by floating-point rounding is whole."""
    return math.floor(value * (1 + _ROUNDING))


def _ceil(value: Fraction) -> int:
    return math.ceil(value * (1 - _ROUNDING))


def _ceil_root(value: Fraction) -> int:
    """Smallest whole number whose square is at least the value, up to rounding."""
    value *= 1 - _ROUNDING
    root = math.isqrt(math.ceil(value))
    return root if root * root >= value else root + 1
