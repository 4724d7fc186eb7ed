"""Data of the user's: what is read, what is left out, and every way to spoil a file."""

import gzip
import logging

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_linnerud

from noiseless.custodian.reading.meters import read_meters
from noiseless.custodian.reading.people import read_people
from noiseless.custodian.reading.trips import public_box, read_trips
from noiseless.data.prepare import source_of
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.blurring import PublicRange, decimal_threshold
from noiseless.papers.noiseless.trips import uniqueness_tables
from noiseless.papers.nsht.blurring import coordinate_policies
from noiseless.papers.nsht.two_numbers import people_settings, people_tables
from noiseless.pipeline.configuration import checked, defaults, load_config
from wide_table import wide

NAMES = {"home": "meter", "time": "at", "value": "wh"}
HOMES, DAYS = 3, 4


def facts(table):
    return table.set_index("statistic")["value"]


def readings(freq="6h", homes=HOMES, start="2024-01-01", days=DAYS):
    """Whole numbers that differ in every row."""
    stop = pd.Timestamp(start) + pd.Timedelta(days=days)
    times = pd.date_range(start, stop, freq=freq, inclusive="left")
    table = pd.concat(
        [pd.DataFrame({"meter": f"m{k}", "at": times.astype(str)}) for k in range(homes)],
        ignore_index=True,
    )
    table["wh"] = 100 + (np.arange(len(table)) * 37) % 101
    return table


@pytest.fixture
def path(tmp_path):
    return tmp_path / "meters.csv"


def read(path, **settings):
    return read_meters(path, **{"columns": NAMES, "unit": "Wh", **settings})


def write(path, table, **settings):
    table.to_csv(path, index=False, **settings)
    return path


