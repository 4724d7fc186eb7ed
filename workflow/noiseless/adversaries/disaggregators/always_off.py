"""A guesser who says "always off", and needs no report."""

import numpy as np

from noiseless.adversaries.appliances import Bools
from noiseless.adversaries.disaggregators.always_on import AlwaysOn


class AlwaysOff(AlwaysOn):
    """No appliance, in any bin."""

    name = "always_off"

    def guess(self, shape: tuple[int, int]) -> Bools:
        """No appliance, in any bin."""
        return np.zeros(shape, dtype=bool)


ADVERSARY = AlwaysOff
