"""Names the person under whose trip the report is most likely, as the mechanism says."""

from typing import Self

import numpy as np

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.linkage.evidence import Floats, LinkageEvidence, LinkageTraining
from noiseless.mechanisms.interface import added


class Likelihood(Adversary):
    """Knows the mechanism; all people are equally likely beforehand, so none does better."""

    name, order = "likelihood", 1
    label = "knows the mechanism"

    def fit(self, training: LinkageTraining) -> Self:
        """Know the mechanism."""
        self._mechanism = training.mechanism
        return self

    def link(self, evidence: LinkageEvidence) -> Floats:
        """Log-likelihood of each report under each person's trip, up to a constant."""
        # Coordinates are the outermost in memory, as those of the people are.
        reported = np.asfortranarray(evidence.reported_m)[:, None]
        places = self._mechanism.log_likelihood(reported, evidence.people_m)
        return added(places)


ADVERSARY = Likelihood
