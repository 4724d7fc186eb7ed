"""Maximum-likelihood adversary of the linkage game."""

from typing import Self

import numpy as np

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.linkage.evidence import LinkageEvidence, LinkageTraining
from noiseless.arrays import Floats
from noiseless.mechanisms.interface import add_last_axis


class LikelihoodAdversary(Adversary):
    """Adversary who knows the mechanism; optimal, as all people are equally likely a priori."""

    name, order = "likelihood", 1
    label = "knows the mechanism"

    def fit(self, training: LinkageTraining) -> Self:
        """Store the mechanism."""
        self._mechanism = training.mechanism
        return self

    def link(self, evidence: LinkageEvidence) -> Floats:
        """Compute the log-likelihood of each report under each person's trip, up to a constant."""
        # Coordinates are outermost in memory, like those of the people, for speed.
        reported = np.asfortranarray(evidence.reported_m)[:, None]
        places = self._mechanism.log_likelihood(reported, evidence.people_m)
        return add_last_axis(places)


ADVERSARY = LikelihoodAdversary
