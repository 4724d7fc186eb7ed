"""Adversary by the difference of the two candidates, who knows the mean of other homes."""

from typing import Self

from noiseless.adversaries.inputs.membership import MembershipView, Training, get_series
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats


class KnownMeanAdversary(Adversary):
    """Adversary by the difference of the two candidates, who knows the mean of other homes.

    None of these homes is in the game.  Their mean at each reading, such as another published mean,
    shows the weather and the weekends, which it takes out of the release and of the candidates'
    difference (:mod:`noiseless.adversaries.pair_difference`).
    """

    name, order = "pair_known", 8
    label = "pair, others' mean known"
    is_trained = True
    sees_series = True

    def fit(self, training: Training) -> Self:
        """Take the mean of the homes of the training data."""
        self._mean_kwh = training.homes_kwh.mean(axis=0)
        return self

    def prefer(self, view: MembershipView) -> Floats:
        """Compute the log-likelihood ratio of candidate 0, shape (G,)."""
        # Imported here, as this module is also imported for its label alone.
        from noiseless.adversaries.pair_difference import compare_pair

        return compare_pair(get_series(view), view.step_wh, self._mean_kwh)


ADVERSARY = KnownMeanAdversary
