"""Homes in the tidy form: what is read, excluded and counted, and one line for each fault."""

import builtins
import gzip
import itertools

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import ConfigError, DataError
from noiseless.seeds import make_generator
from noiseless.tidy_homes import find_identical, read_tidy_homes

DAYS = pd.date_range("2024-02-01", periods=30)
HALF_HOURS = pd.date_range("2024-03-25", periods=48 * 3, freq="30min")


def tidy(times=DAYS, homes=5):
    rng = make_generator(1, "tidy homes")
    rows = itertools.product([f"h{k}" for k in range(homes)], times)
    table = pd.DataFrame(rows, columns=["home", "time"])
    form = "%Y-%m-%d" if len(times) == len(DAYS) else "%Y-%m-%d %H:%M"
    table["time"] = table["time"].dt.strftime(form)
    return table.assign(energy_kwh=rng.gamma(3, 3, len(table)).round(3))


def written(path, table=None, **options):
    (tidy() if table is None else table).to_csv(path, index=False, **options)
    return path


def with_cell(row, column, value):
    table = tidy().astype(object)
    table.loc[row, column] = value
    return table


@pytest.fixture
def path(tmp_path):
    return tmp_path / "homes.csv"


def as_loop_reads(table):
    """Readings of each home in the order of time, by a plain loop over rows."""
    readings = {}
    for home, time, energy in table.itertuples(index=False):
        readings.setdefault(home, {})[time] = energy
    return {home: [each[time] for time in sorted(each)] for home, each in readings.items()}


@pytest.mark.parametrize("times", [DAYS, HALF_HOURS])
def test_rows_of_any_order_are_read_as_a_plain_loop_reads_them(path, times):
    table = tidy(times).sample(frac=1, random_state=1)
    resolution = "days" if times is DAYS else "half-hours"
    found = read_tidy_homes(written(path, table), resolution=resolution)
    assert dict(zip(found.names, found.energy_kwh.tolist(), strict=True)) == as_loop_reads(table)
    assert list(found.times) == list(times)
    assert (found.excluded, found.missing_days, found.ignored) == ({}, 0, ())
    assert f"5 homes, {len(times)} {resolution} from" in found.format_summary()


def same(found, expected):
    assert found.names == expected.names
    assert list(found.times) == list(expected.times)
    assert found.energy_kwh.tolist() == expected.energy_kwh.tolist()


def test_one_table_however_it_is_written(tmp_path, path):
    table = tidy()
    expected = read_tidy_homes(written(path, table), resolution="days")
    quoted = table.to_csv(index=False, quoting=1, lineterminator="\r\n").encode("utf-8-sig")
    (tmp_path / "quoted").write_bytes(quoted + b"\r\n")
    (tmp_path / "packed").write_bytes(gzip.compress(quoted))
    for name in ("quoted", "packed"):
        same(read_tidy_homes(tmp_path / name, resolution="days"), expected)


def test_parquet_is_read_as_csv_is(tmp_path, path):
    pytest.importorskip("pyarrow")
    table = tidy()
    expected = read_tidy_homes(written(path, table), resolution="days")
    typed = table.assign(time=pd.to_datetime(table["time"]))
    typed.to_parquet(tmp_path / "typed")
    table.assign(time=typed["time"].dt.date).to_parquet(tmp_path / "dates")
    table.to_parquet(tmp_path / "texts")
    for name in ("typed", "dates", "texts"):
        same(read_tidy_homes(tmp_path / name, resolution="days"), expected)
    numbered = typed.assign(home=typed["home"].str[1:].astype(int))
    numbered.to_parquet(tmp_path / "numbered")
    assert read_tidy_homes(tmp_path / "numbered", resolution="days").names == tuple("01234")


