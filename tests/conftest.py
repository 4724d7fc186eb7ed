"""Fixtures that several tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def root() -> Path:
    """Root of the project."""
    return ROOT


@pytest.fixture(scope="session")
def young_people_csv() -> Path:
    """The real survey, for those who have it; its tests are skipped by name elsewhere."""
    path = SHARED_DATA / "young_people" / "responses.csv"
    if not path.is_file():
        pytest.skip("the real young people survey is not here")
    return path


@pytest.fixture(scope="session")
def nyc_taxi_csv() -> Path:
    """Real trips in the Arrow edition, for those who have them."""
    path = SHARED_DATA / "nyc_taxi" / "yellow_tripdata_2009-01_2016-06_sample_1in1000.csv.gz"
    if not path.is_file():
        pytest.skip("the real taxi trips are not here")
    return path
