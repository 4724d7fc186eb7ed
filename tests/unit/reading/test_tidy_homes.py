"""Homes in the tidy form: what is read, excluded and counted, and one line for each fault."""

import builtins
import gzip
import hashlib
import itertools
import re
import sys
import tracemalloc

import numpy as np
import pandas as pd
import pytest

from noiseless.data.london import read_london
from noiseless.errors import ConfigError, DataError
from noiseless.reading.tidy_homes import find_identical, join_homes, read_tidy_homes
from noiseless.seeds import make_generator

DAYS = pd.date_range("2024-02-01", periods=30)
HALF_HOURS = pd.date_range("2024-03-25", periods=48 * 3, freq="30min")


def tidy(times=DAYS, homes=5):
    rng = make_generator(1, "tidy homes")
    rows = itertools.product([f"h{k}" for k in range(homes)], times)
    table = pd.DataFrame(rows, columns=["home", "time"])
    form = "%Y-%m-%d" if times[-1] - times[0] == (len(times) - 1) * DAYS.freq else "%Y-%m-%d %H:%M"
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


def test_chosen_days_of_several_files_are_those_of_a_plain_loop(tmp_path):
    """A home that lacks a reading elsewhere is whole on the chosen days, in the order of names."""
    rng, rows = np.random.default_rng(0), {"a.csv": [], "b.csv": []}
    for file, homes, first in (("a.csv", "ca", 1), ("b.csv", "bd", 2)):
        for home in homes:
            for day in range(first, 9):
                if (home, day) in {("a", 4), ("d", 7)}:  # outside the chosen days, and inside
                    continue
                rows[file].append((home, f"2024-03-{day:02}", round(rng.uniform(0, 9), 3)))
    chosen = ("2024-03-06", "2024-03-08")
    reads = []
    for file, cells in rows.items():
        table = pd.DataFrame(cells, columns=["home", "time", "energy_kwh"])
        table.sample(frac=1, random_state=1).to_csv(tmp_path / file, index=False)
        reads.append(read_tidy_homes(tmp_path / file, resolution="days", days=chosen))
    found = join_homes(reads)
    kept = [row for cells in rows.values() for row in cells if chosen[0] <= row[1] <= chosen[1]]
    plain = {home: [e for h, _, e in sorted(kept) if h == home] for home in "abc"}
    assert found.names == tuple(plain)
    assert found.energy_kwh.tolist() == list(plain.values())
    assert found.excluded == {"d": 2}
    assert [str(day.date()) for day in found.times] == [f"2024-03-0{day}" for day in (6, 7, 8)]
    with pytest.raises(DataError, match="the homes a, c are in two files"):
        join_homes([reads[0], reads[0]])
    other = read_tidy_homes(tmp_path / "a.csv", resolution="days", days=("2024-03-05", chosen[1]))
    with pytest.raises(DataError, match=r"one file has 3 times from 2024-03-06 .* another one 4"):
        join_homes([reads[1], other])
    with pytest.raises(DataError, match=r"a\.csv: no reading from .*; its days are 2024-03-01 to"):
        read_tidy_homes(tmp_path / "a.csv", resolution="days", days=("2023-03-01", "2023-03-02"))


