"""Certified bounds of the realized privacy loss of an object's answers (``knowledge``, Eq. 10).

With P(x) the probability of all outputs so far if the object's value is x, the realized loss is
``log L = log max P - log min P`` over the public domain: the most that an analyst's belief in any
statement about the object can have changed (Lemma 3.2).

1. :class:`LossBounds` is a certified interval that contains the realized loss.
2. A :class:`LossAccount` keeps the outputs of one object and bounds its loss, now or after one more
   output.  :class:`FiniteAccount` enumerates the domain.  :class:`BoxAccount` handles regressions
   on a box: linear ones exactly, by the box's vertices and a concave maximum; others by the
   branch and bound of :mod:`~noiseless.accounting.extremes`.  :class:`GroupedAccount` adds up the
   losses of groups of queries (Appendix C).
3. :func:`bound_realized_loss` bounds the realized loss of a list of answered queries.

Every lower bound is the likelihood at two points of the domain, every upper one a value of a
relaxation; both are widened by an allowance for rounding.  All of them are functions of the record,
the query and the settings alone: they depend on no clock, and on no earlier request for bounds.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Protocol, runtime_checkable

import numpy as np

from noiseless.accounting.branch_and_bound import (
    LOG_CLIP,
    LOGIT,
    NEG_CLIP,
    compute_max_slope,
    compute_rounding_allowance,
    evaluate_sum,
    solve_spd,
)
from noiseless.accounting.extremes import (
    Certificate,
    MaximumBounds,
    Witness,
    compute_centre,
    maximise,
)
from noiseless.accounting.queries import (
    EPSILON,
    EXPM1_EPSILON,
    LIKELY,
    SLOPES,
    UNLIKELY,
    Box,
    FiniteDomain,
    LinearQuery,
    Query,
    Regression,
    TableQuery,
    Terms,
    TruncatedLinearQuery,
    build_answer_rows,
    build_empty_rows,
    build_likely_terms,
    build_unlikely_terms,
    convert_to_fraction,
    require_output,
    require_query,
)
from noiseless.arrays import Floats
from noiseless.compiled import compile_njit, copy_into
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import (
    require_kind,
    require_list,
    require_number,
    require_whole,
)

VERTEX_DIMENSIONS = 20
"""Most dimensions whose 2^d vertices are enumerated; above it linear queries are branched on.

A million vertices take 8 MB for each account, and a few hundredths of a second for each query.
"""


@dataclass(frozen=True)
class LossBounds:
    """Certified bounds of a realized privacy loss, in nats, rounding included.

    The ratio of the likelihoods of the points ``most_likely`` and ``least_likely`` is the witness
    of ``lower``; :meth:`BoxAccount.build_certificates` is that of ``upper``.  ``log_likelihoods``
    are log P at both, up to a constant that each query adds to both; NaN where the loss is a sum
    over several groups, and the points are those of the last group.

    ``nodes`` are the relaxations that were solved, and a tenth of the boxes that were bounded; 0
    where the extremes are exact.  If the bounds have not converged to the account's tolerance, the
    limit of nodes was reached first, or rounding is larger than the tolerance; they are valid
    anyway.

    For an odometer (:class:`~noiseless.accounting.filters.Odometer`) that knows better than the
    account, ``certificate`` is a number of first answers and a limit (NaN for none): ``upper`` is
    the account's after those answers, found with that limit, plus the epsilons of all later ones.
    """

    lower: float
    upper: float
    most_likely: tuple[float, ...]
    least_likely: tuple[float, ...]
    nodes: int = 0
    is_converged: bool = True
    log_likelihoods: tuple[float, float] = (math.nan, math.nan)
    certificate: tuple[int, float] | None = None

    def is_within(self, limit: float) -> bool | None:
        """Return whether the loss is at most ``limit``; None if the bounds do not decide it."""
        if self.upper <= limit:
            return True
        return False if self.lower > limit else None


@runtime_checkable
class LossAccount(Protocol):
    """Interface of a record of one object's outputs that bounds their realized loss."""

    @property
    def worst_case_nats(self) -> Fraction:
        """Sum of the epsilons of the recorded queries, in nats; no loss is larger."""

    def require(self, query: Query) -> None:
        """Check, without solving, that a query can be asked of every value of the domain."""

    def bound_loss(self) -> LossBounds:
        """Compute certified bounds of the realized loss (nats) of the recorded outputs."""

    def bound_loss_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """Compute bounds of the realized loss (nats) if ``query`` were answered by ``output``.

        With a ``limit`` the bounds may be wider than the account's tolerance as soon as
        :meth:`LossBounds.is_within` can decide.
        """

    def add(self, query: Query, output: int) -> None:
        """Record the output of a query."""


