"""The outcome of games: every number of it against a plain loop over the games."""

import numpy as np
import pytest

from noiseless.games.membership import concatenate_games, draw_games
from noiseless.games.outcome import Outcome
from noiseless.seeds import make_generator
from noiseless.statistics import estimate_home_mean, estimate_proportion


@pytest.fixture
def outcomes():
    games = draw_games(np.random.default_rng(1), homes=40, n=5, games=60)
    preferences = np.random.default_rng(3).integers(-1, 2, (2, len(games.member)))
    return [
        Outcome.draw(make_generator(4, name), games, name, preference.astype(float))
        for name, preference in zip("ab", preferences, strict=True)
    ]


def test_every_number_is_that_of_a_loop_over_games(outcomes):
    outcome, other = outcomes
    games, won, coins, differences = outcome.games, 0, 0, []
    for g in range(60):
        right = []
        for each in outcomes:
            preference = each.preference[g]
            guess = each.coin[g] if preference == 0 else int(preference < 0)
            right.append(guess == games.member[g])
        won += right[0]
        coins += outcome.preference[g] == 0
        differences.append(2 * int(right[0]) - 2 * int(right[1]))
    assert outcome.won_share == estimate_proportion(int(won), 60)
    assert outcome.advantage.value == pytest.approx(2 * won / 60 - 1)
    assert outcome.coin_share == coins / 60
    assert outcome.estimate_lead(other).value == pytest.approx(np.mean(differences))
    of_homes = estimate_home_mean(
        outcome.gain,
        np.column_stack([games.candidates[:, 0], games.candidates[:, 1], games.others]),
    )
    found = outcome.advantage_over_homes
    assert (found.low, found.high, found.over) == (of_homes.low, of_homes.high, "homes")


def test_games_of_two_sets_are_parts_of_one():
    one, other = (
        draw_games(np.random.default_rng(seed), homes=40, n=5, games=60) for seed in (1, 2)
    )
    both = concatenate_games([one, other.replace_homes(np.arange(40, 80))])
    assert both.part.tolist() == [0] * 60 + [1] * 60
    assert (both[60:].members == other.members + 40).all()
    assert both[60:].part.tolist() == [1] * 60
