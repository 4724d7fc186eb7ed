"""Branch and bound of the paper (``knowledge``, Algorithm 6), as printed and repaired.

It minimises f - g, where both are convex, over a box in x and intervals in the h_i(x).  Its
relaxation keeps f and replaces each term of g by its chord; a general convex solver (SLSQP) bounds
a node, and its answer is trusted.  Three lines differ:

==================== ========================== =====================================
line                 as printed                 repaired
==================== ========================== =====================================
5, the incumbent     starts at 0                starts at infinity
33, its update       the larger value           the smaller value
7, the loop          while LB >= UB - delta     while LB < UB - delta
==================== ========================== =====================================

The paper does not treat a child whose intervals no x meets; the repaired version drops it.
"""

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import LinearConstraint, linprog, minimize

from noiseless.accounting.queries import Box, LogisticQuery
from noiseless.accounting.realized_loss import bound_realized_loss
from noiseless.seeds import make_generator
from noiseless.tables import Rows, returns_table


@dataclass(frozen=True)
class BoundResult:
    """Bound that Algorithm 6 returns (nats), with its number of relaxations."""

    bound: float  # of a minimum, from below, or of a loss, from above
    relaxations: int
    finished: bool  # whether the loop ended before the limit of relaxations


@dataclass(frozen=True)
class _Problem:
    """Problem to minimise ``sum_i F_i(h_i) - G_i(h_i)``; F_i, G_i are ``log(alpha e^h + beta)``."""

    slopes: np.ndarray
    intercepts: np.ndarray
    f: np.ndarray  # alpha and beta of each F_i, shape (n, 2)
    g: np.ndarray  # alpha and beta of each G_i, shape (n, 2)
    box: Box


