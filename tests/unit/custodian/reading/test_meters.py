"""Meters of the user's: what is read, what is excluded, and every way to spoil a file."""

import gzip
import logging

import numpy as np
import pandas as pd
import pytest

from noiseless.custodian.reading.meters import read_meters
from noiseless.data.prepare import source_of
from noiseless.errors import ConfigError, DataError
from own_meters import DAYS, HOMES, NAMES, edit, facts, read, readings, write


@pytest.fixture
def path(tmp_path):
    return tmp_path / "meters.csv"


def test_days_are_sums_by_a_plain_loop(path):
    write(path, readings().sample(frac=1, random_state=1))
    expected = {}
    for line in path.read_text().splitlines()[1:]:
        home, at, wh = line.split(",")
        key = home, at[:10]
        expected[key] = expected.get(key, 0) + int(wh)
    tables = read(path)
    table = tables["table"]
    found = {
        (row.home, str(row.time.date())): round(row.energy_kwh * 1000) for row in table.itertuples()
    }
    assert found == expected
    taken = facts(tables["taken"])
    assert taken["homes"] == taken["homes_in_file"] == HOMES
    assert taken["interval_s"] == 6 * 3600
    assert taken["days"] == DAYS


@pytest.mark.parametrize(
    ("unit", "factor"),
    [("Wh", 1e-3), ("kWh", 1), ("MWh", 1e3), ("W", 6e-3), ("kW", 6), ("MW", 6e3)],
)
def test_units(path, unit, factor):
    """Readings every six hours: 1 kW is 6 kWh."""
    write(path, readings())
    table = read(path, unit=unit, largest_power_kw=1e9)["table"]
    first = readings().query("meter == 'm0'")["wh"][:4].sum()
    assert table["energy_kwh"][0] == pytest.approx(first * factor)


def test_one_table_in_every_format(path, tmp_path):
    table = readings()
    write(path, table)
    expected = read(path)["table"]
    typed = table.assign(at=pd.to_datetime(table["at"]))
    typed.to_parquet(tmp_path / "timestamps.parquet")
    table.to_parquet(tmp_path / "texts.parquet")
    stamps = typed["at"].astype("datetime64[s]").astype("int64")
    write(tmp_path / "unix.csv", table.assign(at=stamps))
    table.assign(at=stamps).to_parquet(tmp_path / "unix.parquet")
    german = table.assign(at=typed["at"].dt.strftime("%d.%m.%Y %H:%M"), wh=table["wh"] / 1000)
    write(tmp_path / "german.csv.gz", german, sep=";", decimal=",")
    write(tmp_path / "ends.csv", table.assign(at=typed["at"] + pd.Timedelta(hours=6)))
    write(tmp_path / "offset.csv", table.assign(at=table["at"].str.replace(" ", "T") + "+00:00"))
    quoted = "\ufeff" + table.to_csv(index=False, quoting=1, lineterminator="\r\n")
    (tmp_path / "quoted.csv").write_text(quoted, encoding="utf-8", newline="")
    others = {
        "timestamps.parquet": {},
        "texts.parquet": {},
        "quoted.csv": {},
        "unix.csv": {"time_format": "unix_s", "time_zone": "UTC"},
        "unix.parquet": {"time_format": "unix_s", "time_zone": "UTC"},
        "german.csv.gz": {
            **{"separator": ";", "decimal": ",", "unit": "kWh"},
            "time_format": "%d.%m.%Y %H:%M",
        },
        "ends.csv": {"time_marks": "end"},
        "offset.csv": {"time_zone": "UTC"},
    }
    for name, settings in others.items():
        pd.testing.assert_frame_equal(read(tmp_path / name, **settings)["table"], expected)


def test_daily_readings_need_no_sum(path):
    write(path, readings("1D"))
    pd.testing.assert_frame_equal(
        read(path)["table"], read(path, time_zone="Europe/Berlin")["table"]
    )
    assert len(read(path)["table"]) == HOMES * DAYS


