"""The outcome of games: every number of it against a plain loop over the games."""

import numpy as np
import pytest

from noiseless.games.membership import draw_games, draw_group_games, draw_test_games
from noiseless.games.outcome import Outcome
from noiseless.seeds import make_generator
from noiseless.statistics import estimate_group_mean, estimate_proportion


@pytest.fixture
def outcomes():
    games = draw_test_games(*map(np.random.default_rng, (1, 2)), homes=40, n=5, games=60)
    preferences = np.random.default_rng(3).integers(-1, 2, (2, len(games.member)))
    return [
        Outcome.draw(make_generator(4, name), games, name, preference.astype(float))
        for name, preference in zip("ab", preferences, strict=True)
    ]


def test_every_number_is_that_of_a_loop_over_games(outcomes):
    outcome, other = outcomes
    games, won, coins, differences = outcome.games, 0, 0, []
    for g in range(60):  # games between all homes come first
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
    # Groups: each mean by itself, none of whose homes is in another group.
    means, seen = [], []
    for group in range(games.group.max() + 1):
        places = [60 + h for h in np.flatnonzero(games.group == group)]
        means.append(np.mean([outcome.gain[g] for g in places]))
        seen.append(set(games.candidates[places].ravel()) | set(games.others[places].ravel()))
    assert not any(a & b for i, a in enumerate(seen) for b in seen[:i])
    expected = estimate_group_mean(outcome.advantage.value, means)
    assert outcome.advantage_over_homes == expected


def test_drawn_games_are_those_of_both_draws_in_any_concatenation():
    size = {"homes": 40, "n": 5, "games": 60}
    drawn = draw_test_games(*map(np.random.default_rng, (1, 2)), **size)
    between, within = (
        draw_games(np.random.default_rng(1), **size),
        draw_group_games(np.random.default_rng(2), **size),
    )
    for name in ("candidates", "member", "others"):
        assert (getattr(drawn.between, name) == getattr(between, name)).all()
        assert (getattr(drawn.within, name) == getattr(within, name)).all()
    assert (drawn.within.group == within.group).all()
    assert not len(drawn.between.group)
