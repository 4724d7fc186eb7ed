"""The adversary of a vector of Laplace answers (``prrelation``, Theorem 4), exactly.

Each of q numbers gets noise of its own.  The log-likelihood ratio of one of them lies in
[-e, e], where e is the distance of its two answers in scales; under D (+) and D' (-) its law is
``exp(+-l/2 - e/2)`` times the measure ``(atom at -e + atom at e)/2 + Lebesgue/4``.  The ratio of q
independent numbers is the sum, so its law is ``exp(+-l/2 - q e/2)`` times the q-fold convolution of
that measure: atoms, and shifted B-splines.

1. :func:`vector_rates` integrates it above a threshold.
2. :func:`vector_table` sets the adversary beside the scalar one that Theorem 4 equates it with.
"""

import itertools
from collections.abc import Sequence
from math import factorial
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import BSpline

from noiseless.adversaries.likelihood_ratio import Rates, best_f_score, laplace_best_f_score
from noiseless.tables import Rows, as_table

EPSILONS_NATS: Final = (0.1, 0.5, 1, 2)  # ours: budgets of each number
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)


def vector_rates(log_ratio: ArrayLike, *, epsilon_nats: float, queries: int) -> Rates:
    """Rates of the test that accepts D where the vector's log-likelihood ratio is large enough.

    Parameters
    ----------
    log_ratio : array_like of float
        Smallest log-likelihood ratios that are accepted.
    epsilon_nats : float
        Distance of the two answers of each number, in scales of its noise.
    queries : int
        How many numbers, at least 1.

    Returns
    -------
    recall, false_alarm : ndarray
        Probabilities to accept D when it is true, and when D' is.
    """
    least = np.asarray(log_ratio, dtype=float)
    recall, false_alarm = np.zeros(least.shape), np.zeros(least.shape)
    for low in range(queries + 1):
        for high in range(queries + 1 - low):
            smooth = queries - low - high
            ways = factorial(queries) / (factorial(low) * factorial(high) * factorial(smooth))
            mass = ways * 0.5 ** (low + high) * (epsilon_nats / 2) ** smooth
            shift = (high - low) * epsilon_nats
            for rate, sign in ((recall, 1), (false_alarm, -1)):
                # Factors are joined under one exponential, because each alone may overflow.
                rate += mass * _tilted_tail(least, shift, smooth, epsilon_nats, sign, queries)
    return recall, false_alarm


def _tilted_tail(
    least: np.ndarray, shift: float, smooth: int, epsilon_nats: float, sign: int, queries: int
) -> np.ndarray:
    """Integral of exp(sign l/2 - queries epsilon/2) over l >= least, for l = shift plus a sum of
    ``smooth`` uniform numbers on [-epsilon, epsilon].
    """  # noqa: D205
    offset = queries * epsilon_nats / 2
    if smooth == 0:
        return np.where(least <= shift, np.exp(sign * shift / 2 - offset), 0.0)
    knots = np.linspace(-smooth, smooth, smooth + 1) * epsilon_nats
    density = BSpline.basis_element(knots, extrapolate=False)
    total = np.zeros(least.shape)
    for start, end in itertools.pairwise(knots):
        left = np.clip(least - shift, start, end)
        at = (left + end)[..., None] / 2 + np.multiply.outer((end - left) / 2, _NODES)
        tilted = np.exp(sign * (at + shift) / 2 - offset) * np.nan_to_num(density(at))
        # A basis element sums to one over its knots; as a density it is smooth/width as high.
        total += tilted @ _WEIGHTS * (end - left) / 2 * smooth / (knots[-1] - knots[0])
    return total


@as_table("queries", "epsilon_nats")
def vector_table(*, queries: Sequence[int], epsilon_nats: Sequence[float] = EPSILONS_NATS) -> Rows:
    """The best F1 of the adversary of q numbers, each with a budget of epsilon.

    Returns
    -------
    DataFrame
        Cells (queries, epsilon_nats).  Statistics: ``best_f1``, exactly; ``scalar_f1``, that of one
        number with a budget of q epsilon, which Theorem 4 says is the same, and
        ``best_minus_scalar_f1``; ``largest_recall_excess``, the most by which the recall of a test
        of the vector is above that of the one number at the same false alarm rate.
    """
    for count, each in itertools.product(queries, map(float, epsilon_nats)):

        def test(ratio: ArrayLike, each: float = each, count: int = count) -> Rates:
            return vector_rates(ratio, epsilon_nats=each, queries=count)

        best = float(best_f_score(test, beta=1.0))
        scalar = float(laplace_best_f_score(count * each, beta=1.0))
        recall, false_alarm = test(np.linspace(-count * each, count * each, 401)[1:])
        yield {
            "queries": count,
            "epsilon_nats": each,
            "best_f1": best,
            "scalar_f1": scalar,
            "best_minus_scalar_f1": best - scalar,
            "largest_recall_excess": (recall - _most_recall(false_alarm, count * each)).max(),
        }


def _most_recall(false_alarm: np.ndarray, epsilon_nats: float) -> np.ndarray:
    """Largest recall of one Laplace number at a false alarm rate (its trade-off curve)."""
    return np.select(
        [false_alarm <= np.exp(-epsilon_nats) / 2, false_alarm <= 0.5],
        [
            false_alarm * np.exp(epsilon_nats),
            1 - np.exp(-epsilon_nats) / (4 * np.maximum(false_alarm, 1e-300)),
        ],
        1 - np.exp(-epsilon_nats) * (1 - false_alarm),
    )
