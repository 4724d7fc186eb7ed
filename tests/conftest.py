"""Fixtures that several tests share."""

from pathlib import Path

import pandas as pd
import pytest

from noiseless.datasets.london import read_london

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
def london_folder() -> Path:
    """Real homes in London, 13 of 112 blocks; their tests are skipped by name elsewhere."""
    path = SHARED_DATA / "london"
    if not (path / "block_0.csv.gz").is_file():
        pytest.skip("the real homes of London are not here")
    return path


@pytest.fixture(scope="session")
def london_daily(london_folder) -> pd.DataFrame:
    """Calendar 2013 of the real homes with a standard tariff."""
    blocks = {path.name.split(".")[0]: path for path in london_folder.glob("block_*.csv.gz")}
    households = london_folder / "informations_households.csv"
    return read_london(households=households, year=2013, tariff="Std", **blocks)


@pytest.fixture(scope="session")
def nyc_taxi_csv() -> Path:
    """Real trips in the Arrow edition, for those who have them."""
    path = SHARED_DATA / "nyc_taxi" / "yellow_tripdata_2009-01_2016-06_sample_1in1000.csv.gz"
    if not path.is_file():
        pytest.skip("the real taxi trips are not here")
    return path
