"""Rounded means: every number by a plain loop, by fractions, or by a library's density."""

import itertools

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from noiseless.adversaries.labels import EXACT, NORMAL
from noiseless.adversaries.membership.correlation import Correlation
from noiseless.adversaries.membership.mse import MeanSquareError
from noiseless.adversaries.normal_homes import Population
from noiseless.errors import DataError
from noiseless.games.pairs import (
    Draw,
    pair_gains_of,
    periods_of,
    plan_games,
    single_value_gains,
    totals_of,
)
from noiseless.games.releases import RoundedMean, sum_seen
from noiseless.seeds import generator


@pytest.fixture(scope="module")
def homes():
    """20 homes of 6 readings, in Wh."""
    return generator(1, "rounding").integers(500, 9000, (20, 6))


def test_periods_are_sums_and_what_is_over_is_cut(homes):
    weeks = periods_of(homes, 4)
    assert weeks.tolist() == [[int(row[:4].sum())] for row in homes]


def test_draws_are_games():
    homes, n, candidates = 23, 7, 6
    plan = plan_games(generator(2, "plan"), homes=homes, n=n, draws=40, candidates=candidates)
    for draw in plan:
        everyone = np.concatenate([draw.others, draw.candidates])
        assert (len(draw.others), len(draw.candidates)) == (n - 1, candidates)
        assert len(set(everyone)) == len(everyone)
    for drawn in ("others", "candidates"):
        every = np.concatenate([getattr(draw, drawn) for draw in plan])
        assert np.bincount(every, minlength=homes).min() > 0
    (few,) = plan_games(generator(2, "plan"), homes=8, n=7, draws=1, candidates=candidates)
    assert len(few.candidates) == 2


def loop_gains(preference, m):
    """Mean of both games of each pair, a loop over pairs; ``preference(member, other)``."""
    gains = np.zeros((m, m))
    for i, j in itertools.permutations(range(m), 2):
        gains[i, j] = (np.sign(preference(i, j)) + np.sign(preference(j, i))) / 2
    return gains.sum(axis=1) / (m - 1)


def test_gains_of_pairs_are_those_of_a_loop(homes):
    release, draw = RoundedMean(4, 700), Draw(np.array([0, 1, 2]), np.array([5, 6, 7, 8, 9]))
    population = Population.estimate(homes[10:])
    x, total = homes[draw.candidates], totals_of(homes, draw)
    assert (total == homes[:3].sum(axis=0) + x).all()
    series = release.publish(total)
    k = series.k
    found = pair_gains_of(
        x, series, sum_seen(release, population), [Correlation(), MeanSquareError()]
    )
    y = 4 * 700.0 * k
    covariance = 3 * (1 + 3 / population.homes) * population.covariance_wh2
    covariance += np.eye(6) * (4 * 700) ** 2 / 12

    def normal(i, j):
        one, other = (
            multivariate_normal.logpdf(y[i], x[c] + 3 * population.mean_wh, covariance)
            for c in (i, j)
        )
        return one - other

    expected = {
        NORMAL: normal,
        "correlation": lambda i, j: np.corrcoef(y[i], x[i])[0, 1] - np.corrcoef(y[i], x[j])[0, 1],
        "mse": lambda i, j: ((y[i] / 4 - x[j]) ** 2).sum() - ((y[i] / 4 - x[i]) ** 2).sum(),
        EXACT: lambda i, j: float((k[i] != k[j]).any()),
    }
    assert set(found) == set(expected)
    for name, preference in expected.items():
        np.testing.assert_allclose(found[name], loop_gains(preference, 5), err_msg=name)


def test_gains_of_single_values_are_those_of_a_loop(homes):
    release, draw = RoundedMean(4, 700), Draw(np.array([0, 1, 2]), np.array([5, 6, 7, 8, 9]))
    population = Population.estimate(homes[10:])
    x = homes[draw.candidates]
    series = release.publish(totals_of(homes, draw))
    k, found = series.k, single_value_gains(x, series, 4, population)
    variance = 3 * np.diagonal(population.covariance_wh2) + (4 * 700) ** 2 / 12

    def at(t):
        def normal(i, j):
            off = [4 * 700.0 * k[i, t] - 3 * population.mean_wh[t] - x[c, t] for c in (i, j)]
            return (off[1] ** 2 - off[0] ** 2) / variance[t]

        return normal

    each = [loop_gains(at(t), 5) for t in range(6)]
    np.testing.assert_allclose(found[NORMAL], np.mean(each, axis=0))
    each = [loop_gains(lambda i, j, t=t: float(k[i, t] != k[j, t]), 5) for t in range(6)]
    np.testing.assert_allclose(found[EXACT], np.mean(each, axis=0))


def test_a_release_that_says_nothing_gives_nobody_a_preference_by_chance(homes):
    """One step for everything: exact and correlation have nothing to go by."""
    release, draw = RoundedMean(4, 10**6), Draw(np.array([0, 1, 2]), np.array([5, 6, 7, 8]))
    series = release.publish(totals_of(homes, draw))
    x, seen = homes[draw.candidates], sum_seen(release, Population.estimate(homes[10:]))
    found = pair_gains_of(x, series, seen, [Correlation()])
    assert not series.k.any()
    for gains in found.values():
        np.testing.assert_allclose(gains, 0)


def test_readings_too_large_for_exact_sums_are_refused():
    x = np.array([[0, 2**40], [5, 2**41]])
    with pytest.raises(DataError, match="too large for sums"):
        pair_gains_of(x, RoundedMean(1, 1).publish(x), None, [])