def edit(path, line, old, new):
    lines = path.read_text().split("\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    path.write_text("\n".join(lines))


# --- Meters -----------------------------------------------------------------------------------


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


def clock_change(day, zone="Europe/Berlin", homes=3):
    """Half-hours of three days around a day; UTC, and the clock of the zone."""
    ends = (pd.Timestamp(day) + pd.Timedelta(days=each) for each in (-1, 2))
    start, stop = (end.tz_localize(zone) for end in ends)
    utc = pd.date_range(start, stop, freq="30min", inclusive="left").tz_convert("UTC")
    table = pd.concat([pd.DataFrame({"meter": f"m{k}", "utc": utc}) for k in range(homes)])
    table["wh"] = 100 + (np.arange(len(table)) * 37) % 101
    table["clock"] = table["utc"].dt.tz_convert(zone).dt.tz_localize(None)
    return table.reset_index(drop=True)


@pytest.mark.parametrize("day", ["2024-03-31", "2024-10-27"])
def test_days_on_which_the_clock_changes(path, tmp_path, day):
    """All readings of 23 and 25 hours count, from the clock, from UTC, and newest first."""
    table = clock_change(day)
    expected = table.groupby(["meter", table["clock"].dt.normalize()])["wh"].sum().to_numpy()
    settings = {"time_zone": "Europe/Berlin"}
    cases = {
        "clock.csv": table.assign(at=table["clock"]),
        "backwards.csv": table[::-1].assign(at=table["clock"]),
        "utc.csv": table.assign(at=table["utc"]),
    }
    for name, case in cases.items():
        write(tmp_path / name, case[["meter", "at", "wh"]])
        found = read(tmp_path / name, **settings)["table"]
        np.testing.assert_allclose(found["energy_kwh"] * 1000, expected)
        assert len(found) == 9
    # The hour counted: without the second one, its day is not complete.
    short = table.drop_duplicates(["meter", "clock"]).assign(at=lambda each: each["clock"])
    write(path, short[["meter", "at", "wh"]])
    if day.startswith("2024-10"):
        with pytest.raises(DataError, match=r"on 2024-10-27 only 0 of 3.*omit data.meters.time_z"):
            read(path, **settings)


@pytest.mark.parametrize("day", ["2024-03-31", "2024-07-01", "2024-10-27"])
def test_settlement_periods_are_the_intervals_of_the_zones_day(path, day):
    """46, 48 and 50 half-hours, by their numbers; the same days as from UTC."""
    table = clock_change(day)
    days = table["clock"].dt.normalize()
    expected = table.groupby(["meter", days])["wh"].sum().to_numpy()
    table = table.assign(at=days.astype(str), period=table.groupby(["meter", days]).cumcount() + 1)
    write(path, table[["meter", "at", "period", "wh"]].sample(frac=1, random_state=1))
    numbered = {"columns": {**NAMES, "period": "period"}}
    tables = read(path, time_zone="Europe/Berlin", **numbered)
    np.testing.assert_allclose(tables["table"]["energy_kwh"] * 1000, expected)
    assert facts(tables["taken"])["interval_s"] == 1800
    if day == "2024-07-01":
        again = read(path, **numbered)["table"]
        pd.testing.assert_frame_equal(again, tables["table"])
    elif day == "2024-10-27":
        with pytest.raises(DataError, match=r"more than the 48 .*set data.meters.time_zone"):
            read(path, **numbered)
    else:
        with pytest.raises(DataError, match="no home has all readings"):
            read(path, **numbered)


def test_settlement_periods_that_cannot_be(path):
    table = pd.DataFrame({"meter": "m", "at": "2024-03-31", "period": range(1, 49), "wh": 100})
    numbered = {"columns": {**NAMES, "period": "period"}}
    write(path, table)
    with pytest.raises(DataError, match=r"line 48, .*more than the intervals of that day in Euro"):
        read(path, time_zone="Europe/Berlin", **numbered)
    for wrong in ("0", "2.5", "301", ""):
        write(path, table.astype(str).replace({"period": {"7": wrong}}))
        with pytest.raises(DataError, match=r"line 8, column 'period'.*not the number of an inte"):
            read(path, **numbered)
    write(path, table.assign(at="2024-03-31 01:00"))
    with pytest.raises(DataError, match=r"a time of day beside the date.*column 'period'"):
        read(path, **numbered)
    with pytest.raises(ConfigError, match="both time_of_day and period"):
        read(path, columns={**NAMES, "period": "period", "time_of_day": "period"})


def test_clock_that_changes_without_a_time_zone_is_explained(path):
    spring, autumn = (clock_change(day) for day in ("2024-03-31", "2024-10-27"))
    write(path, spring.assign(at=spring["clock"])[["meter", "at", "wh"]])
    with pytest.raises(DataError, match=r"on 2024-03-31 only 0 of 3 have. If the clock changes"):
        read(path)
    write(path, autumn.assign(at=autumn["clock"])[["meter", "at", "wh"]])
    found = r"line 56, .*home m0 has a reading for the same time in line 54"
    with pytest.raises(DataError, match=found + r".*twice in autumn, set data.meters.time_zone"):
        read(path)


def test_hour_that_the_clock_skips_is_an_error(path):
    write(path, readings("30min", start="2024-03-30"))
    with pytest.raises(DataError, match=r"line 54, .*the clock of Europe/Berlin skips"):
        read(path, time_zone="Europe/Berlin")
    assert len(read(path)["table"]) == HOMES * DAYS


def test_long_intervals_do_not_fit_a_day_of_23_hours(path):
    table = readings("6h", start="2024-03-30")
    write(path, table.assign(at=table["at"] + "Z"))
    with pytest.raises(DataError, match="every 360 minutes do not fit"):
        read(path, time_zone="Europe/Berlin")
    assert len(read(path, time_zone="UTC")["table"]) == HOMES * DAYS


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


# --- Trips ------------------------------------------------------------------------------------

ENDS = {
    "pickup_latitude": "a_lat",
    "pickup_longitude": "a_lon",
    "dropoff_latitude": "b_lat",
    "dropoff_longitude": "b_lon",
}
SYDNEY = {"latitude_range_deg": [-34, -33], "longitude_range_deg": [151, 152]}


def rides(number=40):
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            name: rng.uniform(-33.9, -33.8, number).round(4)
            if name.endswith("lat")
            else rng.uniform(151.1, 151.2, number).round(4)
            for name in ENDS.values()
        }
    ).assign(start=pd.date_range("2024-01-01", periods=number, freq="h").astype(str))


def read_rides(path, **settings):
    return read_trips(path, **{"columns": ENDS, **SYDNEY, **settings})


def test_trips_are_counted_by_what_becomes_of_them(tmp_path):
    table = rides()
    table.loc[1, "a_lat"] = np.nan
    table.loc[2, ["a_lat", "a_lon"]] = 0
    table.loc[3, ["b_lat", "b_lon"]] = table.loc[3, ["b_lon", "b_lat"]].tolist()
    table.loc[4, "b_lon"] = 153.5
    path = write(tmp_path / "rides.csv", table)
    tables = read_rides(path, columns={**ENDS, "pickup_time": "start"})
    taken = facts(tables["taken"]).to_dict()
    reasons = {"missing": 1, "zero": 1, "swapped": 1, "outside": 1, "unparsable": 0}
    assert taken == {"rows": 40, "used": 36, **reasons}
    kept = table.drop(index=[1, 2, 3, 4])
    assert tables["table"]["pickup_latitude"].tolist() == kept["a_lat"].tolist()
    assert tables["table"]["pickup_time"].astype(str).tolist() == kept["start"].tolist()
    assert "pickup_time" not in read_rides(path)["table"]


