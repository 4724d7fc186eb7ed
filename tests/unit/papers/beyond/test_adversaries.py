"""Tables of adversaries who know the mechanism: statistics that fit together, cells, errors."""

import functools
import math

import numpy as np
import pandas as pd
import pytest

import known_others_loop as loop
from noiseless.adversaries.labels import EXACT, NORMAL
from noiseless.adversaries.normal_homes import NormalHomeModel
from noiseless.errors import ConfigError, DataError, TooSmallError
from noiseless.games.membership import (
    build_energy_matrix,
    load_membership_adversaries,
)
from noiseless.games.releases import build_release
from noiseless.papers.beyond.adversaries import (
    build_advantage_table,
    build_adversary_tables,
    build_composed_budgets_table,
)
from noiseless.papers.beyond.informed import draw_half_games, estimate_advantages, split_homes
from noiseless.statistics import estimate_home_mean
from toy_homes import make_energy, make_table

GRID = {"games": 240, "n": [2, 5], "epsilon_bits": [1, 3], "days": [7, 40]}
SETTINGS = {"public_range_kwh": 5, "quantizer_rule": "n_2^eps", "known_shares": [0, 0.5]}


@pytest.fixture(scope="module")
def table():
    return build_advantage_table(
        make_table(make_energy()), dataset="toy", seed=3, **GRID, **SETTINGS
    )


def test_table_holds_every_cell(table):
    advantage = table[table["statistic"] == "advantage"]
    # Those who know nobody, once for each n; the exact ones, for each number of known homes.
    strangers = len(load_membership_adversaries(trained=False))
    know_mean = 2  # `pair_known` and `combined`
    strangers += know_mean
    assert len(advantage) == 3 * 2 * (strangers + 1 + 1) + 3 * 2 * (strangers + 2 + 1)
    over_homes = table[table["statistic"] == "advantage_over_homes"]
    np.testing.assert_array_equal(over_homes["value"], advantage["value"])
    # Fifteen homes in either half are twice as many as the three, or six, of a game.
    assert over_homes[["low", "high"]].notna().all(axis=None)
    assert set(over_homes["over"]) == {"homes"}
    assert set(zip(advantage["n"], advantage["known"], strict=True)) == {
        *((2, 0), (2, 1)),
        *((5, 0), (5, 2), (5, 4)),
    }
    assert (
        (advantage["low"] < advantage["value"]) & (advantage["value"] <= advantage["high"])
    ).all()
    facts = table[table["adversary"] == "any"].pivot(
        index=["n", "epsilon_bits", "days"], columns="statistic", values="value"
    )
    assert facts.loc[(5, 3.0, 7), "levels"] == 40
    assert facts.loc[(5, 3.0, 7), "bin_kwh"] * 40 == pytest.approx(energy_maximum_kwh())
    assert (facts["games"] == 240).all()


def energy_maximum_kwh():
    return make_energy().max() / 1000


def test_statistics_of_the_table_fit_together(table):
    """Differences between advantages in the same games, and coins where outputs are equal."""
    wide = table.pivot(
        index=["n", "epsilon_bits", "days", "adversary", "known"],
        columns="statistic",
        values="value",
    )
    for (n, epsilon_bits, days), group in wide.groupby(level=[0, 1, 2]):
        cell = group.droplevel([0, 1, 2])
        exact = cell.loc[(EXACT, n - 1)]
        assert exact["coin_share"] == pytest.approx(1 - exact["closed_form"])
        # Played, it adds the luck of its coins: one standard deviation is sqrt(coins) / games.
        luck = math.sqrt(240 * exact["coin_share"]) / 240
        assert abs(exact["advantage"] - exact["closed_form"]) <= 5 * luck + 1e-12
        for (name, _), row in cell.iterrows():
            if name not in (EXACT, "any"):
                assert row["behind_exact"] == pytest.approx(exact["closed_form"] - row["advantage"])
        if n == 5:
            step = cell.loc[(NORMAL, 2), "advantage"] - cell.loc[(NORMAL, 0), "advantage"]
            assert cell.loc[(NORMAL, 2), "gain_of_knowing"] == pytest.approx(step)
        assert not math.isnan(epsilon_bits)
        assert days in (7, 40)


