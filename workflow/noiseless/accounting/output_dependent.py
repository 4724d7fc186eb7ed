"""An (epsilon, delta) filter that depends on outputs (``knowledge``, Section 4.3, continued).

Definition 4.6 asks of all outputs y together, and of any two values x and x', that the sum over y
of ``max(0, Pr(y|x) - e^epsilon Pr(y|x'))`` is at most delta.  Along a stream this sum can be kept
as an *allowance*.  Before the first answer it is delta; whenever a query is answered, the remaining
allowance is divided among the query's outputs, each of which takes at least its own term.  A query
is accepted if its terms fit.  With delta = 0 this is the Bayesian filter.

The part of the allowance that exceeds the terms may be divided at will.  It is useful after outputs
with a large loss, so each output gets a share in proportion to ``Pr(y|x)
(Pr(y|x)/Pr(y|x'))^tilt``.  If the stream is known beforehand (a *plan*), each output can be given
the terms that the rest of the stream would add after it.

Numbers are exact: whole multiples of a power of two, of which a fraction that is reduced at each
step would cost the cube of the number of answers.  What is rounded is on the safe side: a table's
own rounding, to a multiple of 2^-64, and what an output gets of the rest, down to one.
"""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from noiseless.accounting import rational
from noiseless.accounting.filters import PrivacyFilter
from noiseless.accounting.queries import FiniteDomain, Query, TableQuery, require_output
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import require_list, require_number

_N_BISECTION_STEPS = 60  # number of steps of a bisection
_MAX_NATS = 50.0  # largest epsilon that is tried; a larger one identifies a value
_MAX_BUDGET_NATS = 709  # largest budget whose exponential is a float
_MAX_OUTCOMES = 20_000  # largest number of outcomes of a plan, all of which each answer visits


_LOG_MARGIN = 1e-6  # logarithms that are nearer may be equal
_BITS = 64  # bits to which shares, and the rounding of tables, are rounded

_Outcome = tuple[tuple[int, ...], tuple[int, ...]]
"""Upper and lower bounds of the probability of some outputs together, under each value."""


class _Bounds(NamedTuple):
    """Upper and lower bounds of probabilities, in units of 2^-bits; a column for each value."""

    most: list[list[int]]
    least: list[list[int]]
    bits: int


class _Factor(NamedTuple):
    """The factor e^epsilon_g, in units of 2^-bits."""

    value: int
    bits: int

    def compute_term(self, most: int, least: int) -> int:
        """Compute ``max(0, most - e^epsilon_g least)`` in units finer by the factor's bits."""
        return max(0, (most << self.bits) - self.value * least)


class _QueryEffect(NamedTuple):
    """Effect of a query after the answers so far, for each of its outputs.

    ``bounds`` are of the probability of all outputs including the new one, a row for each output.
    ``terms`` are the contributions of the outputs to the sum of Definition 4.6, a row for each pair
    of values and a column for each output, in units of 2^-``term_bits``.
    """

    bounds: _Bounds
    terms: list[list[int]]
    term_bits: int


class _Completions(NamedTuple):
    """Outcomes of the rest of a plan, a row each: bounds times the number of equal outcomes."""

    bounds: _Bounds

    def sum_terms(self, x: int, most: int, other: int, least: int, factor: _Factor) -> int:
        """Sum the terms of all outcomes after outputs of the likelihoods ``most``, ``least``.

        The terms that are not 0 are multiplied together.  Logarithms say which these are, with an
        error far below :data:`_LOG_MARGIN`, nearer than which the products say it.
        """
        bearable, gained, borne = factor.value * least, 0, 0
        ahead = math.log(most) + factor.bits * math.log(2) - math.log(bearable)
        for row, below in zip(self.bounds.most, self.bounds.least, strict=True):
            lead = ahead + math.log(row[x]) - math.log(below[other])
            if lead < -_LOG_MARGIN:
                continue
            if lead > _LOG_MARGIN or (most * row[x] << factor.bits) > bearable * below[other]:
                gained, borne = gained + row[x], borne + below[other]
        return (most * gained << factor.bits) - bearable * borne


