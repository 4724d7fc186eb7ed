"""Adversaries who run the test on noisy answers of real queries (``prrelation``, Sections 3 to 5).

1. :func:`query_pairs`: three queries on the young people survey, each with two databases that the
   adversary must tell apart.
2. :func:`monte_carlo_tables`: a coin that falls as the side knowledge says picks the true
   database, the mechanism answers, the adversary compares the noisy answer with a threshold; what
   is counted is set beside the formula.
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
    Noise,
    SideKnowledge,
    best_f_score,
    f_score,
    noise_of,
    precision,
)
from noiseless.errors import DataError
from noiseless.mechanisms.containers import Floats
from noiseless.mechanisms.families.gaussian import GaussianMechanism
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.interface import UNBOUNDED
from noiseless.papers.prrelation.curves import (
    BETAS,
    DELTAS,
    EPSILONS_NATS,
    FALSE_ALARM,
    KNOWLEDGE,
    Knowledge,
    curves_of,
)
from noiseless.seeds import generator
from noiseless.statistics import Estimate, clopper_pearson
from noiseless.statistics import f_score as counted_f_score
from noiseless.statistics import rows as rows_of

WEIGHT_RANGE_KG: Final = (0, 200)  # public
CONFIDENCE: Final = 0.99  # that all intervals of a table hold their true values together


@dataclass(frozen=True)
class QueryPair:
    """The answers between which the adversary decides.

    Attributes
    ----------
    with_record, without_record : float
        Noiseless answers on D and on D'; the first is the larger one.
    sensitivity : float
        The sensitivity of the query, in the unit of the answers.
    """

    with_record: float
    without_record: float
    sensitivity: float

    @property
    def gap(self) -> float:
        """Distance of the answers as a share of the sensitivity, at most 1."""
        return (self.with_record - self.without_record) / self.sensitivity


def query_pairs(
    survey: pd.DataFrame, *, weight_range_kg: Sequence[float] = WEIGHT_RANGE_KG
) -> dict[str, QueryPair]:
    """Queries on the survey, by name.

    ``smokers``: how many people smoke; D' lacks one of them (unbounded privacy, Eq. 4).
    ``mean_weight_ends``: the mean weight; one person weighs as much, or as little, as the public
    range allows (bounded privacy, Eq. 13, at its worst).  ``mean_weight_people``: the same, but the
    two candidates are the largest and the smallest weight in the survey.

    Parameters
    ----------
    survey : DataFrame
        Prepared survey with ``Smoking`` and ``weight_kg``.
    weight_range_kg : (low, high)
        Public range of weight.

    Raises
    ------
    DataError
        If no respondent smokes, none gave a weight, all weights are equal, or one is out of range.
    """
    smokers = int((survey["Smoking"] == "current smoker").sum())
    weights = survey["weight_kg"].dropna().to_numpy(dtype=float)
    low, high = map(float, weight_range_kg)
    if smokers == 0:
        raise DataError("no respondent of the survey smokes: is it the right file?")
    if len(weights) == 0 or weights.min() == weights.max():
        raise DataError("the survey has no two different weights: is it the right file?")
    if weights.min() < low or weights.max() > high:
        outside = weights[(weights < low) | (weights > high)][0]
        raise DataError(
            f"a weight of {outside:g} kg is outside the public range {low:g} to {high:g} kg. "
            "Correct it in the file, or leave that answer empty."
        )
    others, people = weights.sum() - weights.max(), len(weights)

    def mean_weight(candidate: float) -> float:
        return float(others + candidate) / people

    sensitivity = (high - low) / people
    return {
        "smokers": QueryPair(smokers, smokers - 1, 1.0),
        "mean_weight_ends": QueryPair(mean_weight(high), mean_weight(low), sensitivity),
        "mean_weight_people": QueryPair(
            mean_weight(weights.max()), mean_weight(weights.min()), sensitivity
        ),
    }


def monte_carlo_tables(
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
    """Precision, recall and F-score as counted, each with an interval and beside its formula.

    All curves of the figures are run on ``smokers``; Laplace noise and the analytic Gaussian
    without side knowledge on the other queries, too.

    Parameters
    ----------
    survey : DataFrame
        Prepared survey.
    delta, gaussian_epsilon_nats : float
        See :func:`~noiseless.papers.prrelation.curves.curve_table`.
    answers : int
        Noisy answers in each cell.
    seed : int
        The seed of the configuration.
    epsilon_nats, deltas : sequence of float
        See :func:`~noiseless.papers.prrelation.curves.curve_table`.
    weight_range_kg : (low, high)
        Public range of weight.
    confidence : float
        Probability that *all* intervals of a table hold their true value together (each is as
        wide as a union bound asks for).
    false_alarm : sequence of float
        Rates that the adversary sets the threshold for.
    beta : sequence of float
        Weights of F-scores, whose best threshold the adversary sets.
    knowledge : mapping of str to mapping
        See :func:`~noiseless.papers.prrelation.curves.curve_table`.

    Returns
    -------
    dict
        ``rates``: cells (query, mechanism, knowledge, epsilon, delta, false_alarm), statistics
        ``precision``, ``recall`` and each ``_minus_formula``.  ``f_scores``: the same with beta in
        place of false_alarm, statistics ``f_score`` and ``f_score_minus_formula``.  All with
        ``low`` and ``high``: Clopper and Pearson's exact ones for rates, the normal
        approximation's for F-scores.
    """
    pairs = query_pairs(survey, weight_range_kg=weight_range_kg)
    curves = curves_of(knowledge, epsilon_nats, delta, gaussian_epsilon_nats, deltas)
    cases = _cases(curves, list(pairs)[1:], epsilon_nats, delta)
    # Two rates per false alarm rate.
    miss = {
        "rates": (1 - confidence) / (2 * len(cases) * len(false_alarm)),
        "f_scores": (1 - confidence) / (len(cases) * len(beta)),
    }
    rows: dict[str, list[dict[str, object]]] = {"rates": [], "f_scores": []}
    for case in tqdm(cases, desc="adversaries", unit="cell"):
        pair, known = pairs[case["query"]], SideKnowledge(**knowledge[case["knowledge"]])
        budget = {"epsilon_nats": case["epsilon_nats"], "delta": case["delta"]}
        whole = noise_of(case["mechanism"], **budget)
        noise = replace(whole, distance=whole.distance * pair.gap)
        psi = np.concatenate(
            [
                noise.threshold(np.array(false_alarm), noise.distance),
                [_best_threshold(noise, each, known.odds_against) for each in beta],
            ]
        )
        rng = generator(seed, "prrelation", *case.values())
        present = int(rng.binomial(answers, known.probability))
        mechanism = _mechanism(case["mechanism"], pair.sensitivity, **budget)
        thresholds = pair.without_record + psi * (pair.with_record - pair.without_record)
        hits, alarms = (
            accepted_at(mechanism.release(np.full(count, answer), rng), thresholds)
            for answer, count in (
                (pair.with_record, present),
                (pair.without_record, answers - present),
            )
        )
        recall, alarm = noise.rates(psi, noise.distance)
        formula = precision(recall, alarm, known.odds_against)
        for at, rate in enumerate(false_alarm):
            cell = {**case, "false_alarm": float(rate)}
            for name, count, of, expected in (
                ("precision", hits[at], hits[at] + alarms[at], formula[at]),
                ("recall", hits[at], present, recall[at]),
            ):
                found = clopper_pearson(int(count), int(of), miss=miss["rates"], over="answers")
                rows["rates"] += _rows(cell, name, found, float(expected))
        for at, each in enumerate(beta, start=len(false_alarm)):
            expected = float(
                f_score(recall[at], alarm[at], beta=each, odds_against=known.odds_against)
            )
            found = counted_f_score(
                int(hits[at]), int(alarms[at]), present, answers, beta=each, miss=miss["f_scores"]
            )
            cell = {**case, "beta": float(each)}
            rows["f_scores"] += _rows(cell, "f_score", found, expected)
    return {name: pd.DataFrame(each) for name, each in rows.items()}


def _cases(
    curves: Iterable[tuple[str, str, float, float]],
    others: Sequence[str],
    epsilon_nats: Sequence[float],
    delta: float,
) -> list[dict[str, Any]]:
    """Coordinates of the curves of the figures on the count, and of some on the other queries."""
    cells = [("smokers", *curve) for curve in curves]
    for query, each in itertools.product(others, map(float, epsilon_nats)):
        cells.append((query, "laplace", "none", each, 0.0))
        cells.append((query, "gaussian_analytic", "none", each, float(delta)))
    names = ("query", "mechanism", "knowledge", "epsilon_nats", "delta")
    return [dict(zip(names, cell, strict=True)) for cell in cells]


def _best_threshold(noise: Noise, beta: float, odds_against: float) -> float:
    """Position of the threshold with the best F-score; minus infinity to accept always.

    The best likelihood-ratio test is found by its rates; its threshold is the one with the same
    false alarm rate.
    """

    def test(ratio: Floats) -> tuple[Floats, Floats]:
        return noise.test(ratio, noise.distance)

    best = float(best_f_score(test, beta=beta, odds_against=odds_against))
    _, alarm = test(np.log(best * odds_against / (1 + beta**2 - best)))
    return -np.inf if alarm >= 1 else float(noise.threshold(alarm, noise.distance))


def _mechanism(
    name: str, sensitivity: float, *, epsilon_nats: float, delta: float
) -> LaplaceMechanism | GaussianMechanism:
    """The noise that is added to an answer."""
    if name == "laplace":
        return LaplaceMechanism(UNBOUNDED, sensitivity / epsilon_nats)
    sigma = CALIBRATIONS[name](sensitivity=1.0, epsilon_nats=epsilon_nats, delta=delta)
    return GaussianMechanism(UNBOUNDED, sensitivity * sigma)


def accepted_at(answers: Floats, thresholds: Floats) -> np.ndarray:
    """How many of ``answers`` are at or above each of ``thresholds``, whatever their order."""
    # A comparison of all answers with one of the few thresholds is quicker than a search for each.
    return np.array([np.count_nonzero(answers >= threshold) for threshold in thresholds])


def _rows(
    cell: Mapping[str, object], name: str, found: Estimate, expected: float
) -> list[dict[str, object]]:
    """Rows of an estimate, and of its difference from the formula."""
    return rows_of(cell, **{name: found, f"{name}_minus_formula": found.scaled(1, -expected)})
