"""Whatever happens to a file: the right readings, fewer of them and a count, or one message."""

import io

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damaged_files import cells, damages, draw_damages, flip_bits, spoil
from noiseless.data.ausgrid import read_ausgrid
from noiseless.data.london import read_london
from noiseless.data.nyc_taxi import COLUMNS, prepare_trips
from noiseless.data.redd import read_minutes
from noiseless.data.samples.ausgrid import write_ausgrid
from noiseless.data.samples.nyc_taxi import write_trips
from noiseless.data.samples.young_people import write_young_people
from noiseless.data.young_people import read_young_people
from noiseless.errors import DataError
from noiseless.reading.columns import NUMBER, TEXT, read_columns
from noiseless.seeds import make_generator
from noiseless.tables import Provenance

SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
BOX = {"latitude_range_deg": [40.49, 40.92], "longitude_range_deg": [-74.27, -73.68]}


def damaged(examples):
    """A test of many damaged files."""

    def decorate(test):
        return settings(max_examples=examples, deadline=None, suppress_health_check=SLOW)(
            given(what=damages)(test)
        )

    return decorate


def one_message(error):
    text = str(error)
    assert "\n" not in text
    assert text.isprintable()
    assert len(text) < 1500


def right_or_one_message(read, content, protected, what):
    """A damaged copy is read as a part of what the complete one has, or refused."""
    expected = read(content)
    try:
        found = read(spoil(content, protected, what))
    except DataError as error:
        one_message(error)
        return
    assert found <= expected


# --- The reader that all of them are built on -------------------------------------------------

WANTED = {"home": ("meter", TEXT), "time": ("at", TEXT), "energy": ("wh", NUMBER)}


def rows_in(path):
    """The rows of a table of meters."""
    read = read_columns(path, columns=WANTED)
    return set(
        zip(read.get_texts("home"), read.get_texts("time"), read.get_numbers("energy"), strict=True)
    )


RNG = make_generator(1, "damage")
TIMES = pd.date_range("2024-01-01", periods=16, freq="6h")
LONG = pd.concat(
    pd.DataFrame({"meter": home, "at": TIMES.astype(str), "wh": RNG.integers(100, 1000, 16) / 8})
    for home in ("m0", "m1", "m2")
)
PLAIN = LONG.to_csv(index=False).encode()
QUOTED = LONG.to_csv(index=False, quoting=1, lineterminator="\r\n").encode()


def parquet_file():
    content = io.BytesIO()
    LONG.to_parquet(content, write_page_checksum=True)  # without, no reader can tell
    return content.getvalue()


