"""Datasets of the user's: what is refused before anything runs, what stands side by side."""

import numpy as np
import pandas as pd
import pytest
import yaml

from noiseless.pipeline.configuration import merged
from noiseless.settings import load_yaml
from noiseless.tables import read_table

CLUB = {
    "kind": "people",
    "path": "people.csv",
    "x1": {"column": "kilos", "unit": "kg", "range": [0, 200]},
    "x2": {"column": "waist", "unit": "cm", "range": [50, 150]},
    "threshold": [0, 1],
}
METERS = {"kind": "meters", "columns": {"home": "home", "time": "day", "value": "kwh"}}
RIDES = {
    "kind": "trips",
    "path": "rides.csv",
    "columns": {
        f"{end}_{axis}": f"{end}_{axis}"
        for end in ("pickup", "dropoff")
        for axis in ("latitude", "longitude")
    },
    "latitude_range_deg": [48, 49],
    "longitude_range_deg": [2, 3],
}
# Few games: nothing here is about their result.
SMALL = {
    "noiseless": {
        "membership": {**{"games": 20, "n": [2, 64], "epsilon_bits": [1]}},
        "trips": {"epsilon_bits": [4], "k": [2], "numbers": [10]},
    },
    "beyond": {"recommendation": {"n": [2], "draws": 2, "splits": 1}},
}


ALONE = """
import sys
sys.modules["snakemake"] = None
from noiseless.command_line import main
sys.exit(main())
"""


@pytest.fixture
def with_people(fresh):
    table = pd.DataFrame({"kilos": [80, 101, 97], "waist": [90, 100, 100]})
    table.to_csv(fresh.path / "people.csv", index=False)
    return fresh


@pytest.mark.parametrize(
    ("club", "message"),
    [
        (None, "there is no data of yours"),
        ({**CLUB, "path": "nowhere.csv"}, "data.club.path is 'nowhere.csv', which"),
        ({**CLUB, "threshold": [0, 2]}, "data.club.threshold: over the range [50, 150] of x2"),
    ],
)
def test_own_data_that_cannot_be_stop_before_anything_runs(with_people, club, message):
    output = with_people.smoke(target="own", config={"data": {"club": club}}, succeeds=False)
    assert message in output
    assert not (with_people.path / "data/prepared").exists()


def test_all_holds_own_where_it_is_configured_but_the_ledger_does_not_wait_for_it(with_people):
    config = {"data": {"club": CLUB}}
    dry = ("--dry-run", "--quiet", "host")
    assert "rule own_dataset:" in with_people.smoke(*dry, target="all", config=config)
    ledger = with_people.smoke(*dry, target="results/index.html", config=config)
    assert "rule write_page:" in ledger
    assert "rule own_dataset:" not in ledger


def test_datasets_stand_side_by_side_and_a_broken_one_stops_itself_alone(fresh):
    """Two of meters and one of trips, of which one cell is no number."""
    rng = np.random.default_rng(4)
    for name in ("town", "village"):
        days = pd.date_range("2024-01-01", periods=20)
        table = pd.DataFrame([(f"h{k}", day) for k in range(8) for day in days])
        table = table.set_axis(["home", "day"], axis=1).assign(kwh=rng.gamma(2, 4, 160).round(3))
        table.to_csv(fresh.path / f"{name}.csv", index=False)
    rides = {name: rng.uniform(2, 3, 30).round(4) for name in RIDES["columns"]}
    rides = {name: x + 46 * ("latitude" in name) for name, x in rides.items()}
    table = pd.DataFrame(rides).astype(str)
    table.loc[5, "pickup_latitude"] = "north"
    table.to_csv(fresh.path / "rides.csv", index=False)
    data = {
        "town": {**METERS, "path": "town.csv", "unit": "kWh"},
        "my-village_2": {**METERS, "path": "village.csv", "unit": "kWh", "last_day": "2024-01-10"},
        "rides": RIDES,
    }
    output = fresh.smoke(target="own", config={"data": data, **SMALL}, succeeds=False)
    message = "rides.csv, line 7, column 'pickup_latitude': 'north' is not a number"
    assert output.count(message) == 1
    assert message in (fresh.path / "logs/own_dataset/rides.log").read_text()
    assert "Traceback" not in output
    results = fresh.path / "results"
    assert not (results / "own/rides").exists()
    assert not (results / "figures/own/rides").exists()
    assert not (results / "tables/own/rides").exists()
    found = {}
    for name, days in (("town", 20), ("my-village_2", 10)):
        summary, provenance = read_table(results / f"own/{name}/summary.parquet")
        assert [source.dataset for source in provenance.sources] == [name]
        assert set(summary["dataset"]) == {name}
        assert f"(days: {days})" in summary["statement"][0]
        assert len(list((results / f"figures/own/{name}").glob("*.png"))) == 2
        found[name], _ = read_table(results / f"tables/own/{name}/membership.parquet")
        assert set(found[name]["n"]) == {2}  # 64 homes are too many
    assert not found["town"]["value"].equals(found["my-village_2"]["value"])
    # Without Snakemake the same comes out, to the byte.
    config = merged(load_yaml(fresh.path / "config/smoke.yaml"), SMALL)
    config["data"] |= {"town": data["town"]}
    (fresh.path / "own.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    output = fresh.run("python", "-c", ALONE, "own", "own.yaml", "--results", "alone")
    assert "alone/own/town/summary.html" in output
    made = sorted(path for path in (fresh.path / "alone").rglob("*") if path.is_file())
    assert len(made) > 10
    for path in made:
        same = results / path.relative_to(fresh.path / "alone")
        assert path.read_bytes() == same.read_bytes(), path