def test_homes_that_miss_readings_are_excluded_and_counted(path, caplog):
    table = readings(homes=6)
    gap = (table["meter"] == "m1") & (table["at"] == "2024-01-02 06:00:00")
    empty = (table["meter"] == "m4") & (table["at"] == "2024-01-03 12:00:00")
    write(path, table.assign(wh=table["wh"].where(~empty))[~gap])
    with caplog.at_level(logging.INFO):
        tables = read(path)
    taken = facts(tables["taken"])
    assert taken["homes"] == 4
    assert taken["homes_left_out"] == 2
    assert taken["missing_readings"] == 1
    assert list(tables["table"]["home"].unique()) == ["m0", "m2", "m3", "m5"]
    assert "home m1 is excluded: 3 of 4 days are complete" in caplog.text


def test_period_is_that_of_most_homes_or_as_given(path):
    """One home begins two days early, and all end at noon."""
    early = readings(homes=1, start="2023-12-30", days=2)
    table = readings()
    table = table[table["at"] < "2024-01-04 12"]
    write(path, pd.concat([early, table]))
    tables = read(path)
    days = tables["table"]["time"].unique()
    assert [str(day.date()) for day in days] == ["2024-01-01", "2024-01-02", "2024-01-03"]
    assert facts(tables["taken"])["days_not_used"] == 3
    given = read(path, first_day="2024-01-02", last_day="2024-01-03")["table"]
    assert len(given) == HOMES * 2
    with pytest.raises(DataError, match="no home has all readings of the 4 days"):
        read(path, last_day="2024-01-04")
    with pytest.raises(ConfigError, match="first day is after"):
        read(path, first_day="2024-01-03", last_day="2024-01-02")


@pytest.mark.parametrize(
    ("line", "old", "new", "message"),
    [
        (1, "wh", "w h", "column 'wh', which .* gives for value, is missing. Did you mean 'w h'"),
        (1, "meter,", "meter;", "column 'meter', .* is missing. Did you mean 'meter;at'"),
        (1, "at,wh", "wh,wh", "column 'at', .* is missing"),
        (1, "meter,at", "at,at", "column 'meter', .* is missing"),
        (1, "meter,at", "at,meter", "line 2, column 'at': 'm0' is not a time like"),
        (4, ",1", ",a1", "line 4, column 'wh': 'a1.*' is not a number"),
        (4, ",1", ",1_", "line 4, column 'wh': '1_.*' is not a number"),
        (4, ",1", ",1 ", "line 4, column 'wh': '1 .*' is not a number"),
        (4, ",1", ",-1", "line 4, column 'wh': a negative reading"),
        (4, ",1", ",9999991", "line 4, column 'wh': .* is a mean power of .* Is the unit right"),
        (4, ",1", ",,", "line 4: 4 cells instead of 3"),
        (4, "2024-01-01 12", "2024-01-01 06", "line 4, .* the same time in line 3"),
        (4, "2024-01-01 12", "2024-01-01 11", "line 4, .*: 300 minutes after the reading before"),
        (4, "2024-01-01 12", "2024-13-01 12", "line 4, column 'at': '2024-13-01.* is not a time"),
        (4, "2024-01-01 12", "1824-01-01 12", "line 4, column 'at': a time that is not between"),
        (4, "2024-01-01 12:00:00", "", "line 4, column 'at': an empty cell"),
        (4, "m0", "", "line 4, column 'meter': an empty cell"),
        (4, ":00:00", ":00:00+01:00", "line 2, column 'at': a time without offset"),
    ],
)
def test_spoiled_meters_are_named_by_line_and_column(path, line, old, new, message):
    write(path, readings())
    edit(path, line, old, new)
    with pytest.raises(DataError, match=message) as error:
        read(path)
    assert str(path) in str(error.value)