def test_parquet_without_pyarrow_is_one_line_that_says_what_to_install(path, monkeypatch):
    path.write_bytes(b"PAR1 and more")
    real_import = builtins.__import__

    def without_pyarrow(name, *arguments, **options):
        if name.split(".")[0] in ("pyarrow", "fastparquet"):
            raise ImportError(name)
        return real_import(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    with pytest.raises(DataError, match=r"pyarrow, which is not installed: `pip install pyarrow`"):
        read_tidy_homes(path, resolution="days")


def test_homes_that_lack_a_reading_and_days_that_nobody_has_are_counted(path):
    table = tidy().drop(index=[7, 8, 40])  # of h0 and h1
    table = table[~table["time"].isin(["2024-02-20", "2024-02-21"])].assign(tariff="Std", x=1)
    found = read_tidy_homes(written(path, table), resolution="days")
    assert found.names == ("h2", "h3", "h4")
    assert found.excluded == {"h0": 26, "h1": 27}
    assert (found.missing_days, found.ignored) == (2, ("tariff", "x"))
    assert found.energy_kwh.shape == (3, 28)
    assert found.format_summary() == (
        "3 homes, 28 days from 2024-02-01 to 2024-03-01, in kWh; days between them that are not in "
        "the file: 2; homes excluded for lack of a reading: 2 (h0, h1); columns that are not read: "
        "tariff, x."
    )


def test_every_half_hour_of_a_day_is_asked_for(path):
    """As of the hour that a clock leaves out in spring."""
    table = tidy(HALF_HOURS)
    gone = table["time"].str.contains("26 02:")
    with pytest.raises(DataError, match=r"no home has one of 2024-03-26 02:00:00 \(2 such times\)"):
        read_tidy_homes(written(path, table[~gone]), resolution="half-hours")
    some = gone & (table["home"] != "h3")
    found = read_tidy_homes(written(path, table[~some]), resolution="half-hours")
    assert found.names == ("h3",)
    every = table[table["time"] != "2024-03-25 00:00"].drop(index=48 * 3 * 4 + 20)
    every = pd.concat([every, table[:1]])
    lacking = every[~((every["home"] == "h0") & (every["time"] == "2024-03-27 23:30"))]
    with pytest.raises(
        DataError, match=r"home h0, which has most, does not have one of 2024-03-27"
    ):
        read_tidy_homes(written(path, lacking), resolution="half-hours")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            with_cell(7, "energy_kwh", "n/a"),
            r"line 9 \(h0, 2024-02-08, n/a\): energy_kwh is no num",
        ),
        (with_cell(7, "energy_kwh", None), r"line 9 \(h0, 2024-02-08, \): energy_kwh is no number"),
        (with_cell(7, "energy_kwh", "inf"), "line 9 .*no number"),
        (with_cell(7, "energy_kwh", "1_0"), "line 9 .*no number"),
        (with_cell(7, "energy_kwh", "\u0663"), "line 9 .*no number"),
        (with_cell(7, "energy_kwh", "1e400"), "line 9 .*no number"),
        (with_cell(7, "energy_kwh", -0.1), "line 9 .*below 0. Give what is used"),
        (with_cell(7, "home", None), r"line 9 \(, 2024-02-08, .*no home"),
        (with_cell(7, "home", "h\x1b[31m"), "line 9 .*characters that cannot be shown"),
        (with_cell(7, "time", "07.02.2024"), "line 9 .*time must be like 2024-01-31"),
        (with_cell(7, "time", "2024-02-30"), "line 9 .*time must be like 2024-01-31"),
        (with_cell(7, "time", "2024-02-08T00:00:00+01:00"), "line 9 .*time has a zone"),
        (with_cell(7, "time", "2024-02-08 00:00Z"), "line 9 .*time has a zone"),
        (with_cell(7, "time", "2024-02-08 12:00"), "line 9 .*no reading of days begins then"),
        (with_cell(7, "time", "2024-02-07 00:00"), "line 9 .*a second reading of this home"),
        (tidy().assign(home="h0"), r"line 32 .*a second reading .* \(120 such rows\)"),
        (tidy(HALF_HOURS), r"line 3 .*no reading of days begins then. .* \(705 such rows\)"),
        (tidy().eval("energy_kwh = 1000 * energy_kwh"), "above 1700 kWh.*Are they Wh"),
        (tidy().rename(columns={"energy_kwh": "kwh"}), "its columns are home, time, kwh, but"),
        (tidy().iloc[:0], "there are no rows below the header"),
    ],
)
def test_a_fault_is_one_line(path, table, message):
    with pytest.raises(DataError, match=message) as caught:
        read_tidy_homes(written(path, table), resolution="days")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\n", "the file is empty"),
        (b"home;time;energy_kwh\nh;2024-02-01;1,5\n", "no CSV of equally long rows, with commas"),
        (b"home,time,energy_kwh\nh,2024-02-01,1,5\n", "Expected 3 fields in line 2, saw 4"),
        (b'home,time,energy_kwh\n"h,2024-02-01,1\n', "no CSV of equally long rows"),
        (b"home,time,energy_kwh,home\nh,2024-02-01,1,g\n", "time and energy_kwh, once each"),
        ("home,time,energy_kwh\nhä,2024-02-01,1\n".encode("cp1252"), "not UTF-8 text"),
        (gzip.compress(b"home,time,energy_kwh\n" * 99, mtime=0)[:-9], "damaged or cut off"),
        (b"PAR1 and nothing", "no complete Parquet file|Parquet needs pyarrow"),
        (b"\xff\xfeh\x00", "not UTF-8 text"),
        (b"home,time,energy_kwh\nh\n", r"line 2 .*time must be like"),
    ],
)
def test_what_is_no_table_is_one_line(path, content, message):
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        read_tidy_homes(path, resolution="days")
    assert str(caught.value).isprintable()


