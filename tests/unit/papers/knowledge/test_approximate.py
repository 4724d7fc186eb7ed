"""Deltas against all sets of outputs and plain sums; Algorithm 4 as printed."""

import itertools
import math
from fractions import Fraction

import pytest
from scipy.special import comb

from noiseless.accounting import rational
from noiseless.papers.knowledge import approximate
from noiseless.papers.knowledge.learning import draw_mechanism
from noiseless.seeds import make_generator


def test_delta_of_definition_4_6_is_the_largest_over_all_sets_of_outputs():
    """The closed form takes the worst set; here every set is tried."""
    for number in range(40):
        mechanism = draw_mechanism(make_generator(4, number))
        exp_epsilon = Fraction(13, 10)
        columns, worst = list(zip(*mechanism, strict=True)), 0
        for size in range(len(mechanism) + 1):
            for chosen in itertools.combinations(range(len(mechanism)), size):
                for one, two in itertools.permutations(columns, 2):
                    excess = sum(one[k] - exp_epsilon * two[k] for k in chosen)
                    worst = max(worst, excess)
        assert approximate.compute_delta_4_6(mechanism, exp_epsilon) == worst
        assert approximate.compute_delta_4_7(mechanism, exp_epsilon) >= worst


def test_randomized_response_and_then_the_value_by_hand():
    """At e^eps = 2 and a truth of 3/4: delta 1/4 alone, 1 with the value; 4.7 asks 1 of both."""
    response = rational.build_randomized_response(Fraction(3, 4))
    case = approximate.Afterwards(response, Fraction(2))
    value = case.append([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]])
    assert sorted(value) == sorted(
        [row[x] if each == x else Fraction(0) for each in (0, 1)]
        for row in response
        for x in (0, 1)
    )
    assert approximate.compute_delta_4_6(response, case.limit) == Fraction(1, 4)
    assert approximate.compute_delta_4_6(value, case.limit) == 1
    for mechanism in (response, value):
        assert approximate.compute_delta_4_7(mechanism, case.limit) == 1
    # A fair coin adds nothing; a second response of 3/4 takes a ratio of 3 to 9 or to 1.
    coin = [[Fraction(1, 2)] * 2] * 2
    assert not case.has_crossing(coin)
    assert not case.needs_more_delta(coin)
    assert case.has_crossing(response)
    assert case.needs_more_delta(response)


def test_algorithm_4_asks_on_only_within_the_budget_by_hand():
    """Responses of 3/4 (a ratio of 3) and of 3/5 (3/2): both together tell 9/2 or 2."""
    response, weak = map(rational.build_randomized_response, (Fraction(3, 4), Fraction(3, 5)))
    assert (
        approximate.build_enhanced(response, weak, Fraction(2)) == response
    )  # halted beyond the budget
    assert (
        approximate.build_enhanced(response, weak, Fraction(4)) == response
    )  # 9/2 would be beyond it
    both = approximate.build_enhanced(response, weak, Fraction(9, 2))
    assert sorted(max(row) / min(row) for row in both) == [2, 2, Fraction(9, 2), Fraction(9, 2)]
    assert [sum(column) for column in zip(*both, strict=True)] == [1, 1]


def test_every_query_about_a_bit_with_a_large_loss_is_tried():
    cases = approximate.build_afterwards()
    losses = [rational.compute_exp_guarantee(each) for each in approximate.BIT_QUERIES]
    limits = map(Fraction, ("3/2", "2", "3"))
    assert len(cases) == sum(loss >= limit for limit in limits for loss in losses)


def test_the_output_independent_filter_bounds_the_pair_of_values():
    assert approximate.count_answers(5, 1e-5) == 89
    p = 1 / (1 + math.exp(-0.1))
    tails = [
        sum(comb(j, b) * p**b * (1 - p) ** (j - b) for b in range(j + 1) if 2 * b - j > 50)
        for j in range(1, 90)
    ]
    assert approximate.bound_pairs(5, 1e-5) == pytest.approx(max(tails) / 1e-5, rel=1e-9)


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_each_bit_that_is_asked_once_adds_its_epsilon_whatever_is_answered(bits):
    """Of a ratio of 3, for every sequence of outputs."""
    right, wrong = Fraction(3, 4), Fraction(1, 4)
    values = list(itertools.product((0, 1), repeat=bits))
    for outputs in values:
        likelihoods = [
            math.prod(right if y == x else wrong for y, x in zip(outputs, value, strict=True))
            for value in values
        ]
        assert rational.compute_exp_loss(likelihoods) == 3**bits


def test_printed_line_15_accepts_less():
    sizes = {"queries": 5, "runs": 5, "seed": 1, "budget_nats": 0.8}
    assert approximate.count_accepted("printed", **sizes) == 0
    assert approximate.count_accepted("corrected", **sizes) >= 1
