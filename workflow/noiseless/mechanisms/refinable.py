"""Blurred releases for several analysts, each of which is a function of a finer one.

A curator gives one analyst numbers that may be off by 10, and another the same numbers, off by
20.  Both releases blur on which side of a threshold a person is.  If the two analysts compare them,
independent releases give almost everybody away; these do not:

1. The finest release lays both sides of its band over each other
   (:class:`~noiseless.mechanisms.policies.overlay.OverlayBlurring`).
2. Each coarser one sees the finer report alone.  A report of the finer band is moved to the same
   portion of the coarser band; any other report is the number itself, and is overlaid.

Each analyst has as many undecided people as any release of that accuracy can have, a group has
those of its finest release, and no releases of these accuracies do better for any group
(``docs/proofs/nsht.md``, several analysts).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.blurring import onto_band
from noiseless.mechanisms.containers import Floats, floats, numbers


def release_all(
    values: ArrayLike,
    threshold: ArrayLike,
    public_range: Sequence[float],
    rho: Sequence[float],
) -> Floats:
    """Blur the same numbers for several analysts, so that comparing releases tells no more.

    Parameters
    ----------
    values : array_like, shape (n,)
        The number of each person, within the public range.
    threshold : float or array_like, shape (n,)
        A person's hypothesis is p0 at or above it.  Each person may have their own, which is public
        (as that of their height).
    public_range : pair of float
        Lower and upper end of the values that are possible.
    rho : sequence of float, length k
        Accuracy of each release, larger than 0, in one over the unit of the values.  Any order.

    Returns
    -------
    ndarray, shape (k, n)
        The releases, in the order of ``rho``.  Release ``j`` changes no value by more than
        ``1/rho[j]``, up to rounding.  Values with one threshold and one report have one report in
        every coarser release, too.

    Raises
    ------
    ConfigError
        If the range is no interval, there is no accuracy, or one is not a positive number.
    DataError
        If a value is outside the range, a threshold is not finite, or their numbers do not fit.

    Examples
    --------
    Weights in kg, of which 86.7 and more count as obese for a height of 170 cm.  For one analyst
    they may be off by 10 kg, for another by 5.

    >>> release_all([68, 78, 84, 88, 120], 86.7, (0, 200), [1 / 10, 1 / 5]).round(1)
    array([[ 78. ,  79.3,  91.3,  79.3, 120. ],
           [ 68. ,  83. ,  89. ,  83. , 120. ]])

    Both reports of 84 kg are those of 94 kg, too, and both of 78 kg are those of 88 kg.

    >>> release_all([94], 86.7, (0, 200), [1 / 10, 1 / 5]).round(1)
    array([[91.3],
           [89. ]])
    """
    low, high = numbers(public_range, "the ends of the public range", count=2)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ConfigError(f"[{low}, {high}] is not an interval: give its lower end first.")
    rho = numbers(rho, "the accuracies rho")
    if not rho or not all(math.isfinite(each) and each > 0 for each in rho):
        raise ConfigError(f"the accuracies rho are {rho}, but each must be larger than 0.")
    x, g = _checked(floats(values), floats(threshold, "the thresholds"), low, high)
    releases: dict[float, Floats] = {}
    report, finer = x, None
    for each in sorted(set(rho), reverse=True):
        band = _band(g, low, high, 1 / each)
        overlaid = _overlaid(report, band)
        report = overlaid if finer is None else _coarser(report, finer, band, overlaid)
        releases[each], finer = report, band
    return np.stack([releases[each] for each in rho])


def _checked(x: Floats, g: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """Values and thresholds, one for each person."""
    if x.ndim != 1 or g.shape not in ((), x.shape):
        raise DataError(
            f"values of shape {x.shape} and thresholds of shape {g.shape} do not fit: give a list "
            "of values, and one threshold or as many."
        )
    outside = np.flatnonzero(~((low <= x) & (x <= high)))  # NaN is, too
    if outside.size:
        raise DataError(
            f"value {outside[0]} is {x[outside[0]]}, outside the public range [{low}, {high}]. "
            "Correct the value or widen the range."
        )
    if not np.isfinite(g).all():
        raise DataError("a threshold is not a finite number: give one for all values, or for each.")
    return x, np.broadcast_to(g, x.shape)


class _Band(NamedTuple):
    """The reports of a release that both sides give: ``[bottom, top)``, where ``is_used``."""

    g: Floats
    low: float
    high: float
    step: float
    bottom: Floats
    top: Floats
    is_used: NDArray[np.bool_]

    def holds(self, report: Floats) -> NDArray[np.bool_]:
        return self.is_used & (self.bottom <= report) & (report < self.top)

    def inside(self, report: Floats) -> Floats:
        """What rounding put on the upper end, or beside the band, is put back."""
        return np.clip(report, self.bottom, np.nextafter(self.top, -np.inf))


def _band(g: Floats, low: float, high: float, step: float) -> _Band:
    """The band around thresholds, cut at the ends of the range."""
    bottom, top = np.maximum(low, g - step), np.minimum(high, g + step)
    # A threshold at the upper end leaves p0 that end.  A step that the numbers do not resolve
    # leaves no band.
    return _Band(g, low, high, step, bottom, top, (low < g) & (g <= high) & (bottom < g))


def _overlaid(x: Floats, band: _Band) -> Floats:
    """The overlay of the band's accuracy."""
    offset, above = x - band.g, band.high - band.g
    # What is below the end of the range is so too where the difference rounds to the end's.
    inside = np.minimum(offset, np.nextafter(above, -np.inf))
    offset = np.where(x < band.high, inside, offset)
    placed = onto_band(offset, band.g - band.low, above, step=band.step, reach=2)
    return np.where(band.is_used & (placed != offset), band.inside(band.g + placed), x)


def _coarser(report: Floats, finer: _Band, band: _Band, overlaid: Floats) -> Floats:
    """From the report of the finer release alone."""
    width = np.where(finer.is_used, finer.top - finer.bottom, 1.0)
    portion = (report - finer.bottom) / width
    stretched = band.inside(band.bottom + portion * (band.top - band.bottom))
    return np.where(finer.holds(report), stretched, overlaid)
