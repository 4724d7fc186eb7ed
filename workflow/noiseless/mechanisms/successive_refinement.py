"""Blurred releases for several analysts, each a function of a finer release.

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

Where two analysts ask about two thresholds, with the same accuracy, one report for both does what
independent releases cannot: :func:`release_for_thresholds`.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from noiseless.arrays import Bools, Floats
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.blurring import map_onto_band
from noiseless.mechanisms.containers import (
    check_positive,
    convert_to_floats,
    convert_to_numbers,
    require_list,
    require_number,
)


@np.errstate(under="ignore", over="ignore")
def release_all(
    values: ArrayLike,
    threshold: ArrayLike,
    public_range: Sequence[float],
    rho: Sequence[float],
) -> Floats:
    """Blur numbers for several analysts so that comparing their releases tells nothing more.

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
    low, high = _check_public_range(public_range)
    rho = convert_to_numbers(rho, "the accuracies rho")
    if not rho or not all(math.isfinite(each) and each > 0 for each in rho):
        raise ConfigError(f"the accuracies rho are {rho}, but each must be larger than 0.")
    x, g = _check_values(
        convert_to_floats(values), convert_to_floats(threshold, "the thresholds"), low, high
    )
    releases: dict[float, Floats] = {}
    report, finer = x, None
    for each in sorted(set(rho), reverse=True):
        band = _build_band(g, low, high, 1 / each)
        overlaid = _overlay_values(report, band)
        report = overlaid if finer is None else _coarsen_reports(report, finer, band, overlaid)
        releases[each], finer = report, band
    return np.stack([releases[each] for each in rho])


@np.errstate(under="ignore", over="ignore")
def release_for_thresholds(
    values: ArrayLike,
    thresholds: tuple[ArrayLike, ArrayLike],
    public_range: Sequence[float],
    rho: float,
    *,
    thickness: float = 0.1,
) -> Floats:
    """Blur numbers once for two analysts who ask about two thresholds.

    Both get the same report.  Let r = 1/rho, g1 and g2 a person's thresholds, and B1 and B2 the
    numbers within 2r of either, which a release for one threshold alone can leave undecided.
    Comparing them leaves undecided, away from the ends of the range:

    - ``g2 - g1 < 2r``: B1 for the lower threshold, without the slice below g2, and B2 for the upper
      one, without the slice above g1.  Some loss cannot be avoided; slices may be of any thickness.
      What is in both, ``[g2 - 2r, g1 + 2r)`` without the slices, is undecided about both.
    - ``2r <= g2 - g1 < 4r``: B1 below the middle of both, and B2 from there on.  Nobody can be
      undecided about both, and no releases leave more undecided together.
    - from 4r on: B1 and B2.

    Releases that are made one by one leave nobody undecided from 2r on
    (``docs/proofs/nsht.md``, two thresholds).

    Parameters
    ----------
    values : array_like, shape (n,)
        The number of each person, within the public range.
    thresholds : pair of float or array_like, shape (n,)
        The lower and the upper threshold; one for all, or one for each person, which is public.
    public_range : pair of float
        Lower and upper end of the values that are possible; at least ``2/rho`` beyond the
        thresholds of each person.
    rho : float
        Accuracy, larger than 0, in one over the unit of the values.
    thickness : float
        Thickness of the two slices, as a portion of ``g2 - g1``; above 0 and at most 1/2.  A
        thinner one costs fewer people, and makes the odds behind their reports worse.

    Returns
    -------
    ndarray, shape (n,)
        The reports.  None differs from its value by more than ``1/rho``, up to rounding.

    Raises
    ------
    ConfigError
        If the range is no interval, rho is not a positive number, or the thickness not above 0 and
        at most 1/2.
    DataError
        If a value is outside the range, a threshold is not finite or has too little room, the lower
        one is above the upper one, or their numbers do not fit.

    Examples
    --------
    Weights in kg that may be off by 10.  At a height of 170 cm 72.25 and more count as overweight,
    and 86.7 and more as obese.

    >>> weights = [60, 70, 80, 88, 100]
    >>> release_for_thresholds(weights, (72.25, 86.7), (0, 200), 1 / 10).round(2)
    array([63.02, 80.  , 79.73, 78.  , 96.03])

    The report of 70 kg is that of 90 kg, too, so that it tells neither whether the person is
    overweight nor whether they are obese.

    >>> release_for_thresholds([90], (72.25, 86.7), (0, 200), 1 / 10)
    array([80.])
    """
    low, high = _check_public_range(public_range)
    check_positive("the accuracy rho", rho)
    rho, thickness = float(rho), float(require_number("thickness", thickness))
    if not 0 < thickness <= 0.5:
        raise ConfigError(
            f"`thickness` must be above 0 and at most 0.5, got {thickness}. Give a share of the "
            "distance of the two thresholds."
        )
    thresholds = tuple(require_list("thresholds", thresholds, "a pair (lower, upper)"))
    if len(thresholds) != 2:
        raise ConfigError(f"`thresholds` must be a pair (lower, upper), got {thresholds}.")
    x = convert_to_floats(values)
    lower, upper = (
        _check_values(x, convert_to_floats(g, "the thresholds"), low, high)[1] for g in thresholds
    )
    _check_room(lower, upper, low, high, 2 / rho)
    near = upper - lower < 2 / rho
    report = x
    for pieces, chosen in (
        (_build_near_pieces(lower, upper, 1 / rho, thickness * (upper - lower)), near),
        (_build_far_pieces(lower, upper, 1 / rho), ~near),
    ):
        for start, stop, to_start, to_stop in pieces:
            width = np.where(stop > start, stop - start, 1.0)
            placed = to_start + (x - start) * ((to_stop - to_start) / width)
            # Rounding may move a report out of the piece's interval, so clip it.
            placed = np.clip(placed, to_start, np.nextafter(to_stop, -np.inf))
            report = np.where(chosen & (start <= x) & (x < stop), placed, report)
    return report


