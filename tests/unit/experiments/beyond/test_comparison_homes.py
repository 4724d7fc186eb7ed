"""The membership game against every mechanism: plain loops, errors on fresh noise, both ends."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from membership_loop import guesses_by_loop
from noiseless.adversaries.membership import ADVERSARIES, guess, is_peak
from noiseless.errors import ConfigError
from noiseless.experiments.beyond import comparison_homes
from noiseless.experiments.beyond.comparison import calibrate
from noiseless.games.membership import (
    AggregateRelease,
    PublishedSeries,
    draw_games,
    observe,
    play,
)
from noiseless.mechanisms.laplace import LaplaceMechanism
from noiseless.mechanisms.one_bit import OneBitMechanism
from noiseless.seeds import generator
from toy_homes import make_energy, make_table

MECHANISMS = ("quantizer", "laplace", "gaussian", "one_bit")
N = 3
HOMES = {"common_pattern": False, "idle": False}
SETTINGS = {
    **{"dataset": "test", "seed": 3, "games": 300, "training_games": 200, "n": [N]},
    **{"public_range": "maximum", "delta": 1e-5, "tolerance": 0.1},
}


@pytest.fixture(scope="module")
def energy():
    return make_energy(**HOMES)


@pytest.fixture(scope="module")
def games():
    return draw_games(generator(1, "games"), homes=30, n=N, games=40)


def settings_at(energy, games, targets, tolerance=0.2):
    totals, counts = comparison_homes._count_totals(energy, games)
    found = [
        calibration
        for mechanism in comparison_homes.mechanisms(
            energy, totals, counts, n=N, maximum_wh=int(energy.max())
        )
        for calibration in calibrate(mechanism, targets, tolerance=tolerance)
        if calibration.is_attainable
    ]
    assert {each.mechanism for each in found} <= set(MECHANISMS)
    return found


def batch_of(energy, games, key):
    [batch] = comparison_homes._batches(energy, games, seed=1, key=("test", key), bits=True)
    return batch


def test_errors_are_those_of_fresh_noise(energy):
    """A calibrated parameter, then noise that calibration has not seen."""
    games = draw_games(generator(1, "many"), homes=30, n=N, games=400)
    calibrations = settings_at(energy, games, [0.05, 0.4, 3.0])
    assert {each.mechanism for each in calibrations} == set(MECHANISMS)
    batch = batch_of(energy, games, "fresh")
    for calibration in calibrations:
        series = comparison_homes.published(
            calibration, batch, energy, n=N, maximum_wh=int(energy.max())
        )
        error = math.sqrt(((series.kwh - batch.total_wh / (1000 * N)) ** 2).mean())
        assert error == pytest.approx(calibration.expected_error, rel=0.03), calibration
        tolerance = 0.2 if calibration.mechanism == "quantizer" else 1e-6
        assert calibration.expected_error == pytest.approx(calibration.target, rel=tolerance)


def test_guesses_are_those_of_a_plain_loop(energy):
    games = draw_games(generator(1, "few"), homes=30, n=N, games=12)
    batch = batch_of(energy, games, "loop")
    coins = {
        name: np.random.default_rng(5).integers(0, 2, len(games.member)) for name in ADVERSARIES
    }
    for calibration in [None, *settings_at(energy, games, [0.3, 3.0])]:
        series = comparison_homes.published(
            calibration, batch, energy, n=N, maximum_wh=int(energy.max())
        )
        outputs = iter(series.kwh)
        release = SimpleNamespace(
            maximum_wh=int(energy.max()), output_kwh=lambda _, outputs=outputs: next(outputs)
        )
        slow = guesses_by_loop(energy, games, release, coins)
        evidence = observe(series, batch.candidates_wh, batch.peaks)
        for name, adversary in ADVERSARIES.items():
            fast = guess(adversary(evidence), coins[name])
            np.testing.assert_array_equal(fast, slow[name], err_msg=f"{name}, {calibration}")


@pytest.mark.parametrize("levels", [1, 2, 7, 60])
def test_quantized_means_are_those_of_the_game(energy, games, levels):
    """Against the compiled game of Figure 3, evidence by evidence."""
    maximum = int(energy.max())
    batch = batch_of(energy, games, "quantizer")
    series = AggregateRelease(N, maximum, levels).publish(batch.total_wh)
    [theirs] = play(energy, games, [AggregateRelease(N, maximum, levels)])
    ours = observe(series, batch.candidates_wh, batch.peaks)
    for name, value in vars(theirs).items():
        np.testing.assert_array_equal(getattr(ours, name), value, err_msg=name)


def test_one_bit_mean_is_the_mean_of_the_homes_own_estimates(energy, games):
    maximum = int(energy.max())
    [calibration] = [
        each for each in settings_at(energy, games, [3.0]) if each.mechanism == "one_bit"
    ]
    batch = batch_of(energy, games, "bits")
    series = comparison_homes.published(calibration, batch, energy, n=N, maximum_wh=maximum)
    mechanism = OneBitMechanism(0, maximum / 1000, calibration.parameter)
    for g in (0, 17):
        estimates = []
        for place, home in enumerate(games.members[g]):
            high = mechanism.probability_high(energy[home] / 1000)
            estimates.append(mechanism.unbiased(batch.uniform[g, place] < high))
        np.testing.assert_allclose(series.kwh[g], np.mean(estimates, axis=0), rtol=1e-9)


def test_noise_is_that_of_the_mechanism(energy, games):
    """One stream gives the noise of LaplaceMechanism, to a Wh in the sum."""
    [calibration] = [
        each for each in settings_at(energy, games, [0.3]) if each.mechanism == "laplace"
    ]
    batch = batch_of(energy, games, "same")
    mean = batch.total_wh / (1000 * N)
    noisy = LaplaceMechanism(calibration.parameter, 1.0).release(
        mean, generator(1, "test", "same", "laplace", 0)
    )
    series = comparison_homes.published(
        calibration, batch, energy, n=N, maximum_wh=int(energy.max())
    )
    np.testing.assert_allclose(series.kwh, noisy, atol=0.5001 / (1000 * N))


def test_observed_peaks_are_strict(games, energy):
    batch = batch_of(energy, games, "peaks")
    series = PublishedSeries(batch.total_wh, 1 / N, 0.0)
    evidence = observe(series, batch.candidates_wh, batch.peaks)
    both = is_peak(series.kwh, strict=True)[:, None] & is_peak(batch.candidates_wh, strict=True)
    np.testing.assert_array_equal(evidence.common_peaks, both.sum(axis=2))


@pytest.fixture(scope="module")
def tables():
    return comparison_homes.comparison_tables(
        make_table(make_energy(40, **HOMES)), target_error_kwh=[0.0005, 0.5, 200], **SETTINGS
    )


def gains(tables, **where):
    rows = tables["comparison"]
    chosen = rows["statistic"] == "gain"
    for column, value in where.items():
        chosen &= rows[column] == value
    return rows[chosen].set_index(["mechanism", "adversary"])[["value", "low", "high"]]


def test_small_errors_converge_to_the_unprotected_game(tables):
    exact = gains(tables, target_error_kwh=0.0)
    assert exact.loc[("none", "learned"), "low"] > 0.1
    small = gains(tables, target_error_kwh=0.0005)
    for mechanism in ("quantizer", "laplace", "gaussian"):
        for adversary in ("correlation", "mse", "peaks", "learned"):
            difference = small.loc[(mechanism, adversary)] - exact.loc[("none", adversary)]
            assert abs(difference["value"]) < 0.05, (mechanism, adversary)


def test_large_errors_leave_nothing_and_control_never_wins(tables):
    large = gains(tables, target_error_kwh=200.0)
    for mechanism in ("laplace", "gaussian", "one_bit"):
        assert (large.loc[mechanism, "low"] < 0.1).all()
    control = gains(tables, adversary="control")
    assert (control["low"] <= 0).mean() > 0.9


def test_gaps_have_no_gain(tables):
    """One bit of each home cannot be so exact, and no quantizer is so wrong."""
    calibration = tables["calibration"]
    attainable = calibration[calibration["statistic"] == "attainable"].set_index(
        ["mechanism", "target_error_kwh"]
    )["value"]
    assert attainable[("one_bit", 0.0005)] == 0
    assert attainable[("quantizer", 200)] == 0
    assert attainable[("one_bit", 200)] == 1
    found = tables["comparison"][["mechanism", "target_error_kwh"]].drop_duplicates()
    pairs = set(found.itertuples(index=False, name=None)) - {("none", 0.0)}
    assert pairs == set(attainable[attainable == 1].index)


def test_results_do_not_depend_on_the_other_targets(tables):
    alone = comparison_homes.comparison_tables(
        make_table(make_energy(40, **HOMES)), target_error_kwh=[0.5], **SETTINGS
    )
    mine = tables["comparison"]
    mine = mine[mine["target_error_kwh"].isin([0.0, 0.5])].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone["comparison"], mine)


def test_too_few_homes_is_an_error_that_says_so():
    with pytest.raises(ConfigError, match="needs 4 homes, but there are 3"):
        comparison_homes.comparison_tables(
            make_table(make_energy(6, **HOMES)), target_error_kwh=[0.5], **SETTINGS
        )
    with pytest.raises(ConfigError, match="target error is -1"):
        comparison_homes.comparison_tables(
            make_table(make_energy(20, **HOMES)), target_error_kwh=[-1], **SETTINGS
        )
