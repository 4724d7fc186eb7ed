"""Realized privacy loss: what the answers so far have told about an object (``knowledge``, Eq. 10).

With P(x) the probability of all outputs so far if the object's value is x, the realized loss is
``log L = log max P - log min P`` over the public domain: the most that anybody's belief in any
statement about the object can have changed (Lemma 3.2).

1. :class:`LossBounds` is a certified interval that holds it.
2. A :class:`LossAccount` keeps the outputs of one object and bounds its loss, now or after one more
   output.  :class:`FiniteAccount` enumerates the domain.  :class:`BoxAccount` handles regressions
   on a box: linear ones exactly, by the box's vertices and a concave maximum; others by branch
   and bound.  :class:`GroupedAccount` adds up the losses of groups of queries (Appendix C).
3. :func:`realized_loss` is the same for a list of answered queries.

Every bound is an evaluation of the likelihood at a point of the domain, or a dual value
(:mod:`noiseless.accounting.branch_and_bound`), widened by an allowance for rounding.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numba import njit

from noiseless.accounting.branch_and_bound import maximise, rounding_allowance, solve_spd
from noiseless.accounting.queries import (
    Box,
    FiniteDomain,
    Floats,
    LinearQuery,
    Query,
    Terms,
    boxed_terms,
)
from noiseless.errors import ConfigError

VERTEX_DIMENSIONS = 20
"""Most dimensions whose 2^d vertices are enumerated; above it linear queries are branched on.