class OutputDependentFilter(PrivacyFilter):
    """Filter that accepts a query if (epsilon_g, delta)-LDP stays possible for all its outputs.

    For all values x and x' of the object and every set S of output sequences,
    ``Pr(S | x) <= e^epsilon_g Pr(S | x') + delta`` (Definition 4.6), however the queries are
    chosen.  Outputs with a small realized loss leave delta untouched; others use it up.  Decisions
    are exact.

    Parameters
    ----------
    budget_nats : float
        epsilon_g, larger than 0.
    delta : float
        At least 0 and below 1; 0 makes it the Bayesian filter.
    domain : FiniteDomain
        The values of the object; there is an allowance for each ordered pair of them.
    tilt : float, optional
        Exponent of the share of the allowance that unlucky outputs get, at least 0; 0 divides the
        allowance in proportion to probability.  By default ``log(1/delta) / epsilon_g``, half of
        the order at which Rényi's divergence bounds such a sum.
    plan : sequence of TableQuery
        Queries that are expected, in their order; none by default.  As many of them as fit into
        delta, whatever their outputs, will be accepted, and delta is first of all kept for these.
        A query off the plan ends it.  The guarantee does not rest on it.

    Raises
    ------
    ConfigError
        If a parameter is out of its range, the domain is not finite, or the plan has more than
        20,000 different outcomes: outcomes that differ in the order of equal answers alone are one.
    DataError
        If a query of the plan cannot be asked of every value of the domain.

    Notes
    -----
    Proven in docs/proofs/knowledge.md, "An (epsilon, delta) filter that depends on outputs", where
    it is also shown that each filter with this guarantee divides allowances in some way, and that
    the best filter of equal randomized responses about one bit does what a plan of them does,
    but for a single toss of a coin.

    Examples
    --------
    A third answer of 0.5 nats fits into a budget of 1 with a delta of 0.2, and not without:

    >>> from noiseless.accounting.queries import FiniteDomain, TableQuery
    >>> truth = 1 / (1 + math.exp(-0.5))
    >>> query = TableQuery(((truth, 1 - truth), (1 - truth, truth)))
    >>> for delta in (0.0, 0.2):
    ...     privacy_filter = OutputDependentFilter(1.0, delta, FiniteDomain(((0.0,), (1.0,))))
    ...     for output in (0, 0):
    ...         privacy_filter.record(query, output)
    ...     print(privacy_filter.accepts(query))
    False
    True

    With a plan of eight such answers, five are accepted whatever they are:

    >>> privacy_filter = OutputDependentFilter(
    ...     1.0, 0.2, FiniteDomain(((0.0,), (1.0,))), plan=[query] * 8
    ... )
    >>> for output in (0, 0, 0, 0, 0):
    ...     assert privacy_filter.accepts(query)
    ...     privacy_filter.record(query, output)
    """

    def __init__(
        self,
        budget_nats: float,
        delta: float,
        domain: FiniteDomain,
        *,
        tilt: float | None = None,
        plan: Sequence[TableQuery] = (),
    ) -> None:
        if not isinstance(domain, FiniteDomain):
            raise ConfigError(
                f"`domain` must be a FiniteDomain, got {type(domain).__name__}. Give a finite "
                "list of values, because the filter stores an allowance for every pair of them."
            )
        super().__init__(budget_nats, domain)
        delta = require_number("delta", delta, least=0, below=1)
        plan = require_list("plan", plan, "a list of TableQuery")
        if tilt is None:
            tilt = -math.log(delta) / self.budget_nats if delta else 0.0
        tilt = require_number("tilt", tilt)
        if not (math.isfinite(tilt) and tilt >= 0):
            raise ConfigError(f"`tilt` must be a finite number of at least 0, got {tilt}.")
        self._tilt = tilt
        try:
            value, denominator = math.exp(self._limit).as_integer_ratio()
        except OverflowError:
            raise ConfigError(
                f"`budget_nats` must be at most {_MAX_BUDGET_NATS}, whose exponential is a float, "
                f"got {budget_nats:g}."
            ) from None
        self._factor = _Factor(value, denominator.bit_length() - 1)
        values = range(len(domain.points))
        self._pairs = list(itertools.permutations(values, 2))
        # Upper and lower bounds of the likelihood of the answers so far, so that the rounding of
        # tables counts against the guarantee.
        self._most, self._least, self._bits = [1 for _ in values], [1 for _ in values], 0
        units, denominator = float(delta).as_integer_ratio()
        self._allowances = [units for _ in self._pairs]  # in units of 2^-_allowance_bits
        self._allowance_bits = denominator.bit_length() - 1
        self._weighed: tuple[TableQuery, _QueryEffect] | None = (
            None  # the latest query and its effect
        )
        for query in plan:
            self._account.require(_require_table(query))
        self._plan = _select_fitting_queries(
            tuple(plan), self._factor, Fraction(delta), len(domain.points)
        )
        self._done = 0  # number of queries of the plan that were asked

    def accepts(self, query: Query) -> bool:
        """Return whether the terms of all outputs fit into the allowance of every pair."""
        self._account.require(query)
        effect = self._evaluate_query(_require_table(query))
        return all(
            self._fits(sum(terms), effect.term_bits, allowance)
            for terms, allowance in zip(effect.terms, self._allowances, strict=True)
        )

    def record(self, query: Query, output: int) -> None:
        """Record the output of an accepted query.

        After an answer to a query that was not accepted, none is accepted any more.
        """
        table = _require_table(query)
        require_output(table, output)
        super().record(query, output)
        effect = self._evaluate_query(table)
        most, least, bits = effect.bounds
        needs, need_bits = self._compute_needs(table, effect)
        common = max(need_bits, self._allowance_bits)
        allowances = []
        for (x, other), allowance, each in zip(self._pairs, self._allowances, needs, strict=True):
            kept = [need << common - need_bits for need in each]
            rest = (allowance << common - self._allowance_bits) - sum(kept)
            weights = self._compute_weights(effect.bounds, x, other)
            part = (rest * weights[output] << _BITS) // sum(weights)  # also if below 0
            allowances.append((kept[output] << _BITS) + part)
        self._allowances, self._allowance_bits = allowances, common + _BITS
        self._most, self._least, self._bits = most[output], least[output], bits
        self._weighed = None

    def compute_remaining_epsilon(self) -> float:
        """Compute the largest epsilon (nats) at which every query is accepted; at least 0."""
        low, high = 0.0, _MAX_NATS
        for _ in range(_N_BISECTION_STEPS):
            middle = (low + high) / 2
            if self._fits_every_query(middle):
                low = middle
            else:
                high = middle
        return low

    def get_allowance(self, x: int, other: int) -> Fraction:
        """Return the part of delta that is left for values number ``x`` and ``other``."""
        return Fraction(self._allowances[self._pairs.index((x, other))], 1 << self._allowance_bits)

    def _fits(self, needed: int, bits: int, allowance: int) -> bool:
        """Return whether terms, in units of 2^-bits, fit into an allowance."""
        finer = bits - self._allowance_bits
        return needed << max(-finer, 0) <= allowance << max(finer, 0)

    def _evaluate_query(self, table: TableQuery) -> _QueryEffect:
        """Compute the effect of a query, cached for its acceptance and its answer."""
        if self._weighed is not None and self._weighed[0] == table:
            return self._weighed[1]
        above, below, bits = _bound_probabilities(table)
        most = [rational.multiply_entries(self._most, row) for row in above]
        least = [rational.multiply_entries(self._least, row) for row in below]
        terms = [
            [
                self._factor.compute_term(row[x], low[other])
                for row, low in zip(most, least, strict=True)
            ]
            for x, other in self._pairs
        ]
        bounds = _Bounds(most, least, self._bits + bits)
        effect = _QueryEffect(bounds, terms, bounds.bits + self._factor.bits)
        self._weighed = table, effect
        return effect

    def _compute_needs(
        self, table: TableQuery, effect: _QueryEffect
    ) -> tuple[list[list[int]], int]:
        """Compute the allowance that each output needs, a row per pair of values, and its bits.

        That is the sum of the terms that the rest of the plan adds after the output, or, without a
        plan, the output's own term.
        """
        if self._plan[self._done : self._done + 1] != (table,):
            self._plan = ()
            return effect.terms, effect.term_bits
        self._done += 1
        rest = _enumerate_completions(self._plan, len(self._most))[self._done]
        most, least, _ = effect.bounds
        needs = [
            [
                rest.sum_terms(x, row[x], other, low[other], self._factor)
                for row, low in zip(most, least, strict=True)
            ]
            for x, other in self._pairs
        ]
        return needs, effect.term_bits + rest.bounds.bits

    def _compute_weights(self, bounds: _Bounds, x: int, other: int) -> list[int]:
        """Compute the weights by which the outputs share the allowance that none of them needs."""
        logarithms = []
        for row, below in zip(bounds.most, bounds.least, strict=True):
            likely = _compute_log(row[x], bounds.bits)
            ahead = likely - _compute_log(below[other], bounds.bits)
            logarithms.append(likely + self._tilt * ahead)
        highest = max(logarithms)
        return rational.scale_to_integers(
            [Fraction(math.exp(each - highest)) for each in logarithms]
        )

    def _fits_every_query(self, epsilon_nats: float) -> bool:
        """Return whether every query with this epsilon (nats) is accepted.

        Randomized response has the largest terms of all such queries.
        """
        truth = int(2**53 / (1 + math.exp(-epsilon_nats)))  # of a double of at least 1/2, exactly
        lie = 2**53 - truth
        return all(
            self._fits(
                self._factor.compute_term(self._most[x] * truth, self._least[other] * lie)
                + self._factor.compute_term(self._most[x] * lie, self._least[other] * truth),
                self._bits + 53 + self._factor.bits,
                allowance,
            )
            for (x, other), allowance in zip(self._pairs, self._allowances, strict=True)
        )


