"""Adversary with trees on windows of reports, trained on the released training days."""

from typing import Self

from noiseless.adversaries.inputs.appliances import ApplianceTraining, Guess, MeterReports
from noiseless.adversaries.interface import Adversary


class WindowTreesAdversary(Adversary):
    """Tree classifier of windows of reports, without knowledge of the mechanism."""

    name, order = "learned", 7
    label = "trees on windows, trained on released data"

    def fit(self, training: ApplianceTraining) -> Self:
        """Store the training days; the trees are trained on each release of them."""
        self._training = training
        return self

    def states(self, reports: MeterReports) -> Guess:
        """Train on the release of the training days, and classify the release of the test days."""
        # Imported here, as this module is also imported for its label alone.
        from noiseless.adversaries.window_classifier import WindowClassifier

        known = self._training.recording
        classifier = WindowClassifier.fit(
            reports.known.value_w,
            known.is_on["losses"],
            slot=known.slot,
            day=known.day,
            rng=self._training.rng("learned", reports.stream),
            **self._training.settings["learned"],
        )
        is_on = classifier.is_on(reports.asked.value_w, slot=reports.slot)
        return Guess(is_on, is_on * known.power_when_on_w)


ADVERSARY = WindowTreesAdversary
