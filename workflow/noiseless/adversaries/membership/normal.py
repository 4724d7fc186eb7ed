"""Adversary by the likelihood ratio of the candidates, as if homes were normal."""

from functools import cache
from typing import Self

import numpy as np

from noiseless.adversaries.inputs.membership import MembershipView, Training, get_series
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats

_WH_PER_KWH = 1000
_MIN_CELL_WH = 1.0  # readings are whole Wh, and so are sums of them


class NormalLikelihoodAdversary(Adversary):
    """Adversary by the likelihood ratio of the candidates, as if homes were normal.

    It knows the mechanism, and the mean and the covariance of other homes
    (:mod:`noiseless.adversaries.normal_homes`).
    """

    name, order = "normal", 5
    label = "normal likelihood"
    is_trained = True
    sees_series = True

    def fit(self, training: Training) -> Self:
        """Estimate mean and covariance of the homes of the training data."""
        # Imported here, as this module is also imported for its label alone.
        from noiseless.adversaries.normal_homes import NormalHomeModel, PublishedSum

        population = NormalHomeModel.estimate(training.homes_kwh * _WH_PER_KWH)

        @cache
        def build_published_sum(n: int) -> PublishedSum:
            """Build the published sum of n homes, which is n times their mean."""
            return PublishedSum(
                population,
                n - 1,
                noise_wh2=(n * training.noise_kwh * _WH_PER_KWH) ** 2,
                cell_wh=max(n * training.cell_kwh * _WH_PER_KWH, _MIN_CELL_WH),
            )

        self._seen = build_published_sum
        return self

    def prefer(self, view: MembershipView) -> Floats:
        """Compute the log-likelihood ratio of candidate 0, shape (G,)."""
        series = get_series(view)
        published_wh = series.n * _WH_PER_KWH * series.output_kwh
        candidates_wh = np.rint(series.candidates_kwh * _WH_PER_KWH).astype(np.int64)
        return self._seen(series.n).compute_game_ratios(published_wh, candidates_wh)


ADVERSARY = NormalLikelihoodAdversary
