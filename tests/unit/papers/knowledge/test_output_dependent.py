"""The best adversary and the number of answers, by other ways."""

import collections
import math

import pytest

from noiseless.accounting.baselines import compute_optimal_delta
from noiseless.accounting.filters import AdvancedFilter
from noiseless.papers.knowledge import output_dependent

SETTING = {"budget_nats": 1.0, "delta": 0.5, "epsilon_nats": [0.25], "values": 2, "depth": 7}


def test_best_adversary_of_equal_queries_is_optimal_composition():
    """The output-independent filter allows seven; nobody gets more than their composition has."""
    advanced = output_dependent.find_best_adversary(SETTING, AdvancedFilter)
    assert float(advanced) == pytest.approx(compute_optimal_delta(0.25, 7, 1.0), rel=1e-6)
    assert advanced <= output_dependent.find_best_adversary(SETTING) <= SETTING["delta"]


def test_a_filter_that_accepts_too_much_is_found(monkeypatch):
    monkeypatch.setattr(output_dependent.OutputDependentFilter, "accepts", lambda self, query: True)
    setting = {**SETTING, "delta": 0.02}
    assert output_dependent.find_best_adversary(setting) > setting["delta"]


def test_the_best_filter_in_closed_form_by_hand():
    """Three answers of 3/4 under a budget of one: the first is free, and the second costs all."""
    truth, delta = 0.75, 0.1
    # After one answer, at an end of the budget: 3/4 - 1/4 of its chance of 3/4 is the cost.
    coin = delta / (0.5 * 0.75)
    # That answer leads back to no evidence, or beyond the budget, and neither costs one more.
    expected = 1 + coin + coin
    assert output_dependent.compute_best_answers(truth, 1, delta, 3) == pytest.approx(expected)
    assert output_dependent.compute_best_answers(truth, 1, 0.0, 3) == pytest.approx(1)


def test_what_a_delta_gains_is_nothing_where_it_is_small():
    """Under a budget of ten answers, by a plain sum over the differences of truths and lies."""
    gains = output_dependent.build_gain_table().set_index(["delta", "epsilon_nats", "statistic"])
    truth, ends, chances = 1 / (1 + math.exp(-0.1)), 0.0, {0: 1.0}
    for number in range(300):
        ends += number * sum(chances.pop(end, 0.0) for end in (-10, 10))
        after = collections.Counter()
        for balance, chance in chances.items():
            after[balance + 1] += truth * chance
            after[balance - 1] += (1 - truth) * chance
        chances = after
    bayesian = gains["value"][0.05, 0.1, "bayesian"]
    assert bayesian == pytest.approx(ends + 300 * sum(chances.values()))
    assert gains["value"][1e-5, 0.1, "bayesian"] == bayesian
    assert 0 < gains["value"][1e-5, 0.1, "possible"] < 0.01
    assert gains["value"][0.05, 0.1, "possible"] == pytest.approx(35.0, abs=0.05)
    assert gains["value"][0.05, 0.5, "possible"] == pytest.approx(15.8, abs=0.05)
