"""Control that guesses "on" at random, as often as in training, without a report."""

from noiseless.adversaries.appliances.always_on import AlwaysOn
from noiseless.arrays import Bools


class Chance(AlwaysOn):
    """Control that guesses "on" at random, with the share of each appliance in training."""

    name, order = "chance", 3
    label = "control: on at random, as often as in training"

    def guess(self, shape: tuple[int, int]) -> Bools:
        """Draw on or off for every bin and appliance."""
        share = self._training.recording.is_on["losses"].mean(axis=0)
        return self._training.rng("chance").random(shape) < share


ADVERSARY = Chance
