"""Tier `download` through the whole workflow, from a local stand-in for Kaggle."""

import pandas as pd
import pytest

from misbehaving_server import file, misbehaving_server, status

PATH = "/api/v1/datasets/download/miroslavsabo/young-people-survey/responses.csv"
DOWNLOAD = {
    "data": {"young_people": {"tier": "download"}},
    "download": {"attempts": 2, "backoff_s": 0.01},
}


@pytest.fixture
def kaggle(tmp_path, monkeypatch):
    """The stand-in, with a token that must not be seen anywhere."""
    monkeypatch.setenv("KAGGLE_USERNAME", "someone")
    monkeypatch.setenv("KAGGLE_KEY", "sesame-open-up")
    with misbehaving_server() as server:
        monkeypatch.setenv("KAGGLE_API_ENDPOINT", server.url("").rstrip("/"))
        yield server


def assert_token_is_nowhere(checkout, output):
    assert "sesame-open-up" not in output
    for folder in ("logs", "results", "data"):
        for path in (checkout.path / folder).rglob("*"):
            if path.is_file():
                assert b"sesame-open-up" not in path.read_bytes(), path


def test_survey_arrives_over_a_cut_and_its_claims_get_verdicts(smoked, kaggle, young_people_csv):
    kaggle.routes[PATH] = file(young_people_csv.read_bytes(), cuts=(100_000,))
    output = smoked.smoke(config=DOWNLOAD)
    assert len(kaggle.requests) == 2
    raw = smoked.path / "data/raw/young_people/download"
    assert [path.name for path in raw.iterdir()] == ["responses.csv"]
    assert (raw / "responses.csv").read_bytes() == young_people_csv.read_bytes()
    ledger = pd.read_parquet(smoked.path / "results/ledger.parquet").set_index("id")
    assert ledger.loc["nsht-ex3-survey", ["verdict", "tier"]].tolist() == ["reproduced", "download"]
    assert_token_is_nowhere(smoked, output)


def test_file_that_is_not_there_is_one_readable_error(fresh, kaggle):
    kaggle.routes[PATH] = status(404)
    output = fresh.smoke(
        target="data/prepared/young_people.parquet", config=DOWNLOAD, succeeds=False
    )
    assert "could not be downloaded from any mirror" in output
    assert "By hand: Open https://www.kaggle.com/datasets/miroslavsabo" in output
    assert "Traceback" not in output
    assert not list((fresh.path / "data").rglob("*.csv*"))
    assert_token_is_nowhere(fresh, output)
