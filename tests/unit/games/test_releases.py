"""What is published of a mean: whole numbers and floats, fractions, and each home's own bits."""

import numpy as np
import pytest

from noiseless.errors import ConfigError
from noiseless.games import membership, releases
from noiseless.games.membership import draw_games
from noiseless.games.releases import QuantizedMeanRelease
from noiseless.mechanisms.families import load_mechanisms
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.interface import UNBOUNDED_DOMAIN, Domain
from noiseless.seeds import make_generator
from toy_homes import make_energy

N = 3


@pytest.fixture(scope="module")
def energy():
    return make_energy(common_pattern=False, idle=False)


@pytest.fixture(scope="module")
def games():
    return draw_games(make_generator(1, "games"), homes=30, n=N, games=40)


def domain_of(energy):
    return Domain((0.0,), (energy.max() / 1000,), "kwh", people=N)


def publish(mechanism, energy, games, key):
    rng = make_generator(1, "test", key, mechanism.name, 0)
    return releases.publish_means(mechanism, energy, games.members, rng)


def mean_kwh(energy, games):
    return energy[games.members].sum(axis=1) / (1000 * N)


@pytest.mark.parametrize("levels", [1, 2, 7, 60])
def test_quantized_means_are_those_of_the_game(energy, games, levels):
    """The bins of the mechanism, and those of the game of Figure 3 in whole numbers."""
    ours = publish(load_mechanisms()["quantizer"](domain_of(energy), levels), energy, games, "bins")
    theirs = QuantizedMeanRelease(N, int(energy.max()), levels).publish_totals(
        energy[games.members].sum(axis=1)
    )
    np.testing.assert_array_equal(ours.k, theirs.k)
    assert (ours.step_wh, ours.offset_wh) == pytest.approx((theirs.step_wh, theirs.offset_wh))


def test_one_bit_mean_is_the_mean_of_the_homes_own_estimates(energy, games, monkeypatch):
    """Also where memory asks for one game at a time."""
    mechanism = load_mechanisms()["one_bit"](domain_of(energy), 2.5)
    series = publish(mechanism, energy, games, "bits")
    monkeypatch.setattr(membership, "_REPORTS_AT_ONCE", 1)
    np.testing.assert_array_equal(publish(mechanism, energy, games, "bits").k, series.k)
    bit = OneBitMechanism(Domain((0,), (energy.max() / 1000,)), mechanism.parameter)
    uniform = make_generator(1, "test", "bits", "one_bit", 0).random((40, N, energy.shape[1]))
    for g in (0, 17):
        estimates = [
            bit.estimate_values(
                uniform[g, place] < bit.compute_probability_high(energy[home] / 1000)
            )
            for place, home in enumerate(games.members[g])
        ]
        np.testing.assert_allclose(series.kwh[g], np.mean(estimates, axis=0), rtol=1e-9)


def test_noise_is_that_of_the_mechanism(energy, games):
    """One stream gives the noise of LaplaceMechanism, to a Wh in the sum."""
    mechanism = load_mechanisms()["laplace"](domain_of(energy), 0.4)
    noise = LaplaceMechanism(UNBOUNDED_DOMAIN, mechanism.parameter)
    noisy = noise.release(mean_kwh(energy, games), make_generator(1, "test", "same", "laplace", 0))
    series = publish(mechanism, energy, games, "same")
    np.testing.assert_allclose(series.kwh, noisy, atol=0.5001 / (1000 * N))


def test_a_mechanism_of_another_unit_or_number_of_people_publishes_nothing(energy, games):
    high = energy.max() / 1000
    for domain in (
        Domain((0.0,), (1000 * high,), "wh", people=N),
        Domain((0.0,), (high,), "kwh", people=N + 1),
    ):
        mechanism = LaplaceMechanism(domain, 1.0)
        with pytest.raises(ConfigError, match=r"'laplace' .* but the game plays"):
            publish(mechanism, energy, games, "other")
        with pytest.raises(ConfigError, match=r"'laplace' .* but the game plays"):
            releases.MechanismRelease(mechanism, N, int(energy.max()), {})
    with pytest.raises(ConfigError, match="but the game plays the range"):
        releases.MechanismRelease(LaplaceMechanism(domain_of(energy), 1.0), N, 7, {})
