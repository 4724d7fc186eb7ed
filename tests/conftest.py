"""Fixtures that several tests share."""

import gzip
import os
import tarfile
import zipfile
from pathlib import Path

import hypothesis
import pandas as pd
import pytest

from chromium import CHROMIUM, Tab, axe_core

# A hook of git that runs the tests names the developer's repository to all that they call.
for _name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"):
    os.environ.pop(_name, None)

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"
# Files that take longest, in this order; Slurm's tests mostly wait, while others use the cores.
LONGEST = (
    *("test_slurm", "test_download_tier", "test_docs", "test_real_data", "test_nilm"),
    *("test_mutants", "test_page", "test_epsilon", "test_privacy_loss", "test_extremes"),
    "test_wheel",
)

# How long an example takes says how busy the machine is. tests/mutants has a profile of its own.
if hypothesis.settings.get_current_profile_name() == "default":
    hypothesis.settings.register_profile("noiseless", deadline=None)
    hypothesis.settings.load_profile("noiseless")


def pytest_collection_modifyitems(items):
    """Long files come first, then whole runs, so that the workers end together."""
    first = {stem: k for k, stem in enumerate(LONGEST)}
    items.sort(
        key=lambda item: (
            first.get(item.path.stem, len(LONGEST)),
            item.path.parent.name != "workflow",
        )
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """See :mod:`scheduling`; the files come in the order of the collection."""
    from scheduling import Scheduling

    config.option.loadscopereorder = False
    return Scheduling(config, log)


@pytest.fixture(scope="session")
def root() -> Path:
    """Root of the project."""
    return ROOT


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """Headless Chromium, where there is one; its tests are skipped by name elsewhere."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here (Debian's package: chromium)")
    with Tab(tmp_path_factory.mktemp("chromium")) as tab:
        yield tab


@pytest.fixture
def tab(chromium) -> Tab:
    """An empty tab of the browser that all tests share."""
    chromium.clear()
    return chromium


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core; its tests are skipped by name where its package is not there."""
    script = axe_core()
    if script is None:
        pytest.skip("no axe-core here (the package axe-core-python)")
    return script


def real(file: str, what: str) -> Path:
    """A file of the real data; tests of one that is absent are skipped by name."""
    path = SHARED_DATA / file
    if not path.is_file():
        pytest.skip(f"{what} not here")
    return path


@pytest.fixture(scope="session")
def young_people_csv() -> Path:
    """The real survey, for those who have it; its tests are skipped by name elsewhere."""
    return real("young_people/responses.csv", "the real young people survey is")


@pytest.fixture(scope="session")
def london_folder() -> Path:
    """Real homes in London, 13 of 112 blocks; their tests are skipped by name elsewhere."""
    return real("london/block_0.csv.gz", "the real homes of London are").parent


@pytest.fixture(scope="session")
def london_daily(london_folder) -> pd.DataFrame:
    """Calendar 2013 of the real homes with a standard tariff."""
    # Imported here: the library's tests run without the packages that read files, too.
    from noiseless.data.london import read_london

    blocks = {path.name.split(".")[0]: path for path in london_folder.glob("block_*.csv.gz")}
    households = london_folder / "informations_households.csv"
    return read_london(households=households, year=2013, tariff="Std", **blocks)


@pytest.fixture(scope="session")
def nyc_taxi_csv() -> Path:
    """Real trips in the Arrow edition, for those who have them."""
    file = "nyc_taxi/yellow_tripdata_2009-01_2016-06_sample_1in1000.csv.gz"
    return real(file, "the real taxi trips are")


@pytest.fixture(scope="session")
def redd_minutes_csv(tmp_path_factory) -> Path:
    """House 1 of REDD by the minute, as it is published; skipped by name where it is absent."""
    path = real("redd/redd_building1_1min_mean.csv.gz", "the real minutes of REDD's house 1 are")
    target = tmp_path_factory.mktemp("redd") / "house1_minutes.csv"
    target.write_bytes(gzip.decompress(path.read_bytes()))
    return target


@pytest.fixture(scope="session")
def redd_channels_csv() -> Path:
    """All sub-meters of REDD's house 1 by the minute; skipped by name where it is absent."""
    file = "redd/redd_house1_1min_max_all_channels_may13-23.csv.gz"
    return real(file, "the real sub-meters of REDD's house 1 are")


@pytest.fixture(scope="session")
def redd_april_tar() -> Path:
    """House 1 by the minute in April, five appliances; skipped by name where it is absent."""
    file = "redd/redd_house1_five_appliances_april23-30_low_freq.tar.gz"
    return real(file, "the real minutes of REDD's house 1 in April are")


@pytest.fixture(scope="session")
def redd_five_folder(tmp_path_factory) -> Path:
    """The folder low_freq that was made of them; skipped by name where it is absent."""
    file = "redd/redd_house1_five_appliances_may13-23_low_freq.tar.gz"
    packed = real(file, "the real sub-meters of REDD's house 1 in the original form are")
    target = tmp_path_factory.mktemp("redd5")
    with tarfile.open(packed) as archive:
        archive.extractall(target, filter="data")
    return target / "low_freq"


@pytest.fixture(scope="session")
def redd_house5(tmp_path_factory) -> Path:
    """Five sub-meters of REDD's house 5 in the original format; skipped by name where absent."""
    file = "redd/redd_house5_original_appliance_channels.zip"
    path = real(file, "the real sub-meters of REDD's house 5 are")
    target = tmp_path_factory.mktemp("redd")
    with zipfile.ZipFile(path) as archive:
        for number in (3, 6, 10, 18, 23):
            archive.extract(f"low_freq/house_5/channel_{number}.dat", target)
    return target / "low_freq" / "house_5"