@lru_cache(maxsize=16)
def _select_fitting_queries(
    plan: tuple[TableQuery, ...], factor: _Factor, delta: Fraction, values: int
) -> tuple[TableQuery, ...]:
    """Select the first queries of a plan, as many as fit into delta for all outputs."""
    outcomes, bits = _build_empty_outcome(values), factor.bits
    for number, query in enumerate(plan):
        outcomes = _add_query(query, outcomes)
        bits += _bound_probabilities(query).bits
        if len(outcomes) > _MAX_OUTCOMES:
            raise ConfigError(
                f"`plan` must have {_MAX_OUTCOMES:,} different outcomes or fewer, but the first "
                f"{number + 1} queries of the plan have {len(outcomes):,}. Plan fewer queries, or "
                "equal ones, whose order does not count."
            )
        for x, other in itertools.permutations(range(values), 2):
            needed = sum(
                times * factor.compute_term(most[x], least[other])
                for (most, least), times in outcomes.items()
            )
            if needed > delta * (1 << bits):
                return plan[:number]
    return plan


@lru_cache(maxsize=16)
def _enumerate_completions(plan: tuple[TableQuery, ...], values: int) -> list[_Completions]:
    """Enumerate the outcomes of the rest of a plan, after 0, 1, ..., all of its queries."""
    outcomes, bits = _build_empty_outcome(values), 0
    completions = []
    for query in (None, *reversed(plan)):
        if query is not None:
            outcomes = _add_query(query, outcomes)
            bits += _bound_probabilities(query).bits
        most, least = (
            [[times * bound for bound in each[side]] for each, times in outcomes.items()]
            for side in (0, 1)
        )
        completions.append(_Completions(_Bounds(most, least, bits)))
    return completions[::-1]


