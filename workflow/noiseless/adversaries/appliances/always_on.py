"""Control that guesses "always on", without a report."""

from typing import Self

import numpy as np

from noiseless.adversaries.inputs.appliances import ApplianceTraining, Guess, MeterReports
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Bools


class AlwaysOn(Adversary):
    """Control that guesses every appliance to be on in every bin."""

    name, order = "always_on", 1
    label = "control: always on"
    is_control = True

    def fit(self, training: ApplianceTraining) -> Self:
        """Store the training days, for the mean power of an appliance that is on."""
        self._training = training
        return self

    def states(self, reports: MeterReports) -> Guess:
        """Guess on and off by :meth:`guess`; the power is the mean power while on."""
        power_w = self._training.recording.power_when_on_w
        is_on = self.guess((len(reports.slot), len(power_w)))
        return Guess(is_on, is_on * power_w)

    def guess(self, shape: tuple[int, int]) -> Bools:
        """Return True for every bin and appliance."""
        return np.ones(shape, dtype=bool)


ADVERSARY = AlwaysOn
