"""REDD in its forms: the same readings from each, and one readable error for each fault."""

import io
import re
import shutil
import tarfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.nilmtk_route import write_hdf5
from noiseless.data import redd as redd_reader
from noiseless.data.local import locate_redd
from noiseless.data.redd import (
    read_archive,
    read_channels,
    read_low_freq,
    read_minutes,
    read_nilmtk,
)
from noiseless.data.registry import get_registered_sha256, load_sets, load_sources
from noiseless.data.samples.redd import write_redd
from noiseless.errors import DataError
from noiseless.files import compute_contents_sha256, compute_file_sha256
from toy_recordings import ACTIVE, APPARENT, STAMPS, VOLTS, hdf5_by_hand

MINUTES = """Timestamp,main,Refrigerator,Dish Washer,Microwave,Washer Dryer
,,,,,
2011-04-18 09:22:00-04:00,342.5,6,0.25,5,0
2011-04-18 09:23:00-04:00,,6.5,,5,0
2011-04-18 09:24:00-04:00,345.25,7,0.5,,0
"""


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "low_freq"
    write_redd(folder / "house_1" / "labels.dat", days=6, period_s=60, seed=1)
    return folder


@pytest.fixture
def house(sample, tmp_path):
    """A copy of the sample that a test may spoil."""
    return shutil.copytree(sample / "house_1", tmp_path / "house_1")


def read(folder):
    reader, files = locate_redd(folder, 1)
    assert reader == "low_freq"
    return read_low_freq(**files)


def test_sample_is_read_as_a_plain_loop_reads_it(sample):
    redd = read(sample)
    lines = {}
    for number in (1, 2, 5):
        text = (sample / f"house_1/channel_{number}.dat").read_text()
        pairs = [line.split() for line in text.splitlines()]
        lines[number] = {int(time): float(watts) for time, watts in pairs}
    fridge = redd[redd["meter"] == "fridge"].set_index("time_s")["power_w"].to_dict()
    assert fridge == lines[5]
    mains = redd[redd["meter"] == "mains"]
    assert len(mains) == len(lines[1])
    for time, watts in zip(mains["time_s"][:100], mains["power_w"], strict=False):
        assert watts == pytest.approx(lines[1][time] + lines[2][time])


def test_each_kind_is_its_circuit_with_the_largest_mean_power(sample):
    redd = read(sample / "house_1")
    channels = redd.groupby("meter", sort=False)["channel"].unique().str[0].to_dict()
    expected = {"mains": 0, "fridge": 5, "microwave": 11, "sockets": 8, "light": 9}
    assert channels == expected | {"dish washer": 6, "washer dryer": 10}
    assert (redd.groupby("meter")["time_s"].diff().dropna() > 0).all()


def test_sample_has_the_quirks_of_the_original(sample):
    times = pd.read_csv(sample / "house_1/channel_5.dat", sep=" ", header=None)[0]
    assert (times.diff() < 0).any()
    assert times.diff().nunique() > 2
    # Hours without mains while the appliances are read.
    redd = read(sample)
    mains = redd.loc[redd["meter"] == "mains", "time_s"]
    assert (mains.diff() > 4 * 3600).sum() >= 2


def test_sample_is_the_same_for_the_same_seed(sample, tmp_path):
    for seed, same in ((1, True), (2, False)):
        write_redd(tmp_path / str(seed) / "labels.dat", days=6, period_s=60, seed=seed)
        written = (tmp_path / str(seed) / "channel_1.dat").read_bytes()
        assert (written == (sample / "house_1/channel_1.dat").read_bytes()) == same


def test_hdf5_by_nilmtks_converter_gives_the_same_readings(sample, tmp_path):
    write_hdf5(sample, tmp_path / "redd.h5")
    reader, files = locate_redd(tmp_path / "redd.h5", 1)
    assert reader == "nilmtk"
    ours, theirs = read(sample), read_nilmtk(**files, house=1)
    pd.testing.assert_frame_equal(ours.drop(columns="power_w"), theirs.drop(columns="power_w"))
    np.testing.assert_allclose(theirs["power_w"], ours["power_w"], rtol=1e-6)  # NILMTK's float32
    with pytest.raises(DataError, match="no building2"):
        read_nilmtk(**files, house=2)