# A file, and the cells that count, if it is text: all of them.
FORMATS = {
    "CSV": lambda: (PLAIN, set(range(PLAIN.index(b"\n") + 1, len(PLAIN)))),
    "CSV, quoted": lambda: (QUOTED, set(range(QUOTED.index(b"\n") + 1, len(QUOTED)))),
    "Parquet": lambda: (parquet_file(), None),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_no_number_of_210_damaged_files_is_wrong_without_a_word(tmp_path, name):
    """Each is right as far as it goes, or one message."""
    content, protected = FORMATS[name]()
    path = tmp_path / "meters"
    path.write_bytes(content)
    expected = {row[2] for row in rows_in(path)}
    assert len(expected) > 40
    rng = make_generator(1, "210 files", name)
    wrong, right, refused = [], 0, 0
    for number in range(210):
        if protected is None:
            spoiled = flip_bits(content, rng)
        else:
            spoiled = spoil(content, protected, list(draw_damages(rng)))
        path.write_bytes(spoiled)
        try:
            found = rows_in(path)
        except DataError as error:
            one_message(error)
            refused += 1
            continue
        right += 1
        if not {row[2] for row in found} <= expected:
            wrong.append(number)
    assert wrong == []
    assert refused > 100
    assert right > 0 or name == "Parquet"


# --- Public datasets --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trips(tmp_path_factory):
    path = tmp_path_factory.mktemp("trips") / "trips.csv"
    write_trips(path, rows=60, seed=1, number=1)
    return path.read_bytes()


@pytest.mark.slow
@damaged(80)
def test_damaged_trips_are_read_right_or_counted_or_refused(tmp_path, trips, what):
    path, output = tmp_path / "trips.csv", tmp_path / "trips.parquet"

    def read(content):
        path.write_bytes(content)
        taken = prepare_trips(
            path, output, rows=None, patience={}, provenance=lambda _: Provenance("c"), **BOX
        )
        assert sum(taken.counts.values()) == taken.rows
        table = pd.read_parquet(output)
        assert len(table) == taken.counts["used"]
        return taken, set(table[list(COLUMNS)].itertuples(index=False, name=None))

    _, expected = read(trips)
    spoiled = spoil(trips, cells(trips, {1, 5, 6, 9, 10}), what)
    try:
        taken, found = read(spoiled)
    except DataError as error:
        one_message(error)
        return
    assert found <= expected
    # What there was to read, by a loop over lines.
    _, *lines = [line for line in spoiled.split(b"\n") if line not in (b"", b"\r")]
    assert taken.rows == len(lines)


@pytest.fixture(scope="module")
def year(tmp_path_factory):
    path = tmp_path_factory.mktemp("ausgrid") / "year.csv"
    write_ausgrid(path, homes=2, year="2012-2013", seed=1)
    return path


@damaged(8)
def test_a_damaged_file_of_ausgrid_is_read_right_or_refused(tmp_path, year, what):
    path, content = tmp_path / "year.csv", year.read_bytes()

    def read(content):
        path.write_bytes(content)
        table = read_ausgrid(path, year="2012-2013")
        return table.set_index(["home", "time"])["energy_kwh"]

    expected = read(content)
    # The first line is a note, and the second one the header.
    where = cells(content, set(range(5, 53)), first_line=2)
    try:
        found = read(spoil(content, where, what))
    except DataError as error:
        one_message(error)
        return
    assert found.index.isin(expected.index).all()
    assert (found == expected[found.index]).all()


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    path = tmp_path_factory.mktemp("survey") / "responses.csv"
    write_young_people(path, rows=12, seed=1)
    return path.read_bytes()


@pytest.mark.slow
@damaged(10)
def test_a_damaged_survey_has_its_own_respondents_or_is_refused(tmp_path, survey, what):
    """Every respondent is one of those of the file; nobody is made up of two."""
    path = tmp_path / "responses.csv"

    def read(content):
        path.write_bytes(content)
        table = read_young_people(path).drop(columns="respondent").astype("string").fillna("")
        return set(table.itertuples(index=False, name=None))

    rows = set(range(survey.index(b"\n") + 1, len(survey)))
    right_or_one_message(read, survey, rows, what)


MINUTES = "Timestamp,main,Refrigerator,Dish Washer,Microwave,Washer Dryer\n,,,,,\n" + "".join(
    f"2011-04-18 09:{k:02}:00-04:00,{300 + k / 8},{6 + k / 4},{k / 8},5.5,0\n" for k in range(60)
)


@damaged(50)
def test_damaged_minutes_of_redd_are_read_right_or_refused(tmp_path, what):
    path = tmp_path / "minutes.csv"

    def read(content):
        path.write_bytes(content)
        table = read_minutes(path)
        return set(table[["meter", "time_s", "power_w"]].itertuples(index=False, name=None))

    content = MINUTES.encode()
    right_or_one_message(read, content, cells(content, set(range(5))), what)


@damaged(30)
def test_a_damaged_block_of_london_is_read_right_or_refused(tmp_path, what):
    households, block = tmp_path / "households.csv", tmp_path / "block_0.csv"
    households.write_text("LCLid,stdorToU\nMAC1,Std\nMAC2,Std\n")
    days = pd.date_range("2013-01-01", "2013-12-31").strftime("%Y-%m-%d")
    lines = [
        f"{home},{day},48,{k / 8}\n" for home in ("MAC1", "MAC2") for k, day in enumerate(days)
    ]
    content = ("LCLid,day,energy_count,energy_sum\n" + "".join(lines)).encode()

    def read(spoiled):
        block.write_bytes(spoiled)
        table = read_london(households=households, year=2013, tariff="Std", block_0=block)
        return set(table.itertuples(index=False, name=None))

    right_or_one_message(read, content, cells(content, {2, 3}), what)


# --- The faults by name -----------------------------------------------------------------------


def edit(content, line, change):
    lines = content.split(b"\n")
    lines[line - 1] = change(lines[line - 1])
    return b"\n".join(lines)


@given(line=st.integers(3, 60))
@settings(max_examples=10, deadline=None, suppress_health_check=SLOW)
def test_decimal_comma_makes_a_cell_too_many(tmp_path, year, line):
    path = tmp_path / "year.csv"
    path.write_bytes(edit(year.read_bytes(), line, lambda text: text.replace(b",0.", b",0,", 1)))
    if b",0," in path.read_bytes().split(b"\n")[line - 1]:
        with pytest.raises(DataError, match=rf"line {line}: 55 cells .* a decimal comma"):
            read_ausgrid(path, year="2012-2013")


@pytest.mark.parametrize("place", ["start", "cell"])
def test_stray_quote_excludes_its_row_alone(tmp_path, place):
    path = tmp_path / "trips.csv"
    write_trips(path, rows=3000, seed=1, number=1)
    content = path.read_bytes()
    output = tmp_path / "trips.parquet"

    def read():
        return prepare_trips(
            path, output, rows=None, patience={}, provenance=lambda _: Provenance("c"), **BOX
        )

    before = read()
    change = {"start": lambda text: b'"' + text, "cell": lambda text: text.replace(b",", b',"', 1)}[
        place
    ]
    for line in (3, 500):
        path.write_bytes(edit(content, line, change))
        after = read()
        assert after.rows == before.rows == 3000
        assert sum(after.counts.values()) == 3000
        assert after.counts["used"] >= before.counts["used"] - 1
        assert after.counts["unparsable"] >= before.counts["unparsable"]


@pytest.mark.parametrize("line", [2, 20, 49])
def test_unclosed_quote_names_the_line_where_it_opens(tmp_path, line):
    path = tmp_path / "meters.csv"
    path.write_bytes(edit(PLAIN, line, lambda text: b'"' + text))
    with pytest.raises(DataError, match=rf"line {line}: in the row that begins here"):
        rows_in(path)
    path.write_bytes(edit(QUOTED, line, lambda text: text.replace(b'",', b",", 1)))
    with pytest.raises(DataError, match=rf"line {line}: in the row that begins here"):
        rows_in(path)


def test_last_line_without_a_line_end_is_not_taken_for_complete(tmp_path):
    path = tmp_path / "meters.csv"
    path.write_bytes(PLAIN[:-3])
    with pytest.raises(DataError, match="line 49: the last line has no line end"):
        rows_in(path)