def test_every_half_hour_of_a_day_is_asked_for(path):
    """As of the hour that a clock leaves out in spring."""
    table = tidy(HALF_HOURS)
    gone = table["time"].str.contains("26 02:")
    with pytest.raises(DataError, match=r"no home has a reading of 2024-03-26 02:00:00 \(2 such"):
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
            "line 9, column 'energy_kwh': 'n/a' is not a number",
        ),
        (
            with_cell(7, "energy_kwh", None),
            "line 9, column 'energy_kwh': an empty cell. Leave rows without",
        ),
        (with_cell(7, "energy_kwh", "inf"), "line 9, .*infinite"),
        (with_cell(7, "energy_kwh", "1_0"), "line 9, .*is not a number"),
        (with_cell(7, "energy_kwh", "\u0663"), "line 9, .*is not a number"),
        (with_cell(7, "energy_kwh", "1e400"), "line 9, .*infinite"),
        (with_cell(7, "energy_kwh", -0.1), "line 9, .*below 0. Give what is used"),
        (with_cell(7, "home", None), "line 9, column 'home': an empty cell"),
        (with_cell(7, "home", "h\x1b[31m"), "line 9, .*characters that cannot be shown"),
        (with_cell(7, "time", "07.02.2024"), "line 9, .*time must be like 2024-01-31"),
        (with_cell(7, "time", "2024-02-30"), "line 9, .*time must be like 2024-01-31"),
        (with_cell(7, "time", "2024-02-08T00:00:00+01:00"), "line 9, .*has a zone"),
        (with_cell(7, "time", "2024-02-08 00:00Z"), "line 9, .*has a zone"),
        (with_cell(7, "time", "2024-02-08 00:00:00 UTC"), "line 9, .*' has a zone"),
        (with_cell(7, "time", "2024-02-08 00:00 CEST"), "line 9, .*' has a zone"),
        (with_cell(7, "time", "2024-02-08 00:00 Europe/Berlin"), "line 9, .*' has a zone"),
        (with_cell(7, "time", "2024-02-08 12:00 AM"), "line 9, .*time must be like 2024-01-31"),
        (with_cell(7, "energy_kwh", "1,234.5"), "line 9, .*is not a number: a number has '.'"),
        (with_cell(7, "time", "2024-02-08 12:00"), "line 9, .*no reading of days begins then"),
        (with_cell(7, "time", "2024-02-07 00:00"), "line 9, .*a second reading of this home"),
        (tidy().assign(home="h0"), r"line 32, .*a second reading .* \(119 more"),
        (tidy(HALF_HOURS), r"line 3, .*no reading of days begins then. .* \(704 more"),
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
        (b"home;time;energy_kwh\nh;2024-02-01;1,5\n", "Its cells have ';' between them"),
        (b"home,time,energy_kwh\nh,2024-02-01,1,5\n", "line 2: 4 cells instead of 3"),
        (
            b'home,time,energy_kwh\n"h,2024-02-01,1\n',
            "line 2: in the row that begins here, a quotation mark",
        ),
        (b"home,time,energy_kwh,home\nh,2024-02-01,1,g\n", "time and energy_kwh, once each"),
        ("home,time,energy_kwh\nhä,2024-02-01,1\n".encode("cp1252"), "not UTF-8 text"),
        (gzip.compress(b"home,time,energy_kwh\n" * 99, mtime=0)[:-9], "damaged, cut short"),
        (b"PAR1 and nothing", "not a complete Parquet file|Parquet needs pyarrow"),
        (b"\xff\xfeh\x00", "not UTF-8 text"),
        (b"home,time,energy_kwh\nh\n", "line 2: 1 cell instead of 3"),
    ],
)
def test_what_is_no_table_is_one_line(path, content, message):
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        read_tidy_homes(path, resolution="days")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("options", [{}, {"sep": ";"}, {"sep": "\t"}, {"sep": "|"}])
@pytest.mark.parametrize("decimal", [",", "."])
def test_other_separators_and_decimal_commas_are_made_right_by_the_line_of_the_message(
    path, tmp_path, monkeypatch, options, decimal
):
    if not options and decimal == ".":
        return
    written(path, tidy(), decimal=decimal, **options)
    says = (
        r"line 2, column 'energy_kwh': '\d+,\d+' has a comma" if not options else "Its cells have"
    )
    with pytest.raises(DataError, match=says) as caught:
        read_tidy_homes(path, resolution="days")
    message = str(caught.value)
    monkeypatch.chdir(tmp_path)
    exec(re.search(r"pd\.read_csv\(.*index=False\)", message)[0], {"pd": pd})
    [made] = (
        tmp_path / name for name in ("tidy.csv", "converted.csv") if (tmp_path / name).exists()
    )
    expected = read_tidy_homes(written(tmp_path / "right.csv"), resolution="days")
    same(read_tidy_homes(made, resolution="days"), expected)


def test_files_and_resolutions_that_are_not_there(tmp_path):
    with pytest.raises(DataError, match=r"nowhere\.csv: no such file"):
        read_tidy_homes(tmp_path / "nowhere.csv", resolution="days")
    with pytest.raises(DataError, match="a folder, not a file"):
        read_tidy_homes(tmp_path, resolution="days")
    with pytest.raises(DataError, match="no such file"):
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