def renamed(*columns):
    return lambda frame: pd.DataFrame(
        {column: frame.iloc[:, 0] + k for k, column in enumerate(columns)}
    )


def with_power(value):
    def edit(frame):
        frame.iloc[7, 0] = value
        return frame

    return edit


@pytest.mark.parametrize("watts", [[APPARENT], [ACTIVE], [VOLTS, ACTIVE], [APPARENT, ACTIVE]])
def test_watts_are_found_among_other_columns(tmp_path, watts):
    found = read_nilmtk(hdf5_by_hand(tmp_path / "redd.h5", renamed(*watts)), house=1)
    mains = found[found["meter"] == "mains"]
    assert set(mains["power_w"]) == {300.0 + len(watts) - 1}
    assert mains["time_s"].iloc[0] == 1303132920  # 13:22 UTC
    missing = hdf5_by_hand(tmp_path / "missing.h5", with_power(np.nan))
    assert len(read_nilmtk(missing, house=1)) == len(found) - 1


@pytest.mark.parametrize(
    ("edit", "meter", "message"),
    [
        (lambda frame: frame.set_axis(
            pd.to_datetime(STAMPS.asi8 // 10**9, utc=True).tz_convert("US/Eastern")), 2,
         r"meter2, row 1: 1.30313 s since 1970 is not between"),
        (lambda frame: frame.set_axis(STAMPS + pd.DateOffset(years=100)), 1, "s since 1970 is not"),
        (lambda frame: frame.set_axis(STAMPS + pd.Timedelta("0.5s")), 1, "a fraction of a second"),
        (lambda frame: frame.set_axis(STAMPS.tz_localize(None)), 1, "its times have no zone"),
        (lambda frame: frame.reset_index(drop=True), 1, "its times have no zone"),
        (with_power(2e6), 3, r"meter3, row 8: 2e\+06 W is not between -1e\+06 and 1e\+06"),
        (with_power(np.inf), 3, "meter3, row 8: inf W is not between"),
        (renamed(APPARENT), 2, r"columns are \('power', 'apparent'\), but one of watts is wanted"),
        (renamed(VOLTS), 1, r"columns are \('voltage', ''\), but one of watts is wanted"),
        (lambda frame: None, 3, "its metadata name building1/elec/meter3, which is not there"),
    ],
)  # fmt: skip
def test_hdf5_is_checked_as_the_other_forms_are(tmp_path, edit, meter, message):
    path = hdf5_by_hand(tmp_path / "redd.h5", edit, meter)
    with pytest.raises(DataError, match=message) as caught:
        read_nilmtk(path, house=1)
    assert "\n" not in str(caught.value)


def test_minutes_become_readings_by_unix_time(tmp_path):
    path = tmp_path / "minutes.csv"
    path.write_text(MINUTES)
    redd = read_minutes(path).set_index(["meter", "time_s"])["power_w"]
    start = 1303132920  # 13:22 UTC
    assert redd.to_dict() == {
        ("mains", start): 342.5,
        ("mains", start + 120): 345.25,
        ("fridge", start): 6.0,
        ("fridge", start + 60): 6.5,
        ("fridge", start + 120): 7.0,
        ("microwave", start): 5.0,
        ("microwave", start + 60): 5.0,
        ("dish washer", start): 0.25,
        ("dish washer", start + 120): 0.5,
        ("washer dryer", start): 0.0,
        ("washer dryer", start + 60): 0.0,
        ("washer dryer", start + 120): 0.0,
    }


@pytest.mark.parametrize(
    "time",
    [
        *("today", "now", "2011", "2011-04", "2011-4-18", "20110418", "2011/04/18", "2011-04-18"),
        *("2011-04-18 09:22", "2011-04-18 09:23:60-04:00", "2011-04-18 09:23:00.5-04:00"),
        *("18.04.2011 09:23:00", "09:23:00", "2011-02-30 09:23:00-04:00", "1303132980"),
    ],
)
def test_what_is_no_time_of_a_reading_is_refused(tmp_path, time):
    path = tmp_path / "minutes.csv"
    path.write_text(MINUTES.replace("2011-04-18 09:23:00-04:00", time))
    with pytest.raises(DataError, match=r"line 4, column 'Timestamp': .*is not a time such as"):
        read_minutes(path)
    path = tmp_path / "channels.csv"
    path.write_text(CHANNELS.replace("2011-05-13 00:02:00", time))
    with pytest.raises(DataError, match=r"line 4, column 'Time': .*is not a time such as"):
        read_channels(path)


def test_the_offset_of_a_minute_is_read_and_not_assumed(tmp_path):
    path = tmp_path / "minutes.csv"
    for ending in ("-0400", "-04:00"):
        path.write_text(MINUTES.replace("-04:00", ending))
        assert read_minutes(path)["time_s"].min() == 1303132920
    path.write_text(MINUTES.replace("09:24:00-04:00", "13:24:00Z"))
    assert read_minutes(path)["time_s"].max() == 1303132920 + 120
    path.write_text(MINUTES.replace("09:24:00-04:00", "09:24:00"))
    with pytest.raises(DataError, match=r"line 5, .*has no offset from UTC, such as"):
        read_minutes(path)


def test_times_of_parquet_are_read_with_their_zone(tmp_path):
    (tmp_path / "minutes.csv").write_text(MINUTES.replace(",,,,,\n", ""))
    table = pd.read_csv(tmp_path / "minutes.csv")
    expected = read_minutes(tmp_path / "minutes.csv")
    table["Timestamp"] = pd.to_datetime(table["Timestamp"])
    table.to_parquet(tmp_path / "times.parquet")
    pd.testing.assert_frame_equal(read_minutes(tmp_path / "times.parquet"), expected)
    table["Timestamp"] = table["Timestamp"].dt.tz_localize(None)
    table.to_parquet(tmp_path / "plain.parquet")
    with pytest.raises(DataError, match=r"row 1, .*has no offset from UTC"):
        read_minutes(tmp_path / "plain.parquet")
    table["Timestamp"] = table["Timestamp"].dt.date
    table.to_parquet(tmp_path / "dates.parquet")
    with pytest.raises(DataError, match=r"row 1, .*is not a time such as"):
        read_minutes(tmp_path / "dates.parquet")


def test_rows_that_do_not_count_are_counted(tmp_path, house, caplog):
    """In all three forms of text; two readings of one time that differ are refused by line."""
    caplog.set_level("INFO")
    path = tmp_path / "minutes.csv"
    *_, last = MINUTES.splitlines()
    path.write_text(MINUTES + last + "\n")
    assert len(read_minutes(path)) == 12
    assert "column 'Dish Washer': 1 of 4 rows (first: line 4) have no reading." in caplog.text
    assert re.search(
        r"'Dish Washer': 1 readings repeat one of the same time \(first: .*, line 6, ", caplog.text
    )
    assert "appliances without a reading: sockets, light." in caplog.text
    path.write_text(MINUTES + last.replace(",7,", ",8,") + "\n")
    with pytest.raises(DataError, match=r"line 6, column 'Refrigerator': 8 W, but another .* 7 W"):
        read_minutes(path)
    path = tmp_path / "channels.csv"
    path.write_text(CHANNELS)
    read_channels(path)
    assert (
        "channels.csv: 1 of 3 rows (first: line 2) have an empty cell, and do not count."
        in caplog.text
    )
    channel = house / "channel_5.dat"
    lines = channel.read_text().splitlines(keepends=True)
    channel.write_text("".join([*lines, lines[-1]]))
    read(house)
    assert "channel_5.dat, column 'power in watts': 1 readings repeat" in caplog.text
    time, _ = lines[-1].split()
    channel.write_text("".join([*lines, f"{time} 1e5\n"]))
    place = rf"channel_5.dat, line {len(lines) + 1}, .*: 100000 W, but another reading"
    with pytest.raises(DataError, match=place):
        read(house)


def test_labels_may_have_a_mark_and_blank_lines_at_their_end(house):
    labels, expected = house / "labels.dat", read(house)
    content = labels.read_bytes()
    labels.write_bytes(b"\xef\xbb\xbf" + content + b"\n\n")
    pd.testing.assert_frame_equal(read(house), expected)
    labels.write_bytes(content + b"5 lighting\n")
    with pytest.raises(DataError, match="line 11: channel 5 has two labels"):
        read(house)


def test_minutes_without_a_column_are_refused(tmp_path):
    path = tmp_path / "minutes.csv"
    path.write_text(MINUTES.replace("Refrigerator", "Fridge"))
    with pytest.raises(DataError, match="column 'Refrigerator' is missing"):
        read_minutes(path)


def test_a_channel_that_is_cut_off_or_empty_is_refused(house):
    path = house / "channel_5.dat"
    content = path.read_text()
    path.write_text(content[: content.rindex(" ")])
    with pytest.raises(DataError, match=r"channel_5.dat, line \d+: 1 cell instead of 2"):
        read(house)
    path.write_text("")
    with pytest.raises(DataError, match="the file is empty"):
        read(house)


def test_a_folder_that_lacks_something_is_refused_by_name(house):
    (house / "channel_6.dat").unlink()
    with pytest.raises(DataError, match=r"lists channel 6 \(dishwaser\), but channel_6.dat is not"):
        read(house)
    (house / "labels.dat").write_text("1 mains\nfridge\n")
    with pytest.raises(DataError, match="line 2: 'fridge' is not a channel and its label"):
        read(house)
    (house / "labels.dat").write_text("1 mains\n2 mains\n")
    with pytest.raises(DataError, match="none of the paper's appliances"):
        read(house)
    (house / "labels.dat").write_text("5 refrigerator\n")
    with pytest.raises(DataError, match="mains have no reading"):
        read(house)
    (house / "labels.dat").unlink()
    with pytest.raises(DataError, match="Give the original low_freq folder"):
        locate_redd(house, 1)
    with pytest.raises(DataError, match="no such file or folder"):
        locate_redd(house / "nothing", 1)


SUB_METERS = (
    "oven,oven2,refrigerator,dishwaser,kitchen_outlets,kitchen_outlets2,lighting,washer_dryer,"
    "microwave,bathroom_gfi,electric_heat,stove,kitchen_outlets3,kitchen_outlets4,lighting2,"
    "lighting3,washer_dryer2,washer_dryer3"
)
CHANNELS = (
    f"Time,{SUB_METERS}\n"
    f"2011-05-13 00:00:00{',' * 18}\n"
    "2011-05-13 00:01:00,1,0,190,0,23,89,329,2,5,2,0,0,1,0,74,60,0,8\n"
    "2011-05-13 00:02:00,1,0,6,0,23,85,0,2,5,2,0,0,1,0,74,60,0,8\n"
)


def test_mains_of_a_file_of_sub_meters_are_their_sum(tmp_path):
    """By hand: of each kind the circuit with the largest mean, and empty minutes left out."""
    path = tmp_path / "channels.csv"
    path.write_text(CHANNELS)
    redd = read_channels(path)
    assert redd["time_s"].unique().tolist() == [1305244860, 1305244920]
    powers = redd.groupby(["meter", "channel"])["power_w"].agg(list).to_dict()
    assert powers == {
        ("mains", 0): [784.0, 267.0],
        ("fridge", 5): [190.0, 6.0],
        ("microwave", 11): [5.0, 5.0],
        ("sockets", 8): [89.0, 85.0],
        ("light", 9): [329.0, 0.0],
        ("dish washer", 6): [0.0, 0.0],
        ("washer dryer", 20): [8.0, 8.0],
    }


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("2011-05-13 00:02:00", "13 May", r"line 4, column 'Time': '13 May' is not a time such as"),
        (",190,", ",many,", r"line 3, column 'refrigerator': 'many' is not a number"),
        (",190,", ",1e9,", r"line 3, column 'refrigerator': 1e\+09 W is not between"),
        ("microwave", "oven3", "microwave"),
    ],
)
def test_spoiled_sub_meters_are_one_readable_error(tmp_path, before, after, message):
    path = tmp_path / "channels.csv"
    path.write_text(CHANNELS.replace(before, after))
    with pytest.raises(DataError, match=message):
        read_channels(path)


