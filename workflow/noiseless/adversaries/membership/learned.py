"""Logistic-regression adversary on similarities of the output and the candidates."""

from typing import Self

import numpy as np

from noiseless.adversaries.inputs.membership import MembershipView, RawSeries, Training, get_series
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats


class LogisticRegressionAdversary(Adversary):
    """Logistic regression on similarities of the output and the candidates.

    It knows mean and variance of other homes at each reading, and so what is common to all homes
    and what is special to a candidate.  Its features of each candidate are

    - the correlation with the output, the root mean square error, and the common peaks;
    - the correlation after the mean of the other homes is taken from both;
    - the correlation of the changes from reading to reading;
    - the logarithm of the likelihood of the output, if homes were independent and normal.

    The regression takes the differences between the candidates and has no intercept: to swap the
    candidates swaps the guess.
    """

    name, order = "learned", 4
    label = "learned"
    is_trained = True
    sees_series = True

    def fit(self, training: Training) -> Self:
        """Train the regression on games between homes of the training data."""
        # Imported here, as all jobs of the game import this module, but few train.
        from sklearn.linear_model import LogisticRegression
        from sklearn.preprocessing import StandardScaler

        homes = training.homes_kwh
        self._mean = homes.mean(axis=0)
        self._variance = np.maximum(homes.var(axis=0, ddof=1), 1e-12 * (1 + self._mean**2))
        played = [
            (self.compute_features(get_series(view)), member) for view, member in training.games()
        ]
        features, members = (np.concatenate(parts) for parts in zip(*played, strict=True))
        scaler = StandardScaler(with_mean=False)
        model = LogisticRegression(fit_intercept=False)
        model.fit(scaler.fit_transform(features), members)
        self._weights = model.coef_[0] / scaler.scale_
        return self

    def prefer(self, view: MembershipView) -> Floats:
        """Compute minus the log-odds of candidate 1, shape (G,)."""
        return -(self.compute_features(get_series(view)) @ self._weights)

    def compute_features(self, series: RawSeries) -> Floats:
        """Compute candidate 0's similarity scores less candidate 1's, shape (G, 6)."""
        # Imported here, as compiling is slow and this module is also imported for its label alone.
        from noiseless.adversaries.similarities import compute_similarities

        spread = self._variance * (series.n - 1) / series.n**2
        scores = np.empty((*series.candidates_kwh.shape[:2], 6))
        compute_similarities(
            np.ascontiguousarray(
                series.output_kwh
            ),  # one memory layout, so that numba compiles once
            np.ascontiguousarray(series.candidates_kwh),
            self._mean,
            1 / spread,
            series.n,
            scores,
        )
        return scores[:, 0] - scores[:, 1]


ADVERSARY = LogisticRegressionAdversary
