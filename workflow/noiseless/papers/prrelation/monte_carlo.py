"""Simulated adversaries on noisy answers of real queries (``prrelation``, Sections 3 to 5).

1. :func:`compute_answer_pairs`: three queries on the young people survey, each with two databases
   that the adversary must distinguish.
2. :func:`build_monte_carlo_tables`: the true database is drawn with the odds of the side knowledge,
   the mechanism answers, and the adversary compares the noisy answer with a threshold; counted
   rates are compared with the formula.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.adversaries.likelihood_ratio import (
    CALIBRATIONS,
    NoiseTest,
    SideKnowledge,
    build_noise_test,
    compute_f_score,
    compute_precision,
    maximise_f_score,
)
from noiseless.arrays import Floats
from noiseless.errors import DataError
from noiseless.mechanisms.families.gaussian import GaussianMechanism
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.interface import UNBOUNDED_DOMAIN
from noiseless.papers.prrelation.curves import (
    BETAS,
    DELTAS,
    EPSILONS_NATS,
    FALSE_ALARM,
    KNOWLEDGE,
    Knowledge,
    list_curves,
)
from noiseless.seeds import make_generator
from noiseless.statistics import Estimate, build_rows, estimate_exact_proportion
from noiseless.statistics import estimate_f_score as counted_f_score

WEIGHT_RANGE_KG: Final = (0, 200)  # public range
CONFIDENCE: Final = 0.99  # probability that all intervals of a table hold their true values


@dataclass(frozen=True)
class AnswerPair:
    """Noiseless answers of a query on D (the larger one) and on D', and its sensitivity."""

    with_record: float
    without_record: float
    sensitivity: float

    @property
    def gap(self) -> float:
        """Distance of the answers as a share of the sensitivity, at most 1."""
        return (self.with_record - self.without_record) / self.sensitivity


def compute_answer_pairs(
    survey: pd.DataFrame, *, weight_range_kg: Sequence[float] = WEIGHT_RANGE_KG
) -> dict[str, AnswerPair]:
    """Compute the answer pairs of three queries on the prepared survey, by name of the query.

    ``smokers``: the number of people who smoke; D' lacks one of them (unbounded privacy, Eq. 4).
    ``mean_weight_ends``: the mean weight; one person weighs as much (D) or as little (D') as the
    public range allows (bounded privacy, Eq. 13, at its worst). ``mean_weight_people``: the mean
    weight; one person has the largest (D) or the smallest (D') weight in the survey.
    """
    smokers = int((survey["Smoking"] == "current smoker").sum())
    weights = survey["weight_kg"].dropna().to_numpy(dtype=float)
    low, high = map(float, weight_range_kg)
    if smokers == 0:
        raise DataError(
            "no respondent of the survey smokes. Check that the file is the young people survey."
        )
    if len(weights) == 0 or weights.min() == weights.max():
        raise DataError(
            "the survey has no two different weights. "
            "Check that the file is the young people survey."
        )
    if weights.min() < low or weights.max() > high:
        outside = weights[(weights < low) | (weights > high)][0]
        raise DataError(
            f"a weight of {outside:g} kg is outside the public range {low:g} to {high:g} kg. "
            "Correct it in the file, or leave that answer empty."
        )
    others, people = weights.sum() - weights.max(), len(weights)

    def compute_mean_weight(candidate: float) -> float:
        """Compute the mean weight (kg) if the heaviest person weighs as much as the candidate."""
        return float(others + candidate) / people

    sensitivity = (high - low) / people
    return {
        "smokers": AnswerPair(smokers, smokers - 1, 1.0),
        "mean_weight_ends": AnswerPair(
            compute_mean_weight(high), compute_mean_weight(low), sensitivity
        ),
        "mean_weight_people": AnswerPair(
            compute_mean_weight(weights.max()), compute_mean_weight(weights.min()), sensitivity
        ),
    }