def test_real_sub_meters_are_the_folder_that_was_made_of_them(redd_channels_csv, redd_five_folder):
    """Through two readers: all five appliances, of whose circuits the sockets are always on."""
    redd = read_channels(redd_channels_csv)
    pd.testing.assert_frame_equal(redd, read(redd_five_folder))
    assert redd["meter"].nunique() == 7
    assert (redd.loc[redd["meter"] == "sockets", "power_w"] >= 10).all()


@pytest.mark.parametrize("content", [b"", b"<html>", b"\x89HDF\r\n\x1a\n cut off"])
def test_a_file_that_is_no_hdf5_is_refused(tmp_path, content):
    path = tmp_path / "redd.h5"
    path.write_bytes(content)
    with pytest.raises(DataError, match="not an HDF5 file" if content else "the file is empty"):
        read_nilmtk(path, house=1)


def test_the_real_minutes_of_house_1_are_read_whole(redd_minutes_csv, root):
    redd = read_minutes(redd_minutes_csv)
    counts = redd["meter"].value_counts()
    assert counts.to_dict() == {
        "mains": 26300,
        "fridge": 47791,
        "microwave": 47791,
        "dish washer": 47791,
        "washer dryer": 47791,
    }
    first = redd.iloc[0]
    assert (first["time_s"], first["power_w"]) == (1303132920, 342.50726)
    sources = load_sources(root / "config" / "sources.yaml")
    known = get_registered_sha256(sources, dataset="minutes-3", file="house1_minutes.csv")
    assert compute_file_sha256(redd_minutes_csv) == known