# Values [start, stop) and their reports [to_start, to_stop), of each person.
_Pieces = list[tuple[Floats, Floats, Floats, Floats]]


def _build_near_pieces(lower: Floats, upper: Floats, step: float, slice_: Floats) -> _Pieces:
    """Return the pieces for thresholds at most 2 steps apart: three intervals of reports."""
    both = upper - step, lower + step
    below = lower - step, lower - step + slice_
    above = upper + step - slice_, upper + step
    return [
        (lower - 2 * step, upper - 2 * step, *below),
        (upper - 2 * step, lower, *both),
        (lower, lower + slice_, *below),
        (lower + slice_, upper - slice_, *both),
        (upper - slice_, upper, *above),
        (upper, lower + 2 * step, *both),
        (lower + 2 * step, upper + 2 * step, *above),
    ]


def _build_far_pieces(lower: Floats, upper: Floats, step: float) -> _Pieces:
    """Return the pieces for thresholds over 2 steps apart: one overlay for each threshold."""
    reach = np.minimum(2 * step, (upper - lower) / 2)
    around_lower, around_upper = (lower - step, lower + step), (upper - step, upper + step)
    return [
        (lower - 2 * step, lower, *around_lower),
        (lower, lower + reach, *around_lower),
        (upper - reach, upper, *around_upper),
        (upper, upper + 2 * step, *around_upper),
    ]


def _check_room(lower: Floats, upper: Floats, low: float, high: float, room: float) -> None:
    """Check that each person's thresholds ascend and lie ``room`` or more inside the range."""
    turned = np.flatnonzero(lower > upper)
    if turned.size:
        raise DataError(
            f"value {turned[0]} has the thresholds {lower[turned[0]]} and {upper[turned[0]]}: give "
            "the lower one first."
        )
    narrow = np.flatnonzero((lower < low + room) | (upper > high - room))
    if narrow.size:
        raise DataError(
            f"value {narrow[0]} has the thresholds {lower[narrow[0]]} and {upper[narrow[0]]}, "
            f"which must be {room} or more from the ends of the public range [{low}, {high}]. "
            "Leave it out, or take a larger rho or a wider range."
        )


def _check_public_range(public_range: Sequence[float]) -> tuple[float, ...]:
    """Check the public range and return its two ends."""
    low, high = convert_to_numbers(public_range, "the ends of the public range", count=2)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ConfigError(f"[{low}, {high}] is not an interval: give its lower end first.")
    return low, high


def _check_values(x: Floats, g: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """Check values and thresholds, and broadcast the thresholds to one for each person."""
    if x.ndim != 1 or g.shape not in ((), x.shape):
        raise DataError(
            f"values must be a list, and thresholds one number or one per value, got the shapes "
            f"{x.shape} and {g.shape}."
        )
    outside = np.flatnonzero(~((low <= x) & (x <= high)))  # NaN counts as outside
    if outside.size:
        raise DataError(
            f"value {outside[0]} is {x[outside[0]]}, outside the public range [{low}, {high}]. "
            "Correct the value or widen the range."
        )
    if not np.isfinite(g).all():
        raise DataError(
            "each threshold must be a finite number. Give one for all values, or for each."
        )
    return x, np.broadcast_to(g, x.shape)


class _Band(NamedTuple):
    """Band of reports that both sides of a threshold give: ``[bottom, top)``, where ``is_used``."""

    g: Floats
    low: float
    high: float
    step: float
    bottom: Floats
    top: Floats
    is_used: Bools

    def has_report(self, report: Floats) -> Bools:
        """Return whether each report lies in a band that is used."""
        return self.is_used & (self.bottom <= report) & (report < self.top)

    def clip_to_band(self, report: Floats) -> Floats:
        """Clip reports to the half-open band, as rounding may have moved them out."""
        return np.clip(report, self.bottom, np.nextafter(self.top, -np.inf))


def _build_band(g: Floats, low: float, high: float, step: float) -> _Band:
    """Build the band of half-width ``step`` around thresholds, cut at the ends of the range."""
    bottom, top = np.maximum(low, g - step), np.minimum(high, g + step)
    # At a threshold at the upper end, p0 is that end alone.  A step below the floats' resolution
    # gives no band.
    return _Band(g, low, high, step, bottom, top, (low < g) & (g <= high) & (bottom < g))


def _overlay_values(x: Floats, band: _Band) -> Floats:
    """Map values onto the band by the overlay policy (:mod:`.policies.overlay`)."""
    offset, above = x - band.g, band.high - band.g
    # A value below the end of the range stays below it, even if the difference rounds up.
    inside = np.minimum(offset, np.nextafter(above, -np.inf))
    offset = np.where(x < band.high, inside, offset)
    placed = map_onto_band(offset, band.g - band.low, above, step=band.step, reach=2)
    return np.where(band.is_used & (placed != offset), band.clip_to_band(band.g + placed), x)


def _coarsen_reports(report: Floats, finer: _Band, band: _Band, overlaid: Floats) -> Floats:
    """Compute the reports of a coarser release from those of the next finer one."""
    width = np.where(finer.is_used, finer.top - finer.bottom, 1.0)
    portion = (report - finer.bottom) / width
    stretched = band.clip_to_band(band.bottom + portion * (band.top - band.bottom))
    return np.where(finer.has_report(report), stretched, overlaid)
