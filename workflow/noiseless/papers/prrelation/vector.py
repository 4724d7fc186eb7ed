"""Exact rates of the adversary of a vector of Laplace answers (``prrelation``, Theorem 4).

Each of q numbers gets independent noise.  The log-likelihood ratio l of one number lies in [-e, e],
where e is the distance of its two answers in scales; under D (+) and D' (-) its law is
``exp(+-l/2 - e/2)`` times the measure ``(atom at -e + atom at e)/2 + Lebesgue/4``.  The ratio of q
independent numbers is the sum, so its law is ``exp(+-l/2 - q e/2)`` times the q-fold convolution of
that measure: atoms, and shifted B-splines.

1. :func:`compute_vector_rates` integrates the law above a threshold.
2. :func:`build_vector_table` compares the adversary with the adversary of one number, whom Theorem
   4 calls equally strong.
"""

import itertools
from collections.abc import Sequence
from functools import partial
from math import factorial
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import BSpline

from noiseless.adversaries.likelihood_ratio import Rates, maximise_f_score, maximise_laplace_f_score
from noiseless.tables import Rows, returns_table

EPSILONS_NATS: Final = (0.1, 0.5, 1, 2)  # budgets of each number; the paper gives none
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)


def compute_vector_rates(log_ratio: ArrayLike, *, epsilon_nats: float, queries: int) -> Rates:
    """Compute recall and false alarm rate of the tests on a vector's log-likelihood ratio.

    A test accepts D at ``log_ratio`` or a larger one; the rates have its shape. ``epsilon_nats`` is
    the distance of the two answers of each number, in scales of its noise.
    """
    min_ratio = np.asarray(log_ratio, dtype=float)
    recall, false_alarm = np.zeros(min_ratio.shape), np.zeros(min_ratio.shape)
    for low in range(queries + 1):
        for high in range(queries + 1 - low):
            smooth = queries - low - high
            ways = factorial(queries) / (factorial(low) * factorial(high) * factorial(smooth))
            mass = ways * 0.5 ** (low + high) * (epsilon_nats / 2) ** smooth
            shift = (high - low) * epsilon_nats
            for rate, sign in ((recall, 1), (false_alarm, -1)):
                # All factors stand under one exponential, because each alone may overflow.
                rate += mass * _integrate_tilted_tail(
                    min_ratio, shift, smooth, epsilon_nats, sign, queries
                )
    return recall, false_alarm


def _integrate_tilted_tail(
    min_ratio: np.ndarray, shift: float, smooth: int, epsilon_nats: float, sign: int, queries: int
) -> np.ndarray:
    """Compute the integral of exp(sign l/2 - queries epsilon/2) over l >= ``min_ratio``.

    The law of l is that of ``shift`` plus the sum of ``smooth`` independent uniform numbers on
    [-epsilon, epsilon].
    """
    offset = queries * epsilon_nats / 2
    if smooth == 0:
        return np.where(min_ratio <= shift, np.exp(sign * shift / 2 - offset), 0.0)
    knots = np.linspace(-smooth, smooth, smooth + 1) * epsilon_nats
    density = BSpline.basis_element(knots, extrapolate=False)
    total = np.zeros(min_ratio.shape)
    for start, end in itertools.pairwise(knots):
        left = np.clip(min_ratio - shift, start, end)
        at = (left + end)[..., None] / 2 + np.multiply.outer((end - left) / 2, _NODES)
        tilted = np.exp(sign * (at + shift) / 2 - offset) * np.nan_to_num(density(at))
        # A basis element sums to one over its knots; as a density it is smooth/width as high.
        total += tilted @ _WEIGHTS * (end - left) / 2 * smooth / (knots[-1] - knots[0])
    return total


@returns_table("queries", "epsilon_nats")
def build_vector_table(
    *, queries: Sequence[int], epsilon_nats: Sequence[float] = EPSILONS_NATS
) -> Rows:
    """Compute the best F1 of the adversary of q numbers, each with a budget of epsilon (nats).

    Statistics: ``best_f1``, exactly; ``scalar_f1``, the best F1 for one number with a budget of q
    epsilon, which Theorem 4 says is equal, and ``best_minus_scalar_f1``; ``largest_recall_excess``,
    the largest difference of the recall of a test of the vector and the largest recall for the one
    number at an equal false alarm rate.
    """
    for count, each in itertools.product(queries, map(float, epsilon_nats)):
        compute_test_rates = partial(compute_vector_rates, epsilon_nats=each, queries=count)
        best = float(maximise_f_score(compute_test_rates, beta=1.0))
        scalar = float(maximise_laplace_f_score(count * each, beta=1.0))
        recall, false_alarm = compute_test_rates(np.linspace(-count * each, count * each, 401)[1:])
        yield {
            "queries": count,
            "epsilon_nats": each,
            "best_f1": best,
            "scalar_f1": scalar,
            "best_minus_scalar_f1": best - scalar,
            "largest_recall_excess": (
                recall - _compute_max_recall(false_alarm, count * each)
            ).max(),
        }


def _compute_max_recall(false_alarm: np.ndarray, epsilon_nats: float) -> np.ndarray:
    """Compute the largest recall for one Laplace number at false alarm rates, in their shape."""
    return np.select(
        [false_alarm <= np.exp(-epsilon_nats) / 2, false_alarm <= 0.5],
        [
            false_alarm * np.exp(epsilon_nats),
            1 - np.exp(-epsilon_nats) / (4 * np.maximum(false_alarm, 1e-300)),
        ],
        1 - np.exp(-epsilon_nats) * (1 - false_alarm),
    )
