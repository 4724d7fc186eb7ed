"""Overlay policy: both sides of a band of twice the width are mapped onto the band."""

from noiseless.mechanisms.blurring import AffineBlurring


class OverlayBlurring(AffineBlurring):
    """Policy that maps both sides of the band of ``2/rho`` onto the band of ``1/rho``.

    No policy that changes ``x_i`` alone, by at most ``1/rho``, leaves a record undecided that this
    one decides: :meth:`can_be_undecided` holds exactly where it leaves a record
    undecided.  Away from the ends of the box everybody in the band of ``2/rho`` is moved by
    ``1/rho`` towards the threshold.  Where the threshold is the upper end of the box, p0 has one
    report, and everybody in the band of ``2/rho`` has it: at ``1/rho`` below that end.

    Examples
    --------
    A person 9 kg below the threshold is left undecided by a change of 5 kg.

    >>> from noiseless import PublicRange, build_polynomial_threshold
    >>> box = PublicRange([40, 150], [140, 200])
    >>> policy = OverlayBlurring(build_polynomial_threshold([0, 0, 0.003]), box, rho=1 / 5)
    >>> reports = policy.release([[77.7, 170]])
    >>> reports.round(1), policy.is_decided(reports)
    (array([[ 82.7, 170. ]]), array([False]))
    """

    name, label = "overlay", "overlay (most undecided by x₁ alone)"
    colour, dashes, order = "blue", "-", 3
    increases = True
    reach, ends = 2, (4, 2)

    def _compute_two_sided_sizes(self) -> tuple[float, float, float]:
        """Compute the sizes of undecided records, of all reports, and of proving reports."""
        wide, volume = self.compute_band_size(self.reach, two_sided=True), self.box.volume
        return wide, volume - wide + self.compute_band_size(two_sided=True), volume - wide


POLICY = OverlayBlurring
