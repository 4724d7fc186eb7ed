"""Privacy filters, which decide what queries an object may still answer (``knowledge``, Section 4).

A caller asks :meth:`~PrivacyFilter.accepts` before a query runs, and passes the query's output to
:meth:`~PrivacyFilter.record`.  Queries may be chosen adaptively, from all earlier outputs.  A
filter never sees the object's value: its decision depends on the domain, the queries and the
recorded outputs alone.  It checks first that the query can be asked of every value
of the domain, because a query that fits only some values would reveal the value by failing.

======================== ================================================================
filter                   accepts a query when
======================== ================================================================
:class:`BasicFilter`     the sum of all epsilons stays within the budget
:class:`SimplifiedFilter` realized loss + epsilon stays within it (Algorithm 3)
:class:`BayesianFilter`  the realized loss stays within it, whatever the output (Algorithm 2)
:class:`SafeFilter`      the loss stays within what basic composition has spent so far
:class:`AdvancedFilter`  the epsilons satisfy an output-independent (epsilon, delta) filter
:class:`ApproximateFilter` that filter does, or, once it has halted, the Bayesian one (Algorithm 4)
======================== ================================================================

The odometer (Definition 4.5) is :meth:`~PrivacyFilter.bound_loss`, computed by an
:class:`Odometer`: it never rises above the bound by which the filter accepted.  A loss that equals
the budget fits: losses are compared with a relative allowance of :data:`RELATIVE_ALLOWANCE`, far
above rounding and far below relevant differences of budgets, so that ten queries of 0.1 fit into
1.0.  Sums of epsilons, and of their squares, are exact; the sum of a loss and an epsilon is rounded
up.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from noiseless.accounting.queries import (
    Box,
    FiniteDomain,
    Query,
    Regression,
    TableQuery,
    convert_to_fraction,
    require_output,
)
from noiseless.accounting.realized_loss import (
    LossAccount,
    LossBounds,
    add_rounding_up,
    create_account,
    round_up,
)
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import (
    check_positive,
    convert_to_python,
    require_kind,
    require_list,
    require_number,
)

MIN_TOLERANCE = 1e-12
RELATIVE_ALLOWANCE = 1e-9

TABLE_ROUNDING_NATS = 1e-12
"""Upper bound of the error of a table's epsilon: the logarithm of a double has a magnitude of at
most 745, and is rounded to some units of the last place."""


@dataclass(frozen=True)
class QueryPrice:
    """Change (nats) of an object's certified loss by a query that has not been asked yet.

    The query's own ``epsilon_nats`` is the most that any output can add; ``min_nats`` and
    ``max_nats`` are over its outputs, and an answer can lower the loss.  The query is accepted now,
    or certain to be after all earlier queries of the batch, whatever their outputs.
    """

    epsilon_nats: float
    min_nats: float
    max_nats: float
    is_accepted: bool
    is_certain: bool


class Odometer:
    """Loss account whose upper bound rises by at most the known maximum of each answer.

    The upper bound after an answer is the smallest of four numbers: the bound of the wrapped
    account; the odometer's bound before the answer plus the query's epsilon; the sum of all
    epsilons; and, if the second number is above the limit (nats) of the filter, the bound that
    :meth:`LossAccount.bound_loss_after` gave with the limit when a filter accepted the query.  The
    bounds of the wrapped account can rise by more, because its search ends early.

    The wrapped account receives an answer when a caller asks for a bound, and is bounded after each
    answer, in their order.  All bounds are therefore a function of the answers alone, and not of
    earlier requests for bounds; the first bound after n answers costs n searches.
    """

    def __init__(self, account: LossAccount, limit: float) -> None:
        self._account, self._limit = account, limit
        self.worst_case_nats = account.worst_case_nats
        # Answers that the account has not received, and the limit that each was accepted by.
        self._waiting: deque[tuple[Query, int, float]] = deque()
        # Summary of the answers that the account has received: their number, the largest sum of
        # their epsilons, and an upper bound of their loss with its certificate.  ``_bounds`` is
        # None until the account has computed its bounds.
        self._told, self._told_nats = 0, self.worst_case_nats
        self._upper, self._certificate = math.inf, (0, math.nan)
        self._bounds: LossBounds | None = None

    def require(self, query: Query) -> None:
        """Check that a query can be asked of every value of the domain; raise if not."""
        self._account.require(query)

    def add(self, query: Query, output: int, limit: float | None = None) -> None:
        """Record the output of a query, and the largest loss (nats) of its acceptance."""
        self.require(query)
        require_output(query, output)
        self._waiting.append((query, output, self._limit if limit is None else limit))
        self.worst_case_nats += convert_to_fraction(query.epsilon_nats)

    def bound_loss(self) -> LossBounds:
        """Compute certified bounds of the realized loss (nats) of the recorded outputs.

        ``certificate`` says where ``upper`` comes from.
        """
        while (bounds := self._bounds) is None or self._waiting:
            if bounds is None:
                self._bounds = _cap_upper_bound(
                    self._account.bound_loss(), self._upper, self._certificate
                )
            else:
                self._add_next_answer(bounds, *self._waiting[0])
        return bounds

    def bound_loss_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """Compute bounds of the realized loss (nats) if ``query`` were answered by ``output``."""
        now = self.bound_loss()
        upper = add_rounding_up(now.upper, round_up(_bound_epsilon(query)))
        after = self._account.bound_loss_after(query, output, limit)
        return _cap_upper_bound(after, upper, now.certificate or (self._told, math.nan))

    def _add_next_answer(self, now: LossBounds, query: Query, output: int, limit: float) -> None:
        """Pass the next waiting answer to the account, and update ``_upper`` accordingly."""
        added_nats = _bound_epsilon(query)
        upper = add_rounding_up(now.upper, round_up(added_nats))
        certificate = now.certificate or (self._told, math.nan)
        if upper > limit:
            accepted = self._account.bound_loss_after(query, output, limit).upper
            if accepted < upper:
                upper, certificate = accepted, (self._told + 1, limit)
        told_nats = self._told_nats + added_nats
        if round_up(told_nats) < upper:
            upper, certificate = round_up(told_nats), (0, math.nan)
        # An interrupt after this line leaves a valid upper bound that includes the answer.
        self._account.add(query, output)
        self._waiting.popleft()
        self._told, self._told_nats = self._told + 1, told_nats
        self._upper, self._certificate, self._bounds = upper, certificate, None


def _cap_upper_bound(
    bounds: LossBounds, upper: float, certificate: tuple[int, float]
) -> LossBounds:
    """Return bounds whose upper end is at most ``upper``."""
    if bounds.upper <= upper:
        return bounds
    lower = min(bounds.lower, upper)
    return replace(bounds, lower=lower, upper=upper, certificate=certificate)


def _bound_epsilon(query: Query) -> Fraction:
    """Compute the largest exact epsilon (nats) of a query.

    The epsilon of a table is a rounded logarithm.
    """
    rounding = Fraction(0 if isinstance(query, Regression) else TABLE_ROUNDING_NATS)
    if isinstance(query, TableQuery):
        rounding += 2 * query.remainder_nats
    return convert_to_fraction(query.epsilon_nats) + rounding


def weaken_query(query: Query, share: float) -> Query:
    """Return a query with a smaller epsilon (regression) or nearer to uniform (table).

    The share, from 0 to 1, is a factor of a regression's epsilon, or the probability with which the
    output is drawn from the table instead of uniformly.
    """
    if isinstance(query, TableQuery):
        fair = (1 - share) / query.outputs
        return TableQuery(
            tuple(tuple(fair + share * each for each in row) for row in query.probabilities)
        )
    if isinstance(query, Regression):
        return replace(query, epsilon_nats=share * query.epsilon_nats)
    raise ConfigError(
        f"`query` must be a regression or a table of probabilities, got {type(query).__name__}. "
        "Ask a query with a smaller epsilon instead."
    )


class PrivacyFilter:
    """Base class of filters, which decide on a stream of queries against one object.

    Parameters
    ----------
    budget_nats : float
        epsilon_g, larger than 0.
    account : LossAccount, Box or FiniteDomain
        Empty account of the object, which the filter keeps from now on; a domain stands for the
        account of its kind, with the settings of
        :func:`~noiseless.accounting.realized_loss.bound_realized_loss`.

    Raises
    ------
    ConfigError
        If the budget is not a positive number.
    """

    def __init__(self, budget_nats: float, account: LossAccount | Box | FiniteDomain) -> None:
        check_positive("`budget_nats`, the privacy budget,", budget_nats)
        self.budget_nats = convert_to_python(budget_nats)
        self._limit = budget_nats * (1 + RELATIVE_ALLOWANCE)
        if isinstance(account, Box | FiniteDomain):
            account = create_account(account)
        require_kind("account", account, LossAccount, "a Box, a FiniteDomain, or an account of one")
        self._account = account if isinstance(account, Odometer) else Odometer(account, self._limit)

    def record(self, query: Query, output: int) -> None:
        """Record the output of an accepted query."""
        self._account.add(query, output)

    def compute_remaining_epsilon(self) -> float:
        """Compute the largest epsilon (nats) at which every query is accepted, from the loss."""
        return max(0.0, self.budget_nats - self.bound_loss().upper)

    def accepts(self, query: Query) -> bool:
        """Return whether the query may run.

        Raises
        ------
        ConfigError, DataError
            If the query cannot be asked of every value of the domain.
        """
        raise NotImplementedError

    def shrink_to_fit(self, query: Query, *, tolerance: float = 1e-6) -> Query | None:
        """Return the query if it is accepted, else the strongest weaker query that is accepted.

        A stream that ends when the filter rejects its next query may leave a part of the budget
        unused.  A last query that is weaker uses it.

        Parameters
        ----------
        query : Query
            A regression, of which only epsilon becomes smaller, or a :class:`TableQuery`, which is
            mixed with a uniform draw of its outputs.
        tolerance : float
            Largest distance, as a share of the query, between the returned query and a query that
            the filter rejects.  The search halves an interval whose lower end the filter accepts,
            by certified bounds, and whose upper end it rejects.

        Returns
        -------
        Query or None
            A query that :meth:`accepts` accepts now; None if none larger than the tolerance was
            found.

        Raises
        ------
        ConfigError, DataError
            If the query cannot be asked of every value of the domain, or the tolerance is below
            1e-12, nearer than which rounding decides.

        Examples
        --------
        After an answer of 0.4 nats, a budget of 0.5 has room for 0.1 more:

        >>> from noiseless.accounting.queries import Box, LinearQuery
        >>> query = LinearQuery([1.0], 0, epsilon_nats=0.4, low=0, high=1)
        >>> privacy_filter = BayesianFilter(0.5, Box([0], [1]))
        >>> privacy_filter.record(query, 1)
        >>> privacy_filter.accepts(query)
        False
        >>> round(privacy_filter.shrink_to_fit(query).epsilon_nats, 4)
        0.1
        """
        require_number("tolerance", tolerance, least=MIN_TOLERANCE)
        if self.accepts(query):
            return query
        fits, fails = 0.0, 1.0
        while fails - fits > tolerance:
            share = (fits + fails) / 2
            if self.accepts(weaken_query(query, share)):
                fits = share
            else:
                fails = share
        return weaken_query(query, fits) if fits else None

    def bound_loss(self) -> LossBounds:
        """Compute certified bounds of the realized loss so far (the odometer, Definition 4.5)."""
        return self._account.bound_loss()

    def _fits_worst_case(self, query: Query) -> bool:
        """Return whether the sum of all epsilons stays within the budget."""
        return self._account.worst_case_nats + Fraction(query.epsilon_nats) <= self._limit


class LossFilter(PrivacyFilter):
    """Base class of filters that bound the realized loss of each output, and so price queries."""

    def price_queries(self, queries: Sequence[Query]) -> list[QueryPrice]:
        """Compute the price of each query of a batch, without asking any.

        Parameters
        ----------
        queries : sequence of Query
            In the order in which they are to be asked.

        Returns
        -------
        list of QueryPrice

        Raises
        ------
        ConfigError, DataError
            If a query cannot be asked of every value of the domain.

        Notes
        -----
        A price is a function of the queries and of the earlier outputs.  ``is_certain`` uses the
        sum of epsilons (Theorem 4.2), because there are too many sequences of outputs to try.

        Examples
        --------
        >>> from noiseless.accounting.queries import Box, LinearQuery
        >>> query = LinearQuery([1.0], 0, epsilon_nats=0.4, low=0, high=1)
        >>> privacy_filter = BayesianFilter(0.5, Box([0], [1]))
        >>> first, second = privacy_filter.price_queries([query, query])
        >>> round(first.max_nats, 6), first.is_certain, second.is_accepted, second.is_certain
        (0.4, True, True, False)
        """
        queries = require_list("queries", queries, "a list of queries")
        now = self.bound_loss().upper
        prices, asked_nats = [], Fraction(0)
        for query in queries:
            accepted = self.accepts(query)
            after = [
                self._account.bound_loss_after(query, each).upper for each in range(query.outputs)
            ]
            asked_nats += _bound_epsilon(query)
            prices.append(
                QueryPrice(
                    epsilon_nats=query.epsilon_nats,
                    min_nats=min(after) - now,
                    max_nats=max(after) - now,
                    is_accepted=accepted,
                    is_certain=self._is_certain(query, now, asked_nats),
                )
            )
        return prices

    def _is_certain(self, query: Query, now_nats: float, asked_nats: Fraction) -> bool:
        """Return whether a query is accepted after its batch, whatever the outputs.

        The decision uses the sum of epsilons.
        """
        return add_rounding_up(now_nats, round_up(asked_nats)) <= self._limit


class BasicFilter(LossFilter):
    """Basic composition: the sum of the epsilons of all accepted queries is at most the budget."""

    def accepts(self, query: Query) -> bool:
        """Return whether the query's epsilon is at most the remaining budget."""
        self._account.require(query)
        return self._fits_worst_case(query)

    def compute_remaining_epsilon(self) -> float:
        """Compute the budget less the sum of epsilons, in nats; at least 0."""
        return max(0.0, float(Fraction(self.budget_nats) - self._account.worst_case_nats))

    def _is_certain(self, query: Query, now_nats: float, asked_nats: Fraction) -> bool:
        """Return whether the sum of all epsilons stays within the budget."""
        return self._account.worst_case_nats + asked_nats <= self._limit


