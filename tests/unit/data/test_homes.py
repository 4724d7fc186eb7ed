"""A set of homes of one's own: 29 files of days and half-hours, and hourly ones, good and bad."""

import logging

import numpy as np
import pandas as pd
import pytest

from noiseless.data.homes import read_homes, select_half
from noiseless.errors import DataError
from noiseless.seeds import make_generator

DAYS = pd.date_range("2024-02-01", periods=60)
HOURS = pd.date_range("2024-03-25", periods=24 * 14, freq="h")
HALF_HOURS = pd.date_range("2024-03-25", periods=48 * 14, freq="30min")


def tidy(times, homes, form="%Y-%m-%d %H:%M"):
    rng = make_generator(1, "homes of one's own")
    rows = pd.MultiIndex.from_product([[f"h{k}" for k in range(homes)], times.strftime(form)])
    table = rows.to_frame(index=False, name=["home", "time"])
    mean_kwh = 3 if times is DAYS else 0.5
    return table.assign(energy_kwh=rng.gamma(3, mean_kwh, len(table)).round(3))


def daily():
    return tidy(DAYS, 12, "%Y-%m-%d")


def hourly():
    return tidy(HOURS, 6)


def half_hourly():
    return tidy(HALF_HOURS, 6)


def cell(column, value):
    """A change of one cell."""

    def change(table):
        table = table.astype({column: object})
        table.loc[7, column] = value
        return table

    return change


def without(*times):
    return lambda table: table[~table["time"].isin(times)]


def zoned(table):
    time = pd.to_datetime(table["time"]).dt.tz_localize("Europe/Berlin")
    return table.assign(time=time)


def parsed(table):
    return table.assign(time=pd.to_datetime(table["time"]))


def numbered(table):
    return parsed(table).assign(home=table["home"].str[1:].astype(int))


def wide(table):
    return table.pivot(index="time", columns="home", values="energy_kwh").reset_index()


def times_1000(table):
    return table.assign(energy_kwh=table["energy_kwh"] * 1000)


TAKEN = {  # the table, the change, the resolution, how many homes
    "good.csv": (daily, lambda table: table, "days", 12),
    "shuffled.csv": (daily, lambda table: table.sample(frac=1, random_state=0), "days", 12),
    "dates.parquet": (daily, parsed, "days", 12),
    "numbers.parquet": (daily, numbered, "days", 12),
    "missing_row.csv": (daily, lambda table: table.drop(index=5), "days", 11),
    "further_column.csv": (daily, lambda table: table.assign(tariff="Std"), "days", 12),
    "half_hours.csv.gz": (half_hourly, lambda table: table, "half-hours", 6),
    "hours.csv": (hourly, lambda table: table, "hours", 6),
    "hours.parquet": (hourly, parsed, "hours", 6),
    "hours_gap.csv": (
        hourly,
        lambda table: table[~table["time"].str.startswith("2024-03-30")],
        "hours",
        6,
    ),
}
REFUSED = {
    "zone.parquet": (daily, zoned, "days", "has a zone. Give standard time all year"),
    "negative.csv": (daily, cell("energy_kwh", -1), "days", "kWh is below 0"),
    "text.csv": (daily, cell("energy_kwh", "n/a"), "days", "'n/a' is not a number"),
    "infinite.csv": (daily, cell("energy_kwh", "inf"), "days", "an infinite value"),
    "blank.csv": (daily, cell("energy_kwh", None), "days", "an empty cell. Leave rows"),
    "no_home.csv": (daily, cell("home", None), "days", "column 'home': an empty cell"),
    "german_date.csv": (daily, cell("time", "07.02.2024"), "days", "time must be like 2024-01-31"),
    "offset.csv": (daily, cell("time", "2024-02-08T00:00:00+01:00"), "days", "has a zone"),
    "zulu.csv": (daily, lambda t: t.assign(time=t["time"] + "T00:00:00Z"), "days", "has a zone"),
    "twice.csv": (daily, lambda t: pd.concat([t, t.iloc[[3]]]), "days", "a second reading of"),
    "noon.csv": (daily, cell("time", "2024-02-08 12:00"), "days", "no reading of days begins then"),
    "hourly_as_half.csv": (daily, lambda t: t, "half-hours", "none of 12 homes has all 2880"),
    "tenths_of_kwh.csv": (
        *(daily, lambda t: t.assign(energy_kwh=t["energy_kwh"] * 100), "days"),
        "is more than the 1700 kWh that a home can draw (days)",
    ),
    "wh.csv": (daily, times_1000, "days", "Are they Wh? Divide them by 1,000"),
    "three_homes.csv": (
        *(daily, lambda table: table[table["home"].isin(["h1", "h2", "h3"])], "days"),
        "3 of 3 homes have all days of 60 days; expected 4 homes and 7 days or more",
    ),
    "six_days.csv": (daily, lambda t: t[t["time"] < "2024-02-07"], "days", "12 of 12 homes have"),
    "column.csv": (daily, lambda t: t.rename(columns={"energy_kwh": "kwh"}), "days", "its columns"),
    "wide.csv": (daily, wide, "days", "This one is wide, and one line of pandas turns it"),
    "empty.csv": (daily, lambda table: table.iloc[:0], "days", "there are no rows below"),
    "half_as_days.csv": (half_hourly, lambda t: t, "days", "no reading of days begins then"),
    "clock_change.csv": (
        *(half_hourly, without("2024-03-31 02:00", "2024-03-31 02:30"), "half-hours"),
        "no home has a reading of 2024-03-31 02:00:00 (2 such times), as on the day when summer",
    ),
    "hours_clock_change.csv": (
        *(hourly, without("2024-03-31 02:00"), "hours"),
        "no home has a reading of 2024-03-31 02:00:00 (1 such times), as on the day when summer",
    ),
    "hours_as_half.csv": (hourly, lambda t: t, "half-hours", "none of 6 homes has all 672"),
    "half_as_hours.csv": (half_hourly, lambda t: t, "hours", "no reading of hours begins then"),
    "hours_wh.csv": (hourly, times_1000, "hours", "most readings are above 70.83 kWh"),
}
TEXTS = {
    "semicolon.csv": (
        "home;time;energy_kwh\n1;2024-01-01;3,4\n",
        "Its cells have ';' between them, and one line of pandas",
    ),
    "only_semicolons.csv": ("home;time;energy_kwh\n1;2024-01-01;3\n", "it must have home, time"),
}


