"""Round policy, a counterexample to Equation 9: stretch the band and round the rest."""

import numpy as np

from noiseless.arrays import Floats
from noiseless.mechanisms.policies.stretch import StretchBlurring


class RoundBlurring(StretchBlurring):
    """Counterexample to Equation 9: unbounded privacy, yet nearly all records are identified.

    The band is stretched; everybody else is rounded, on their own side, to steps of ``2/rho`` from
    the band.  The reports that prove a hypothesis then lie on finitely many curves, which have
    measure zero, so that the privacy of Equation 9 is infinite for every rho; and a person who is
    not in the band has a report that proves their hypothesis.
    """

    name, label = "round", "stretch and round (fools Equation 9)"
    colour, dashes, order = "grey", ":", 6
    same_people_as = "collapse"
    has_histograms = False
    increases = False
    ends = None

    def _blur_coordinate(self, x: Floats, g: Floats) -> Floats:
        """Stretch the band, and round all other numbers to the middles of bands."""
        offset, step = x - g, 1 / self.rho
        steps = np.floor((np.abs(offset) - step) / (2 * step))
        rounded = g + np.sign(offset) * (step + (2 * steps + 1) * step)
        rounded = np.clip(rounded, self.box.lower[0], self.box.upper[0])
        stretched = self._has_both_sides(g) & (np.abs(offset) <= step)
        return np.where(stretched, super()._blur_coordinate(x, g), rounded)

    def compute_sizes(self) -> tuple[float, float, float]:
        """Compute the sizes as :meth:`Blurring.sizes`; reports outside the band are curves."""
        if self.is_upper_end:
            return self.compute_band_size(), 0.0, 0.0
        band = self.compute_band_size(two_sided=True)
        return band, band, 0.0


POLICY = RoundBlurring
