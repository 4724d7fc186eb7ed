"""Control that guesses "always off", without a report."""

import numpy as np

from noiseless.adversaries.appliances.always_on import AlwaysOn
from noiseless.arrays import Bools


class AlwaysOff(AlwaysOn):
    """Control that guesses no appliance to be on in any bin."""

    name, order = "always_off", 2
    label = "control: always off"

    def guess(self, shape: tuple[int, int]) -> Bools:
        """Return False for every bin and appliance."""
        return np.zeros(shape, dtype=bool)


ADVERSARY = AlwaysOff
