"""Slices policy: thin slices next to the threshold are exchanged, at almost the least change."""

from dataclasses import dataclass

import numpy as np

from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.policies.overlay import OverlayBlurring


@dataclass(frozen=True)
class SliceBlurring(OverlayBlurring):
    """Policy with as many undecided as :class:`OverlayBlurring`, at almost the least change.

    A thin slice next to the threshold, on either side, is stretched over the other side's part of
    the band.  Everybody else in the band may then be reported as they are, and those beyond it only
    move to its edge.  So a record at a distance d from the threshold moves by about ``max(0, d -
    1/rho)``, and no policy leaves it undecided for less.  What it saves, it loses in odds: few
    records of the other hypothesis stand behind a report, so that this protects from an adversary
    who wants proof, and hardly from one who guesses.  The odds reach (1 - t^2)/t^2 : 1 for a
    thickness t, by the length of records, which is 99 : 1 for t = 0.1.  The thickness is a portion
    of a side of the band, above 0 and at most 1/2.

    It is dominated, for every thickness but 1/2: with the same odds
    :class:`~noiseless.mechanisms.policies.odds.OddsBlurring` has a smaller mean change
    (``nsht-slices-dominated``).

    Where the threshold is the upper end of the box, p0 has no slice, and this is the overlay.
    """

    thickness: float = 0.1

    name, label = "slices", "thin slices (least change for that)"
    colour, dashes, order = "orange", "--", 4
    note = (-22, 5)
    same_people_as = "overlay"
    has_histograms = False
    increases = False
    ends = 6, 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.thickness <= 0.5:
            raise ConfigError(f"`thickness` must be above 0 and at most 0.5, got {self.thickness}.")

    def _blur_coordinate(self, x: Floats, g: Floats) -> Floats:
        """Move a thin slice across the threshold, and move records beyond the band to its edge."""
        step = 1 / self.rho
        is_p0, distance = x >= g, np.abs(x - g)
        below, above = g - self.box.lower[0], self.box.upper[0] - g
        # Widths of the band on the record's own side, and on the other side of the threshold.
        own = np.minimum(step, np.where(is_p0, above, below))
        across = np.minimum(step, np.where(is_p0, below, above))
        ends = step >= above  # the band goes on to the upper end
        thin = self.thickness * own
        share = np.divide(distance, thin, out=np.zeros_like(x), where=thin > 0)
        to_other_side = -across * (1 - share * (1 - self.thickness))
        to_edge = own - thin * (1 - (distance - own) / step)
        # The threshold belongs to p0 only, so intervals of p0 and p1 are closed at opposite ends.
        cases = [
            np.where(is_p0, distance < thin, distance <= thin),
            # A distance can round to that of the end, although the record is before it.
            np.where(is_p0, (distance < own) | (ends & (x < self.box.upper[0])), distance <= own),
            np.where(is_p0, distance < 2 * step, distance <= 2 * step),
        ]
        moved = np.select(cases, [to_other_side, distance, to_edge], default=distance)
        report = np.clip(g + np.where(is_p0, moved, -moved), self.box.lower[0], self.box.upper[0])
        sliced = np.where(self._has_both_sides(g) & (moved != distance), report, x)
        return np.where(above == 0, super()._blur_coordinate(x, g), sliced)

    @property
    def stretched(self) -> float:
        """Thickness of a slice."""
        return self.thickness

    def _compute_two_sided_sizes(self) -> tuple[float, float, float]:
        """Compute the sizes of undecided records, of all reports, and of proving reports."""
        # There is a gap of one slice without reports on either side of the threshold.
        wide, volume = self.compute_band_size(2, two_sided=True), self.box.volume
        reports = volume - wide + (1 - self.thickness) * self.compute_band_size(two_sided=True)
        return wide, reports, volume - wide


POLICY = SliceBlurring