class FiniteAccount:
    """Loss account of an object with finitely many values; exact but for rounding."""

    def __init__(self, domain: FiniteDomain) -> None:
        self._points = np.array(domain.points, dtype=float)
        self._log_likelihood = np.zeros(len(self._points))
        self._answered, self._error = 0, 0.0
        self.worst_case_nats = Fraction(0)

    @property
    def log_likelihood(self) -> Floats:
        """Log P at each point of the domain, shape (m,)."""
        return self._log_likelihood.copy()

    def require(self, query: Query) -> None:
        """Check that a query can be asked of every value of the domain; raise if not."""
        require_query(query)
        query.log_likelihood(0, self._points)

    def bound_loss(self) -> LossBounds:
        """Compute certified bounds of the realized loss (nats) of the recorded outputs."""
        return self._compute_bounds(self._log_likelihood, self._answered, self._error)

    def bound_loss_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """Compute bounds of the realized loss (nats) if ``query`` were answered by ``output``."""
        added = query.log_likelihood(output, self._points)
        error = self._error + _bound_rounding_error(query, self._points)
        return self._compute_bounds(self._log_likelihood + added, self._answered + 1, error)

    def add(self, query: Query, output: int) -> None:
        """Record the output of a query."""
        require_query(query)
        self._log_likelihood = self._log_likelihood + query.log_likelihood(output, self._points)
        self._answered += 1
        self.worst_case_nats += Fraction(query.epsilon_nats)
        self._error += _bound_rounding_error(query, self._points)

    def _compute_bounds(self, log_likelihood: Floats, answered: int, error: float) -> LossBounds:
        """Compute bounds of the loss from log-likelihoods at all points, shape (m,).

        ``error`` bounds the error of the log-likelihoods.
        """
        most, least = int(log_likelihood.argmax()), int(log_likelihood.argmin())
        loss = float(log_likelihood[most] - log_likelihood[least])
        magnitude = 1 + abs(float(log_likelihood[least]))
        allowance = 16 * np.finfo(float).eps * (answered + 1) * magnitude + 2 * error
        return LossBounds(
            lower=max(0.0, loss - allowance),
            upper=loss + allowance,
            most_likely=tuple(self._points[most].tolist()),
            least_likely=tuple(self._points[least].tolist()),
            log_likelihoods=(float(log_likelihood[most]), float(log_likelihood[least])),
        )