def test_line_counts_empty_lines_and_quoted_line_ends(path):
    table = readings().assign(note="two\nlines")
    table["wh"] = table["wh"].astype(str).where(table.index != 2, "x")
    write(path, table)
    header, _, rest = path.read_text().partition("\n")
    path.write_text(f"{header}\n\n{rest}")
    # Header, an empty line, and three rows of two lines: the last one begins in line 7.
    assert path.read_text().split("\n")[6].endswith(',x,"two')
    with pytest.raises(DataError, match="line 7, column 'wh': 'x' is not a number"):
        read(path)


def test_infinite_reading(path):
    table = readings()
    write(path, table.assign(wh=table["wh"].astype(float).where(table.index != 2, np.inf)))
    with pytest.raises(DataError, match="line 4, column 'wh': an infinite value"):
        read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (b"<html>login</html>", "a web page"),
        (b"meter,at,wh\n", "no rows below the header"),
        (b"meter;at;wh\nm;2024-01-01;1\n", "Set data.meters.separator to ';'"),
        ("meter,at,wh\nsüd,2024-01-01,1\n".encode("latin-1"), "not UTF-8 text|invalid UTF8"),
        ("süd,meter,at,wh\nx,m,2024-01-01,1\n".encode("latin-1"), "not UTF-8 text"),
        (b"PAR1 but no more", "not a complete Parquet file"),
        (b"meter,at,wh\nm,2024-01-01,1\n", "no home has two readings"),
        (b"meter,at,wh\nm,2024-01-01 00:00,1\nm,2024-01-01 00:07,1\n", "7 minutes apart, which is"),
    ],
)
def test_files_that_hold_no_readings(path, content, message):
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read(path)


def test_other_errors_of_meters(path, tmp_path):
    with pytest.raises(DataError, match=r"no such file. Set data.meters.path"):
        read(tmp_path / "nowhere.csv")
    write(path, readings())
    with pytest.raises(ConfigError, match=r"'Europe/Berln'.*Did you mean Europe/Berlin"):
        read(path, time_zone="Europe/Berln")
    with pytest.raises(ConfigError, match="column 'at' is given twice"):
        read(path, columns={**NAMES, "value": "at"})
    with pytest.raises(DataError, match=r"is not of the form '%d/%m/%Y'"):
        read(path, time_format="%d/%m/%Y")
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(path.read_bytes())[:60])
    with pytest.raises(DataError, match=r"cut.csv.gz: the compressed file is damaged"):
        read(tmp_path / "cut.csv.gz")
    table = readings()
    table.assign(at=table["at"] + "+01:00").to_csv(path, index=False)
    with pytest.raises(DataError, match=r"offset from UTC.*Set data.meters.time_zone"):
        read(path)
    table.assign(wh=table.groupby("meter")["wh"].cumsum()).to_csv(path, index=False)
    with pytest.raises(DataError, match="never fall, in any home"):
        read(path)
    table.assign(wh=np.nan).to_csv(path, index=False)
    with pytest.raises(DataError, match="on no day do most homes have all readings"):
        read(path)


def test_readings_that_are_all_zero_are_an_error(path):
    readings().assign(wh=0).to_csv(path, index=False)
    with pytest.raises(DataError, match="every reading of these days is 0, so that nothing"):
        read(path)


def test_parquet_with_wrong_types_is_named(tmp_path):
    file = tmp_path / "meters.parquet"
    table = readings()
    for column, values, message in (
        ("wh", table["wh"].astype(str), "column 'wh': it has the type .*string, but a number"),
        ("at", table["wh"] > 0, "column 'at': it has the type bool, but a time"),
        ("meter", pd.to_datetime(table["at"]), "column 'meter': it has the type timestamp.*text"),
    ):
        table.assign(**{column: values}).to_parquet(file)
        with pytest.raises(DataError, match=message):
            read(file)
    table.assign(wh=table["wh"].where(table.index != 5, -1)).to_parquet(file)
    with pytest.raises(DataError, match=r"meters.parquet, row 6, column 'wh': a negative reading"):
        read(file)


def test_tiny_energies_are_questioned(path, caplog):
    table = readings()
    write(path, table.assign(wh=table["wh"] / 1000))
    read(path)
    assert "Is the unit Wh?" in caplog.text
    assert "with so few days an adversary" in caplog.text


