"""Adversaries run on noisy answers: intervals, real people, and bad input."""

import numpy as np
import pandas as pd
import pytest

from noiseless.data.young_people import read_young_people
from noiseless.errors import DataError
from noiseless.papers.prrelation import monte_carlo
from prrelation_settings import BUDGETS, KNOWLEDGE


def toy_survey(rows: int = 60) -> pd.DataFrame:
    smoking = ["current smoker"] * 5 + ["never smoked"] * (rows - 5)
    weights = [None, *range(50, 50 + rows - 1)]
    return pd.DataFrame({"Smoking": smoking, "weight_kg": pd.array(weights, dtype="Int64")})


def play(survey, **changes):
    settings = {
        **BUDGETS,
        "weight_range_kg": [0, 200],
        "answers": 20_000,
        "confidence": 0.99,
        "false_alarm": [0.05, 0.3, 0.9],
        "beta": [0.5, 1.0],
        "knowledge": KNOWLEDGE,
        "seed": 1,
    }
    return monte_carlo.build_monte_carlo_tables(survey, **{**settings, **changes})


def test_gaps_and_sensitivities_are_those_computed_by_hand():
    pairs = monte_carlo.compute_answer_pairs(toy_survey(), weight_range_kg=[0, 200])
    assert pairs["smokers"] == monte_carlo.AnswerPair(5, 4, 1.0)
    assert pairs["mean_weight_ends"].gap == pytest.approx(1)
    assert pairs["mean_weight_ends"].sensitivity == pytest.approx(200 / 59)
    assert pairs["mean_weight_people"].gap == pytest.approx((108 - 50) / 200)
    assert pairs["mean_weight_people"].with_record == pytest.approx(sum(range(50, 109)) / 59)


def test_counted_rates_and_scores_sit_in_their_intervals_and_are_neither_too_near():
    tables = play(toy_survey(), seed=7)
    for table in tables.values():
        difference = table[table["statistic"].str.endswith("_minus_formula")]
        assert (difference["low"] <= 0).all()
        assert (difference["high"] >= 0).all()
        assert (difference["low"] <= difference["value"]).all()
        assert (difference["value"] <= difference["high"]).all()
        # An interval of 99 % together reaches beyond 3.5 deviations: a typical miss is a
        # fourth of it, and some must be.
        share = difference["value"].abs() / (difference["high"] - difference["low"]) * 2
        assert 0.1 < share.mean() < 0.3
    rates = tables["rates"]
    assert set(rates["query"]) == {"smokers", "mean_weight_ends", "mean_weight_people"}


def test_an_adversary_of_another_noise_is_found_out(monkeypatch):
    """The check can fail: with noise of a budget 20 % larger, counts leave their intervals."""
    larger = monte_carlo.LaplaceMechanism
    monkeypatch.setattr(
        monte_carlo, "LaplaceMechanism", lambda domain, scale: larger(domain, scale / 1.2)
    )
    rates = play(toy_survey())["rates"]
    laplace = rates[(rates["mechanism"] == "laplace") & (rates["epsilon_nats"] == 1)]
    difference = laplace[laplace["statistic"] == "recall_minus_formula"]
    assert ((difference["low"] > 0) | (difference["high"] < 0)).any()


def test_a_cell_does_not_depend_on_the_others():
    whole, part = (play(toy_survey(), epsilon_nats=each)["f_scores"] for each in ([0.1, 1, 5], [1]))
    cell = ["query", "mechanism", "knowledge", "epsilon_nats", "delta", "beta", "statistic"]
    values = whole.set_index(cell)["value"]
    for *key, value in part[[*cell, "value"]].itertuples(index=False):
        assert values[tuple(key)] == value


def test_accepted_at_equals_a_loop_over_answers():
    rng = np.random.default_rng(2)
    answers = rng.integers(0, 10, 500).astype(float)
    thresholds = np.array([3.0, -np.inf, 9.0, 3.0, 10.0, 0.5])
    np.testing.assert_array_equal(
        monte_carlo.count_accepted(answers, thresholds),
        [sum(answer >= each for answer in answers.tolist()) for each in thresholds.tolist()],
    )


def test_survey_that_cannot_be_asked_is_a_readable_error():
    survey = toy_survey()
    with pytest.raises(DataError, match="no respondent of the survey smokes"):
        monte_carlo.compute_answer_pairs(
            survey.assign(Smoking="never smoked"), weight_range_kg=[0, 200]
        )
    with pytest.raises(DataError, match="no two different weights"):
        monte_carlo.compute_answer_pairs(survey.iloc[:2], weight_range_kg=[0, 200])
    with pytest.raises(DataError, match="101 kg is outside the public range 0 to 100 kg"):
        monte_carlo.compute_answer_pairs(survey, weight_range_kg=[0, 100])


def test_answers_of_the_real_survey_are_those_counted_by_hand(young_people_csv):
    survey = read_young_people(young_people_csv)
    pairs = monte_carlo.compute_answer_pairs(survey, weight_range_kg=[0, 200])
    assert pairs["smokers"].with_record == 189
    assert pairs["mean_weight_people"].gap == pytest.approx((165 - 41) / 200)


def test_who_hardly_minds_false_alarms_always_accepts():
    noise = monte_carlo.build_noise_test("laplace", epsilon_nats=0.1, delta=0.0)
    assert monte_carlo._find_best_threshold(noise, 2.0, 0.1) == -np.inf
    assert np.isfinite(monte_carlo._find_best_threshold(noise, 0.1, 10.0))
