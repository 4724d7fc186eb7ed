"""The membership game: a plain loop beside the compiled code, games counted by hand, errors."""

import itertools
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from members import ADVERSARIES
from noiseless import statistics
from noiseless.adversaries import membership
from noiseless.adversaries.inputs.membership import RawSeries, Training
from noiseless.adversaries.labels import PAPERS_ADVERSARIES, load_game_adversaries
from noiseless.adversaries.membership.learned import LogisticRegressionAdversary
from noiseless.errors import TooSmallError
from noiseless.games.membership import load_membership_adversaries
from noiseless.papers.noiseless.limits import MAIN_FUSE_KWH
from noiseless.papers.noiseless.membership import (
    build_advantage_table,
    build_choices_table,
    build_learned_table,
    build_ranges_table,
    build_set_table,
    join_sets,
)
from noiseless.statements.registry import load_sections
from noiseless.tables import REFUSED_COLUMN
from toy_homes import make_energy, make_table
from wide_table import chosen

GRID = {"games": 200, "n": [2, 4], "epsilon_bits": [1, 3], "resolution": "days"}
RELEASE = {"public_range_kwh": 5, "quantizer_rule": "n_2^eps"}


# --- Tables -----------------------------------------------------------------------------------


def game(energy=None, **changes):
    """The table of a game on daily readings."""
    readings = make_table(make_energy() if energy is None else energy)
    settings = {"dataset": "toy", "seed": 3, "peaks": "strict", **GRID, **RELEASE}
    return build_advantage_table(readings, **{**settings, **changes})


def trained(energy, **changes):
    """The table of the game with the adversary who learns."""
    settings = {"dataset": "toy", "seed": 3, "resolution": "days", **RELEASE}
    return build_learned_table(make_table(energy), **settings, **changes)


@pytest.fixture(scope="module")
def table():
    return game()


def test_table_holds_every_cell_with_its_interval(table):
    found = table.pivot(
        index=["adversary", "n", "epsilon_bits"], columns="statistic", values="value"
    )
    assert len(found) == len(load_membership_adversaries(trained=False)) * 2 * 3
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
    alone = game(n=[4], epsilon_bits=[3])
    same = table[(table["n"] == 4) & (table["epsilon_bits"] != 1)].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, same)


def test_control_gains_nothing_and_output_does():
    """Without the output no adversary can win; 5 standard errors of 4,000 games are 0.08."""
    found = game(games=4000, n=[2], epsilon_bits=[0.4])
    found = found[found["statistic"] == "advantage"].set_index(["adversary", "epsilon_bits"])[
        "value"
    ]
    assert (found["control"].abs() < 0.08).all()
    assert found["correlation", math.inf] > 0.5
    assert found["correlation", 0.4] < found["correlation", math.inf]


CELL = {"n": 2, "epsilon_bits": 3}


def only(table, **where):
    """Value of each statistic of one cell, by adversary and name."""
    return chosen(table, **where).set_index(["adversary", "statistic"])["value"]


def test_public_range_takes_nothing_from_the_readings():
    """One home that uses much moves no bin of any table."""
    energy = make_energy(20, 21)
    louder = energy.copy()
    louder[-1] *= 50
    widths = [
        only(game(each, games=20, n=[2], epsilon_bits=[3]), epsilon_bits=3)[
            "correlation", "bin_kwh"
        ]
        for each in (energy, louder)
    ]
    assert widths == [5 / 16, 5 / 16]


