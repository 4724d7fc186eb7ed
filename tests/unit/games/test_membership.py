"""The engine of the membership game: a plain loop beside it, games counted by hand, errors."""

import itertools
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from members import ADVERSARIES
from membership_loop import BY_LOOP, guesses_by_loop, peaks_of
from noiseless.adversaries import membership as package
from noiseless.adversaries.inputs.membership import choose_candidates
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.labels import load_adversary_labels
from noiseless.adversaries.registry import load_adversary
from noiseless.errors import ConfigError, DataError
from noiseless.games.membership import (
    MEMBERSHIP,
    Games,
    PublishedSeries,
    build_all_pairs,
    build_energy_matrix,
    compute_public_maximum_wh,
    draw_games,
    iterate_batches,
    load_membership_adversaries,
    observe_readings,
    play,
)
from noiseless.games.releases import QuantizedMeanRelease, build_release
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.mechanisms.interface import Domain
from noiseless.seeds import make_generator
from toy_homes import make_energy, make_table


def evidence_of(energy, games, release, *, strict=True):
    """View of all games, which are one batch."""
    [batch] = iterate_batches(energy, games, strict_peaks=[strict])
    [view] = batch.build_views(release.publish_batch(batch))
    return view


def guesses_of(energy, games, releases, coins, *, strict=True):
    """Guesses by release and adversary."""
    found = play(
        load_membership_adversaries(trained=False), energy, games, releases, strict_peaks=[strict]
    )
    return [
        {name: choose_candidates(preference, coins[name]) for name, preference in each.items()}
        for each in found
    ]


def sums_of_arrays(k, x, strict):
    """The sums of the view as arrays of games x readings give them."""
    steps = k - k[:, :1]
    common = peaks_of(k, strict)[:, None] & peaks_of(x, strict)
    return {
        **{
            "first_bin": k[:, 0],
            "sum_bins": steps.sum(axis=1),
            "sum_squared_bins": (steps**2).sum(axis=1),
        },
        **{"sum_readings_wh": x.sum(axis=2), "sum_squared_readings": (x**2).sum(axis=2)},
        **{"sum_products": (x * steps[:, None]).sum(axis=2), "common_peaks": common.sum(axis=2)},
    }


def make_coins(games, seed=5):
    rng = np.random.default_rng(seed)
    return {name: rng.integers(0, 2, games) for name in ADVERSARIES}


# --- Against a plain loop ---------------------------------------------------------------------


@settings(max_examples=15)
@given(n=st.integers(2, 20), maximum=st.integers(1000, 20_000), strict=st.booleans())
def test_guesses_are_those_of_a_plain_loop(n, maximum, strict):
    """Coarse and fine budgets, clipping, constant outputs and an idle home; ties included."""
    energy = make_energy()
    games = draw_games(make_generator(1, "test", n), homes=30, n=n, games=15)
    assert (energy > 2400).any()
    budgets = (0.5, 2, 3.3, 9, math.inf)
    releases = [build_release(e, n=n, maximum_wh=maximum) for e in budgets]
    releases += [
        build_release(e, n=n, maximum_wh=maximum, quantizer_rule="2^eps") for e in (0.5, 2)
    ]
    coins = make_coins(15)
    for release, fast in zip(
        releases, guesses_of(energy, games, releases, coins, strict=strict), strict=True
    ):
        slow = guesses_by_loop(energy, games, release, coins, strict_peaks=strict)
        for name in BY_LOOP:
            np.testing.assert_array_equal(fast[name], slow[name], err_msg=f"{name}, {release}")


def test_guesses_on_real_homes_are_those_of_a_plain_loop(london_daily):
    energy = build_energy_matrix(london_daily, resolution="days")
    games = draw_games(make_generator(1, "real"), homes=len(energy), n=8, games=15)
    maximum = compute_public_maximum_wh(90)
    releases = [build_release(e, n=8, maximum_wh=maximum) for e in (1, 3, math.inf)]
    coins = make_coins(15)
    for release, fast in zip(releases, guesses_of(energy, games, releases, coins), strict=True):
        slow = guesses_by_loop(energy, games, release, coins)
        for name in BY_LOOP:
            np.testing.assert_array_equal(fast[name], slow[name])


