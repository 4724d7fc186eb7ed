"""One cell of a public file is another text: it is read as ``float`` reads it, or refused by name.

What the complete file holds is computed by a loop over its rows, which the reader must agree with
for every text.  The files are small ones of the sample's format.
"""

import csv
import gzip
import io
import math
import re
from datetime import date, datetime, timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from csv_by_hand import NUMBERS, WORDS, parse_number
from noiseless.data.ausgrid import HALF_HOURS, read_ausgrid, read_ausgrid_features
from noiseless.data.london import read_london
from noiseless.data.nyc_taxi import prepare_trips
from noiseless.data.redd import read_channels, read_low_freq, read_minutes
from noiseless.data.samples.ausgrid import write_ausgrid
from noiseless.data.samples.young_people import write_young_people
from noiseless.data.young_people import CATEGORIES, COLUMNS, read_young_people
from noiseless.errors import DataError
from noiseless.tables import Provenance

CELLS = st.one_of(NUMBERS, WORDS, st.sampled_from(["", "0", "3", "5.0", "-3", "2e6", "-1e6"]))


def property_of(examples, **drawn):
    """A test of some drawn examples."""

    def decorate(test):
        suppressed = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
        return settings(max_examples=examples, suppress_health_check=suppressed)(
            given(**drawn)(test)
        )

    return decorate


class Refused(Exception):
    """A row that is no row of the file: its line (None: no home is complete), and its column."""


def check_number(line, name, cell, low=-math.inf, high=math.inf, *, is_whole=False):
    """The number of a cell, None if it is empty."""
    number = parse_number(cell) if cell else None
    if number is None:
        return None
    if not (math.isfinite(number) and low <= number <= high) or (is_whole and number % 1):
        raise Refused(line, name)
    return number


def check_day(line, name, cell, form, first, last):
    """The day of a cell."""
    try:
        day = datetime.strptime(cell.strip(), form).date()
    except ValueError:
        raise Refused(line, name) from None
    if not first <= day <= last:
        raise Refused(line, name)
    return day


