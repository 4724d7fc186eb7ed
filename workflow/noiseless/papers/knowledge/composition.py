"""Number of queries that a filter accepts for one object (``knowledge``, Sections 6.1 and 6.2).

An object in [-1, 1]^d whose true value is 0 answers random regressions until the filter rejects one
(Algorithm 5).  The counts of every filter and budget follow from the *required budget* of each
query, the smallest at which the filter would still accept it (:mod:`noiseless.accounting.streams`).

1. :func:`build_composition_tables`: losses along some runs, and queries accepted by budget (Figure
   1).
2. :func:`build_scan_table`: accepted logistic queries with smaller parameters than the paper's, in
   search of the printed median.
3. :func:`build_cost_table`: relaxations that the certified solver needs, by queries and dimensions.
4. :func:`build_baselines_table`: queries that accounting without the outputs accepts.
5. :func:`compute_shortfall`: distance of a run's loss from basic composition.

``certified`` counts rest on upper bounds of the loss: a filter can act on them.  ``possible``
counts rest on likelihoods at points of the domain: a sound filter of the kind accepts no more.

The interval of a median of n runs holds the median of n *other* runs with a probability of 95 % or
more (:func:`noiseless.statistics.estimate_run_median`), so it can be compared with a printed one.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, islice, product
from typing import Any, cast

import numpy as np
import pandas as pd
from scipy.special import expit
from tqdm import tqdm

from noiseless.accounting.baselines import count_optimal_queries, count_zcdp_queries
from noiseless.accounting.filters import RELATIVE_ALLOWANCE
from noiseless.accounting.one_extreme import BOTH, MAXIMUM, MINIMUM, NEITHER, OneExtremeGrouped
from noiseless.accounting.queries import Box, LogisticQuery
from noiseless.accounting.realized_loss import GroupedAccount, bound_realized_loss
from noiseless.accounting.streams import (
    BASES,
    FILTERS,
    count_accepted_queries,
    create_stream_account,
    iterate_queries,
    run_accounts,
)
from noiseless.statistics import NO_INTERVAL, estimate_run_median
from noiseless.tables import Rows, returns_table, tidy

_QUANTILES = {"p10": 10, "median": 50, "p90": 90}


def build_composition_tables(
    *,
    regression: str,
    dimensions: int,
    parameter_range: float,
    epsilon_nats: float,
    budgets_nats: Sequence[float],
    size: int,
    runs: Sequence[int],
    shown_runs: int,
    tolerance: float,
    node_limit: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Build the tables of Figure 1 and of the medians of Section 6.1 (linear) or 6.2 (logistic).

    Parameters are drawn from U[-r, r] of the ``parameter_range``; queries are counted in groups of
    a ``size`` (Appendix C) and without.  Runs are summarised by number, a smaller number being the
    first runs of a larger.  ``losses`` are recorded query by query; ``accepted`` has the filter
    ``basic`` for basic composition; ``counts`` are the queries that the Bayesian filter accepts in
    each run, by which extremes of the likelihood are in groups
    (:data:`noiseless.accounting.one_extreme.GROUPED`).
    """
    budgets = np.asarray(budgets_nats, dtype=float)
    readings = [(BOTH, size), (NEITHER, 0)]
    losses: dict[tuple[str, int], list[pd.DataFrame]] = {reading: [] for reading in readings}
    counts: dict[tuple, list[np.ndarray]] = defaultdict(list)  # by reading, filter and basis
    for run in tqdm(range(max(runs)), desc=regression):
        stream = iterate_queries(
            regression,
            dimensions=dimensions,
            parameter_range=parameter_range,
            epsilon_nats=epsilon_nats,
            seed=seed,
            run=run,
        )
        accounts = {
            reading: create_stream_account(dimensions, reading[1], tolerance, node_limit)
            for reading in readings
        }
        behind = accounts[NEITHER, 0], cast("GroupedAccount", accounts[BOTH, size])
        for extreme in (MAXIMUM, MINIMUM):
            accounts[extreme, size] = OneExtremeGrouped(*behind, extreme)
        for reading, steps in run_accounts(stream, accounts, budgets).items():
            for kind, accepted in _count_accepted(steps, budgets).items():
                counts[*reading, *kind].append(accepted)
            if reading in readings and run < shown_runs:
                n_steps = counts[*reading, "bayesian", "certified"][run].max() + 1
                path = steps.loc[: n_steps - 1, ["lower", "upper"]].add_prefix("loss_")
                path = path.assign(group=reading[1], run=run, accepted=range(len(path)))
                losses[reading].append(path)
    rows = []
    for n_runs in runs:
        for reading, name, basis in product(readings, FILTERS, BASES):
            accepted_counts = np.array(counts[*reading, name, basis][:n_runs])
            rows += _build_quantile_rows(accepted_counts, budgets, reading[1], name, basis, n_runs)
        basic = np.floor(budgets / epsilon_nats * (1 + RELATIVE_ALLOWANCE))
        rows += _build_quantile_rows(basic[None], budgets, 0, "basic", "certified", n_runs)
    loss_columns = ["regression", "group", "run", "accepted"]
    paths = pd.concat(chain(*losses.values()), ignore_index=True).assign(regression=regression)
    accepted_columns = ["regression", "group", "filter", "basis", "runs", "budget_nats"]
    rows = [{"regression": regression, **row} for row in rows]
    count_columns = ["regression", "grouped", "group", "basis", "run", "budget_nats"]
    bayesian = [
        (regression, *reading, basis, run, *budget_and_count)
        for reading in [*readings, (MAXIMUM, size), (MINIMUM, size)]
        for basis in BASES
        for run, accepted in enumerate(counts[*reading, "bayesian", basis])
        for budget_and_count in zip(budgets, accepted, strict=True)
    ]
    return {
        "losses": tidy(paths[[*loss_columns, "loss_lower", "loss_upper"]], loss_columns),
        "accepted": _build_long_table(rows, accepted_columns),
        "counts": tidy(pd.DataFrame(bayesian, columns=[*count_columns, "accepted"]), count_columns),
    }