class BoxAccount:
    """Loss account of an object in a box, for linear, truncated linear and logistic queries.

    The bounds are no further apart than ``tolerance`` (nats), unless ``node_limit`` relaxations for
    either extreme, as :func:`extremes.maximise` counts them, come first; they are certified however
    few.

    While all queries are linear, no coordinate is categorical, and the box has at most
    :data:`VERTEX_DIMENSIONS` dimensions, log P is kept at all vertices: it is concave, so its
    minimum is at one of them.  Its maximum is a concave problem, bounded by the gradient at one
    point.  The loss is then exact to about 1e-8.

    Otherwise both extremes come from branch and bound.  Two methods are tried, and the one that got
    further goes on until the bounds meet the tolerance or the limit of nodes is reached.  Then, as
    the last resort, the terms are cut into groups whose extremes add up (Appendix C).  The limit
    counts nodes, so that bounds and refusals depend on the record, the query and the settings.

    The bounds of many steep logistic queries in many dimensions stay far apart, whatever the
    method: an interval that is always narrower than a certain share of the sum of epsilons would
    tell, in polynomial time, how many clauses of two literals can be satisfied, which is NP-hard.
    A filter then refuses, because only ``upper`` counts for it (``docs/accounting.md``).
    """

    def __init__(self, box: Box, *, tolerance: float = 1e-3, node_limit: int = 20_000) -> None:
        if not tolerance / 2 > 0 or node_limit < 1:
            raise ConfigError(
                "`tolerance` and `node_limit` must be larger than 0, got "
                f"{tolerance} and {node_limit}."
            )
        self.box = box
        self.tolerance = tolerance
        self.node_limit = node_limit
        enumerable = box.dimensions <= VERTEX_DIMENSIONS and not box.categories
        vertices = np.zeros(2**box.dimensions) if enumerable else None
        self._middle = compute_centre(box)
        start = tuple(box.convert_from_unit(self._middle).tolist())
        nothing = LossBounds(0.0, 0.0, start, start, log_likelihoods=(0.0, 0.0))
        self._now = _State(Fraction(0), build_empty_rows(box), vertices, nothing)
        # States that bounds_after computed for the query that was tried last, by output; one of
        # them is reused if its output is added.  Older ones are dropped, because a state can take
        # megabytes.
        self._asked: Query | None = None
        self._tried: dict[int, _State] = {}

    @property
    def worst_case_nats(self) -> Fraction:
        """Sum of the epsilons of the recorded queries, in nats."""
        return self._now.worst_case

    def require(self, query: Query) -> None:
        """Check that a query can be asked of every value of the box; raise if not."""
        _require_regression(query).require(self.box)

    def bound_loss(self) -> LossBounds:
        """Compute certified bounds of the realized loss (nats) of the recorded outputs."""
        if not self._now.is_settled:
            self._solve(self._now, math.nan)
        return self._now.loss

    def bound_loss_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """Compute bounds of the realized loss (nats) if ``query`` were answered by ``output``."""
        tried = self._get_tried_state(query, output)
        if tried is not None and math.isnan(limit):
            return tried.loss
        state = self._append_answer(query, output)
        self._solve(state, limit)
        if self._asked is not query and self._asked != query:
            self._asked, self._tried = query, {}
        self._tried[output] = state
        return state.loss

    def add(self, query: Query, output: int) -> None:
        """Record the output of a query."""
        self._now = self._get_tried_state(query, output) or self._append_answer(query, output)
        self._asked, self._tried = None, {}

    def _get_tried_state(self, query: Query, output: int) -> "_State | None":
        """Return the cached state with one more output, or None if it is not fully bounded."""
        if self._asked is not query and self._asked != query:
            return None
        tried = self._tried.get(output)
        return tried if tried is not None and tried.is_settled else None

    def build_certificates(self, limit: float = math.nan) -> tuple[Certificate, Certificate]:
        """Build certificates of the upper bound of the loss, for log P and for -log P.

        The sum of their upper bounds, widened by the allowance for rounding, is the upper bound of
        :meth:`bound_loss`, unless the sum of all epsilons is less.  With a ``limit`` it is the one
        that
        :meth:`bound_loss_after` gave with that limit before the last answer was added.  They may
        take megabytes, and are made anew at each call.
        """
        state, box = self._now, self.box
        if state.vertices is None:
            state = _State(state.worst_case, state.rows, None)
            self._solve(state, limit)
            likely, unlikely = (
                maximise(terms, box, *state.search_limits, witnesses=True).witnesses
                for terms in (state.likely, state.unlikely)
            )
        else:
            likely = (_build_tangent_witness(state.likely, box),)
            unlikely = (_build_vertex_witness(state.unlikely, state.vertices),)
        return _build_certificate(state.likely, box, likely), _build_certificate(
            state.unlikely, box, unlikely
        )

    def _append_answer(self, query: Query, output: int) -> "_State":
        """Build the state with one more output, whose loss is not bounded yet."""
        rows = build_answer_rows(_require_regression(query), self.box)
        require_output(query, output)
        now, row, vertices = self._now, rows[output], None
        if now.vertices is not None and isinstance(query, LinearQuery):
            vertices = _add_at_vertices(now.vertices, row)
        return _State(
            now.worst_case + convert_to_fraction(query.epsilon_nats),
            np.concatenate((now.rows, row)),
            vertices,
        )

    def _solve(self, state: "_State", limit: float) -> None:
        """Bound the loss of a state; coarsely first where a limit may decide.

        The first bounds are those of a single relaxation: most queries are far from the limit.
        """
        if state.vertices is not None:
            found = _bound_linear_loss(state.rows, state.vertices, self._middle, *self.box.ends)
            self._store_bounds(state, *found, nodes=0)
            state.is_settled = True
            return
        if not math.isnan(limit):
            self._search(state, self.tolerance / 2, 1)
            if state.loss.is_within(limit) is not None:
                return
        tolerances = [self.tolerance / 2]
        while not math.isnan(limit) and tolerances[0] < 0.05:
            tolerances.insert(0, tolerances[0] * 10)
        for tolerance in tolerances:
            gap = self._search(state, tolerance, self.node_limit)
            state.is_settled = tolerance == tolerances[-1]
            if gap > 2 * tolerance or state.loss.is_within(limit) is not None:
                break

    def _search(self, state: "_State", tolerance: float, node_limit: int) -> float:
        """Bound the loss of a state by its extremes, and return the sum of the extremes' gaps."""
        state.search_limits = tolerance, node_limit
        most = _maximise_terms(state.likely, self.box, tolerance, node_limit)
        least = _maximise_terms(state.unlikely, self.box, tolerance, node_limit)
        # The lower bound is that of the points as they are returned, rounded to the box.
        points = self.box.convert_from_unit(np.array([most.point, least.point]))
        at_most, at_least = self.box.convert_to_unit(points)
        self._store_bounds(
            state,
            most.upper + least.upper,
            _compute_allowance(state.likely) + _compute_allowance(state.unlikely),
            _evaluate_terms(state.likely, at_most),
            -_evaluate_terms(state.unlikely, at_least),
            points,
            nodes=most.nodes + least.nodes,
        )
        return most.upper - most.lower + least.upper - least.lower

    def _store_bounds(
        self,
        state: "_State",
        upper: float,
        allowance: float,
        highest: float,
        lowest: float,
        points: Floats,
        *,
        nodes: int,
    ) -> None:
        """Store bounds of the loss of a state, widened by an allowance for rounding."""
        upper = _step_up(upper + allowance)
        if upper > float(state.worst_case):
            upper = min(upper, round_up(state.worst_case))
        lower = min(max(0.0, -_step_up(-(highest - lowest - allowance))), upper)
        most_likely, least_likely = points.tolist()
        state.loss = LossBounds(
            lower=lower,
            upper=upper,
            most_likely=tuple(most_likely),
            least_likely=tuple(least_likely),
            nodes=nodes,
            is_converged=upper - lower <= self.tolerance,
            log_likelihoods=(highest, lowest),
        )