A million vertices take 8 MB for each account, and a few hundredths of a second for each query.
"""


@dataclass(frozen=True)
class LossBounds:
    """Certified bounds of a realized privacy loss, in nats.

    Attributes
    ----------
    lower, upper : float
        ``lower <= log L <= upper``, rounding included.
    most_likely, least_likely : tuple of float
        Points of the domain whose likelihoods give ``lower``.
    nodes : int
        Relaxations that were solved; 0 where the extremes are exact.
    """

    lower: float
    upper: float
    most_likely: tuple[float, ...]
    least_likely: tuple[float, ...]
    nodes: int = 0

    def within(self, limit: float) -> bool | None:
        """Whether the loss is at most ``limit``; None where the bounds cannot tell."""
        if self.upper <= limit:
            return True
        return False if self.lower > limit else None


class LossAccount(Protocol):
    """The outputs of one object so far, and what they have told."""

    def bounds(self) -> LossBounds:
        """The realized loss of the outputs so far."""

    def bounds_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """The realized loss if ``query`` were answered by ``output``.

        With a ``limit`` the bounds may be wider than the account's tolerance as soon as
        :meth:`LossBounds.within` can tell.
        """

    def add(self, query: Query, output: int) -> None:
        """Record an output that was released."""


class FiniteAccount:
    """Account of an object with finitely many values; exact but for rounding.

    Parameters
    ----------
    domain : FiniteDomain
    """

    def __init__(self, domain: FiniteDomain) -> None:
        self._points = np.array(domain.points, dtype=float)
        self._log_likelihood = np.zeros(len(self._points))
        self._answered = 0

    @property
    def log_likelihood(self) -> Floats:
        """Log P at each point of the domain."""
        return self._log_likelihood.copy()

    def bounds(self) -> LossBounds:
        """The realized loss of the outputs so far."""
        return self._bounds(self._log_likelihood, self._answered)

    def bounds_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """The realized loss if ``query`` were answered by ``output``."""
        added = query.log_likelihood(output, self._points)
        return self._bounds(self._log_likelihood + added, self._answered + 1)

    def add(self, query: Query, output: int) -> None:
        """Record an output that was released."""
        self._log_likelihood = self._log_likelihood + query.log_likelihood(output, self._points)
        self._answered += 1

    def _bounds(self, log_likelihood: Floats, answered: int) -> LossBounds:
        most, least = int(log_likelihood.argmax()), int(log_likelihood.argmin())
        loss = float(log_likelihood[most] - log_likelihood[least])
        allowance = 16 * np.finfo(float).eps * (answered + 1) * (1 + abs(log_likelihood[least]))
        return LossBounds(
            lower=max(0.0, loss - allowance),
            upper=loss + allowance,
            most_likely=tuple(self._points[most].tolist()),
            least_likely=tuple(self._points[least].tolist()),
        )


class BoxAccount:
    """Account of an object in a box, for linear, truncated linear and logistic queries, mixed.

    Parameters
    ----------
    box : Box
    tolerance : float
        Largest distance of the bounds of the loss, in nats, unless ``node_limit`` comes first.
    node_limit : int
        Most relaxations for either extreme.  The bounds are certified however few.

    Notes
    -----
    While all queries are linear and the box has at most :data:`VERTEX_DIMENSIONS` dimensions, log P
    is kept at all vertices: it is concave, so its minimum is at one of them.  Its maximum is a
    concave problem, bounded by the gradient at one point.  The loss is then exact to about 1e-10.
    In more dimensions, or with other queries, both extremes come from branch and bound.  Logistic
    queries become easier with dimensions, as some point agrees with all answers and some with
    none (figure ``cost``).  Linear ones do not: a hundred of them in more than 20 dimensions meet
    the node limit, and the bounds, certified all the same, stay about 0.1 nats apart.  A
    :class:`GroupedAccount` is quick and tight there, at the price that the groups' losses add up.
    """

    def __init__(self, box: Box, *, tolerance: float = 1e-3, node_limit: int = 20_000) -> None:
        if not tolerance > 0 or node_limit < 1:
            raise ConfigError(
                f"tolerance {tolerance} and node limit {node_limit} must be larger than 0."
            )
        self.box = box
        self.tolerance = tolerance
        self.node_limit = node_limit
        likely, unlikely = boxed_terms([], [], box)
        vertices = np.zeros(2**box.dimensions) if box.dimensions <= VERTEX_DIMENSIONS else None
        middle = _Extreme(0.0, 0.0, np.full(box.dimensions, 0.5), 0)
        self._now = _State(0.0, likely, unlikely, vertices, middle, middle)
        self._is_bounded = True
        # What bounds_after has found since the last output, to be kept if that output is added.
        self._tried: dict[tuple[Query, int], _State] = {}

    def bounds(self) -> LossBounds:
        """The realized loss of the outputs so far."""
        if not self._is_bounded:
            self._now = self._solve(self._now, math.nan)
            self._is_bounded = True
        return self._loss(self._now)

    def bounds_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """The realized loss if ``query`` were answered by ``output``."""
        state = self._solve(self._with(query, output), limit)
        self._tried[query, output] = state
        return self._loss(state)

    def add(self, query: Query, output: int) -> None:
        """Record an output that was released."""
        tried = self._tried.get((query, output))
        self._is_bounded = tried is not None and tried.gap <= self.tolerance
        self._now = tried if self._is_bounded else self._with(query, output)
        self._tried = {}

    def _with(self, query: Query, output: int) -> "_State":
        """The state with one more output, its extremes still those before it."""
        query.require(self.box)
        likely, unlikely = boxed_terms([query], [output], self.box)
        vertices = None
        if self._now.vertices is not None and isinstance(query, LinearQuery):
            vertices = self._now.vertices
            for eps, a, b in zip(likely.eps, likely.a, likely.b, strict=True):
                vertices = _add_at_vertices(vertices, math.expm1(eps), a, b)
        return replace(
            self._now,
            worst_case=self._now.worst_case + query.epsilon_nats,
            likely=self._now.likely + likely,
            unlikely=self._now.unlikely + unlikely,
            vertices=vertices,
        )

    def _solve(self, state: "_State", limit: float) -> "_State":
        if state.vertices is not None:
            most, least = _linear_extremes(state.likely, state.vertices, state.most.point)
        else:
            most, least = self._branch(state, limit)
        return replace(state, most=most, least=least)

    def _loss(self, state: "_State") -> LossBounds:
        allowance = _allowance(state.likely) + _allowance(state.unlikely)
        most, least = state.most, state.least
        upper = min(most.upper + least.upper + allowance, state.worst_case)
        return LossBounds(
            lower=min(max(0.0, most.lower + least.lower - allowance), upper),
            upper=upper,
            most_likely=tuple(self.box.from_unit(most.point).tolist()),
            least_likely=tuple(self.box.from_unit(least.point).tolist()),
            nodes=most.nodes + least.nodes,
        )

    def _branch(self, state: "_State", limit: float) -> tuple["_Extreme", "_Extreme"]:
        """Bounds of max log P and of max -log P; coarse ones first where a limit may decide."""
        tolerances = [self.tolerance / 2]
        while not math.isnan(limit) and tolerances[0] < 0.05:
            tolerances.insert(0, tolerances[0] * 10)
        most, least = state.most, state.least
        for tolerance in tolerances:
            most = _maximise(state.likely, most.point, tolerance, self.node_limit)
            least = _maximise(state.unlikely, least.point, tolerance, self.node_limit)
            if most.upper + least.upper <= limit or most.lower + least.lower > limit:
                break
        return most, least


class GroupedAccount:
    """Account that adds the losses of groups of queries, in the order they come (Appendix C).

    The sum of the groups' losses is never below the loss of all of them.  The lower bound is that
    of the groups' own points, so it says what this *method* yields, not what the loss is.

    Parameters
    ----------
    new_account : callable
        Makes an empty account.
    size : int
        Queries in a group.
    """

    def __init__(self, new_account: Callable[[], LossAccount], size: int) -> None:
        if size < 1:
            raise ConfigError(f"a group of {size} queries is not a group.")
        self._new_account = new_account
        self._size = size
        self._closed = (0.0, 0.0)
        self._open = new_account()
        self._in_open = 0

    def bounds(self) -> LossBounds:
        """Sum over the groups of the bounds of their losses."""
        return self._plus_closed(self._open.bounds())

    def bounds_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """The same if ``query`` were answered by ``output``."""
        rest = limit - self._closed[1]
        return self._plus_closed(self._open.bounds_after(query, output, rest))

    def add(self, query: Query, output: int) -> None:
        """Record an output that was released."""
        self._open.add(query, output)
        self._in_open += 1
        if self._in_open == self._size:
            full = self.bounds()
            self._closed = (full.lower, full.upper)
            self._open, self._in_open = self._new_account(), 0

    def _plus_closed(self, bounds: LossBounds) -> LossBounds:
        lower, upper = self._closed
        return replace(bounds, lower=bounds.lower + lower, upper=bounds.upper + upper)


def realized_loss(
    queries: Sequence[Query],
    outputs: Sequence[int],
    domain: Box | FiniteDomain,
    *,
    tolerance: float = 1e-3,
    node_limit: int = 20_000,
) -> LossBounds:
    """Certified bounds of the realized loss of answered queries (Equation 10).

    Parameters
    ----------
    queries, outputs : sequences of length n
    domain : Box or FiniteDomain
    tolerance : float
        Largest distance of the bounds, in nats, on a box.
    node_limit : int
        Most relaxations for either extreme.

    Notes
    -----
    Where the node limit comes before the tolerance, the queries are also cut into ever more groups
    by :func:`conflicting_groups`, and the smallest upper bound is kept.

    Raises
    ------
    ConfigError
        If a query does not fit the domain.
    DataError
        If an output is none of its query's.
    """
    account = (
        FiniteAccount(domain)
        if isinstance(domain, FiniteDomain)
        else BoxAccount(domain, tolerance=tolerance, node_limit=node_limit)
    )
    for query, output in zip(queries, outputs, strict=True):
        account.add(query, output)
    bounds = account.bounds()
    if isinstance(domain, Box) and bounds.upper - bounds.lower > tolerance:
        groups = 2
        while bounds.upper - bounds.lower > tolerance and 8 * groups <= len(queries):
            upper = grouped_upper_bound(
                queries,
                outputs,
                domain,
                conflicting_groups(queries, outputs, domain, groups),
                tolerance=tolerance,
                node_limit=node_limit,
            )
            bounds = replace(bounds, upper=min(bounds.upper, upper))
            groups *= 2
    return bounds


def grouped_upper_bound(
    queries: Sequence[Query],
    outputs: Sequence[int],
    box: Box,
    groups: Sequence[Sequence[int]],
    *,
    tolerance: float = 1e-3,
    node_limit: int = 20_000,
) -> float:
    """Upper bound of the realized loss from a partition of the queries (Appendix C, Eq. 26)."""
    total = 0.0
    for group in groups:
        account = BoxAccount(box, tolerance=tolerance, node_limit=node_limit)
        for index in group:
            account.add(queries[index], outputs[index])
        total += account.bounds().upper
    return total


def conflicting_groups(
    queries: Sequence[Query], outputs: Sequence[int], box: Box, count: int
) -> list[list[int]]:
    """Partition answered queries into groups whose members disagree.

    A group's loss is small when its answers speak for different values.  To first order it is the
    L1 norm of the sum of the likelihoods' gradients, so each query, the largest gradient first,
    joins the group (of those with room) whose norm then grows least.
    """
    terms = [boxed_terms([q], [o], box)[0] for q, o in zip(queries, outputs, strict=True)]
    gradients = np.zeros((len(terms), box.dimensions))
    for row, term in enumerate(terms):
        if len(term.kinds):
            # The mean slope over the box: a logistic term cannot rise by more than epsilon.
            spread = np.abs(term.a[0]).sum()
            gradients[row] = term.a[0] * term.eps[0] * min(1.0, 1.0 / spread)
    room = -(-len(terms) // count)
    sums, groups = np.zeros((count, box.dimensions)), [[] for _ in range(count)]
    for index in np.argsort(-np.abs(gradients).sum(axis=1), kind="stable"):
        growth = np.abs(sums + gradients[index]).sum(axis=1) - np.abs(sums).sum(axis=1)
        growth[[len(group) >= room for group in groups]] = np.inf
        chosen = int(growth.argmin())
        groups[chosen].append(int(index))
        sums[chosen] += gradients[index]
    return groups


@dataclass(frozen=True)
class _Extreme:
    """Bounds of a maximum, and the point of [0, 1]^d whose value is the lower one."""

    lower: float
    upper: float
    point: Floats
    nodes: int


@dataclass(frozen=True)
class _State:
    """What a :class:`BoxAccount` knows after some outputs."""

    worst_case: float
    likely: Terms
    unlikely: Terms
    vertices: Floats | None  # the sum of the terms of log P at each
    most: _Extreme
    least: _Extreme

    @property
    def gap(self) -> float:
        """Distance of the bounds of the loss."""
        return self.most.upper - self.most.lower + self.least.upper - self.least.lower


def _maximise(terms: Terms, start: Floats, tolerance: float, node_limit: int) -> _Extreme:
    if not len(terms.kinds):
        return _Extreme(terms.constant, terms.constant, start, 0)
    lower, upper, point, nodes = maximise(
        terms.kinds, terms.eps, terms.a, terms.b, start[None], tolerance, node_limit
    )
    return _Extreme(lower + terms.constant, upper + terms.constant, point, nodes)


def _allowance(terms: Terms) -> float:
    return rounding_allowance(terms.kinds, terms.eps, terms.a, terms.b)


@njit(cache=True, error_model="numpy")
def _add_at_vertices(total: Floats, e: float, a: Floats, b: float) -> Floats:
    """``total`` plus log(1 + E u) at all 2^d vertices; the first coordinate counts fastest."""
    share = np.empty(len(total))
    share[0], known = b, 1
    for slope in a:
        for k in range(known):
            share[known + k] = share[k] + slope
        known *= 2
    for k in range(len(total)):
        share[k] = total[k] + math.log1p(e * min(max(share[k], 0.0), 1.0))
    return share


def _linear_extremes(likely: Terms, vertices: Floats, start: Floats) -> tuple[_Extreme, _Extreme]:
    """Extremes of the likelihood of linear queries: a concave maximum and a vertex."""
    d = len(start)
    lowest = int(vertices.argmin())
    corner = ((lowest >> np.arange(d)) & 1).astype(float)
    value = -float(vertices[lowest]) - likely.constant
    least = _Extreme(value, value, corner, 0)
    if not len(likely.kinds):
        return _Extreme(likely.constant, likely.constant, start, 0), least
    lower, upper, point = _maximise_concave(likely.eps, likely.a, likely.b, start)
    most = _Extreme(lower + likely.constant, upper + likely.constant, point, 0)
    return most, least


@njit(cache=True, error_model="numpy")
def _maximise_concave(eps: Floats, a: Floats, b: Floats, start: Floats):  # noqa: ANN202
    """Bounds of the largest ``sum_i log(1 + E_i (a_i . x + b_i))`` over [0, 1]^d.

    Projected Newton steps from ``start``.  Whatever they reach, the sum is concave, so that it is
    nowhere above its tangent at x: the upper bound is the tangent's largest value over the box.
    """
    n, d = a.shape
    e = np.expm1(eps)
    x, best_x = start.copy(), start.copy()
    lower, upper = -np.inf, np.inf
    gradient, hessian, step = np.empty(d), np.empty((d, d)), np.empty(d)
    for _ in range(60):
        value = 0.0
        gradient[:] = 0.0
        hessian[:] = 0.0
        for i in range(n):
            u = b[i]
            for j in range(d):
                u += a[i, j] * x[j]
            value += math.log1p(e[i] * u)
            slope = e[i] / (1.0 + e[i] * u)
            for j in range(d):
                gradient[j] += slope * a[i, j]
                scaled = slope * slope * a[i, j]
                for k in range(j + 1):
                    hessian[j, k] += scaled * a[i, k]
        gap = 0.0
        for j in range(d):
            gap += max(gradient[j] * (1.0 - x[j]), -gradient[j] * x[j])
        upper = min(upper, value + gap)
        if value > lower:
            lower = value
            best_x[:] = x
        if upper - lower <= 1e-11:
            break
        # Newton on the free coordinates; the others stay at their ends.
        for j in range(d):
            free = not (
                (x[j] <= 0.0 and gradient[j] <= 0.0) or (x[j] >= 1.0 and gradient[j] >= 0.0)
            )
            step[j] = gradient[j] if free else 0.0
            if free:
                hessian[j, j] += 1e-12
            else:
                for k in range(j):
                    hessian[j, k] = 0.0
                for k in range(j + 1, d):
                    hessian[k, j] = 0.0
                hessian[j, j] = 1.0
        solve_spd(hessian, step)
        length = 1.0
        while length > 1e-9:
            trial = np.minimum(np.maximum(x + length * step, 0.0), 1.0)
            trial_value = 0.0
            for i in range(n):
                u = b[i]
                for j in range(d):
                    u += a[i, j] * trial[j]
                trial_value += math.log1p(e[i] * u)
            promised = 0.0
            for j in range(d):
                promised += gradient[j] * (trial[j] - x[j])
            if trial_value >= value + 0.1 * promised or trial_value > value:
                break
            length *= 0.5
        if length <= 1e-9:
            break
        x = trial
    return lower, upper, best_x
