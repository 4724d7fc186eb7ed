"""Prefers the candidate with more peaks in common with the output."""

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.membership.evidence import Evidence, Floats


class CommonPeaks(Adversary):
    """Prefers the candidate with more peaks in common with the output."""

    name, order = "peaks", 3
    label = "common peaks"

    def prefer(self, evidence: Evidence) -> Floats:
        """Prefers the candidate with more peaks in common with the output."""
        return (evidence.common_peaks[:, 0] - evidence.common_peaks[:, 1]).astype(float)


ADVERSARY = CommonPeaks
