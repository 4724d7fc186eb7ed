"""The cases and tables that several sections look at."""

from collections.abc import Sequence
from fractions import Fraction

import pandas as pd

from noiseless.accounting import rational
from noiseless.accounting.one_extreme import BOTH, MAXIMUM, MINIMUM, NEITHER
from noiseless.papers.knowledge.interactions import Played, play_interactions
from noiseless.statements import Estimate, list_estimates, select, table, universe

REGRESSIONS = ["linear", "logistic"]
READINGS = [MAXIMUM, MINIMUM, BOTH, NEITHER]  # of Appendix C: what is grouped
RESPONSE = rational.build_randomized_response(Fraction(3, 4))
_ANSWERS_1 = (0, 1, 1, 0)  # of Example 1

accepted = table("knowledge/grouping_accepted")
growth = table("knowledge/grouping_growth")
accepted_linear = table("knowledge/composition_accepted_linear")
scan = table("knowledge/composition_scan")
losses_of_answers = table("knowledge/health_losses")
spent = table("knowledge/health_spent")
streams = table("knowledge/filter_streams")


def read_accepted(
    accepted: pd.DataFrame,
    regression: str | Sequence[str],
    grouped: str | Sequence[str],
    statistic: str,
    basis: str = "certified",
) -> list[Estimate]:
    """Read a statistic of the queries that are accepted with a budget of 1, by reading."""
    cells = {"regression": regression, "grouped": grouped, "basis": basis, "statistic": statistic}
    return list_estimates(select(accepted, **cells, budget_nats=1.0), "regression", "grouped")


def read_scan(scan: pd.DataFrame) -> list[Estimate]:
    """Read the median of accepted logistic regressions with parameters from U[-1, 1]."""
    cells = {"dimensions": 9, "parameter_range": 1, "group": 10, "filter": "bayesian"}
    return list_estimates(select(scan, **cells, regression="logistic", statistic="median"))


def read_spent(spent: pd.DataFrame, basis: str, statistic: str = "median_share") -> float:
    """Read what four regressions consume of their budget, or leave of it."""
    (row,) = select(spent, basis=basis).to_dict("records")
    return float(row[statistic])


def compute_loss_of_example_1() -> Fraction:
    """Compute the realized privacy loss of Example 1, a ratio."""
    likelihood = rational.compute_likelihood([RESPONSE] * len(_ANSWERS_1), _ANSWERS_1)
    return rational.compute_exp_loss(likelihood)


@universe(
    smoke={"interactions": 20, "depth": 2},
    paper={"interactions": 20, "depth": 3},
    least={"interactions": 1, "depth": 1},
)
def interactions(interactions: int, depth: int, seed: int) -> dict[str, Played]:
    """Play random adversaries against each filter, and against none."""
    return play_interactions(interactions, depth, seed)
