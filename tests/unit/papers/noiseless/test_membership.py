"""The membership game: a plain loop beside the compiled code, games counted by hand, errors."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from members import ADVERSARIES
from membership_loop import guesses_by_loop
from noiseless import statistics
from noiseless.adversaries import members as members_package
from noiseless.adversaries.evidence import RawSeries, Training, guess, is_peak
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.labels import MEMBERSHIP_ADVERSARIES
from noiseless.adversaries.members.learned import Learned
from noiseless.adversaries.registry import load_adversary
from noiseless.errors import ConfigError, DataError
from noiseless.games.membership import (
    MEMBERSHIP,
    AggregateRelease,
    Candidates,
    Games,
    PublishedSeries,
    draw_games,
    draw_in_groups,
    energy_matrix,
    observe,
    play,
    preferences,
    public_maximum_wh,
    release_for,
)
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.papers.noiseless.membership import (
    advantage_table,
    choices_table,
    learned_table,
    ranges_table,
)
from noiseless.seeds import generator
from toy_homes import make_energy, make_table

GRID = {"games": 200, "n": [2, 4], "epsilon_bits": [1, 3], "resolution": "days"}
RELEASE = {"public_range_kwh": 5, "quantizer_rule": "n_2^eps"}


def guesses_of(energy, games, releases, coins, *, strict=True):
    """Guesses per (release, adversary) from the compiled game."""
    found = play(energy, games, releases, strict_peaks=strict)
    return [
        {name: guess(adversary(each), coins[name]) for name, adversary in ADVERSARIES.items()}
        for each in found
    ]


def make_coins(games, seed=5):
    rng = np.random.default_rng(seed)
    return {name: rng.integers(0, 2, games) for name in ADVERSARIES}


# --- Against a plain loop ---------------------------------------------------------------------


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("n", [2, 5, 17])
@pytest.mark.parametrize("maximum", [2400, 5000, 20_000])
def test_guesses_are_those_of_a_plain_loop(n, maximum, strict):
    """Coarse and fine budgets, clipping, constant outputs and an idle home; ties included."""
    energy = make_energy()
    games = draw_games(generator(1, "test", n), homes=30, n=n, games=15)
    assert (energy > 2400).any()
    budgets = (0.5, 2, 3.3, 9, math.inf)
    releases = [release_for(e, n=n, maximum_wh=maximum) for e in budgets]
    releases += [release_for(e, n=n, maximum_wh=maximum, quantizer_rule="2^eps") for e in (0.5, 2)]
    coins = make_coins(15)
    for release, fast in zip(
        releases, guesses_of(energy, games, releases, coins, strict=strict), strict=True
    ):
        slow = guesses_by_loop(energy, games, release, coins, strict_peaks=strict)
        for name in ADVERSARIES:
            np.testing.assert_array_equal(fast[name], slow[name], err_msg=f"{name}, {release}")


def test_guesses_on_real_homes_are_those_of_a_plain_loop(london_daily):
    energy = energy_matrix(london_daily, resolution="days")
    games = draw_games(generator(1, "real"), homes=len(energy), n=8, games=15)
    maximum = public_maximum_wh(90)
    releases = [release_for(e, n=8, maximum_wh=maximum) for e in (1, 3, math.inf)]
    coins = make_coins(15)
    for release, fast in zip(releases, guesses_of(energy, games, releases, coins), strict=True):
        slow = guesses_by_loop(energy, games, release, coins)
        for name in ADVERSARIES:
            np.testing.assert_array_equal(fast[name], slow[name])


def test_what_is_too_large_for_exact_sums_is_named():
    energy = make_energy()
    games = draw_games(generator(1, "large"), homes=30, n=2, games=1)
    with pytest.raises(DataError, match=f"an epsilon that allows {2**50} levels is too large for"):
        play(energy, games, [AggregateRelease(2, 2400, 2**50)], strict_peaks=True)
    with pytest.raises(DataError, match=r"a reading of 2000000\.0 kWh is too large"):
        play(
            energy + 2 * 10**9 - energy.max(),
            games,
            [AggregateRelease(2, 2 * 10**9, 4)],
            strict_peaks=True,
        )


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("n", [2, 7])
def test_compiled_games_are_the_plain_ones(n, strict):
    """Evidence by evidence, over more than one batch, with clipping, one level and the mean."""
    energy = make_energy()
    games = draw_games(generator(1, "paths", n), homes=30, n=n, games=620)
    maximum = 2400
    releases = [AggregateRelease(n, maximum, levels) for levels in (1, 2, 7, 4000, None)]
    fast = play(energy, games, releases, strict_peaks=strict)
    plain = play(energy, games, releases, strict_peaks=strict, compiled=False)
    for one, other in zip(fast, plain, strict=True):
        for name, value in vars(one).items():
            np.testing.assert_array_equal(getattr(other, name), value, err_msg=name)


@pytest.mark.parametrize("strict", [True, False])
def test_compiled_observations_are_the_plain_ones(strict):
    """Also of a series that is constant, and of one in reverse, whose steps are not adjacent."""
    energy = make_energy()
    games = draw_games(generator(1, "observed"), homes=30, n=3, games=50)
    candidates = Candidates(
        energy[games.candidates], is_peak(energy, strict=strict)[games.candidates]
    )
    k = generator(1, "steps").integers(-4, 5, (50, energy.shape[1]))
    k[0] = 7
    for steps in (k, k[:, ::-1]):
        series = PublishedSeries(steps, 0.5, 1.0)
        fast = observe(series, candidates, strict_peaks=strict)
        plain = observe(series, candidates, strict_peaks=strict, compiled=False)
        assert plain.common_peaks.any()
        for name, value in vars(fast).items():
            np.testing.assert_array_equal(getattr(plain, name), value, err_msg=name)


def test_nearest_series_rounds_to_even_steps_and_takes_any_layout():
    means = np.array([[0.0, 0.25, 0.75, -0.25], [1.0, 2.1, 2.24, 2.26]])
    expected = [[-2, -2, 0, -2], [0, 2, 2, 3]]  # of 500 Wh, from 1 kWh on; halves go to even steps
    for layout in (means, np.asfortranarray(means)):
        series = PublishedSeries.nearest(layout, 500.0, 1000.0)
        np.testing.assert_array_equal(series.k, expected)
        np.testing.assert_array_equal(series.kwh, 1 + 0.5 * np.array(expected))


@pytest.mark.parametrize("readings", [1, 2, 3, 1023, 1024, 1025, 1026, 2049])
def test_readings_beyond_those_that_are_summed_at_once_count(readings):
    """Peaks where one part ends and the next begins, and sums as large as 32 bits hold, or not."""
    maximum = 2**12 - 1
    energy = np.random.default_rng(readings).integers(0, 2, (9, readings)) * maximum
    games = draw_games(generator(1, "parts", readings), homes=9, n=1, games=20)
    releases = [AggregateRelease(1, maximum, levels) for levels in (3, 511, 512, 513, None)]
    for strict in (True, False):
        fast = play(energy, games, releases, strict_peaks=strict)
        plain = play(energy, games, releases, strict_peaks=strict, compiled=False)
        for one, other in zip(fast, plain, strict=True):
            for name, value in vars(one).items():
                np.testing.assert_array_equal(getattr(other, name), value, err_msg=name)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_bins_in_whole_numbers_are_those_of_the_quantizer(data):
    """Small whole numbers put many means exactly on edges."""
    n = data.draw(st.integers(2, 6))
    maximum = data.draw(st.integers(1, 40))
    levels = data.draw(st.integers(1, 80))
    shape = st.lists(st.integers(0, maximum), min_size=8 * (n + 1), max_size=8 * (n + 1))
    energy = np.array(data.draw(shape)).reshape(n + 1, 8)
    games = draw_games(np.random.default_rng(0), homes=n + 1, n=n, games=3)
    if energy.max() == 0:
        return
    [evidence] = play(energy, games, [AggregateRelease(n, maximum, levels)])
    means = energy[games.members].sum(axis=1) / (n * 1000)
    bins = Quantizer(0, maximum / 1000, levels).index(means)
    k = bins - bins[:, :1]
    np.testing.assert_array_equal(evidence.first, bins[:, 0])
    np.testing.assert_array_equal(evidence.sum_k, k.sum(axis=1))
    np.testing.assert_array_equal(evidence.sum_kk, (k**2).sum(axis=1))
    x = energy[games.candidates]
    np.testing.assert_array_equal(evidence.sum_xk, (x * k[:, None]).sum(axis=2))
    for mean, index in zip(energy[games.members].sum(axis=1).ravel(), bins.ravel(), strict=True):
        exact = min(math.floor(Fraction(int(mean), n) * levels / maximum), levels - 1)
        assert index == exact


# --- Games ------------------------------------------------------------------------------------


def test_a_game_holds_distinct_homes_and_one_candidate():
    games = draw_games(generator(1, "draw"), homes=9, n=8, games=500)
    members = games.members
    assert members.shape == (500, 8)
    for candidates, member, others, all_of_them in zip(
        games.candidates, games.member, games.others, members, strict=True
    ):
        assert len({*candidates, *others}) == 9
        assert set(all_of_them) == {candidates[member], *others}


def test_games_are_drawn_uniformly():
    """Every ordered pair of candidates, and either member, about equally often."""
    games = draw_games(generator(1, "uniform"), homes=5, n=3, games=40_000)
    pairs = pd.Series(list(map(tuple, games.candidates))).value_counts()
    assert len(pairs) == 20
    assert abs(pairs / 2000 - 1).max() < 0.12  # 2,000 each, standard deviation 44
    assert abs(games.member.mean() - 0.5) < 0.01
    others = pd.Series(list(map(tuple, np.sort(games.others, axis=1)))).value_counts()
    assert abs(others / 4000 - 1).max() < 0.1


def test_too_few_homes_is_an_error():
    with pytest.raises(ConfigError, match="n = 8 needs 9 homes, but there are 8"):
        draw_games(generator(1), homes=8, n=8, games=1)


def test_advantage_of_one_game_enumerated():
    """Three homes, n = 2: all 12 games by hand, against the same table of guesses."""
    energy = np.array([[0, 10, 0, 3], [8, 0, 8, 4], [1, 1, 2, 9]])
    cases = [
        (i, j, member, other)
        for i, j, other in itertools.permutations(range(3))
        for member in (0, 1)
    ]
    games = Games(
        candidates=np.array([case[:2] for case in cases]),
        member=np.array([case[2] for case in cases]),
        others=np.array([case[3:] for case in cases]),
    )
    release = AggregateRelease(2, 10, None)
    coins = dict.fromkeys(ADVERSARIES, games.member)
    [fast] = guesses_of(energy, games, [release], coins)
    for case, by_mse in zip(cases, fast["mse"], strict=True):
        y = (energy[case[case[2]]] + energy[case[3]]) / 2
        errors = [((energy[home] - y) ** 2).sum() for home in case[:2]]
        # Of two members, either is as far from the mean of both as the other.
        assert by_mse == (int(errors[1] < errors[0]) if errors[0] != errors[1] else case[2])


# --- Readings, range and levels ---------------------------------------------------------------


def test_half_hours_add_up_to_days_and_a_week_is_cut_out():
    half_hours = make_energy(4, 14 * 48, largest=900)
    table = make_table(half_hours, freq="30min")
    days = energy_matrix(table.sample(frac=1, random_state=1), resolution="days")
    np.testing.assert_array_equal(days, half_hours.reshape(4, 14, 48).sum(axis=2))
    week = energy_matrix(table, resolution="days", week_start="2013-03-04")
    np.testing.assert_array_equal(week, days[:, 7:14])
    fine = energy_matrix(table, resolution="half-hours", week_start="2013-02-25")
    np.testing.assert_array_equal(fine, half_hours[:, : 7 * 48])


def test_readings_that_do_not_fit_are_errors():
    table = make_table(make_energy(4, 14))
    with pytest.raises(DataError, match="no half-hours"):
        energy_matrix(table, resolution="half-hours")
    with pytest.raises(DataError, match="no half-hours"):
        energy_matrix(make_table(make_energy(2, 300)), resolution="half-hours")
    with pytest.raises(DataError, match="week from 2013-03-09"):
        energy_matrix(table, resolution="days", week_start="2013-03-09")
    with pytest.raises(DataError, match="same times"):
        energy_matrix(table.iloc[1:], resolution="days")
    # As many rows, each of the right time, but half a home's are those of another.
    other = table.copy()
    other.loc[21:27, "home"] = other["home"].iloc[0]
    other = other.iloc[[*range(14), *range(21, 28), *range(14, 21), *range(28, len(other))]]
    with pytest.raises(DataError, match="same times"):
        energy_matrix(other, resolution="days")
    shifted = table.copy()
    shifted.loc[0, "time"] -= pd.Timedelta(days=1)
    with pytest.raises(DataError, match="same times"):
        energy_matrix(shifted, resolution="days")


@pytest.mark.parametrize(
    ("kwh", "resolution", "expected"),
    [(90, "days", 90_000), (0.1, "days", 100), (552, "half-hours", 11_500), (1, "half-hours", 21)],
)
def test_public_range(kwh, resolution, expected):
    assert public_maximum_wh(kwh, resolution=resolution) == expected


def test_public_range_of_nothing_is_an_error():
    with pytest.raises(ConfigError, match=r"0\.0004 kWh a day leaves less than 1 Wh"):
        public_maximum_wh(0.0004)


def test_public_range_takes_nothing_from_the_readings():
    """One home that uses much moves no bin of any table."""
    energy = make_energy(20, 21)
    louder = energy.copy()
    louder[-1] *= 50
    settings = {"dataset": "toy", "seed": 3, "games": 20, "n": [2], "epsilon_bits": [3]}
    widths = [
        only(
            advantage_table(
                make_table(each), **settings, **RELEASE, resolution="days", peaks="strict"
            ),
            epsilon_bits=3,
        )["correlation", "bin_kwh"]
        for each in (energy, louder)
    ]
    assert widths == [5 / 16, 5 / 16]


def test_levels_of_a_release():
    assert release_for(2, n=3, maximum_wh=1000).levels == 12
    assert release_for(2, n=3, maximum_wh=1000, quantizer_rule="2^eps").levels == 4
    assert release_for(math.inf, n=3, maximum_wh=1000).levels is None


def test_sums_that_would_overflow_are_an_error():
    energy = np.full((4, 400), 2_000_000_000, dtype=np.int64)
    games = draw_games(generator(1), homes=4, n=3, games=2)
    with pytest.raises(DataError, match="too large"):
        play(energy, games, [AggregateRelease(3, 2_000_000_000, 8)])


# --- Tables -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    return advantage_table(
        make_table(make_energy()), dataset="toy", seed=3, peaks="strict", **GRID, **RELEASE
    )


def test_table_holds_every_cell_with_its_interval(table):
    found = table.pivot(
        index=["adversary", "n", "epsilon_bits"], columns="statistic", values="value"
    )
    assert len(found) == 4 * 2 * 3
    assert set(found.index.get_level_values("epsilon_bits")) == {1.0, 3.0, math.inf}
    assert (found["games"] == 200).all()
    assert (found["homes"] == 30).all()
    np.testing.assert_array_equal(found["absolute_advantage"], found["advantage"].abs())
    rows = table[table["statistic"] == "advantage"]
    assert ((rows["low"] < rows["value"]) & (rows["value"] < rows["high"])).all()
    exact = found.xs(math.inf, level="epsilon_bits")
    assert (exact["advantage_minus_exact"] == 0).all()
    difference = found["advantage"].unstack("epsilon_bits").sub(exact["advantage"], axis=0)
    np.testing.assert_allclose(found["advantage_minus_exact"].unstack("epsilon_bits"), difference)


def test_interval_is_wilsons(table):
    """By the quadratic that defines it: |p - x| = z sqrt(p (1 - p) / games)."""
    rows = table[table["statistic"] == "advantage"]
    share = (1 + rows["value"]) / 2
    for end in ("low", "high"):
        p = (1 + rows[end]) / 2
        np.testing.assert_allclose((p - share) ** 2, 1.959964**2 * p * (1 - p) / 200, rtol=1e-5)


def test_cells_do_not_depend_on_the_grid(table):
    """A stream for each cell: the same numbers when other cells are left out."""
    alone = advantage_table(
        make_table(make_energy()),
        dataset="toy",
        seed=3,
        peaks="strict",
        **{**GRID, "n": [4], "epsilon_bits": [3]},
        **RELEASE,
    )
    same = table[(table["n"] == 4) & (table["epsilon_bits"] != 1)].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, same)


def test_control_gains_nothing_and_output_does():
    """Without the output no adversary can win; 5 standard errors of 4,000 games are 0.08."""
    found = advantage_table(
        make_table(make_energy()),
        dataset="toy",
        seed=3,
        peaks="strict",
        **{**GRID, "games": 4000, "n": [2], "epsilon_bits": [0.4]},
        **RELEASE,
    )
    found = found[found["statistic"] == "advantage"].set_index(["adversary", "epsilon_bits"])[
        "value"
    ]
    assert (found["control"].abs() < 0.08).all()
    assert found["correlation", math.inf] > 0.5
    assert found["correlation", 0.4] < found["correlation", math.inf]


CELL = {"n": 2, "epsilon_bits": 3}


def only(table, **where):
    """Value of each statistic of one cell, by adversary and name."""
    rows = table[(table[list(where)] == pd.Series(where)).all(axis=1)]
    return rows.set_index(["adversary", "statistic"])["value"]


def test_choices_agree_with_the_game_and_are_counted():
    readings = make_table(make_energy(20, 21), start="2013-02-25")
    arguments = {"dataset": "toy", "seed": 3, "games": 200, "public_range_kwh": 3}
    table = choices_table(
        readings,
        **arguments,
        cells=[CELL],
        almost_zero=0.3,
        resolutions=["days"],
        week_start="2013-03-04",
        main_fuse_kwh=20,
    )
    assert len(table[table["statistic"] == "almost_zero"]) == 3 * 2 * 2 * 2
    same = {"quantizer_rule": "2^eps", "period": "year", "peaks": "tolerant"}
    game = advantage_table(
        readings, **arguments, n=[2], epsilon_bits=[3], resolution="days", **without(same, "period")
    )
    mine, theirs = only(table, **same, public_range="typical"), only(game, epsilon_bits=3)
    for name in ADVERSARIES:
        assert mine[name, "advantage"] == theirs[name, "advantage"]
    signed = [mine[name, "advantage"] for name in ("correlation", "mse", "peaks")]
    assert mine["strongest", "largest_absolute_advantage"] == max(map(abs, signed))
    assert mine["strongest", "almost_zero"] == float(max(map(abs, signed)) <= 0.3)
    widths = [
        only(table, **same, public_range=name)["strongest", "bin_kwh"]
        for name in ("typical", "main_fuse", "largest_reading")
    ]
    assert widths == [3 / 8, 20 / 8, make_energy(20, 21).max() / 8000]


def without(mapping, *keys):
    return {key: value for key, value in mapping.items() if key not in keys}


def test_ranges_agree_with_the_game_and_say_from_where_on_nothing_is_told():
    energy = make_energy(20, 21)
    arguments = {"dataset": "toy", "seed": 3, "games": 300}
    table = ranges_table(
        make_table(energy),
        **arguments,
        cells=[CELL],
        kwh=[0.5, 2, 5, 1000, 2000],
        public_range_kwh=3,
        main_fuse_kwh=20,
        almost_zero=0.15,
    )
    assert sorted(table["range_kwh"].unique()) == [0, 0.5, 2, 3, 5, 20, 1000, 2000]
    game = advantage_table(
        make_table(energy),
        **{**arguments, "public_range_kwh": 3, "quantizer_rule": "n_2^eps"},
        n=[2],
        epsilon_bits=[3],
        resolution="days",
        peaks="strict",
    )
    mine = only(table, range_kwh=3, quantizer_rule="n_2^eps")
    theirs = only(game, epsilon_bits=3)
    for name in ADVERSARIES:
        assert mine[name, "advantage"] == theirs[name, "advantage"]
        assert mine[name, "advantage_over_homes"] == theirs[name, "advantage_over_homes"]
    # So wide a range has all readings in its first bin, and nobody is told anything.
    widest = only(table, range_kwh=1000, quantizer_rule="n_2^eps")
    assert widest["strongest", "constant_share"] == 1
    assert widest["strongest", "almost_zero"] == 1
    assert mine["strongest", "constant_share"] == 0
    assert mine["strongest", "clipped_share"] == (energy > 3000).mean() > 0
    holds = [
        kwh
        for kwh in (0.5, 2, 3, 5, 20, 1000, 2000)
        if all(
            only(table, range_kwh=wider, quantizer_rule="n_2^eps")["strongest", "almost_zero"]
            for wider in (0.5, 2, 3, 5, 20, 1000, 2000)
            if wider >= kwh
        )
    ]
    found = only(table, range_kwh=0, quantizer_rule="n_2^eps")
    assert found["strongest", "almost_zero_from_kwh"] == min(holds) > 3
    at = [
        only(table, range_kwh=kwh, quantizer_rule="n_2^eps")
        for kwh in (0.5, 2, 3, 5, 20, 1000, 2000)
    ]
    assert found["strongest", "least_constant_share"] == min(
        each["strongest", "constant_share"] for each in at if each["strongest", "almost_zero"]
    )


def test_exact_mean_clips_nothing():
    """The same at every range, and other than that of clipped readings."""
    settings = {"dataset": "toy", "seed": 3, "games": 300, "n": [2], "epsilon_bits": [3]}
    found = {}
    for kwh in (1, 5):
        table = advantage_table(
            make_table(make_energy()),
            **settings,
            **{**RELEASE, "public_range_kwh": kwh},
            resolution="days",
            peaks="strict",
        )
        found[kwh] = [only(table, epsilon_bits=e)["mse", "advantage"] for e in (3, math.inf)]
    assert found[1][1] == found[5][1]
    assert found[1][0] != found[5][0]


def test_interval_over_homes_is_that_of_the_groups(monkeypatch):
    """Games of groups of four homes alone, which no other group's homes can change."""
    seen = []
    original = statistics.mean_of_groups

    def spy(value, groups, **settings):
        seen.append((value, groups))
        return original(value, groups, **settings)

    monkeypatch.setattr(statistics, "mean_of_groups", spy)
    table = advantage_table(
        make_table(make_energy()),
        dataset="toy",
        seed=3,
        peaks="strict",
        **{**GRID, "n": [2, 8], "epsilon_bits": [3]},
        **RELEASE,
    )
    rows = table[table["statistic"] == "advantage_over_homes"]
    plain = table[table["statistic"] == "advantage"]
    np.testing.assert_array_equal(rows["value"], plain["value"])
    assert rows.loc[rows["n"] == 8, ["low", "high"]].isna().all(axis=None)  # three groups of nine
    assert {len(groups) for _, groups in seen} == {10, 0}
    value, groups = next(each for each in seen if len(each[1]))
    low = rows.loc[(rows["n"] == 2) & (rows["value"] == value), "low"].iloc[0]
    assert low == pytest.approx(value - 2.262157 * np.std(groups, ddof=1) / math.sqrt(10))


