"""A logistic regression on what the output has in common with either candidate."""

from typing import Self

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.membership import (
    Evidence,
    Floats,
    RawSeries,
    Training,
    is_peak,
)

_GAMES_AT_ONCE = 50  # arrays of games x readings that fit into the processor's cache


class Learned(Adversary):
    """A logistic regression on what the output has in common with either candidate.

    It knows the readings of other homes: their mean and variance at each reading tell what is
    common to everybody, and what sets a candidate apart.  For each candidate it looks at

    - the correlation with the output, the root mean square error, and the common peaks;
    - the correlation after the mean of the other homes is taken from both;
    - the correlation of the changes from reading to reading;
    - the logarithm of the likelihood of the output, if homes were independent and normal.

    The regression takes the differences between the candidates and has no intercept: to swap the
    candidates swaps the guess.
    """

    name = "learned"
    is_trained = True
    sees_series = True

    def fit(self, training: Training) -> Self:
        """Learn what homes have in common, and what gave members away."""
        homes = training.homes_kwh
        self._mean = homes.mean(axis=0)
        self._variance = np.maximum(homes.var(axis=0, ddof=1), 1e-12 * (1 + self._mean**2))
        self._model = make_pipeline(
            StandardScaler(with_mean=False), LogisticRegression(fit_intercept=False)
        )
        played = [(self.features(evidence.series), member) for evidence, member in training.games()]
        features, members = zip(*played, strict=True)
        self._model.fit(np.concatenate(features), np.concatenate(members))
        return self

    def prefer(self, evidence: Evidence) -> Floats:
        """Minus the logarithm of the odds of candidate 1."""
        return -self._model.decision_function(self.features(evidence.series))

    def features(self, series: RawSeries | None) -> Floats:
        """Differences between the candidates, shape (G, 6)."""
        if series is None:
            raise ValueError("the game gives no readings, which `sees_series` asks for")
        starts = range(_GAMES_AT_ONCE, len(series.output_kwh), _GAMES_AT_ONCE)
        parts = zip(
            np.split(series.output_kwh, starts),
            np.split(series.candidates_kwh, starts),
            strict=True,
        )
        return np.concatenate([self._features(y[:, None], x, series.n) for y, x in parts])

    def _features(self, y: Floats, x: Floats, n: int) -> Floats:
        """:meth:`features` of some games, outputs (G, 1, T) and candidates (G, 2, T)."""
        both_peaks = is_peak(x, strict=True) & is_peak(y, strict=True)
        expected = self._mean + (x - self._mean) / n
        spread = self._variance * (n - 1) / n**2
        scores = np.stack(
            [
                _correlation(x, y),
                -np.sqrt(((x - y) ** 2).mean(axis=-1)),
                both_peaks.mean(axis=-1),
                _correlation(x - self._mean, y - self._mean),
                _correlation(np.diff(x), np.diff(y)),
                -((y - expected) ** 2 / spread).mean(axis=-1),
            ],
            axis=-1,
        )
        return scores[:, 0] - scores[:, 1]


def _correlation(a: Floats, b: Floats) -> Floats:
    """Pearson correlation along the last axis; 0 with a constant."""
    a, b = (series - series.mean(axis=-1, keepdims=True) for series in (a, b))
    scale = np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    product = (a * b).sum(axis=-1)
    return np.divide(product, scale, out=np.zeros_like(product), where=scale > 1e-9)


ADVERSARY = Learned