@pytest.mark.parametrize("packed", ["w", "w:gz"])
def test_an_archive_is_read_as_its_folder(sample, tmp_path, packed):
    path = tmp_path / "low_freq.tar"
    with tarfile.open(path, packed) as archive:
        archive.add(sample, "low_freq")
        stray = tarfile.TarInfo("../house_1/labels.dat.old")
        archive.addfile(stray, io.BytesIO())
    pd.testing.assert_frame_equal(read_archive(path, house=1), read(sample))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["low_freq.tar"]
    with pytest.raises(
        DataError, match=r"low_freq\.tar: it has no folder house_2 with labels\.dat"
    ):
        read_archive(path, house=2)


def test_a_spoilt_archive_is_one_line_with_its_name(house, tmp_path):
    path = tmp_path / "low_freq.tar"
    (house / "channel_5.dat").write_text("1303132933 6 W\n")
    with tarfile.open(path, "w") as archive:
        archive.add(house, "low_freq/house_1")
    with pytest.raises(DataError, match=r"low_freq\.tar: house_1/channel_5\.dat, line 1"):
        read_archive(path, house=1)
    path.write_bytes(path.read_bytes()[:700])
    with pytest.raises(
        DataError, match=r"low_freq\.tar: (no archive, or damaged|it has no folder)"
    ):
        read_archive(path, house=1)
    path.write_bytes(b"<html>")
    with pytest.raises(DataError, match=r"low_freq\.tar: no archive, or damaged"):
        read_archive(path, house=1)