def test_groups_share_no_home():
    played = draw_in_groups(generator(1, "groups"), homes=53, n=6, games=200)
    homes = {
        group: set(played.games.candidates[played.group == group].ravel())
        | set(played.games.others[played.group == group].ravel())
        for group in range(7)
    }
    assert sum(map(len, homes.values())) == 53 == len(set.union(*homes.values()))
    assert np.bincount(played.group).tolist() == [29] * 7
    assert draw_in_groups(generator(1), homes=34, n=6, games=200) is None


# --- The learned adversary --------------------------------------------------------------------


def test_learned_adversary_is_as_good_as_its_features_and_swaps_with_the_candidates():
    table = learned_table(
        make_table(make_energy(40, 60)),
        dataset="toy",
        seed=3,
        games=600,
        n=[4],
        epsilon_bits=[4],
        resolution="days",
        **RELEASE,
    )
    found = table[table["statistic"] == "advantage"].set_index(["adversary", "epsilon_bits"])[
        "value"
    ]
    best = max(found[name, math.inf] for name in ("correlation", "mse", "peaks"))
    assert found["learned", math.inf] > best - 0.05
    assert (table.loc[table["statistic"] == "homes", "value"] == 20).all()

    energy = make_energy(40, 60) / 1000
    rng = np.random.default_rng(1)
    series = RawSeries(rng.gamma(2, 1, (30, 60)), energy[rng.integers(20, 40, (30, 2))], 4)
    swapped = replace(series, candidates_kwh=series.candidates_kwh[:, ::-1])
    games = [(SimpleNamespace(series=series), rng.integers(0, 2, 30))]
    learned = Learned().fit(Training(energy[:20], lambda: games))
    one, other = (learned.prefer(SimpleNamespace(series=each)) for each in (series, swapped))
    np.testing.assert_allclose(other, -one)
    assert np.ptp(one) > 1


