"""Sentences beside the theorems: by simulation of beliefs, and by derivatives."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.knowledge import sentences


@pytest.fixture(scope="module")
def objects():
    return sentences.build_objects_table().set_index(["query", "statistic"])["value"]


def test_several_objects_need_the_proviso(objects):
    assert objects["of X", "violations"] == 0
    assert objects["latent", "violations"] > 0
    # Nine queries, all beliefs that leave X open, and every statement about the pair.
    assert objects["of X", "cases"] == 9 * len(list(sentences._enumerate_beliefs())) * 16


def test_a_latent_variable_has_the_gain_computed_by_hand():
    """The answer is the other bit, nearly; the queried one is believed to be fair beside it."""
    ones, belief = (0.25, 0.75, 0.25, 0.75), (1, 1, 1, 1)
    ones = tuple(map(sentences.Fraction, ones))
    assert (
        sentences._compute_output_probability(ones, belief, 0)
        == sentences._compute_output_probability(ones, belief, 1)
        == 0.5
    )
    assert sentences._compute_belief_gain(ones, belief, (False, True, False, True)) == 1.5
    random = np.random.default_rng(2)
    other = random.integers(0, 2, 200_000)
    answers = random.random(200_000) < np.where(other, 0.75, 0.25)
    assert other[answers].mean() / 0.5 == pytest.approx(1.5, abs=0.01)


def test_bends_are_second_derivatives():
    table = sentences.build_logistic_table().set_index(["epsilon_nats", "output", "statistic"])[
        "value"
    ]
    assert table.xs("identity_error", level="statistic").max() < 1e-13
    bends = table.xs("least_bend", level="statistic")
    # Of log(a e^u + b) it is p (1 - p) with p = a e^u / (a e^u + b), least at the ends.
    for (epsilon, output), bend in bends.items():
        truth = math.exp(epsilon) / (1 + math.exp(epsilon))
        odds = (1 - truth, truth) if output == 0 else (truth, 1 - truth)
        ends = []
        for u in (-20, 20):
            for a, b in (odds, (1, 1)):
                p = a * math.exp(u) / (a * math.exp(u) + b)
                ends.append(p * (1 - p))
        assert bend == pytest.approx(min(ends), abs=1e-9)


def test_a_negative_gain_is_that_computed_by_hand():
    """g = (1, -3/4), an even prior, likelihoods 3/4 and 1/4: from 1/8 to 9/16."""
    gains, likelihood = [Fraction(1), Fraction(-3, 4)], [Fraction(3, 4), Fraction(1, 4)]
    before = (gains[0] + gains[1]) / 2
    after = sum(g * p for g, p in zip(gains, likelihood, strict=True))
    assert (before, after, after / before) == (Fraction(1, 8), Fraction(9, 16), Fraction(9, 2))
    table = sentences.build_gains_table().set_index(["gains", "statistic"])["value"]
    assert table["any sign", "largest_over_loss"] >= 1.5
    assert table["at least 0", "above_loss"] == 0


def test_randomized_response_and_then_the_value_by_hand():
    """At e^eps = 2 and a truth of 3/4: delta 1/4 alone, 1 with the value; 4.7 asks 1 of both."""
    response = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    value = [
        [row[x] if each == x else Fraction(0) for each in (0, 1)]
        for row in response
        for x in (0, 1)
    ]
    limit = Fraction(2)
    assert sentences._compute_delta_4_6(response, limit) == Fraction(1, 4)
    assert sentences._compute_delta_4_6(value, limit) == 1
    assert (
        sentences._compute_delta_4_7(response, limit)
        == sentences._compute_delta_4_7(value, limit)
        == 1
    )
