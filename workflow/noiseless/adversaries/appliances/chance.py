"""A guesser who says "on" at random, as often as in training, and needs no report."""

from noiseless.adversaries.appliances.always_on import AlwaysOn
from noiseless.adversaries.appliances.evidence import Bools


class Chance(AlwaysOn):
    """At random, as often as in training."""

    name, order = "chance", 3
    label = "control: on at random, as often as in training"

    def guess(self, shape: tuple[int, int]) -> Bools:
        """At random, as often as in training."""
        share = self._training.recording.is_on["losses"].mean(axis=0)
        return self._training.rng("chance").random(shape) < share


ADVERSARY = Chance
