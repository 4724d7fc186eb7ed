"""Gain of an adversary from side knowledge, for a Laplace answer (``prrelation``, Section 5).

Equations 17 to 24 compare two worlds: one in which both values of the record are equally likely,
and one in which the value that the adversary looks for is the likelier one.  This module also
computes the gain from knowing the odds in one world.

1. :func:`build_worth_table`: the best F-score in both worlds and, in the second world, the F-score
   of an adversary who takes the odds for even.
2. :func:`build_equal_recall_table`: the precision of the adversaries who do and do not know the
   odds, at equal recall.
"""

import itertools
from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from noiseless.adversaries.likelihood_ratio import (
    SideKnowledge,
    compute_believed_f_score,
    compute_laplace_test_rates,
    compute_precision,
    maximise_laplace_f_score,
)
from noiseless.papers.prrelation.curves import BETAS, KNOWLEDGE, Knowledge
from noiseless.tables import Rows, returns_table

ODDS_POWERS = {"likelier": 1.0, "rarer": -1.0}
"""Power of the coefficients' odds that gives the odds against the value that the adversary looks
for, by whether this is the likelier value, as in the paper, or the rarer one."""


@returns_table("knowledge", "sensitive", "beta", "epsilon_nats", with_nan=False)
def build_worth_table(
    *,
    epsilon_nats: Sequence[float],
    beta: Sequence[float] = BETAS,
    knowledge: Knowledge = KNOWLEDGE,
) -> Rows:
    """Compute the best F-score at other than even odds, and the gain from knowing these odds.

    Side knowledge of even odds is skipped; ``sensitive`` is a key of :data:`ODDS_POWERS`.
    Statistics: ``even``, the best F-score at even odds; ``uninformed`` and ``informed``, the
    F-scores at the true odds of the adversary who takes them for even and of the adversary who
    knows them; ``world_gain``, informed minus even (which the paper compares); ``knowledge_gain``,
    informed minus uninformed; ``knowledge_share``, knowledge gain over world gain, where the latter
    is above 0.
    """
    epsilon = np.asarray(epsilon_nats, dtype=float)
    for (name, sensitive, odds), its_beta in itertools.product(_list_worlds(knowledge), beta):
        even = maximise_laplace_f_score(epsilon, beta=its_beta)
        informed = maximise_laplace_f_score(epsilon, beta=its_beta, odds_against=odds)
        uninformed = compute_believed_f_score(
            epsilon, beta=its_beta, odds_against=odds, believed_odds_against=1.0
        )
        world, knowing = informed - even, informed - uninformed
        yield pd.DataFrame(
            {
                "knowledge": name,
                "sensitive": sensitive,
                "beta": float(its_beta),
                "epsilon_nats": epsilon,
                "even": even,
                "uninformed": uninformed,
                "informed": informed,
                "world_gain": world,
                "knowledge_gain": knowing,
                "knowledge_share": np.where(world > 0, knowing / world, np.nan),
            }
        )


@returns_table("knowledge", "sensitive", "epsilon_nats", "recall")
def build_equal_recall_table(
    *, epsilon_nats: Sequence[float], recalls: int, knowledge: Knowledge = KNOWLEDGE
) -> Rows:
    """Compute the gains in precision of another world, and of knowing the odds, at equal recall.

    Each adversary accepts if its own probability of D after the answer is above a threshold, which
    is found for each recall. The recalls lie between one half and that of the threshold at the
    noiseless answer of D': there, different thresholds of the probability have different recalls.
    Statistics: ``world_gain``, the precision at the true odds minus that at even odds;
    ``knowledge_gain``, in the world of the true odds, the precision of the adversary who knows them
    minus that of the adversary who takes them for even.
    """
    for name, sensitive, odds in _list_worlds(knowledge):
        for epsilon in epsilon_nats:
            for recall in np.linspace(0.5, 1 - np.exp(-epsilon) / 2, recalls + 2)[1:-1]:
                alarms = [_find_false_alarm(recall, epsilon, believed) for believed in (odds, 1.0)]
                informed, uninformed = (
                    float(compute_precision(recall, each, odds)) for each in alarms
                )
                even = float(compute_precision(recall, alarms[1], 1.0))
                yield {
                    "knowledge": name,
                    "sensitive": sensitive,
                    "epsilon_nats": float(epsilon),
                    "recall": float(recall),
                    "world_gain": informed - even,
                    "knowledge_gain": informed - uninformed,
                }


def _list_worlds(knowledge: Knowledge) -> list[tuple[str, str, float]]:
    """List (knowledge, sensitive value, odds against it) for all odds that are not even."""
    known = {name: SideKnowledge(**each).odds_against for name, each in knowledge.items()}
    return [
        (name, sensitive, odds**power)
        for name, odds in known.items()
        if odds != 1
        for sensitive, power in ODDS_POWERS.items()
    ]


@cache
def _find_false_alarm(recall: float, epsilon: float, believed_odds: float) -> float:
    """Find the false alarm rate at a recall of an adversary with a threshold on its belief.

    The belief is the probability of D after the answer, by the odds that the adversary believes.
    """

    def compute_log_ratio(threshold: float) -> float:
        """Compute the log-likelihood ratio at which the belief reaches a threshold."""
        return float(np.log(threshold / (1 - threshold)) + np.log(believed_odds))

    ends = (1 / (1 + believed_odds * np.exp(each)) for each in (epsilon, -epsilon))
    threshold = brentq(
        lambda each: (
            float(compute_laplace_test_rates(compute_log_ratio(each), epsilon)[0]) - recall
        ),
        *ends,
        xtol=1e-15,
        rtol=1e-14,
    )
    return float(compute_laplace_test_rates(compute_log_ratio(threshold), epsilon)[1])
