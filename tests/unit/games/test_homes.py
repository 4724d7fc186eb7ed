"""The game at a given error: errors on fresh noise, and how a mean is read."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest

from members import ADVERSARIES
from membership_loop import guesses_by_loop
from noiseless.adversaries.inputs.membership import choose_candidates
from noiseless.games import homes
from noiseless.games.comparison import iterate_calibrations
from noiseless.games.membership import draw_games, observe_readings
from noiseless.mechanisms.families import load_mechanisms
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.interface import Domain, Identity
from noiseless.seeds import make_generator
from toy_homes import make_energy

MECHANISMS = ("quantizer", "laplace", "gaussian", "one_bit")


N = 3


HOMES = {"common_pattern": False, "idle": False}


@pytest.fixture(scope="module")
def energy():
    return make_energy(**HOMES)


@pytest.fixture(scope="module")
def games():
    return draw_games(make_generator(1, "games"), homes=30, n=N, games=40)


def task_of(energy, games):
    task = homes.MembershipTask(energy, energy, int(energy.max()), N, 0, 0, ("test",), 1)
    task.__dict__["testing"] = games
    return task


def settings_at(energy, games, targets, tolerance=0.2):
    """Each calibration that is attainable, with the mechanism at its parameter."""
    task = task_of(energy, games)
    return [
        (calibration, family(task.domain, calibration.parameter))
        for family, calibration in iterate_calibrations(task, targets, tolerance=tolerance)
        if calibration.is_attainable
    ]


def publish(mechanism, energy, games, key):
    rng = make_generator(1, "test", key, mechanism.name, 0)
    return homes.publish_means(mechanism, energy, games.members, rng)


def mean_kwh(energy, games):
    return energy[games.members].sum(axis=1) / (1000 * N)


def test_errors_are_those_of_fresh_noise(energy):
    """A calibrated parameter, then noise that calibration has not seen."""
    games = draw_games(make_generator(1, "many"), homes=30, n=N, games=400)
    task = task_of(energy, games)
    calibrations = settings_at(energy, games, [0.05, 0.4, 0.99 * task.constant_error_kwh])
    assert {mechanism.name for _, mechanism in calibrations} >= set(MECHANISMS)
    for calibration, mechanism in calibrations:
        series = publish(mechanism, energy, games, "fresh")
        read = task.reader.estimate_means(series.kwh, **task.reader.describe_release(mechanism))
        error = math.sqrt(((read - mean_kwh(energy, games)) ** 2).mean())
        assert error == pytest.approx(calibration.expected_error, rel=0.03), calibration
        tolerance = 0.2 if mechanism.is_deterministic else 1e-6
        assert calibration.expected_error == pytest.approx(calibration.target, rel=tolerance)


def test_the_reader_is_the_best_linear_one_and_no_better_than_what_it_knows(energy):
    """Least squares on as many noisy means find the same weights; a constant errs as much."""
    rng = np.random.default_rng(8)
    known, playing = make_energy(60, **HOMES)[:30], energy
    games = draw_games(make_generator(1, "reader"), homes=30, n=N, games=4000)
    task = homes.MembershipTask(known, playing, int(energy.max()), N, 0, 0, ("test",), 1)
    task.__dict__["testing"] = games
    np.testing.assert_allclose(task.reader.usual_kwh, known.mean(axis=0) / 1000)
    own = draw_games(make_generator(1, "own"), homes=30, n=N, games=20_000)
    true_kwh = known[own.members].sum(axis=1) / (1000 * N)
    noisy_kwh = true_kwh + rng.normal(0, 0.7, true_kwh.shape)
    for t in (0, 11):
        away = noisy_kwh[:, t] - known[:, t].mean() / 1000
        slope = away @ (true_kwh[:, t] - known[:, t].mean() / 1000) / (away @ away)
        # Homes of a game are drawn without repetition, and the usual mean is an estimate.
        assert task.reader.compute_weights(0.7)[t] == pytest.approx(slope, rel=0.2)
    away = mean_kwh(playing, games) - known.mean(axis=0) / 1000
    assert task.constant_error_kwh == pytest.approx(math.sqrt((away**2).mean()))
    gaussian = load_mechanisms()["gaussian"]
    assert task.measure_error(gaussian(task.domain, 1e4)) == pytest.approx(
        task.constant_error_kwh, rel=1e-3
    )


def test_a_quantizer_is_read_as_the_mean_within_its_cell(energy, games):
    """By sums over many draws from the normal distribution that the reader has in mind."""
    task = task_of(energy, games)
    quantizer = load_mechanisms()["quantizer"](task.domain, 4)
    drawn = np.random.default_rng(2).normal(
        task.reader.usual_kwh, np.sqrt(task.reader.variance_kwh2), (40_000, energy.shape[1])
    )
    released = quantizer.release(drawn)
    read = task.reader.estimate_means(released, **task.reader.describe_release(quantizer))
    for t in (0, 5):
        for value in np.unique(released[:, t]):
            same = (released[:, t] == value) & (drawn[:, t] > 0) & (drawn[:, t] < 5)
            if same.sum() > 2000:
                expected = drawn[same, t].mean()
                assert read[same, t] == pytest.approx(np.full(same.sum(), expected), abs=0.03)


def test_guesses_are_those_of_a_plain_loop(energy):
    games = draw_games(make_generator(1, "few"), homes=30, n=N, games=12)
    coins = {
        name: np.random.default_rng(5).integers(0, 2, len(games.member)) for name in ADVERSARIES
    }
    x = energy[games.candidates]
    mechanisms = [mechanism for _, mechanism in settings_at(energy, games, [0.3, 0.5])]
    for mechanism in (Identity(mechanisms[0].domain), *mechanisms):
        series = publish(mechanism, energy, games, "loop")
        outputs = iter(series.kwh)
        release = SimpleNamespace(
            maximum_wh=int(energy.max()), compute_output_kwh=lambda _, out=outputs: next(out)
        )
        slow = guesses_by_loop(energy, games, release, coins)
        view = observe_readings(series, x)
        for name in slow:
            fast = choose_candidates(ADVERSARIES[name](view), coins[name])
            np.testing.assert_array_equal(fast, slow[name], err_msg=f"{name}, {mechanism}")


class Louder(LaplaceMechanism):
    """Noise that grows with the reading, and of whose size no formula is known."""

    def release_given(self, values, *noise):
        return values + 0.1 * values * noise[0]

    def variance(self, values):
        return None


def test_noise_without_a_formula_is_measured_on_homes_that_do_not_play(energy):
    mechanism = Louder(Domain((0.0,), (50.0,), "kwh", people=N), 1.0)
    known, playing = energy[:15], 3 * energy[15:]
    task = homes.MembershipTask(known, playing, 50_000, N, 20, 20, ("test",), 1)
    squares = np.array(
        [known[list(each)].mean(axis=0) ** 2 for each in itertools.combinations(range(15), N)]
    )
    expected = 0.1 * math.sqrt(2 * squares.mean()) / 1000
    assert task.reader.describe_release(mechanism) == {
        "noise_kwh": pytest.approx(expected, rel=0.1),
        "cell_kwh": 0.0,
    }


def test_the_usual_mean_is_uncertain_too():
    """The error of a mean of three homes less that of four others, on twenty thousand days."""
    rng = np.random.default_rng(3)
    known_wh, others_wh = (rng.normal(9000, 1000, (k, 20_000)) for k in (4, N))
    reader = homes.MeanReader(known_wh, N, None)
    away_kwh = others_wh.mean(axis=0) / 1000 - reader.usual_kwh
    assert reader.variance_kwh2.mean() == pytest.approx((away_kwh**2).mean(), rel=0.05)
