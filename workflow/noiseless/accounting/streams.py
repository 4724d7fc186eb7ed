"""Streams of random queries to one object, and the numbers that filters accept (``knowledge``).

Algorithm 5: an object in [-1, 1]^d whose true value is 0 answers random regressions until a filter
rejects one.  A stream does not depend on the filter, so its losses are computed once, and the
*required budget* of each query decides for every filter and budget.

1. :func:`iterate_queries` draws queries (:func:`draw_query`) and their outputs.
2. :func:`run_accounts` computes the losses and the required budgets along a stream, for several
   accounts at once.
3. :func:`count_accepted_queries` counts the queries that fit into a budget.
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
from noiseless.seeds import make_generator

MAX_RUN_LENGTH = 5_000
FILTERS = ("bayesian", "simplified")
BASES = ("certified", "possible")
_COLUMNS = ("lower", "upper", "simplified", "simplified_possible", "bayesian", "bayesian_possible")

Name = TypeVar("Name", bound=Hashable)


def draw_query(
    regression: str,
    *,
    dimensions: int,
    parameter_range: float,
    epsilon_nats: float,
    rng: np.random.Generator,
) -> LinearQuery | LogisticQuery:
    """Draw a regression with the parameters of Section 6.

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
    raise ConfigError(f"`regression` must be linear or logistic, got {regression!r}.")


def iterate_queries(
    regression: str,
    *,
    dimensions: int,
    parameter_range: float,
    epsilon_nats: float,
    seed: int,
    run: int,
) -> Iterator[tuple[Query, int]]:
    """Iterate endlessly over random queries and their outputs for the true value 0."""
    rng = make_generator(
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
        query = draw_query(
            regression,
            dimensions=dimensions,
            parameter_range=parameter_range,
            epsilon_nats=epsilon_nats,
            rng=rng,
        )
        yield query, query.mechanism.report_one(query.compute_response(truth).item(), rng)


def run_accounts(
    stream: Iterator[tuple[Query, int]],
    accounts: Mapping[Name, LossAccount],
    budgets_nats: np.ndarray,
) -> dict[Name, pd.DataFrame]:
    """Compute losses and required budgets (nats) along a run of queries, for each account.

    The run ends when no filter accepts at the largest budget.  An account can be based on others of
    them; each receives the queries until no filter of it, or of an account that is based on it,
    accepts any more.  Its table has a row for each query: the ``lower`` and ``upper`` bounds of the
    loss before it, the certified required budgets ``simplified`` and ``bayesian``, and lower bounds
    of these, ``simplified_possible`` and ``bayesian_possible``.

    A query adds at most its epsilon (Theorem 4.2), and some output of it does not lower the loss
    (the likelihoods of a point are the sums of those after each output).  If these two bounds show
    that no filter rejects the query at a budget still in use, the losses after each output are not
    computed, and the bounds replace them.
    """
    rows: dict[Name, list[tuple[float, ...]]] = {name: [] for name in accounts}
    limits = dict.fromkeys(accounts, (np.sort(budgets_nats) * (1 + RELATIVE_ALLOWANCE)).tolist())
    active = _list_accounts(accounts.values())
    for query, output in stream:
        for name, lasting in list(limits.items()):
            row = _compute_required_budgets(accounts[name], query, lasting[0])
            rows[name].append(row)
            limits[name] = lasting = lasting[bisect_left(lasting, min(row[2:])) :]
            if not lasting or len(rows[name]) == MAX_RUN_LENGTH:
                del limits[name]
                active = _list_accounts(accounts[name] for name in limits)
        if not limits:
            return {name: pd.DataFrame(each, columns=_COLUMNS) for name, each in rows.items()}
        for account in active:
            account.add(query, output)
    raise AssertionError("`stream` must be endless, but it ended.")


def _list_accounts(accounts: Iterable[LossAccount]) -> list[LossAccount]:
    """List accounts and the accounts on which they are based, each once."""
    listed: list[LossAccount] = []
    for account in accounts:
        bases = account.base_accounts if isinstance(account, OneExtremeGrouped) else ()
        listed += [each for each in (*bases, account) if each not in listed]
    return listed


def _compute_required_budgets(
    account: LossAccount, query: Query, limit: float
) -> tuple[float, ...]:
    """Compute a row of :func:`run_accounts`; ``limit`` is the smallest budget still in use."""
    now = account.bound_loss()
    simplified, possible = now.upper + query.epsilon_nats, now.lower + query.epsilon_nats
    bayesian, bayesian_possible = simplified, now.lower
    if simplified > limit:
        after = [account.bound_loss_after(query, each) for each in range(query.outputs)]
        bayesian = max(each.upper for each in after)
        bayesian_possible = max(each.lower for each in after)
    return now.lower, now.upper, simplified, possible, bayesian, bayesian_possible


def count_accepted_queries(required: np.ndarray, budgets_nats: np.ndarray) -> np.ndarray:
    """Count for each budget the queries before the first whose required budget is larger."""
    exceeds = required[:, None] > budgets_nats * (1 + RELATIVE_ALLOWANCE)
    return np.where(exceeds.any(axis=0), exceeds.argmax(axis=0), len(required))


def create_stream_account(
    dimensions: int, group: int, tolerance: float, node_limit: int
) -> LossAccount:
    """Create an empty loss account of an object in [-1, 1]^d, with groups of ``group`` answers.

    A ``group`` of 0 groups nothing.
    """
    box = Box((-1.0,) * dimensions, (1.0,) * dimensions)

    def create_ungrouped() -> BoxAccount:
        return BoxAccount(box, tolerance=tolerance, node_limit=node_limit)

    return GroupedAccount(create_ungrouped, group) if group else create_ungrouped()
