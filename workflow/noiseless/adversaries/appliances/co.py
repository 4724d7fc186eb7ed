"""Combinatorial optimisation as NILMTK has it, the adversary of Figure 4 of ``noiseless``."""

from typing import Self

from noiseless.adversaries.appliances.evidence import (
    ON_W,
    ApplianceTraining,
    Floats,
    Guess,
    MeterReports,
)
from noiseless.adversaries.interface import Adversary


class Combinatorial(Adversary):
    """Takes every report for the mains, and names the states whose sum is nearest."""

    name, order = "co", 4
    label = "combinatorial optimisation (NILMTK)"
    is_random = True  # its clustering

    def fit(self, training: ApplianceTraining) -> Self:
        """Cluster the power of each appliance, once for all releases."""
        # Here, because all who ask for labels import this module.
        from noiseless.adversaries.combinatorial import CombinatorialOptimisation

        known = training.recording
        power = dict(zip(known.appliances, known.power_w.T, strict=True))
        rng = training.rng("co", training.number)
        self._model = CombinatorialOptimisation(power, rng=rng)
        return self

    def states(self, reports: MeterReports) -> Guess:
        """On, where the power that NILMTK reads is that of an appliance that is on."""
        return self.read(reports.asked.value_w)

    def read(self, mains_w: Floats) -> Guess:
        """What NILMTK says of values of the mains, shape (n,)."""
        power = self._model.disaggregate(mains_w)
        return Guess(power >= ON_W, power)


ADVERSARY = Combinatorial
