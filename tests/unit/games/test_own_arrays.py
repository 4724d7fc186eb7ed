"""The membership game on arrays of one's own: plain loops, and mechanisms of one's own."""

import functools
import itertools
import random

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from noiseless.games.membership import draw_games
from noiseless.seeds import make_generator


def test_the_membership_game_agrees_with_a_plain_loop():
    rng = make_generator(1, "homes of the game")
    homes = rng.integers(0, 9_000, (12, 20))
    found = nl.play_membership_game(
        pd.DataFrame(homes), n=3, epsilon_bits=np.float64(2), maximum_wh=8_000, games=200, rng=4,
        adversaries=["correlation"],
    )  # fmt: skip
    games = draw_games(make_generator(4, "membership of arrays", "n", 3), homes=12, n=3, games=200)
    coins = make_generator(4, "membership of arrays", "coin", "correlation").integers(0, 2, 200)
    quantizer = nl.Quantizer(nl.Domain((0,), (8_000,), "wh"), 12)
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
    homes = make_generator(1, "homes of mechanisms").integers(0, 9_000, (12, 20))
    play = functools.partial(
        nl.play_membership_game, homes, n=3, games=300, rng=4, maximum_wh=8_000
    )
    budget = play(epsilon_bits=2)
    domain = nl.Domain((0,), (8,), "kwh", people=3)
    quantizer = play(mechanism=nl.Quantizer(domain, 12))
    assert budget["levels"].tolist() == [12] * len(budget)
    assert quantizer["levels"].isna().all()
    pd.testing.assert_frame_equal(budget.drop(columns="levels"), quantizer.drop(columns="levels"))
    noise = play(mechanism=nl.LaplaceMechanism(domain, 1000))
    assert (noise["low"].dropna() < 0.1).all()
    pd.testing.assert_frame_equal(noise, play(mechanism=nl.LaplaceMechanism(domain, 1000)))


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
    homes = make_generator(1, "own").integers(0, 9_000, (40, 30))
    domain = nl.Domain((0.0,), (9.0,), "kwh", people=2)
    found = nl.play_membership_game(
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
    rng = make_generator(1, "published")
    homes = rng.integers(0, 9_000, (7, 15))
    in_mean = np.array([[True] * 3 + [False] * 4, [False] * 4 + [True] * 3])
    published = np.array([homes[some].mean(axis=0).round(-2) for some in in_mean])
    seen = []

    class Spy(nl.Adversary):
        name = "spy"
        sees_series = True

        def prefer(self, view):
            raw = view.series
            assert raw.n == 3
            for output, (zero, one) in zip(raw.output_kwh, raw.candidates_kwh, strict=True):
                [row] = [r for r in (0, 1) if np.allclose(1000 * output, published[r], atol=1)]
                pair = [np.flatnonzero((homes / 1000 == x).all(axis=1))[0] for x in (zero, one)]
                assert in_mean[row, pair].sum() == 1
                seen.append((row, *pair))
            return np.array([1.0 if zero < one else -1.0 for _, zero, one in seen])[
                -len(raw.output_kwh) :
            ]

    found = nl.play_released_membership_game(
        homes, published, in_mean, games=1_200, rng=4, adversaries=["correlation", Spy]
    )
    assert set(seen) == {
        (row, i, j)
        for row in (0, 1)
        for i, j in itertools.permutations(range(7), 2)
        if in_mean[row, i] != in_mean[row, j]
    }
    first_won = sum(in_mean[row, min(pair)] for row, *pair in seen)
    assert found.loc["spy", "advantage"] == pytest.approx(2 * first_won / 1200 - 1)
    won = 0
    for row, *pair in seen:
        zero, one = (np.corrcoef(published[row], homes[home])[0, 1] for home in pair)
        won += in_mean[row, pair[int(one > zero)]]
    assert found.loc["correlation", "advantage"] == pytest.approx(2 * won / 1200 - 1)


def test_whole_kwh_are_not_taken_for_wh():
    """Nobody is safe because of a unit: it is asked for, and who insists is believed."""
    homes_kwh = make_generator(1, "whole kWh").integers(0, 31, (12, 20))
    play = functools.partial(
        nl.play_membership_game, n=3, epsilon_bits=4, maximum_wh=30_000, games=200
    )
    with pytest.raises(
        nl.UserError, match=r"no reading reaches 1,000 Wh.*`Homes\(readings_wh, in_wh=True\)`"
    ):
        play(homes_kwh)
    in_kwh, insisted = play(1000 * homes_kwh), play(nl.Homes(homes_kwh, in_wh=True))
    assert in_kwh.loc["correlation", "low"] > 0.5 > insisted.loc["correlation", "high"]
    play(np.where(homes_kwh == homes_kwh.max(), 1000, homes_kwh))  # one reading is enough


class Coarse(nl.Mechanism):
    """A local mechanism that rounds at random to one end of the range, which hides little here."""

    name = "coarse"
    kind = "scale"
    is_local = True

    def release(self, values, rng):
        share = self.domain.scale_to_unit(self.domain.clip(values))
        return self.domain.low[0] + self.domain.width[0] * (rng.random(values.shape) < share)


HOMES_WH = make_generator(1, "units").integers(0, 20_000, (30, 400))


def play_with(domain, **settings):
    settings = {"n": 4, "games": 400, "rng": 1, "adversaries": ["correlation"]} | settings
    return nl.play_membership_game(HOMES_WH, mechanism=Coarse(domain, 1.0), **settings)


def test_a_mechanism_in_another_unit_range_or_of_other_people_is_refused_and_not_called_safe():
    right = play_with(nl.Domain((0.0,), (20.0,), "kWh", people=4))
    assert right.loc["correlation", "low"] > 0.5
    alone = play_with(nl.Domain((0.0,), (20.0,), "kwh"))  # a home that releases its own readings
    pd.testing.assert_frame_equal(right, alone)
    for domain, says, plays in (
        (nl.Domain((0.0,), (20_000.0,), "Wh", people=4), "unit = 'Wh'", "unit = 'kwh'"),
        (nl.Domain((0.0,), (20.0,), people=4), "unit = 'units'", "unit = 'kwh'"),
        (nl.Domain((0.0,), (20.0,), "kwh", people=8), "people = 8", "people = 4"),
        (nl.Domain((1.0,), (20.0,), "kwh", people=4), r"range \[1.0, 20.0\]", r"\[0.0, 20.0\]"),
        (nl.Domain((0.0,), (20.0,), "kwh", people=4, values=2), "values = 2", "values = 1"),
    ):
        with pytest.raises(nl.ConfigError, match=f"'coarse'.*has .*{says}.* plays .*{plays}"):
            play_with(domain)
    with pytest.raises(nl.ConfigError, match=r"range \[0.0, 20.0\].* plays the range \[0.0, 9.0\]"):
        play_with(nl.Domain((0.0,), (20.0,), "kwh", people=4), maximum_wh=9_000)


def test_a_mechanism_that_clips_nothing_needs_no_range():
    everything = nl.Domain((-np.inf,), (np.inf,), "kwh", people=4)
    game = {"n": 4, "games": 100, "rng": 1, "adversaries": ["correlation"]}
    exact = nl.play_membership_game(HOMES_WH, epsilon_bits=np.inf, maximum_wh=20_000, **game)
    noisy = nl.play_membership_game(
        HOMES_WH, mechanism=nl.LaplaceMechanism(everything, 1e-6), **game
    )
    pd.testing.assert_frame_equal(exact.drop(columns="levels"), noisy.drop(columns="levels"))


def misbehaving(release=None, prefer=None, noise=None):
    """A mechanism and an adversary, one of whose methods does what it must not."""
    base = nl.Mechanism if noise is None else nl.NoisyMechanism
    methods = (
        {"release": release}
        if noise is None
        else {"noise": noise, "release_given": lambda self, values, drawn: values + drawn}
    )
    named = {"name": "mine", "kind": "scale", **methods}
    prefer = prefer or (lambda self, view: view.sum_products[:, 0] - view.sum_products[:, 1])
    return type("Mine", (base,), named), type(
        "Mine", (nl.Adversary,), {"name": "a", "prefer": prefer}
    )


def write(self, values, rng):
    values += rng.random(values.shape)
    return values


def write_sums(self, view):
    view.sum_bins[:] = 0
    return view.sum_bins


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (
            {"release": lambda self, values, rng: values + np.random.random(values.shape)},  # noqa: NPY002
            "`release` of 'mine'.* global random numbers",
        ),
        (
            {"release": lambda self, values, rng: values + random.random()},
            "`release` of 'mine'.* global random numbers",
        ),
        (
            {"noise": lambda self, shape, rng: (np.random.random(shape),)},  # noqa: NPY002
            "`noise` of 'mine'.* global random numbers",
        ),
        (
            {"noise": lambda self, shape, rng: (np.random.default_rng().random(shape),)},
            "`noise` of 'mine'.* other numbers from the same `rng`",
        ),
        (
            {"release": lambda self, values, rng: values + np.random.default_rng().random()},
            "`release` of 'mine'.* other numbers from the same `rng`",
        ),
        ({"release": write}, "`release` of 'mine'.*copy them first"),
        ({"release": lambda self, values, rng: 1.0}, "`release` of 'mine'.*returns float 1.0"),
        (
            {"release": lambda self, values, rng: values,
             "prefer": lambda self, view: np.random.normal(size=len(view.first_bin))},  # noqa: NPY002
            "`prefer` of 'a'.* global random numbers",
        ),
        (
            {"release": lambda self, values, rng: values, "prefer": write_sums},
            "`prefer` of 'a'.*copy them first",
        ),
    ],
)  # fmt: skip
def test_what_breaks_the_contract_is_refused_as_by_the_workflow(methods, message):
    mechanism, adversary = misbehaving(**methods)
    domain = nl.Domain((0.0,), (20.0,), "kwh", people=4)
    game = {"n": 4, "games": 50, "rng": 1, "adversaries": [adversary]}
    with pytest.raises(nl.ConfigError, match=message):
        nl.play_membership_game(HOMES_WH, mechanism=mechanism(domain, 1.0), **game)


