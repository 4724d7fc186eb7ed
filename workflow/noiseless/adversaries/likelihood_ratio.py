"""Neyman-Pearson adversary of a noisy answer (``prrelation``, Sections 3 to 5).

The adversary knows every record but one, and tests whether the answer is that of D (the record is
there, or has its first value; hypothesis h1) or of D' (h0).  What decides is the distance of the
two noiseless answers in the unit of the noise.

1. A *test* accepts D where the answer is at or above a threshold.  It has a *recall* (the
   probability to accept D when it is true, RSR) and a *false alarm* rate (when D' is true, GSR).
   Thresholds are positions ``psi``: 0 is the noiseless answer of D' and 1 that of D.
2. :class:`SideKnowledge` holds how much more likely D is than D' beforehand.
3. :func:`compute_precision` and :func:`compute_f_score` rate a test.
4. The best F-score of any test: in closed form for Laplace noise
   (:func:`maximise_laplace_f_score`), for any noise by :func:`maximise_f_score` from its
   likelihood-ratio tests, and by
   :func:`search_f_score` from its thresholds, which knows of no likelihood ratio.

An adversary whose two answers differ by less than the sensitivity, by a share ``g`` of it, faces
the same test with ``g * epsilon`` or ``g * mu`` in place of ``epsilon_nats`` and ``mu``.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import check_positive, require_number
from noiseless.mechanisms.families.gaussian import (
    compute_analytic_sigma,
    compute_classical_sigma,
    compute_printed_sigma,
)

# A test's recall and its false alarm rate, of equal shapes.
Rates = tuple[Floats, Floats]


@dataclass(frozen=True)
class SideKnowledge:
    """Prior knowledge of the adversary about a record, by the paper's three coefficients.

    The coefficient ``rho_p`` of the prior distribution (Section 5.1) is 1 - min P(d_i1)/P(d_i2)
    over two values of a record; 0 is a uniform prior.  ``rho_c`` is that of the correlation with
    other records (Section 5.2): they make the likelier value likelier still, by a factor of 1/(1 -
    rho_c); ``rho_t`` that of the correlation over time (Section 5.3), in the same way.  Together
    they must not make a value more than certain.

    >>> round(SideKnowledge(rho_p=0.5).probability, 3)
    0.667
    """

    rho_p: float = 0.0
    rho_c: float = 0.0
    rho_t: float = 0.0

    def __post_init__(self) -> None:
        for name in ("rho_p", "rho_c", "rho_t"):
            require_number(name, getattr(self, name), least=0, below=1)
        if self.odds_against <= 0:
            raise ConfigError(
                f"rho_p = {self.rho_p}, rho_c = {self.rho_c} and rho_t = {self.rho_t} cannot be "
                "true together: the likelier value of the record would have a probability of "
                f"{self.probability:.3g}, and the adversary would need no answer. "
                "(2 - rho_p)(1 - rho_c)(1 - rho_t) must be larger than 1."
            )

    @property
    def odds_against(self) -> float:
        """Prior odds P(D')/P(D), at most 1 (Eqs. 17, 20, 23)."""
        return (2 - self.rho_p) * (1 - self.rho_c) * (1 - self.rho_t) - 1

    @property
    def probability(self) -> float:
        """Prior probability P(D)."""
        return 1 / (1 + self.odds_against)


@np.errstate(under="ignore")
def compute_precision(
    recall: ArrayLike, false_alarm: ArrayLike, odds_against: ArrayLike = 1.0
) -> Floats:
    """Compute the probability of D when the test accepts it (Eqs. 11, 17, 20, 23).

    ``odds_against`` are P(D')/P(D) beforehand.
    """
    recall = np.asarray(recall, dtype=float)
    return recall / (recall + np.multiply(odds_against, false_alarm))


@np.errstate(under="ignore")
def compute_f_score(
    recall: ArrayLike, false_alarm: ArrayLike, *, beta: ArrayLike, odds_against: ArrayLike = 1.0
) -> Floats:
    """Compute the weighted harmonic mean of precision (weight 1) and recall (weight beta^2).

    ``odds_against`` are P(D')/P(D) beforehand.
    """
    recall, weight = np.asarray(recall, dtype=float), np.square(beta)
    return (1 + weight) * recall / (recall + np.multiply(odds_against, false_alarm) + weight)


def compute_floor_f_score(*, beta: ArrayLike, odds_against: ArrayLike = 1.0) -> Floats:
    """Compute the F-score of always accepting D, without an answer (Eqs. 12, 18, 21, 24)."""
    return compute_f_score(1.0, 1.0, beta=beta, odds_against=odds_against)


# Laplace noise ------------------------------------------------------------------------------------


def compute_laplace_threshold(false_alarm: ArrayLike, epsilon_nats: ArrayLike) -> Floats:
    """Compute the threshold position psi with a false alarm rate (Theorem 3, Eq. 6).

    Epsilon is the distance of the two answers in scales of the noise.
    """
    alpha = np.asarray(false_alarm, dtype=float)
    rarer = np.log(2 * np.minimum(alpha, 1 - alpha))
    return np.where(alpha <= 0.5, -rarer, rarer) / epsilon_nats


def compute_laplace_rates(psi: ArrayLike, epsilon_nats: ArrayLike) -> Rates:
    """Compute recall and false alarm rate of the threshold at psi (Eqs. 9, 10, sign corrected).

    Epsilon is the distance of the two answers in scales of the noise.
    """
    return _compute_laplace_survival(np.subtract(psi, 1) * epsilon_nats), _compute_laplace_survival(
        np.multiply(psi, epsilon_nats)
    )


def compute_laplace_test_rates(log_ratio: ArrayLike, epsilon_nats: ArrayLike) -> Rates:
    """Compute the rates of the test that accepts D at log-likelihood ratios from ``log_ratio``.

    The ratio of Eq. 7 stays within e^-epsilon and e^epsilon: below, every answer is accepted.
    """
    log_ratio, epsilon_nats = np.broadcast_arrays(np.asarray(log_ratio, dtype=float), epsilon_nats)
    inside = compute_laplace_rates(
        (np.clip(log_ratio, -epsilon_nats, epsilon_nats) / epsilon_nats + 1) / 2, epsilon_nats
    )
    recall, false_alarm = (
        np.select([log_ratio <= -epsilon_nats, log_ratio > epsilon_nats], [1.0, 0.0], rate)
        for rate in inside
    )
    return recall, false_alarm


def maximise_laplace_f_score(
    epsilon_nats: ArrayLike, *, beta: ArrayLike, odds_against: ArrayLike = 1.0
) -> Floats:
    """Compute the largest F-score of any test of a Laplace answer (Eqs. 12, 18, 21, 24).

    Up to epsilon = log(1 + beta^2/odds_against) it is :func:`compute_floor_f_score`: no test beats
    accepting always.
    """
    weight, odds = np.square(beta), np.asarray(odds_against, dtype=float)
    root = np.sqrt(1 + 4 * weight * np.exp(epsilon_nats) / odds)
    above = (1 + weight) * (root - 1) / ((1 + weight) * root - 1 + weight)
    flat = np.asarray(epsilon_nats) < np.log1p(weight / odds)
    return np.where(flat, compute_floor_f_score(beta=beta, odds_against=odds), above)


def compute_believed_f_score(
    epsilon_nats: ArrayLike,
    *,
    beta: ArrayLike,
    odds_against: ArrayLike,
    believed_odds_against: ArrayLike,
) -> Floats:
    """Compute the F-score, at the true odds, of the test that is best at believed odds.

    With F* the best F-score at the believed odds w' = P(D')/P(D), that test accepts where the
    likelihood ratio is at least F* w' / (1 + beta^2 - F*) (:func:`maximise_f_score`).  What knowing
    the odds is worth is :func:`maximise_laplace_f_score` less this.
    """
    believed = np.asarray(believed_odds_against, dtype=float)
    best = maximise_laplace_f_score(epsilon_nats, beta=beta, odds_against=believed)
    log_ratio = np.log(best * believed / (1 + np.square(beta) - best))
    rates = compute_laplace_test_rates(log_ratio, epsilon_nats)
    return compute_f_score(*rates, beta=beta, odds_against=odds_against)


def find_laplace_epsilon(
    f_bound: ArrayLike, *, beta: ArrayLike, odds_against: ArrayLike = 1.0
) -> Floats:
    """Find the largest epsilon (nats) at which no Laplace test's F-score exceeds ``f_bound``.

    The inverse of :func:`maximise_laplace_f_score` (Table 1).  Infinite for a bound of 1 or more;
    NaN where the bound lies below :func:`compute_floor_f_score`, because no epsilon keeps it.
    """
    bound, weight = np.asarray(f_bound, dtype=float), np.square(beta)
    with np.errstate(divide="ignore"):
        root = 1 + 2 * weight * bound / ((1 + weight) * np.maximum(1 - bound, 0))
    epsilon_nats = np.log(odds_against * (np.square(root) - 1) / (4 * weight))
    kept = bound >= compute_floor_f_score(beta=beta, odds_against=odds_against) * (1 - 1e-15)
    return np.where(kept, epsilon_nats, np.nan)


def _compute_laplace_survival(distance: ArrayLike) -> Floats:
    """Compute the probability that Laplace noise of scale 1 is at least ``distance``."""
    distance = np.asarray(distance)
    tail = np.exp(-np.abs(distance)) / 2
    return np.where(distance >= 0, tail, 1 - tail)


# Normal noise -------------------------------------------------------------------------------------


def compute_gaussian_threshold(false_alarm: ArrayLike, mu: ArrayLike) -> Floats:
    """Compute the threshold position psi with a false alarm rate (Theorem 6).

    ``mu`` is the distance of the two answers in standard deviations of the noise.
    """
    return -ndtri(false_alarm) / mu


def compute_gaussian_rates(psi: ArrayLike, mu: ArrayLike) -> Rates:
    """Compute recall and false alarm rate of the threshold at psi (Eq. 14).

    Parameters are those of :func:`compute_laplace_rates`, with ``mu`` in standard deviations.
    """
    return ndtr(np.subtract(1, psi) * mu), ndtr(-np.multiply(psi, mu))


def compute_gaussian_test_rates(log_ratio: ArrayLike, mu: ArrayLike) -> Rates:
    """Compute the rates of the test that accepts D at log-likelihood ratios from ``log_ratio``."""
    return compute_gaussian_rates(np.divide(log_ratio, np.square(mu)) + 0.5, mu)


# Any noise ----------------------------------------------------------------------------------------


def maximise_f_score(
    test: Callable[[Floats], Rates], *, beta: ArrayLike, odds_against: ArrayLike = 1.0
) -> Floats:
    """Compute the largest F-score of any test, from the likelihood-ratio tests of a noise.

    The test takes log-likelihood ratios, and gives recall and false alarm rate at each.

    F is a ratio of two numbers that are linear in recall and false alarm, so a test beats ``F``
    when ``(1 + beta^2 - F) recall - F odds false_alarm`` exceeds ``F beta^2``.  The most that
    difference can be belongs to the test with the likelihood ratio ``F odds / (1 + beta^2 - F)``;
    its F-score is the next ``F`` (Dinkelbach's method, which rises to the maximum).
    """
    weight, odds = np.square(beta), np.asarray(odds_against, dtype=float)
    best = compute_floor_f_score(beta=beta, odds_against=odds_against)
    for _ in range(200):
        score = compute_f_score(
            *test(np.log(best * odds / (1 + weight - best))), beta=beta, odds_against=odds_against
        )
        if not (score > best).any():
            return np.broadcast_arrays(best, score)[0].copy()
        best = np.maximum(best, score)
    raise AssertionError("Dinkelbach's method did not converge")


def search_f_score(
    rates: Callable[[Floats], Rates],
    *,
    reach: float,
    beta: float,
    odds_against: float = 1.0,
    zooms: int = 8,
) -> float:
    """Search the largest F-score over all thresholds on ever finer grids.

    Thresholds psi lie up to ``reach`` below 0 and above 1; each of the ``zooms`` is a grid of 1,001
    points over the two steps round the best point of the one before.
    """
    check_positive("reach", reach)
    low, high, best = -reach, 1 + reach, 0.0
    for _ in range(zooms):
        psi = np.linspace(low, high, 1001)
        scores = compute_f_score(*rates(psi), beta=beta, odds_against=odds_against)
        at = int(scores.argmax())
        best = max(best, float(scores[at]))
        low, high = psi[max(at - 1, 0)], psi[min(at + 1, 1000)]
    return best


# The noise of a budget ----------------------------------------------------------------------------

CALIBRATIONS = {
    "gaussian_classical": compute_classical_sigma,
    "gaussian_analytic": compute_analytic_sigma,
    "gaussian_printed": compute_printed_sigma,
}


@dataclass(frozen=True)
class NoiseTest:
    """Noise of one family, and the distance of the two answers in its unit.

    The unit is the scale (Laplace) or the standard deviation (Gaussian) of the noise.
    """

    threshold: Callable[[ArrayLike, ArrayLike], Floats]
    rates: Callable[[ArrayLike, ArrayLike], Rates]
    test: Callable[[ArrayLike, ArrayLike], Rates]
    distance: float


def build_noise_test(mechanism: str, *, epsilon_nats: float, delta: float) -> NoiseTest:
    """Build the noise of ``laplace``, or of a key of :data:`CALIBRATIONS`, at a budget."""
    if mechanism == "laplace":
        return NoiseTest(
            compute_laplace_threshold,
            compute_laplace_rates,
            compute_laplace_test_rates,
            epsilon_nats,
        )
    sigma = CALIBRATIONS[mechanism](sensitivity=1.0, epsilon_nats=epsilon_nats, delta=delta)
    return NoiseTest(
        compute_gaussian_threshold, compute_gaussian_rates, compute_gaussian_test_rates, 1 / sigma
    )