def test_trips_without_times_say_nothing_of_times(tmp_path):
    path = write(tmp_path / "rides.csv", rides())
    settings = {"epsilon_bits": [2, 8, 30], "k": [2], "numbers": [10], **SYDNEY}
    tables = uniqueness_tables(read_rides(path)["table"], **settings)
    assert set(tables["known"]["known"]) == {"start and end", "start", "end"}
    timed = read_rides(path, columns={**ENDS, "pickup_time": "start"})["table"]
    known = uniqueness_tables(timed, **settings)["known"]
    assert "start and end, hour" in set(known["known"])
    same = known[known["known"].isin(tables["known"]["known"].unique())].reset_index(drop=True)
    pd.testing.assert_frame_equal(same, tables["known"])


def test_exchanged_coordinates_are_said_to_be(tmp_path):
    """Sydney's longitudes are no latitudes at all; New York's could be."""
    path = write(tmp_path / "rides.csv", rides())
    exchanged = dict(zip(ENDS, ("a_lon", "a_lat", "b_lon", "b_lat"), strict=True))
    with pytest.raises(DataError, match=r"look exchanged: 40 of 40 rows .*line 2\)"):
        read_rides(path, columns=exchanged)
    table = rides()
    for end in "ab":
        table[[f"{end}_lat", f"{end}_lon"]] = [40.75, -73.97]
    write(path, table)
    new_york = {"latitude_range_deg": [40.49, 40.92], "longitude_range_deg": [-74.27, -73.68]}
    assert len(read_rides(path, **new_york)["table"]) == 40
    with pytest.raises(DataError, match="look exchanged"):
        read_rides(path, **new_york, columns=exchanged)


def test_a_few_coordinates_off_the_globe_are_excluded(tmp_path, caplog):
    table = rides(200)
    table.loc[[6, 9], "b_lat"] = -180
    path = write(tmp_path / "rides.csv", table)
    assert facts(read_rides(path)["taken"])["outside"] == 2
    assert "line 8, column 'b_lat': -180 is not between" in caplog.text
    table.loc[12, "b_lat"] = -180
    with pytest.raises(DataError, match=r"line 8, .* \(2 more in this column\)"):
        read_rides(write(path, table))


def test_spoiled_trips(tmp_path):
    path = tmp_path / "rides.csv"
    table = rides()
    write(path, table.assign(b_lat=table["b_lat"].where(table.index != 6, -133.8)))
    with pytest.raises(DataError, match=r"line 8, column 'b_lat': -133\.8 is not between"):
        read_rides(path)
    write(path, table.assign(a_lon=table["a_lon"].astype(str).where(table.index != 6, "151°")))
    with pytest.raises(DataError, match="line 8, column 'a_lon': '151°' is not a number"):
        read_rides(path)
    write(path, table.assign(start=table["start"].where(table.index != 6, "noon")))
    with pytest.raises(DataError, match="line 8, column 'start': 'noon' is not a time"):
        read_rides(path, columns={**ENDS, "pickup_time": "start"})
    write(path, table)
    with pytest.raises(DataError, match=r"none of the 40 rows .*box of your trips"):
        read_rides(path, latitude_range_deg=[10, 20])
    with pytest.raises(DataError, match=r"'a_lt', .* Did you mean 'a_lat'"):
        read_rides(path, columns={**ENDS, "pickup_latitude": "a_lt"})
    for box in ([3, 2], [-100, 2], [2, 2]):
        with pytest.raises(ConfigError, match="latitude_range_deg is"):
            public_box(box, [0, 1])


# --- People -----------------------------------------------------------------------------------

X1 = {"column": "kilos", "unit": "kg", "range": [0, 200]}
X2 = {"column": "waist", "unit": "cm", "range": [50, 150]}


@pytest.fixture
def experiment(root):
    return load_config(root / "config" / "smoke.yaml")["nsht"]["blurring"]


