"""The file to publish and its note: written where the page says so, complete or not at all."""

import numpy as np
import pandas as pd
import pytest

from noiseless.custodian.protected import protected_meters, write_protected
from noiseless.custodian.words import Answer
from noiseless.errors import ConfigError
from noiseless.tables import Provenance

SAFE = Answer("Publish it.", points=[("Risk", "1 in 5")], not_promised=["More."])
READINGS = pd.DataFrame(
    {
        "home": np.repeat(["a", "b", "c"], 15),
        "time": np.tile(pd.date_range("2024-01-01", periods=15), 3),
        "energy_kwh": np.concatenate([np.full(15, 1.0), np.full(15, 2.0), np.arange(15.0)]),
    }
)


def frontier(chosen):
    cell = {"n": 2, "rounding_kwh": 0.5, "days_per_value": 7}
    row = {"statistic": "chosen", "value": float(chosen)}
    return {"recommendation_frontier": pd.DataFrame([{**cell, **row}])}


def write(folder, tables, answer=SAFE):
    return write_protected("meters", READINGS, tables, {}, answer, folder, Provenance("code"))


def test_means_of_all_homes_are_rounded_and_cut_to_periods():
    rows = protected_meters(READINGS, frontier(True))
    assert rows["first_day"].tolist() == ["2024-01-01", "2024-01-08"]
    # (1 + 2 + 3) / 3 = 2 and (1 + 2 + 10) / 3 = 4.33 kWh a day
    assert rows["mean_kwh_a_day"].tolist() == [2.0, 4.5]
    assert rows["homes"].tolist() == [3, 3]


def test_a_note_stands_beside_the_file(tmp_path):
    path = write(tmp_path, frontier(True))
    assert pd.read_csv(path)["days"].tolist() == [7, 7]
    note = path.with_suffix(".txt").read_text(encoding="utf-8")
    assert "Publish it.\n\nRisk: 1 in 5" in note
    assert "- More." in note
    assert "NOT SHOWN TO BE SAFE" not in note
    write(tmp_path, frontier(True), Answer("The best that we found"))
    assert "NOT SHOWN TO BE SAFE" in path.with_suffix(".txt").read_text(encoding="utf-8")


def test_where_nothing_was_found_nothing_is_written(tmp_path):
    with pytest.raises(ConfigError, match="nothing was found that could be published"):
        write(tmp_path, frontier(False))
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def cut_off(self, path, **_):
        path.write_text("first_day,da")
        raise OSError("disk full")

    monkeypatch.setattr(pd.DataFrame, "to_csv", cut_off)
    with pytest.raises(OSError, match="disk full"):
        write(tmp_path, frontier(True))
    assert list(tmp_path.iterdir()) == []
