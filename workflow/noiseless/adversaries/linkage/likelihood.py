"""Maximum-likelihood adversary of the linkage game."""

from typing import Self

import numpy as np

from noiseless.adversaries.inputs.linkage import LinkageTraining, LinkageView
from noiseless.adversaries.interface import Adversary
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

    def link(self, view: LinkageView) -> Floats:
        """Compute the log-likelihood of each report under each person's trip, up to a constant."""
        # Coordinates are outermost in memory, like those of the people, for speed.
        reported = np.asfortranarray(view.reported_m)[:, None]
        places = self._mechanism.log_likelihood(reported, view.people_m)
        return add_last_axis(places)


ADVERSARY = LikelihoodAdversary
