"""What answers teach, by hand and by simulation of beliefs."""

from fractions import Fraction

import numpy as np
import pytest

from noiseless.accounting import rational
from noiseless.papers.knowledge import learning
from noiseless.seeds import make_generator


def test_lemma_3_2_reaches_its_delta_exactly_and_beliefs_are_by_bayes():
    made = learning.build_learning(mechanisms=30, beliefs=5, seed=3)
    assert max(made.shortfalls) == 1e-6
    assert max(made.distances_nats) < 2e-6
    for each in made.beliefs[:50]:
        weights = [p * q for p, q in zip(each.prior, each.likelihood, strict=True)]
        for statement, gain in zip(each.statements, each.gains, strict=True):
            before = Fraction(sum(map(int.__mul__, statement, each.prior)), sum(each.prior))
            after = sum(f * w for f, w in zip(statement, weights, strict=True)) / sum(weights)
            assert gain == after / before


@pytest.mark.parametrize("values", [2, 3, 5])
def test_numbers_of_all_beliefs_are_those_of_one_after_the_other(values):
    """They are drawn at once, with a bound for each row."""
    together, alone = (make_generator(4, "beliefs", values) for _ in range(2))
    drawn = together.integers(1, [[30], [11], [11], [11]], (7, 4, values))
    for belief in drawn:
        for row, bound in zip(belief, (30, 11, 11, 11), strict=True):
            assert row.tolist() == alone.integers(1, bound, values).tolist()


def test_a_negative_gain_is_that_computed_by_hand():
    """g = (1, -3/4), an even prior, likelihoods 3/4 and 1/4: from 1/8 to 9/16."""
    gains, likelihood = [Fraction(1), Fraction(-3, 4)], [Fraction(3, 4), Fraction(1, 4)]
    before = (gains[0] + gains[1]) / 2
    after = sum(g * p for g, p in zip(gains, likelihood, strict=True))
    assert (before, after, after / before) == (Fraction(1, 8), Fraction(9, 16), Fraction(9, 2))
    case = learning.Gain((1, 1), tuple(gains), tuple(likelihood))
    assert (case.leakage, case.loss) == (Fraction(9, 2), 3)
    assert case in learning.build_bit_gains()


def test_a_statement_about_a_pair_gains_nothing_from_a_bit_that_it_does_not_rest_on():
    cases = list(learning.build_gains_about_pairs())
    # Nine queries, all beliefs that leave X open, and every statement about the pair.
    assert len(cases) == 9 * len(list(learning.enumerate_beliefs())) * 16
    for each in cases:
        if each.statement == (False, True, False, True) and each.belief == (1, 1, 1, 1):
            assert each.gain == 1
        assert each.guarantee == max(
            rational.compute_exp_loss(each.ones[1:3]),
            rational.compute_exp_loss([1 - one for one in each.ones[1:3]]),
        )


def test_a_latent_variable_has_the_gain_computed_by_hand():
    """The answer is the other bit, nearly; the queried one is believed to be fair beside it."""
    ones, belief = tuple(map(Fraction, (0.25, 0.75, 0.25, 0.75))), (1, 1, 1, 1)
    assert learning.compute_belief_gain(ones, belief, (False, True, False, True)) == 1.5
    random = np.random.default_rng(2)
    other = random.integers(0, 2, 200_000)
    answers = random.random(200_000) < np.where(other, 0.75, 0.25)
    assert other[answers].mean() / 0.5 == pytest.approx(1.5, abs=0.01)