def test_what_is_too_large_for_exact_sums_is_named():
    energy = make_energy()
    games = draw_games(make_generator(1, "large"), homes=30, n=2, games=1)
    with pytest.raises(DataError, match=f"fewer than {2**50} levels"):
        evidence_of(energy, games, QuantizedMeanRelease(2, 2400, 2**50))
    with pytest.raises(DataError, match=r"a reading of 2000000.0 kWh is too large"):
        evidence_of(energy + 2 * 10**9 - energy.max(), games, QuantizedMeanRelease(2, 2 * 10**9, 4))
    with pytest.raises(DataError, match="a release in 300000000 steps is too fine"):
        observe_readings(
            PublishedSeries(np.array([[0, 3 * 10**8] * 60]), 1.0, 0.0),
            np.ones((1, 2, 120), int),
        )


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("n", [2, 7])
def test_evidence_is_that_of_arrays(n, strict):
    """Over more than one batch, with clipping, one level and the exact mean."""
    energy = make_energy()
    games = draw_games(make_generator(1, "paths", n), homes=30, n=n, games=620)
    maximum = 2400
    releases = [QuantizedMeanRelease(n, maximum, levels) for levels in (1, 2, 7, 4000, None)]
    clipped = np.minimum(energy, maximum)[games.members].sum(axis=1)
    for release in releases:
        parts = [
            batch.build_views(release.publish_batch(batch))[1]
            for batch in iterate_batches(energy, games, strict_peaks=[not strict, strict])
        ]
        assert len(parts) == 2
        plain = sums_of_arrays(release.publish_totals(clipped).k, energy[games.candidates], strict)
        for name, value in plain.items():
            found = np.concatenate([getattr(part, name) for part in parts])
            np.testing.assert_array_equal(found, value, err_msg=name)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("readings", [1, 2, 3, 40])
def test_observations_are_those_of_arrays(strict, readings):
    """Also of a series that is constant, and of one in reverse, whose steps are not adjacent."""
    energy = make_energy(30, 40)[:, :readings]
    games = draw_games(make_generator(1, "observed"), homes=30, n=3, games=50)
    x = energy[games.candidates]
    k = make_generator(1, "steps").integers(-4, 5, (50, readings))
    k[0] = 7
    for steps in (k, k[:, ::-1]):
        found = observe_readings(PublishedSeries(steps, 0.5, 1.0), x, strict_peaks=strict)
        plain = sums_of_arrays(steps, x, strict)
        assert plain["common_peaks"].any() == (readings > 2)
        for name, value in plain.items():
            np.testing.assert_array_equal(getattr(found, name), value, err_msg=name)


@pytest.mark.parametrize(
    ("series", "strict", "tolerant"),
    [
        ([1, 2, 1], [1], [1]),
        ([3, 2, 3], [], []),
        ([1, 2, 2, 1], [], [1, 2]),
        ([2, 2, 2, 2], [], []),
        ([1, 2, 2, 2, 1], [], [1, 3]),
        ([1, 2, 2, 3, 1], [3], [1, 3]),
        ([1, 2], [], []),
    ],
)
def test_a_common_peak_is_found_where_the_series_has_its_own(series, strict, tolerant):
    """Each candidate has one peak, so that a common one says where the series has its own."""
    places = np.arange(1, len(series) - 1)
    spikes = np.eye(len(series), dtype=np.int64)[None, places]
    pairing = np.zeros(len(places), dtype=int), np.stack([np.arange(len(places))] * 2, axis=1)
    published = PublishedSeries(np.array([series])[None], 1.0, 0.0)
    for is_strict, expected in ((True, strict), (False, tolerant)):
        if len(places):
            found = observe_readings(published, spikes, strict_peaks=is_strict, pairing=pairing)
            assert places[found.common_peaks[:, 0] > 0].tolist() == expected
        assert np.flatnonzero(peaks_of(np.array(series), is_strict)).tolist() == expected


