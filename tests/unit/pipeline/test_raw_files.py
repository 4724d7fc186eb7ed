"""Where the raw files of each dataset are, and what is said where they are not."""

import copy

import pytest

from noiseless.data.registry import load_sets, load_sources
from noiseless.errors import ConfigError, DataError
from noiseless.pipeline.configuration import load_config
from noiseless.pipeline.raw_files import list_raw_inputs, list_set_inputs


@pytest.fixture(scope="module")
def sources(root):
    return load_sources(root / "config/sources.yaml")


@pytest.fixture(scope="module")
def sampled(root):
    """The section `data` of the smoke run's configuration."""
    return load_config(root / "config/smoke.yaml")["data"]


@pytest.fixture
def found(sampled, sources, tmp_path, monkeypatch):
    """The raw files where some keys of one dataset are other ones, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()

    def find(dataset, **keys):
        data = copy.deepcopy(sampled)
        data[dataset] |= keys
        return list_raw_inputs(data, sources, house=1)

    return find


@pytest.mark.parametrize("path", [None, "nowhere", "empty"])
@pytest.mark.parametrize(
    ("dataset", "wanted"),
    [
        ("young_people", "neither responses.csv nor a folder"),
        ("ausgrid", "neither solar_home_.* nor a folder"),
        ("london", "no folder that holds block_0.csv"),
        ("nyc_taxi", "neither a file nor a folder of files"),
    ],
)
def test_local_data_that_are_not_there_are_refused_with_what_to_do(found, dataset, wanted, path):
    said = rf"data\.{dataset}: tier is local, but path is {path!r}, which is {wanted}.*README"
    with pytest.raises(ConfigError, match=said):
        found(dataset, tier="local", path=path)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (None, r"data\.redd: tier is local, but path is not given"),
        ("nowhere", "nowhere: no such file or folder"),
        ("empty", r"empty: neither labels\.dat with channel_1\.dat"),
    ],
)
def test_path_that_holds_no_redd_is_refused(found, path, message):
    with pytest.raises((ConfigError, DataError), match=message):
        found("redd", tier="local", path=path)


def test_the_complete_recording_is_downloaded(found):
    redd = found("redd", tier="download")[0]["redd"]
    assert redd.files == {"path": "data/raw/redd/download/redd.h5"}
    assert redd.form == "nilmtk"


def test_minutes_are_not_taken_for_the_complete_recording(found, tmp_path):
    (tmp_path / "empty/house1_minutes.csv").touch()
    said = r"the complete recording is redd\.h5.* set recordings\.minutes-3\.path"
    with pytest.raises(ConfigError, match=said):
        found("redd", tier="local", path="empty/house1_minutes.csv")


def test_trips_of_a_file_that_the_registry_does_not_know_are_refused(found):
    with pytest.raises(ConfigError, match=r"config/sources\.yaml has no file trips_zz\.csv\.gz"):
        found("nyc_taxi", tier="download", files=["trips_zz.csv.gz"])


def test_local_trips_are_all_files_of_a_folder_but_hidden_ones(found, tmp_path):
    for name in ("b.csv", "a.csv", ".hidden"):
        (tmp_path / "empty" / name).touch()
    _, shards = found("nyc_taxi", tier="local", path="empty")
    assert shards == {"0000": "empty/a.csv", "0001": "empty/b.csv"}


def test_local_file_is_found_in_its_folder(found, tmp_path):
    (tmp_path / "empty/responses.csv").write_text("a\n")
    survey = found("young_people", tier="local", path="empty")[0]["young_people"]
    assert survey.files == {"path": "empty/responses.csv"}
    assert set(survey.origin["registered"]) == set(survey.origin["content"]) == {"path"}


def test_a_path_of_the_users_is_given_to_snakemake_in_its_plain_form(found, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/a.csv").write_text("a,b,c\n")
    raw, _ = found("young_people", tier="local", path=".//mine//a.csv")
    assert raw["young_people"].files == {"path": "mine/a.csv"}


# Sets of homes, and recordings, that are one file ------------------------------------------------


@pytest.fixture
def registered(root, tmp_path, monkeypatch):
    """The registry's sets, in a folder with files of some names."""
    monkeypatch.chdir(tmp_path)
    for name in ("mine.csv", "ausgrid_daily_features.csv", "swiss.csv"):
        (tmp_path / name).write_text("x")
    return load_sets(root / "config/sources.yaml")


def test_sets_of_homes_without_a_path_are_left_out(registered, root):
    config = load_config(root / "config/config.yaml")
    assert {*config["homes"], *config["recordings"]} == {"ausgrid", "london", "redd", *registered}
    for section in ("homes", "recordings"):
        assert list_set_inputs(section, config[section], registered) == {}


def test_a_set_is_the_users_or_stands_in_with_what_is_known_of_it(registered):
    paths = {"mine": "mine.csv", "ausgrid-2010": "ausgrid_daily_features.csv", "swiss": "swiss.csv"}
    homes = {name: {"path": path, "resolution": "days"} for name, path in paths.items()}
    found = list_set_inputs("homes", homes, registered)
    assert {name: each.form for name, each in found.items()} == {
        "mine": "tidy", "ausgrid-2010": "features", "swiss": "tidy",
    }  # fmt: skip
    origins = {name: each.origin for name, each in found.items()}
    assert (origins["mine"]["dataset"], origins["mine"]["tier"]) == ("own_mine", "own")
    assert origins["mine"]["registered"] == {}
    # Of one no digest is known, and its name counts; the other is judged by its digest.
    assert origins["ausgrid-2010"]["registered"] == {"path": None}
    assert origins["swiss"]["registered"] == {"path": registered["swiss"].sha256}
    assert {origins[name]["tier"] for name in ("ausgrid-2010", "swiss")} == {"local"}
    renamed = list_set_inputs("homes", {"ausgrid-2010": {"path": "mine.csv"}}, registered)
    assert renamed["ausgrid-2010"].origin["registered"] == {}


