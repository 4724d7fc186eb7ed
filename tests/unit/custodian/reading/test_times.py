"""Times of meters: two columns, the numbers of intervals, and a clock that changes."""

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import ConfigError, DataError
from own_meters import DAYS, HOMES, NAMES, clock_change, facts, read, readings, write


@pytest.fixture
def path(tmp_path):
    return tmp_path / "meters.csv"


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