def compute_shortfall(*, run: int, queries: int = 20, **drawn: Any) -> float:
    """Compute a lower bound (nats) of the sum of a run's epsilons minus its loss.

    A loss is at most the sum of what the single answers add.  The least distance after 1, 2, ... of
    the queries counts.
    """
    stream = islice(iterate_queries("logistic", run=run, **drawn), queries)
    shortfalls = [
        _compute_epsilon_shortfall(cast("LogisticQuery", query), output) for query, output in stream
    ]
    return float(np.cumsum(shortfalls).min())


def _compute_epsilon_shortfall(query: LogisticQuery, output: int) -> float:
    """Compute epsilon minus the most that an answer adds to the loss in [-1, 1]^d, in nats.

    It adds less than epsilon if its response reaches neither 0 nor 1: with s in [0, 1] the response
    at a point, E = e^epsilon and the output 1, by ``log(E / (1 + (E - 1) max s)) + log(1 + (E - 1)
    min s)``.
    """
    reach = np.abs(query.coefficients).sum()
    # Use the distance to 1 itself: 1 minus a response near 1 would lose digits.
    above_least, below_most = expit(query.intercept - reach), expit(-query.intercept - reach)
    if not output:
        above_least, below_most = below_most, above_least
    growth = np.expm1(query.epsilon_nats)
    near_most = -np.log1p(-(growth / (growth + 1)) * below_most)
    return float(near_most + np.log1p(growth * above_least))


def _count_accepted(
    steps: pd.DataFrame, budgets_nats: np.ndarray
) -> dict[tuple[str, str], np.ndarray]:
    """Count the queries accepted in a run, shape (budgets,), by filter and basis."""
    return {
        (name, basis): count_accepted_queries(steps[column].to_numpy(), budgets_nats)
        for name in FILTERS
        for basis, column in zip(BASES, (name, f"{name}_possible"), strict=True)
    }


def _build_quantile_rows(
    counts: np.ndarray, budgets_nats: np.ndarray, group: int, name: str, basis: str, runs: int
) -> list[dict]:
    """Build a row for each budget: quantiles over runs of the accepted queries (runs, budgets)."""
    points = np.percentile(counts, list(_QUANTILES.values()), axis=0)
    return [
        {
            "group": group,
            "filter": name,
            "basis": basis,
            "runs": runs,
            "budget_nats": float(budget_nats),
            **dict(zip(_QUANTILES, points[:, column].tolist(), strict=True)),
            "interval": (np.nan, np.nan)
            if name == "basic"
            else _compute_median_interval(counts[:, column]),
        }
        for column, budget_nats in enumerate(budgets_nats)
    ]


