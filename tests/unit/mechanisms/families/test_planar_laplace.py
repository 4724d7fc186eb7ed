"""Planar Laplace noise: its distribution, its moments, and its inverse by a root search."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from noiseless.errors import ConfigError
from noiseless.mechanisms.families.planar_laplace import (
    PLANE,
    PlanarLaplaceMechanism,
    compute_radius_quantile,
)
from noiseless.seeds import make_generator


def within(radius):
    """Probability of a distance of at most ``radius``, in units of 1/epsilon."""
    return 1 - (1 + radius) * math.exp(-radius)


@pytest.mark.parametrize("probability", [1e-4, 0.01, 0.3, 0.5, 0.9, 0.999999])
def test_quantile_is_the_root_of_the_distribution(probability):
    root = brentq(lambda radius: within(radius) - probability, 0, 60, xtol=1e-14)
    assert float(compute_radius_quantile(probability)) == pytest.approx(root, rel=1e-7)


def test_quantile_is_that_of_the_gamma_distribution_to_its_ends():
    """Also next to the branch point of Lambert's function, where a series stands in for it."""
    near = [0.99e-6, 1e-6, 1.01e-6]
    probability = np.array([0.0, 1e-300, *np.geomspace(1e-16, 0.5, 200), *near, 1 - 1e-12])
    quantile = compute_radius_quantile(probability)
    np.testing.assert_allclose(quantile, stats.gamma(2).ppf(probability), rtol=1e-9)
    assert quantile[0] == 0


def test_reports_have_the_distribution_and_the_moments():
    """The distance is Gamma(2); the directions are uniform; E r^2 = 6 / epsilon^2."""
    mechanism = PlanarLaplaceMechanism(PLANE, 0.01)
    places = np.tile([[3000.0, -500.0]], (40_000, 1)).reshape(200, 200, 2)
    reports = mechanism.release(places, make_generator(1, "planar"))
    assert reports.shape == places.shape
    away = (reports - places).reshape(-1, 2)
    radius, angle = np.hypot(*away.T), np.arctan2(*away.T)
    assert stats.kstest(radius, stats.gamma(2, scale=100).cdf).pvalue > 1e-3
    assert stats.kstest(angle, stats.uniform(-math.pi, 2 * math.pi).cdf).pvalue > 1e-3
    assert abs(stats.spearmanr(radius, angle).statistic) < 0.02
    assert radius.mean() == pytest.approx(mechanism.mean_distance_m, rel=0.02)
    np.testing.assert_allclose(away.mean(axis=0), 0, atol=4 * math.sqrt(3e4 / 40_000))
    np.testing.assert_allclose(away.var(axis=0), 3e4, rtol=0.05)
    again = mechanism.release(places, make_generator(1, "planar"))
    np.testing.assert_array_equal(reports, again)


def test_no_report_is_more_than_exp_epsilon_d_times_as_likely():
    """The density that the quantile stands for: its derivative over the circle's length."""
    probability = np.linspace(0.001, 0.999, 999)
    radius, step = compute_radius_quantile(probability), 1e-7
    slope = (
        compute_radius_quantile(probability + step) - compute_radius_quantile(probability - step)
    ) / (2 * step)
    log_density = -np.log(slope * 2 * math.pi * radius)
    difference = np.abs(log_density[:, None] - log_density)
    distance = np.abs(radius[:, None] - radius)
    assert (difference <= distance + 1e-4).all()
    np.testing.assert_allclose(log_density, -radius - math.log(2 * math.pi), atol=1e-4)


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_epsilon_must_be_positive(value):
    with pytest.raises(ConfigError, match=r"epsilon_per_m is .* larger than 0"):
        PlanarLaplaceMechanism(PLANE, value)


@pytest.mark.parametrize("value", [-0.1, 1.0, math.nan])
def test_probability_must_be_one(value):
    with pytest.raises(ConfigError, match="at least 0 and below 1"):
        compute_radius_quantile([0.5, value])
