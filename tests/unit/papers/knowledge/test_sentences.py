"""Sentences beside the theorems: by simulation of beliefs, and by derivatives."""

import math

import numpy as np
import pytest

from noiseless.papers.knowledge import sentences


@pytest.fixture(scope="module")
def objects():
    return sentences.objects_table().set_index(["query", "statistic"])["value"]


def test_several_objects_and_the_proviso(objects):
    assert objects["of X", "violations"] == 0
    assert objects["latent", "violations"] > 0
    # Nine queries, all beliefs that leave X open, and every statement about the pair.
    assert objects["of X", "cases"] == 9 * len(list(sentences._beliefs())) * 16


def test_a_latent_variable_by_hand():
    """The answer is the other bit, nearly; the queried one is believed to be fair beside it."""
    ones, belief = (0.25, 0.75, 0.25, 0.75), (1, 1, 1, 1)
    ones = tuple(map(sentences.Fraction, ones))
    assert sentences._given(ones, belief, 0) == sentences._given(ones, belief, 1) == 0.5
    assert sentences._gain(ones, belief, (False, True, False, True)) == 1.5
    random = np.random.default_rng(2)
    other = random.integers(0, 2, 200_000)
    answers = random.random(200_000) < np.where(other, 0.75, 0.25)
    assert other[answers].mean() / 0.5 == pytest.approx(1.5, abs=0.01)


def test_bends_are_second_derivatives():
    table = sentences.logistic_table().set_index(["epsilon_nats", "output", "statistic"])["value"]
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