@pytest.mark.parametrize("same", [True, False])
def test_evidence_of_all_pairs_is_that_of_single_games(same):
    """Draws of four candidates, whose readings are the same in all draws, or not."""
    rng = make_generator(1, "all pairs")
    x, k = rng.integers(0, 50, (1 if same else 3, 4, 9)), rng.integers(0, 9, (3, 4, 9))
    found = observe_readings(PublishedSeries(k, 2.0, 1.0), x, pairing=build_all_pairs(4))
    cases = [(d, i, j) for d in range(3) for i in range(4) for j in range(4)]
    single = observe_readings(
        PublishedSeries(np.array([k[d, i] for d, i, _ in cases]), 2.0, 1.0),
        np.array([x[0 if same else d, [i, j]] for d, i, j in cases]),
    )
    for name, value in vars(single).items():
        np.testing.assert_array_equal(getattr(found, name), value, err_msg=name)


def test_nearest_series_rounds_to_even_steps_and_takes_any_layout():
    means = np.array([[0.0, 0.25, 0.75, -0.25], [1.0, 2.1, 2.24, 2.26]])
    expected = [[-2, -2, 0, -2], [0, 2, 2, 3]]  # of 500 Wh, from 1 kWh on; halves go to even steps
    for layout in (means, np.asfortranarray(means)):
        series = PublishedSeries.round_means(layout, 500.0, 1000.0)
        np.testing.assert_array_equal(series.k, expected)
        np.testing.assert_array_equal(series.kwh, 1 + 0.5 * np.array(expected))


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
    view = evidence_of(energy, games, QuantizedMeanRelease(n, maximum, levels))
    means = energy[games.members].sum(axis=1) / (n * 1000)
    bins = Quantizer(Domain((0,), (maximum / 1000,)), levels).find_bins(means)
    k = bins - bins[:, :1]
    np.testing.assert_array_equal(view.first_bin, bins[:, 0])
    np.testing.assert_array_equal(view.sum_bins, k.sum(axis=1))
    np.testing.assert_array_equal(view.sum_squared_bins, (k**2).sum(axis=1))
    x = energy[games.candidates]
    np.testing.assert_array_equal(view.sum_products, (x * k[:, None]).sum(axis=2))
    for mean, index in zip(energy[games.members].sum(axis=1).ravel(), bins.ravel(), strict=True):
        exact = min(math.floor(Fraction(int(mean), n) * levels / maximum), levels - 1)
        assert index == exact


# --- Games ------------------------------------------------------------------------------------


def test_a_game_holds_distinct_homes_and_one_candidate():
    games = draw_games(make_generator(1, "draw"), homes=9, n=8, games=500)
    members = games.members
    assert members.shape == (500, 8)
    for candidates, member, others, all_of_them in zip(
        games.candidates, games.member, games.others, members, strict=True
    ):
        assert len({*candidates, *others}) == 9
        assert set(all_of_them) == {candidates[member], *others}


def test_games_are_drawn_uniformly():
    """Every ordered pair of candidates, and either member, about equally often."""
    games = draw_games(make_generator(1, "uniform"), homes=5, n=3, games=40_000)
    pairs = pd.Series(list(map(tuple, games.candidates))).value_counts()
    assert len(pairs) == 20
    assert abs(pairs / 2000 - 1).max() < 0.12  # 2,000 each, standard deviation 44
    assert abs(games.member.mean() - 0.5) < 0.01
    others = pd.Series(list(map(tuple, np.sort(games.others, axis=1)))).value_counts()
    assert abs(others / 4000 - 1).max() < 0.1


def test_too_few_homes_is_an_error():
    with pytest.raises(ConfigError, match=r"`n` must be at most 7, .* got 8"):
        draw_games(make_generator(1), homes=8, n=8, games=1)


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
    release = QuantizedMeanRelease(2, 10, None)
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
    days = build_energy_matrix(table.sample(frac=1, random_state=1), resolution="days")
    np.testing.assert_array_equal(days, half_hours.reshape(4, 14, 48).sum(axis=2))
    week = build_energy_matrix(table, resolution="days", week_start="2013-03-04")
    np.testing.assert_array_equal(week, days[:, 7:14])
    fine = build_energy_matrix(table, resolution="half-hours", week_start="2013-02-25")
    np.testing.assert_array_equal(fine, half_hours[:, : 7 * 48])


