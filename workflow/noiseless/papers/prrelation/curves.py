"""Precision, recall and F-score of the Neyman-Pearson adversary, by formula (``prrelation``).

1. :func:`build_curve_table`: precision and recall for each false alarm rate (Figures 3a, 4, 5b, 6b,
   7b).
2. :func:`build_f_score_table`: the best F-score by formula, as printed, and by search (Figures 3b,
   8).
3. :func:`build_threshold_table`: the steps of Theorem 3, printed and corrected.
4. :func:`build_calibration_table`: comparison of the classical, the printed and the analytic
   Gaussian.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
from scipy.special import expit

from noiseless.adversaries.likelihood_ratio import (
    CALIBRATIONS,
    NoiseTest,
    Rates,
    SideKnowledge,
    build_noise_test,
    compute_floor_f_score,
    compute_gaussian_test_rates,
    compute_laplace_rates,
    compute_laplace_threshold,
    compute_precision,
    maximise_f_score,
    maximise_laplace_f_score,
    search_f_score,
)
from noiseless.arrays import Floats
from noiseless.mechanisms.families.gaussian import (
    compute_classical_sigma,
    compute_gaussian_delta,
    compute_gaussian_epsilon,
)
from noiseless.tables import Rows, returns_table

# Coefficients rho_p, rho_c and rho_t of each side knowledge, by its name.
Knowledge = Mapping[str, Mapping[str, float]]

# Side knowledge on a record before the answer, in four steps (Section 5).
KNOWLEDGE: Final[Knowledge] = {
    "none": {"rho_p": 0, "rho_c": 0, "rho_t": 0},  # Figures 3 and 4
    "prior": {"rho_p": 0.2, "rho_c": 0, "rho_t": 0},  # Figure 5
    "records": {"rho_p": 0.2, "rho_c": 0.1, "rho_t": 0},  # Figure 6
    "time": {"rho_p": 0.2, "rho_c": 0.1, "rho_t": 0.1},  # Figure 7
}
EPSILONS_NATS: Final = (0.01, 0.1, 0.4, 0.7, 1, 2, 5)  # a curve each: Figures 3a, 4a, 5b, 6b and 7b
F_SCORE_NATS: Final = (0.01, 10)  # ends of the axis of Figures 3b and 8
BETAS: Final = (0.5, 0.6, 0.8, 1, 1.5, 2)  # weights of recall: Figure 3b and Table 1
# Settings of ours: deltas of Figure 4b and of the calibrations, epsilons of the calibrations, and
# the false alarm rates for which an adversary sets the threshold, which are the markers of a curve.
DELTAS: Final = (1e-06, 1e-05, 0.0001, 0.001, 0.01)
CALIBRATED_NATS: Final = (0.01, 0.1, 0.4, 0.7, 1, 2, 5, 10)
FALSE_ALARM: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9)

# Recall and false alarm rate fall below 1e-17 this many scales or deviations from both answers.
_SEARCH_RADIUS = 40.0


@returns_table("mechanism", "knowledge", "epsilon_nats", "delta", "false_alarm")
def build_curve_table(
    *,
    delta: float,
    gaussian_epsilon_nats: float,
    points: int,
    epsilon_nats: Sequence[float] = EPSILONS_NATS,
    deltas: Sequence[float] = DELTAS,
    knowledge: Knowledge = KNOWLEDGE,
) -> Rows:
    """Compute precision and recall of the adversary at each false alarm rate.

    ``delta`` is that of Figure 4a, and ``gaussian_epsilon_nats`` and ``deltas`` are those of Figure
    4b; Gaussian curves are without side knowledge, of which ``none`` is one. The ``points`` false
    alarm rates are evenly spread in their logit between 1e-6 and 1 - 1e-6. The delta of Laplace is
    0. Statistics: ``precision``, ``recall``, and ``precision_gain``, the precision that the last
    coefficient of the side knowledge adds, for instance rho_t for an adversary who knows rho_p and
    rho_c (0 without side knowledge).
    """
    alpha = expit(np.linspace(-13.8, 13.8, points))
    curves = list_curves(knowledge, epsilon_nats, delta, gaussian_epsilon_nats, deltas)
    for mechanism, name, each, its_delta in curves:
        known = SideKnowledge(**knowledge[name])
        noise = build_noise_test(mechanism, epsilon_nats=each, delta=its_delta)
        recall, false_alarm = noise.rates(noise.threshold(alpha, noise.distance), noise.distance)
        reached = compute_precision(recall, false_alarm, known.odds_against)
        precision_before = compute_precision(
            recall, false_alarm, drop_last_coefficient(known).odds_against
        )
        yield pd.DataFrame(
            {
                "mechanism": mechanism,
                "knowledge": name,
                "epsilon_nats": each,
                "delta": its_delta,
                "false_alarm": alpha,
                "precision": reached,
                "recall": recall,
                "precision_gain": reached - precision_before,
            }
        )


def list_curves(
    knowledge: Iterable[str],
    epsilon_nats: Sequence[float],
    delta: float,
    gaussian_epsilon_nats: float,
    deltas: Sequence[float],
) -> list[tuple[str, str, float, float]]:
    """List each curve: its mechanism, side knowledge, epsilon and delta (of Laplace 0)."""
    laplace = [("laplace", *each, 0.0) for each in itertools.product(knowledge, epsilon_nats)]
    budgets = [(each, delta) for each in epsilon_nats]
    budgets += [(gaussian_epsilon_nats, each) for each in deltas]
    gaussian = itertools.product(CALIBRATIONS, dict.fromkeys(budgets))
    curves = [*laplace, *((mechanism, "none", *budget) for mechanism, budget in gaussian)]
    return [(*names, float(each), float(its_delta)) for *names, each, its_delta in curves]


@returns_table("mechanism", "knowledge", "beta", "epsilon_nats", "delta", with_nan=False)
def build_f_score_table(
    *,
    epsilon_nats: Sequence[float],
    delta: float,
    beta: Sequence[float] = BETAS,
    knowledge: Knowledge = KNOWLEDGE,
) -> Rows:
    """Compute the best F-score of any test for each budget.

    The delta of Laplace is 0, and Gaussian answers are attacked without side knowledge. Statistics:
    ``f_score``, by formula (Laplace) or by likelihood-ratio tests (Gaussian);
    ``search_minus_f_score``, the best F-score of a search over all thresholds minus ``f_score``;
    ``floor``, the F-score without any answer; ``knowledge_gain``, the F-score that the last
    coefficient of the side knowledge adds; and for Laplace ``printed_minus_f_score``, the F-score
    of the formula printed for this knowledge (with 4 beta^2 epsilon in Eqs. 18 and 24) minus
    ``f_score``.
    """
    pairs = [("laplace", name) for name in knowledge] + [(each, "none") for each in CALIBRATIONS]
    for (mechanism, name), its_beta, each in itertools.product(pairs, beta, epsilon_nats):
        side_knowledge = SideKnowledge(**knowledge[name])
        odds = side_knowledge.odds_against
        noise = build_noise_test(mechanism, epsilon_nats=each, delta=delta)

        def compute_test_rates(ratio: Floats, noise: NoiseTest = noise) -> Rates:
            """Compute the rates of the tests with smallest log-likelihood ratios ``ratio``."""
            return noise.test(ratio, noise.distance)

        def compute_threshold_rates(psi: Floats, noise: NoiseTest = noise) -> Rates:
            """Compute the rates of the tests with thresholds at positions ``psi``."""
            return noise.rates(psi, noise.distance)

        if mechanism == "laplace":
            best = float(maximise_laplace_f_score(each, beta=its_beta, odds_against=odds))
            printed = _compute_printed_f_score(each, its_beta, side_knowledge)
        else:
            best = float(maximise_f_score(compute_test_rates, beta=its_beta, odds_against=odds))
            printed = np.nan
        searched = search_f_score(
            compute_threshold_rates,
            reach=_SEARCH_RADIUS / noise.distance,
            beta=its_beta,
            odds_against=odds,
        )
        without = maximise_f_score(
            compute_test_rates,
            beta=its_beta,
            odds_against=drop_last_coefficient(side_knowledge).odds_against,
        )
        yield {
            "mechanism": mechanism,
            "knowledge": name,
            "beta": float(its_beta),
            "epsilon_nats": float(each),
            "delta": 0.0 if mechanism == "laplace" else delta,
            "printed_minus_f_score": printed - best,
            "f_score": best,
            "knowledge_gain": best - float(without),
            "search_minus_f_score": searched - best,
            "floor": float(compute_floor_f_score(beta=its_beta, odds_against=odds)),
        }


def drop_last_coefficient(side_knowledge: SideKnowledge) -> SideKnowledge:
    """Set the last coefficient of side knowledge that is not 0, in the order of Section 5, to 0."""
    for name in ("rho_t", "rho_c", "rho_p"):
        if getattr(side_knowledge, name) > 0:
            return replace(side_knowledge, **{name: 0.0})
    return side_knowledge


def _compute_printed_f_score(
    epsilon_nats: float, beta: float, side_knowledge: SideKnowledge
) -> float:
    """Compute the best F-score by Eq. 12, 18, 21 or 24 as printed, by the side knowledge."""
    odds, weight = side_knowledge.odds_against, beta**2
    if epsilon_nats < np.log(1 + weight / odds):
        return (1 + weight) / (1 + weight + odds)
    # Eqs. 12 and 21 print e^epsilon; Eq. 18 (a prior alone) and Eq. 24 (time) print epsilon.
    only_prior = side_knowledge.rho_p > 0 and side_knowledge.rho_c == 0
    factor = epsilon_nats if only_prior or side_knowledge.rho_t > 0 else np.exp(epsilon_nats)
    root = np.sqrt(1 + 4 * weight * factor / odds)
    return float((1 + weight) * (root - 1) / ((1 + weight) * root - 1 + weight))


@returns_table("epsilon_nats", "false_alarm")
def build_threshold_table(
    *, epsilon_nats: Sequence[float] = EPSILONS_NATS, false_alarm: Sequence[float] = FALSE_ALARM
) -> Rows:
    """Compute thresholds and rates of Theorem 3 at each false alarm rate.

    Statistics: ``threshold`` (psi of Eq. 6); ``false_alarm_at_threshold`` and ``recall``, integrals
    of the noise's density, and ``recall_printed`` (Eq. 9); ``false_alarm_excess`` and
    ``recall_excess``, of the formulas over the integrals.
    """
    budgets = np.repeat(np.asarray(epsilon_nats, dtype=float), len(false_alarm))
    alpha = np.tile(np.asarray(false_alarm, dtype=float), len(epsilon_nats))
    psi = compute_laplace_threshold(alpha, budgets)
    at_threshold, recall = (_integrate_tail(each * budgets) for each in (psi, psi - 1))
    half = 0.5 * np.exp(-(psi - 1) * budgets)
    yield pd.DataFrame(
        {
            "epsilon_nats": budgets,
            "false_alarm": alpha,
            "threshold": psi,
            "false_alarm_at_threshold": at_threshold,
            "recall": recall,
            "recall_printed": np.where(psi >= 1, half, 1 - half),
            "false_alarm_excess": at_threshold - alpha,
            "recall_excess": compute_laplace_rates(psi, budgets)[0] - recall,
        }
    )


def _integrate_tail(distance: Floats) -> Floats:
    """Integrate the density of Laplace noise (scale 1) from ``distance`` up, in pieces."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    pieces = np.linspace(0, 1, 21)
    tail = np.zeros_like(distance)
    for low, high in ((np.minimum(distance, 0), 0.0), (np.maximum(distance, 0), 60.0)):
        for start, end in itertools.pairwise(pieces):
            left, right = low + (high - low) * start, low + (high - low) * end
            at = (left + right)[:, None] / 2 + np.multiply.outer((right - left) / 2, nodes)
            tail += (np.exp(-np.abs(at)) / 2) @ weights * (right - left) / 2
    return tail


