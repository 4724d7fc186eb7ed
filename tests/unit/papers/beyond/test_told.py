"""What an outsider gains against the homes whose statistics it has."""

import numpy as np
import pandas as pd
import pytest

from noiseless.adversaries.labels import NORMAL
from noiseless.adversaries.normal_homes import Population
from noiseless.papers.beyond import told
from noiseless.papers.beyond.told import told_table
from toy_homes import make_energy, make_table

SETTINGS = {
    **{"dataset": "toy", "seed": 1, "n": [4, 8], "told": [5, 12, 500], "rounding_kwh": 0.2},
    **{"days_per_value": [1, 4], "draws": 3, "candidates": 6},
}


@pytest.fixture(scope="module")
def table():
    return told_table(make_table(make_energy()), **SETTINGS)


def test_homes_that_tell_are_in_no_game_and_all_of_the_rest_are_added(monkeypatch):
    energy = make_energy() + np.arange(30)[:, None]
    asked, played = [], []

    class Spy(Population):
        @classmethod
        def estimate(cls, readings_wh):
            asked.append({tuple(row) for row in readings_wh})
            return Population.estimate(readings_wh)

    original = told.totals_of

    def totals_of(values, draw):
        everyone = np.concatenate([draw.others, draw.candidates])
        played.append({tuple(row) for row in values[everyone]})
        return original(values, draw)

    monkeypatch.setattr(told, "Population", Spy)
    monkeypatch.setattr(told, "totals_of", totals_of)
    told_table(make_table(energy), **{**SETTINGS, "n": [4], "days_per_value": [1]})
    assert [len(each) for each in asked] == [5, 12, 21] * 3  # 30 less 3 in the mean, 6 candidates
    for number, each in enumerate(asked):
        assert not each & played[number // 3]
        assert len(played[number // 3]) == 9


def test_table_holds_every_cell_and_the_number_of_games(table):
    cell = ["days_per_value", "n", "adversary"]
    gain = table[table["statistic"] == "gain"].set_index(cell).sort_index()
    for days in (1, 4):
        for size, everybody in ((4, 21), (8, 17)):
            assert gain.loc[(days, size, NORMAL), "told"].tolist() == [5, 12, everybody]
            assert gain.loc[(days, size, "control"), "told"].tolist() == [0]
    games = table[(table["statistic"] == "games") & (table["adversary"] == "any")]
    assert (games["value"] == 3 * 6 * 5).all()
    assert set(gain["over"]) == {"draws"}
    assert (gain["low"] <= gain["value"]).all()
    assert (gain["value"] <= gain["high"]).all()
    assert (gain.xs("control", level="adversary")["value"].abs() < 1e-12).all()


def test_real_homes_more_statistics_tell_more(london_daily: pd.DataFrame):
    """Of the same draws: from 75 homes to all, by more than the luck of the draws."""
    found = told_table(
        london_daily,
        **{"dataset": "london", "seed": 3, "n": [64], "told": [75], "rounding_kwh": 2},
        **{"days_per_value": [1], "draws": 8, "candidates": 30},
    )
    gain = found[found["statistic"] == "gain"].set_index(["adversary", "told"])
    few, many = gain.loc[NORMAL].sort_index().to_dict("records")
    assert many["value"] > few["value"] + 0.03
    simple = gain.loc[["correlation", "mse", "peaks"], "value"].max()
    assert few["value"] > simple