def _compute_log_term(weights: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Compute ``log(alpha e^h + beta)`` for weights (alpha, beta) of shape (n, 2) and h of (n,)."""
    return np.logaddexp(np.log(weights[:, 0]) + h, np.log(weights[:, 1]))


def _compute_log_slope(weights: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Compute the derivative of ``log(alpha e^h + beta)`` in h, shape (n,)."""
    return 1 / (1 + weights[:, 1] / weights[:, 0] * np.exp(-h))


def minimise(
    problem: _Problem, *, delta: float, printed: bool, relaxation_limit: int = 2_000
) -> BoundResult:
    """Minimise f - g over a box by Algorithm 6, its three lines as printed or as repaired.

    ``delta`` is the tolerance in nats; the limit is there because the printed loop need not end.
    """
    ends = problem.slopes * np.array([problem.box.lower, problem.box.upper])[:, None]
    root = np.stack([ends.min(axis=0).sum(axis=1), ends.max(axis=0).sum(axis=1)])
    root = root + problem.intercepts
    queue: list[tuple[float, int, np.ndarray]] = []  # bound, turn and intervals of each node
    incumbent, order, relaxations = (0.0 if printed else np.inf), itertools.count(), 0
    children = [root]
    while True:
        for intervals in children:
            bound, value = _relax_node(problem, intervals)
            relaxations += 1
            if bound is not None:
                incumbent = max(incumbent, value) if printed else min(incumbent, value)
                heapq.heappush(queue, (bound, next(order), intervals))
        go_on = queue and (
            queue[0][0] >= incumbent - delta if printed else queue[0][0] < incumbent - delta
        )
        if not go_on or relaxations >= relaxation_limit:
            return BoundResult(queue[0][0] if queue else np.nan, relaxations, not go_on)
        _, _, intervals = heapq.heappop(queue)
        longest = int(((intervals[1] - intervals[0]) / (root[1] - root[0])).argmax())
        children = [intervals.copy(), intervals.copy()]
        middle = intervals[:, longest].mean()
        children[0][1, longest] = children[1][0, longest] = middle


def _relax_node(problem: _Problem, intervals: np.ndarray) -> tuple[float | None, float]:
    """Compute a node's relaxed minimum, None if no x meets the intervals, and f - g there."""
    low, high = intervals
    at_low, at_high = _compute_log_term(problem.g, low), _compute_log_term(problem.g, high)
    chord = (at_high - at_low) / (high - low)
    bounds = list(zip(problem.box.lower, problem.box.upper, strict=True))
    constraint = np.vstack([problem.slopes, -problem.slopes])
    limits = np.concatenate([high - problem.intercepts, problem.intercepts - low])
    start = linprog(np.zeros(len(bounds)), A_ub=constraint, b_ub=limits, bounds=bounds)
    if start.status != 0:
        return None, np.inf

    def evaluate_relaxation(x: np.ndarray) -> tuple[float, np.ndarray]:
        """Compute the relaxation of f - g at x, and its gradient in x."""
        h = problem.slopes @ x + problem.intercepts
        value = _compute_log_term(problem.f, h) - at_low - chord * (h - low)
        return value.sum(), (_compute_log_slope(problem.f, h) - chord) @ problem.slopes

    result = minimize(
        evaluate_relaxation,
        start.x,
        jac=True,
        bounds=bounds,
        method="SLSQP",
        constraints=[
            LinearConstraint(problem.slopes, low - problem.intercepts, high - problem.intercepts)
        ],
        options={"maxiter": 200, "ftol": 1e-9},
    )
    h = problem.slopes @ result.x + problem.intercepts
    return result.fun, float(
        (_compute_log_term(problem.f, h) - _compute_log_term(problem.g, h)).sum()
    )


def bound_loss(
    queries: Sequence[LogisticQuery],
    outputs: Sequence[int],
    box: Box,
    *,
    delta: float,
    printed: bool,
) -> BoundResult:
    """Bound the realized loss (nats) of logistic queries from above by Algorithm 6.

    The algorithm runs once for each extreme of the likelihood P; ``bound`` of the result is the
    bound of the loss, ``log max P - log min P``.
    """
    top = np.array([query.mechanism.compute_probability_high([1.0])[0] for query in queries])
    ones = np.array(outputs, dtype=bool)
    # Pr(o|x) = (alpha e^h + beta) / (e^h + 1), Section 5.3.3.
    likelihood = np.stack([np.where(ones, top, 1 - top), np.where(ones, 1 - top, top)], axis=1)
    rest = np.ones_like(likelihood)
    slopes = np.array([query.coefficients for query in queries])
    intercepts = np.array([query.intercept for query in queries])
    problems = ((likelihood, rest), (rest, likelihood))
    least, most = (
        minimise(_Problem(slopes, intercepts, f, g, box), delta=delta, printed=printed)
        for f, g in problems
    )
    return BoundResult(
        bound=-most.bound - least.bound,
        relaxations=most.relaxations + least.relaxations,
        finished=most.finished and least.finished,
    )


def draw_problem(
    queries: int, dimensions: int, problem: int, *, epsilon_nats: float, seed: int
) -> tuple[list[LogisticQuery], list[int], Box]:
    """Draw logistic queries with parameters from U[-5, 5], their outputs, and the box [-1, 1]^d."""
    rng = make_generator(seed, "algorithm 6", queries, dimensions, problem)
    parameters = rng.uniform(-5, 5, (queries, dimensions + 1)).tolist()
    logistic_queries = [LogisticQuery(tuple(row[1:]), row[0], epsilon_nats) for row in parameters]
    box = Box((-1.0,) * dimensions, (1.0,) * dimensions)
    return logistic_queries, rng.integers(0, 2, queries).tolist(), box


@returns_table("version", "problem")
def build_comparison_table(
    *,
    queries: int,
    dimensions: int,
    problems: int,
    seed: int,
    epsilon_nats: float = 0.5,
    delta: float = 0.01,
) -> Rows:
    """Build the table that compares Algorithm 6, printed and repaired, with certified losses.

    ``slack_nats`` is how far the bound of the loss lies above the certified loss, whose tolerance
    in nats is that of the algorithm.
    """
    for problem in range(problems):
        logistic_queries, outputs, box = draw_problem(
            queries, dimensions, problem, epsilon_nats=epsilon_nats, seed=seed
        )
        exact = bound_realized_loss(logistic_queries, outputs, box, tolerance=1e-6)
        certified = bound_realized_loss(logistic_queries, outputs, box, tolerance=delta)
        results = {
            version: bound_loss(
                logistic_queries, outputs, box, delta=delta, printed=version == "printed"
            )
            for version in ("printed", "repaired")
        }
        results["certified"] = BoundResult(certified.upper, certified.nodes, finished=True)
        yield from (
            {
                "version": version,
                "problem": problem,
                "slack_nats": each.bound - exact.lower,
                "relaxations": each.relaxations,
                "finished": each.finished,
            }
            for version, each in results.items()
        )
