"""A guesser who says "always on", and needs no report."""

from typing import Self

import numpy as np

from noiseless.adversaries.appliances.evidence import ApplianceTraining, Bools, Guess, MeterReports
from noiseless.adversaries.interface import Adversary


class AlwaysOn(Adversary):
    """Says that every appliance is always on."""

    name, order = "always_on", 1
    label = "control: always on"
    is_control = True

    def fit(self, training: ApplianceTraining) -> Self:
        """Keep the known days, for the power of what is on."""
        self._training = training
        return self

    def states(self, reports: MeterReports) -> Guess:
        """Says that every appliance is always on."""
        power_w = self._training.recording.power_when_on_w
        is_on = self.guess((len(reports.slot), len(power_w)))
        return Guess(is_on, is_on * power_w)

    def guess(self, shape: tuple[int, int]) -> Bools:
        """Every appliance, in every bin."""
        return np.ones(shape, dtype=bool)


ADVERSARY = AlwaysOn
