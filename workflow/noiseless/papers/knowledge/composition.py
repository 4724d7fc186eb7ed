"""How many queries a privacy filter lets one object answer (``knowledge``, Sections 6.1 and 6.2).

An object in [-1, 1]^d whose true value is 0 answers random regressions until the filter rejects one
(Algorithm 5).  Every filter and budget is read off the *required budget* of each query, the
smallest at which the filter would still accept it (:mod:`noiseless.accounting.streams`).

1. :func:`composition_tables`: losses along some runs, and queries accepted by budget (Figure 1).
2. :func:`scan_table`: the same counts for other set-ups, in search of the printed medians.
3. :func:`cost_table`: relaxations that the certified solver needs, by queries and dimensions.
4. :func:`baselines_table`: queries that accounting without the outputs accepts.
5. :func:`behind_table` and :func:`growth_table`: how far the losses are behind basic composition,
   and how they grow.

``certified`` counts rest on upper bounds of the loss: a filter can act on them.  ``possible``
counts rest on likelihoods at points of the domain: a sound filter of the kind accepts no more.

The interval of a median of n runs holds the median of n *other* runs with a probability of 95 % or
more (:func:`noiseless.statistics.median_of_runs`), so it can be compared with a printed one.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, islice, product
from typing import Any, cast

import numpy as np
import pandas as pd
from scipy.special import expit
from tqdm import tqdm

from noiseless.accounting.baselines import optimal_count, zcdp_count
from noiseless.accounting.filters import RELATIVE_ALLOWANCE
from noiseless.accounting.one_extreme import BOTH, MAXIMUM, MINIMUM, NEITHER, OneExtremeGrouped
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery
from noiseless.accounting.realized_loss import GroupedAccount, realized_loss
from noiseless.accounting.streams import (
    BASES,
    FILTERS,
    accepted_queries,
    account_runs,
    new_account,
    query_stream,
)
from noiseless.statistics import NOTHING, median_of_runs
from noiseless.tables import Rows, as_table, tidy

_QUANTILES = {"p10": 10, "median": 50, "p90": 90}


def composition_tables(
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
    """Figure 1 and the medians of Section 6.1 (linear) or 6.2 (logistic).

    Parameters
    ----------
    regression : str
        ``linear`` or ``logistic``.
    dimensions : int
        Number of dimensions of the object.
    parameter_range : float
        Parameters are drawn from U[-r, r].
    epsilon_nats : float
        LDP guarantee of each query.
    budgets_nats : sequence of float
        Privacy budgets epsilon_g.
    size : int
        Queries in a group of Appendix C; without groups is counted as well.
    runs : sequence of int
        Numbers of runs to summarise; a smaller number is the first runs of a larger.
    shown_runs : int
        Runs whose losses are kept query by query.
    tolerance : float
        The tolerance of the certified bounds, in nats.
    node_limit : int
        The node limit of the certified bounds.
    seed : int

    Returns
    -------
    dict
        ``losses``: cells (regression, group, run, accepted), statistics ``loss_lower`` and
        ``loss_upper`` in nats.  ``accepted``: cells (regression, group, filter, basis, runs,
        budget), statistics ``p10``, ``median`` (with its interval ``low``, ``high``) and ``p90``:
        accepted queries; filter ``basic`` is basic composition.  ``counts``: cells (regression,
        grouped, group, basis, run, budget_nats), statistic ``accepted``, the queries that the
        Bayesian filter accepts in each run; ``grouped`` says which extremes of the likelihood are
        in groups, one of :data:`noiseless.accounting.one_extreme.GROUPED`.  ``behind`` and
        ``growth``: :func:`behind_table` and :func:`growth_table`.
    """
    budgets = np.asarray(budgets_nats, dtype=float)
    readings = [(BOTH, size), (NEITHER, 0)]
    losses: dict[tuple[str, int], list[pd.DataFrame]] = {reading: [] for reading in readings}
    counts: dict[tuple, list[np.ndarray]] = defaultdict(list)  # by reading, filter and basis
    for run in tqdm(range(max(runs)), desc=regression):
        stream = query_stream(
            regression,
            dimensions=dimensions,
            parameter_range=parameter_range,
            epsilon_nats=epsilon_nats,
            seed=seed,
            run=run,
        )
        accounts = {
            reading: new_account(dimensions, reading[1], tolerance, node_limit)
            for reading in readings
        }
        behind = accounts[NEITHER, 0], cast("GroupedAccount", accounts[BOTH, size])
        for extreme in (MAXIMUM, MINIMUM):
            accounts[extreme, size] = OneExtremeGrouped(*behind, extreme)
        for reading, steps in account_runs(stream, accounts, budgets).items():
            for kind, accepted in _accepted(steps, budgets).items():
                counts[*reading, *kind].append(accepted)
            if reading in readings and run < shown_runs:
                kept = counts[*reading, "bayesian", "certified"][run].max() + 1
                path = steps.loc[: kept - 1, ["lower", "upper"]].add_prefix("loss_")
                path = path.assign(group=reading[1], run=run, accepted=range(len(path)))
                losses[reading].append(path)
    rows = []
    for number in runs:
        for reading, each, basis in product(readings, FILTERS, BASES):
            found = np.array(counts[*reading, each, basis][:number])
            rows += _quantiles(found, budgets, reading[1], each, basis, number)
        basic = np.floor(budgets / epsilon_nats * (1 + RELATIVE_ALLOWANCE))
        rows += _quantiles(basic[None], budgets, 0, "basic", "certified", number)
    cell = ["regression", "group", "run", "accepted"]
    paths = pd.concat(chain(*losses.values()), ignore_index=True).assign(regression=regression)
    key = ["regression", "group", "filter", "basis", "runs", "budget_nats"]
    rows = [{"regression": regression, **row} for row in rows]
    named = ["regression", "grouped", "group", "basis", "run", "budget_nats"]
    bayesian = [
        (regression, *reading, basis, run, *each)
        for reading in [*readings, (MAXIMUM, size), (MINIMUM, size)]
        for basis in BASES
        for run, accepted in enumerate(counts[*reading, "bayesian", basis])
        for each in zip(budgets, accepted, strict=True)
    ]
    return {
        "losses": (losses_of_runs := tidy(paths[[*cell, "loss_lower", "loss_upper"]], cell)),
        "behind": behind_table(
            regression=regression,
            dimensions=dimensions,
            parameter_range=parameter_range,
            epsilon_nats=epsilon_nats,
            seed=seed,
            queries=[int(most.max()) for most in counts[NEITHER, 0, "bayesian", "possible"]],
        ),
        "growth": growth_table(losses_of_runs),
        "accepted": _tidy_with_intervals(rows, key),
        "counts": tidy(pd.DataFrame(bayesian, columns=[*named, "accepted"]), named),
    }


@as_table("regression", "run")
def behind_table(
    *,
    regression: str,
    dimensions: int,
    parameter_range: float,
    epsilon_nats: float,
    seed: int,
    queries: Sequence[int],
) -> Rows:
    """By how much at least the loss of each run stays behind the sum of its epsilons.

    A loss is at most the sum of what the single answers add, and each adds less than its epsilon
    where its response comes near neither end of its interval in the box: with s the response's
    place in the interval, E = e^epsilon and the output 1, less by ``log E/(1 + (E - 1) max s) +
    log(1 + (E - 1) min s)``.

    Parameters
    ----------
    regression, dimensions, parameter_range, epsilon_nats, seed
        Of the streams, as for :func:`composition_tables`.
    queries : sequence of int
        Of each run, the most that may be accepted.

    Returns
    -------
    DataFrame
        Cells (regression, run).  Statistics: ``queries``; ``least_nats``, the least distance after
        1, 2, ... queries.
    """
    for run, number in enumerate(queries):
        stream = query_stream(
            regression,
            dimensions=dimensions,
            parameter_range=parameter_range,
            epsilon_nats=epsilon_nats,
            seed=seed,
            run=run,
        )
        less = []
        for query, output in islice(stream, max(number, 1)):
            regressed = cast("LinearQuery | LogisticQuery", query)
            less.append(_less_than_epsilon(regressed, output))
        yield {
            "regression": regression,
            "run": run,
            "queries": number,
            "least_nats": np.cumsum(less).min(),
        }


def _less_than_epsilon(query: LinearQuery | LogisticQuery, output: int) -> float:
    """By how much less than its epsilon an answer adds to the loss in [-1, 1]^d, in nats."""
    reach = np.abs(query.coefficients).sum()
    ends = np.array([query.intercept - reach, query.intercept + reach])
    if isinstance(query, LogisticQuery):
        # Of a response near 1, what it lacks: no difference of numbers that are nearly equal.
        above_least, below_most = expit(ends[0]), expit(-ends[1])
    else:
        above_least, below_most = (ends[0] + 1) / 2, (1 - ends[1]) / 2
    if not output:
        above_least, below_most = below_most, above_least
    growth = np.expm1(query.epsilon_nats)
    # The rounding of a linear response may put it a unit of the last place beyond its interval.
    near_most = -np.log1p(-(growth / (growth + 1)) * max(below_most, 0))
    return float(near_most + np.log1p(growth * max(above_least, 0)))


@as_table("regression", "group", "run")
def growth_table(losses: pd.DataFrame) -> Rows:
    """Whether the loss of a run increases, by its certified bounds.

    Parameters
    ----------
    losses : DataFrame
        As :func:`composition_tables` makes it.

    Returns
    -------
    DataFrame
        Cells (regression, group, run).  Statistics: ``rise_nats``, the lower bound after the last
        accepted query less the upper one after the first; ``steps`` from one accepted query to the
        next; ``falls``, those after which the upper bound is below the lower one before.
    """
    cell = ["regression", "group", "run"]
    wide = losses.pivot(index=[*cell, "accepted"], columns="statistic", values="value")
    for place, path in wide.drop(index=0, level="accepted").groupby(level=cell):
        lower, upper = path["loss_lower"].to_numpy(), path["loss_upper"].to_numpy()
        yield {
            **dict(zip(cell, place, strict=True)),
            "rise_nats": lower[-1] - upper[0],
            "steps": len(path) - 1,
            "falls": int((upper[1:] < lower[:-1]).sum()),
        }


def _accepted(steps: pd.DataFrame, budgets_nats: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    """Queries that are accepted in a run at each budget, by filter and basis."""
    return {
        (name, basis): accepted_queries(steps[column].to_numpy(), budgets_nats)
        for name in FILTERS
        for basis, column in zip(BASES, (name, f"{name}_possible"), strict=True)
    }


def _quantiles(
    counts: np.ndarray, budgets_nats: np.ndarray, group: int, name: str, basis: str, runs: int
) -> list[dict]:
    """Quantiles of the accepted queries over runs: a row for each budget."""
    points = np.percentile(counts, list(_QUANTILES.values()), axis=0)
    return [
        {
            "group": group,
            "filter": name,
            "basis": basis,
            "runs": runs,
            "budget_nats": float(budget_nats),
            **dict(zip(_QUANTILES, points[:, column].tolist(), strict=True)),
            "interval": (np.nan, np.nan) if name == "basic" else _ends(counts[:, column]),
        }
        for column, budget_nats in enumerate(budgets_nats)
    ]


def _ends(counts: np.ndarray) -> tuple[float, float]:
    """Ends of the interval of the median over runs."""
    median = median_of_runs(counts)
    return median.low, median.high


def _tidy_with_intervals(rows: list[dict], cell: list[str]) -> pd.DataFrame:
    """Long table of the rows, whose ``interval`` becomes the ends beside the median."""
    wide = pd.DataFrame(rows)
    table = tidy(wide[[*cell, *wide.columns.drop([*cell, "interval"])]], cell)
    ends = np.full((len(table), 2), np.nan)
    ends[table["statistic"] == "median"] = wide["interval"].tolist()
    over = np.where(np.isnan(ends[:, 0]), NOTHING, "runs")
    return table.assign(low=ends[:, 0], high=ends[:, 1], over=over)


def scan_table(
    *,
    setups: Sequence[dict],
    budget_nats: float,
    runs: int,
    tolerance: float,
    node_limit: int,
    **drawn: Any,
) -> pd.DataFrame:
    """Median numbers of accepted queries in other set-ups than the stated one.

    Parameters
    ----------
    setups : sequence of dict
        Each with ``regression`` and the lists ``dimensions``, ``parameter_range`` and ``groups``,
        whose product is scanned.
    budget_nats : float
        Budget of the object.
    runs : int
        Runs of each set-up.
    tolerance, node_limit
        The tolerance and node limit of the certified bounds.
    **drawn
        ``epsilon_nats`` and ``seed``: see :func:`~noiseless.accounting.streams.query_stream`.

    Returns
    -------
    DataFrame
        Cells (regression, dimensions, parameter_range, group, filter).  Statistics: ``median``
        (certified, with its interval ``low``, ``high``) and ``median_possible`` accepted queries.
    """
    rows, budgets_nats = [], np.array([budget_nats], dtype=float)
    cells = [
        (setup["regression"], dimensions, float(reach), setup["groups"])
        for setup in setups
        for dimensions in setup["dimensions"]
        for reach in setup["parameter_range"]
    ]
    for regression, dimensions, reach, groups in tqdm(cells, desc="set-ups"):
        steps = [
            account_runs(
                query_stream(
                    regression, dimensions=dimensions, parameter_range=reach, run=run, **drawn
                ),
                {group: new_account(dimensions, group, tolerance, node_limit) for group in groups},
                budgets_nats,
            )
            for run in range(runs)
        ]
        for group, name in product(groups, FILTERS):
            accepted = [_accepted(run[group], budgets_nats) for run in steps]
            certified, possible = (
                np.array([each[name, basis][0] for each in accepted]) for basis in BASES
            )
            rows.append(
                {
                    "regression": regression,
                    "dimensions": dimensions,
                    "parameter_range": reach,
                    "group": group,
                    "filter": name,
                    "median": np.median(certified),
                    "median_possible": np.median(possible),
                    "interval": _ends(certified),
                }
            )
    return _tidy_with_intervals(
        rows, ["regression", "dimensions", "parameter_range", "group", "filter"]
    )


@as_table("dimensions", "queries")
def cost_table(
    *,
    queries: Sequence[int],
    dimensions: Sequence[int],
    tolerance: float,
    node_limit: int,
    problems: int,
    **drawn: Any,
) -> Rows:
    """Relaxations solved for the realized loss of random logistic queries.

    Unlike seconds, they are the same on every machine.

    Returns
    -------
    DataFrame
        Cells (dimensions, queries).  Statistics: ``median_relaxations`` and ``most_relaxations``
        over the problems, and ``unfinished``: problems that met the node limit before the
        tolerance.
    """
    for d in dimensions:
        box = Box((-1.0,) * d, (1.0,) * d)
        for n in queries:
            nodes, unfinished = [], 0
            for problem in range(problems):
                stream = query_stream("logistic", dimensions=d, run=problem, **drawn)
                asked, outputs = zip(*(next(stream) for _ in range(n)), strict=True)
                # Only the whole list's cost counts, so nothing is bounded on the way there.
                loss = realized_loss(
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


@as_table("baseline", "budget_nats")
def baselines_table(*, epsilon_nats: float, budgets_nats: Sequence[float], delta: float) -> Rows:
    """Queries that output-independent accounting accepts, beside the filters of Figure 1.

    Parameters
    ----------
    epsilon_nats : float
        Guarantee of one query, in nats.
    budgets_nats : sequence of float
        Privacy budgets epsilon_g, in nats.
    delta : float
        Probability with which these baselines may fail; the filters of Figure 1 never do.

    Returns
    -------
    DataFrame
        Cells (baseline, budget_nats).  Statistic ``accepted``.  Baselines: ``optimal``, the most
        that any accounting of the epsilons alone can accept; ``zcdp``, a filter of
        zero-concentrated privacy, as OpenDP has it.
    """
    counts = {"optimal": optimal_count, "zcdp": zcdp_count}
    yield from (
        {
            "baseline": name,
            "budget_nats": float(budget),
            "accepted": count(epsilon_nats, budget, delta),
        }
        for name, count in counts.items()
        for budget in budgets_nats
    )