# Accounts of equal answers, such as one of all and one of the first group, solve equal problems.
@lru_cache(maxsize=16)
def _maximise_terms(terms: Terms, box: Box, tolerance: float, node_limit: int) -> MaximumBounds:
    """Bound the maximum of the terms over the box, cached."""
    return maximise(terms, box, tolerance, node_limit)


class GroupedAccount:
    """Loss account that adds the losses of consecutive groups of ``size`` queries (Appendix C).

    The sum of the groups' losses is never below the loss of all of them.  The lower bound is that
    of the groups' own points, so it is a bound of this *method's* result, not of the loss.
    ``full`` are the losses of the groups that are full, and ``open`` is the account of the one that
    is not.
    """

    def __init__(self, new_account: Callable[[], LossAccount], size: int) -> None:
        if size < 1:
            raise ConfigError(f"`size` must be 1 or more, got {size}.")
        self._new_account = new_account
        self.size = size
        self.full: list[LossBounds] = []
        self.open = new_account()
        self._closed = LossBounds(0.0, 0.0, (), ())
        self._closed_worst_case = Fraction(0)
        self._in_open = 0

    @property
    def worst_case_nats(self) -> Fraction:
        """Sum of the epsilons of the recorded queries, in nats."""
        return self._closed_worst_case + self.open.worst_case_nats

    def require(self, query: Query) -> None:
        """Check that a query can be asked of every value of the domain; raise if not."""
        self.open.require(query)

    def bound_loss(self) -> LossBounds:
        """Compute the sum over the groups of the bounds of their losses, in nats."""
        return self._add_closed_groups(self.open.bound_loss())

    def bound_loss_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """Compute the sum over the groups if ``query`` were answered by ``output``."""
        rest = limit - self._closed.upper
        return self._add_closed_groups(self.open.bound_loss_after(query, output, rest))

    def add(self, query: Query, output: int) -> None:
        """Record the output of a query."""
        self.open.add(query, output)
        self._in_open += 1
        if self._in_open == self.size:
            self.full.append(self.open.bound_loss())
            self._closed, self._closed_worst_case = self.bound_loss(), self.worst_case_nats
            self.open, self._in_open = self._new_account(), 0

    def _add_closed_groups(self, bounds: LossBounds) -> LossBounds:
        """Add the bounds of all full groups to those of the open group."""
        if not self.full:
            return bounds
        return LossBounds(
            lower=-add_rounding_up(-bounds.lower, -self._closed.lower),
            upper=add_rounding_up(bounds.upper, self._closed.upper),
            most_likely=bounds.most_likely,
            least_likely=bounds.least_likely,
            nodes=bounds.nodes,
            is_converged=bounds.is_converged and self._closed.is_converged,
        )