def test_people_with_an_empty_cell_are_excluded_and_others_outside_are_errors(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("kilos,waist\n80,90\n,100\n70,NA\n90.5,101\n")
    tables = read_people(path, x1=X1, x2=X2)
    assert tables["table"].dropna().to_numpy().tolist() == [[80, 90], [90.5, 101]]
    assert facts(tables["taken"]).to_dict() == {
        "people_in_file": 4,
        "people": 4,
        "people_with_both": 2,
    }
    with pytest.raises(DataError, match=r"line 5, column 'waist': 101 cm is outside .*\[50, 100\]"):
        read_people(path, x1=X1, x2={**X2, "range": [50, 100]})
    with pytest.raises(ConfigError, match=r"data.people.x1.range is \[3, 2\]"):
        read_people(path, x1={**X1, "range": [3, 2]}, x2=X2)
    path.write_text("kilos,waist\n80,\n,100\n")
    with pytest.raises(DataError, match="no person has both 'kilos' and 'waist'"):
        read_people(path, x1=X1, x2=X2)
    with pytest.raises(ConfigError, match="column 'kilos' is given twice, as x1 and x2"):
        read_people(path, x1=X1, x2=X1)


def test_columns_of_people_are_numbers_where_all_cells_are(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age;plz;town;empty;more\n1,5;01067;A;;x\n;80331;;;y\n;;;;z\n2;1;B;;\n")
    asked = {"identifying": ["plz", "age"], "sensitive": ["town", "empty"]}
    found = read_people(path, **asked, separator=";", decimal=",")
    table = found["table"]
    assert list(table) == ["plz", "age", "town", "empty"]
    assert table["age"].tolist() == pytest.approx([1.5, np.nan, 2], nan_ok=True)
    assert table["plz"].tolist() == ["01067", "80331", "1"]  # a code, and no number
    assert table["town"].tolist() == ["A", "", "B"]
    assert facts(found["taken"]).tolist() == [4, 3]
    with pytest.raises(DataError, match="no person has a value"):
        read_people(path, identifying=["empty"], separator=";")


def test_people_by_a_plain_loop(experiment):
    """Threshold: kilos >= waist.  A report in the band proves nothing, of 1/rho or of 2/rho."""
    people = pd.DataFrame({"x1": [80, 101, 95, 120, 60], "x2": [90, 100, 100, 100, 60]})
    settings = people_settings({"x1": X1, "x2": X2, "threshold": [0, 1]}, experiment)
    tables = people_tables(people, **{**settings, "rho": [0.1, 0.2], "histogram_rho": [0.5]})
    table = tables["people"].pivot(
        index=["policy", "rho_per_kg"], columns="statistic", values="value"
    )
    assert "largest_change_kg" in table
    for (policy, rho), found in table.iterrows():
        change = above = identifiable = proven = 0
        for x1, x2 in people.itertuples(index=False):
            inside = abs(x1 - x2) <= 1 / rho
            if policy in ("overlay", "slices"):
                inside = -2 / rho <= x1 - x2 < 2 / rho
            above += x1 >= x2
            proven += x1 >= x2 and not inside
            identifiable += not inside
            change += inside and (policy != "collapse" or x1 != x2)
        assert found["above_threshold"] == above
        assert found["above_threshold_identifiable"] == proven
        assert found["identifiable"] == identifiable
        assert found["moved"] <= change
    assert list(tables["histogram"].columns[:4]) == ["policy", "rho_per_kg", "kilos_kg", "waist_cm"]
    budget = tables["budget"].pivot(
        index=["policy", "rho_per_kg"], columns="statistic", values="value"
    )
    # A band of width 2/rho all along, in a box of height 200.
    expected = [2 / rho / (200 - 2 / rho) for rho in (0.1, 0.2, 0.5)]
    np.testing.assert_allclose(budget.loc["stretch", "epsilon"], expected)


def test_accuracies_are_portions_of_the_range_unless_they_are_given(experiment):
    wide = {**X1, "range": [0, 400], "unit": "lb"}
    people = {"x1": wide, "x2": X2, "threshold": [0, 2]}
    settings = people_settings(people, experiment)
    assert settings["histogram_rho"] == [rho / 2 for rho in experiment["histogram_rho_per_kg"]]
    assert settings["bin_size"] == [5, 1]
    given = {"rho": {"lowest": 1, "highest": 4, "points": 3}, "histogram_rho": [2]}
    settings = people_settings({**people, **given, "histogram_bin": [3, 4]}, experiment)
    assert settings["rho"] == pytest.approx([1, 2, 4])
    assert settings["histogram_rho"] == [2]
    assert settings["bin_size"] == [3, 4]


def test_a_threshold_that_touches_the_end_of_the_range(experiment):
    """Scores of 80 to 100 of 100, with a threshold of 10 x2 and x2 = 10: reports are compared."""
    score = {"column": "score", "unit": "points", "range": [0, 100]}
    tasks = {"column": "tasks", "unit": "1", "range": [0, 10]}
    people = {"x1": score, "x2": tasks, "threshold": [0, 10], "histogram_rho": [0.1]}
    settings = people_settings(people, experiment)
    best = [float(each) for each in range(80, 101)]
    everybody = pd.DataFrame({"x1": [*best, 0.0, 10.0], "x2": [10.0] * 21 + [0.0, 5.0]})
    table = people_tables(everybody, **settings)["people"]
    table = wide(table[table["rho_per_points"] == 0.1], ["policy"])
    threshold, box = decimal_threshold([0, 10]), PublicRange((0, 0), (100, 10))
    for name, policy in coordinate_policies().items():
        reports = policy(threshold, box, 0.1).release(everybody.iloc[:21])["x1"].tolist()
        shared = [report == reports[-1] for report in reports[:-1]]
        assert table.loc[name, "undecided"] == sum(shared) + any(shared)
        assert table.loc[name, "undecided_bound"] == 21
    np.testing.assert_array_equal(table["undecided"][["collapse", "stretch"]], 11)
    np.testing.assert_array_equal(table["undecided"][["overlay", "slices"]], 21)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"threshold": [0, 2]}, r"from 100 to 300, which leaves the range \[0, 200\] of x1"),
        ({"threshold": [0]}, r"from 0 to 0, which leaves .* of x1 or is its end"),
        ({"threshold": [200]}, r"from 200 to 200, which leaves .* of x1 or is its end"),
        ({"threshold": [-60, 1]}, "from -10 to 90, which leaves"),
        ({"threshold": [0, 0.1234567890123456789]}, "too many digits"),
        ({"x1": {**X1, "range": [9, 9]}}, "is not an interval"),
        ({"x2": {**X2, "column": "kilos", "unit": "kg"}}, "'kilos_kg' would name two columns"),
        ({"above": "moved"}, "'moved' would name two columns"),
    ],
)
def test_settings_of_people_that_cannot_be(experiment, change, message):
    people = {"x1": X1, "x2": X2, "threshold": [0, 1], **change}
    with pytest.raises(ConfigError, match=message):
        people_settings(people, experiment)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "town",
            {"unit": "kwh"},
            '`data.town.unit` is "kwh", but it must be one of Wh, kWh, MWh',
        ),
        ("town", {"timezone": "UTC"}, "`data.town.timezone`. Did you mean `time_zone`"),
        ("town", {"first_day": "1.1.2024"}, '`data.town.first_day` is "1.1.2024", .*YYYY-MM-DD'),
        ("town", {"kind": "meter"}, "`data.town.kind` is .* must be one of meters, trips, people"),
        ("town", {"tier": "sample"}, "`data.town.tier` is .* must be one of local"),
        ("town", {"x1": X1}, "unknown key `data.town.x1`"),
        ("taxis", {"latitude_range_deg": [1]}, "latitude_range_deg` is .* at least 2 items"),
        ("taxis", {"latitude_range_deg": None}, "latitude_range_deg` is null, but"),
        ("club", {"treshold": [1]}, "Did you mean `threshold`"),
        ("club", {"x1": {"column": "a", "range": [0, 1]}}, "key `data.club.x1.unit` is missing"),
        ("my town", {"kind": "meters"}, '`data` is "my town", .*letters, digits'),
        ("ausgird", {"tier": "local"}, "`data.ausgird.kind` is missing. .*mean `data.ausgrid`"),
    ],
)
def test_configuration_of_own_data_that_cannot_be(root, name, change, message):
    config = defaults()
    mine = {
        "town": {"kind": "meters", "path": "m.csv", "columns": NAMES, "unit": "Wh"},
        "village": {"kind": "meters", "path": "v.csv", "tier": "local"},
        "taxis": {"kind": "trips", "path": "t.csv", "columns": ENDS, **SYDNEY},
        "club": {"kind": "people", "path": "p.csv", "x1": X1, "x2": X2, "threshold": [0, 1]},
        "nothing": None,
    }
    config["data"] |= mine
    checked(config, source="own.yaml")
    config["data"][name] = {**mine.get(name, {"path": "x.csv"}), **change}
    with pytest.raises(ConfigError, match=message):
        checked(config, source="own.yaml")


