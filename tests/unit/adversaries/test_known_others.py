"""Likelihoods of those who know the mechanism: integrals, known rates, and estimates."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from noiseless.adversaries.known_others import (
    PartialKnowledge,
    Population,
    _cell_probability,
    _cut_moments,
    consistent,
    factors,
    independent,
)
from noiseless.adversaries.likelihood_ratio import gaussian_rates
from toy_homes import make_energy


@pytest.mark.parametrize(
    ("low", "high"),
    [
        *((-math.inf, 0.3), (-math.inf, -6), (2.5, math.inf), (-1, 2), (0.5, 0.9), (-0.04, 0.04)),
        *((3, 3.009), (-7, -6.991), (8, 9), (-math.inf, math.inf), (30, math.inf)),
    ],
)
def test_cells_of_a_normal_against_numerical_integrals(low, high):
    peak = min(max(0.0, low), high)  # where the density is largest, to keep it from underflow

    def moment(power):
        def integrand(x):
            return (x - peak) ** power * math.exp((peak**2 - x**2) / 2)

        return quad(integrand, max(low, peak - 12), min(high, peak + 12), epsabs=1e-13, limit=200)[
            0
        ]

    mass = moment(0)
    mean = moment(1) / mass
    variance = moment(2) / mass - mean**2
    ours = _cut_moments(np.array([low * 3]), np.array([high * 3]), np.array([9.0]))
    assert ours[0][0] == pytest.approx(3 * (peak + mean), rel=1e-4, abs=1e-9)
    assert ours[1][0] == pytest.approx(9 * variance, rel=2e-3)
    probability = mass * math.exp(-(peak**2) / 2) / math.sqrt(2 * math.pi)
    least = 1e-4 * min((high - low) / 10, 1)
    ours = _cell_probability(np.array([low]), np.array([high]))[0]
    assert ours == pytest.approx(probability + least, rel=1e-3)


def test_moments_beyond_what_floats_hold_stay_finite_and_inside():
    low = np.array([60.0, 60.0, -math.inf, 500.0, -70.0])
    high = np.array([math.inf, 61.0, -45.0, 500.01, -60.0])
    mean, variance = _cut_moments(low, high, np.ones(5))
    np.testing.assert_allclose(
        mean, [60 + 1 / 60, 60 + 1 / 60, -45 - 1 / 45, 500, -60 - 1 / 60], 1e-3
    )
    assert ((variance > 0) & (variance < 1e-3)).all()


def test_consistent_rules_out_by_any_one_reading():
    cells = np.array([[1, 2, 3]])
    alternatives = np.array([[[1, 2, 3], [1, 2, 4]]])
    assert consistent(cells, alternatives).tolist() == [[True, False]]


@pytest.mark.parametrize("likelihood", [independent, factors])
@pytest.mark.parametrize("r", [0, 2])
def test_likelihoods_win_what_the_normal_trade_off_allows(likelihood, r):
    """Homes that really are normal, and cells so fine that the sum is seen: mu^2 = d' C^-1 d."""
    rng = np.random.default_rng(3)
    t, m, games = 12, 3, 20_000
    loadings = rng.normal(0, 900, (t, r))
    residual = rng.uniform(0.5, 1.5, t) * 1e6
    population = Population(rng.uniform(5e3, 1e4, t), loadings, residual)
    candidates = rng.normal(8000, 500, (1, 2, t)).round().astype(np.int64)
    covariance = m * (loadings @ loadings.T + np.diag(residual))
    unknown = rng.multivariate_normal(m * population.mean_wh, covariance, games)
    member = rng.integers(0, 2, games)
    total = np.floor(unknown + candidates[0, member])
    knowledge = PartialKnowledge(
        total,
        total + 1,
        candidates.repeat(games, axis=0),
        np.zeros((games, t)),
        m,
        np.zeros(games, dtype=int),
    )
    right = ((likelihood(knowledge, population) < 0) == member).mean()
    d = (candidates[0, 0] - candidates[0, 1]).astype(float)
    if r and likelihood is independent:
        # Its rule is linear in the sum, with weights d / variance.
        w = d / np.diag(covariance)
        mu = (w @ d) / math.sqrt(w @ covariance @ w)
    else:
        mu = math.sqrt(d @ np.linalg.inv(covariance) @ d)
    recall, false_alarm = gaussian_rates(0.5, mu)
    assert false_alarm == pytest.approx(1 - recall)
    assert 0.6 < recall < 0.95
    assert right == pytest.approx(recall, abs=5 * math.sqrt(0.25 / games))
    assert recall == pytest.approx(norm.cdf(mu / 2))


