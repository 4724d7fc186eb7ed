"""A logistic regression on what the output has in common with either candidate."""

from typing import Self

import numpy as np

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.membership import Evidence, Floats, RawSeries, Training
from noiseless.compiled import njit

# Below it, a product of two standard deviations is that of rounding.
_CONSTANT = 1e-9


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
        # Here, because all jobs that play the game import this module, and few learn.
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

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
        spread = self._variance * (series.n - 1) / series.n**2
        scores = np.empty((*series.candidates_kwh.shape[:2], 6))
        _score(
            np.ascontiguousarray(series.output_kwh),  # one layout, compiled once
            np.ascontiguousarray(series.candidates_kwh),
            self._mean,
            1 / spread,
            series.n,
            scores,
        )
        return scores[:, 0] - scores[:, 1]


# Free to add in another order, the compiler takes several readings at once.
@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "nsz"})
def _score(outputs, candidates, usual, weight, n, scores):  # noqa: ANN001, ANN202
    """What each candidate has in common with the output, shape (G, 2, 6), into ``scores``.

    ``usual`` is the mean of the other homes at each reading, ``weight`` one over the variance of
    the output if homes were independent.  Each series is read twice: for its mean, and for what
    is left of it.
    """
    readings = outputs.shape[1]
    usual_mean = usual.sum() / readings
    for g in range(len(outputs)):
        y = outputs[g]
        y_mean = y.sum() / readings
        y_step = (y[-1] - y[0]) / (readings - 1)
        for c in range(2):
            x = candidates[g, c]
            x_mean = x.sum() / readings
            x_step = (x[-1] - x[0]) / (readings - 1)
            xx = xy = yy = apart = unlikely = 0.0
            unusual_xx = unusual_xy = unusual_yy = 0.0
            step_xx = step_xy = step_yy = 0.0
            common_peaks = 0
            for t in range(readings):
                from_x, from_y, from_usual = x[t] - x_mean, y[t] - y_mean, usual[t] - usual_mean
                xx += from_x * from_x
                xy += from_x * from_y
                yy += from_y * from_y
                unusual_x, unusual_y = from_x - from_usual, from_y - from_usual
                unusual_xx += unusual_x * unusual_x
                unusual_xy += unusual_x * unusual_y
                unusual_yy += unusual_y * unusual_y
                error = x[t] - y[t]
                apart += error * error
                error = y[t] - (usual[t] + (x[t] - usual[t]) / n)
                unlikely += error * error * weight[t]
            for t in range(1, readings):
                step_x, step_y = x[t] - x[t - 1] - x_step, y[t] - y[t - 1] - y_step
                step_xx += step_x * step_x
                step_xy += step_x * step_y
                step_yy += step_y * step_y
            for t in range(1, readings - 1):
                common_peaks += (
                    (x[t] > x[t - 1]) & (x[t] > x[t + 1]) & (y[t] > y[t - 1]) & (y[t] > y[t + 1])
                )
            found = scores[g, c]
            found[0] = _correlation(xx, xy, yy)
            found[1] = -np.sqrt(apart / readings)
            found[2] = common_peaks / readings
            found[3] = _correlation(unusual_xx, unusual_xy, unusual_yy)
            found[4] = _correlation(step_xx, step_xy, step_yy)
            found[5] = -unlikely / readings


@njit(cache=True, nogil=True, error_model="numpy")
def _correlation(xx, xy, yy):  # noqa: ANN001, ANN202
    """Pearson's, from sums of squares and products; 0 with a constant."""
    scale = np.sqrt(xx * yy)
    return xy / scale if scale > _CONSTANT else 0.0


ADVERSARY = Learned