# --- Data that nothing here was written for ---------------------------------------------------


def test_linnerud_and_diabetes_of_scikit_learn(tmp_path, experiment):
    """Twenty men of a fitness club, in pounds and inches; 442 patients with BMI and pressure."""
    linnerud = load_linnerud(as_frame=True).frame
    path = write(tmp_path / "linnerud.csv", linnerud)
    x1 = {"column": "Weight", "unit": "lb", "range": [50, 400]}
    x2 = {"column": "Waist", "unit": "inch", "range": [20, 60]}
    table = read_people(path, x1=x1, x2=x2)["table"]
    assert table.to_numpy().tolist() == linnerud[["Weight", "Waist"]].to_numpy().tolist()
    settings = people_settings({"x1": x1, "x2": x2, "threshold": [0, 5]}, experiment)
    found = people_tables(table.set_axis(["x1", "x2"], axis=1), **settings)["people"]
    above = found.loc[found["statistic"] == "above_threshold", "value"]
    assert set(above) == {(linnerud["Weight"] >= 5 * linnerud["Waist"]).sum()}

    diabetes = load_diabetes(scaled=False, as_frame=True).frame
    diabetes.to_parquet(tmp_path / "diabetes.parquet")
    x1 = {"column": "bp", "unit": "mmHg", "range": [40, 160]}
    x2 = {"column": "bmi", "unit": "kg/m2", "range": [10, 50]}
    table = read_people(tmp_path / "diabetes.parquet", x1=x1, x2=x2)["table"]
    settings = people_settings({"x1": x1, "x2": x2, "threshold": [100]}, experiment)
    tables = people_tables(table.set_axis(["x1", "x2"], axis=1), **settings)
    assert "bmi_kg_per_m2" in tables["histogram"]
    people = tables["people"]
    proven = people[people["statistic"] == "above_threshold_identifiable"]
    for _, row in proven.iterrows():
        beyond, step = diabetes["bp"] - 100, 1 / row["rho_per_mmhg"]
        twice = row["policy"] in ("overlay", "slices")
        assert row["value"] == (beyond >= 2 * step if twice else beyond > step).sum()