def agree(path, rows, read, read_by_hand):
    """Write the rows; the reader finds what the loop finds, or names the line and the column."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    try:
        expected = read_by_hand(rows)
    except Refused as problem:
        line, name = problem.args
        with pytest.raises(DataError) as caught:
            read(path)
        place = f"{path}, line {line}, column {name!r}: " if line else ""
        assert str(caught.value).startswith(place)
        assert str(caught.value).isprintable()
    else:
        assert read(path) == expected


def replace_cell(rows, line, name, cell, header_line=1):
    """A copy of the rows with another cell."""
    rows = [list(row) for row in rows]
    rows[line - 1][rows[header_line - 1].index(name)] = cell
    return rows


# --- The survey -------------------------------------------------------------------------------


# Every other answer in numbers is from 1 to 5.
RANGES = {"Age": (15, 30), "Height": (0, 250), "Weight": (0, 200), "Number of siblings": (0, 30)}


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    path = tmp_path_factory.mktemp("survey") / "responses.csv"
    write_young_people(path, rows=4, seed=1)
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))


def read_survey_by_hand(rows):
    header, *answers = rows
    places, found = {name: k for k, name in enumerate(header)}, []
    # The first bad cell is that of the column that comes first in the survey.
    for name in COLUMNS:
        column = []
        for line, row in enumerate(answers, start=2):
            cell = row[places[name]].strip()
            if name not in CATEGORIES:
                column.append(
                    check_number(line, name, cell, *RANGES.get(name, (1, 5)), is_whole=True)
                )
            elif cell in ("", *CATEGORIES[name]):
                column.append(cell or None)
            else:
                raise Refused(line, name)
        found.append(column)
    return found


def read_survey(path):
    table = read_young_people(path).drop(columns="respondent").astype(object)
    return [column.where(column.notna(), None).tolist() for _, column in table.items()]


@property_of(
    12,
    line=st.integers(2, 5),
    changed=st.sampled_from(["Age", "Height", "Smoking", *COLUMNS]).flatmap(
        lambda name: st.tuples(
            st.just(name),
            st.sampled_from([*CATEGORIES[name], "never smokd", "", "1"])
            if name in CATEGORIES
            else CELLS | st.sampled_from([" 4 ", "5.", "4.5", "0"]),
        )
    ),
)
@example(line=3, changed=("Smoking", "never smokd"))
def test_a_cell_of_the_survey_is_an_answer_or_is_named(tmp_path, survey, line, changed):
    rows = replace_cell(survey, line, *changed)
    agree(tmp_path / "responses.csv", rows, read_survey, read_survey_by_hand)


def test_the_ends_of_the_surveys_ranges_are_answers_and_what_is_beyond_is_not(tmp_path, survey):
    path, ends = tmp_path / "responses.csv", survey
    for name in COLUMNS:
        for line, number in enumerate(RANGES.get(name, (1, 5)), start=2):
            cell = CATEGORIES[name][line - 3] if name in CATEGORIES else str(number)
            ends = replace_cell(ends, line, name, cell)
    agree(path, ends, read_survey, read_survey_by_hand)
    for name in (*RANGES, "Music"):
        low, high = RANGES.get(name, (1, 5))
        for number in (low - 1, high + 1):
            rows = replace_cell(survey, 3, name, str(number))
            agree(path, rows, read_survey, read_survey_by_hand)


# --- Meters -----------------------------------------------------------------------------------

DAYS_2013 = [date(2013, 1, 1) + timedelta(days=k) for k in range(365)]


def complete_homes(readings, days):
    """Energy of each home by its days, if it has one reading on each of them."""
    homes = {home: dict(pairs) for home, pairs in readings.items() if len(pairs) == len(days)}
    kept = {
        home: found
        for home, found in homes.items()
        if set(found) == set(days) and None not in found.values()
    }
    if not kept:
        raise Refused(None, None)
    return kept


def by_home(table):
    """The table as ``complete_homes`` has it."""
    found = {}
    for home, time, energy in table.itertuples(index=False):
        found.setdefault(home, {})[time.date()] = energy
    return found


LONDON = [["LCLid", "day", "energy_count", "energy_sum"]] + [
    [home, str(day), "48", repr(k / 8)]
    for home in ("M1", "M2", "T3")
    for k, day in enumerate(DAYS_2013)
]


DAYS = st.sampled_from(
    [
        "2013-02-30",
        "2013/01/05",
        "2012-01-05",
        "2011-07-01",
        "2010-06-30",
        "1/07/2010",
        "2010-07-05",
    ]
)


def read_block_by_hand(rows):
    readings = {}
    for line, (home, *_) in enumerate(rows[1:], start=2):
        if home.strip() not in ("M1", "M2", "T3"):
            raise Refused(line, "LCLid")
    for line, (home, day, count, energy) in enumerate(rows[1:], start=2):
        day = check_day(line, "day", day, "%Y-%m-%d", date.min, date.max)
        check_number(line, "energy_count", count)
        energy = check_number(line, "energy_sum", energy, 0, 1700)
        if day.year == 2013 and home.strip() != "T3":
            readings.setdefault(home.strip(), []).append((day, energy))
    return complete_homes(readings, DAYS_2013)


@property_of(
    40,
    line=st.integers(2, 3 * 365 + 1),
    changed=st.one_of(
        st.tuples(st.just("LCLid"), WORDS | st.sampled_from(["M1", " M2", "T3", "M4"])),
        st.tuples(st.just("day"), WORDS | DAYS | st.sampled_from(["2013-01-05", "2013-07-05"])),
        st.tuples(st.just("energy_sum"), CELLS | st.just("")),
        st.tuples(st.just("energy_count"), CELLS),
    ),
)
@example(line=2, changed=("day", "2013-01-05"))  # twice, and as many readings as days
@example(line=9, changed=("energy_sum", "-3"))
@example(line=9, changed=("energy_sum", "inf"))
def test_a_cell_of_london_is_read_or_excludes_its_home_or_is_named(tmp_path, line, changed):
    households = tmp_path / "households.csv"
    households.write_text("LCLid,stdorToU\nM1,Std\nM2,Std\nT3,ToU\n")

    def read(block):
        table = read_london(households=households, year=2013, tariff="Std", block=block)
        return by_home(table)

    rows = replace_cell(LONDON, line, *changed)
    agree(tmp_path / "block.csv", rows, read, read_block_by_hand)


FEATURE_DAYS = [date(2010, 7, 1) + timedelta(days=k) for k in range(365)]
FEATURES = [["customer", "date", "season", "load_kwh"]] + [
    [home, str(day), "winter", repr(k / 8)] for home in "12" for k, day in enumerate(FEATURE_DAYS)
]


def read_features_by_hand(rows):
    readings = {}
    for line, (home, day, _, energy) in enumerate(rows[1:], start=2):
        energy = check_number(line, "load_kwh", energy, 0, 1700)
        if not home.strip(" "):
            raise Refused(line, "customer")
        day = check_day(line, "date", day, "%Y-%m-%d", FEATURE_DAYS[0], FEATURE_DAYS[-1])
        readings.setdefault(home.strip(), []).append((day, energy))
    return complete_homes(readings, FEATURE_DAYS)


@property_of(
    40,
    line=st.integers(2, 2 * 365 + 1),
    changed=st.one_of(
        st.tuples(st.just("date"), WORDS | DAYS),
        st.tuples(st.just("load_kwh"), CELLS | st.just("")),
        st.tuples(st.just("season"), WORDS),
    ),
)
@example(line=2, changed=("date", "2010-07-05"))  # twice, and as many readings as days
def test_a_cell_of_the_days_of_others_is_read_or_excludes_its_home_or_is_named(
    tmp_path, line, changed
):
    rows = replace_cell(FEATURES, line, *changed)
    agree(
        tmp_path / "days.csv",
        rows,
        lambda path: by_home(read_ausgrid_features(path)),
        read_features_by_hand,
    )


@pytest.fixture(scope="module")
def ausgrid(tmp_path_factory):
    path = tmp_path_factory.mktemp("ausgrid") / "year.csv"
    write_ausgrid(path, homes=3, year="2012-2013", seed=1)
    rows = list(csv.reader(io.StringIO(path.read_text())))
    order = {"GC": 0, "CL": 1, "GG": 2}
    kept = [row for k, row in enumerate(rows[2:]) if row not in rows[2 : 2 + k] and row[0] in "13"]
    year = [*rows[:2], *sorted(kept, key=lambda row: (row[0], order[row[3]]))]
    return lambda: year  # which an error does not print


def read_ausgrid_by_hand(rows, changed):
    """Energy by home and half-hour; one cell, at a line and a column, may be no reading."""
    header, *days = rows[1:]
    check_number(*changed, rows[changed[0] - 1][header.index(changed[1])], 0, 1700 / 48)
    found, places = {}, [header.index(name) for name in HALF_HOURS]
    for row in days:
        start = datetime.strptime(row[header.index("date")], "%d/%m/%Y")
        if row[3] != "GG":
            found.setdefault(row[0], {}).setdefault(start, []).append([row[k] for k in places])
    return {
        home: {
            start + timedelta(minutes=30 * k): sum(map(float, cells))
            for start, parts in by_day.items()
            for k, cells in enumerate(zip(*parts, strict=True))
        }
        for home, by_day in found.items()
        if not any("" in cells for parts in by_day.values() for cells in parts)
    }


@property_of(
    8,
    category=st.sampled_from(["GC", "CL", "GG"]),
    place=st.integers(0, 10**6),
    name=st.sampled_from(HALF_HOURS),
    cell=CELLS | st.just(""),
)
@example(category="CL", place=9, name="0:30", cell="")
@example(category="GG", place=9, name="0:00", cell="")
@example(category="GC", place=9, name="12:00", cell="")
def test_a_cell_of_ausgrid_is_read_or_excludes_its_home_or_is_named(
    tmp_path, ausgrid, category, place, name, cell
):
    def read(path):
        table = read_ausgrid(path, year="2012-2013")
        return {
            home: dict(zip(part["time"], part["energy_kwh"], strict=True))
            for home, part in table.groupby("home", observed=True)
        }

    lines = [line for line, row in enumerate(ausgrid(), start=1) if category in row]
    line = lines[place % len(lines)]
    rows = replace_cell(ausgrid(), line, name, cell, header_line=2)
    agree(tmp_path / "year.csv", rows, read, lambda rows: read_ausgrid_by_hand(rows, (line, name)))


# --- REDD -------------------------------------------------------------------------------------

METERS = {
    "main": "mains",
    "Refrigerator": "fridge",
    "Microwave": "microwave",
    "Dish Washer": "dish washer",
    "Washer Dryer": "washer dryer",
}
MINUTES = [["Timestamp", *METERS]] + [
    [f"2011-04-18 09:{k:02}:00-04:00", *(repr(300 / n + k / 8) for n in range(1, 6))]
    for k in range(4)
]
TIMES = st.sampled_from(
    [
        *("2011-04-18 09:01:00-04:00", "2011-04-18 09:01:30-05:00", "2011-04-18T13:00:00+00:00"),
        *(
            "lunch",
            "",
            "13.5",
            "2011-04-31 09:00:00-04:00",
            "1911-04-18 09:00:00-04:00",
            "18 April",
        ),
    ]
)


def order_readings(readings, first_line, problem):
    """Power by time, in the order of time; two readings of one time must not differ."""
    found, last = [], None
    for time, line, power in sorted(
        (time, line, power)
        for line, (time, power) in enumerate(readings, start=first_line)
        if power is not None
    ):
        if last is not None and last[0] == time:
            if last[1] != power:
                raise Refused(line, problem)
        else:
            found.append((time, power))
        last = time, power
    return found


def check_time(line, name, cell):
    """The Unix time of a cell (s)."""
    try:
        moment = datetime.fromisoformat(cell)
    except ValueError:
        raise Refused(line, name) from None
    if moment.year < 2000:
        raise Refused(line, name)
    return int(moment.timestamp())


def read_minutes_by_hand(rows):
    times = [check_time(line, "Timestamp", row[0]) for line, row in enumerate(rows[1:], start=2)]
    found = {}
    for k, meter in enumerate(METERS.values(), start=1):
        numbers = [
            check_number(line, rows[0][k], row[k], -1e6, 1e6)
            for line, row in enumerate(rows[1:], start=2)
        ]
        found[meter] = order_readings(zip(times, numbers, strict=True), 2, rows[0][k])
    return found


def by_meter(table):
    return {
        meter: list(zip(part["time_s"].tolist(), part["power_w"].tolist(), strict=True))
        for meter, part in table.groupby("meter")
    }


@property_of(60, line=st.integers(2, 5), name=st.sampled_from(MINUTES[0]), time=TIMES, cell=CELLS)
@example(line=3, name="Timestamp", time="lunch", cell="")
@example(line=3, name="main", time="", cell="inf")
@example(line=2, name="Timestamp", time="2011-04-18 09:01:00-04:00", cell="")  # another one of 9:01
def test_a_cell_of_redds_minutes_is_read_or_missing_or_named(tmp_path, line, name, time, cell):
    rows = replace_cell(MINUTES, line, name, time if name == "Timestamp" else cell)
    agree(
        tmp_path / "minutes.csv",
        rows,
        lambda path: by_meter(read_minutes(path)),
        read_minutes_by_hand,
    )


GOOD_LINES = st.tuples(st.integers(1303132940, 1303132950), st.integers(0, 999)).map(
    lambda pair: f"{pair[0]} {pair[1] / 8!r}"
)
ODD_LINES = st.one_of(
    st.tuples(
        st.sampled_from(
            ["1303132940", "1303132940.5", "1303132940.0", "13.5", "9" * 20, "x", "1.30313294e9"]
        ),
        CELLS,
    ).map(" ".join),
    st.sampled_from(["1303132940", "1303132940 5 6", '"1303132940 5', "x", "1303132940  5"]),
)


def read_channel_by_hand(lines):
    cells = [line.split(" ") for line in lines]
    for line, row in enumerate(cells, start=1):
        if any('"' in cell for cell in row):
            raise Refused(line, ": in the row that begins here, a quotation mark")
        if len(row) != 2:
            raise Refused(line, f": {len(row)} cell{'s' * (len(row) > 1)} instead of 2")
    pairs = [[parse_number(cell) if cell else math.nan for cell in row] for row in cells]
    # What is no number comes before what is none of a meter, and times come before powers.
    for is_bad, problem in (
        (lambda time, power: math.isnan(time), "'Unix time': .* is not a number"),
        (lambda time, power: math.isnan(power), "'power in watts': .* is not a number"),
        (lambda time, power: math.isinf(time), "'Unix time': an infinite value"),
        (lambda time, power: math.isinf(power), "'power in watts': an infinite value"),
        (lambda time, power: not 1e9 < time < 2e9, "'Unix time': .* s since 1970 is not between"),
        (lambda time, power: abs(power) > 1e6, "'power in watts': .* W is not between"),
        (lambda time, power: time % 1, "'Unix time': a fraction of a second"),
    ):
        for line, pair in enumerate(pairs, start=1):
            if is_bad(*pair):
                raise Refused(line, f", column {problem}")
    readings = [(int(time), power) for time, power in pairs]
    return order_readings(readings, 1, ", column 'power in watts': .* W, but another reading")


@property_of(
    80,
    lines=st.lists(GOOD_LINES, min_size=1, max_size=6),
    odd=st.none() | ODD_LINES,
    place=st.integers(0, 6),
)
@example(lines=["1303132940 5"], odd="1303132941 ", place=1)
def test_a_line_of_redds_channel_is_two_numbers_or_is_named(tmp_path, lines, odd, place):
    lines = [*lines[:place], *([] if odd is None else [odd]), *lines[place:]]
    files = {name: tmp_path / name for name in ("labels", "channel_1", "channel_5")}
    files["labels"].write_text("1 mains\n5 refrigerator\n")
    files["channel_1"].write_text("1303132940 300\n")
    files["channel_5"].write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        expected = read_channel_by_hand(lines)
    except Refused as problem:
        with pytest.raises(DataError) as caught:
            read_low_freq(**files)
        line, words = problem.args
        assert re.match(f"{files['channel_5']}, line {line}{words}", str(caught.value))
        assert str(caught.value).isprintable()
    else:
        assert by_meter(read_low_freq(**files))["fridge"] == expected


# --- Files that are none of these -------------------------------------------------------------


def read_channel(path):
    """A file of a channel of REDD, beside the mains."""
    labels, mains = path.with_name("labels.dat"), path.with_name("channel_1.dat")
    labels.write_text("1 mains\n5 refrigerator\n")
    mains.write_text("1303132940 300\n")
    return read_low_freq(labels=labels, channel_1=mains, channel_5=path)


READERS = {
    "survey": read_young_people,
    "ausgrid": lambda path: read_ausgrid(path, year="2012-2013"),
    "ausgrid-2010": read_ausgrid_features,
    "london": lambda path: read_london(households=path, year=2013, tariff="Std", block=path),
    "minutes": read_minutes,
    "sub-meters": read_channels,
    "channel": read_channel,
    "trips": lambda path: prepare_trips(
        path,
        path.with_name("trips"),
        rows=None,
        latitude_range_deg=[40.49, 40.92],
        longitude_range_deg=[-74.27, -73.68],
        patience={},
        provenance=lambda _: Provenance("c"),
    ),
}
NO_TABLES = [
    (b"", "the file is empty"),
    (b"\r\n \n\n", "the file is empty"),
    (b"<!DOCTYPE html>\n<p>Sign in</p>\n", "a web page"),
    (b'\xef\xbb\xbf<?xml version="1.0"?><a/>', "a web page"),
    (b"\xff\xfe\x00\x01", "not UTF-8 text, but UTF-16"),
    (b"PAR1 and nothing else", "not a complete Parquet file"),
    (b"PK\x03\x04 and nothing else", "damaged, cut short"),
    (gzip.compress(b"x,y\n" * 9999, mtime=0)[:40], "damaged, cut short"),
    (b"a,b\n1,2\n", "is missing|has no|none of the first|instead of 2"),
    (b'"Music","Dance\n1,2\n', "quotation mark"),
    (None, "no such file.*data/README.md"),
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("content", "message"), NO_TABLES)
def test_a_file_that_is_no_table_is_refused_in_one_line_and_leaves_nothing(
    tmp_path, reader, content, message
):
    path = tmp_path / "public.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        READERS[reader](path)
    assert str(path) in str(caught.value)
    assert str(caught.value).isprintable()
    assert not (tmp_path / "trips").exists()