class SimplifiedFilter(LossFilter):
    """Algorithm 3, Definition 4.4: realized loss plus the query's epsilon is within the budget."""

    def accepts(self, query: Query) -> bool:
        """Return whether the certified loss plus the query's epsilon is within the budget."""
        self._account.require(query)
        # The loss is at most the sum of all epsilons, which needs no search.
        return self._fits_worst_case(query) or (
            add_rounding_up(self._account.bound_loss().upper, query.epsilon_nats) <= self._limit
        )


class BayesianFilter(SimplifiedFilter):
    """Algorithm 2, Definition 4.3: the loss stays within the budget for all outputs of the query.

    Parameters are a budget in nats and a domain, or an account of it.

    Examples
    --------
    Answers that cancel leave the budget of half a nat almost untouched:

    >>> from noiseless.accounting.queries import Box, LinearQuery
    >>> query = LinearQuery([0.5, 0.5], 0, epsilon_nats=0.2, low=0, high=1)
    >>> privacy_filter = BayesianFilter(0.5, Box([0, 0], [1, 1]))
    >>> for output in (1, 0, 1, 0):
    ...     assert privacy_filter.accepts(query)
    ...     privacy_filter.record(query, output)
    >>> round(privacy_filter.compute_remaining_epsilon(), 2)
    0.48
    """

    def accepts(self, query: Query) -> bool:
        """Return whether the loss is certified to stay within the budget for every output."""
        # One query adds at most its epsilon (Theorem 4.2), which is quicker to check.
        if super().accepts(query):
            return True
        return all(
            self._account.bound_loss_after(query, output, self._limit).is_within(self._limit)
            for output in range(query.outputs)
        )


