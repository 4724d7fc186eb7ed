"""Adversaries who know the mechanism: plain loops, and whole universes in fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import known_others_loop as loop
from members import ADVERSARIES
from noiseless.adversaries.labels import COMBINED, EXACT, NORMAL
from noiseless.adversaries.normal_homes import NormalHomeModel
from noiseless.games import membership
from noiseless.games.membership import Games
from noiseless.games.releases import QuantizedMeanRelease, build_release
from noiseless.papers.beyond.informed import (
    collect_informed_preferences,
    draw_half_games,
    split_homes,
)
from toy_homes import make_energy

SOLVED = (NORMAL, COMBINED)  # whose equations are solved to a tolerance


def play_all(energy, games, releases, *, known=(0,), windows=0, days=None):
    """All games in one half, whose adversaries are told of all homes."""
    return collect_informed_preferences(
        np.minimum(energy, releases[0].maximum_wh),
        games,
        releases,
        windows=np.broadcast_to(windows, len(games.member)),
        days=days or energy.shape[1],
        halves=[np.arange(len(energy)), np.array([], dtype=int)],
        populations=[NormalHomeModel.estimate(energy)] * 2,
        known=known,
    )


@pytest.mark.parametrize(("n", "known"), [(2, (0,)), (6, (0, 4))])
@pytest.mark.parametrize("days", [12, 40])
def test_preferences_are_those_of_plain_loops(n, known, days):
    """Either half, windows and the whole period, coarse and fine cells, one level, exact means."""
    energy = np.minimum(make_energy(), 5000)
    halves = split_homes(len(energy), dataset="toy", seed=1)
    games = draw_half_games(halves, n=n, games=6, dataset="toy", seed=1)[:6]
    releases = [QuantizedMeanRelease(n, 5000, q) for q in (1, 2, 7, 64, 4000, None)]
    windows = np.array([2, 0, 2, 1, 0, 0]) * (days < 40)
    tells = [NormalHomeModel.estimate(energy[half]) for half in (halves[1], halves[0])]
    settings = {
        "windows": windows,
        "days": days,
        "halves": halves,
        "populations": tells,
        "known": known,
    }
    found = collect_informed_preferences(energy, games, releases, **settings)
    for release, preferences in zip(releases, found, strict=True):
        for g in range(6):
            start, member, side = days * windows[g], games.member[g], int(g >= 3)
            assert games.candidates[g, 0] in halves[side]
            energy_g = energy[:, start : start + days]
            game = (energy_g, games.candidates[g], member, games.others[g], release)
            assert preferences[EXACT, n - 1][g] == loop.exact(*game)
            for k in known:
                found = preferences[NORMAL, k][g]
                if release.levels is None or release.levels == 4000:
                    slow = loop.normal(*game, k=k, population=tells[side], start=start)
                    assert found == pytest.approx(slow, rel=1e-6, abs=1e-6)
                assert np.isfinite(found)


@pytest.mark.parametrize("days", [6, 12])
@pytest.mark.parametrize("readings_at_once", [1, 90])
def test_games_some_at_a_time_are_those_of_all_at_once(readings_at_once, days, monkeypatch):
    """One game at a time, or several; windows that differ between games, short and long."""
    energy = make_energy()
    games = membership.draw_games(np.random.default_rng(2), homes=30, n=6, games=30)
    releases = [QuantizedMeanRelease(6, 5000, q) for q in (7, None)]
    settings = {"windows": np.arange(30) % 3, "days": days, "known": (0, 2, 4)}
    at_once = play_all(energy, games, releases, **settings)
    monkeypatch.setattr(membership, "_READINGS_AT_ONCE", readings_at_once)
    for found, expected in zip(play_all(energy, games, releases, **settings), at_once, strict=True):
        assert list(found) == list(expected)
        for who, preference in found.items():
            # Equations are solved to 1e-7 of the length of their right-hand side.
            np.testing.assert_allclose(
                preference, expected[who], rtol=1e-5 if who[0] in SOLVED else 0, err_msg=str(who)
            )


def test_to_swap_the_candidates_swaps_every_preference():
    energy = make_energy()
    games = membership.draw_games(np.random.default_rng(1), homes=30, n=4, games=80)
    swapped = Games(games.candidates[:, ::-1], 1 - games.member, games.others)
    releases = [build_release(e, n=4, maximum_wh=5000) for e in (1, 4, math.inf)]
    for one, other in zip(
        play_all(energy, games, releases, known=(0, 2)),
        play_all(energy, swapped, releases, known=(0, 2)),
        strict=True,
    ):
        for who, preference in one.items():
            np.testing.assert_allclose(other[who], -preference, rtol=1e-6, atol=1e-9)


def test_papers_adversaries_are_those_of_the_other_experiment():
    energy = make_energy()
    games = membership.draw_games(np.random.default_rng(1), homes=30, n=4, games=100)
    releases = [build_release(e, n=4, maximum_wh=5000) for e in (0.5, 2, 6, math.inf)]
    adversaries = membership.load_membership_adversaries(trained=False)
    preferred = membership.play(adversaries, energy, games, releases)
    for theirs, ours in zip(preferred, play_all(energy, games, releases), strict=True):
        for name in ADVERSARIES:
            np.testing.assert_array_equal(ours[name, 0], theirs[name])


def every_game(homes, n):
    """All games there are, each member once."""
    cases = [
        (pair, member, others)
        for pair in itertools.permutations(range(homes), 2)
        for others in itertools.combinations([h for h in range(homes) if h not in pair], n - 1)
        for member in (0, 1)
    ]
    return Games(
        np.array([case[0] for case in cases]),
        np.array([case[1] for case in cases]),
        np.array([case[2] for case in cases]),
    )


def gain(preference, member):
    """Expected gain over all games; where there is no preference, a coin gains nothing."""
    won = np.sign(preference) * np.where(member == 0, 1, -1)
    return Fraction(int(won.sum()), len(member))


def best_gain(energy, homes, n, release):
    """The most that any rule gains who knows both candidates and the others, by trying each rule.

    A rule names a candidate for each output; the outputs are those of the two candidates.
    """
    total, cases = Fraction(0), 0
    for pair in itertools.permutations(range(homes), 2):
        for others in itertools.combinations([h for h in range(homes) if h not in pair], n - 1):
            outputs = [
                tuple(
                    loop.cell_of(sum(int(energy[h, t]) for h in (c, *others)), release)
                    for t in range(energy.shape[1])
                )
                for c in pair
            ]
            symbols = sorted(set(outputs))
            gains = []
            for named in itertools.product((0, 1), repeat=len(symbols)):
                rule = dict(zip(symbols, named, strict=True))
                right = sum(rule[output] == j for j, output in enumerate(outputs))
                gains.append(Fraction(2 * right - 2, 2))
            total, cases = total + max(gains), cases + 1
    return total / cases


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("levels", [1, 3, 5, 12, None])
def test_nobody_beats_the_exact_adversary_in_all_games_of_a_small_universe(seed, levels):
    """Its advantage is the best of all rules, and the share of games with different outputs."""
    rng = np.random.default_rng(seed)
    energy = rng.integers(0, 7, (5, 3))
    energy[1] = energy[0]  # nobody tells these two apart
    energy[0, 0] = energy[1, 0] = 6
    games, release = every_game(5, 3), QuantizedMeanRelease(3, 6, levels)
    [found] = play_all(energy, games, [release], known=(0, 1))
    advantage = gain(found[EXACT, 2], games.member)
    assert advantage == best_gain(energy, 5, 3, release)
    assert advantage == Fraction(int((found[EXACT, 2] != 0).sum()), len(games.member))
    for who, preference in found.items():
        assert gain(preference, games.member) <= advantage, who
    assert gain(found["control", 0], games.member) == 0
    if levels == 1:
        assert advantage == 0
    if levels is None:
        assert advantage == 1 - Fraction(2, 20)  # all pairs but the two alike, in either order


def test_games_stay_within_their_half_which_is_their_part():
    halves = split_homes(25, dataset="toy", seed=1)
    drawn = draw_half_games(halves, n=3, games=121, dataset="toy", seed=1)
    assert np.bincount(drawn.part).tolist() == [61, 60]
    for side, half in enumerate(halves):
        assert set(drawn.homes[drawn.part == side].ravel()) == set(half)