def bound_realized_loss(
    queries: Sequence[Query],
    outputs: Sequence[int],
    domain: Box | FiniteDomain,
    *,
    tolerance: float = 1e-3,
    node_limit: int = 20_000,
) -> LossBounds:
    """Compute certified bounds of the realized loss (nats) of answered queries (Equation 10).

    Parameters
    ----------
    queries, outputs : sequences of length n
        The queries, and the number of the output of each.
    domain : Box or FiniteDomain
        The public set of values that the object can have.
    tolerance : float
        Largest distance of the bounds, in nats, on a box.
    node_limit : int
        Largest number of relaxations for either extreme.

    Returns
    -------
    LossBounds

    Raises
    ------
    ConfigError
        If a query does not fit the domain, or a parameter is of another kind or out of its range.
    DataError
        If a query has no such output, or the numbers of queries and outputs differ.

    Examples
    --------
    Ten equal answers to a query of 0.1 nats have a loss of 1 nat; five answers of each output have
    almost none.

    >>> from noiseless.accounting.queries import Box, LinearQuery
    >>> query = LinearQuery([0.5, 0.5], 0, epsilon_nats=0.1, low=0, high=1)
    >>> round(bound_realized_loss([query] * 10, [1] * 10, Box([0, 0], [1, 1])).upper, 3)
    1.0
    >>> round(bound_realized_loss([query] * 10, [0, 1] * 5, Box([0, 0], [1, 1])).upper, 3)
    0.012
    """
    queries = require_list("queries", queries, "a list of queries")
    outputs = require_list("outputs", outputs, "a list of the number of each query's output")
    if len(queries) != len(outputs):
        raise DataError(
            f"`queries` and `outputs` must have equal lengths, got {len(queries)} queries and "
            f"{len(outputs)} outputs. Give the output of each query."
        )
    account = create_account(domain, tolerance=tolerance, node_limit=node_limit)
    for query, output in zip(queries, outputs, strict=True):
        account.add(query, output)
    return account.bound_loss()