def test_an_archive_of_which_too_much_comes_is_refused(house, tmp_path, monkeypatch):
    """A member that is not read counts, too, and nothing of one too large is written."""
    monkeypatch.setattr(redd_reader, "_ARCHIVE_BYTES", 1 << 20)
    path = tmp_path / "low_freq.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(house, "low_freq/house_1")
        large = tarfile.TarInfo("low_freq/house_1/channel_99.dat")
        large.size = 1 << 20
        archive.addfile(large, io.BytesIO(bytes(1 << 20)))
    with pytest.raises(DataError, match=r"low_freq\.tar\.gz: more than 1048576 bytes come out"):
        read_archive(path, house=1)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["house_1", "low_freq.tar.gz"]


@pytest.fixture
def recipe(root):
    """The lines of docs/running.md that make a folder low_freq of a table."""
    text = (root / "docs/running.md").read_text(encoding="utf-8")
    section = text[text.index("## Recordings of your own") :]
    return section[section.index("```python\n") + 10 :].partition("```")[0]


def test_a_table_of_another_house_becomes_a_recording(recipe, tmp_path, monkeypatch):
    """As houses 2 and 3 are found: no dish washer, a second circuit, a minute with a gap."""
    monkeypatch.chdir(tmp_path)
    circuits = {"refrigerator": 7.5, "kitchen_outlets": 15, "kitchen_outlets2": 1, "microwave": 5}
    table = pd.DataFrame(
        {name: power_w + np.arange(4.0) for name, power_w in circuits.items()},
        pd.date_range("2011-04-23", periods=4, freq="min", name="Time"),
    )
    table.iloc[2, 1] = np.nan
    table.to_csv("house_2.csv")
    exec(recipe, {})
    form, files = locate_redd("low_freq", 2)
    found = read_low_freq(**files)
    kept, time_s = [0, 1, 3], 1303516800 + 60 * np.array([0, 1, 3])
    assert form == "low_freq"
    said = "3 of the paper's 5 appliances play; no reading: light, dish washer."
    assert found.attrs == {"excluded": said}
    expected = {"mains": 28.5, "fridge": 7.5, "microwave": 5, "sockets": 15}
    for meter, power_w in expected.items():
        rows = found[found["meter"] == meter]
        assert rows["time_s"].tolist() == time_s.tolist()
        slope = 4 if meter == "mains" else 1
        assert rows["power_w"].tolist() == [power_w + slope * k for k in kept]
    assert set(found["meter"]) == set(expected)


