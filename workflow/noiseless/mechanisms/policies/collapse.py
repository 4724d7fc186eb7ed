"""Collapse policy, as printed: all records of the band are reported at the threshold."""

import numpy as np

from noiseless.arrays import Floats
from noiseless.mechanisms.blurring import Blurring


class CollapseBlurring(Blurring):
    """Policy of Theorem 4 (Equation 11 for the body mass index): report the threshold.

    Everyone in the band is reported at ``x_i = g(x_-i)``.  The reports of the band then fill a
    set of measure zero, so that the privacy of Equation 9 is 0 for every rho: see
    :func:`~noiseless.mechanisms.blurring.compute_privacy`.

    Examples
    --------
    Everybody within 5 kg of a body mass index of 30 is reported at the threshold.

    >>> from noiseless import PublicRange, build_polynomial_threshold
    >>> box = PublicRange([40, 150], [140, 200])
    >>> policy = CollapseBlurring(build_polynomial_threshold([0, 0, 0.003]), box, rho=1 / 5)
    >>> policy.release([[84, 170], [60, 170]])
    array([[ 86.7, 170. ],
           [ 60. , 170. ]])
    """

    name, label = "collapse", "collapse (as printed)"
    colour, dashes, order = "red", "-", 1
    note = (4, -8)
    increases = True
    reach, ends = 1, (4, 4)

    def _blur_coordinate(self, x: Floats, g: Floats) -> Floats:
        """Replace each number in the band by its threshold."""
        return np.where((g - 1 / self.rho <= x) & (x <= g + 1 / self.rho), g, x)

    @property
    def stretched(self) -> float:
        """Constant 0, as no interval is stretched."""
        return 0.0

    def _compute_two_sided_sizes(self) -> tuple[float, float, float]:
        """Compute the sizes of undecided records, of all reports, and of proving reports."""
        # The reports of the band are a curve, also where it has one side.
        rest = self.box.volume - self.compute_band_size()
        return self.compute_band_size(two_sided=True), rest, rest


POLICY = CollapseBlurring
