"""Guarantees that may fail with a probability of delta (``knowledge``, Section 4.3).

1. :func:`build_deltas`: smallest deltas of random mechanisms by Definitions 4.6 and 4.7.
2. :func:`build_afterwards`: queries about a bit that have an output of too large a loss, and what
   may follow it.
3. :func:`count_answers`, :func:`bound_pairs`: an output-independent filter.
4. :func:`count_accepted`: Algorithm 4 with its line 15 as printed and corrected.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.stats import binom

from noiseless.accounting import rational
from noiseless.accounting.filters import AdvancedFilter, ApproximateFilter
from noiseless.accounting.queries import Query
from noiseless.accounting.rational import Mechanism
from noiseless.papers.knowledge.learning import draw_mechanism
from noiseless.seeds import make_generator

VALUES = range(11)  # of the object of Examples 2 and 3
_EIGHTHS = [Fraction(k, 8) for k in range(1, 8)]
BIT_QUERIES: list[Mechanism] = [
    [[1 - zero, 1 - one], [zero, one]] for zero, one in itertools.product(_EIGHTHS, repeat=2)
]
"""All queries of two outputs about a bit with probabilities of eighths."""


@dataclass(frozen=True)
class Deltas:
    """A mechanism at some e^epsilon, with its smallest delta by Definitions 4.6 and 4.7."""

    mechanism: Mechanism
    exp_epsilon: Fraction
    by_4_6: Fraction
    by_4_7: Fraction

    def list_numbers(self) -> Mapping[str, Any]:
        """List e^epsilon, and the probabilities of each output under each value."""
        rows = {f"Pr({y}|x)": row for y, row in enumerate(self.mechanism)}
        return {"e^eps": self.exp_epsilon, **rows}


def build_deltas(mechanisms: int, seed: int) -> list[Deltas]:
    """Build the deltas of random mechanisms."""
    found = []
    for number in range(mechanisms):
        rng = make_generator(seed, "approximate", number)
        mechanism = draw_mechanism(rng)
        limit = 1 + Fraction(int(rng.integers(1, 40)), 20)
        losses = compute_delta_4_7(mechanism, limit)
        found.append(Deltas(mechanism, limit, compute_delta_4_6(mechanism, limit), losses))
    return found


def compute_delta_4_6(mechanism: Mechanism, exp_epsilon: Fraction) -> Fraction:
    """Compute the smallest delta of Definition 4.6, max over pairs of sum max(0, P - e^eps P')."""
    values = range(len(mechanism[0]))
    return max(
        _compute_excess(mechanism, exp_epsilon, x, other)
        for x, other in itertools.product(values, repeat=2)
    )


def compute_delta_4_7(mechanism: Mechanism, exp_epsilon: Fraction) -> Fraction:
    """Compute the smallest delta of Definition 4.7, the largest Pr(L(y) >= e^epsilon | x)."""
    bad = [max(row) >= exp_epsilon * min(row) for row in mechanism]
    return max(
        sum(itertools.compress(column, bad), Fraction(0)) for column in zip(*mechanism, strict=True)
    )


def _compute_excess(mechanism: Mechanism, exp_epsilon: Fraction, x: int, other: int) -> Fraction:
    """Compute the delta of Definition 4.6 for one value against another one."""
    return sum(
        (max(row[x] - exp_epsilon * row[other], Fraction(0)) for row in mechanism), Fraction(0)
    )


@dataclass(frozen=True)
class Afterwards:
    """A query about a bit with an output whose loss is not below e^epsilon, its ``limit``."""

    query: Mechanism
    limit: Fraction

    def list_numbers(self) -> Mapping[str, Any]:
        """List e^epsilon, and the probabilities of 1."""
        return {"e^eps": self.limit, "Pr(1|x)": self.query[1]}

    @property
    def high(self) -> Mechanism:
        """The outputs of such a loss."""
        return [row for row in self.query if max(row) >= self.limit * min(row)]

    def append(self, then: Mechanism) -> Mechanism:
        """Build the mechanism that asks a second query after an output of such a loss."""
        low = [row for row in self.query if row not in self.high]
        return [*low, *(rational.multiply_entries(row, each) for row in self.high for each in then)]

    def has_crossing(self, then: Mechanism) -> bool:
        """Return whether a ratio of at least e^epsilon is above or below it by a second output."""
        over = [
            [row[x] * each[x] - self.limit * row[1 - x] * each[1 - x] for each in then]
            for row in self.high
            for x in (0, 1)
        ]
        return any(min(signs) < 0 < max(signs) for signs in over)

    def needs_more_delta(self, then: Mechanism) -> bool:
        """Return whether a second query makes the delta of Definition 4.6 larger, of a value."""
        after = self.append(then)
        return any(
            _compute_excess(after, self.limit, x, 1 - x)
            != _compute_excess(self.query, self.limit, x, 1 - x)
            for x in (0, 1)
        )


def build_enhanced(query: Mechanism, then: Mechanism, limit: Fraction) -> Mechanism:
    """Build what Algorithm 4 tells of a query of its first filter, and of one of its second.

    After an output the second query is asked if the loss, ``limit`` at most, stays so.
    """
    told: Mechanism = []
    for row in query:
        after = [rational.multiply_entries(row, each) for each in then]
        fits = all(max(each) <= limit * min(each) for each in [row, *after])
        told += after if fits else [row]
    return told


def build_afterwards() -> list[Afterwards]:
    """Build every query about a bit with probabilities of eighths, at e^epsilon = 3/2, 2 and 3."""
    every = itertools.product(BIT_QUERIES, map(Fraction, ("3/2", "2", "3")))
    return [each for each in itertools.starmap(Afterwards, every) if each.high]


def count_answers(budget_nats: float, delta: float, epsilon_nats: float = 0.1) -> int:
    """Count the randomized responses of some nats that an output-independent filter accepts."""
    top = Fraction(1 / (1 + math.exp(-epsilon_nats)))
    query = rational.convert_to_query(rational.build_randomized_response(top))
    privacy_filter, accepted = AdvancedFilter(budget_nats, delta, rational.build_domain(2)), 0
    while privacy_filter.accepts(query):
        privacy_filter.record(query, 0)
        accepted += 1
    return accepted


def bound_pairs(budget_nats: float, delta: float, epsilon_nats: float = 0.1) -> float:
    """Bound the probability that two values' ratio is above the budget, over delta.

    Each accepted query asks another bit; the largest probability over all pairs of values.
    """
    top = 1 / (1 + math.exp(-epsilon_nats))
    differing = np.arange(1, count_answers(budget_nats, delta, epsilon_nats) + 1)
    # The ratio of two values that differ in j bits is e^(epsilon (2 B - j)), B binomial.
    least_right = np.floor((budget_nats / epsilon_nats + differing) / 2 + 1e-9)
    above = binom.sf(least_right, differing, top)
    return float(above.max() / delta)


def build_power_query(power: int) -> Mechanism:
    """Build Equation 11's query about X^i, i = ``power``, on values 0 to 10; row y is output y."""
    ones = [Fraction(2, 10) * Fraction(value, 10) ** power + Fraction(4, 10) for value in VALUES]
    return [[1 - each for each in ones], ones]


class _PrintedApproximateFilter(ApproximateFilter):
    """Filter of Algorithm 4 with line 15 as printed, which compares the ratio L with epsilon_g."""

    def accepts(self, query: Query) -> bool:
        if self._first.accepts(query):
            return True
        return math.exp(self.bound_loss().upper) <= self._limit and self._second.accepts(query)


LINES_15: Mapping[str, type[ApproximateFilter]] = {
    "printed": _PrintedApproximateFilter,
    "corrected": ApproximateFilter,
}


def count_accepted(
    line_15: str, *, queries: int, runs: int, seed: int, budget_nats: float = 0.5
) -> float:
    """Count the queries X^1, X^2, ... that Algorithm 4 accepts for the value 5, in the mean.

    ``line_15`` is one of :data:`LINES_15`.
    """
    mechanisms = [build_power_query(power) for power in range(1, queries + 1)]
    accepted = 0
    for run in range(runs):
        rng = make_generator(seed, "line 15", budget_nats, run)
        privacy_filter = LINES_15[line_15](budget_nats, 1e-5, rational.build_domain(len(VALUES)))
        for mechanism in mechanisms:
            output = int(rng.random() < mechanism[1][5])
            query = rational.convert_to_query(mechanism)
            if not privacy_filter.accepts(query):
                break
            privacy_filter.record(query, output)
            accepted += 1
    return accepted / runs