@pytest.mark.parametrize(
    "table",
    [
        tidy().pivot(index="home", columns="time", values="energy_kwh"),
        tidy().pivot(index="home", columns="time", values="energy_kwh").rename_axis("meter"),
        tidy().pivot(index="home", columns="time", values="energy_kwh").reset_index(),
        tidy().pivot(index="home", columns="time", values="energy_kwh").rename_axis(None),
        tidy().pivot(index="time", columns="home", values="energy_kwh"),
    ],
)
def test_a_wide_parquet_file_is_turned_by_the_line_of_its_message(tmp_path, monkeypatch, table):
    pytest.importorskip("pyarrow.parquet")
    table.to_parquet(tmp_path / "wide")
    with pytest.raises(DataError, match="one line of pandas turns it") as caught:
        read_tidy_homes(tmp_path / "wide", resolution="days")
    message = str(caught.value)
    monkeypatch.chdir(tmp_path)
    exec(message[message.index("pyarrow.") :], {"pyarrow": sys.modules["pyarrow"]})
    expected = read_tidy_homes(written(tmp_path / "right.csv"), resolution="days")
    same(read_tidy_homes(tmp_path / "tidy.csv", resolution="days"), expected)


def test_an_index_without_names_in_parquet_is_called_so(tmp_path):
    pytest.importorskip("pyarrow")
    table = tidy().set_index(["home", "time"]).rename_axis([None, None])
    table.to_parquet(tmp_path / "unnamed")
    with pytest.raises(DataError, match="from an index without names: give it the names home and"):
        read_tidy_homes(tmp_path / "unnamed", resolution="days")


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
        ("sgsc_45_homes_310_days_2012-13", 45, 310, 51),
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
    plain = pd.read_csv(path, float_precision="round_trip").pivot(
        index="home", columns="time", values="energy_kwh"
    )
    np.testing.assert_array_equal(found.energy_kwh, plain.to_numpy())


# Digests of what was read before these files passed the reader of the public ones.
DIGESTS = {
    "ausgrid_16_homes_2010": "2f2214d71c3b0b7ab84fb79edb718778",
    "sgsc_18_homes_365_days_2012-13": "c266eafee7758cd0c04e23b74aebae5e",
    "sgsc_45_homes_310_days_2012-13": "bdb7cb718fda0f3bb7ff2dd6da466912",
    "sgsc_tda_2013_6_homes_half_hours": "0d211d2641b866db0d90ccfb5955fe55",
    "swiss_350_homes_49_days": "65d1345d30fa32c57feadb4b0ffd6d65",
}


def digest(homes, times, energy_kwh):
    """Digest of a table of readings, in the order of homes and times."""
    found = hashlib.sha256()
    for names in (homes, times):
        found.update("\n".join(map(str, names)).encode())
    found.update(np.asarray(energy_kwh, "<f8").tobytes())
    return found.hexdigest()[:32]


@pytest.mark.parametrize("file", DIGESTS)
def test_real_homes_are_read_as_before_byte_for_byte(root, file):
    path = root.parent / f"shared/data/homes/{file}.csv.gz"
    if not path.is_file():
        pytest.skip(f"the real homes of {file} are not here")
    resolution = "half-hours" if file.endswith("half_hours") else "days"
    found = read_tidy_homes(path, resolution=resolution)
    assert digest(found.names, found.times, found.energy_kwh) == DIGESTS[file]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tariff", "expected"),
    [("Std", "11a02f30d328d96b587f72fe4ecfb202"), ("ToU", "047b1421b6d65427dfe5966a3e278a5c")],
)
def test_real_homes_of_london_are_read_as_before_byte_for_byte(root, tariff, expected):
    folder = root.parent / "shared/data/london"
    blocks = {path.name.split(".")[0]: path for path in sorted(folder.glob("block_*.csv.gz"))}
    if len(blocks) != 13:
        pytest.skip("the real homes of London are not here")
    households = folder / "informations_households.csv"
    found = read_london(households=households, year=2013, tariff=tariff, **blocks)
    assert digest(found["home"], found["time"], found["energy_kwh"]) == expected


# --- Files that another reader would pass -----------------------------------------------------


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text[:-3], "line 151: the last line has no line end"),
        (lambda text: text.replace(b"h2,2024-02-05", b"h\x002,2024-02-05"), "line 66: a NUL byte"),
        (lambda text: text.replace(b"h1,", b'"h1,', 1), "line 32: in the row that begins here, a"),
        (lambda text: text.replace(b"h1,", b'h"1,', 1), "line 32: in the row that begins here, a"),
        (lambda text: text.replace(b"h1,", b"h\xff,", 1), r"line 32: not UTF-8 text \(byte 0xff"),
        (lambda text: b"<html>" + text, "a web page or other XML"),
        (lambda text: text.decode().encode("utf-16"), "not UTF-8 text, but UTF-16"),
        (lambda text: text.replace(b"h1,2024-02-01,", b"h1,2024-02-01,1", 1)[:0], "file is empty"),
    ],
)
def test_what_public_files_are_refused_for_is_refused_here(path, spoil, message):
    path.write_bytes(spoil(written(path).read_bytes()))
    with pytest.raises(DataError, match=message):
        read_tidy_homes(path, resolution="days")


