"""Recordings in HDF5: nothing in them runs, no link is followed, and each fault is one message."""

import datetime
import pickle
import re
from contextlib import suppress

import h5py
import numpy as np
import pandas as pd
import pytest

from altered_files import VALUES, Touch, count_outcomes
from noiseless.data.redd import read_nilmtk
from noiseless.errors import DataError
from toy_recordings import STAMPS, hdf5_by_hand

METERS = {1: {"site_meter": True}, 2: {}, 3: {}}
FRIDGE, MICROWAVE = {"type": "fridge", "meters": [2]}, {"type": "microwave", "meters": [3]}
TABLE = "building1/elec/meter1/table"


@pytest.fixture
def path(tmp_path):
    return hdf5_by_hand(tmp_path / "redd.h5")


def refusal(path):
    with pytest.raises(DataError) as caught:
        read_nilmtk(path, house=1)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert message.isprintable()
    return message


@pytest.mark.parametrize(
    ("node", "attribute"),
    [
        ("building1", "metadata"),
        ("/", "metadata"),
        *[("building1/elec/meter1", name) for name in ("info", "non_index_axes", "values_cols")],
        *[(TABLE, name) for name in ("values_block_0_kind", "index_kind")],
    ],
)
@pytest.mark.parametrize("protocol", [0, 4])
def test_no_attribute_runs(path, tmp_path, node, attribute, protocol):
    made = tmp_path / "made"
    with h5py.File(path, "r+") as file:
        file[node].attrs[attribute] = np.bytes_(pickle.dumps({"a": Touch(made)}, protocol))
    with suppress(DataError):
        read_nilmtk(path, house=1)
    assert not made.exists()


def test_an_attribute_that_pandas_would_run_makes_no_file(path, tmp_path):
    """What the test above would see: pandas makes the file when it opens the recording."""
    made = tmp_path / "made"
    with h5py.File(path, "r+") as file:
        file["building1"].attrs["metadata"] = np.bytes_(pickle.dumps(Touch(made), 0))
    assert "the metadata of building1 lack `elec_meters`" in refusal(path)
    assert not made.exists()
    with pd.HDFStore(path, mode="r") as store:
        store.root["building1"]._v_attrs.metadata  # noqa: B018
    assert made.exists()


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"elec_meters": [METERS]}, "lack `elec_meters` by number"),
        ({"elec_meters": None}, "lack `elec_meters` by number"),
        ({"elec_meters": {"one": {}}}, "lack `elec_meters` by number"),
        ({"elec_meters": {1: True}}, "lack `elec_meters` by number"),
        ({"appliances": None}, "lack `appliances` with a type"),
        ({"appliances": {"fridge": 2}}, "lack `appliances` with a type"),
        ({"appliances": [{"meters": [2]}]}, "lack `appliances` with a type"),
        ({"appliances": [{"type": "fridge"}]}, "lack `appliances` with a type"),
        ({"appliances": [{"type": "fridge", "meters": 2}]}, "lack `appliances` with a type"),
        ({"appliances": [{"type": "fridge", "meters": ["2"]}]}, "lack `appliances` with a type"),
        ({"appliances": [FRIDGE, {**FRIDGE, "type": "freezer"}]},
         "fridge and freezer are both said to be on meter 2"),
        ({"appliances": [FRIDGE, FRIDGE]}, "fridge and fridge are both said to be on meter 2"),
        ({"appliances": [{"type": "fridge", "meters": [1]}]},
         "mains and fridge are both said to be on meter 1"),
        ({"appliances": [FRIDGE, {"type": "light", "meters": [9]}]}, "meter9, which is not there"),
        ({"appliances": []}, "none of the paper's appliances has a reading"),
        ({"elec_meters": {}}, "the mains have no reading"),
    ],
)  # fmt: skip
def test_metadata_that_lack_or_repeat_something_are_one_message(tmp_path, metadata, message):
    assert message in refusal(hdf5_by_hand(tmp_path / "redd.h5", **metadata))


def test_two_appliances_that_are_not_read_may_share_a_meter(tmp_path):
    others = [{"type": kind, "meters": [7]} for kind in ("oven", "hob")]
    path = hdf5_by_hand(tmp_path / "redd.h5", appliances=[FRIDGE, MICROWAVE, *others])
    assert len(read_nilmtk(path, house=1)) == 3 * len(STAMPS)