def test_cells_do_not_depend_on_the_grid(table):
    alone = build_advantage_table(
        make_table(make_energy()),
        dataset="toy",
        seed=3,
        **{**GRID, "n": [5], "epsilon_bits": [3], "days": [40]},
        **SETTINGS,
    )
    kept = (table["n"] == 5) & (table["epsilon_bits"] != 1) & (table["days"] == 40)
    pd.testing.assert_frame_equal(alone, table[kept].reset_index(drop=True))


def test_composed_budgets_are_those_computed_by_hand(table):
    found = build_composed_budgets_table(table).pivot(
        index=["n", "epsilon_bits", "days"], columns="statistic", values="value"
    )
    row = found.loc[(5, 3.0, 40)]
    assert row["composed_bits"] == 120
    # 40 levels over five homes' range: one home covers eight cells, and touches nine.
    assert row["attained_bits"] == pytest.approx(40 * math.log2(9))
    assert (found["guaranteed_advantage"] == 1).all()
    assert np.isfinite(found.index.get_level_values("epsilon_bits")).all()


def test_tables_of_a_rule_are_parts_of_one_table():
    settings = {**GRID, **SETTINGS, "games": 60, "n": [4], "dataset": "toy", "seed": 1}
    readings = make_table(make_energy())
    found, played = (
        build_adversary_tables(readings, **settings),
        build_advantage_table(readings, **settings),
    )
    pd.testing.assert_frame_equal(found["adversaries"], played[played["days"] == 40])
    assert set(found["repeated"]["days"]) == {7, 40}
    assert "composed_bits" in set(found["repeated"]["statistic"])


def test_interval_over_homes_is_that_of_the_exact_adversarys_games():
    """Its closed form played again, game by game, by comparing sums in a plain loop."""
    energy = make_energy()
    table = build_advantage_table(
        make_table(energy),
        **{"dataset": "toy", "seed": 3, "games": 100, **SETTINGS},
        **{"n": [2], "epsilon_bits": [1], "days": [40]},
    )
    rows = table[(table["statistic"] == "closed_form_over_homes") & (table["epsilon_bits"] == 1)]
    [row] = rows.to_dict("records")
    release = build_release(1, n=2, maximum_wh=5000)
    drawn = draw_half_games(
        split_homes(30, dataset="toy", seed=3), n=2, games=100, dataset="toy", seed=3
    )
    outputs = [
        [
            [
                loop.cell_of(int(total), release)
                for total in energy[[candidate, *others]].sum(axis=0)
            ]
            for candidate in pair
        ]
        for pair, others in zip(drawn.candidates, drawn.others, strict=True)
    ]
    differ = np.array([float(one != other) for one, other in outputs])
    found = estimate_home_mean(differ, drawn.homes, part=drawn.part, least=0.0)
    assert (row["value"], row["low"], row["high"]) == (found.value, found.low, found.high)
    assert 0 <= found.low <= found.high <= 1


def test_exact_mean_is_not_clipped():
    """What the range says changes the quantized releases alone."""
    readings = make_table(make_energy())
    wide, narrow = (
        build_advantage_table(
            readings,
            **{
                "dataset": "toy",
                "seed": 3,
                **GRID,
                **SETTINGS,
                "n": [2],
                "days": [7],
                "public_range_kwh": kwh,
            },
        ).query("adversary != 'any'")
        for kwh in (5, 0.5)
    )
    exact = wide["epsilon_bits"] == math.inf
    pd.testing.assert_frame_equal(wide[exact], narrow[exact])
    assert (wide.loc[~exact, "value"] != narrow.loc[~exact, "value"]).any()


