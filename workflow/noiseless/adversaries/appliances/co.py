"""Combinatorial optimisation by NILMTK, the adversary of Figure 4 of ``noiseless``."""

from typing import Self

from noiseless.adversaries.inputs.appliances import ON_W, ApplianceTraining, Guess, MeterReports
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats


class Combinatorial(Adversary):
    """Adversary that takes each report for the mains and picks the states with the nearest sum."""

    name, order = "co", 4
    label = "combinatorial optimisation (NILMTK)"
    is_random = True  # due to its clustering

    def fit(self, training: ApplianceTraining) -> Self:
        """Cluster the power of each appliance, once for all releases."""
        # Imported here, as this module is also imported for its label alone.
        from noiseless.adversaries.combinatorial import CombinatorialOptimisation

        known = training.recording
        power = dict(zip(known.appliances, known.power_w.T, strict=True))
        rng = training.rng("co", training.number)
        self._model = CombinatorialOptimisation(power, rng=rng)
        return self

    def states(self, reports: MeterReports) -> Guess:
        """Guess an appliance on where its disaggregated power reaches the threshold."""
        return self.guess_from_mains(reports.asked.value_w)

    def count_farther(self, reports: MeterReports, guess: Guess) -> int:
        """Count the bins of a guess in which NILMTK took states whose sum is not the nearest."""
        return self._model.count_farther(reports.asked.value_w, guess.power_w)

    def guess_from_mains(self, mains_w: Floats) -> Guess:
        """Disaggregate mains values, shape (n,), into on or off and power of each appliance."""
        power = self._model.disaggregate(mains_w)
        return Guess(power >= ON_W, power)


ADVERSARY = Combinatorial
