"""What adversaries gain of every pair, by a loop over draws, members and others."""

import numpy as np
import pytest

from noiseless.adversaries.labels import EXACT
from noiseless.adversaries.membership.correlation import Correlation
from noiseless.adversaries.membership.mse import MeanSquareError
from noiseless.games.pairs import play_pair_games
from noiseless.games.releases import QuantizedMeanRelease
from noiseless.seeds import make_generator

CANDIDATES = np.array([5, 6, 7, 8, 9])
OTHERS = np.array([[0, 1, 2], [10, 11, 12], [3, 0, 19]])
STARTS = np.array([0, 1, 2])
DAYS = 4


@pytest.fixture(scope="module")
def homes():
    """20 homes of 6 readings, in Wh."""
    return make_generator(1, "rounding").integers(500, 9000, (20, 6))


def gains(homes, release):
    players = [Correlation, MeanSquareError]
    return play_pair_games(homes, CANDIDATES, OTHERS, release, players, starts=STARTS, days=DAYS)


def loop_gains(preference, m):
    """Mean of both games of each pair; ``preference(member, other)``."""
    found = np.zeros((m, m))
    for i in range(m):
        for j in range(m):
            if i != j:
                found[i, j] = (np.sign(preference(i, j)) + np.sign(preference(j, i))) / 2
    return found


def test_gains_of_pairs_are_those_of_a_loop(homes):
    maximum, levels = 9000, 12
    found = gains(homes, QuantizedMeanRelease(4, maximum, levels))
    expected = {name: np.zeros((5, 5)) for name in ("correlation", "mse", EXACT)}
    for others, start in zip(OTHERS, STARTS, strict=True):
        window = homes[:, start : start + DAYS]
        x = window[CANDIDATES]
        k = np.array([(window[others].sum(axis=0) + each) * levels // (4 * maximum) for each in x])
        y = (k + 0.5) * maximum / levels

        def agreement(i, j, x=x, y=y):
            return np.corrcoef(y[i], x[i])[0, 1] - np.corrcoef(y[i], x[j])[0, 1]

        def distance(i, j, x=x, y=y):
            return ((y[i] - x[j]) ** 2).sum() - ((y[i] - x[i]) ** 2).sum()

        def impossible(i, j, k=k):
            return float((k[i] != k[j]).any())

        for name, preference in zip(expected, (agreement, distance, impossible), strict=True):
            expected[name] += loop_gains(preference, 5)
    assert list(found) == list(expected)
    for name, total in expected.items():
        np.testing.assert_allclose(found[name].total, total, err_msg=name)
        assert np.abs(total).max() > 0
        assert (found[name].played == 3 * (1 - np.eye(5))).all()


def test_a_release_that_says_nothing_gives_nobody_a_preference_by_chance(homes):
    """One bin for everything: exact and correlation have nothing to go by."""
    found = gains(homes, QuantizedMeanRelease(4, 9000, 1))
    for name in ("correlation", EXACT):
        np.testing.assert_array_equal(found[name].total, 0, err_msg=name)
