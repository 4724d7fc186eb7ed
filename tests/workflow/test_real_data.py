"""The smoke run on real data: what was not tested on samples gets verdicts."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

from misbehaving_server import file
from noiseless.pipeline.sections import list_papers
from noiseless.tables import read_table
from small_runs import choose_least

SURVEY = "/api/v1/datasets/download/miroslavsabo/young-people-survey/responses.csv"


class RealRun(NamedTuple):
    """A run on real data, what it printed, and how often it asked Kaggle's stand-in."""

    checkout: object
    output: str
    requests: int

    @property
    def results(self) -> Path:
        return self.checkout.path / "results"

    @property
    def ledger(self) -> pd.DataFrame:
        return pd.read_parquet(self.results / "ledger.parquet").set_index("id")


@pytest.fixture(scope="module")
def real_run(  # each is skipped by name where it is absent
    smoke_run,
    tmp_path_factory,
    kaggle,
    young_people_csv,
    london_folder,
    nyc_taxi_csv,
    redd_minutes_csv,
):
    """The smoke run again, on the real data that there are; Ausgrid and REDD are left out.

    The survey comes from a stand-in for Kaggle, with a cut on the way.  Of statements without data,
    nothing is asked here.
    """
    checkout = smoke_run.copy(tmp_path_factory.mktemp("real") / "run")
    paths = {"london": london_folder, "nyc_taxi": nyc_taxi_csv}
    data = {name: {"tier": "local", "path": str(path)} for name, path in paths.items()}
    data["nyc_taxi"]["rows"] = 1_000_000
    data |= {
        "young_people": {"tier": "download"},
        "ausgrid": {"tier": None},
        "redd": {"tier": None},
    }
    kaggle.routes[SURVEY] = file(young_people_csv.read_bytes(), cuts=(100_000,))
    output = checkout.smoke(
        target="results/ledger.parquet",  # the figures are drawn from tables alone
        config={
            "data": data,
            "recordings": {"minutes-3": {"path": str(redd_minutes_csv)}},
            "download": {"attempts": 2, "backoff_s": 0.01},
            **choose_least(*list_papers()),
        },
    )
    return RealRun(checkout, output, len(kaggle.requests))


def test_real_survey_arrives_over_a_cut(real_run, young_people_csv):
    assert real_run.requests == 2
    raw = real_run.checkout.path / "data/raw/young_people/download"
    assert [path.name for path in raw.iterdir()] == ["responses.csv"]
    assert (raw / "responses.csv").read_bytes() == young_people_csv.read_bytes()
    real_run.checkout.assert_token_is_nowhere(real_run.output)


def test_claims_on_the_real_survey_are_judged(real_run):
    """Figure 5 from the 980 real people, and every claim on them."""
    histogram, provenance = read_table(real_run.results / "tables/nsht/blurring_histogram.parquet")
    assert histogram.loc[histogram["policy"] == "none", "value"].sum() == 980
    assert provenance.sources[0].digest == "registered"
    ledger = real_run.ledger
    assert (ledger.loc[ledger["dataset"] == "young_people", "verdict"] != "not tested").all()
    assert ledger.loc["nsht-ex3-survey", ["verdict", "tier"]].tolist() == ["reproduced", "download"]
    assert ledger.loc["nsht-ex3-protects", ["category", "verdict"]].tolist() == [
        "own",
        "reproduced",
    ]


def test_real_homes_are_read_at_tier_local(real_run):
    """London's homes, gzipped as they are, get verdicts; Ausgrid's, which are not there, none."""
    ledger = real_run.ledger
    london = ledger[ledger.index.str.startswith("noiseless-fig3") & (ledger["dataset"] == "london")]
    assert len(london) >= 6
    assert (london["verdict"] != "not tested").all()
    # An advantage of 0.56, far beyond the sampling error of a smoke run's few games.
    assert london.loc["noiseless-fig3-n8-eps3-london", "verdict"] == "differs"
    assert ledger.loc["noiseless-fig3-n8-eps3", "verdict"] == "not tested"


def test_real_trips_are_read_at_tier_local(real_run):
    """Figure 6 from the first million rows, and every claim on them judged."""
    ledger = real_run.ledger
    real = ledger[ledger["dataset"] == "nyc_taxi"]
    assert len(real) >= 2
    differs = real.index[real["verdict"] != "reproduced"].tolist()
    assert differs == ["noiseless-fig6-attribute-hour"]  # who knows the hour finds many
    assert real.loc[differs, "verdict"].tolist() == ["differs"]
    assert set(real["tier"]) == {"local"}


def test_real_minutes_at_tier_local_are_judged(real_run):
    ledger = real_run.ledger
    claims = ledger[ledger.index.str.startswith("noiseless-fig4-")]
    on_minutes = claims[claims["dataset"] == "minutes-3"]
    assert len(on_minutes) == 10
    assert (on_minutes["verdict"] != "not tested").all()
    assert (claims.loc[claims["dataset"] != "minutes-3", "verdict"] == "not tested").all()
    assert ledger.loc["noiseless-fig4-threat-minutes-3", "category"] == "own"
    assert ledger.loc["noiseless-fig4-strong-threat-minutes-3", "verdict"] == "reproduced"
