"""A guesser who says "always off", and needs no report."""

import numpy as np

from noiseless.adversaries.appliances.always_on import AlwaysOn
from noiseless.adversaries.appliances.evidence import Bools


class AlwaysOff(AlwaysOn):
    """No appliance, in any bin."""

    name, order = "always_off", 2
    label = "control: always off"

    def guess(self, shape: tuple[int, int]) -> Bools:
        """No appliance, in any bin."""
        return np.zeros(shape, dtype=bool)


ADVERSARY = AlwaysOff