def test_files_and_resolutions_that_are_not_there(tmp_path):
    with pytest.raises(DataError, match=r"nowhere\.csv: no such file"):
        read_tidy_homes(tmp_path / "nowhere.csv", resolution="days")
    with pytest.raises(DataError, match="cannot be read"):
        read_tidy_homes(tmp_path, resolution="days")
    with pytest.raises(DataError, match="cannot be read"):
        read_tidy_homes("m" * 300, resolution="days")
    with pytest.raises(ConfigError, match="'weeks', but it must be one of days, hours, half-hours"):
        read_tidy_homes("x", resolution="weeks")


def wide(index, columns, **options):
    table = tidy().pivot(index=index, columns=columns, values="energy_kwh")
    return table.to_csv(**options)


@pytest.mark.parametrize(
    "content",
    [
        wide("home", "time"),
        wide("home", "time", index_label="meter"),
        wide("home", "time", index_label=""),
        tidy().pivot(index="home", columns="time", values="energy_kwh").reset_index().to_csv(),
        wide("time", "home"),
        wide("time", "home", index_label="date"),
        wide("time", "home", index_label=""),
    ],
)
def test_a_wide_file_is_turned_by_the_line_of_its_message(path, tmp_path, monkeypatch, content):
    path.write_text(content)
    with pytest.raises(DataError, match="one line of pandas turns it") as caught:
        read_tidy_homes(path, resolution="days")
    message = str(caught.value)
    monkeypatch.chdir(tmp_path)
    exec(message[message.index("pd.read_csv") :], {"pd": pd})
    expected = read_tidy_homes(written(tmp_path / "right.csv"), resolution="days")
    same(read_tidy_homes(tmp_path / "tidy.csv", resolution="days"), expected)


def test_identical_rows_are_those_of_a_plain_loop():
    rng = make_generator(1, "identical rows")
    for _ in range(50):
        rows = rng.integers(0, 2, (6, 3))
        expected = [any((rows[i] == rows[j]).all() for j in range(6) if j != i) for i in range(6)]
        assert find_identical(rows).tolist() == expected


@pytest.mark.parametrize(
    ("file", "homes", "times", "missing"),
    [
        ("ausgrid_16_homes_2010", 16, 113, 0),
        ("sgsc_18_homes_365_days_2012-13", 18, 365, 0),
        ("sgsc_41_homes_311_days_2012-13", 41, 311, 50),
        ("swiss_350_homes_49_days", 350, 49, 0),
    ],
)
def test_real_homes_are_read_whole(root, file, homes, times, missing):
    path = root.parent / f"shared/data/homes/{file}.csv.gz"
    if not path.is_file():
        pytest.skip(f"the real homes of {file} are not here")
    found = read_tidy_homes(path, resolution="days")
    assert found.energy_kwh.shape == (homes, times)
    assert (found.missing_days, found.excluded) == (missing, {})
    assert not find_identical(found.energy_kwh).any()
    plain = pd.read_csv(path).pivot(index="home", columns="time", values="energy_kwh")
    np.testing.assert_array_equal(found.energy_kwh, plain.to_numpy())
