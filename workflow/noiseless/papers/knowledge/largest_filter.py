"""Largest private filter, and a last query that reaches the budget (``knowledge``, Section 4.1).

1. :func:`build_largest_filter_table`: every filter of small interactions, in exact fractions.  None
   that keeps the budget accepts a query that the Bayesian filter rejects.
2. :func:`build_last_query_table`: the share of a budget that a stream of randomized responses
   reaches, as printed, with a last query that is shrunk to fit, and with one that is made to reach
   the budget.
3. :func:`build_closing_table`: the share of a budget that a last query reaches if it is made for
   that, after random transcripts about up to five values.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from noiseless.accounting import rational
from noiseless.accounting.filters import BayesianFilter
from noiseless.accounting.queries import TableQuery
from noiseless.accounting.rational import Mechanism
from noiseless.seeds import make_generator
from noiseless.tables import Rows, returns_table

Decision = tuple[tuple[int, int] | None, int]
"""Earlier query and its output, or None, and the number of the query that is asked now."""


# Streams of equal randomized responses, and the budget of each, in nats.
STREAMS = [
    {"epsilon_nats": 0.4, "budget_nats": 0.5},
    {"epsilon_nats": 0.4, "budget_nats": 1.0},
    {"epsilon_nats": 0.3, "budget_nats": 1.0},
]


@returns_table("values")
def build_largest_filter_table(*, interactions: int, seed: int) -> Rows:
    """Build the table that compares every filter of two-query interactions with the Bayesian one.

    An object has two or three values.  An adversary asks up to two queries out of a pool of two,
    each with two outputs; the second may depend on the first output.  There are ten decisions
    (earlier query and output, query now); a filter is the set of those that it accepts, so that
    there are 1,024 filters.  A filter is private if, for every adversary, every set of final
    transcripts is at most e^epsilon_g times as likely under one value as under another.

    Of the ``private`` ones, ``smaller`` reject a query that the Bayesian filter accepts, and
    ``private_beyond`` accept, after a transcript that they allow, one that it rejects: none, as
    ``docs/proofs/knowledge.md`` proves.  In ``bayesian_not_private`` pools that filter itself is
    not.
    """
    names = ("filters", "private", "smaller", "private_beyond", "bayesian_not_private")
    counts = {values: dict.fromkeys(names, 0) for values in (2, 3)}
    for number in range(interactions):
        rng = make_generator(seed, "largest filter", number)
        values = int(rng.integers(2, 4))
        pool = [_draw_query(rng, values) for _ in range(2)]
        losses = sorted(
            each for each in map(rational.compute_exp_loss, itertools.chain(*pool)) if each > 1
        )
        budget = losses[int(rng.integers(len(losses)))] if losses else Fraction(2)
        count = counts[values]
        for name, n_filters in _count_filters(pool, budget).items():
            count[name] += n_filters
    yield from ({"values": values, **count} for values, count in counts.items())


def _draw_query(rng: np.random.Generator, values: int) -> Mechanism:
    """Draw a query of two outputs whose probabilities are multiples of 1/6, for each value."""
    ones = [Fraction(int(share), 6) for share in rng.integers(1, 6, values)]
    return [[1 - share for share in ones], ones]


def _count_filters(pool: Sequence[Mechanism], budget: Fraction) -> dict[str, int]:
    """Count all filters of one pool and budget, and which are private, smaller or go beyond."""
    firsts: list[Decision] = [(None, query) for query in range(2)]
    seconds: list[Decision] = [
        ((first, output), query) for first, output, query in itertools.product(range(2), repeat=3)
    ]
    decisions = firsts + seconds
    bayesian = frozenset(each for each in decisions if _is_bayesian_accepted(pool, budget, each))

    @cache
    def is_within_budget(first: int, then: tuple[int | None, ...], accepted: frozenset) -> bool:
        """Return whether an interaction with these accepted decisions stays within the budget."""
        return _compute_exp_epsilon(pool, first, then, accepted) <= budget

    def is_private(accepted: frozenset) -> bool:
        """Return whether a filter stays within the budget against every adversary."""
        return all(
            is_within_budget(first, then, accepted & _list_decisions(first, then))
            for first in range(2)
            for then in itertools.product((None, 0, 1), repeat=2)
        )

    counts = {"filters": 0, "private": 0, "smaller": 0, "private_beyond": 0}
    for size in range(len(decisions) + 1):
        for subset in itertools.combinations(decisions, size):
            accepted = frozenset(subset)
            counts["filters"] += 1
            if is_private(accepted):
                # A second query is asked only if the first one was accepted.
                asked = {d for d in accepted if d[0] is None or (None, d[0][0]) in accepted}
                counts["private"] += 1
                counts["private_beyond"] += bool(asked - bayesian)
                counts["smaller"] += bool(bayesian - accepted)
    return {**counts, "bayesian_not_private": int(not is_private(bayesian))}


def _is_bayesian_accepted(pool: Sequence[Mechanism], budget: Fraction, decision: Decision) -> bool:
    """Return whether the Bayesian filter accepts the query of a decision."""
    earlier, query = decision
    privacy_filter = BayesianFilter(math.log(budget), rational.build_domain(len(pool[0][0])))
    if earlier is not None:
        privacy_filter.record(rational.convert_to_query(pool[earlier[0]]), earlier[1])
    return privacy_filter.accepts(rational.convert_to_query(pool[query]))


def _list_decisions(first: int, then: Sequence[int | None]) -> frozenset[Decision]:
    """List an adversary's decisions: the first query, and the next one for each output, if any."""
    later = {((first, output), query) for output, query in enumerate(then) if query is not None}
    return frozenset({(None, first), *later})


