"""Choice of epsilon for a bounded risk, and risk of an epsilon (``prrelation``, Sections 3.4 to 6).

1. :func:`build_choice_table`: the largest epsilon for every mechanism and side knowledge, by
   :func:`~noiseless.accounting.epsilon.choose_epsilon`; its bounds are those of Table 1 and others.
2. :func:`build_meaning_table`: the inverse, risks of the best adversary who sees several answers of
   a given epsilon.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Final

import pandas as pd

from noiseless.accounting import epsilon
from noiseless.accounting.epsilon import (
    Accuracy,
    Advantage,
    FScore,
    Posterior,
    TruePositives,
    build_loss_curve,
    choose_epsilon,
    compute_odds_against,
)
from noiseless.adversaries.likelihood_ratio import SideKnowledge
from noiseless.papers.prrelation.curves import BETAS, KNOWLEDGE, Knowledge
from noiseless.settings import build_log_grid
from noiseless.tables import Rows, returns_table

# Bounds of the F-score in Table 1, and the ends of a grid of further bounds for all mechanisms.
F_SCORES: Final = (0.55, 0.58, 0.62, 0.67, 0.76, 0.83, 0.9, 0.95)
BOUND_ENDS: Final = (0.56, 0.99)
# Settings of the table of risks, which goes beyond the paper: ends of the axis of epsilon in nats,
# numbers of answers with independent noise, and prior probabilities that the person is in the data.
MEANING_NATS: Final = (0.01, 10)
ANSWER_COUNTS: Final = (1, 10, 100)
PRIORS: Final = (0.01, 0.1, 0.5)
COMPARED_MECHANISMS = ("laplace", "gaussian_classical", "gaussian_analytic")
# Largest probability that the answers exceed the posterior of the table, if the record is present.
POSTERIOR_TAIL = 0.05


def list_bounds(points: int) -> list[float]:
    """List the F-score bounds of Table 1 and ``points`` more between :data:`BOUND_ENDS`."""
    return sorted({*F_SCORES, *build_log_grid(*BOUND_ENDS, points)})


@returns_table("mechanism", "delta", "knowledge", "beta", "f_score", with_nan=False)
def build_choice_table(
    *,
    f_score: Sequence[float],
    deltas: Sequence[float],
    beta: Sequence[float] = BETAS,
    knowledge: Knowledge = KNOWLEDGE,
) -> Rows:
    """Compute the largest epsilon (nats) for each mechanism, side knowledge, weight and bound.

    The delta of Laplace is 0. Statistics: ``kept``, whether some epsilon keeps the bound; where it
    is, ``epsilon_nats`` and ``noise`` (see :class:`~noiseless.accounting.epsilon.EpsilonChoice`);
    ``floor``, the smallest bound that can be kept.
    """
    mechanisms = [("laplace", 0.0), *itertools.product(COMPARED_MECHANISMS[1:], map(float, deltas))]
    for (mechanism, delta), (name, coefficients), each, bound in itertools.product(
        mechanisms, knowledge.items(), map(float, beta), map(float, f_score)
    ):
        choice = choose_epsilon(
            FScore(each),
            bound,
            mechanism=mechanism,
            delta=delta or None,
            prior=SideKnowledge(**coefficients).probability,
        )
        yield {
            "mechanism": mechanism,
            "delta": delta,
            "knowledge": name,
            "beta": each,
            "f_score": bound,
            "kept": choice.is_feasible,
            "epsilon_nats": choice.epsilon_nats,
            "noise": choice.noise,
            "floor": choice.floor,
        }


def build_meaning_table(
    *,
    epsilon_nats: Sequence[float],
    delta: float,
    answers: Sequence[int] = ANSWER_COUNTS,
    prior: Sequence[float] = PRIORS,
) -> pd.DataFrame:
    """Compute risk measures of the best adversary who sees answers with equal epsilon (nats).

    Every mechanism but the classical Gaussian; delta is 0 where a mechanism has none. Statistics,
    each with a lower and an upper bound, of which the upper one is the value: ``posterior``, which
    the answers exceed with a probability of at most 5 % if D is true, ``accuracy``, ``advantage``,
    and ``true_positives`` at 1 % false alarms and ``true_positives_rare`` at 0.1 %; the last three
    do not depend on the prior. ``epsilon_total_nats`` is the epsilon of all answers together by
    basic composition.
    """
    measures: dict[str, epsilon.Measure] = {
        "posterior": Posterior(POSTERIOR_TAIL),
        "accuracy": Accuracy(),
        "advantage": Advantage(),
        "true_positives": TruePositives(0.01),
        "true_positives_rare": TruePositives(0.001),
    }
    rows = []
    mechanisms = [name for name in epsilon.MECHANISMS if name != "gaussian_classical"]
    for name, count, each in itertools.product(mechanisms, answers, map(float, epsilon_nats)):
        used_delta = delta if epsilon.MECHANISMS[name].delta_rule == "yes" else None
        curve = build_loss_curve(each, mechanism=name, answers=count, delta=used_delta)
        for each_prior in map(float, prior):
            cell = (name, used_delta or 0.0, count, each_prior, each)
            for statistic, measure in measures.items():
                interval = measure.evaluate(curve, compute_odds_against(each_prior))
                rows.append((*cell, statistic, interval.high, interval.low, interval.high))
            rows.append((*cell, "epsilon_total_nats", count * each, math.nan, math.nan))
    columns = ["mechanism", "delta", "answers", "prior", "epsilon_nats", "statistic", "value"]
    return pd.DataFrame(rows, columns=[*columns, "low", "high"])