def test_a_mark_of_inches_in_a_further_column_swallows_no_row(path):
    """Two of them enclose rows, which other readers take for one cell of a column not read."""
    table = tidy(DAYS[:12]).sort_values("time", kind="stable").reset_index(drop=True)
    note = ["ok"] * 60
    note[19] = note[29] = '"19 rack'
    rows = [
        f"{home},{time},{each},{kwh}\n"
        for each, (home, time, kwh) in zip(note, table.itertuples(index=False), strict=True)
    ]
    path.write_text("home,time,note,energy_kwh\n" + "".join(rows))
    with pytest.raises(DataError, match="line 21: in the row that begins here, a quotation mark"):
        read_tidy_homes(path, resolution="days")


@pytest.mark.parametrize("index", [["home", "time"], ["time"], ["home"]])
def test_the_index_of_a_parquet_file_is_columns(tmp_path, path, index):
    pytest.importorskip("pyarrow")
    expected = read_tidy_homes(written(path), resolution="days")
    tidy().set_index(index).to_parquet(tmp_path / "indexed")
    same(read_tidy_homes(tmp_path / "indexed", resolution="days"), expected)


@pytest.mark.parametrize(
    ("column", "cells", "message"),
    [
        ("energy_kwh", [{"a": 1.0}] * 150, "column 'energy_kwh': its type is struct.*a number"),
        ("energy_kwh", [[1.0]] * 150, "column 'energy_kwh': its type is list.*a number"),
        ("energy_kwh", ["1.5"] * 150, "column 'energy_kwh': its type is string.*a number"),
        ("home", [["h"]] * 150, "column 'home': its type is list.*a text"),
        ("home", [{"a": "h"}] * 150, "column 'home': its type is struct.*a text"),
        ("time", [["2024-01-01"]] * 150, "column 'time': its type is list.*a time"),
        ("time", list(range(150)), "column 'time': its type is int64.*a time"),
        ("time", [pd.Timestamp("2024-01-01", tz="Europe/Berlin")] * 150, "row 1, .*has a zone"),
        ("energy_kwh", [None] + [1.0] * 149, "row 1, column 'energy_kwh': an empty cell"),
        ("energy_kwh", [1e308] + [1.0] * 149, r"row 1, .*1e\+308 kWh is more than the 1700 kWh"),
    ],
)
def test_types_of_parquet_are_those_of_public_files(tmp_path, column, cells, message):
    pytest.importorskip("pyarrow")
    tidy().assign(**{column: pd.Series(cells)}).to_parquet(tmp_path / "odd.parquet")
    with pytest.raises(DataError, match=message):
        read_tidy_homes(tmp_path / "odd.parquet", resolution="days")


@pytest.mark.slow
def test_a_small_file_asks_for_little_memory(path):
    """Of 40,000 rows with a home and a day of their own each; an array of them has 12 GB."""
    days = pd.date_range("1970-01-01", periods=40_000).strftime("%Y-%m-%d")
    rows = [f"h{k},{day},1.5\n" for k, day in enumerate(days)]
    path.write_text("home,time,energy_kwh\n" + "".join(rows))
    tracemalloc.start()
    try:
        for resolution in ("days", "half-hours"):
            with pytest.raises(DataError, match="none of 40000 homes has all"):
                read_tidy_homes(path, resolution=resolution)
        assert tracemalloc.get_traced_memory()[1] < 200e6
    finally:
        tracemalloc.stop()


# --- Readings that cannot be ------------------------------------------------------------------


def test_a_reading_beyond_fuses_is_refused_unless_a_larger_one_is_said_to_be_plausible(path):
    table = with_cell(40, "energy_kwh", 8590.017)
    with pytest.raises(DataError, match=r"line 42, .*8590.017 kWh is more.*`--largest-reading`"):
        read_tidy_homes(written(path, table), resolution="days")
    found = read_tidy_homes(path, resolution="days", largest_reading_kwh=9000)
    assert found.energy_kwh.max() == 8590.017
    with pytest.raises(DataError, match=r"is more than the 8000 kWh .* \(1 more in this column\)"):
        read_tidy_homes(
            written(path, with_cell([40, 41], "energy_kwh", 8590.017)),
            resolution="days",
            largest_reading_kwh=8000,
        )
    for wrong in (0, -1, np.nan, np.inf):
        with pytest.raises(ConfigError, match="must be larger than 0"):
            read_tidy_homes(path, resolution="days", largest_reading_kwh=wrong)


