"""Accepted queries by reading of Appendix C (``knowledge``, Sections 6.1 and 6.2, Appendix C).

The filter of Section 6.1 "groups every 10 regressions to reduce computation (see Section C)".
Appendix C begins with "the extrema of P(x)", but its only formula, Equation 26, is about the
maximum.  An extreme that is not grouped is the one of the likelihood of all answers.  Every choice
is sound, because a product of the groups' maxima is never below the maximum of the product, nor a
product of their minima above its minimum.

:mod:`noiseless.papers.knowledge.composition` counts the queries that are accepted in every
reading: with groups for the maximum, the minimum, both or neither.

:func:`build_grouping_tables` summarises the counts of every reading, and how they grow with the
budget.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import betabinom

from noiseless.accounting.one_extreme import GROUPED, NEITHER
from noiseless.accounting.streams import BASES
from noiseless.errors import ConfigError
from noiseless.seeds import make_generator
from noiseless.statistics import CONFIDENCE, Estimate

_RESAMPLES = 2_000
# Number of runs behind the paper's medians (Sections 6.1 and 6.2).
PRINTED_RUNS = 50


def build_grouping_tables(
    counts_linear: pd.DataFrame,
    counts_logistic: pd.DataFrame,
    *,
    epsilon_nats: float,
    budgets_nats: Sequence[float],
    size: int,
    printed_runs: int = PRINTED_RUNS,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Build the tables of accepted queries of the Bayesian filter in every reading of Appendix C.

    The counts are made with the same settings and numbers of runs.  ``factor`` is the median over
    what basic composition accepts; both have intervals, which hold those of ``printed_runs`` other
    runs.

    ``slope_ratio`` is by how much faster the median grows over the upper half of the budgets' range
    than over the lower half: 1 for a straight line and 2 for a parabola with its vertex at 0, over
    budgets from a fifth of the largest.  ``low`` and ``high`` hold 95 % of its values over
    resampled runs.
    """
    budgets = np.sort(np.asarray(budgets_nats, dtype=float))
    if len(budgets) < 2:
        raise ConfigError(
            f"`budgets_nats` must have at least 2 budgets for the growth with the budget, got "
            f"{len(budgets)}. Add a budget."
        )
    basic = np.floor(budgets / epsilon_nats * (1 + 1e-9))
    if basic[0] < 1:
        raise ConfigError(
            f"`epsilon_nats` must be at most the smallest of `budgets_nats`, {budgets[0]:g}, so "
            f"that basic composition accepts a query to compare with, got {epsilon_nats:g}. Give a "
            "smaller epsilon, or larger budgets."
        )
    accepted, growth = [], []
    for regression, table in (("linear", counts_linear), ("logistic", counts_logistic)):
        for grouped in GROUPED:
            group = 0 if grouped == NEITHER else size
            for basis, counts in _split_by_basis(table, grouped, group, budgets).items():
                key_columns = {"regression": regression, "grouped": grouped, "basis": basis}
                accepted += [
                    {**key_columns, "budget_nats": float(budget), **row}
                    for budget, run_counts, basic_count in zip(
                        budgets, counts.T, basic, strict=True
                    )
                    for row in _build_count_rows(run_counts, float(basic_count), printed_runs)
                ]
                growth.append({**key_columns, **_build_growth_row(counts, budgets, seed)})
    return {
        "accepted": pd.DataFrame(accepted),
        "growth": pd.DataFrame(growth),
    }


def _split_by_basis(
    counts: pd.DataFrame, grouped: str, group: int, budgets_nats: np.ndarray
) -> dict[str, np.ndarray]:
    """Split the accepted queries of one reading by basis; arrays of shape (runs, budgets)."""
    selected = counts[(counts["grouped"] == grouped) & (counts["group"] == group)]
    if selected.empty or not set(budgets_nats) <= set(selected["budget_nats"]):
        raise ConfigError(
            f"the counts must have groups of {group} and the budgets {budgets_nats.tolist()} for "
            f"`grouped` {grouped!r}, got groups of {sorted(set(counts['group']))} and the budgets "
            f"{sorted(set(counts['budget_nats']))}. Build the counts with this size of groups and "
            "these budgets."
        )
    wide = selected.pivot(index=["basis", "run"], columns="budget_nats", values="value")
    return {basis: wide.loc[basis][budgets_nats].to_numpy().astype(int) for basis in BASES}


def estimate_median_of_others(
    counts: np.ndarray, others: int, confidence: float = CONFIDENCE
) -> Estimate:
    """Estimate the median of N runs, with an interval that holds the median of n other runs.

    Whatever the distribution, the number of n runs that lie below the k-th smallest of N others is
    beta-binomial with the parameters n, k and N + 1 - k (ties only add to the probability that the
    interval holds); :func:`~noiseless.statistics.estimate_run_median` is the case n = N.  The ends
    are NaN where N is too small.
    """
    ordered, number = np.sort(np.asarray(counts, dtype=float)), len(counts)
    ranks = np.arange(1, number + 1)
    half = (others + 1) // 2
    # The other median is at least its `half`-th smallest: below our k-th if `half` of them are.
    too_high = betabinom.sf(half - 1, others, ranks, number + 1 - ranks)
    rank = int((too_high <= (1 - confidence) / 2).sum())
    low, high = (ordered[rank - 1], ordered[-rank]) if rank else (math.nan, math.nan)
    return Estimate(float(np.median(ordered)), float(low), float(high), "runs")


def _build_count_rows(counts: np.ndarray, basic: float, printed_runs: int) -> list[dict]:
    """Build rows of the accepted queries: median, factor to basic composition, spread."""
    median = estimate_median_of_others(counts, printed_runs)
    factor = median.scale(1 / basic)
    p10, p90 = np.percentile(counts, (10, 90))
    rows = [
        {"statistic": name, "value": each.value, "low": each.low, "high": each.high}
        for name, each in (("median", median), ("factor", factor))
    ]
    plain = {"p10": p10, "p90": p90, "least": counts.min(), "most": counts.max()}
    return rows + [
        {"statistic": name, "value": float(value), "low": math.nan, "high": math.nan}
        for name, value in plain.items()
    ]


def _build_growth_row(counts: np.ndarray, budgets_nats: np.ndarray, seed: int) -> dict:
    """Build the row of the ratio of slopes, with its 95 % bootstrap interval over runs."""
    rng = make_generator(seed, "grouping", "growth")
    picked = rng.integers(0, len(counts), (_RESAMPLES, len(counts)))
    resampled = _compute_slope_ratio(np.median(counts[picked], axis=1), budgets_nats)
    low, high = np.percentile(resampled, (2.5, 97.5))
    value = _compute_slope_ratio(np.median(counts, axis=0)[None], budgets_nats)[0]
    return {"statistic": "slope_ratio", "value": value, "low": low, "high": high}


def _compute_slope_ratio(medians: np.ndarray, budgets_nats: np.ndarray) -> np.ndarray:
    """Compute growth over the upper by growth over the lower half of the budgets, (m, b) to (m,).

    The range begins at a fifth of the largest budget, below which basic composition accepts one
    query.
    """
    most = budgets_nats[-1]
    ends = np.array([0.2, 0.6, 1.0]) * most
    at = np.array([np.interp(ends, budgets_nats, row) for row in medians])
    return (at[:, 2] - at[:, 1]) / np.maximum(at[:, 1] - at[:, 0], 1e-9)