def _build_empty_outcome(values: int) -> "Counter[_Outcome]":
    """Build the only outcome of no query, with likelihood 1 under each value."""
    certain = (1,) * values
    return Counter({(certain, certain): 1})


def _add_query(query: TableQuery, outcomes: "Counter[_Outcome]") -> "Counter[_Outcome]":
    """Combine outcomes with the outputs of another query, and count equally likely ones as one."""
    combined: Counter[_Outcome] = Counter()
    bounds = _bound_probabilities(query)
    for above, below in zip(bounds.most, bounds.least, strict=True):
        for (most, least), times in outcomes.items():
            likelihoods = (
                tuple(rational.multiply_entries(most, above)),
                tuple(rational.multiply_entries(least, below)),
            )
            combined[likelihoods] += times
    return combined


@lru_cache(maxsize=64)
def _bound_probabilities(table: TableQuery) -> _Bounds:
    """Compute upper and lower bounds of a table's probabilities, rounding included."""
    # The logarithm of a probability moves by the remainder at most, and e^r <= 1 + 2r.
    rounding = Fraction(math.ceil(2 * table.remainder_nats * 2**_BITS), 2**_BITS)
    rows = [[Fraction(float(each)) for each in row] for row in table.probabilities]
    sides = [[[each * (1 + side * rounding) for each in row] for row in rows] for side in (1, -1)]
    bits = max(each.denominator for side in sides for row in side for each in row).bit_length() - 1
    most, least = ([[int(each * 2**bits) for each in row] for row in side] for side in sides)
    return _Bounds(most, least, bits)


def _require_table(query: Query) -> TableQuery:
    """Return the query; raise ConfigError unless it is a table."""
    if not isinstance(query, TableQuery):
        raise ConfigError(
            f"`query` must be a table of probabilities, got {type(query).__name__}. Give a "
            "TableQuery."
        )
    return query


def _compute_log(value: int, bits: int) -> float:
    """Compute the logarithm of ``value`` 2^-bits, which can be too small for a float."""
    even = min((value & -value).bit_length() - 1, bits)
    return math.log(value >> even) - math.log(1 << bits - even)