@returns_table("calibration", "epsilon_nats", "delta")
def build_calibration_table(
    *, epsilon_nats: Sequence[float] = CALIBRATED_NATS, deltas: Sequence[float] = DELTAS
) -> Rows:
    """Compute deviation, exact guarantee and best F1 of each calibration of normal noise.

    Statistics: ``sigma``, for a sensitivity of 1; ``sigma_share``, sigma over that of the classical
    calibration; ``exact_delta``, the smallest delta of the noise at the promised epsilon;
    ``delta_ratio``, exact over promised delta; ``exact_epsilon``, the smallest epsilon of the noise
    at delta; ``best_f1``, the adversary's best F-score with beta = 1; and
    ``laplace_minus_best_f1``, the best F-score for Laplace noise of equal epsilon minus
    ``best_f1``.
    """
    for (name, calibrate), each, delta in itertools.product(
        CALIBRATIONS.items(), epsilon_nats, deltas
    ):
        sigma = calibrate(sensitivity=1.0, epsilon_nats=each, delta=delta)
        classical = compute_classical_sigma(sensitivity=1.0, epsilon_nats=each, delta=delta)
        exact = float(compute_gaussian_delta(each, 1 / sigma))
        best = float(maximise_f_score(partial(compute_gaussian_test_rates, mu=1 / sigma), beta=1.0))
        yield {
            "calibration": name.removeprefix("gaussian_"),
            "epsilon_nats": float(each),
            "delta": float(delta),
            "sigma": sigma,
            "sigma_share": sigma / classical,
            "exact_delta": exact,
            "delta_ratio": exact / delta,
            "exact_epsilon": compute_gaussian_epsilon(1 / sigma, delta=delta),
            "best_f1": best,
            "laplace_minus_best_f1": float(maximise_laplace_f_score(each, beta=1.0)) - best,
        }