def test_each_file_of_a_set_of_several_has_its_own_digest(registered):
    homes = {"network-half-hours": {"path": ["mine.csv", "swiss.csv"], "resolution": "half-hours"}}
    (found,) = list_set_inputs("homes", homes, registered).values()
    assert found.files == {"path": "mine.csv", "path_2": "swiss.csv"}
    known = list(registered["network-half-hours"].digests.values())
    assert found.origin["registered"] == dict(zip(("path", "path_2"), known, strict=True))
    assert set(found.origin["content"]) == {"path", "path_2"}
    # One of the two alone is another set, of which no digest is known as a whole.
    alone = {"network-half-hours": {"path": "mine.csv"}}
    with pytest.raises(ConfigError, match=r"path names 1 file\(s\), but the set has 2"):
        list_set_inputs("homes", alone, registered)
    with pytest.raises(ConfigError, match=r"homes\.mine: path is 'nowhere\.csv', and there is no"):
        list_set_inputs("homes", {"mine": {"path": ["mine.csv", "nowhere.csv"]}}, registered)


def test_a_set_whose_file_is_not_there_is_one_line(registered):
    with pytest.raises(ConfigError, match=r"homes.swiss: path is 'nowhere.csv', and there is no"):
        list_set_inputs("homes", {"swiss": {"path": "nowhere.csv"}}, registered)


RECORDING = {"house": 1, "days": ["2011-05-13", "2011-05-23"], "train_before": "2011-05-18"}


def test_a_recording_is_a_registered_file_or_a_folder_or_one_of_the_users(registered, tmp_path):
    (tmp_path / "low_freq/house_1").mkdir(parents=True)
    for file in ("labels.dat", "channel_1.dat"):
        (tmp_path / "low_freq/house_1" / file).touch()
    paths = {"minutes-3": "mine.csv", "minutes-5": "low_freq", "mine": "low_freq"}
    recordings = {name: RECORDING | {"path": path} for name, path in paths.items()}
    found = list_set_inputs("recordings", recordings, registered)
    assert {name: each.form for name, each in found.items()} == {
        "minutes-3": "minutes", "minutes-5": "low_freq", "mine": "low_freq",
    }  # fmt: skip
    assert found["minutes-3"].origin["registered"] == {"path": registered["minutes-3"].sha256}
    # Of a folder no digest is known, so that no verdict rests on it.
    assert found["minutes-5"].origin["registered"] == {}
    assert set(found["minutes-5"].files) == {"labels", "channel_1"}
    assert (found["mine"].origin["dataset"], found["mine"].origin["tier"]) == ("own_mine", "own")
    with pytest.raises(ConfigError, match=r"recordings\.mine: .* is the original folder low_freq"):
        list_set_inputs("recordings", {"mine": RECORDING | {"path": "mine.csv"}}, registered)


def test_a_set_whose_address_is_known_is_downloaded(registered):
    settings = {"tier": "download", "path": None}
    (minutes,) = list_set_inputs(
        "recordings", {"minutes-5": RECORDING | settings}, registered
    ).values()
    assert minutes.files == {"path": "data/raw/minutes-5/download/house1_channels.csv"}
    assert minutes.origin["registered"] == {"path": registered["minutes-5"].sha256}
    assert (minutes.form, minutes.origin["tier"]) == ("channels", "download")
    for name, said in (("swiss", "no address gives this set"), ("mine", "no address gives this")):
        with pytest.raises(ConfigError, match=said):
            list_set_inputs("homes", {name: settings}, registered)
    with pytest.raises(ConfigError, match=r"tier is download, and path is 'mine\.csv'"):
        list_set_inputs("homes", {"ausgrid-2010": settings | {"path": "mine.csv"}}, registered)


def test_a_set_stands_in_the_registry_once(root, tmp_path):
    text = (root / "config/sources.yaml").read_text()
    row = text[text.index("  - set: swiss") : text.index("  - set: minutes-3")]
    (tmp_path / "sources.yaml").write_text(text.replace(row, row + row))
    with pytest.raises(ConfigError, match="a set of `sets` is there twice"):
        load_sets(tmp_path / "sources.yaml")


@pytest.mark.parametrize("dataset", ["young_people", "ausgrid", "london", "redd", "nyc_taxi"])
def test_a_path_that_is_too_long_is_refused_like_one_that_is_not_there(found, dataset):
    with pytest.raises((ConfigError, DataError), match="README"):
        found(dataset, tier="local", path="m" * 300)


@pytest.mark.parametrize(
    ("section", "settings"), [("homes", {}), ("recordings", {"house": 1})], ids=["homes", "mine"]
)
def test_a_set_whose_path_is_too_long_is_refused(section, settings):
    with pytest.raises((ConfigError, DataError), match="no such file"):
        list_set_inputs(section, {"mine": {"path": "m" * 300, **settings}}, {})
