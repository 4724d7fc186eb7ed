"""All filters of small interactions by another enumeration; last queries by hand."""

import itertools
import math
from fractions import Fraction

import pytest

from noiseless.accounting import rational
from noiseless.accounting.filters import BayesianFilter
from noiseless.accounting.realized_loss import FiniteAccount
from noiseless.papers.knowledge import largest_filter

STREAMS = [{"epsilon_nats": 0.4, "budget_nats": 0.5}, {"epsilon_nats": 0.3, "budget_nats": 0.5}]


def test_no_private_filter_accepts_more():
    found = largest_filter.build_largest_filter_table(interactions=12, seed=1)
    found = found.groupby("statistic")["value"].sum()
    assert found["filters"] == 12 * 2**10
    assert found["private_beyond"] == found["bayesian_not_private"] == 0
    assert 0 < found["smaller"] < found["private"] < found["filters"]


def test_a_filter_that_is_too_strict_is_seen(monkeypatch):
    """Other filters are then beyond it: the count is no identity."""
    accepts = BayesianFilter.accepts

    def strict(self, query):
        return self.bound_loss().upper < 1e-12 and accepts(self, query)

    monkeypatch.setattr(BayesianFilter, "accepts", strict)
    found = largest_filter.build_largest_filter_table(interactions=6, seed=1)
    assert found.groupby("statistic")["value"].sum()["private_beyond"] > 0


def test_private_filters_are_those_whose_every_transcript_keeps_the_budget():
    """Single transcripts decide, as Theorem 4.1 says; the module looks at all sets of them."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    pool = [[[1 - half, 1 - third], [half, third]], [[third, half], [1 - third, 1 - half]]]
    budget = Fraction(3, 2)
    decisions = [(None, query) for query in range(2)]
    decisions += [(asked, q) for asked in itertools.product(range(2), repeat=2) for q in range(2)]
    private = 0
    for chosen in itertools.product((False, True), repeat=len(decisions)):
        accepted = dict(zip(decisions, chosen, strict=True))
        kept = all(
            rational.compute_exp_loss(row) <= budget
            and all(
                rational.compute_exp_loss([p * q for p, q in zip(row, later, strict=True)])
                <= budget
                for second in range(2)
                if accepted[(first, output), second]
                for later in pool[second]
            )
            for first in range(2)
            if accepted[None, first]
            for output, row in enumerate(pool[first])
        )
        private += kept
    assert private == largest_filter._count_filters(pool, budget)["private"]


def test_a_stream_of_0_4_stops_at_0_4_of_0_5_and_a_last_query_takes_the_rest():
    table = largest_filter.build_last_query_table(streams=STREAMS, queries=3)
    found = table.set_index(["epsilon_nats", "statistic"])["value"]
    assert found[0.4, "ended"] == 2  # either answer
    assert found[0.4, "printed_share"] == pytest.approx(0.8)
    assert found[0.4, "shrunk_share"] == pytest.approx(1, abs=1e-5)
    assert found[0.4, "closed_share"] == pytest.approx(1, abs=1e-9)
    assert found[0.3, "printed_share"] == pytest.approx(0.6)


def test_the_closing_query_is_that_of_exact_fractions():
    """At a ratio of 3/2 and a budget of log 2: 2/3 and 8/9, by hand."""
    query = largest_filter.build_closing_query((0.0, math.log(1.5)), math.log(2))
    assert query.probabilities[1] == pytest.approx((2 / 3, 8 / 9))
    for output, ratio in enumerate((0.5, 2)):
        first, second = query.probabilities[output]
        assert 1.5 * second / first == pytest.approx(ratio)
    account = FiniteAccount(rational.build_domain(2))
    assert not BayesianFilter(math.log(1.9), account).accepts(
        largest_filter.build_closing_query((0.0, 0.0), math.log(2))
    )


def test_a_closing_query_takes_every_output_of_five_values_to_the_budget_in_fractions():
    likelihoods = [Fraction(each, 20) for each in (7, 3, 9, 4, 6)]  # a loss of 3
    query = largest_filter.build_closing_query(
        [math.log(each) for each in likelihoods], math.log(4)
    )
    for row in query.probabilities:
        after = [each * Fraction(chance) for each, chance in zip(likelihoods, row, strict=True)]
        assert float(max(after) / min(after)) == pytest.approx(4, rel=1e-12)


def test_random_transcripts_are_closed():
    table = largest_filter.build_closing_table(seed=1, values=(3,), transcripts=5)
    found = table.set_index("statistic")["value"]
    assert found["least_share"] == pytest.approx(1, abs=1e-9)
    assert found["largest_share"] == pytest.approx(1, abs=1e-9)
    assert found["spent_before"] < 1
