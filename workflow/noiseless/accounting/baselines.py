"""Numbers of queries that output-independent (epsilon, delta) accounting accepts.

They are baselines for accounting by realized loss.  All queries are epsilon-LDP with one epsilon,
and have no delta.

1. *Optimal composition* (:func:`count_optimal_queries`): no accounting that knows only the epsilons
   accepts more.  The worst such query is randomized response, so the smallest delta of k of them is
   a sum over binomial outcomes (Kairouz, Oh and Viswanath, "The composition theorem for
   differential privacy", Theorem 3.3).  Accountants by privacy loss distributions compute it.
2. *Zero-concentrated filter* (:func:`count_zcdp_queries`): an epsilon costs epsilon^2 / 2, the
   costs add up, and their sum is turned into a delta (Canonne, Kamath and Steinke, "The discrete
   Gaussian for differential privacy", Proposition 7).  The filters of OpenDP do that for queries
   that are chosen adaptively.

Both guarantees can fail with a probability of up to delta; a realized loss holds for the outputs
as they are.
"""

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import gammaln, logsumexp

from noiseless.accounting.privacy_loss import require_epsilon
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import check_positive, convert_to_python, is_number

_MAX_QUERIES = 2**24  # more take gigabytes: each number of truthful answers has a probability


def _check_budget(budget_nats: float) -> None:
    """Raise ConfigError unless a budget is a finite number of at least 0."""
    number = convert_to_python(budget_nats)
    if not (is_number(number) and 0 <= number < math.inf):
        raise ConfigError(
            f"`budget_nats` must be a finite number of at least 0, got {budget_nats!r}."
        )


def compute_optimal_delta(epsilon_nats: float, queries: int, budget_nats: float) -> float:
    """Compute the smallest delta for which ``queries`` epsilon-DP answers are (budget, delta)-DP.

    Epsilon and budget are in nats.
    """
    epsilon_nats = require_epsilon("epsilon_nats", epsilon_nats)
    _check_budget(budget_nats)
    queries = convert_to_python(queries)
    if not (is_number(queries) and 0 <= queries <= _MAX_QUERIES and queries == int(queries)):
        raise ConfigError(
            f"`queries` must be a whole number from 0 to {_MAX_QUERIES:,}, got {queries!r}."
        )
    if queries * epsilon_nats <= budget_nats:
        return 0.0
    truthful = np.arange(queries + 1)
    loss = (2 * truthful - queries) * epsilon_nats
    log_count = gammaln(queries + 1) - gammaln(truthful + 1) - gammaln(queries - truthful + 1)
    log_chance = log_count + truthful * epsilon_nats - queries * np.logaddexp(0.0, epsilon_nats)
    above = loss > budget_nats
    shares = np.log(-np.expm1(budget_nats - loss[above]))
    return min(1.0, float(np.exp(logsumexp(log_chance[above] + shares))))


def compute_zcdp_delta(rho: float, budget_nats: float) -> float:
    """Compute an upper bound of the smallest delta for which rho-zCDP is (budget, delta)-DP."""
    rho = require_epsilon("rho", rho)
    _check_budget(budget_nats)

    def compute_log_delta(log_order: float) -> float:
        order = 1 + math.exp(log_order)
        return (
            (order - 1) * (order * rho - budget_nats)
            - log_order
            + order * (log_order - math.log(order))
        )

    least = minimize_scalar(
        compute_log_delta, bounds=(-20, 20), method="bounded", options={"xatol": 1e-10}
    )
    return math.exp(min(0.0, least.fun))


def count_optimal_queries(epsilon_nats: float, budget_nats: float, delta: float) -> int:
    """Count the epsilon-DP queries that optimal composition accepts within (budget, delta).

    More than 16 million are a ConfigError.
    """
    return _count_queries(
        lambda queries: compute_optimal_delta(epsilon_nats, queries, budget_nats),
        epsilon_nats,
        budget_nats,
        delta,
    )


def count_zcdp_queries(epsilon_nats: float, budget_nats: float, delta: float) -> int:
    """Count the epsilon-DP queries that a zero-concentrated filter accepts within (budget, delta).

    Parameters and errors are those of :func:`count_optimal_queries`.
    """

    def compute_query_delta(queries: int) -> float:
        return compute_zcdp_delta(queries * float(epsilon_nats) ** 2 / 2, budget_nats)

    return _count_queries(compute_query_delta, epsilon_nats, budget_nats, delta)


def _count_queries(
    compute_delta: Callable[[int], float], epsilon_nats: float, budget_nats: float, delta: float
) -> int:
    """Find the largest number of queries whose delta is at most ``delta``.

    The delta of ``compute_delta`` must not fall with the number of queries.
    """
    epsilon_nats = require_epsilon("epsilon_nats", epsilon_nats)
    check_positive("budget_nats", budget_nats)
    budget_nats = float(budget_nats)
    number = convert_to_python(delta)
    if not (is_number(number) and 0 < number < 1):
        raise ConfigError(f"`delta` must lie between 0 and 1, got {delta!r}.")
    # The allowance makes ten queries of 0.1 fit into 1.0: see filters.RELATIVE_ALLOWANCE.
    allowed = delta * (1 + 1e-9)
    accepted, beyond = 0, 1
    while compute_delta(beyond) <= allowed:
        accepted, beyond = beyond, 2 * beyond
        if beyond > _MAX_QUERIES:
            raise ConfigError(
                f"`budget_nats` and `delta` accept more than {accepted:,} queries of "
                f"{epsilon_nats} nats, which is more than is counted. Give a smaller budget."
            )
    while beyond - accepted > 1:
        middle = (accepted + beyond) // 2
        if compute_delta(middle) <= allowed:
            accepted = middle
        else:
            beyond = middle
    return accepted
