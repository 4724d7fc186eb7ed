"""Adversaries of the membership game, who tell which of two candidates is in the aggregate.

An adversary sees the released aggregate (y_t) and the true readings (x_0,t) and (x_1,t) of two
candidates, one of whom is in the aggregate (``noiseless``, Section V.A).

1. :class:`Evidence` holds all that the three adversaries of the paper need, as exact integer sums.
2. :func:`correlation`, :func:`mse` and :func:`peaks` turn it into a preference for candidate 0;
   :func:`control` looks at the candidates alone and not at the output.
3. :func:`guess` decides, by a fair coin where there is no preference.
4. :class:`Learned` is trained on games between other homes.

Ties.  Scores of both candidates that differ by no more than :data:`TIE` (in correlation; as a
share of their sum for the mean square error) are a tie: floating-point noise is no reason for a
guess.  So is a score that is not defined, the correlation with a constant.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TIE = 1e-9


@dataclass(frozen=True)
class Evidence:
    """Sums over the T readings of each of G games; energies in Wh, output in steps.

    The output is ``y_t = offset_wh + step_wh * (first + k_t)`` with whole numbers k_t, and k_0 = 0:
    bins are counted from the one of the first reading, which keeps the sums small, and makes
    them all zero if and only if the output is constant.

    Attributes
    ----------
    readings : int
        T.
    step_wh, offset_wh : float
        Width of a bin and mid-point of bin 0; one n-th of a Wh and 0 for the exact mean.
    first : ndarray of int, shape (G,)
        Bin of the first reading.
    sum_k, sum_kk : ndarray of int, shape (G,)
        Sums of k_t and of its square.
    sum_x, sum_xx, sum_xk : ndarray of int, shape (G, 2)
        Sums of each candidate's reading, its square, and its product with k_t.
    common_peaks : ndarray of int, shape (G, 2)
        Readings that are peaks of both the candidate and the output.
    """

    readings: int
    step_wh: float
    offset_wh: float
    first: Ints
    sum_k: Ints
    sum_kk: Ints
    sum_x: Ints
    sum_xx: Ints
    sum_xk: Ints
    common_peaks: Ints


def correlation(evidence: Evidence) -> Floats:
    """Prefer the candidate with the larger Pearson correlation with the output.

    Returns
    -------
    ndarray, shape (G,)
        Positive for candidate 0, negative for candidate 1, 0 for none; so for all adversaries.
    """
    t, sum_k = evidence.readings, evidence.sum_k[:, None]
    covariance = evidence.sum_xk - evidence.sum_x * (sum_k / t)
    variance_x = evidence.sum_xx - evidence.sum_x * (evidence.sum_x / t)
    variance_k = evidence.sum_kk[:, None] - sum_k * (sum_k / t)
    # Whole numbers that are not all equal have a variance sum of at least 1 - 1/T.
    defined = (variance_k > 0.25) & (variance_x > 0.25)
    scale = np.sqrt(np.where(defined, variance_x * variance_k, 1))
    score = covariance / scale
    preference = score[:, 0] - score[:, 1]
    return np.where(defined.all(axis=1) & (np.abs(preference) > TIE), preference, 0)


def mse(evidence: Evidence) -> Floats:
    """Prefer the candidate with the smaller mean square error from the output."""
    t, step = evidence.readings, evidence.step_wh
    start = (evidence.offset_wh + step * evidence.first)[:, None]  # y_0
    sum_xy = start * evidence.sum_x + step * evidence.sum_xk
    sum_yy = (
        t * start**2 + (step * (2 * start[:, 0] * evidence.sum_k + step * evidence.sum_kk))[:, None]
    )
    error = evidence.sum_xx - 2 * sum_xy + sum_yy
    preference = error[:, 1] - error[:, 0]
    return np.where(np.abs(preference) > TIE * error.sum(axis=1), preference, 0)


def peaks(evidence: Evidence) -> Floats:
    """Prefer the candidate with more peaks in common with the output."""
    return (evidence.common_peaks[:, 0] - evidence.common_peaks[:, 1]).astype(float)


def control(evidence: Evidence) -> Floats:
    """Prefer the candidate who consumes more, whatever the output: what a game gives away."""
    return (evidence.sum_x[:, 0] - evidence.sum_x[:, 1]).astype(float)


ADVERSARIES = {"correlation": correlation, "mse": mse, "peaks": peaks, "control": control}


def guess(preference: Floats, coin: NDArray[np.integer]) -> Ints:
    """The candidate, 0 or 1, that an adversary names.

    Parameters
    ----------
    preference : ndarray, shape (G,)
        Of one of the adversaries.
    coin : ndarray of 0 and 1, shape (G,)
        Decides where there is no preference.
    """
    return np.where(preference == 0, coin, preference < 0).astype(np.int64)


def is_peak(series: NDArray[np.generic], *, strict: bool) -> NDArray[np.bool_]:
    """Readings that are local maxima of their series.

    Parameters
    ----------
    series : ndarray, shape (..., T)
    strict : bool
        Whether a peak must be above both its neighbours.  Otherwise it must not be below either,
        and above one of them, so that both ends of a plateau count.  The first and the last
        reading have one neighbour only and are never peaks.

    Returns
    -------
    ndarray of bool, shape (..., T)
    """
    before, at, after = series[..., :-2], series[..., 1:-1], series[..., 2:]
    peak = np.zeros(series.shape, dtype=bool)
    if strict:
        peak[..., 1:-1] = (at > before) & (at > after)
    else:
        peak[..., 1:-1] = (at >= before) & (at >= after) & ((at > before) | (at > after))
    return peak


class Learned:
    """A logistic regression on what the output has in common with either candidate.

    It knows the readings of other homes: their mean and variance at each reading tell what is
    common to everybody, and what sets a candidate apart.  For each candidate it looks at

    - the correlation with the output, the root mean square error, and the common peaks;
    - the correlation after the mean of the other homes is taken from both;
    - the correlation of the changes from reading to reading;
    - the logarithm of the likelihood of the output, if homes were independent and normal.

    The regression takes the differences between the candidates and has no intercept: to swap the
    candidates swaps the guess.

    Parameters
    ----------
    others : ndarray, shape (homes, T)
        Readings of the homes that it may know, none of which plays in a game that it is tested on.
    """

    def __init__(self, others: Floats) -> None:
        self._mean = others.mean(axis=0)
        self._variance = np.maximum(others.var(axis=0, ddof=1), 1e-12 * (1 + self._mean**2))
        self._model = make_pipeline(
            StandardScaler(with_mean=False), LogisticRegression(fit_intercept=False)
        )

    def features(self, output: Floats, candidates: Floats, *, n: int) -> Floats:
        """Differences between the candidates.

        Parameters
        ----------
        output : ndarray, shape (G, T)
            Released means, in the unit of the readings.
        candidates : ndarray, shape (G, 2, T)
            Their readings.
        n : int
            Homes in the aggregate.

        Returns
        -------
        ndarray, shape (G, 6)
        """
        y, x = output[:, None, :], candidates
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

    def fit(self, features: Floats, member: NDArray[np.integer]) -> None:
        """Learn from games whose member (0 or 1, shape (G,)) is known."""
        self._model.fit(features, member)

    def preference(self, features: Floats) -> Floats:
        """Positive for candidate 0, negative for candidate 1, 0 for none; shape (G,)."""
        return -self._model.decision_function(features)


def _correlation(a: Floats, b: Floats) -> Floats:
    """Pearson correlation along the last axis; 0 with a constant."""
    a, b = (each - each.mean(axis=-1, keepdims=True) for each in (a, b))
    scale = np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    product = (a * b).sum(axis=-1)
    return np.divide(product, scale, out=np.zeros_like(product), where=scale > 1e-9)