def create_account(
    domain: Box | FiniteDomain, *, tolerance: float = 1e-3, node_limit: int = 20_000
) -> FiniteAccount | BoxAccount:
    """Create an empty loss account of an object of a domain.

    Parameters are those of :func:`bound_realized_loss`.
    """
    tolerance = require_number("tolerance", tolerance, above=0)
    node_limit = require_whole("node_limit", node_limit, 1)
    if isinstance(domain, FiniteDomain):
        return FiniteAccount(domain)
    require_kind("domain", domain, Box, "a Box or a FiniteDomain")
    return BoxAccount(domain, tolerance=tolerance, node_limit=node_limit)


@dataclass
class _State:
    """State of a :class:`BoxAccount` after some outputs.

    The loss of a new state is not bounded yet.

    The terms of its rows are made when a bound needs them: linear queries never do.
    """

    worst_case: Fraction
    rows: Floats  # of the answers, as :func:`build_answer_rows` has them
    vertices: Floats | None  # the sum of the terms of log P at each
    loss: LossBounds = LossBounds(0.0, math.inf, (), ())
    is_settled: bool = False  # whether the loss is bounded to the account's tolerance
    search_limits: tuple[float, int] = (
        math.nan,
        0,
    )  # tolerance and limit of nodes of the last search

    @cached_property
    def likely(self) -> Terms:
        """Terms of log P."""
        return build_likely_terms(self.rows)

    @cached_property
    def unlikely(self) -> Terms:
        """Terms of -log P."""
        return build_unlikely_terms(self.rows)


def _evaluate_terms(terms: Terms, x: Floats) -> float:
    """Evaluate the sum of the terms at a point of the unit box, shape (d,)."""
    if not len(terms.kinds):
        return terms.constant
    return evaluate_sum(terms.kinds, np.expm1(terms.eps), terms.a, terms.b, x) + terms.constant


def _compute_allowance(terms: Terms) -> float:
    """Compute the largest rounding error of bounds of the terms."""
    return compute_rounding_allowance(terms.kinds, terms.eps, terms.a, terms.b)


def _step_up(rounded: float) -> float:
    """Return the next larger double, which is at least the sum that was rounded to ``rounded``."""
    return math.nextafter(rounded, math.inf)


def round_up(exact: Fraction) -> float:
    """Convert a fraction to the smallest double that is not below it."""
    nearest = float(exact)
    return nearest if Fraction(nearest) >= exact else _step_up(nearest)


def add_rounding_up(a: float, b: float) -> float:
    """Compute the smallest double that is not below a + b."""
    nearest = a + b
    # The sum of the three is rounded once, so that its sign is right.
    return _step_up(nearest) if math.fsum((a, b, -nearest)) > 0 else nearest


