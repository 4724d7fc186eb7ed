"""Intervals of many comparisons, widened so that all of them hold together.

An interval of 95 % misses what it estimates once in twenty times, so that of several hundred
verdicts some would be wrong by chance alone.  Within a family the K comparisons of intervals are
therefore judged at the level 1 - alpha/K (Bonferroni): the chance that any of them misses is alpha
at most, and so is the number of false `differs` that is to be expected.  A family is a paper, or
one set of homes that stands in for the paper's.
"""

import math

from scipy.special import ndtri

ALPHA = 0.05  # chance that any comparison of a family misses


def widening(comparisons: int, confidence: float, *, alpha: float = ALPHA) -> float:
    """Compute the factor by which normal intervals widen so that K of them hold together.

    Parameters
    ----------
    comparisons : int
        K, at least 1.
    confidence : float
        The confidence of the interval as it is, in (0, 1).
    alpha : float
        Chance that any of the K misses.

    Returns
    -------
    float
        The ratio z(1 - alpha/(2 K)) / z((1 + confidence)/2) of normal quantiles; 1 where the
        interval is as wide already.
    """
    if alpha / comparisons >= (1 - confidence) * (1 - 1e-9):  # 1 - 0.95 is not quite 0.05
        return 1.0
    return float(ndtri(alpha / (2 * comparisons)) / ndtri((1 - confidence) / 2))


def widened(value: float, low: float, high: float, ratio: float) -> tuple[float, float]:
    """Widen an interval around ``value`` to ``ratio`` times as many standard deviations.

    Parameters
    ----------
    value, low, high : float
        The estimate and its interval.
    ratio : float
        From :func:`widening`.

    Returns
    -------
    low, high : float
        Ends of the widened interval.

    Notes
    -----
    A normal approximation: on each side the farther of two ends.  The first is that of an interval
    each of whose sides grows by the ratio.  The second is that of an interval which grows as
    Wilson's of a proportion does to within z^2/n: with m the distance from the value to the
    interval's middle and h the half width, m grows by ratio^2, and h^2 becomes
    ratio^2 (h^2 - m^2) + ratio^4 m^2.  Near 0 and 1 the first covers too little above the value and
    the second below it; the farther ends cover (by enumeration, in the tests).
    An interval that does not hold its value, as a bootstrap may give, grows about its middle.
    """
    if not (math.isfinite(low) and math.isfinite(high)) or ratio == 1:
        return low, high
    half = (high - low) / 2
    if not low <= value <= high:
        middle = low + half
        return middle - ratio * half, middle + ratio * half
    shift = (low - value) / 2 + (high - value) / 2
    own = max(half**2 - shift**2, 0.0)
    half = math.sqrt(ratio**2 * own + ratio**4 * shift**2)
    middle = value + ratio**2 * shift
    return (
        min(value - ratio * (value - low), middle - half),
        max(value + ratio * (high - value), middle + half),
    )
