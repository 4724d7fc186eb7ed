"""Fingerprints of a run: a player who has come since is named, and no other row is lost for it."""

import json

import pandas as pd
import pytest

from fingerprints import __main__ as fingerprints

ROWS = [("mse", 0.5), ("peaks", 0.25)]


def run(folder, rows):
    """The results of a run with one table."""
    path = folder / "tables" / "paper" / "games.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows, columns=["adversary", "value"]).to_parquet(path)
    return folder


@pytest.fixture
def then(tmp_path):
    file = tmp_path / "then.json"
    assert fingerprints.main("write", str(run(tmp_path / "then", ROWS)), str(file)) == 0
    return file


def test_the_file_names_its_players(then):
    assert json.loads(then.read_text())["players"] == ["mse", "peaks"]


def test_a_new_player_is_one_line_and_no_change(then, tmp_path, capsys):
    now = run(tmp_path / "now", [*ROWS, ("ends", 0.125)])
    assert fingerprints.main("check", str(now), str(then)) == 0
    said = capsys.readouterr().out.splitlines()[-2:]
    assert said == ["ends: new players, whose rows and figures are not compared", "the same"]


@pytest.mark.parametrize("rows", [[("mse", 0.5), ("peaks", 0.26)], ROWS[:1]])
def test_a_row_of_a_known_player_that_changes_is_said_beside_a_new_one(rows, then, tmp_path):
    now = run(tmp_path / "now", [*rows, ("ends", 0.125)])
    assert fingerprints.differences(now, then) == ["tables/paper/games has changed"]
    assert fingerprints.main("check", str(now), str(then)) == 1