def _bound_rounding_error(query: Query, points: Floats) -> float:
    """Bound the rounding error of a query's log-likelihood at points of shape (m, d).

    A table's columns sum to 1 but for rounding; its logarithms' own rounding is counted elsewhere.
    Nothing is known of other kinds of query.  A regression's response is a sum of products, its
    probability is computed to some units of roundoff, and a probability of at least
    1 / (1 + e^eps) turns those into a relative error.
    """
    if isinstance(query, TableQuery):
        return round_up(query.remainder_nats)
    if not isinstance(query, Regression):
        return 0.0
    magnitude = np.abs(points) @ np.abs(np.array(query.coefficients)) + abs(query.intercept)
    scale, kind = 1.0, LOGIT
    if isinstance(query, TruncatedLinearQuery):
        magnitude = magnitude + max(abs(query.low), abs(query.high))
        scale, kind = query.high - query.low, LOG_CLIP
    moved = (
        compute_max_slope(kind, query.epsilon_nats)
        * float(magnitude.max())
        / scale
        * (points.shape[1] + 4)
    )
    return 8 * 2.0**-53 * (moved + math.exp(query.epsilon_nats) + 1)


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _add_at_vertices(total: Floats, rows: Floats) -> Floats:
    """Compute ``total`` plus log(1 + E u) of each row at all vertices, shape (2^d,).

    The first coordinate counts fastest.
    """
    added, share = total.copy(), np.empty(len(total))
    for row in range(len(rows)):
        e = math.expm1(rows[row, EPSILON])
        share[0], known = rows[row, LIKELY], 1
        for j in range(SLOPES, rows.shape[1]):
            for k in range(known):
                share[known + k] = share[k] + rows[row, j]
            known *= 2
        for k in range(len(total)):
            added[k] += math.log1p(e * min(max(share[k], 0.0), 1.0))
    return added


def _require_regression(query: Query) -> Regression:
    """Return the query; raise ConfigError unless it can be asked of a value in a box."""
    if not isinstance(query, Regression):
        raise ConfigError(
            "`query` must be a linear, a truncated linear or a logistic regression for a value in "
            f"a box, got {type(query).__name__}."
        )
    return query


def _build_certificate(terms: Terms, box: Box, witnesses: tuple[Witness, ...]) -> Certificate:
    """Build the certificate of the sum of the witnesses' bounds."""
    upper = sum(witness.upper for witness in witnesses) + terms.constant
    return Certificate(terms, box, upper, witnesses)


def _build_tangent_witness(likely: Terms, box: Box) -> Witness:
    """Build the witness of a concave sum: its tangent, as multipliers of the undivided box."""
    rows, splits = tuple(range(len(likely.kinds))), np.empty((0, 4))
    if not rows:
        return Witness(rows, 0.0, "envelopes", splits, np.empty((1, 0)))
    _, upper, _, at = _maximise_concave(likely.eps, likely.a, likely.b, compute_centre(box))
    e = np.expm1(likely.eps)
    slopes = e / (1 + e * (likely.a @ at + likely.b))
    return Witness(rows, upper, "envelopes", splits, slopes[None])