def test_mains_of_a_table_are_its_own_and_a_house_of_no_appliance_is_refused(
    recipe, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    table = pd.DataFrame({"mains": [90.0], "electronics": [4.0], "furance": [2.0]})
    table.index = pd.DatetimeIndex(["2011-04-23"], name="Time")
    table.to_csv("house_2.csv")
    exec(recipe, {})
    assert Path("low_freq/house_2/channel_1.dat").read_text() == "1303516800 90.0\n"
    with pytest.raises(DataError, match=r"none of the paper's appliances has a reading"):
        read_low_freq(**locate_redd("low_freq", 2)[1])


def test_of_april_what_is_a_mean_and_what_a_maximum(redd_april_tar, redd_minutes_csv, root):
    """What DATA says is odd about it, by the minutes of another file, all 9,041 of them."""
    april, means = read_archive(redd_april_tar, house=1), read_minutes(redd_minutes_csv)
    both = april.merge(means, on=["meter", "time_s"])
    counts = both.groupby("meter").size()
    assert counts.to_dict() == dict.fromkeys(
        ["dish washer", "fridge", "mains", "microwave", "washer dryer"], 9041
    )
    assert (both["power_w_x"] - both["power_w_y"]).abs().max() < 0.011
    others = april[april["meter"].isin(["sockets", "light"])]
    assert (others["power_w"] % 1 == 0).all()  # as the maxima are, in whole watts
    time = pd.to_datetime(others["time_s"], unit="s", utc=True).dt.tz_convert("US/Eastern")
    assert sorted(time[time.dt.day == 29].dt.hour.unique()) == [23]
    known = load_sets(root / "config/sources.yaml")["april-5"]
    assert compute_contents_sha256(redd_april_tar) == known.sha256


def test_real_channels_of_house_5_are_read_whole(redd_house5, tmp_path):
    """The mains of house 5 are not here; a sub-panel stands for them."""
    labels = tmp_path / "labels.dat"
    labels.write_text("3 microwave\n10 mains\n18 refrigerator\n")
    channels = {f"channel_{n}": redd_house5 / f"channel_{n}.dat" for n in (3, 10, 18)}
    redd = read_low_freq(labels=labels, **channels)
    assert redd["meter"].value_counts().to_dict() == {
        "mains": 80417,
        "fridge": 80417,
        "microwave": 80417,
    }
    assert redd["time_s"].min() == 1303100647
    assert redd["power_w"].iloc[0] == 12.5
