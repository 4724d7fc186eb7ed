"""Stretch policy: each side of the band is reported as the complete band."""

from typing import ClassVar

from noiseless.mechanisms.blurring import AffineBlurring


class StretchBlurring(AffineBlurring):
    """Policy that stretches each side over the band; attains Theorem 4's budget under Equation 9.

    On each line the upper part of the band is stretched affinely over the complete band, and so is
    its lower part.  Every report of the band then comes from both sides, and no report is lost:

    - No record moves by more than ``1/rho`` (:func:`~noiseless.mechanisms.blurring.map_onto_band`).
    - The ranges of the reports of p0 and p1 meet in the complete band; their union is the box.
      The privacy of Equation 9 is log(mu(X) / mu(X without the band)) = log(1 + budget), where
      the threshold has both sides on almost every line.

    It leaves undecided those whom :class:`~noiseless.CollapseBlurring` leaves undecided, and no
    other person.  On a line whose threshold is the upper end of the box it is that policy.

    Examples
    --------
    >>> import pandas as pd
    >>> from noiseless import PublicRange, build_polynomial_threshold
    >>> people = pd.DataFrame({"weight_kg": [84.0, 60.0], "height_cm": [170.0, 170.0]})
    >>> box = PublicRange([40, 150], [140, 200])
    >>> policy = StretchBlurring(build_polynomial_threshold([0, 0, 0.003]), box, rho=1 / 5)
    >>> reports = policy.release(people)
    >>> reports
       weight_kg  height_cm
    0       86.3      170.0
    1       60.0      170.0
    >>> policy.is_decided(reports)
    array([False,  True])
    """

    name, label = "stretch", "stretch"
    colour, dashes, order = "green", "--", 2
    same_people_as = "collapse"
    increases = True
    reach = 1
    ends: ClassVar[tuple[int, int] | None] = (0, 2)

    def _compute_two_sided_sizes(self) -> tuple[float, float, float]:
        """Compute the sizes of undecided records, of all reports, and of proving reports."""
        band = self.compute_band_size(two_sided=True)
        return band, self.box.volume, self.box.volume - band


POLICY = StretchBlurring
