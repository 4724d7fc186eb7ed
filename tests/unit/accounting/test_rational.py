"""Finite mechanisms in fractions, against sums that are written down."""

import math
from fractions import Fraction

import pytest

from noiseless.accounting import rational

THIRD, HALF = Fraction(1, 3), Fraction(1, 2)
ONE = [[THIRD, HALF, Fraction(1, 4)], [1 - THIRD, HALF, Fraction(3, 4)]]
TWO = [[HALF, THIRD, THIRD], [HALF, 1 - THIRD, 1 - THIRD]]
PRIOR = [Fraction(1, 6), HALF, THIRD]


def test_likelihood_of_two_outputs_is_the_product_for_each_value():
    found = rational.compute_likelihood([ONE, TWO], [0, 1])
    assert found == [Fraction(1, 6), Fraction(1, 3), Fraction(1, 6)]
    assert rational.compute_exp_loss(found) == 2
    with pytest.raises(ValueError, match="shorter"):
        rational.compute_likelihood([ONE, TWO], [0])
    with pytest.raises(ValueError, match="shorter"):
        rational.compute_likelihood([ONE, [row[:2] for row in TWO]], [0, 1])


def test_integers_are_the_smallest_in_proportion():
    assert rational.scale_to_integers(PRIOR) == [1, 3, 2]
    assert rational.scale_to_integers([Fraction(2), Fraction(4)]) == [2, 4]


def test_gain_is_the_posterior_of_a_statement_over_its_prior():
    """Q(f|y) / Q(f), value by value; factors of the arguments cancel."""
    likelihood, statement = ONE[0], [1, Fraction(1, 2), 0]
    total = sum(p * q for p, q in zip(PRIOR, likelihood, strict=True))
    posterior = sum(f * p * q / total for f, p, q in zip(statement, PRIOR, likelihood, strict=True))
    prior = sum(f * p for f, p in zip(statement, PRIOR, strict=True))
    for scale in (1, 6):
        scaled = [scale * p for p in PRIOR], [12 * q for q in likelihood], [4, 2, 0]
        assert rational.compute_knowledge_gain(*scaled) == posterior / prior != 1
    with pytest.raises(ValueError, match="shorter"):
        rational.compute_knowledge_gain(PRIOR[:2], likelihood, statement)
    with pytest.raises(ValueError, match="shorter"):
        rational.compute_knowledge_gain(PRIOR[:2], likelihood, statement[:2])


def test_leakage_is_the_best_gain_after_an_output_over_the_best_before():
    likelihood, gains = ONE[0], [[1, 0, 0], [0, 1, 0], [2, 0, 1]]
    total = sum(p * q for p, q in zip(PRIOR, likelihood, strict=True))
    after, before = (
        max(sum(g * w for g, w in zip(row, weights, strict=True)) for row in gains)
        for weights in ([p * q / total for p, q in zip(PRIOR, likelihood, strict=True)], PRIOR)
    )
    for scale in (1, 6):
        scaled = [scale * p for p in PRIOR], [12 * q for q in likelihood]
        assert rational.compute_leakage(*scaled, gains) == after / before != 1


def test_query_of_a_mechanism_has_its_probabilities():
    query = rational.convert_to_query(ONE)
    assert query.probabilities == tuple(tuple(float(p) for p in row) for row in ONE)
    assert query.epsilon_nats == pytest.approx(math.log(2))
    assert rational.build_domain(3).points == ((0.0,), (1.0,), (2.0,))