def test_no_link_is_followed(path, tmp_path):
    hdf5_by_hand(tmp_path / "other.h5")
    for link in (
        h5py.SoftLink("/building1/elec/meter3"),
        h5py.ExternalLink("other.h5", "/building1/elec/meter2"),
    ):
        with h5py.File(path, "r+") as file:
            del file["building1/elec/meter2"]
            file["building1/elec/meter2"] = link
        assert "meter2 is a link to another place or file" in refusal(path)


def test_numbers_that_are_in_another_file_are_refused(path, tmp_path):
    with h5py.File(path, "r+") as file:
        rows, attributes = file[TABLE][:], dict(file[TABLE].attrs)
        del file[TABLE]
        (tmp_path / "numbers").write_bytes(rows.tobytes())
        table = file.create_dataset(
            TABLE, rows.shape, rows.dtype, external=[(tmp_path / "numbers", 0, rows.nbytes)]
        )
        for name, value in attributes.items():
            table.attrs[name] = value
    assert "meter1: its numbers are in another file" in refusal(path)


def test_a_table_of_a_size_that_its_file_does_not_have_is_refused(path):
    with h5py.File(path, "r+") as file:
        rows, attributes = file[TABLE][:], dict(file[TABLE].attrs)
        del file[TABLE]
        table = file.create_dataset(TABLE, (1 << 40,), rows.dtype, chunks=(1 << 10,))
        for name, value in attributes.items():
            table.attrs[name] = value
    assert "bytes, far more than the file has" in refusal(path)


@pytest.mark.parametrize(
    ("zone", "message"),
    [
        ("Europe/London", "the zone of its home is 'Europe/London', but days are counted in"),
        ("Asia/Kolkata", "the zone of its home is 'Asia/Kolkata', but days are counted in"),
        (datetime.timezone(datetime.timedelta(hours=2)), "the zone of its home is 'unknown', but"),
    ],
)
def test_a_zone_is_read_and_not_assumed(tmp_path, zone, message):
    path = hdf5_by_hand(tmp_path / "redd.h5", lambda frame: frame.tz_convert(zone))
    assert message in refusal(path)
    with h5py.File(path, "r+") as file:  # the dataset says where its homes are
        file.attrs["metadata"] = np.bytes_(pickle.dumps({"timezone": "US/Eastern"}, 0))
    assert len(read_nilmtk(path, house=1)) == 3 * len(STAMPS)


@pytest.mark.parametrize("zone", ["America/New_York", "UTC", datetime.UTC, "pytz"])
def test_times_in_the_zone_of_redd_and_in_utc_are_read(tmp_path, zone):
    if zone == "pytz":
        zone = pytest.importorskip("pytz").UTC
    path = hdf5_by_hand(tmp_path / "redd.h5", lambda frame: frame.tz_convert(zone))
    found = read_nilmtk(path, house=1)
    assert found["time_s"].tolist() == 3 * (STAMPS.asi8 // 10**9).tolist()


def test_two_readings_of_one_time_are_counted_or_refused(tmp_path, caplog):
    def twice(frame):
        return pd.concat([frame, frame.iloc[[4]]])

    def other(frame):
        return pd.concat([frame, frame.iloc[[4]] + 1])

    caplog.set_level("INFO")
    assert len(read_nilmtk(hdf5_by_hand(tmp_path / "a.h5", twice), house=1)) == 3 * len(STAMPS)
    assert re.search(r"meter1: 1 readings repeat .* \(first: .*meter1, row 31\)", caplog.text)
    message = refusal(hdf5_by_hand(tmp_path / "b.h5", other))
    assert "meter1, row 31: 301 W, but another reading of this time is 300 W" in message


@pytest.mark.slow
@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_an_attribute_of_any_value_is_read_or_refused(path, value):
    places = [("building1", "metadata"), ("building1/elec/meter2", "info")]
    places += [(f"building1/elec/meter2{part}", name) for part, name in (
        ("", "pandas_type"), ("/table", "index_kind"), ("/table", "values_block_0_kind"),
    )]  # fmt: skip
    for node, attribute in places:
        with h5py.File(path, "r+") as file:
            before = file[node].attrs[attribute]
            file[node].attrs[attribute] = value
        refusal(path)
        with h5py.File(path, "r+") as file:
            file[node].attrs[attribute] = before
    assert len(read_nilmtk(path, house=1)) == 3 * len(STAMPS)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "files"), [("hdf5", 40), ("homes", 60)])
def test_altered_files_are_read_right_or_refused(kind, files):
    counts = count_outcomes(kind, files, seed=2)
    assert set(counts) == {"right", "refused"}
    assert min(counts.values()) > 5
