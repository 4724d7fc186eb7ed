"""Prefers the candidate with more peaks in common with the output."""

from noiseless.adversaries.evidence import Evidence, Floats
from noiseless.adversaries.interface import Adversary


class CommonPeaks(Adversary):
    """Prefers the candidate with more peaks in common with the output."""

    name = "peaks"

    def prefer(self, evidence: Evidence) -> Floats:
        """Prefers the candidate with more peaks in common with the output."""
        return (evidence.common_peaks[:, 0] - evidence.common_peaks[:, 1]).astype(float)


ADVERSARY = CommonPeaks