def test_choices_agree_with_the_game_and_are_counted():
    readings = make_table(make_energy(20, 21), start="2013-02-25")
    arguments = {"dataset": "toy", "seed": 3, "games": 200, "public_range_kwh": 3}
    table = build_choices_table(
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
    played = build_advantage_table(
        readings, **arguments, n=[2], epsilon_bits=[3], resolution="days", **without(same, "period")
    )
    mine, theirs = only(table, **same, public_range="typical"), only(played, epsilon_bits=3)
    assert "pair" not in set(table["adversary"])  # who says nothing of the paper's choices
    for name in set(ADVERSARIES) - {"pair"}:
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
    table = build_ranges_table(
        make_table(energy),
        **arguments,
        cells=[CELL],
        kwh=[0.5, 2, 5, 1000, 2000],
        public_range_kwh=3,
        main_fuse_kwh=20,
        almost_zero=0.15,
    )
    assert sorted(table["range_kwh"].unique()) == [0, 0.5, 2, 3, 5, 20, 1000, 2000]
    played = game(energy, games=300, public_range_kwh=3, n=[2], epsilon_bits=[3])
    mine = only(table, range_kwh=3, quantizer_rule="n_2^eps")
    theirs = only(played, epsilon_bits=3)
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
    found = {}
    for kwh in (1, 5):
        table = game(games=300, n=[2], epsilon_bits=[3], public_range_kwh=kwh)
        found[kwh] = [only(table, epsilon_bits=e)["mse", "advantage"] for e in (3, math.inf)]
    assert found[1][1] == found[5][1]
    assert found[1][0] != found[5][0]


def test_interval_over_homes_is_over_the_homes_of_the_games(monkeypatch):
    """Of n + 1 homes each; none where there are not twice as many."""
    seen = set()
    original = statistics.estimate_home_mean

    def spy(gain, homes, **settings):
        found = original(gain, homes, **settings)
        seen.add((homes.shape[1], found.low, found.high))
        return found

    monkeypatch.setattr("noiseless.games.membership.estimate_home_mean", spy)
    table = game(n=[2, 8, 20], epsilon_bits=[3])
    rows = table[table["statistic"] == "advantage_over_homes"]
    plain = table[table["statistic"] == "advantage"]
    np.testing.assert_array_equal(rows["value"], plain["value"])
    assert rows.loc[rows["n"] == 20, ["low", "high"]].isna().all(axis=None)  # 42 of 30 homes
    for row in rows[rows["n"] < 20].to_dict("records"):
        assert (row["n"] + 1, row["low"], row["high"]) in seen
        assert -1 <= row["low"] <= row["value"] <= row["high"] <= 1


# --- Sets of homes beside each other ----------------------------------------------------------


def compared(energy, played, learned, **changes):
    settings = {"dataset": "toy", "seed": 3, "resolution": "days", "n": [2, 4], **RELEASE}
    return build_set_table(make_table(energy), played, learned, **{**settings, **changes})


def share_of_one_bin(energy, n, bits, maximum_wh):
    """The share of all groups of n homes whose mean is in one bin on all days, by a plain loop."""
    levels = n * 2**bits
    constant = []
    for group in itertools.combinations(energy, n):
        sums = np.minimum(group, maximum_wh).sum(axis=0)
        bins = {min(int(each) * levels // (n * maximum_wh), levels - 1) for each in sums}
        constant.append(len(bins) == 1)
    return np.mean(constant)


def test_a_set_is_compared_by_its_tables_and_by_how_often_its_release_is_constant():
    energy = make_energy()
    energy[: len(energy) // 2] //= 40  # homes that use next to nothing
    played = game(energy, epsilon_bits=[1, 2, 3])
    learned = trained(energy, games=100, n=[2, 4], epsilon_bits=[3])
    found = compared(energy, played, learned, games=4000)
    assert set(found["homes"]) == {"toy"}
    [range_days] = found[found["statistic"] == "range_days"]["value"]
    assert range_days == pytest.approx(5000 / energy.mean())
    found = found[found["statistic"] != "range_days"]
    assert set(found["epsilon_bits"]) == {2, 3}
    papers, know_homes = ["correlation", "mse", "peaks", "pair"], ["learned", "pair_known"]
    assert set(found["adversary"]) == {*papers, *know_homes, "any"}
    for source, names in ((played, papers), (learned, know_homes)):
        for statistic in ("advantage", "advantage_over_homes"):
            columns = ["adversary", "n", "epsilon_bits", "value", "low", "high"]
            expected, mine = (
                each[
                    (each["statistic"] == statistic)
                    & each["adversary"].isin(names)
                    & each["epsilon_bits"].isin([2, 3])
                ][columns].reset_index(drop=True)
                for each in (source, found)
            )
            pd.testing.assert_frame_equal(mine, expected)
    shares = found[found["statistic"] == "constant_share"]
    assert len(shares) == 4
    for row in shares.itertuples():
        exact = share_of_one_bin(energy, row.n, int(row.epsilon_bits), 5000)
        assert row.value == pytest.approx(exact, abs=0.04)
    assert len(set(shares["value"])) > 1


def test_a_set_that_is_too_small_has_no_rows_and_holds_up_no_other():
    refused = pd.DataFrame({REFUSED_COLUMN: ["too few homes"]})
    energy = make_energy()
    assert len(compared(energy, refused, refused)) == 0
    alone = compared(energy, game(energy), refused)
    assert "learned" not in set(alone["adversary"])
    joined = join_sets([compared(energy, refused, refused), alone, alone.assign(homes="other")])
    assert joined["homes"].value_counts().to_dict() == {"toy": len(alone), "other": len(alone)}
    with pytest.raises(TooSmallError, match="no set of homes has enough homes"):
        join_sets([compared(energy, refused, refused)])


# --- The learned adversary --------------------------------------------------------------------


def test_learned_adversary_is_as_good_as_its_features_and_swaps_with_the_candidates():
    table = trained(make_energy(40, 60), games=600, n=[4], epsilon_bits=[4])
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
    learned = LogisticRegressionAdversary().fit(Training(energy[:20], lambda: games))
    one, other = (learned.prefer(SimpleNamespace(series=each)) for each in (series, swapped))
    np.testing.assert_allclose(other, -one)
    assert np.ptp(one) > 1


def test_learned_adversary_does_not_train_on_the_homes_it_is_tested_on(monkeypatch):
    """What it may know is one half of the homes; the games it is tested on hold the other."""
    known, features = [], []

    class Spy(LogisticRegressionAdversary):
        def fit(self, training):
            known.append(training.homes_kwh)
            return super().fit(training)

        def compute_features(self, series):
            features.append(series.candidates_kwh)
            return super().compute_features(series)

    monkeypatch.setitem(load_game_adversaries(membership.__name__), "learned", Spy)
    energy = make_energy(30, 40) + np.arange(30)[:, None]  # no two homes alike
    trained(energy, games=100, n=[2], epsilon_bits=[2])
    half = {tuple(home) for home in known[0]}
    seen = [all(tuple(home) in half for game in each for home in game) for each in features]
    new = [any(tuple(home) in half for game in each for home in game) for each in features]
    # The training games of both releases first, then the test games.
    assert seen == [True, True, False, False]
    assert new == [True, True, False, False]


def test_sentences_on_figure_3_name_the_three_adversaries_that_the_paper_played():
    """So that no verdict on the paper moves by an adversary that comes."""
    statistics = ("advantage", "advantage_over_homes", "advantage_minus_exact")
    keys = {
        "adversary": (*PAPERS_ADVERSARIES, "pair", "exact"),
        "n": (4, 8),
        "epsilon_bits": (2, 3, 10, math.inf),
        "statistic": statistics,
        "range_kwh": (90, MAIN_FUSE_KWH),
        "quantizer_rule": ("n_2^eps", "2^eps"),
        "public_range": ("largest_reading", "main_fuse"),
        "resolution": ("days",),
        "period": ("year",),
        "peaks": ("strict",),
        "choice": ("selected", "selected_in_group"),
        "days": (365,),
    }
    rows = pd.DataFrame(itertools.product(*keys.values()), columns=list(keys))
    rows = rows.assign(value=rows["adversary"].map(list(keys["adversary"]).index), low=0, high=1)
    statements = [
        each
        for each in load_sections("noiseless").statements
        if each.category == "paper" and any("membership_" in t.name for t in each.tables)
    ]
    assert len({each.check for each in statements}) > 10
    for each in statements:
        best_alone = each.check.__name__ == "fig3_exact"
        assert {*each.check(rows).found} == ({2} if best_alone else {0, 1, 2}), each.id


def test_leads_are_differences_of_advantages_in_the_same_games(table):
    wide = table[table["statistic"].isin(["advantage", "lead_on_papers"])].pivot(
        index=["n", "epsilon_bits"], columns=["adversary", "statistic"], values="value"
    )
    best = pd.concat([wide[name, "advantage"] for name in PAPERS_ADVERSARIES], axis=1).max(axis=1)
    lead = wide["pair", "lead_on_papers"]
    np.testing.assert_allclose(lead, wide["pair", "advantage"] - best, atol=1e-12)
    assert set(table.loc[table["statistic"] == "lead_on_papers", "adversary"]) == {"pair"}
    learned = trained(make_energy(), games=100, n=[2], epsilon_bits=[3])
    wide = learned.pivot(index="epsilon_bits", columns=["adversary", "statistic"], values="value")
    gained = wide["pair_known", "advantage"] - wide["pair", "advantage"]
    np.testing.assert_allclose(wide["pair_known", "lead_on_pair"], gained, atol=1e-12)