@pytest.mark.parametrize("likelihood", [independent, factors])
@pytest.mark.parametrize("r", [0, 3])
@pytest.mark.parametrize("one_window", [False, True])
def test_compiled_likelihoods_are_the_plain_ones(likelihood, r, one_window):
    """Cells from one Wh to all there is, far from what is expected, and equal candidates."""
    rng = np.random.default_rng(8)
    t, games, unknown = 12, 30, 4
    population = Population(
        rng.uniform(500, 900, t), rng.normal(0, 300, (t, r)), rng.uniform(1e4, 1e6, t)
    )
    starts = np.full(games, 2) if one_window else rng.integers(0, 4, games)
    shape = (games, 9)
    x = rng.integers(0, 3000, (games, 2, 9))
    x[0, 1] = x[0, 0]
    lower = rng.integers(-5, 8, shape) * 1000.0
    upper = lower + rng.choice([1, 300, 3000, 1e5, np.inf], shape)
    lower[1], lower[2, :4] = -np.inf, -np.inf
    lower[3], upper[3] = 1e6, 1e6 + 1
    known = rng.integers(0, 2000, shape)
    knowledge = PartialKnowledge(lower, upper, x, known, unknown, starts)
    plain = likelihood(knowledge, population, compiled=False)
    found = likelihood(knowledge, population)
    assert (np.sign(found) == np.sign(plain)).all()
    assert found[0] == 0
    np.testing.assert_allclose(found, plain, rtol=1e-11, atol=1e-11)


def test_what_is_left_of_cells_far_out_is_the_same_rounding():
    """Logarithms of ratios that rounding alone keeps from 1 are added, one by one."""
    rng = np.random.default_rng(5)
    games, t = 200, 9
    population = Population(np.full(t, 500.0), np.zeros((t, 0)), rng.uniform(1e4, 1e6, t))
    lower = 1e6 + rng.integers(0, 1000, (games, t))
    x, known = rng.integers(0, 3000, (games, 2, t)), np.zeros((games, t))
    starts = np.zeros(games, dtype=int)
    knowledge = PartialKnowledge(lower, lower + 1000, x, known, 4, starts)
    found = independent(knowledge, population)
    assert 0 < np.abs(found).max() < 1e-11
    plain = independent(knowledge, population, compiled=False)
    np.testing.assert_allclose(found, plain, rtol=1e-3, atol=1e-17)


def test_population_holds_mean_and_covariance():
    rng = np.random.default_rng(0)
    energy = make_energy(80, 24, seed=2)
    population = Population.estimate(energy, factors=3)
    covariance = np.cov(energy.T)
    ours = population.loadings_wh @ population.loadings_wh.T + np.diag(population.residual_wh2)
    np.testing.assert_allclose(population.mean_wh, energy.mean(axis=0))
    np.testing.assert_allclose(np.diag(ours), np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance)
    for factor in range(3):
        mine = population.loadings_wh[:, factor]
        np.testing.assert_allclose(mine @ mine, values[-1 - factor])
        assert abs(mine @ vectors[:, -1 - factor]) ** 2 == pytest.approx(mine @ mine)
    few = Population.estimate(energy[:12], factors=3)
    assert few.loadings_wh.shape == (24, 1)
    same = Population.estimate(np.full((5, 3), 7) + rng.integers(0, 1, (5, 3)), factors=3)
    assert (same.residual_wh2 > 0).all()
