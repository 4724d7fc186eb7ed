"""The game of every pair beside single games, and honest selection."""

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import DataError, TooSmallError
from noiseless.games import pairs
from noiseless.games.membership import (
    Games,
    iterate_batches,
    load_membership_adversaries,
    sum_members_wh,
)
from noiseless.games.pairs import PairGains, draw_others, play_pair_games
from noiseless.games.releases import QuantizedMeanRelease
from noiseless.papers.noiseless import selected_pairs
from noiseless.papers.noiseless.selected_pairs import build_pairs_table
from noiseless.seeds import make_generator
from toy_homes import make_energy, make_table

pytestmark = pytest.mark.slow

SETTINGS = {
    **{"dataset": "toy", "seed": 3, "days": [5, 40], "candidates": 20, "draws": 60},
    **{"cells": [{"n": 3, "epsilon_bits": 1}], "public_range_kwh": 12, "main_fuse_kwh": 40},
    "quantizer_rule": "n_2^eps",
}


def gains_by_single_games(energy, pair, others, release, start, days):
    """What each adversary gains of a pair in one draw, by two games of the other game's code."""
    window = energy[:, start : start + days]
    games = Games(np.array([pair] * 2), np.array([0, 1]), np.array([others] * 2))
    [batch] = iterate_batches(window, games)
    [view] = batch.build_views(release.publish_batch(batch))
    found = {
        each.name: np.sign(each().prefer(view)) @ [1, -1] / 2
        for each in load_membership_adversaries(trained=False)
        if not each.sees_series  # who does, does not play these games
    }
    clipped = np.minimum(window, release.maximum_wh)
    cells = release.publish_totals(sum_members_wh(clipped, games.members)).k
    both = release.publish_totals(clipped[list(others)].sum(axis=0) + clipped[list(pair)]).k
    possible = (both == cells[:, None]).all(axis=2)
    found["exact"] = float((possible[[0, 1], [0, 1]] & ~possible[[0, 1], [1, 0]]).mean())
    return found


@pytest.mark.parametrize("levels", [1, 3, 40, None])
@pytest.mark.parametrize("games_at_once", [1, 100, 10_000])
def test_gains_of_pairs_are_those_of_single_games(levels, games_at_once, monkeypatch):
    """Pairs of whom one is among the others sit out; ties, clipping and windows included.

    One draw of 25 games at a time, four and then two, or all six at once.
    """
    monkeypatch.setattr(pairs, "_GAMES_AT_ONCE", games_at_once)
    energy = make_energy(9, 14, largest=3000)
    release = QuantizedMeanRelease(3, 1800, levels)
    rng = make_generator(1, "pairs", str(levels))
    others = draw_others(rng, np.arange(9), n=3, draws=6)
    starts = rng.integers(0, 4, 6)
    candidates = np.array([0, 2, 3, 5, 8])
    found = play_pair_games(
        energy,
        candidates,
        others,
        release,
        load_membership_adversaries(trained=False),
        starts=starts,
        days=10,
    )
    total = {name: np.zeros((5, 5)) for name in found}
    played = np.zeros((5, 5))
    for some, start in zip(others, starts, strict=True):
        for i, j in np.argwhere(~np.eye(5, dtype=bool)):
            pair = candidates[[i, j]]
            if set(pair) & set(some):
                continue
            played[i, j] += 1
            single = gains_by_single_games(energy, pair, some, release, start, 10)
            for name in found:
                total[name][i, j] += single[name]
    assert 0 < played.sum() < 6 * 20
    for name, gains in found.items():
        np.testing.assert_array_equal(gains.played, played, err_msg=name)
        np.testing.assert_array_equal(gains.total, total[name], err_msg=name)
        assert np.nanmax(np.abs(gains.draw_means)) <= 1
    weight = [np.isin(candidates, some, invert=True).sum() for some in others]
    weight = np.array([each * (each - 1) for each in weight])
    exact = found["exact"]
    assert np.nansum(exact.draw_means * weight) == pytest.approx(exact.total.sum())


def test_others_are_distinct_homes_of_those_given():
    homes = np.array([3, 4, 8, 9, 11])
    drawn = draw_others(make_generator(1, "others"), homes, n=4, draws=300)
    assert drawn.shape == (300, 3)
    assert all(len(set(row)) == 3 and set(row) <= set(homes) for row in drawn)
    share = pd.Series(drawn.ravel()).value_counts(normalize=True)
    assert abs(share - 0.2).max() < 0.06


def gains_of(advantage, draws=10):
    """Gains of pairs with some advantages in so many draws."""
    advantage = np.array(advantage, dtype=float)
    played = draws * (1 - np.eye(len(advantage), dtype=int))
    return PairGains(advantage * played, played, np.zeros(draws))


def test_selection_is_counted_where_it_was_not_made():
    """The pair that one half likes best is worth nothing on the other, and 0.5 in sample."""
    one = gains_of([[0, 1, 0.2], [1, 0, 0.1], [0.2, 0.1, 0]])
    other = gains_of([[0, 0, 0.6], [0, 0, 0.1], [0.6, 0.1, 0]])
    total, played = selected_pairs._sum_held_out_gain(one, other)
    assert (total, played) == (10 * 0 + 10 * 0.2, 20)
    assert np.nanmax((one + other).advantage) == 0.5