def build_monte_carlo_tables(
    survey: pd.DataFrame,
    *,
    delta: float,
    gaussian_epsilon_nats: float,
    answers: int,
    seed: int,
    epsilon_nats: Sequence[float] = EPSILONS_NATS,
    deltas: Sequence[float] = DELTAS,
    weight_range_kg: Sequence[float] = WEIGHT_RANGE_KG,
    confidence: float = CONFIDENCE,
    false_alarm: Sequence[float] = FALSE_ALARM,
    beta: Sequence[float] = BETAS,
    knowledge: Knowledge = KNOWLEDGE,
) -> dict[str, pd.DataFrame]:
    """Estimate precision, recall and F-scores by simulation, and their distance from the formulas.

    All curves of the figures (:func:`~noiseless.papers.prrelation.curves.build_curve_table`) are
    simulated on ``smokers``, each cell with ``answers`` noisy answers; Laplace noise and the
    analytic Gaussian without side knowledge are simulated on the other queries, too. The adversary
    sets a threshold for each false alarm rate (table ``rates``) and the best one for each beta
    (``f_scores``). With a probability of ``confidence`` *all* intervals of a table hold their true
    value together (each is as wide as a union bound asks for): Clopper and Pearson's exact interval
    for rates, the normal approximation for F-scores.
    """
    pairs = compute_answer_pairs(survey, weight_range_kg=weight_range_kg)
    curves = list_curves(knowledge, epsilon_nats, delta, gaussian_epsilon_nats, deltas)
    cases = _list_cases(curves, list(pairs)[1:], epsilon_nats, delta)
    # A table of rates has two intervals, precision and recall, for each false alarm rate.
    miss = {
        "rates": (1 - confidence) / (2 * len(cases) * len(false_alarm)),
        "f_scores": (1 - confidence) / (len(cases) * len(beta)),
    }
    rows: dict[str, list[dict[str, object]]] = {"rates": [], "f_scores": []}
    for case in tqdm(cases, desc="adversaries", unit="cell"):
        pair, side_knowledge = pairs[case["query"]], SideKnowledge(**knowledge[case["knowledge"]])
        budget = {"epsilon_nats": case["epsilon_nats"], "delta": case["delta"]}
        full_noise = build_noise_test(case["mechanism"], **budget)
        noise = replace(full_noise, distance=full_noise.distance * pair.gap)
        psi = np.concatenate(
            [
                noise.threshold(np.array(false_alarm), noise.distance),
                [_find_best_threshold(noise, each, side_knowledge.odds_against) for each in beta],
            ]
        )
        rng = make_generator(seed, "prrelation", *case.values())
        present = int(rng.binomial(answers, side_knowledge.probability))
        mechanism = _build_mechanism(case["mechanism"], pair.sensitivity, **budget)
        thresholds = pair.without_record + psi * (pair.with_record - pair.without_record)
        hits, alarms = (
            count_accepted(mechanism.release(np.full(count, answer), rng), thresholds)
            for answer, count in (
                (pair.with_record, present),
                (pair.without_record, answers - present),
            )
        )
        recall, alarm = noise.rates(psi, noise.distance)
        formula = compute_precision(recall, alarm, side_knowledge.odds_against)
        for at, rate in enumerate(false_alarm):
            cell = {**case, "false_alarm": float(rate)}
            for name, count, trials, formula_value in (
                ("precision", hits[at], hits[at] + alarms[at], formula[at]),
                ("recall", hits[at], present, recall[at]),
            ):
                estimate = estimate_exact_proportion(
                    int(count), int(trials), miss=miss["rates"], over="answers"
                )
                rows["rates"] += _build_rows(cell, name, estimate, float(formula_value))
        for at, each in enumerate(beta, start=len(false_alarm)):
            formula_value = float(
                compute_f_score(
                    recall[at], alarm[at], beta=each, odds_against=side_knowledge.odds_against
                )
            )
            estimate = counted_f_score(
                int(hits[at]), int(alarms[at]), present, answers, beta=each, miss=miss["f_scores"]
            )
            cell = {**case, "beta": float(each)}
            rows["f_scores"] += _build_rows(cell, "f_score", estimate, formula_value)
    return {name: pd.DataFrame(each) for name, each in rows.items()}


def _list_cases(
    curves: Iterable[tuple[str, str, float, float]],
    others: Sequence[str],
    epsilon_nats: Sequence[float],
    delta: float,
) -> list[dict[str, Any]]:
    """List the key columns of all simulated cases: the figures' curves, and the other queries."""
    cells = [("smokers", *curve) for curve in curves]
    for query, each in itertools.product(others, map(float, epsilon_nats)):
        cells.append((query, "laplace", "none", each, 0.0))
        cells.append((query, "gaussian_analytic", "none", each, float(delta)))
    names = ("query", "mechanism", "knowledge", "epsilon_nats", "delta")
    return [dict(zip(names, cell, strict=True)) for cell in cells]


def _find_best_threshold(noise: NoiseTest, beta: float, odds_against: float) -> float:
    """Find the position of the threshold with the best F-score; minus infinity accepts always.

    The best likelihood-ratio test is found by its rates; its threshold is the threshold with an
    equal false alarm rate.
    """

    def compute_test_rates(ratio: Floats) -> tuple[Floats, Floats]:
        """Compute recall and false alarm rate of the test with a smallest log-likelihood ratio."""
        return noise.test(ratio, noise.distance)

    best = float(maximise_f_score(compute_test_rates, beta=beta, odds_against=odds_against))
    _, alarm = compute_test_rates(np.log(best * odds_against / (1 + beta**2 - best)))
    return -np.inf if alarm >= 1 else float(noise.threshold(alarm, noise.distance))


def _build_mechanism(
    name: str, sensitivity: float, *, epsilon_nats: float, delta: float
) -> LaplaceMechanism | GaussianMechanism:
    """Build the mechanism that adds Laplace or Gaussian noise to an answer."""
    if name == "laplace":
        return LaplaceMechanism(UNBOUNDED_DOMAIN, sensitivity / epsilon_nats)
    sigma = CALIBRATIONS[name](sensitivity=1.0, epsilon_nats=epsilon_nats, delta=delta)
    return GaussianMechanism(UNBOUNDED_DOMAIN, sensitivity * sigma)


def count_accepted(answers: Floats, thresholds: Floats) -> np.ndarray:
    """Count the answers at or above each threshold, in any order; shape of ``thresholds``."""
    # A comparison of all answers with one of the few thresholds is quicker than a search for each.
    return np.array([np.count_nonzero(answers >= threshold) for threshold in thresholds])


def _build_rows(
    cell: Mapping[str, object], name: str, estimate: Estimate, formula_value: float
) -> list[dict[str, object]]:
    """Build the rows of an estimate and of its difference from the formula's value."""
    return build_rows(
        cell, **{name: estimate, f"{name}_minus_formula": estimate.scale(1, -formula_value)}
    )
