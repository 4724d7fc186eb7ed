"""What dependence between records does to an epsilon (``prrelation``, beside Section 5).

:func:`build_dependence_table` has the lines of a figure: chains in time and households.
"""

import itertools
from typing import Any

import numpy as np

from noiseless.accounting.epsilon import FScore, choose_epsilon, risk
from noiseless.accounting.joint import RecordHypothesis, compute_joint_epsilon
from noiseless.tables import Rows, returns_table
from noiseless.theory.laws import ChainLaw, ExchangeableLaw

RECORDS, BUDGET_NATS, BOUND = 5, 0.5, 0.8
HOUSEHOLDS = (2, 5, 20)
CORRELATIONS = (0.5, 0.8, 0.95)


@returns_table("panel", "line", "x")
def build_dependence_table(*, points: int = 11) -> Rows:
    """Compute risks and epsilons of one record of a chain, and of a household.

    Panels: ``f_score`` (best F1 at :data:`BUDGET_NATS`) and ``epsilon`` (largest with F1 of at most
    :data:`BOUND`) of the middle one of :data:`RECORDS` records against the correlation;
    ``household`` (the same epsilon) against the probability of being alike; ``worth`` (change of
    log-odds over epsilon) against epsilon. The value is NaN where every epsilon keeps the bound, or
    none does.
    """
    f = FScore()
    for r in np.linspace(0, 0.96, points):
        for line, asked in _list_adversaries(float(r)).items():
            found = risk(f, epsilon_nats=BUDGET_NATS, **asked).high
            yield {"panel": "f_score", "line": line, "x": float(r), "value": found}
            chosen = choose_epsilon(f, BOUND, **asked).epsilon_nats
            yield {"panel": "epsilon", "line": line, "x": float(r), "value": _keep_finite(chosen)}
    for people, alike in itertools.product(HOUSEHOLDS, np.linspace(0, 1, points)):
        member = RecordHypothesis(ExchangeableLaw.build_mixed(people, 0.5, float(alike)))
        chosen = choose_epsilon(f, BOUND, hypothesis=member).epsilon_nats
        yield {
            "panel": "household",
            "line": str(people),
            "x": float(alike),
            "value": _keep_finite(chosen),
        }
    for r, budget in itertools.product(CORRELATIONS, np.geomspace(0.01, 20, 3 * points)):
        noon = RecordHypothesis(ChainLaw.build_symmetric((1 + r) / 2, 101), 50)
        worth = compute_joint_epsilon(noon, float(budget)) / budget
        yield {"panel": "worth", "line": str(r), "x": float(budget), "value": worth}


def _list_adversaries(correlation: float) -> dict[str, dict[str, Any]]:
    """List what risk is asked for each adversary of the middle record of a chain."""
    stay = (1 + correlation) / 2
    chain = ChainLaw.build_symmetric(stay, RECORDS)
    neighbours = ChainLaw.build_symmetric(stay, 3).build_table()  # further records add nothing
    odds = ((1 - stay) / stay) ** 2
    law = RecordHypothesis(chain, RECORDS // 2)
    return {
        "law": {"hypothesis": law},
        "worst": {"hypothesis": law, "mechanism": "any"},
        "others": {"hypothesis": RecordHypothesis(neighbours, 1, known=(0, 2))},
        "printed": {"prior": 1 / (1 + odds)},
    }


def _keep_finite(epsilon_nats: float) -> float:
    """Return an epsilon; NaN where there is no line to draw."""
    return epsilon_nats if np.isfinite(epsilon_nats) else np.nan