def _compute_median_interval(counts: np.ndarray) -> tuple[float, float]:
    """Compute the interval (low, high) of the median over runs."""
    median = estimate_run_median(counts)
    return median.low, median.high


def _build_long_table(rows: list[dict], cell: list[str]) -> pd.DataFrame:
    """Build a long table of the rows; each ``interval`` becomes ``low``, ``high`` of the median."""
    wide = pd.DataFrame(rows)
    table = tidy(wide[[*cell, *wide.columns.drop([*cell, "interval"])]], cell)
    ends = np.full((len(table), 2), np.nan)
    ends[table["statistic"] == "median"] = wide["interval"].tolist()
    sampled_unit = np.where(np.isnan(ends[:, 0]), NO_INTERVAL, "runs")
    return table.assign(low=ends[:, 0], high=ends[:, 1], over=sampled_unit)


def build_scan_table(
    *,
    parameter_range: Sequence[float],
    dimensions: int,
    group_size: int,
    budget_nats: float,
    runs: int,
    tolerance: float,
    node_limit: int,
    **drawn: Any,
) -> pd.DataFrame:
    """Build the table of median accepted logistic queries by the range of their parameters.

    ``median`` is certified, and ``median_possible`` by the least that the loss can be.
    """
    rows, budgets_nats = [], np.array([budget_nats], dtype=float)
    for reach in tqdm(map(float, parameter_range), desc="parameter ranges"):
        steps = [
            run_accounts(
                iterate_queries(
                    "logistic", dimensions=dimensions, parameter_range=reach, run=run, **drawn
                ),
                {group_size: create_stream_account(dimensions, group_size, tolerance, node_limit)},
                budgets_nats,
            )
            for run in range(runs)
        ]
        for name in FILTERS:
            accepted = [_count_accepted(run[group_size], budgets_nats) for run in steps]
            certified, possible = (
                np.array([each[name, basis][0] for each in accepted]) for basis in BASES
            )
            rows.append(
                {
                    "regression": "logistic",
                    "dimensions": dimensions,
                    "parameter_range": reach,
                    "group": group_size,
                    "filter": name,
                    "median": np.median(certified),
                    "median_possible": np.median(possible),
                    "interval": _compute_median_interval(certified),
                }
            )
    return _build_long_table(
        rows, ["regression", "dimensions", "parameter_range", "group", "filter"]
    )


@returns_table("dimensions", "queries")
def build_cost_table(
    *,
    queries: Sequence[int],
    dimensions: Sequence[int],
    tolerance: float,
    node_limit: int,
    problems: int,
    **drawn: Any,
) -> Rows:
    """Build the table of relaxations solved to certify the loss of random logistic queries.

    Unlike seconds, relaxations are equal on every machine.  ``unfinished`` problems met the node
    limit before the tolerance.
    """
    for d in dimensions:
        box = Box((-1.0,) * d, (1.0,) * d)
        for n in queries:
            nodes, unfinished = [], 0
            for problem in range(problems):
                stream = iterate_queries("logistic", dimensions=d, run=problem, **drawn)
                asked, outputs = zip(*(next(stream) for _ in range(n)), strict=True)
                # Only the cost of the complete list counts, so bound the loss once, at its end.
                loss = bound_realized_loss(
                    asked, outputs, box, tolerance=tolerance, node_limit=node_limit
                )
                nodes.append(loss.nodes)
                unfinished += loss.upper - loss.lower > tolerance + 1e-9
            yield {
                "dimensions": d,
                "queries": n,
                "median_relaxations": float(np.median(nodes)),
                "most_relaxations": max(nodes),
                "unfinished": unfinished,
            }


@returns_table("baseline", "budget_nats")
def build_baselines_table(
    *, epsilon_nats: float, budgets_nats: Sequence[float], delta: float
) -> Rows:
    """Build the table of the queries that output-independent accounting accepts at each budget.

    ``optimal`` is the most that any accounting of the epsilons alone can accept, and ``zcdp`` a
    filter of zero-concentrated privacy, as OpenDP has it.  These may fail with a probability
    ``delta``; the filters of Figure 1 never do.
    """
    counts = {"optimal": count_optimal_queries, "zcdp": count_zcdp_queries}
    yield from (
        {
            "baseline": name,
            "budget_nats": float(budget),
            "accepted": count(epsilon_nats, budget, delta),
        }
        for name, count in counts.items()
        for budget in budgets_nats
    )
