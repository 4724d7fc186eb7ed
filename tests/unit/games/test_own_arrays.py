"""The membership game on arrays of one's own: plain loops, and mechanisms of one's own."""

import functools
import itertools

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from noiseless.games.membership import draw_games
from noiseless.seeds import generator


def test_membership_game_against_a_plain_loop():
    rng = generator(1, "homes of the game")
    homes = rng.integers(0, 9_000, (12, 20))
    found = nl.membership_game(
        pd.DataFrame(homes), n=3, epsilon_bits=np.float64(2), maximum_wh=8_000, games=200, rng=4,
        adversaries=["correlation"],
    )  # fmt: skip
    games = draw_games(generator(4, "membership of arrays", "n", 3), homes=12, n=3, games=200)
    coins = generator(4, "membership of arrays", "coin", "correlation").integers(0, 2, 200)
    quantizer = nl.Quantizer(0, 8_000, 12)
    wins = 0
    for candidates, member, others, coin in zip(
        games.candidates, games.member, games.others, coins, strict=True
    ):
        members = [candidates[member], *others]
        means = [sum(min(int(homes[i, t]), 8_000) for i in members) / 3 for t in range(20)]
        released = quantizer.release(means)
        scores = [np.corrcoef(released, homes[candidate])[0, 1] for candidate in candidates]
        preferred = coin if abs(scores[0] - scores[1]) < 1e-9 else int(scores[1] > scores[0])
        wins += preferred == member
    assert found.loc["correlation", "advantage"] == pytest.approx(2 * wins / 200 - 1)
    assert found.loc["correlation", "levels"] == 12
    assert (found["low"] < found["advantage"]).all()


def test_membership_game_of_a_mechanism_is_that_of_the_budget_with_its_levels():
    """The same games and coins, by another path: floats in kWh, and not whole numbers."""
    homes = generator(1, "homes of mechanisms").integers(0, 9_000, (12, 20))
    play = functools.partial(nl.membership_game, homes, n=3, games=300, rng=4, maximum_wh=8_000)
    budget = play(epsilon_bits=2)
    quantizer = play(mechanism=nl.Quantizer(0, 8, 12, clip=True))
    assert budget["levels"].tolist() == [12] * 4
    assert quantizer["levels"].isna().all()
    pd.testing.assert_frame_equal(budget.drop(columns="levels"), quantizer.drop(columns="levels"))
    noise = play(mechanism=nl.LaplaceMechanism(sensitivity=1000, epsilon_nats=1))
    assert (noise["low"] < 0.1).all()
    pd.testing.assert_frame_equal(
        noise, play(mechanism=nl.LaplaceMechanism(sensitivity=1000, epsilon_nats=1))
    )


class Doubling(nl.Mechanism):
    """A local mechanism that releases twice what a home has used, and a little noise."""

    name = "doubling"
    kind = "scale"
    is_local = True

    def release(self, values, rng):
        assert values.ndim == 3
        return 2 * values + self.parameter * rng.random(values.shape)


def test_mechanisms_and_adversaries_of_ones_own_play():
    """Correlation does not mind the doubling, and an adversary may learn from other homes."""
    homes = generator(1, "own").integers(0, 9_000, (40, 30))
    domain = nl.Domain((0.0,), (9.0,), "kwh", people=2)
    found = nl.membership_game(
        homes[:20],
        n=2,
        mechanism=Doubling(domain, 0.001),
        games=200,
        rng=4,
        adversaries=["correlation", "learned", "control"],
        known_wh=homes[20:],
    )
    assert found.loc["correlation", "low"] > 0.9
    assert found.loc["learned", "low"] > 0.9
    assert found.loc["control", "low"] < 0 < found.loc["control", "high"]


def test_means_that_are_published_already_against_a_plain_loop():
    """An adversary who tells the game that is played, beside each game that there can be."""
    rng = generator(1, "published")
    homes = rng.integers(0, 9_000, (7, 15))
    in_mean = np.array([[True] * 3 + [False] * 4, [False] * 4 + [True] * 3])
    published = np.array([homes[some].mean(axis=0).round(-2) for some in in_mean])
    seen = []

    class Spy(nl.Adversary):
        name = "spy"
        sees_series = True

        def prefer(self, evidence):
            raw = evidence.series
            assert raw.n == 3
            for output, (zero, one) in zip(raw.output_kwh, raw.candidates_kwh, strict=True):
                [row] = [r for r in (0, 1) if np.allclose(1000 * output, published[r], atol=1)]
                pair = [np.flatnonzero((homes / 1000 == x).all(axis=1))[0] for x in (zero, one)]
                assert in_mean[row, pair].sum() == 1
                seen.append((row, *pair))
            return np.ones(len(raw.output_kwh))

    found = nl.released_membership_game(
        homes, published, in_mean, games=1_200, rng=4, adversaries=["correlation", Spy]
    )
    assert set(seen) == {
        (row, i, j)
        for row in (0, 1)
        for i, j in itertools.permutations(range(7), 2)
        if in_mean[row, i] != in_mean[row, j]
    }
    always_zero = sum(in_mean[row, zero] for row, zero, _ in seen)
    assert found.loc["spy", "advantage"] == pytest.approx(2 * always_zero / 1200 - 1)
    won = 0
    for row, *pair in seen:
        zero, one = (np.corrcoef(published[row], homes[home])[0, 1] for home in pair)
        won += in_mean[row, pair[int(one > zero)]]
    assert found.loc["correlation", "advantage"] == pytest.approx(2 * won / 1200 - 1)