def test_sub_meters_of_a_home_as_homes(redd_house5, tmp_path):
    """REDD's appliances every three seconds or so, brought to hours; unix seconds, in W."""
    parts = []
    for path in sorted(redd_house5.glob("channel_*.dat")):
        raw = pd.read_csv(path, sep=" ", names=["s", "power"])
        hours = raw.groupby(raw["s"] // 3600 * 3600)["power"].mean()
        parts.append(hours.reset_index().assign(channel=path.stem))
    table = pd.concat(parts)
    path = write(tmp_path / "channels.csv", table)
    settings = {
        "columns": {"home": "channel", "time": "s", "value": "power"},
        "unit": "W",
        "time_format": "unix_s",
        "time_zone": "US/Eastern",
    }
    local = pd.to_datetime(table["s"], unit="s", utc=True).dt.tz_convert("US/Eastern")
    table["day"] = local.dt.strftime("%Y-%m-%d")
    whole = table.groupby(["day", "channel"]).size().unstack().eq(24).sum(axis=1)
    day = whole.idxmax()
    assert whole[day] == 5
    found = read_meters(path, **settings)
    assert facts(found["taken"])["homes"] == 5
    assert facts(found["taken"])["days"] == len(found["table"]) / 5
    for home, time, energy_kwh in found["table"].itertuples(index=False):
        one = table[(table["day"] == str(time.date())) & (table["channel"] == home)]
        assert len(one) == 24
        assert energy_kwh == pytest.approx(one["power"].sum() / 1000)


def test_weeks_of_a_home_as_homes(ausgrid_weeks, tmp_path):
    """The seven weeks of one real home, which are not consecutive, as seven homes of one week."""
    source = pd.read_csv(ausgrid_weeks)
    at = pd.to_datetime(source["datetime"])
    use = (
        source["current_general_electricity_consumption"]
        + source["current_controlled_load_consumption"]
    )
    monday = at.dt.normalize() - pd.to_timedelta(at.dt.day_of_week, unit="D")
    moved = pd.Timestamp("2013-01-14") + (at - monday)
    weeks = pd.DataFrame({"week": monday.astype(str), "when": moved, "kilowatthours": use})
    path = write(tmp_path / "weeks.csv", weeks)
    found = read_meters(
        path,
        columns={"home": "week", "time": "when", "value": "kilowatthours"},
        unit="kWh",
    )
    assert facts(found["taken"])[["homes", "days"]].tolist() == [7, 7]
    expected = use.groupby(at.dt.normalize()).sum()
    np.testing.assert_allclose(found["table"]["energy_kwh"], expected.to_numpy())


@pytest.mark.slow
def test_real_homes_of_london_are_those_of_its_own_parser(london_folder, london_daily, tmp_path):
    """The blocks as one long file; some homes joined late, some have days without a reading."""
    blocks = [pd.read_csv(path) for path in sorted(london_folder.glob("block_*.csv.gz"))]
    households = pd.read_csv(london_folder / "informations_households.csv")
    standard = households.loc[households["stdorToU"] == "Std", "LCLid"]
    rows = pd.concat(blocks)[["LCLid", "day", "energy_sum"]]
    path = write(tmp_path / "homes.csv", rows[rows["LCLid"].isin(standard)])
    found = read_meters(
        path,
        columns={"home": "LCLid", "time": "day", "value": "energy_sum"},
        unit="kWh",
        first_day="2013-01-01",
        last_day="2013-12-31",
    )["table"]
    expected = london_daily.set_index(["home", "time"])["energy_kwh"]
    pd.testing.assert_series_equal(
        found.set_index(["home", "time"])["energy_kwh"], expected, check_index_type=False
    )


def test_data_of_the_users_is_never_the_public_one(path):
    write(path, readings())
    source = source_of(dataset="my-town", tier="local", files={"path": path}, registered={})
    assert (source.tier, source.digest, source.is_public) == ("local", "other", False)