def _compute_exp_epsilon(
    pool: Sequence[Mechanism], first: int, then: Sequence[int | None], accepted: frozenset[Decision]
) -> Fraction:
    """Compute e^epsilon of an interaction, the largest ratio over all sets of its transcripts."""
    if (None, first) not in accepted:
        return Fraction(1)
    likelihoods: list[list[Fraction]] = []
    for output, row in enumerate(pool[first]):
        query = then[output]
        if query is not None and ((first, output), query) in accepted:
            likelihoods += [rational.multiply_entries(row, next_row) for next_row in pool[query]]
        else:
            likelihoods.append(row)
    return max(
        rational.compute_exp_loss(
            [sum(column, Fraction(0)) for column in zip(*chosen, strict=True)]
        )
        for size in range(1, len(likelihoods) + 1)
        for chosen in itertools.combinations(likelihoods, size)
    )


# The last query -----------------------------------------------------------------------------------


@returns_table("epsilon_nats", "budget_nats")
def build_last_query_table(*, streams: Sequence[dict], queries: int) -> Rows:
    """Build the table of the share of a budget that a stream of equal randomized responses reaches.

    The query is asked until the Bayesian filter rejects it.  All transcripts of at most ``queries``
    answers that end so are enumerated.  ``printed_share`` is the largest loss over the budget where
    the filter rejects the query, ``shrunk_share`` after one more query, which is shrunk to fit
    (:meth:`noiseless.accounting.filters.BayesianFilter.shrink_to_fit`), and ``closed_share`` the
    *smallest* one after a last query whose two outputs both reach it (:func:`build_closing_query`).
    """
    for stream in streams:
        epsilon_nats, budget_nats = float(stream["epsilon_nats"]), float(stream["budget_nats"])
        top = 1 / (1 + math.exp(-epsilon_nats))
        query = rational.convert_to_query(rational.build_randomized_response(Fraction(top)))
        printed: list[float] = []
        shrunk: list[float] = []
        closed: list[float] = []
        for outputs in _enumerate_ended_transcripts(query, budget_nats, queries):
            rejecting = _replay_outputs(query, outputs, budget_nats)
            printed.append(rejecting.bound_loss().upper)
            last = rejecting.shrink_to_fit(query)
            balance = math.log(top / (1 - top)) * sum(1 if each else -1 for each in outputs)
            closing = build_closing_query((0.0, balance), budget_nats)
            for last_query, losses in ((last, shrunk), (closing, closed)):
                if last_query is None:
                    continue
                for output in range(2):
                    privacy_filter = _replay_outputs(query, outputs, budget_nats)
                    if privacy_filter.accepts(last_query):
                        privacy_filter.record(last_query, output)
                    losses.append(privacy_filter.bound_loss().upper)
        yield {
            "epsilon_nats": epsilon_nats,
            "budget_nats": budget_nats,
            "ended": len(printed),
            "printed_share": max(printed) / budget_nats,
            "shrunk_share": max(shrunk) / budget_nats,
            "closed_share": min(closed) / budget_nats,
        }


