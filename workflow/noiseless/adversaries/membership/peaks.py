"""Adversary that prefers the candidate with more peaks in common with the output."""

from noiseless.adversaries.inputs.membership import MembershipView
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats


class CommonPeaks(Adversary):
    """Adversary that prefers the candidate with more peaks in common with the output."""

    name, order = "peaks", 3
    label = "common peaks"

    def prefer(self, view: MembershipView) -> Floats:
        """Compute candidate 0's number of common peaks less candidate 1's."""
        return (view.common_peaks[:, 0] - view.common_peaks[:, 1]).astype(float)


ADVERSARY = CommonPeaks
