"""Homes that the configuration was not written for: what they are too few for is skipped."""

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import TooSmallError
from noiseless.games.membership import (
    filter_possible_cells,
    filter_possible_days,
    filter_possible_n,
)
from noiseless.papers.beyond.adversaries import build_adversary_tables
from noiseless.papers.beyond.comparison_homes import build_comparison_tables
from noiseless.papers.noiseless.membership import (
    build_advantage_table,
    build_choices_table,
    build_learned_table,
    build_ranges_table,
)
from noiseless.papers.noiseless.selected_pairs import build_pairs_table

RELEASE = {"public_range_kwh": 5, "quantizer_rule": "n_2^eps", "resolution": "days"}
TOWN = {"dataset": "my-town", "seed": 1}


@pytest.fixture(scope="module")
def readings():
    """Seven homes, thirty days."""
    rng = np.random.default_rng(2)
    return pd.DataFrame(
        {
            "home": pd.Categorical(np.repeat([f"h{k}" for k in range(7)], 30)),
            "time": np.tile(pd.date_range("2024-01-01", periods=30), 7),
            "energy_kwh": rng.gamma(2, 4, 210).round(3),
        }
    )


def test_sizes_that_are_not_possible_are_skipped_with_a_message(caplog):
    found = filter_possible_n([2, 4, 8], homes=8, key="key", who="there are {} homes")
    assert found == [2, 4]
    assert "key: skipping 8, because there are 8 homes" in caplog.text
    with pytest.raises(TooSmallError, match=r"key is \[4, 8\], but there are 3 homes, .*smaller n"):
        filter_possible_n([4, 8], homes=3, key="key", who="there are {} homes")


def test_cells_of_one_n_are_kept_or_skipped_together(caplog):
    cells = [{"n": n, "epsilon_bits": bits} for n, bits in ((4, 2), (8, 2), (8, 3), (4, 1))]
    found = filter_possible_cells(cells, homes=8, key="key", who="{} homes play")
    assert found == [cells[0], cells[3]]
    assert "key: skipping 8, because 8 homes play" in caplog.text


def test_days_that_there_are_too_few_of_are_skipped_with_a_message(caplog):
    assert filter_possible_days([1, 30, 31], readings=30, key="key") == [1, 30]
    assert filter_possible_days([1, 30, 365], readings=311, key="key") == [1, 30, 311]
    assert filter_possible_days([1, 30], readings=311, key="key") == [1, 30]
    assert "key: skipping 31, because the readings have 30 days" in caplog.text
    with pytest.raises(TooSmallError, match=r"key is \[365\], but the readings have 30 days"):
        filter_possible_days([365], readings=30, key="key")


def test_possible_sizes_have_the_same_games_and_others_none(readings):
    shared = {**TOWN, "games": 50, "epsilon_bits": [2], **RELEASE}
    game = {**shared, "peaks": "strict"}
    expected = build_advantage_table(readings, n=[2, 4], **game)
    skipping = build_advantage_table(readings, n=[2, 4, 64], **game)
    pd.testing.assert_frame_equal(skipping, expected)
    with pytest.raises(TooSmallError, match=r"is \[64\], but there are 7 homes"):
        build_advantage_table(readings, n=[64], **game)
    # Another name has other games.
    other = build_advantage_table(readings, n=[2, 4], **{**game, "dataset": "london"})
    assert not other["value"].equals(expected["value"])
    # Half of seven homes are three.
    assert set(build_learned_table(readings, n=[2, 3], **shared)["n"]) == {2}
    with pytest.raises(TooSmallError, match="half of the homes, 3, play against the learned"):
        build_learned_table(readings, n=[4], **shared)


def test_cells_of_figure_3_that_are_possible_have_the_same_rows(readings):
    """Seven homes play for n = 4, not for n = 8."""
    ranges = {**TOWN, "games": 40, "kwh": [3], "public_range_kwh": 5}
    found = build_ranges_table(readings, **ranges)
    assert set(found["n"]) == {4}
    alone = build_ranges_table(readings, **ranges, cells=[{"n": 4, "epsilon_bits": 2}])
    pd.testing.assert_frame_equal(found, alone)
    choices = {"resolutions": ["days"], "week_start": "2024-01-08", "public_range_kwh": 5}
    assert set(build_choices_table(readings, **TOWN, games=40, **choices)["n"]) == {4}
    with pytest.raises(TooSmallError, match="n of the cells of Figure 3 is"):
        build_ranges_table(readings, **ranges, cells=[{"n": 8, "epsilon_bits": 2}])


def test_experiments_on_halves_keep_what_is_possible(readings):
    """Half of seven homes are three, which can play for n = 2; there are thirty days."""
    release = {"public_range_kwh": 5, "quantizer_rule": "n_2^eps"}
    cells = [{"n": 2, "epsilon_bits": 1}, {"n": 3, "epsilon_bits": 1}]
    pairs = {**TOWN, "candidates": 4, "draws": 4, **release, "cells": cells}
    found = build_pairs_table(readings, days=[5, 365], **pairs)
    assert (set(found["n"]), set(found["days"])) == ({2}, {5, 30})
    with pytest.raises(TooSmallError, match=r"noiseless.pairs.days is \[365\]"):
        build_pairs_table(readings, days=[365], **pairs)

    known = {**TOWN, "games": 20, "epsilon_bits": [1], "known_shares": [0], **release}
    found = build_adversary_tables(readings, n=[2, 3], days=[5, 365], **known)["repeated"]
    assert (set(found["n"]), set(found["days"])) == ({2}, {5, 30})

    errors = {"target_error_kwh": [1.0], "public_range_kwh": 5, "delta": 1e-5}
    compared = {**TOWN, "games": 20, "training_games": 20, **errors}
    assert set(build_comparison_tables(readings, n=[2, 3], **compared)["comparison"]["n"]) == {2}
    with pytest.raises(TooSmallError, match=r"beyond.comparison.homes.n is \[3\], but half"):
        build_comparison_tables(readings, n=[3], **compared)