@pytest.mark.parametrize("first_kwh", [0, 900, 10_000, 1e7])
def test_a_register_is_no_use(path, first_kwh):
    """However large it is."""
    table = tidy()
    register = table.groupby("home")["energy_kwh"].cumsum() + first_kwh
    with pytest.raises(DataError, match="over 150 readings those of no home ever fall"):
        read_tidy_homes(written(path, table.assign(energy_kwh=register)), resolution="days")


@pytest.mark.parametrize(
    ("homes", "days", "is_register"), [(3, 10, True), (1, 30, True), (1, 29, False), (20, 9, False)]
)
def test_a_few_readings_may_rise_and_one_fall_is_enough(path, homes, days, is_register):
    table = tidy(DAYS[:days], homes)
    table["energy_kwh"] = table.groupby("home")["energy_kwh"].cumsum()
    if is_register:
        with pytest.raises(DataError, match="over 30 readings those of no home ever fall"):
            read_tidy_homes(written(path, table), resolution="days")
        table.loc[7, "energy_kwh"] = 0
    assert len(read_tidy_homes(written(path, table), resolution="days").names) == homes


def test_homes_at_rest_are_named_and_are_no_register(path):
    table = tidy()
    table.loc[table["home"].isin(["h1", "h3"]), "energy_kwh"] = 0.0
    found = read_tidy_homes(written(path, table), resolution="days")
    assert found.at_rest == ("h1", "h3")
    assert "; homes whose readings never change: 2 (h1, h3)." in found.format_summary()
    still = read_tidy_homes(written(path, table.assign(energy_kwh=1.0)), resolution="days")
    assert len(still.at_rest) == 5


# --- The clock of summer time -----------------------------------------------------------------


def on_clock(first, last, zone="Europe/London", freq="h", homes=5):
    times = pd.date_range(first, last, freq=freq, tz=zone, inclusive="left")
    return tidy(times, homes).sort_values("time", kind="stable")


@pytest.mark.parametrize(
    ("first", "last", "zone", "freq", "message"),
    [
        ("2024-10-24", "2024-10-31", "Europe/London", "h", "readings of 2024-10-27 01:00:00, as"),
        ("2024-03-28", "2024-04-05", "Europe/London", "h", "a reading of 2024-03-31 01:00:00"),
        ("2024-10-24", "2024-10-31", "Europe/Berlin", "30min", "02:00:00, 2024-10-27 02:30:00, as"),
        ("2024-03-28", "2024-04-05", "Europe/Berlin", "30min", "2024-03-31 02:00:00 (2 such"),
        ("2024-01-01", "2024-12-31", "America/New_York", "h", "readings of 2024-11-03 01:00:00"),
        ("2024-03-01", "2025-04-01", "Australia/Sydney", "h", "readings of 2024-04-07 02:00:00"),
        ("2023-02-01", "2023-06-01", "Asia/Jerusalem", "h", "a reading of 2023-03-24 02:00:00"),
    ],
)
def test_the_clock_of_summer_time_is_called_so(path, first, last, zone, freq, message):
    table = on_clock(first, last, zone, freq, homes=2)
    resolution = "hours" if freq == "h" else "half-hours"
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        read_tidy_homes(written(path, table), resolution=resolution)
    assert "this is the clock of summer time. Give standard time all year, or UTC" in str(
        caught.value
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda t: pd.concat([t, t[t["time"].str.endswith("27 01:00") & (t["home"] == "h1")]]),
        lambda t: pd.concat([t, t[t["time"].str.endswith("27 13:00")]]),
        lambda t: pd.concat([t, t[t["time"].str.contains("2[78] 01:00")]]),
        lambda t: pd.concat([t, *[t[t["time"].str.endswith("27 01:00")]] * 2]),
        lambda t: t[~t["time"].str.endswith("27 13:00")],
        lambda t: t[~t["time"].str.contains("2[78] 01:00")],
        lambda t: t[~t["time"].str.endswith(("27 01:00", "27 02:00"))],
    ],
)
def test_what_another_clock_explains_is_not_called_so(path, change):
    table = tidy(pd.date_range("2024-10-24", periods=7 * 24, freq="h"), 3)
    with pytest.raises(DataError) as caught:
        read_tidy_homes(written(path, change(table)), resolution="hours")
    assert "summer" not in str(caught.value)
