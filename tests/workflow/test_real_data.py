"""The smoke run on real data at tier local: what was not tested on samples gets verdicts."""

import shutil

import pandas as pd
import pytest

from noiseless.tables import read_table


@pytest.fixture(scope="module")
def real_run(  # each is skipped by name where it is absent
    smoke_run, tmp_path_factory, young_people_csv, london_folder, nyc_taxi_csv, redd_minutes_csv
):
    """The smoke run again, with four datasets as they are; only Ausgrid is a sample."""
    folder = tmp_path_factory.mktemp("real") / "run"
    run = type(smoke_run)(shutil.copytree(smoke_run.path, folder, symlinks=True))
    paths = {
        "young_people": young_people_csv,
        "london": london_folder,
        "nyc_taxi": nyc_taxi_csv,
        "redd": redd_minutes_csv,
    }
    data = {name: {"tier": "local", "path": str(path)} for name, path in paths.items()}
    data["nyc_taxi"]["rows"] = 1_000_000
    run.smoke(config={"data": data})
    return run


def test_real_survey_at_tier_local(real_run):
    """Figure 5 from the 980 real people, and every claim on them judged."""
    results = real_run.path / "results"
    histogram, provenance = read_table(results / "tables/nsht/blurring_histogram.parquet")
    assert histogram.loc[histogram["policy"] == "none", "value"].sum() == 980
    assert provenance.sources[0].registered
    ledger = pd.read_parquet(results / "ledger.parquet").set_index("id")
    assert (ledger.loc[ledger["dataset"] == "young_people", "verdict"] != "not tested").all()
    assert ledger.loc["nsht-ex3-survey", "verdict"] == "reproduced"
    assert ledger.loc["nsht-ex3-survey", "tier"] == "local"
    assert ledger.loc["nsht-ex3-protects", "verdict"] == "corrected"


def test_real_homes_at_tier_local(real_run):
    """London's homes, gzipped as they are, get verdicts; Ausgrid's sample still gets none."""
    ledger = pd.read_parquet(real_run.path / "results/ledger.parquet").set_index("id")
    london = ledger[ledger.index.str.startswith("noiseless-fig3") & (ledger["dataset"] == "london")]
    assert len(london) >= 8
    assert (london["verdict"] != "not tested").all()
    # An advantage of 0.56, far beyond the sampling error of a smoke run's few games.
    assert london.loc["noiseless-fig3-n8-eps3-london", "verdict"] == "differs"
    assert ledger.loc["noiseless-fig3-n8-eps3", "verdict"] == "not tested"


def test_real_trips_at_tier_local(real_run):
    """Figure 6 from the first million rows, and every claim on them judged."""
    ledger = pd.read_parquet(real_run.path / "results/ledger.parquet").set_index("id")
    real = ledger[ledger["dataset"] == "nyc_taxi"]
    assert len(real) >= 2
    assert set(real["verdict"]) == {"reproduced"}
    assert set(real["tier"]) == {"local"}


def test_real_minutes_at_tier_local_are_judged(real_run):
    ledger = pd.read_parquet(real_run.path / "results/ledger.parquet").set_index("id")
    claims = ledger[ledger.index.str.startswith("noiseless-fig4-")]
    assert (claims["verdict"] != "not tested").all()
    assert ledger.loc["noiseless-fig4-threat", "verdict"] == "differs"
    assert ledger.loc["noiseless-fig4-strong-threat", "verdict"] == "reproduced"