def test_whole_kwh_are_not_taken_for_wh():
    """Nobody is safe because of a unit: it is asked for, and who insists is believed."""
    homes_kwh = generator(1, "whole kWh").integers(0, 31, (12, 20))
    play = functools.partial(nl.membership_game, n=3, epsilon_bits=4, maximum_wh=30_000, games=200)
    with pytest.raises(nl.UserError, match=r"no reading reaches 1,000 Wh.*say `in_wh=True`"):
        play(homes_kwh)
    in_kwh, insisted = play(1000 * homes_kwh), play(homes_kwh, in_wh=True)
    assert in_kwh.loc["correlation", "low"] > 0.5 > insisted.loc["correlation", "high"]
    play(np.where(homes_kwh == homes_kwh.max(), 1000, homes_kwh))  # one reading is enough


@pytest.mark.parametrize("of", ["readings", "published", "known"])
def test_identical_homes_are_named_and_play_once_that_is_said(of):
    """Of an array by their rows, and of a frame by their names."""
    homes = generator(1, "identical homes").integers(0, 9_000, (12, 20))
    copied = homes.copy()
    copied[[4, 9]] = copied[2]
    copied[7] = copied[1]
    in_mean = np.arange(12) < 3

    def play(readings, **options):
        if of == "published":
            return nl.released_membership_game(
                readings, homes[in_mean].mean(axis=0), in_mean, games=200, rng=4, **options
            )
        given = {"known_wh": readings} if of == "known" else {}
        return nl.membership_game(
            homes if given else readings, n=3, epsilon_bits=2, maximum_wh=8_000, games=200, rng=4,
            **given, **options,
        )  # fmt: skip

    with pytest.raises(nl.UserError, match=r"homes 1, 7 have identical .* 5 homes .*ical=True`"):
        play(copied)
    frame = pd.DataFrame(copied, index=list("abcdefghijkl"))
    with pytest.raises(nl.UserError, match="the homes b, h have identical readings"):
        play(frame)
    assert play(copied, allow_identical=True)["identical"].eq(0 if of == "known" else 5).all()
    assert play(homes)["identical"].eq(0).all()
    pd.testing.assert_frame_equal(play(homes), play(homes, allow_identical=True))


def test_a_home_that_is_given_twice_covers_for_itself():
    """Why copies are an error: half of the homes twice, and less is found."""
    homes = generator(1, "twice").integers(0, 9_000, (40, 20))
    play = functools.partial(
        nl.membership_game, n=8, epsilon_bits=2, maximum_wh=9_000, games=4_000, rng=4,
        adversaries=["correlation"], allow_identical=True,
    )  # fmt: skip
    once, twice = play(homes), play(np.concatenate([homes[:20], homes[:20]]))
    assert twice["identical"].iloc[0] == 40
    assert twice["high"].iloc[0] < once["low"].iloc[0]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"index": [*range(11), 3]}, r"the home 3 occurs twice in the readings \(1 such names\)"),
        ({"columns": [*range(18), 3, 4]}, r"the time 3 occurs twice in the readings \(2 such"),
    ],
)
def test_names_that_occur_twice_are_an_error(names, message):
    homes = generator(1, "names").integers(0, 9_000, (12, 20))
    frame = pd.DataFrame(homes, **names)
    play = functools.partial(nl.membership_game, n=3, epsilon_bits=2, maximum_wh=8_000, games=50)
    with pytest.raises(nl.UserError, match=message):
        play(frame, allow_identical=True)
    with pytest.raises(nl.UserError, match=message):
        play(homes, known_wh=frame)
    with pytest.raises(nl.UserError, match=message):
        nl.released_membership_game(frame, homes[0], np.arange(12) < 3)
    play(frame.set_axis(range(12)).set_axis(range(20), axis=1))
