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
    answers = next(each for each in sources if each.file == "responses.csv")
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
    [
        ("nowhere", "no such folder"),
        ("m" * 300, "no such folder"),
        (".", r"none of.*What is there: mine, notes\.csv, .*daily_dataset\.csv\."),
        ("london", "none of.*What is there: daily_dataset.csv"),
        ("mine", "none of.*What is there: no file"),
    ],
)
def test_folder_without_datasets_is_an_error(tmp_path, sources, folder, message):
    for name in ("notes.csv", "london/daily_dataset.csv"):
        put(tmp_path / name)
    (tmp_path / "mine").mkdir()
    with pytest.raises(ConfigError, match=message):
        find_local_datasets(tmp_path / folder, sources)


@pytest.mark.parametrize(
    ("place", "dataset"),
    [
        ("responses.csv", "young_people"),
        ("young_people/kaggle/responses.csv", "young_people"),
        ("young_people/archive/responses.csv.gz", "young_people"),
        ("ausgrid/Ausgrid_solar_home_data.zip", "ausgrid"),
        ("Solar home 2012-2013.csv", "ausgrid"),
        ("london/informations_households.csv", "london"),
        ("london/archive/daily_dataset/block_17.csv", "london"),
        ("block_3.csv", "london"),
        ("redd/data/low_freq/house_1/labels.dat", "redd"),
        ("redd/low_freq.tar.bz2", "redd"),
        ("nyc_taxi/2014/nyc_taxi_data_2014.csv", "nyc_taxi"),
        ("sgsc_45_homes_310_days_2012-13.csv.gz", "network"),
        ("homes/sgsc_tda_2013_6_homes_half_hours.csv", "network-half-hours"),
    ],
)
def test_a_file_of_a_dataset_that_is_not_found_is_an_error(
    tmp_path, root, sources, heads, place, dataset
):
    """Whoever has a file means it, and a run without it would end as if it had been used."""
    sets = load_sets(root / "config/sources.yaml")
    put(tmp_path / "homes" / "swiss_350_homes_49_days.csv")
    assert find_local_datasets(tmp_path, sources, heads, sets)["swiss"]
    path = put(tmp_path / place)
    with pytest.raises(ConfigError) as error:
        find_local_datasets(tmp_path, sources, heads, sets)
    said = str(error.value)
    assert f"  {dataset}: not found" in said
    assert f"; {path} is a file of it by its name\n" in said


def test_the_list_of_columns_is_not_the_survey(tmp_path, sources):
    put(tmp_path / "young_people" / "columns.csv")
    with pytest.raises(ConfigError, match="none of young_people, "):
        find_local_datasets(tmp_path, sources)


def test_a_year_is_found_under_its_name_in_the_archive(tmp_path, sources):
    year = put(tmp_path / "ausgrid" / "Solar home 2012-2013.csv")
    assert find_local_datasets(tmp_path, sources)["ausgrid"] == year


def test_a_copy_of_what_is_found_and_files_of_nobody_stop_nothing(tmp_path, sources, heads):
    put(tmp_path / "young_people" / "responses.csv")
    put(tmp_path / "responses.csv")
    put(tmp_path / "ausgrid" / "aggregate_of_all.csv")
    put(tmp_path / "mine" / "nyc_taxi_data_2014.csv")  # a folder of no dataset is not searched
    (tmp_path / "london").mkdir()
    (tmp_path / "london" / "again").symlink_to(tmp_path / "london")  # a circle ends
    found = find_local_datasets(tmp_path, sources, heads)
    assert [dataset for dataset in DATASETS if found[dataset]] == ["young_people"]


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
    for nobodys in ("homes/unknown.csv", "homes/zones.csv", "homes/README.md", "Redd/redd.h5"):
        put(tmp_path / "mine" / nobodys)
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
    assert lines.pop("no dataset") == "Redd/, homes/unknown.csv, homes/zones.csv; not read"
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
    assert len(said.splitlines()) == 1 + len(DATASETS) + len(load_sets("config/sources.yaml"))