class SafeFilter(LossFilter):
    """Filter by realized loss that never accepts fewer queries than basic composition.

    If a stream continues after a rejection, the Bayesian filter can accept fewer queries than basic
    composition: after a query that takes the loss to the budget, it rejects all later ones.  This
    filter reserves the budget that basic composition can still spend.  With B the sum of the
    epsilons that basic composition accepts of the queries so far, it accepts a query that basic
    composition accepts, and any other query only if the realized loss stays within B, whatever the
    output.

    Parameters are a budget in nats and a domain, or an account of it.

    Notes
    -----
    The filter keeps the budget, never accepts fewer queries than basic composition, and is the
    largest filter with both properties (``docs/proofs/knowledge.md``, "Filters on a stream that
    goes on").  If the first rejection ends the stream, the Bayesian filter accepts the most
    queries; if all epsilons lie within a factor of two, it never accepts fewer than basic
    composition either, and can accept more.

    Examples
    --------
    After an answer of log 2 nats under a budget of log 4, a query that takes the loss to the budget
    with either output is refused, and two small ones fit:

    >>> from noiseless.accounting.queries import FiniteDomain, TableQuery
    >>> first = TableQuery(((2 / 3, 1 / 3), (1 / 3, 2 / 3)))
    >>> closing = TableQuery(((8 / 15, 1 / 15), (7 / 15, 14 / 15)))
    >>> small = TableQuery(((7 / 12, 5 / 12), (5 / 12, 7 / 12)))
    >>> for kind in (BasicFilter, BayesianFilter, SafeFilter):
    ...     privacy_filter = kind(math.log(4), FiniteDomain(((0.0,), (1.0,))))
    ...     answers = 0
    ...     for query, output in [(first, 1), (closing, 1), (small, 0), (small, 0)]:
    ...         if privacy_filter.accepts(query):
    ...             privacy_filter.record(query, output)
    ...             answers += 1
    ...     print(kind.__name__, answers)
    BasicFilter 3
    BayesianFilter 2
    SafeFilter 3
    """

    def __init__(self, budget_nats: float, account: LossAccount | Box | FiniteDomain) -> None:
        super().__init__(budget_nats, account)
        self._spent = Fraction(0)  # sum of the epsilons that basic composition accepted so far

    def accepts(self, query: Query) -> bool:
        """Return whether basic composition accepts, or the loss stays within what it has spent."""
        self._account.require(query)
        if self._fits_basic(query):
            return True
        limit = self._compute_limit()
        # One query adds at most its epsilon, which is quicker to check.
        if add_rounding_up(self._account.bound_loss().upper, query.epsilon_nats) <= limit:
            return True
        return all(
            self._account.bound_loss_after(query, output, limit).is_within(limit)
            for output in range(query.outputs)
        )

    def record(self, query: Query, output: int) -> None:
        """Record the output of an accepted query."""
        spent = self._spent
        if self._fits_basic(query):
            spent += convert_to_fraction(query.epsilon_nats)
        self._account.add(query, output, self._compute_limit(spent))
        self._spent = spent

    def compute_remaining_epsilon(self) -> float:
        """Compute the largest epsilon (nats) at which every query is accepted, from the loss."""
        spent = float(self._spent)
        return max(0.0, self.budget_nats - spent, spent - self.bound_loss().upper)

    def _fits_basic(self, query: Query) -> bool:
        """Return whether basic composition accepts the query."""
        return self._spent + convert_to_fraction(query.epsilon_nats) <= self._limit

    def _compute_limit(self, spent: Fraction | None = None) -> float:
        """Compute the largest loss (nats) of a query that basic composition rejects."""
        return float(self._spent if spent is None else spent) * (1 + RELATIVE_ALLOWANCE)

    def _is_certain(self, query: Query, now_nats: float, asked_nats: Fraction) -> bool:
        """Return whether basic composition accepts the batch, or the loss stays within its sum."""
        return (
            self._spent + asked_nats <= self._limit
            or add_rounding_up(now_nats, round_up(asked_nats)) <= self._compute_limit()
        )


