"""Adversary with a factorial hidden Markov model, who knows the quantizer or the noise."""

from typing import Self

import numpy as np

from noiseless.adversaries.inputs.appliances import (
    ON_W,
    ApplianceTraining,
    Guess,
    MeterRelease,
    MeterReports,
)
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.on_off import find_best_threshold
from noiseless.arrays import Bools, Floats


class HiddenMarkov(Adversary):
    """Adversary that weighs all joint states of the appliances by the cell of each report."""

    name, order = "hmm", 6
    label = "hidden Markov model that knows the quantizer"

    def fit(self, training: ApplianceTraining) -> Self:
        """Fit the model to the training days, once for all releases."""
        # Imported here, as this module is also imported for its label alone.
        from noiseless.adversaries.factorial_hmm import FactorialHMM

        self._known = training.recording
        self._model = FactorialHMM.fit(
            self._known.power_w,
            self._known.mains_w,
            follows=self._known.follows,
            on_w=ON_W,
            range_w=training.range_w,
            rng=training.rng("hmm"),
            **training.settings["hmm"],
        )
        return self

    def states(self, reports: MeterReports) -> Guess:
        """Guess by the posterior; its thresholds have the best F-score on the training days."""
        known, _ = self._compute_posterior(reports.known, self._known.follows)
        columns = zip(known.T, self._known.is_on["losses"].T, strict=True)
        thresholds = np.array([find_best_threshold(*column) for column in columns])
        on, power = self._compute_posterior(reports.asked, reports.follows)
        return Guess(on >= thresholds, power)

    def _compute_posterior(self, seen: MeterRelease, follows: Bools) -> tuple[Floats, Floats]:
        """Compute the posterior probability to be on and the expected power from a release."""
        return self._model.compute_posterior(
            seen.low_w, seen.high_w, follows=follows, noise_w=seen.noise_w
        )


ADVERSARY = HiddenMarkov
