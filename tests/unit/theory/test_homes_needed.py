"""How many homes hide one: closed forms against played games of normal homes, and their limits."""

import math

import numpy as np
import pytest

from noiseless.errors import ConfigError, DataError
from noiseless.theory.homes_needed import (
    HomeSample,
    bound_mean_advantage,
    compute_homes_needed,
    compute_normal_advantage,
)


@pytest.mark.parametrize("known", [0, 5, math.inf])
@pytest.mark.parametrize(("n", "readings"), [(2, 3), (8, 30), (64, 90)])
def test_the_best_test_of_normal_homes_has_students_advantage(n, readings, known):
    """White homes, a common part of which nothing is known beforehand."""
    rng, games = np.random.default_rng([n, readings]), 40_000
    first, second, others = (rng.standard_normal((games, readings)) for _ in range(3))
    total = first + math.sqrt(n - 1) * others
    centre = (first + second) / 2
    if math.isfinite(known):
        # Any common part cancels in what is left when the mean of all that are known is taken out.
        known_sum = math.sqrt(known) * rng.standard_normal((games, readings))
        centre = centre + (n - 1) * (first + second + known_sum) / (known + 2)
    won = np.sign(((first - second) * (total - centre)).sum(axis=1)).mean()
    assert won == pytest.approx(compute_normal_advantage(n, readings, known=known), abs=0.02)


def test_the_bound_is_above_every_formula_and_falls_as_the_root_of_n():
    for n in (2, 10, 1000, 10**6):
        for readings in (1, 30, 365):
            assert compute_normal_advantage(n, readings) <= bound_mean_advantage(n, readings)
            assert bound_mean_advantage(n, readings) <= math.sqrt(readings / (math.pi * (n - 1)))
    assert bound_mean_advantage(4 * 10**6, 30) == pytest.approx(
        bound_mean_advantage(10**6, 30) / 2, rel=1e-3
    )


def test_a_sample_of_normal_homes_predicts_the_closed_form():
    """Of homes whose changes are white, 59 of 60 readings count; the level is not used."""
    readings_kwh = 100 + np.random.default_rng(4).standard_normal((300, 60)).cumsum(axis=1)
    for n in (4, 32, 500):
        found = HomeSample(readings_kwh).predict(n, known=math.inf)
        assert found[0] == pytest.approx(compute_normal_advantage(n, 59), abs=0.02)
        assert found[1:].std() < 0.03


def test_bins_and_a_common_part_hide_and_knowing_it_does_not():
    rng = np.random.default_rng(5)
    common = 3 * np.sin(np.arange(90) / 5)
    readings_kwh = 10 + common + rng.standard_normal((200, 90))
    blind, few, knows = (
        HomeSample(readings_kwh).predict(64, known=known)[0] for known in (0, 20, math.inf)
    )
    assert blind < few < knows
    assert HomeSample(readings_kwh, cell_kwh=12.0).predict(64, known=math.inf)[0] < knows


def test_homes_needed_have_the_advantage_that_was_asked_for():
    readings_kwh = np.random.default_rng(6).gamma(2.0, 5.0, (100, 60))
    found = compute_homes_needed(readings_kwh, 0.1, known=math.inf)
    assert found.low <= found.value <= found.high
    sample = HomeSample(readings_kwh)
    assert sample.predict(int(found.value), known=math.inf)[0] == pytest.approx(0.1, abs=0.003)


@pytest.mark.parametrize("advantage", [0.01, 0.05, 0.3, 0.9])
def test_the_bound_beside_the_prediction_is_the_smallest_number_that_keeps_it(advantage):
    drawn_kwh = np.random.default_rng(2).gamma(2.0, 5.0, (12, 30))
    bound = compute_homes_needed(drawn_kwh, advantage).bound
    assert bound_mean_advantage(bound, 30) <= advantage
    assert bound == 2 or bound_mean_advantage(bound - 1, 30) > advantage


def test_a_release_of_fewer_readings_needs_fewer_homes():
    readings_kwh = np.random.default_rng(3).gamma(2.0, 5.0, (40, 120))
    week, month, all_of_them = (
        compute_homes_needed(readings_kwh, 0.1, readings=length, known=math.inf)
        for length in (7, 30, None)
    )
    assert week.value < month.value < all_of_them.value
    assert (week.readings, all_of_them.readings, week.homes) == (7, 120, 40)


@pytest.mark.parametrize(
    ("readings_kwh", "advantage", "other", "error", "message"),
    [
        (np.ones((20, 20)), 0, {}, ConfigError, "at least 1e-09 and below 1, got 0"),
        (np.ones((20, 20)), math.nan, {}, ConfigError, "and below 1, got nan"),
        (np.ones((9, 20)), 0.1, {}, DataError, "10 homes or more"),
        (np.full((20, 20), np.nan), 0.1, {}, DataError, "is NaN"),
        (np.full((20, 20), np.inf), 0.1, {}, DataError, "finite"),
        (np.ones((20, 20)), 0.1, {"known": -1}, ConfigError, "`known` must be .*, got -1"),
        (np.ones((20, 20)), 0.1, {"known": math.nan}, ConfigError, "`known` must be .*, got nan"),
        (np.ones((20, 20)), 0.1, {"cell_kwh": -1}, ConfigError, "`cell_kwh` must be from 0 to 1"),
        (np.ones((20, 20)), 0.1, {"readings": 21}, ConfigError, "must be 4 to 20, .*, got 21"),
        (np.ones((20, 20)), 0.1, {"readings": 3}, ConfigError, "must be 4 to 20, .*, got 3"),
    ],
)
def test_what_cannot_be_computed_is_one_clear_error(readings_kwh, advantage, other, error, message):
    with pytest.raises(error, match=message):
        compute_homes_needed(readings_kwh, advantage, **other)


@pytest.mark.parametrize("function", [bound_mean_advantage, compute_normal_advantage])
@pytest.mark.parametrize(
    ("n", "readings", "name"), [(1, 20, "n"), (2.5, 20, "n"), (2, 0, "readings"), ("2", 20, "n")]
)
def test_a_mean_of_no_homes_or_readings_is_refused(function, n, readings, name):
    with pytest.raises(ConfigError, match=f"`{name}` must be a whole number from"):
        function(n, readings)


def test_where_no_home_varies_nobody_can_be_told_from_another():
    assert compute_homes_needed(np.ones((20, 20)), 0.1).value == 2


def test_readings_are_clipped_to_their_range_where_there_are_bins_alone():
    readings_kwh = np.random.default_rng(7).gamma(2.0, 5.0, (30, 40))
    clipped = np.minimum(readings_kwh, 12.0)
    found = HomeSample(readings_kwh, cell_kwh=3.0, range_kwh=12.0)
    assert found.predict(8)[0] == HomeSample(clipped, cell_kwh=3.0).predict(8)[0]
    assert found.compute_bin_in_sd(5) == pytest.approx(1.5 / np.sqrt(clipped.var(0, ddof=1).mean()))
    exact = HomeSample(readings_kwh, range_kwh=12.0)
    assert exact.predict(8)[0] == HomeSample(readings_kwh).predict(8)[0]
    assert exact.compute_bin_in_sd(5) == 0
