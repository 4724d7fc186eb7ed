"""Cases of the theorems on how many homes hide one, by routes of their own."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.noiseless import hiding_cases
from noiseless.papers.noiseless.hiding_cases import Overlapping, Settled
from noiseless.statements.registry import Run, Sizes
from noiseless.theory.homes_needed import compute_normal_advantage


def load(source, **sizes):
    return source.load(Run(Sizes.SMOKE, 5, overrides={source.name: sizes}))


@pytest.mark.parametrize(
    ("weights", "others", "moved"), [((1, 2, 1, 0), 2, 1), ((2, 0, 1, 1), 3, 2)]
)
def test_a_sum_moved_is_what_all_outcomes_say(weights, others, moved):
    """All values of the others, one by one."""
    law = [Fraction(each, sum(weights)) for each in weights]
    total = {}
    for values in itertools.product(range(4), repeat=others):
        total[sum(values)] = total.get(sum(values), 0) + math.prod(law[each] for each in values)
    places = range(3 * others + moved + 1)
    away = sum(abs(total.get(x, 0) - total.get(x - moved, 0)) for x in places) / 2
    case = Overlapping(weights, others, moved)
    assert case.compute_distance() == away
    assert away <= case.compute_bound() <= 1


def test_coins_of_one_home_are_certain_half_of_the_time():
    """One other home that is moved by 1 on two even values: o = 1/2, b(0) = 1, b(1) = 1/2."""
    assert Overlapping((1, 1, 0, 0), 1, 1).compute_bound() == Fraction(3, 4)


def test_games_of_the_best_test_differ_by_their_setting_and_are_near_the_formula():
    played = load(hiding_cases.best_tests, games=500)
    assert len({each.gained for each in played if each.n > 2}) > len(played) / 3
    one = Settled(16, 30, 5, 0, 4000, compute_normal_advantage(16, 30, known=5))
    assert one.compute_z() == pytest.approx(0, abs=1e-9)
    assert abs(one.compute_z(candidates=0)) > 2
    root = math.sqrt(np.mean([each.compute_z() ** 2 for each in played]))
    assert 0.6 < root < 1.4


def test_the_integral_of_white_readings_is_the_theorem_without_an_integral():
    """Own and common part white: N is one number, and the trace is exact for every length."""
    found = hiding_cases._compare_spectra(12, 16, 8, 0.0, 0.0, 2.0)
    noise = 15 + 15**2 / (1 / 2 + 10)
    assert found.exact == pytest.approx(2 / noise)
    assert found.limit == pytest.approx(2 / noise)


def test_a_guess_by_the_sign_is_the_count_of_outcomes():
    law = np.array([0.5, 0, 0.5])
    found = hiding_cases._guess("two", law, 2, 1, 0)
    # The others' sum about its mean is -2, 0, 2 with 1/4, 1/2, 1/4: right where it is 0.
    assert found.exact == pytest.approx(0.5)
    assert found.allowed == pytest.approx(2 * 0.4748 / math.sqrt(2))
