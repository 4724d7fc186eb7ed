"""Streams of random queries to one object, and what filters accept of them (``knowledge``).

Algorithm 5: an object in [-1, 1]^d whose true value is 0 answers random regressions until a filter
rejects one.  A stream does not depend on the filter, so it is accounted once, and every filter and
budget is read off the *required budget* of each query.

1. :func:`query_stream` draws queries (:func:`random_query`) and their outputs.
2. :func:`account_runs` gives the losses and the required budgets along a stream, for several
   accounts at once.
3. :func:`accepted_queries` counts the queries that fit into a budget.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

import numpy as np
import pandas as pd

from noiseless.accounting.filters import RELATIVE_ALLOWANCE
from noiseless.accounting.one_extreme import OneExtremeGrouped
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, Query
from noiseless.accounting.realized_loss import BoxAccount, GroupedAccount, LossAccount
from noiseless.errors import ConfigError
from noiseless.seeds import generator

LONGEST_RUN = 5_000
FILTERS = ("bayesian", "simplified")
BASES = ("certified", "possible")
_COLUMNS = ("lower", "upper", "simplified", "simplified_possible", "bayesian", "bayesian_possible")

Name = TypeVar("Name", bound=Hashable)


def random_query(
    regression: str,
    *,
    dimensions: int,
    parameter_range: float,
    epsilon_nats: float,
    rng: np.random.Generator,
) -> LinearQuery | LogisticQuery:
    """A regression with parameters drawn as in Section 6.

    ``linear``: intercept and coefficients from U[-r, r], scaled to an L1 norm of 1 together, with
    response in [-1, 1].  ``logistic``: from U[-r, r], not scaled.
    """
    parameters = rng.uniform(-parameter_range, parameter_range, dimensions + 1)
    if regression == "linear":
        parameters /= np.abs(parameters).sum()
    intercept, *coefficients = parameters.tolist()
    if regression == "linear":
        return LinearQuery(tuple(coefficients), intercept, epsilon_nats, -1.0, 1.0)
    if regression == "logistic":
        return LogisticQuery(tuple(coefficients), intercept, epsilon_nats)
    raise ConfigError(f"{regression!r} is not a regression of Section 6: linear or logistic.")


def query_stream(
    regression: str,
    *,
    dimensions: int,
    parameter_range: float,
    epsilon_nats: float,
    seed: int,
    run: int,
) -> Iterator[tuple[Query, int]]:
    """Endless queries and their outputs for the true value 0."""
    rng = generator(
        seed,
        "composition",
        regression,
        dimensions,
        float(parameter_range),
        float(epsilon_nats),
        run,
    )
    truth = np.zeros((1, dimensions))
    while True:
        query = random_query(
            regression,
            dimensions=dimensions,
            parameter_range=parameter_range,
            epsilon_nats=epsilon_nats,
            rng=rng,
        )
        yield query, query.mechanism.report_one(query.response(truth).item(), rng)


def account_runs(
    stream: Iterator[tuple[Query, int]],
    accounts: Mapping[Name, LossAccount],
    budgets_nats: np.ndarray,
) -> dict[Name, pd.DataFrame]:
    """Losses and required budgets along a run, until no filter accepts at the largest budget.

    Parameters
    ----------
    stream : iterator of (Query, int)
        Endless queries and their outputs.
    accounts : mapping of names to LossAccount
        Empty ones.  An account may rest on others of them.  Each is given the queries until no
        filter accepts that is its own or that of one which rests on it.
    budgets_nats : ndarray

    Returns
    -------
    dict of DataFrame, by the names of the accounts, with one row per query
        ``lower``, ``upper``: bounds of the loss before the query; ``simplified``, ``bayesian``: the
        certified required budgets; ``simplified_possible``, ``bayesian_possible``: what the
        required budgets are at least.

    Notes
    -----
    A query adds at most its epsilon (Theorem 4.2), and some output of it does not lower the loss
    (the likelihoods of a point are the sums of those after each output).  Where that is enough to
    say that no filter rejects the query at a budget which lasted until then, the losses after each
    output are not computed, and these two bounds stand for them.
    """
    rows: dict[Name, list[tuple[float, ...]]] = {name: [] for name in accounts}
    limits = dict.fromkeys(accounts, (np.sort(budgets_nats) * (1 + RELATIVE_ALLOWANCE)).tolist())
    asked = _asked(accounts.values())
    for query, output in stream:
        for name, lasting in list(limits.items()):
            row = _required_budgets(accounts[name], query, lasting[0])
            rows[name].append(row)
            limits[name] = lasting = lasting[bisect_left(lasting, min(row[2:])) :]
            if not lasting or len(rows[name]) == LONGEST_RUN:
                del limits[name]
                asked = _asked(accounts[name] for name in limits)
        if not limits:
            return {name: pd.DataFrame(some, columns=_COLUMNS) for name, some in rows.items()}
        for account in asked:
            account.add(query, output)
    raise AssertionError("a stream of queries has no end")


def _asked(accounts: Iterable[LossAccount]) -> list[LossAccount]:
    """Some accounts, and those that they rest on, each once."""
    found: list[LossAccount] = []
    for account in accounts:
        behind = account.behind if isinstance(account, OneExtremeGrouped) else ()
        found += [each for each in (*behind, account) if each not in found]
    return found


def _required_budgets(account: LossAccount, query: Query, limit: float) -> tuple[float, ...]:
    """A row of :func:`account_runs`, where the smallest budget that lasted is ``limit``."""
    now = account.bounds()
    simplified, possible = now.upper + query.epsilon_nats, now.lower + query.epsilon_nats
    bayesian, bayesian_possible = simplified, now.lower
    if simplified > limit:
        after = [account.bounds_after(query, each) for each in range(query.outputs)]
        bayesian = max(each.upper for each in after)
        bayesian_possible = max(each.lower for each in after)
    return now.lower, now.upper, simplified, possible, bayesian, bayesian_possible


def accepted_queries(required: np.ndarray, budgets_nats: np.ndarray) -> np.ndarray:
    """Queries before the first whose required budget is above each budget."""
    exceeds = required[:, None] > budgets_nats * (1 + RELATIVE_ALLOWANCE)
    return np.where(exceeds.any(axis=0), exceeds.argmax(axis=0), len(required))


def new_account(dimensions: int, group: int, tolerance: float, node_limit: int) -> LossAccount:
    """Empty account of an object in [-1, 1]^d, with answers in groups of ``group``; 0 is none."""
    box = Box((-1.0,) * dimensions, (1.0,) * dimensions)

    def ungrouped() -> BoxAccount:
        return BoxAccount(box, tolerance=tolerance, node_limit=node_limit)

    return GroupedAccount(ungrouped, group) if group else ungrouped()