def test_sub_meters_of_a_home_as_homes(redd_house5_all, tmp_path):
    """REDD's appliances every three seconds or so, brought to hours; unix seconds, in W."""
    parts = []
    for path in sorted(redd_house5_all.glob("channel_*.dat")):
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


def test_real_trips_under_other_names(nyc_taxi_csv, tmp_path):
    """Like the taxis' own parser, from a file with other names, in Parquet and CSV."""
    from noiseless.data.nyc_taxi import COLUMNS, REASONS, TripBox, judge_rows

    taxis = pd.read_csv(nyc_taxi_csv, nrows=20_000)
    source = {column: column for column in COLUMNS} | {"pickup_time": "pickup_datetime"}
    if "pickup_at" in taxis:
        source["pickup_time"] = "pickup_at"
    names = {old: f"my {new}" for new, old in source.items()}
    renamed = taxis[list(names)].rename(columns=names)
    renamed.to_parquet(tmp_path / "trips.parquet")
    write(tmp_path / "trips.csv", renamed)
    box = {"latitude_range_deg": [40.49, 40.92], "longitude_range_deg": [-74.27, -73.68]}
    columns = {column: f"my {column}" for column in COLUMNS}
    plain = taxis.rename(columns={old: new for new, old in source.items()}).assign(bad=False)
    verdicts = judge_rows(plain, TripBox((40.49, 40.92), (-74.27, -73.68)))
    for name in ("trips.parquet", "trips.csv"):
        found = read_trips(tmp_path / name, columns=columns, **box)
        counts = facts(found["taken"])
        assert counts["used"] == (verdicts == 0).sum()
        for number, reason in enumerate(REASONS, start=1):
            assert counts[reason] == (verdicts == number).sum()
        kept = plain.loc[verdicts == 0, "pickup_latitude"].to_numpy()
        np.testing.assert_array_equal(found["table"]["pickup_latitude"], kept)


def test_data_of_the_users_is_never_the_public_one(path):
    write(path, readings())
    source = source_of(dataset="my-town", tier="local", files={"path": path}, registered={})
    assert (source.tier, source.digest, source.is_public) == ("local", "other", False)
