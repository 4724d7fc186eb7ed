"""Public datasets in a folder of files that a user has."""

import dataclasses
import gzip
import hashlib
import sys

import pytest

from noiseless.data.local import DATASETS, find_local_datasets, main
from noiseless.data.registry import load_heads, load_sets, load_sources
from noiseless.errors import ConfigError
from noiseless.pipeline.configuration import load_config
from noiseless.pipeline.raw_files import list_raw_inputs


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
    assert find_local_datasets(tmp_path, sources, heads) == {
        "young_people": survey,
        "ausgrid": year,
        "london": tmp_path / "london",
        "nyc_taxi": trips,
        "redd": tmp_path / "redd" / "low_freq",
    }


@pytest.mark.parametrize(
    "place", ["", "daily_dataset", "daily_dataset/daily_dataset"], ids=["flat", "folder", "kaggle"]
)
def test_the_blocks_of_london_are_found_where_an_archive_puts_them(
    tmp_path, root, sources, heads, place
):
    block = put(tmp_path / "london" / place / "block_3.csv")
    homes = put(tmp_path / "london" / "informations_households.csv")
    found = find_local_datasets(tmp_path, sources, heads)
    assert found["london"] == tmp_path / "london"
    data = load_config(root / "config/config.yaml")["data"]
    others = {name: each | {"tier": None} for name, each in data.items()}
    local = others | {"london": data["london"] | {"tier": "local", "path": str(found["london"])}}
    inputs, _ = list_raw_inputs(local, sources, house=1)
    assert inputs["london"].files == {"households": str(homes), "block_3": str(block)}


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_file_of_another_name_is_known_by_its_contents(tmp_path, sources, ending):
    content = b"Music,Height\n"
    digest = hashlib.sha256(content).hexdigest()
    (answers,) = (each for each in sources if each.file == "responses.csv")
    known = [dataclasses.replace(answers, sha256=digest)]
    put(tmp_path / "young_people" / f"a.{ending}", gzip.compress(b"?") if "gz" in ending else b"?")
    path = put(
        tmp_path / "young_people" / f"b.{ending}",
        gzip.compress(content) if "gz" in ending else content,
    )
    found = find_local_datasets(tmp_path, known)
    assert found.pop("young_people") == path
    assert set(found.values()) == {None}


def test_file_that_the_registry_does_not_know_is_not_taken(tmp_path, sources, heads):
    put(tmp_path / "young_people" / "responses.csv")
    put(tmp_path / "nyc_taxi" / "green_trips.csv")
    found = find_local_datasets(tmp_path, sources, heads)
    assert [dataset for dataset in DATASETS if found[dataset]] == ["young_people"]


@pytest.mark.parametrize(
    ("folder", "message"),
    [("nowhere", "no such folder"), ("m" * 300, "no such folder"), (".", "none of")],
)
def test_folder_without_datasets_is_an_error(tmp_path, sources, folder, message):
    with pytest.raises(ConfigError, match=message):
        find_local_datasets(tmp_path / folder, sources)


def test_real_datasets_are_found_in_their_folder(
    sources, heads, root, young_people_csv, london_folder, nyc_taxi_csv
):
    folder = young_people_csv.parents[1]
    found = find_local_datasets(folder, sources, heads)
    assert found["young_people"] == young_people_csv
    assert found["london"] == london_folder
    assert found["nyc_taxi"] == nyc_taxi_csv
    assert found["redd"] is found["ausgrid"] is None
    sets = find_local_datasets(folder, sources, heads, load_sets(root / "config/sources.yaml"))
    minutes = {name: sets[name].name for name in ("april-5", "minutes-3", "minutes-5")}
    assert minutes == {
        "april-5": "redd_house1_five_appliances_april23-30_low_freq.tar.gz",
        "minutes-3": "redd_building1_1min_mean.csv.gz",
        "minutes-5": "redd_house1_1min_max_all_channels_may13-23.csv.gz",
    }


def test_sets_of_homes_are_known_by_their_names_or_their_contents(tmp_path, root, sources, heads):
    known = load_sets(root / "config/sources.yaml")
    network = put(tmp_path / "homes" / "sgsc_45_homes_310_days_2012-13.csv.gz", b"\x1f\x8b")
    features = put(tmp_path / "homes" / "ausgrid_daily_features.csv")
    found = find_local_datasets(tmp_path, sources, heads, {"network": known["network"]})
    assert found["network"] == network
    found = find_local_datasets(tmp_path, sources, heads, {"ausgrid-2010": known["ausgrid-2010"]})
    assert found["ausgrid-2010"] == features
    assert not any(found[dataset] for dataset in DATASETS)
    content = b"home,time,energy_kwh\n"
    digest = hashlib.sha256(content).hexdigest()
    renamed = put(tmp_path / "elsewhere" / "homes" / "a.csv.gz", gzip.compress(content))
    swiss = {"swiss": dataclasses.replace(known["swiss"], sha256=digest)}
    assert find_local_datasets(tmp_path / "elsewhere", sources, heads, swiss)["swiss"] == renamed


def test_what_was_found_is_a_configuration(tmp_path, root, monkeypatch, capsys):
    """What is not there is left out; a line for each says so, and how to get it."""
    put(tmp_path / "mine" / "homes" / "swiss_350_homes_49_days.csv")
    monkeypatch.chdir(root)
    written = tmp_path / "found.yaml"
    monkeypatch.setattr(sys, "argv", ["local", str(tmp_path / "mine"), str(written)])
    main()
    config = load_config(written)
    assert config["homes"]["swiss"]["path"].endswith("homes/swiss_350_homes_49_days.csv")
    assert config["homes"]["network"]["path"] is None
    assert {each["tier"] for each in config["data"].values()} == {None}
    said = capsys.readouterr().err
    lines = dict(line.split(": ", 1) for line in said.splitlines())
    sources = [*load_sources("config/sources.yaml"), *load_sets("config/sources.yaml").values()]
    urls = {name: [] for name in lines}
    for each in sources:
        urls[getattr(each, "dataset", None) or each.set].append(each.url)
    for name, line in lines.items():
        if name != "swiss":
            said_url = line.split()[7].rstrip(",")
            assert line.startswith("not found; left out. To get it: "), name
            assert said_url in urls[name]
            folder = {"network": "homes", "minutes-3": "redd"}.get(name, name)
            assert name not in (*DATASETS, "network") or f"mine/{folder} (data/README.md)" in line
    assert len(said.splitlines()) == len(DATASETS) + len(load_sets("config/sources.yaml"))
