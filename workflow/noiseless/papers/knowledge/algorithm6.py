"""The paper's branch and bound (``knowledge``, Algorithm 6), as printed and repaired.

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

Also, nothing is said of a child whose intervals cannot be met; the repaired version drops it.
"""

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import LinearConstraint, linprog, minimize

from noiseless.accounting.queries import Box, LogisticQuery
from noiseless.accounting.realized_loss import realized_loss
from noiseless.seeds import generator
from noiseless.tables import Rows, as_table


@dataclass(frozen=True)
class Result:
    """What Algorithm 6 returns for one extreme: a lower bound, and the work it took."""

    bound: float
    relaxations: int
    finished: bool


@dataclass(frozen=True)
class _Problem:
    """Minimise ``sum_i F_i(h_i) - G_i(h_i)``: F_i, G_i are ``log(alpha e^h + beta)``."""

    slopes: np.ndarray
    intercepts: np.ndarray
    f: np.ndarray  # alpha and beta of each F_i, shape (n, 2)
    g: np.ndarray  # the same of each G_i
    box: Box


def _log_term(weights: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Logarithm of a weighted sum of e^h and 1."""
    return np.logaddexp(np.log(weights[:, 0]) + h, np.log(weights[:, 1]))


def _log_slope(weights: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Derivative of that logarithm in h."""
    return 1 / (1 + weights[:, 1] / weights[:, 0] * np.exp(-h))


def minimise(
    problem: _Problem, *, delta: float, printed: bool, relaxation_limit: int = 2_000
) -> Result:
    """Algorithm 6.

    Parameters
    ----------
    problem : _Problem
    delta : float
        Its tolerance, in nats.
    printed : bool
        With the three lines as printed.
    relaxation_limit : int
        Give up after this many relaxations (the printed loop need not end).
    """
    ends = problem.slopes * np.array([problem.box.lower, problem.box.upper])[:, None]
    root = np.stack([ends.min(axis=0).sum(axis=1), ends.max(axis=0).sum(axis=1)])
    root = root + problem.intercepts
    incumbent, order, queue, relaxations = (0.0 if printed else np.inf), itertools.count(), [], 0
    children = [root]
    while True:
        for intervals in children:
            bound, value = _bound(problem, intervals)
            relaxations += 1
            if bound is not None:
                incumbent = max(incumbent, value) if printed else min(incumbent, value)
                heapq.heappush(queue, (bound, next(order), intervals))
        go_on = queue and (
            queue[0][0] >= incumbent - delta if printed else queue[0][0] < incumbent - delta
        )
        if not go_on or relaxations >= relaxation_limit:
            return Result(queue[0][0] if queue else np.nan, relaxations, not go_on)
        _, _, intervals = heapq.heappop(queue)
        longest = int(((intervals[1] - intervals[0]) / (root[1] - root[0])).argmax())
        children = [intervals.copy(), intervals.copy()]
        middle = intervals[:, longest].mean()
        children[0][1, longest] = children[1][0, longest] = middle


def _bound(problem: _Problem, intervals: np.ndarray) -> tuple[float | None, float]:
    """Relaxed minimum of a node, and f - g there; None where no x meets the intervals."""
    low, high = intervals
    at_low, at_high = _log_term(problem.g, low), _log_term(problem.g, high)
    chord = (at_high - at_low) / (high - low)
    bounds = list(zip(problem.box.lower, problem.box.upper, strict=True))
    constraint = np.vstack([problem.slopes, -problem.slopes])
    limits = np.concatenate([high - problem.intercepts, problem.intercepts - low])
    start = linprog(np.zeros(len(bounds)), A_ub=constraint, b_ub=limits, bounds=bounds)
    if start.status != 0:
        return None, np.inf

    def relaxed(x: np.ndarray) -> tuple[float, np.ndarray]:
        h = problem.slopes @ x + problem.intercepts
        value = _log_term(problem.f, h) - at_low - chord * (h - low)
        return value.sum(), (_log_slope(problem.f, h) - chord) @ problem.slopes

    result = minimize(
        relaxed,
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
    return result.fun, float((_log_term(problem.f, h) - _log_term(problem.g, h)).sum())


def loss_upper_bound(
    queries: Sequence[LogisticQuery],
    outputs: Sequence[int],
    box: Box,
    *,
    delta: float,
    printed: bool,
) -> Result:
    """Upper bound of the realized loss of logistic queries by Algorithm 6, run for both extremes.

    ``bound`` of the result is the bound of the loss, ``log max P - log min P``.
    """
    top = np.array([query.mechanism.probability_high([1.0])[0] for query in queries])
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
    return Result(
        bound=-most.bound - least.bound,
        relaxations=most.relaxations + least.relaxations,
        finished=most.finished and least.finished,
    )


def random_problem(
    queries: int, dimensions: int, problem: int, *, epsilon_nats: float, seed: int
) -> tuple[list[LogisticQuery], list[int], Box]:
    """Logistic queries with parameters from U[-5, 5] on [-1, 1]^d."""
    rng = generator(seed, "algorithm 6", queries, dimensions, problem)
    parameters = rng.uniform(-5, 5, (queries, dimensions + 1)).tolist()
    asked = [LogisticQuery(tuple(row[1:]), row[0], epsilon_nats) for row in parameters]
    box = Box((-1.0,) * dimensions, (1.0,) * dimensions)
    return asked, rng.integers(0, 2, queries).tolist(), box


@as_table("version", "problem")
def comparison_table(
    *,
    queries: int,
    dimensions: int,
    problems: int,
    seed: int,
    epsilon_nats: float = 0.5,
    delta: float = 0.01,
) -> Rows:
    """Algorithm 6 as printed and repaired, against certified losses.

    Returns
    -------
    DataFrame
        Cells (version, problem), with versions ``printed``, ``repaired`` and ``certified``.
        Statistics: ``slack_nats``, how far the bound of the loss lies above the certified loss;
        ``relaxations``; ``finished`` (1 or 0).
    """
    for problem in range(problems):
        asked, outputs, box = random_problem(
            queries, dimensions, problem, epsilon_nats=epsilon_nats, seed=seed
        )
        exact = realized_loss(asked, outputs, box, tolerance=1e-6)
        certified = realized_loss(asked, outputs, box, tolerance=delta)
        found = {
            version: loss_upper_bound(
                asked, outputs, box, delta=delta, printed=version == "printed"
            )
            for version in ("printed", "repaired")
        }
        found["certified"] = Result(certified.upper, certified.nodes, finished=True)
        yield from (
            {
                "version": version,
                "problem": problem,
                "slack_nats": each.bound - exact.lower,
                "relaxations": each.relaxations,
                "finished": each.finished,
            }
            for version, each in found.items()
        )