class AdvancedFilter(PrivacyFilter):
    """Output-independent filter for (epsilon_g, delta_g)-LDP (Definition 4.6).

    For all values x and x' of the object and every set S of output sequences, ``Pr(S | x) <=
    e^epsilon_g Pr(S | x') + delta_g``, however the queries are chosen.  That does not bound the
    realized loss, although Section 4.3 says that it stays within epsilon_g with probability 1 -
    delta_g.  If x is n bits, and query i is a randomized response about bit i, then *every* output
    sequence has the sum of all epsilons as its loss: it fits one value best and another one worst,
    and these differ from sequence to sequence.  :meth:`bound_loss` may therefore be above the
    budget.

    Accepts while ``sqrt(2 log(1/delta) sum eps^2) + sum eps^2 / 2`` is within the budget
    (Whitehouse, Ramdas, Rogers and Wu, "Fully adaptive composition in differential privacy",
    Theorem 1, for queries that are epsilon-LDP).  If a query that did not fit is recorded all the
    same, because another filter accepted it, nothing fits any more: this filter has halted.
    """

    def __init__(
        self, budget_nats: float, delta: float, account: LossAccount | Box | FiniteDomain
    ) -> None:
        super().__init__(budget_nats, account)
        if not 0 < delta < 1:
            raise ConfigError(f"`delta` must lie between 0 and 1, got {delta}.")
        self._delta = delta
        self._squares = Fraction(0)

    def accepts(self, query: Query) -> bool:
        """Return whether the epsilons with the query's satisfy the output-independent bound."""
        self._account.require(query)
        squares = float(self._squares + Fraction(query.epsilon_nats) ** 2)
        bound = math.sqrt(2 * math.log(1 / self._delta) * squares) + squares / 2
        return bound <= self._limit

    def compute_remaining_epsilon(self) -> float:
        """Compute the largest epsilon (nats) that is accepted; at least 0."""
        double = 2 * math.log(1 / self._delta)
        # The sum of squares s that uses the budget up: sqrt(double s) + s / 2 = budget.
        root = 2 * self.budget_nats / (math.sqrt(double + 2 * self.budget_nats) + math.sqrt(double))
        return math.sqrt(max(Fraction(0), Fraction(root) ** 2 - self._squares))

    def record(self, query: Query, output: int) -> None:
        """Record the output of an accepted query."""
        super().record(query, output)
        self._squares += Fraction(query.epsilon_nats) ** 2