def test_too_few_homes_days_or_bits_are_errors():
    readings = make_table(make_energy(12))
    settings = {**GRID, **SETTINGS, "dataset": "toy", "seed": 1}
    with pytest.raises(TooSmallError, match=r"n is \[6\], but half of the homes, 6, play"):
        build_advantage_table(readings, **{**settings, "n": [6]})
    with pytest.raises(TooSmallError, match=r"days is \[41\], but the readings have 40 days"):
        build_advantage_table(readings, **{**settings, "n": [2], "days": [41]})
    halves = split_homes(12, dataset="toy", seed=1)
    with pytest.raises(
        ConfigError, match=r"n = 6 within half of the homes needs 14 homes, but .* 12"
    ):
        draw_half_games(halves, n=6, games=10, dataset="toy", seed=1)
    with pytest.raises(ConfigError, match=r"41 daily reports need as many days, but .* have 40"):
        estimate_advantages(
            make_energy(12), {}, dataset="toy", seed=1, games=10, days=[41], known_shares=[0]
        )
    huge = np.full((12, 40), 2_000_000_000, dtype=np.int64)
    with pytest.raises(DataError, match="too large for exact sums over 40 readings"):
        build_advantage_table(
            make_table(huge), **{**settings, "n": [2], "days": [40], "public_range_kwh": 2_000_000}
        )
    with pytest.raises(DataError, match=f"fewer than {2**51} levels"):
        build_advantage_table(readings, **{**settings, "n": [2], "epsilon_bits": [50]})


def test_real_homes_exact_is_never_beaten_and_knowledge_helps(london_daily):
    """Within intervals that hold together: 4.5 standard errors for some thirty comparisons."""
    played = functools.partial(
        build_advantage_table,
        london_daily,
        **{"dataset": "london", "seed": 2019, "games": 600, **SETTINGS},
    )
    month = played(n=[8, 32], epsilon_bits=[1, 3], days=[30])
    found = pd.concat([month, played(n=[8], epsilon_bits=[3], days=[365])])
    z = 4.5 / 1.96
    for name in ("behind_exact", "gain_of_knowing"):
        rows = found[found["statistic"] == name]
        assert len(rows) >= 7
        assert (rows["value"] + z * (rows["high"] - rows["value"]) >= 0).all()
    control = found[(found["statistic"] == "advantage") & (found["adversary"] == "control")]
    assert (control["value"].abs() < 4.5 / math.sqrt(600)).all()
    advantage = found[(found["statistic"] == "advantage") & (found["days"] == 365)]
    value = advantage.set_index(["adversary", "known", "n", "epsilon_bits"])["value"]
    # The paper's three are far behind an adversary who knows what homes are like, and no home.
    assert value[NORMAL, 0, 8, 3] > value["peaks", 0, 8, 3] + 0.15
    assert build_energy_matrix(london_daily, resolution="days").shape[1] == 365


def test_homes_that_tell_are_not_those_that_play(monkeypatch):
    told = []
    original = NormalHomeModel.estimate

    def spy(readings_wh):
        told.append(readings_wh)
        return original(readings_wh)

    monkeypatch.setattr(NormalHomeModel, "estimate", spy)
    energy = make_energy(31) + np.arange(31)[:, None]
    settings = {**SETTINGS, "public_range_kwh": 100, "dataset": "toy", "seed": 1}
    grid = {**GRID, "games": 20, "n": [2], "days": [7], "epsilon_bits": []}
    build_advantage_table(make_table(energy), **settings, **grid)
    halves = split_homes(31, dataset="toy", seed=1)
    assert sorted(np.concatenate(halves)) == list(range(31))
    # To adversaries of games in one half, then in the other.
    for tells, other in zip(told, reversed(halves), strict=True):
        np.testing.assert_array_equal(tells, energy[other])