def written(path, table):
    table.to_parquet(path) if path.suffix == ".parquet" else table.to_csv(path, index=False)
    return path


def refusal(path, resolution):
    with pytest.raises(DataError) as caught:
        read_homes(path, resolution=resolution)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


@pytest.mark.parametrize("name", TAKEN)
def test_a_file_is_read_as_a_plain_loop_reads_it(name, tmp_path):
    make, change, resolution, homes = TAKEN[name]
    table = change(make())
    found = read_homes(written(tmp_path / name, table), resolution=resolution)
    assert list(found.columns) == ["home", "time", "energy_kwh"]
    assert found["home"].nunique() == homes
    readings = {}
    for home, time, energy in table[["home", "time", "energy_kwh"]].itertuples(index=False):
        readings[str(home), pd.Timestamp(time)] = energy
    kept = {each for each, _ in readings if each in set(found["home"])}
    expected = {place: each for place, each in readings.items() if place[0] in kept}
    keys = zip(found["home"], found["time"], strict=True)
    assert dict(zip(keys, found["energy_kwh"], strict=True)) == expected


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_is_refused_in_one_line(name, tmp_path):
    make, change, resolution, says = REFUSED[name]
    assert says in refusal(written(tmp_path / name, change(make())), resolution)


@pytest.mark.parametrize("name", TEXTS)
def test_other_separators_are_refused_in_one_line(name, tmp_path):
    text, says = TEXTS[name]
    (tmp_path / name).write_text(text)
    assert says in refusal(tmp_path / name, "days")


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    assert refusal(tmp_path / "nothing.csv", "days").endswith("no such file.")


def test_the_log_tells_copies_gaps_excluded_homes_and_columns(tmp_path, caplog):
    table = daily()
    copy = table[table["home"] == "h1"].assign(home="twin")
    table = pd.concat([table, copy])
    table = table[~table["time"].isin(["2024-02-20", "2024-02-21"])].assign(tariff="Std")
    path = written(tmp_path / "mine.csv", table[~((table["home"] == "h0") & (table.index == 5))])
    with caplog.at_level(logging.INFO):
        found = read_homes(path, resolution="days", allow_identical=True)
    assert found["home"].nunique() == 12
    assert found.attrs == {"excluded": "1 of 13 homes are left out: h0 (57 of 58 readings)."}
    with pytest.raises(DataError, match=r"mine\.csv: the homes h1, twin have identical readings"):
        read_homes(path, resolution="days")
    assert caplog.messages[:4] == [
        "mine.csv: home h0 is excluded: 57 of 58 readings.",
        "mine.csv: 12 homes with a reading at each time, 1 excluded.",
        "mine.csv: 12 homes, 58 days from 2024-02-01 to 2024-03-31, in kWh; days between them that "
        "are not in the file: 2; homes excluded for lack of a reading: 1 (h0); columns that are "
        "not read: tariff.",
        "mine.csv: 2 homes have the same readings as another one: h1, twin.",
    ]


def test_homes_of_several_files_are_one_set(tmp_path):
    table = daily()
    is_first = table["home"].isin([f"h{number}" for number in range(5)])
    one = written(tmp_path / "one.csv", table[is_first])
    two = written(tmp_path / "two.csv", table[~is_first])
    days = ("2024-02-05", "2024-02-20")
    both = read_homes(one, path_2=two, resolution="days", days=days)
    whole = written(tmp_path / "all.csv", table[table["time"].between(*days)])
    pd.testing.assert_frame_equal(both, read_homes(whole, resolution="days"))
    with pytest.raises(DataError, match=r"one\.csv, .*one\.csv: the homes .* are in two files"):
        read_homes(one, path_2=one, resolution="days")


def test_half_of_the_homes_is_the_same_for_the_same_number(tmp_path):
    table = read_homes(written(tmp_path / "mine.csv", daily()), resolution="days")
    halves = [select_half(table, half, seed=1) for half in (1, 1, 2)]
    assert [each["home"].nunique() for each in halves] == [6, 6, 6]
    pd.testing.assert_frame_equal(halves[0], halves[1])
    assert set(halves[0]["home"]) != set(halves[2]["home"])
    for home, rows in halves[0].groupby("home", observed=True):
        whole = table.loc[table["home"] == home, "energy_kwh"]
        assert np.array_equal(rows["energy_kwh"], whole)
