"""Filters and odometers on small domains, against the proofs' examples and plain sums."""

import itertools
import math
from fractions import Fraction

import pytest

from noiseless.accounting import rational
from noiseless.accounting.filters import BayesianFilter
from noiseless.accounting.realized_loss import FiniteAccount
from noiseless.papers.knowledge import interactions


def test_filters_keep_their_budget_and_no_filter_does_not():
    played = interactions.play_interactions(interactions=4, depth=2, seed=1)
    assert any(each.loss > each.budget for each in played["none"].transcripts)
    for name, found in played.items():
        assert {each.accepts for each in found.decisions} == {True, name == "none"}
        for each in found.transcripts:
            assert (each.loss > each.budget) == (each.ratio > each.budget)
            assert each.leakage <= each.loss
            assert name == "none" or each.loss <= each.budget
        for each in found.decisions:
            assert each.accepts == each.follows
            assert name == "none" or each.fits or not each.accepts
    assert any(each.accepts and not each.fits for each in played["none"].decisions)


def test_transcripts_are_all_of_them():
    """Without a filter every pair of answers of two queries is reached, and they sum to 1."""
    pool = [
        [[Fraction(1, 4), Fraction(1, 2)], [Fraction(3, 4), Fraction(1, 2)]],
        [[Fraction(1, 8), Fraction(1, 2)], [Fraction(7, 8), Fraction(1, 2)]],
    ]
    start, decisions = interactions.Transcript(Fraction(1), (Fraction(1),) * 2), []
    ended = list(interactions.enumerate_transcripts("none", pool, start, 2, 7, decisions))
    assert len({state.answers for state in ended}) == len(ended) == (2 * 2) ** 2
    assert [sum(state.joint[x] for state in ended) for x in (0, 1)] == [1, 1]
    assert len(decisions) == 2 * (1 + 4 + 16)


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
    pairs = {(each.first, each.ones): each for each in interactions.build_pairs(2, 4)}
    assert len(pairs) == 3**4
    for p, q, r, s in itertools.product(shares, repeat=4):
        case = pairs[(p, q), (r, s)]
        for output, (a, b) in enumerate([(1 - r, 1 - s), (r, s)]):
            assert case.after[output] == max(p * a / (q * b), q * b / (p * a))
            lower = (p >= q and a < b) or (q >= p and b < a)
            assert any(case.lower[output]) == lower
        assert case.loss == max(p / q, q / p)
        assert case.is_telling == (r != s)


def test_capacities_are_those_of_the_rule_of_the_simplified_filter():
    """It accepts what the remainder covers, in exact fractions."""
    cases = list(
        interactions.build_capacities("simplified", lattices=((2, 4),), factors=("1", "3/2"))
    )
    assert len(cases) == (9 * 2 - 3) * 9  # no budget remains after three queries that tell nothing
    for each in cases:
        loss = rational.compute_exp_loss(each.first)
        rows = each.then, [1 - one for one in each.then]
        guarantee = max(map(rational.compute_exp_loss, rows))
        assert each.accepts == (loss * guarantee <= each.budget) == each.fits
