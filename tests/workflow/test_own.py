"""The target `own`: what it refuses before anything runs, and what it leaves alone."""

import pandas as pd
import pytest

PEOPLE = {
    "path": "people.csv",
    "x1": {"column": "kilos", "unit": "kg", "range": [0, 200]},
    "x2": {"column": "waist", "unit": "cm", "range": [50, 150]},
    "threshold": [0, 1],
}


@pytest.fixture
def with_people(fresh):
    table = pd.DataFrame({"kilos": [80, 101, 97], "waist": [90, 100, 100]})
    table.to_csv(fresh.path / "people.csv", index=False)
    return fresh


@pytest.mark.parametrize(
    ("own", "message"),
    [
        (None, "there is no data of yours"),
        ({"people": {**PEOPLE, "path": "nowhere.csv"}}, "own.people.path is 'nowhere.csv', which"),
        ({"people": {**PEOPLE, "threshold": [0, 2]}}, "threshold goes from 100 to 300"),
    ],
)
def test_own_data_that_cannot_be_stop_before_anything_runs(with_people, own, message):
    output = with_people.smoke(target="own", config={"own": own}, succeeds=False)
    assert message in output
    assert not (with_people.path / "data/prepared").exists()


def test_all_holds_own_where_it_is_configured_but_the_ledger_does_not_wait_for_it(with_people):
    plan = with_people.smoke("--dry-run", target="all", config={"own": {"people": PEOPLE}})
    assert "rule own_summary:" in plan
    assert "rule prepare_own_meters:" not in plan
    ledger = with_people.smoke(
        "--dry-run", target="results/index.html", config={"own": {"people": PEOPLE}}
    )
    assert "own" not in ledger.split("rule write_page:")[1].split("output:")[0]
    assert "rule prepare_own_people:" not in ledger


def test_spoiled_file_of_people_is_one_readable_error_and_leaves_nothing(with_people):
    path = with_people.path / "people.csv"
    path.write_text(path.read_text().replace("97", "ninety"))
    output = with_people.smoke(target="own", config={"own": {"people": PEOPLE}}, succeeds=False)
    assert "people.csv, line 4, column 'kilos': 'ninety' is not a number" in output
    assert "Traceback" not in output
    assert not list((with_people.path / "data").rglob("*.parquet"))