def test_learned_adversary_does_not_train_on_the_homes_it_is_tested_on(monkeypatch):
    """What it may know is one half of the homes; the games it is tested on hold the other."""
    known, features = [], []

    class Spy(Learned):
        def fit(self, training):
            known.append(training.homes_kwh)
            return super().fit(training)

        def features(self, series):
            features.append(series.candidates_kwh)
            return super().features(series)

    monkeypatch.setattr("noiseless.adversaries.members.learned.ADVERSARY", Spy)
    energy = make_energy(30, 40) + np.arange(30)[:, None]  # no two homes alike
    learned_table(
        make_table(energy),
        dataset="toy",
        seed=3,
        games=100,
        n=[2],
        epsilon_bits=[2],
        resolution="days",
        **RELEASE,
    )
    half = {tuple(home) for home in known[0]}
    seen = [all(tuple(home) in half for game in each for home in game) for each in features]
    new = [any(tuple(home) in half for game in each for home in game) for each in features]
    # The training games of both releases first, then the test games.
    assert seen == [True, True, False, False]
    assert new == [True, True, False, False]


# --- Adversaries by name ----------------------------------------------------------------------


def test_every_adversary_has_a_module_and_a_label():
    modules = {path.stem for path in Path(members_package.__file__).parent.glob("*.py")}
    assert modules - {"__init__"} == set(MEMBERSHIP_ADVERSARIES)
    assert all(load_adversary(MEMBERSHIP, name).name == name for name in MEMBERSHIP_ADVERSARIES)
    assert [
        name for name in MEMBERSHIP_ADVERSARIES if load_adversary(MEMBERSHIP, name).is_control
    ] == ["control"]
    with pytest.raises(ConfigError, match="no adversary is called 'peak': known are correlation"):
        load_adversary(MEMBERSHIP, "peak")


def test_who_looks_at_the_series_sees_those_of_the_sums():
    """Mean square error from the raw series, in its batches, beside the compiled sums."""

    class BySeries(Adversary):
        name = "series"
        sees_series = True

        def prefer(self, evidence):
            raw = evidence.series
            assert len(raw.output_kwh) <= 500
            away = (raw.candidates_kwh - raw.output_kwh[:, None]) ** 2
            return away[:, 1].sum(axis=1) - away[:, 0].sum(axis=1)

    energy = make_energy(idle=False)
    games = draw_games(generator(1, "series"), homes=30, n=5, games=1200)
    releases = [release_for(e, n=5, maximum_wh=int(energy.max())) for e in (2, math.inf)]
    adversaries = [BySeries, load_adversary(MEMBERSHIP, "mse")]
    for found in preferences(adversaries, energy, games, releases):
        assert list(found) == ["series", "mse"]
        np.testing.assert_array_equal(np.sign(found["series"]), np.sign(found["mse"]))