def test_an_adversary_of_means_that_are_published_is_guarded_too():
    _, adversary = misbehaving(release=write, prefer=write_sums)
    is_member = np.arange(30) < 3
    with pytest.raises(nl.ConfigError, match=r"`prefer` of 'a'.*copy them first"):
        nl.play_released_membership_game(
            HOMES_WH, HOMES_WH[:3].mean(axis=0), is_member, games=50, rng=1, adversaries=[adversary]
        )


def test_half_of_the_homes_is_held_out_for_those_who_learn():
    """A plain split keyed by the seed; all play the games between the other half."""
    homes = make_generator(1, "held out").integers(0, 9_000, (41, 30))
    game = {"n": 4, "epsilon_bits": 3, "maximum_wh": 9_000, "games": 150, "rng": 4}
    found = nl.play_membership_game(homes, **game)
    order = make_generator(4, "membership of arrays", "halves").permutation(41)
    split = nl.play_membership_game(homes[order[:21]], known_wh=homes[order[21:]], **game)
    pd.testing.assert_frame_equal(found, split)
    assert set(found["homes"]) == {21}
    assert found["known"].to_dict() == {
        **dict.fromkeys(("correlation", "mse", "peaks", "control", "pair"), 0),
        **dict.fromkeys(("learned", "normal", "pair_known", "combined"), 20),
    }
    assert (found["not_played"] == "").all()
    # Nobody who learns: all homes play.
    assert set(nl.play_membership_game(homes, adversaries=["pair"], **game)["homes"]) == {41}