def test_readings_that_do_not_fit_are_errors():
    table = make_table(make_energy(4, 14))
    with pytest.raises(DataError, match="must be half-hours, 48 a day"):
        build_energy_matrix(table, resolution="half-hours")
    with pytest.raises(DataError, match="must be half-hours, 48 a day"):
        build_energy_matrix(make_table(make_energy(2, 300)), resolution="half-hours")
    with pytest.raises(DataError, match="seven days from 2013-03-09"):
        build_energy_matrix(table, resolution="days", week_start="2013-03-09")
    with pytest.raises(DataError, match="same times"):
        build_energy_matrix(table.iloc[1:], resolution="days")
    # As many rows, each of the right time, but half a home's are those of another.
    other = table.copy()
    other.loc[21:27, "home"] = other["home"].iloc[0]
    other = other.iloc[[*range(14), *range(21, 28), *range(14, 21), *range(28, len(other))]]
    with pytest.raises(DataError, match="same times"):
        build_energy_matrix(other, resolution="days")
    shifted = table.copy()
    shifted.loc[0, "time"] -= np.timedelta64(1, "D")
    with pytest.raises(DataError, match="same times"):
        build_energy_matrix(shifted, resolution="days")


@pytest.mark.parametrize(
    ("kwh", "resolution", "expected"),
    [(90, "days", 90_000), (0.1, "days", 100), (552, "half-hours", 11_500), (1, "half-hours", 21)],
)
def test_the_public_maximum_of_a_day_is_divided_among_its_readings(kwh, resolution, expected):
    assert compute_public_maximum_wh(kwh, resolution=resolution) == expected


def test_public_range_of_nothing_is_an_error():
    with pytest.raises(ConfigError, match=r"at least 1 Wh for each reading, got 0\.0004 kWh a day"):
        compute_public_maximum_wh(0.0004)


def test_a_release_has_as_many_levels_as_its_rule_says():
    assert build_release(2, n=3, maximum_wh=1000).levels == 12
    assert build_release(2, n=3, maximum_wh=1000, quantizer_rule="2^eps").levels == 4
    assert build_release(math.inf, n=3, maximum_wh=1000).levels is None


def test_sums_that_would_overflow_are_an_error():
    energy = np.full((4, 400), 2_000_000_000, dtype=np.int64)
    games = draw_games(make_generator(1), homes=4, n=3, games=2)
    with pytest.raises(DataError, match="too large"):
        evidence_of(energy, games, QuantizedMeanRelease(3, 2_000_000_000, 8))


# --- Adversaries by name ----------------------------------------------------------------------


def test_every_adversary_has_a_module_and_a_label():
    modules = {path.stem for path in Path(package.__file__).parent.glob("*.py")}
    assert modules - {"__init__"} == set(MEMBERSHIP.names)
    assert all(load_adversary_labels(package).values())
    assert all(load_adversary(MEMBERSHIP, name).name == name for name in MEMBERSHIP.names)
    assert [name for name in MEMBERSHIP.names if load_adversary(MEMBERSHIP, name).is_control] == [
        "control"
    ]
    with pytest.raises(ConfigError, match="no adversary is called 'peak': known are correlation"):
        load_adversary(MEMBERSHIP, "peak")


def test_who_looks_at_the_series_sees_those_of_the_sums():
    """Mean square error from the raw series, in its batches, beside the compiled sums."""

    class BySeries(Adversary):
        name = "series"
        sees_series = True

        def prefer(self, view):
            raw = view.series
            assert len(raw.output_kwh) <= 500
            away = (raw.candidates_kwh - raw.output_kwh[:, None]) ** 2
            return away[:, 1].sum(axis=1) - away[:, 0].sum(axis=1)

    energy = make_energy(idle=False)
    games = draw_games(make_generator(1, "series"), homes=30, n=5, games=1200)
    releases = [build_release(e, n=5, maximum_wh=int(energy.max())) for e in (2, math.inf)]
    adversaries = [BySeries, load_adversary(MEMBERSHIP, "mse")]
    for found in play(adversaries, energy, games, releases):
        assert list(found) == ["series", "mse"]
        np.testing.assert_array_equal(np.sign(found["series"]), np.sign(found["mse"]))
