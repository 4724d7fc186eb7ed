"""Privacy filters: which queries an object may still answer (``knowledge``, Section 4).

A filter is asked :meth:`~PrivacyFilter.accepts` before a query runs, and told by
:meth:`~PrivacyFilter.record` what the query returned.  Queries may be chosen adaptively, from all
earlier outputs.

======================== ================================================================
filter                   accepts a query when
======================== ================================================================
:class:`BasicFilter`     the sum of all epsilons stays within the budget
:class:`SimplifiedFilter` realized loss + epsilon stays within it (Algorithm 3)
:class:`BayesianFilter`  the realized loss stays within it, whatever the output (Algorithm 2)
:class:`AdvancedFilter`  the epsilons satisfy an output-independent (epsilon, delta) filter
:class:`ApproximateFilter` that filter does, or, once it has halted, the Bayesian one (Algorithm 4)
======================== ================================================================

The odometer (Definition 4.5) is :meth:`~PrivacyFilter.loss`.  A loss that equals the budget fits:
losses are compared with a relative allowance of :data:`RELATIVE_ALLOWANCE`, far above rounding and
far below any budget's meaning, so that ten queries of 0.1 fit into 1.0.
"""

import math
from typing import Protocol

from noiseless.accounting.queries import Query
from noiseless.accounting.realized_loss import LossAccount, LossBounds
from noiseless.errors import ConfigError

RELATIVE_ALLOWANCE = 1e-9


class PrivacyFilter(Protocol):
    """Decides on a stream of queries against one object."""

    def accepts(self, query: Query) -> bool:
        """Whether the query may run."""

    def record(self, query: Query, output: int) -> None:
        """Take note of an accepted query's output."""

    def loss(self) -> LossBounds:
        """The odometer: certified bounds of the realized loss so far."""


class _Filter:
    """What all filters share.

    Parameters
    ----------
    budget_nats : float
        epsilon_g, larger than 0.
    account : LossAccount
        Empty account of the object.

    Raises
    ------
    ConfigError
        If the budget is not a positive number.
    """

    def __init__(self, budget_nats: float, account: LossAccount) -> None:
        if not (math.isfinite(budget_nats) and budget_nats > 0):
            raise ConfigError(f"the privacy budget is {budget_nats}, but it must be larger than 0.")
        self.budget_nats = budget_nats
        self._limit = budget_nats * (1 + RELATIVE_ALLOWANCE)
        self._account = account

    def record(self, query: Query, output: int) -> None:
        """Take note of an accepted query's output."""
        self._account.add(query, output)

    def loss(self) -> LossBounds:
        """The odometer: certified bounds of the realized loss so far (Definition 4.5)."""
        return self._account.bounds()


class BasicFilter(_Filter):
    """Basic composition: the epsilons of all accepted queries sum to at most the budget."""

    def __init__(self, budget_nats: float, account: LossAccount) -> None:
        super().__init__(budget_nats, account)
        self._spent = 0.0

    def accepts(self, query: Query) -> bool:
        """Whether the query's epsilon is left."""
        return self._spent + query.epsilon_nats <= self._limit

    def record(self, query: Query, output: int) -> None:
        """Take note of an accepted query's output."""
        super().record(query, output)
        self._spent += query.epsilon_nats


class SimplifiedFilter(_Filter):
    """Algorithm 3, Definition 4.4: realized loss plus the query's epsilon is within the budget."""

    def accepts(self, query: Query) -> bool:
        """Whether the query's epsilon fits above the certified upper bound of the loss."""
        return self._account.bounds().upper + query.epsilon_nats <= self._limit


class BayesianFilter(_Filter):
    """Algorithm 2, Definition 4.3: no output of the query would take the loss above the budget."""

    def accepts(self, query: Query) -> bool:
        """Whether the loss is certified to stay within the budget for every output."""
        # One query adds at most its epsilon (Theorem 4.2), which is quicker to see.
        if self._account.bounds().upper + query.epsilon_nats <= self._limit:
            return True
        return all(
            self._account.bounds_after(query, output, self._limit).within(self._limit)
            for output in range(query.outputs)
        )


class AdvancedFilter(_Filter):
    """Output-independent filter for (epsilon_g, delta_g)-LDP.

    Accepts while ``sqrt(2 log(1/delta) sum eps^2) + sum eps^2 / 2`` is within the budget
    (Whitehouse, Ramdas, Rogers and Wu, "Fully adaptive composition in differential privacy",
    Theorem 1, for queries that are epsilon-LDP).  It halts when a query that did not fit is
    recorded all the same, because another filter accepted it.

    Parameters
    ----------
    budget_nats : float
    delta : float
        Between 0 and 1.
    account : LossAccount

    Raises
    ------
    ConfigError
        If the budget or delta is out of its range.
    """

    def __init__(self, budget_nats: float, delta: float, account: LossAccount) -> None:
        super().__init__(budget_nats, account)
        if not 0 < delta < 1:
            raise ConfigError(f"delta is {delta}, but it must be between 0 and 1.")
        self._delta = delta
        self._squares = 0.0
        self._halted = False

    def accepts(self, query: Query) -> bool:
        """Whether the filter has not halted, and the query's epsilon fits."""
        squares = self._squares + query.epsilon_nats**2
        bound = math.sqrt(2 * math.log(1 / self._delta) * squares) + squares / 2
        return not self._halted and bound <= self._limit

    def record(self, query: Query, output: int) -> None:
        """Take note of an accepted query's output."""
        self._halted = not self.accepts(query)
        super().record(query, output)
        self._squares += query.epsilon_nats**2


class ApproximateFilter(_Filter):
    """Algorithm 4: a Bayesian filter that goes on where an (epsilon, delta) filter has halted.

    Line 15 of the paper compares the ratio L with epsilon_g, a logarithm; it is log L that must not
    exceed epsilon_g, and the Bayesian test after it implies that.

    Parameters
    ----------
    budget_nats : float
    delta : float
    account : LossAccount
    """

    def __init__(self, budget_nats: float, delta: float, account: LossAccount) -> None:
        super().__init__(budget_nats, account)
        self._first = AdvancedFilter(budget_nats, delta, account)
        self._second = BayesianFilter(budget_nats, account)

    def accepts(self, query: Query) -> bool:
        """Whether the first filter accepts, or has halted and the Bayesian one accepts."""
        if self._first.accepts(query):
            return True
        # Where the loss is above the budget already (probability delta), nothing more is told.
        return self.loss().upper <= self._limit and self._second.accepts(query)

    def record(self, query: Query, output: int) -> None:
        """Take note of an accepted query's output."""
        self._first.record(query, output)