@pytest.mark.parametrize(("homes", "n"), [(39, 4), (40, 20), (41, 20)])
def test_too_few_homes_are_not_held_out_and_the_table_says_who_did_not_play(homes, n):
    readings = make_generator(1, "few").integers(0, 9_000, (homes, 12))
    game = {"n": n, "epsilon_bits": 3, "maximum_wh": 9_000, "games": 20, "rng": 4}
    found = nl.play_membership_game(readings, **game)
    absent = found[found["not_played"] != ""]
    assert list(absent.index) == ["learned", "normal", "pair_known", "combined"]
    assert absent["not_played"].str.contains("from 40 on").all()
    assert absent[["advantage", "low", "high"]].isna().all(axis=None)
    assert set(found["homes"]) == {homes, 0}
    assert 0 <= nl.bound_advantage(found) <= 1
    with pytest.raises(nl.ConfigError, match="'normal' cannot play, and no other was named"):
        nl.play_membership_game(readings, adversaries=["normal"], **game)
    some = nl.play_membership_game(readings, adversaries=["normal", "mse"], **game)
    assert list(some["not_played"] == "") == [False, True]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "is_trained = True\n    def prefer(self, e): return e.sum_readings_wh[:, 0] * 0.0",
            "defines no `fit`",
        ),
        ("def prefer(self, e): return e.series.output_kwh[:, 0]", "set `sees_series = True`"),
        (
            "def prefer(self, e): x = e.sum_readings_wh; return 1 / (1 + x[:, 0] / x[:, 1])",
            "prefers candidate 0 in all",
        ),
    ],
)
def test_mistakes_of_an_adversary_are_one_line_with_the_remedy(body, message):
    scope = {"Adversary": nl.Adversary}
    exec(f"class Own(Adversary):\n    name = 'own'\n    {body}\n", scope)
    homes = make_generator(1, "mistakes").integers(1_000, 9_000, (12, 20))
    with pytest.raises(nl.ConfigError, match=message) as error:
        nl.play_membership_game(
            homes, n=3, epsilon_bits=3, maximum_wh=9_000, games=200, rng=4,
            adversaries=[scope["Own"]], known_wh=homes + 1,
        )  # fmt: skip
    assert "'own'" in str(error.value)
    assert "\n" not in str(error.value)


def test_an_adversary_without_a_name_is_one_line():
    class NoName(nl.Adversary):
        def prefer(self, view):
            return view.sum_readings_wh[:, 0] * 0.0

    for played in ([NoName], [type("Child", (NoName,), {"name": 3})]):
        with pytest.raises(nl.ConfigError, match="must have a text as `name`"):
            nl.play_membership_game(
                np.full((4, 3), 2_000) + np.arange(4)[:, None], n=2, epsilon_bits=2,
                maximum_wh=9_000, adversaries=played,
            )  # fmt: skip
