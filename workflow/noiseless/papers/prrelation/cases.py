"""What several sections look at: numbers of tables, markers of the survey, exact comparisons."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from noiseless.papers.prrelation.curves import F_SCORE_NATS
from noiseless.papers.prrelation.knowledge import build_equal_recall_table
from noiseless.papers.prrelation.monte_carlo import CONFIDENCE
from noiseless.settings import build_log_grid
from noiseless.statements import (
    Finding,
    Margin,
    list_estimates,
    select,
    table,
    universe,
    widen,
    within,
)

FLOATS = Margin(1e-12, "rounding of floating-point numbers")
ROUNDING = 1e-12

curves = table("prrelation/curves")
best_f_scores = table("prrelation/curves_f_scores")
calibrations = table("prrelation/curves_calibrations")
rates = table("prrelation/monte_carlo_rates")
f_scores = table("prrelation/monte_carlo_f_scores")
worth = table("prrelation/knowledge_worth")
orders = table("prrelation/notions_orders")

RATES = ["precision_minus_formula", "recall_minus_formula"]
F_SCORE = ["f_score_minus_formula"]
F_SCORE_KEYS = ["mechanism", "knowledge", "beta", "epsilon_nats"]


@universe(
    smoke={"budgets": 31, "recalls": 9},
    paper={"budgets": 121, "recalls": 9},
    least={"budgets": 31, "recalls": 9},
)
def equal_recall(budgets: int, recalls: int) -> pd.DataFrame:
    """Compute what another world, and knowing its odds, adds to the precision at equal recall."""
    epsilon_nats = build_log_grid(*F_SCORE_NATS, budgets)
    return widen(build_equal_recall_table(epsilon_nats=epsilon_nats, recalls=recalls))


def list_numbers(
    frame: pd.DataFrame, statistics: Sequence[str], at: Sequence[str]
) -> dict[str, float]:
    """List the numbers of some statistics, by the values of key columns."""
    return {
        ", ".join([*(f"{key} {row[key]}" for key in at), statistic]): row[statistic]
        for row in frame.to_dict("records")
        for statistic in statistics
    }


def list_curves(
    frame: pd.DataFrame, statistics: Sequence[str], along: str, by: str
) -> list[dict[Any, float]]:
    """List the curves of some statistics along a key column, one for each value of another."""
    return [
        dict(zip(rows[along], rows[statistic], strict=True))
        for statistic in statistics
        for _, rows in frame.groupby(by)
    ]


def compare_with_formula(counted: pd.DataFrame, statistics: list[str], **where: Any) -> Finding:
    """State that counted numbers are those of a formula, by intervals that hold together."""
    rows = counted[counted["statistic"].isin(statistics)]
    estimates = list_estimates(select(rows, **where), "mechanism", "epsilon_nats", "statistic")
    together = int(rows["low"].notna().sum())
    return within(estimates, 0, 0, confidence=CONFIDENCE, together=together)


def snap(left: float, right: float) -> float:
    """Return the left side of a comparison, or the right one where they differ by rounding."""
    return right if abs(left - right) <= ROUNDING else left