def _build_vertex_witness(unlikely: Terms, vertices: Floats) -> Witness:
    """Build the witness of a convex sum from its values at the vertices, shape (2^d,)."""
    rows = tuple(range(len(unlikely.kinds)))
    lowest = -float(vertices.min())
    return Witness(rows, lowest, "vertices", np.empty((0, 4)), np.empty((0, len(rows))))


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _evaluate_concave_sum(e: Floats, a: Floats, b: Floats, x: Floats, u: Floats) -> float:
    """Compute ``sum_i log(1 + E_i u_i)`` at x, shape (d,), and fill the arguments u, shape (n,)."""
    total = 0.0
    for i in range(a.shape[0]):
        u[i] = b[i]
        for j in range(a.shape[1]):
            u[i] += a[i, j] * x[j]
        total += math.log1p(e[i] * u[i])
    return total


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _maximise_concave(eps: Floats, a: Floats, b: Floats, start: Floats):  # noqa: ANN202
    """Bound the maximum of ``sum_i log(1 + E_i (a_i . x + b_i))`` on [0, 1]^d.

    Returns the lower and the upper bound, and the points, shape (d,), that give them.

    Projected Newton steps from ``start``.  Whatever they reach, the sum is concave, so that it is
    nowhere above its tangent at x: the upper bound is the tangent's largest value over the box.
    """
    n, d = a.shape
    e = np.expm1(eps)
    x, best_x, tangent_x = start.copy(), start.copy(), start.copy()
    lower, upper = -np.inf, np.inf
    gradient, hessian, step, u = np.empty(d), np.empty((d, d)), np.empty(d), np.empty(n)
    value = _evaluate_concave_sum(e, a, b, x, u)
    for _ in range(60):
        gradient[:] = 0.0
        hessian[:] = 0.0
        for i in range(n):
            slope = e[i] / (1.0 + e[i] * u[i])
            for j in range(d):
                gradient[j] += slope * a[i, j]
                scaled = slope * slope * a[i, j]
                for k in range(j + 1):
                    hessian[j, k] += scaled * a[i, k]
        gap = 0.0
        for j in range(d):
            gap += max(gradient[j] * (1.0 - x[j]), -gradient[j] * x[j])
        if value + gap < upper:
            upper = value + gap
            copy_into(tangent_x, x)
        if value > lower:
            lower = value
            copy_into(best_x, x)
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
        length, trial, is_moved = 1.0, np.empty(d), False
        while length > 1e-9:
            is_moved = False
            for j in range(d):
                trial[j] = min(max(x[j] + length * step[j], 0.0), 1.0)
                is_moved |= trial[j] != x[j]
            trial_value = _evaluate_concave_sum(e, a, b, trial, u)
            promised = 0.0
            for j in range(d):
                promised += gradient[j] * (trial[j] - x[j])
            if trial_value >= value + 0.1 * promised or trial_value > value:
                break
            length *= 0.5
        # A step too short to move x would be tried again and again.
        if length <= 1e-9 or not is_moved:
            break
        x, value = trial, trial_value
    return lower, upper, best_x, tangent_x


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _bound_linear_loss(  # noqa: ANN202
    rows: Floats, vertices: Floats, start: Floats, lower: Floats, upper: Floats
):
    """Bound the loss of linear queries by a concave maximum and a minimum over vertices.

    From the rows of the answers, log P at the 2^d vertices, a point of [0, 1]^d to begin at, and
    the corners of the box.  The result is an upper bound of the loss, how far rounding can have
    moved it, log P at the most and at the least likely point, and these two points of the box,
    shape (2, d).  The lower bound is that of the points as they are returned, rounded to the box.
    """
    n, d = len(rows), len(start)
    eps, e = np.empty(n), np.empty(n)
    kinds, a, b = np.empty(n, np.int64), np.empty((n, d)), np.empty(n)
    opposite, minus_a, minus_b = np.empty(n, np.int64), np.empty((n, d)), np.empty(n)
    for i in range(n):
        eps[i], e[i] = rows[i, EPSILON], rows[i, EXPM1_EPSILON]
        kinds[i], b[i] = LOG_CLIP, rows[i, LIKELY]
        opposite[i], minus_b[i] = NEG_CLIP, rows[i, UNLIKELY]
        for j in range(d):
            a[i, j], minus_a[i, j] = rows[i, SLOPES + j], -rows[i, SLOPES + j]
    _, most, point, _ = _maximise_concave(eps, a, b, start)
    lowest = vertices.argmin()
    points = np.empty((2, d))
    at_most, at_least = np.empty(d), np.empty(d)
    for j in range(d):
        width = upper[j] - lower[j]
        corner = float((lowest >> j) & 1)
        points[0, j] = min(max(lower[j] + point[j] * width, lower[j]), upper[j])
        points[1, j] = min(max(lower[j] + corner * width, lower[j]), upper[j])
        at_most[j] = (points[0, j] - lower[j]) / width
        at_least[j] = (points[1, j] - lower[j]) / width
    return (
        most - vertices[lowest],
        compute_rounding_allowance(kinds, eps, a, b)
        + compute_rounding_allowance(opposite, eps, minus_a, minus_b),
        evaluate_sum(kinds, e, a, b, at_most),
        -evaluate_sum(opposite, e, minus_a, minus_b, at_least),
        points,
    )