@returns_table("values")
def build_closing_table(
    *, seed: int, values: Sequence[int] = (2, 3, 4, 5), transcripts: int = 200
) -> Rows:
    """Build the table of the loss after a last query that is made to reach the budget exactly.

    Random transcripts have one to three queries of two outputs, under budgets of 1.1 to 3 times
    their loss.  After ``accepted_share`` of them the filter accepts :func:`build_closing_query`;
    ``least_share`` and ``largest_share`` are losses over the budget after either of its outputs,
    and ``spent_before`` the largest one before it.
    """
    for number in values:
        shares, before, accepted = [], [], 0
        for each in range(transcripts):
            rng = make_generator(seed, "closing", number, each)
            queries = [_draw_query(rng, number) for _ in range(int(rng.integers(1, 4)))]
            outputs = [int(output) for output in rng.integers(2, size=len(queries))]
            likelihoods = rational.compute_likelihood(queries, outputs)
            loss_nats = math.log(rational.compute_exp_loss(likelihoods))
            budget_nats = max(loss_nats, 0.05) * float(rng.uniform(1.1, 3))
            closing = build_closing_query([math.log(each) for each in likelihoods], budget_nats)
            before.append(loss_nats / budget_nats)
            # One query alone may exceed the budget, so record all of them as one query, whose
            # output 1 has probabilities proportional to the likelihoods.
            ones = [each / (2 * max(likelihoods)) for each in likelihoods]
            earlier = rational.convert_to_query([[1 - each for each in ones], ones])
            for output in range(2):
                privacy_filter = BayesianFilter(budget_nats, rational.build_domain(number))
                privacy_filter.record(earlier, 1)
                if privacy_filter.accepts(closing):
                    accepted += 1
                    privacy_filter.record(closing, output)
                shares.append(privacy_filter.bound_loss().upper / budget_nats)
        yield {
            "values": number,
            "transcripts": transcripts,
            "accepted_share": accepted / (2 * transcripts),
            "least_share": min(shares),
            "largest_share": max(shares),
            "spent_before": max(before),
        }


def build_closing_query(log_likelihoods: Sequence[float], budget_nats: float) -> TableQuery:
    """Build a query after whose every output the realized loss equals the budget.

    With g the budget and b the log-ratio of the likelihoods of the most and the least likely value
    so far, its output 1 moves the ratio of these two to e^g and its output 0 to e^-g: Pr(1|one) =
    e^(g-b) Pr(1|zero) and Pr(0|one) = e^(-g-b) Pr(0|zero).  Of any other value both outputs keep
    the likelihood between those of the two (docs/proofs/knowledge.md, Section 8).  There are two
    values or more, and b is smaller than g.
    """
    numbers = range(len(log_likelihoods))
    most = max(numbers, key=lambda value: log_likelihoods[value])
    least = min((each for each in numbers if each != most), key=lambda each: log_likelihoods[each])
    zero, one = sorted((most, least))
    balance = log_likelihoods[one] - log_likelihoods[zero]
    up, down = math.exp(budget_nats - balance), math.exp(-budget_nats - balance)
    of_zero = (1 - down) / (up - down)
    ones = dict.fromkeys(numbers, 0.0) | {zero: of_zero, one: up * of_zero}
    weight = [math.exp(each - log_likelihoods[most]) for each in log_likelihoods]
    for other in set(numbers) - {zero, one}:
        low = max(weight[zero] * of_zero, weight[other] - weight[zero] * (1 - of_zero))
        high = min(weight[one] * ones[one], weight[other] - weight[one] * (1 - ones[one]))
        ones[other] = (low + high) / 2 / weight[other]
    row = tuple(ones[each] for each in numbers)
    return TableQuery((tuple(1 - each for each in row), row))


def _replay_outputs(
    query: TableQuery, outputs: Sequence[int], budget_nats: float
) -> BayesianFilter:
    """Return a Bayesian filter of a bit that has recorded the outputs of one repeated query."""
    privacy_filter = BayesianFilter(budget_nats, rational.build_domain(2))
    for output in outputs:
        privacy_filter.record(query, output)
    return privacy_filter


def _enumerate_ended_transcripts(
    query: TableQuery, budget_nats: float, queries: int
) -> Iterator[tuple[int, ...]]:
    """Yield the outputs (at most ``queries``) after which the Bayesian filter rejects the query."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        outputs = waiting.pop()
        if not _replay_outputs(query, outputs, budget_nats).accepts(query):
            yield outputs
        elif len(outputs) < queries:
            waiting += [(*outputs, output) for output in range(query.outputs)]
