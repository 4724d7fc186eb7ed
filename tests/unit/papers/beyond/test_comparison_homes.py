"""The membership game against every mechanism: plain loops, errors on fresh noise, both ends."""

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import ConfigError, TooSmallError
from noiseless.papers.beyond import comparison_homes
from toy_homes import make_energy, make_table
from wide_table import chosen

N = 3
HOMES = {"common_pattern": False, "idle": False}
SETTINGS = {
    **{"dataset": "test", "seed": 3, "games": 300, "training_games": 200, "n": [N]},
    **{"public_range_kwh": 5, "delta": 1e-5, "tolerance": 0.1},
}


@pytest.fixture(scope="module")
def tables():
    return comparison_homes.build_comparison_tables(
        make_table(make_energy(40, **HOMES)), target_error_kwh=[0.0005, 0.5, 0.64, 200], **SETTINGS
    )


def gains(tables, **where):
    rows = chosen(tables["comparison"], statistic="gain", **where)
    return rows.set_index(["mechanism", "adversary"])[["value", "low", "high"]]


def test_small_errors_converge_to_the_unprotected_game(tables):
    exact = gains(tables, target_error_kwh=0.0)
    assert exact.loc[("none", "learned"), "low"] > 0.1
    small = gains(tables, target_error_kwh=0.0005)
    for mechanism in ("quantizer", "laplace", "gaussian"):
        for adversary in ("correlation", "mse", "peaks", "learned"):
            difference = small.loc[(mechanism, adversary)] - exact.loc[("none", adversary)]
            assert abs(difference["value"]) < 0.05, (mechanism, adversary)


def test_large_errors_leave_nothing_and_control_never_wins(tables):
    """Nearly the error of a constant; and nobody reads so badly that the error is larger."""
    large = gains(tables, target_error_kwh=0.64)
    for mechanism in ("laplace", "gaussian", "one_bit"):
        assert (large.loc[mechanism, "low"] < 0.1).all()
    control = gains(tables, adversary="control")
    assert (control["low"] <= 0).mean() > 0.9


def test_interval_over_homes_needs_twice_as_many_as_a_game_has(tables):
    """Twenty homes play, and a game of n = 3 has four; eight are too few for two games of five."""
    rows = tables["comparison"]
    games, homes = (rows[rows["statistic"] == name] for name in ("gain", "gain_over_homes"))
    np.testing.assert_array_equal(games["value"], homes["value"])
    assert (set(games["over"]), set(homes["over"])) == ({"games"}, {"homes"})
    assert homes["low"].between(-1, homes["value"]).all()
    assert homes["high"].between(homes["value"], 1).all()
    wide = homes["high"].to_numpy() - homes["low"].to_numpy()
    assert (wide >= (games["high"] - games["low"]).to_numpy() - 1e-9).mean() > 0.9
    few = comparison_homes.build_comparison_tables(
        make_table(make_energy(16, **HOMES)),
        target_error_kwh=[0.5],
        **{**SETTINGS, "n": [4], "games": 60},
    )["comparison"]
    few = few[few["statistic"] == "gain_over_homes"]
    assert few[["low", "high"]].isna().all(axis=None)
    assert few["value"].notna().all()


def test_gaps_have_no_gain(tables):
    """One bit of each home cannot be so exact, and nobody who reads well is so wrong."""
    calibration = tables["calibration"]
    attainable = calibration[calibration["statistic"] == "attainable"].set_index(
        ["mechanism", "target_error_kwh"]
    )["value"]
    assert attainable[("one_bit", 0.0005)] == 0
    assert (attainable.xs(200, level=1) == 0).all()
    assert attainable[("one_bit", 0.64)] == 1
    found = tables["comparison"][["mechanism", "target_error_kwh"]].drop_duplicates()
    pairs = set(found.itertuples(index=False, name=None)) - {("none", 0.0)}
    assert pairs == set(attainable[attainable == 1].index)


def test_results_do_not_depend_on_the_other_targets(tables):
    alone = comparison_homes.build_comparison_tables(
        make_table(make_energy(40, **HOMES)), target_error_kwh=[0.5], **SETTINGS
    )
    mine = tables["comparison"]
    mine = mine[mine["target_error_kwh"].isin([0.0, 0.5])].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone["comparison"], mine)


def test_too_few_homes_is_an_error_that_says_so():
    with pytest.raises(TooSmallError, match=r"n is \[3\], but half of the homes, 3, play"):
        comparison_homes.build_comparison_tables(
            make_table(make_energy(6, **HOMES)), target_error_kwh=[0.5], **SETTINGS
        )
    with pytest.raises(ConfigError, match="target error is -1"):
        comparison_homes.build_comparison_tables(
            make_table(make_energy(20, **HOMES)), target_error_kwh=[-1], **SETTINGS
        )
