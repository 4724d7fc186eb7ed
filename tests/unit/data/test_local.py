"""Public datasets in a folder of files that a user has."""

import dataclasses
import gzip
import hashlib

import pytest

from noiseless.data.local import DATASETS, find_local
from noiseless.data.registry import load_heads, load_sources
from noiseless.errors import ConfigError


@pytest.fixture(scope="module")
def sources(root):
    return load_sources(root / "config/sources.yaml")


@pytest.fixture(scope="module")
def heads(root):
    return load_heads(root / "config/sources.yaml", "nyc_taxi")


def put(path, content=b"x"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_files_are_known_by_their_names(tmp_path, sources, heads):
    survey = put(tmp_path / "young_people" / "responses.csv")
    year = put(tmp_path / "ausgrid" / "solar_home_2012-2013.csv.gz")
    put(tmp_path / "london" / "daily_dataset" / "block_3.csv")
    trips = put(tmp_path / "nyc_taxi" / "nyc_taxi_data_2014.csv")
    put(tmp_path / "nyc_taxi" / "yellow_tripdata_2014_sample_1in1000.csv.gz")
    (tmp_path / "redd" / "low_freq").mkdir(parents=True)
    assert find_local(tmp_path, sources, heads) == {
        "young_people": survey,
        "ausgrid": year,
        "london": tmp_path / "london",
        "nyc_taxi": trips,
        "redd": tmp_path / "redd" / "low_freq",
    }


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_file_of_another_name_is_known_by_its_contents(tmp_path, sources, ending):
    content = b"Timestamp,main\n"
    digest = hashlib.sha256(content).hexdigest()
    (minutes,) = (each for each in sources if each.file == "house1_minutes.csv")
    known = [dataclasses.replace(minutes, sha256=digest)]
    put(tmp_path / "redd" / f"a.{ending}", gzip.compress(b"?") if "gz" in ending else b"?")
    path = put(
        tmp_path / "redd" / f"b.{ending}", gzip.compress(content) if "gz" in ending else content
    )
    found = find_local(tmp_path, known)
    assert found.pop("redd") == path
    assert set(found.values()) == {None}


def test_file_that_the_registry_does_not_know_is_not_taken(tmp_path, sources, heads):
    put(tmp_path / "young_people" / "responses.csv")
    put(tmp_path / "nyc_taxi" / "green_trips.csv")
    found = find_local(tmp_path, sources, heads)
    assert [dataset for dataset in DATASETS if found[dataset]] == ["young_people"]


@pytest.mark.parametrize(
    ("folder", "message"),
    [("nowhere", "no such folder"), ("m" * 300, "no such folder"), (".", "none of")],
)
def test_folder_without_datasets_is_an_error(tmp_path, sources, folder, message):
    with pytest.raises(ConfigError, match=message):
        find_local(tmp_path / folder, sources)


def test_real_files(sources, heads, young_people_csv, london_folder, nyc_taxi_csv):
    folder = young_people_csv.parents[1]
    found = find_local(folder, sources, heads)
    assert found["young_people"] == young_people_csv
    assert found["london"] == london_folder
    assert found["nyc_taxi"] == nyc_taxi_csv
    assert found["redd"] == folder / "redd" / "redd_building1_1min_mean.csv.gz"
    assert found["ausgrid"] is None
