"""Filters and odometers on small domains, against the proofs' examples and plain sums."""

import itertools
import math
from fractions import Fraction

import pytest
from scipy.special import comb

from noiseless.accounting import rational
from noiseless.accounting.filters import BayesianFilter
from noiseless.accounting.realized_loss import FiniteAccount
from noiseless.papers.knowledge import interactions


def statistics(table, key):
    return table.set_index([key, "statistic"])["value"]


def test_filters_keep_their_budget_and_no_filter_does_not():
    found = statistics(
        interactions.build_interactions_table(interactions=4, depth=2, seed=1), "filter"
    )
    assert found["none", "above_budget"] > 0
    for name in ("none", "basic", "simplified", "bayesian"):
        assert found[name, "disagree"] == found[name, "leakage_above"] == 0
        assert found[name, "accepted"] + found[name, "rejected"] == found[name, "decisions"]
        if name != "none":
            assert found[name, "not_private"] == found[name, "unlike"] == 0
            assert found[name, "beyond_bayesian"] == 0
    assert found["none", "beyond_bayesian"] > 0


def test_transcripts_are_all_of_them():
    """Without a filter every pair of answers of two queries is reached, and they sum to 1."""
    pool = [
        [[Fraction(1, 4), Fraction(1, 2)], [Fraction(3, 4), Fraction(1, 2)]],
        [[Fraction(1, 8), Fraction(1, 2)], [Fraction(7, 8), Fraction(1, 2)]],
    ]
    count = dict.fromkeys(("decisions", "accepted", "rejected", "unlike", "beyond_bayesian"), 0)
    start = interactions._Transcript((), (Fraction(1),) * 2, Fraction(1))
    ended = list(interactions._enumerate_transcripts("none", pool, Fraction(1), start, 2, 7, count))
    assert len({state.answers for state in ended}) == len(ended) == (2 * 2) ** 2
    assert [sum(state.joint[x] for state in ended) for x in (0, 1)] == [1, 1]


def test_a_query_that_is_accepted_by_a_full_odometer():
    """The example of the proof, with the project's filter."""
    budget_filter = BayesianFilter(math.log(1.5), FiniteAccount(rational.build_domain(3)))
    first = rational.convert_to_query([[0.4, 0.6, 0.5], [0.6, 0.4, 0.5]])
    assert budget_filter.accepts(first)
    budget_filter.record(first, 1)
    assert budget_filter.bound_loss().lower == pytest.approx(math.log(1.5))
    second = rational.convert_to_query([[0.5, 0.5, 0.45], [0.5, 0.5, 0.55]])
    assert second.epsilon_nats > 0.09
    assert budget_filter.accepts(second)


def test_the_odometer_of_two_values_is_that_computed_by_hand():
    """P = p, q; then r, s.  The loss falls if the ratio comes nearer to 1, from either side."""
    shares = [Fraction(k, 4) for k in (1, 2, 3)]
    fell = not_falling = 0
    for p, q, r, s in itertools.product(shares, repeat=4):
        for a, b in ((r, s), (1 - r, 1 - s)):
            before = max(p / q, q / p)
            after = max(p * a / (q * b), q * b / (p * a))
            fell += after < before
            lower = (p >= q and a < b) or (q >= p and b < a)
            not_falling += lower and after >= before
    found = statistics(interactions.build_odometer_table(values=[2], parts=4), "values")
    assert found[2, "fell"] == fell
    assert found[2, "not_falling"] == not_falling
    assert found[2, "fell_otherwise"] == found[2, "accepted_telling"] == 0


def test_the_output_independent_filter_bounds_the_pair_of_values():
    table = interactions.build_output_independent_table(
        settings=[{"budget_nats": 5, "delta": 1e-5}], epsilon_nats=0.1, bits=3
    )
    found = table.set_index("statistic")["value"]
    assert found["accepted"] == 89
    assert found["loss_nats"] == pytest.approx(8.9)
    assert found["probability_within"] == found["unequal"] == 0
    assert found["enumerated"] == 2 + 4 + 8
    p = 1 / (1 + math.exp(-0.1))
    tails = [
        sum(comb(j, b) * p**b * (1 - p) ** (j - b) for b in range(j + 1) if 2 * b - j > 50)
        for j in range(1, 90)
    ]
    assert found["pair_over_delta"] == pytest.approx(max(tails) / 1e-5, rel=1e-9)