class ApproximateFilter(PrivacyFilter):
    """Algorithm 4: a Bayesian filter that continues after an (epsilon, delta) filter has halted.

    The guarantee is Definition 4.6, as for :class:`AdvancedFilter`: no two values x and x' can be
    distinguished better than (epsilon_g, delta_g) allows.  As long as the realized loss L of the
    outputs is within the budget, more queries are accepted only if it stays there; an output
    sequence with L above the budget gets no more of them.  It does not guarantee that L stays
    within the budget with probability 1 - delta_g, as Section 4.3 says: what the first filter
    accepts can exceed it for certain (the example at :class:`AdvancedFilter`).  If it does, the
    paper would let the filter release the value itself; this one stops.

    Line 15 of the paper compares the ratio L with epsilon_g, a logarithm; it is log L that must not
    exceed epsilon_g, and the Bayesian test after it implies that.
    """

    def __init__(
        self, budget_nats: float, delta: float, account: LossAccount | Box | FiniteDomain
    ) -> None:
        super().__init__(budget_nats, account)
        self._first = AdvancedFilter(budget_nats, delta, self._account)
        self._second = BayesianFilter(budget_nats, self._account)

    def accepts(self, query: Query) -> bool:
        """Return whether the first filter accepts, or has halted and the Bayesian one accepts."""
        if self._first.accepts(query):
            return True
        # The first filter can have taken the loss above the budget; then no query is accepted.
        return self.bound_loss().upper <= self._limit and self._second.accepts(query)

    def record(self, query: Query, output: int) -> None:
        """Record the output of an accepted query."""
        self._first.record(query, output)

    def compute_remaining_epsilon(self) -> float:
        """Compute the largest epsilon (nats) that either filter accepts; at least 0."""
        return max(
            self._first.compute_remaining_epsilon(), self._second.compute_remaining_epsilon()
        )


FILTERS: Final = {"basic": BasicFilter, "simplified": SimplifiedFilter, "bayesian": BayesianFilter}
"""Filters of the paper that need only a budget, and basic composition, by name."""
