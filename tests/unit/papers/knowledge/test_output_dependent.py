"""The best adversary and the number of answers, by other ways."""

import math

import numpy as np
import pytest

from noiseless.accounting.baselines import compute_optimal_delta
from noiseless.papers.knowledge import output_dependent
from wide_table import wide

SETTING = {"budget_nats": 1.0, "delta": 0.5, "epsilon_nats": [0.25], "values": 2, "depth": 7}


def test_best_adversary_of_equal_queries_is_optimal_composition():
    """The output-independent filter allows seven; nobody gets more than their composition has."""
    table = output_dependent.build_adversaries_table(settings=[SETTING])
    rows = table.set_index(["filter", "statistic"])["value"]
    assert rows["advanced", "delta_reached"] == pytest.approx(
        compute_optimal_delta(0.25, 7, 1.0), rel=1e-6
    )
    assert rows["advanced", "over"] == rows["output dependent", "over"] == 0
    assert rows["output dependent", "delta_reached"] >= rows["advanced", "delta_reached"]


def test_a_filter_that_accepts_too_much_is_found(monkeypatch):
    monkeypatch.setattr(output_dependent.OutputDependentFilter, "accepts", lambda self, query: True)
    setting = {**SETTING, "delta": 0.02}
    table = output_dependent.build_adversaries_table(settings=[setting])
    rows = table.set_index(["filter", "statistic"])["value"]
    assert rows["output dependent", "over"] == 1


def test_answers_of_filters_that_do_not_depend_on_outputs_are_counted_by_hand():
    settings = [{"budget_nats": 1.0, "delta": 0.05, "epsilon_nats": 0.1}]
    table = output_dependent.build_answers_table(settings=settings, runs=4, most_answers=60, seed=1)
    found = wide(table, ["filter", "budget_nats", "delta", "epsilon_nats", "share_of_runs"])[
        "answers"
    ]
    most = max(
        k for k in range(60) if math.sqrt(2 * math.log(20) * k * 0.01) + k * 0.005 <= 1 + 1e-9
    )
    place = (1.0, 0.05, 0.1)
    assert found[("advanced", *place, 0.5)] == most
    assert found[("basic", *place, 0.5)] == 10
    lies = output_dependent.make_generator(1, "output dependent", 0).random((4, 60)) > 1 / (
        1 + math.exp(-0.1)
    )
    walks = np.abs(np.cumsum(np.where(lies, -1, 1), axis=1))
    # Refused where the next step could leave the budget of ten steps.
    stops = [int(np.argmax(walk >= 10)) + 1 if (walk >= 10).any() else 60 for walk in walks]
    assert found[("bayesian", *place, 0.0)] == min(stops)


def test_the_best_filter_in_closed_form_by_hand():
    """Three answers of 3/4 under a budget of one: the first is free, and the second costs all."""
    truth, delta = 0.75, 0.1
    # After one answer, at an end of the budget: 3/4 - 1/4 of its chance of 3/4 is the cost.
    coin = delta / (0.5 * 0.75)
    # That answer leads back to no evidence, or beyond the budget, and neither costs one more.
    expected = 1 + coin + coin
    assert output_dependent.compute_best_answers(truth, 1, delta, 3) == pytest.approx(expected)
    assert output_dependent.compute_best_answers(truth, 1, 0.0, 3) == pytest.approx(1)
    assert output_dependent.compute_best_answers(truth, 1, delta, 3, coin=False) == pytest.approx(1)


def test_the_rule_without_its_coin_agrees_with_numbers_by_hand():
    lies = np.array([False, False, True, False, False, False])
    # Two whatever comes; then 2 true answers are at the end of a budget of two.
    assert output_dependent._count_rule_answers(lies, 2, 2) == 2
    assert output_dependent._count_rule_answers(lies, 3, 2) == 4
    assert output_dependent._count_rule_answers(lies, 3, 4) == 6