def test_pairs_of_which_none_played_in_both_halves_are_too_few():
    total, played, means = np.zeros((2, 2)), np.zeros((2, 2), np.int64), np.zeros(1)
    one = PairGains(total, 1 - np.eye(2, dtype=np.int64), means)
    with pytest.raises(TooSmallError, match=r"no pair of homes .* raise noiseless\.pairs\.draws"):
        selected_pairs._sum_held_out_gain(one, PairGains(total, played, means))


def test_pure_luck_is_no_advantage_of_the_selected_pair(monkeypatch):
    """Adversaries who toss coins win in sample, and nothing on data held back."""

    def coins(energy, candidates, others, release, adversaries, *, starts, days):
        rng = make_generator(7, "luck", int(others[0, 0]), len(candidates), int(starts.sum()))
        m, draws = len(candidates), len(others)
        won = np.triu(rng.choice([-1.0, 1.0], (draws, m, m)), 1)
        won = (won + won.swapaxes(1, 2)).sum(axis=0)
        played = draws * (1 - np.eye(m, dtype=int))
        return {"coin": PairGains(won, played, rng.choice([-1.0, 1.0], draws))}

    monkeypatch.setattr(selected_pairs, "play_pair_games", coins)
    energy = make_energy(40, 40)
    found = build_pairs_table(make_table(energy), **{**SETTINGS, "candidates": 40})
    found = found[(found["statistic"] == "advantage") & (found["days"] == 40)]
    found = found[found["range_kwh"] == 12].set_index("choice")
    assert found.loc["selected_in_sample", "value"] > 0.2
    assert found.loc["selected", "low"] < 0 < found.loc["selected", "high"]


def test_of_no_group_more_candidates_play_than_were_asked_for(monkeypatch):
    """So that time grows with the homes and not with their square; smaller groups play as one."""
    played = []

    def spy(energy, candidates, *rest, **settings):
        played.append(len(candidates))
        return play_pair_games(energy, candidates, *rest, **settings)

    monkeypatch.setattr(selected_pairs, "play_pair_games", spy)
    readings = make_table(make_energy(200, 5, idle=False))  # 20 groups of 10 homes
    found = {}
    for candidates in (3, 12, 20):
        played.clear()
        settings = {**SETTINGS, "days": [5], "draws": 10, "candidates": candidates}
        table = build_pairs_table(readings, **settings)
        assert set(played) == {2, candidates, min(candidates, 10)}
        found[candidates] = table[table["choice"] == "selected_in_group"].reset_index(drop=True)
    pd.testing.assert_frame_equal(found[12], found[20])
    assert not found[3].equals(found[12])


@pytest.fixture(scope="module")
def found():
    """At the narrower range alone."""
    both = build_pairs_table(make_table(make_energy(40, 40, idle=False)), **SETTINGS)
    assert set(both["range_kwh"]) == {12, 40}
    return both[both["range_kwh"] == 12]


def test_selected_pair_is_easier_than_a_random_one(found):
    pairs = found
    of = pairs[(pairs["days"] == 40) & (pairs["statistic"] == "advantage")]
    of = of.pivot(index="adversary", columns="choice", values="value")
    for name in ("correlation", "mse", "peaks", "exact"):
        assert of.loc[name, "random"] < of.loc[name, "selected"]
        assert of.loc[name, "selected"] <= of.loc[name, "selected_in_sample"]
    assert (of.loc["exact"] >= of.loc["correlation"]).all()
    assert of.loc["control", "random"] == 0
    # Reports add up: the budget, and what whoever knows all others makes of them.
    any_row = pairs[(pairs["adversary"] == "any") & (pairs["statistic"] == "composed_bits")]
    assert any_row.set_index("days")["value"].to_dict() == {5: 5, 40: 40}
    exact = pairs[(pairs["adversary"] == "exact") & (pairs["choice"] == "random")]
    exact = exact[exact["statistic"] == "advantage"].set_index("days")["value"]
    assert exact[5] < exact[40]


def test_intervals_run_over_games_and_over_homes(found):
    pairs = found
    homes = pairs[pairs["statistic"] == "advantage_over_homes"]
    assert set(homes["choice"]) == {"random", "selected_in_group"}
    assert ((homes["low"] <= homes["value"]) & (homes["value"] <= homes["high"])).all()
    games = pairs[(pairs["statistic"] == "advantage")].set_index("choice")
    assert games.loc["selected_in_sample", "low"].isna().all()
    rest = games.drop("selected_in_sample")
    assert ((rest["low"] <= rest["value"]) & (rest["value"] <= rest["high"])).all()


def test_what_cannot_be_played_is_an_error():
    readings = make_table(make_energy(12, 20))
    with pytest.raises(TooSmallError, match=r"days is \[40\], but the readings have 20 days"):
        build_pairs_table(readings, **{**SETTINGS, "days": [40]})
    with pytest.raises(TooSmallError, match=r"pairs is \[6\], but half of the homes, 6, are in"):
        build_pairs_table(
            readings, **{**SETTINGS, "days": [5], "cells": [{"n": 6, "epsilon_bits": 1}]}
        )
    with pytest.raises(DataError, match="for exact sums"):
        play_pair_games(
            np.full((4, 400), 2_000_000_000),
            np.arange(2),
            np.array([[2, 3]]),
            QuantizedMeanRelease(3, 2_000_000_000, None),
            [],
            starts=np.array([0]),
            days=400,
        )
