"""Every edition of the trips, bad rows counted by reason, spoiled files, and the look-alike."""

import csv
import gzip
import io
import re
import zipfile
from collections import Counter
from datetime import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from csv_by_hand import WORDS, parse_number
from misbehaving_server import file, mirror, misbehaving_server
from noiseless.data import nyc_taxi
from noiseless.data.nyc_taxi import (
    COLUMNS,
    COORDINATES,
    REASONS,
    FileSummary,
    Tally,
    build_provenance,
    prepare_trips,
)
from noiseless.data.registry import RegisteredHead
from noiseless.data.samples.nyc_taxi import draw_trips, write_trips
from noiseless.errors import DataError
from noiseless.reading import columns
from noiseless.seeds import make_generator
from noiseless.tables import Provenance, read_provenance

BOX = {"latitude_range_deg": [40.49, 40.92], "longitude_range_deg": [-74.27, -73.68]}

# Headers as the editions have them.
HEADERS = {
    "raw 2009": (
        "vendor_name,Trip_Pickup_DateTime,Trip_Dropoff_DateTime,Passenger_Count,Trip_Distance,"
        "Start_Lon,Start_Lat,Rate_Code,store_and_forward,End_Lon,End_Lat,Payment_Type,Fare_Amt,"
        "surcharge,mta_tax,Tip_Amt,Tolls_Amt,Total_Amt"
    ),
    "raw 2014": (
        "vendor_id, pickup_datetime, dropoff_datetime, passenger_count, trip_distance, "
        "pickup_longitude, pickup_latitude, rate_code, store_and_fwd_flag, dropoff_longitude, "
        "dropoff_latitude, payment_type, fare_amount, surcharge, mta_tax, tip_amount, "
        "tolls_amount, total_amount"
    ),
    "raw 2016": (
        "VendorID,tpep_pickup_datetime,tpep_dropoff_datetime,passenger_count,trip_distance,"
        "pickup_longitude,pickup_latitude,RatecodeID,store_and_fwd_flag,dropoff_longitude,"
        "dropoff_latitude,payment_type,fare_amount,extra,mta_tax,tip_amount,tolls_amount,"
        "improvement_surcharge,total_amount"
    ),
    "green 2014": (
        "VendorID,lpep_pickup_datetime,Lpep_dropoff_datetime,Store_and_fwd_flag,RateCodeID,"
        "Pickup_longitude,Pickup_latitude,Dropoff_longitude,Dropoff_latitude,Passenger_count"
    ),
    "arrow": (
        "vendor_name,pickup_datetime,dropoff_datetime,passenger_count,trip_distance,"
        "pickup_longitude,pickup_latitude,rate_code,store_and_fwd,dropoff_longitude,"
        "dropoff_latitude,payment_type,fare_amount,extra,mta_tax,tip_amount,tolls_amount,"
        "total_amount,improvement_surcharge,congestion_surcharge,pickup_location_id,"
        "dropoff_location_id"
    ),
}
GOOD = [
    ("2014-01-09 20:45:25", "-73.99477", "40.736828", "-73.982227", "40.73179"),
    ("2014-01-09 20:46:12", "-73.982392", "40.773382", "-73.960449", "40.763995"),
    ("2014-01-09 20:44:47", "-74.27", "40.49", "-73.68", "40.92"),  # the corners belong to the box
]


def place(header, trip):
    """A line in which only the cells that count are filled."""
    known = dict(zip(("pickup_time", *_order()), trip, strict=True))
    cells = []
    for name in header.split(","):
        column = next(
            (c for c, names in nyc_taxi._NAMES.items() if name.strip().lower() in names), None
        )
        cells.append(known.get(column, ""))
    return ",".join(cells)


def _order():
    return ("pickup_longitude", "pickup_latitude", "dropoff_longitude", "dropoff_latitude")


def csv_file(path, edition="raw 2014", trips=GOOD, ending="\r\n", blank=True):
    header = HEADERS[edition]
    lines = [header, *([""] if blank else []), *(place(header, trip) for trip in trips)]
    path.write_bytes((ending.join(lines) + ending).encode())
    return path


def headerless(path, trips=GOOD):
    lines = []
    for time, *ends in trips:
        cells = ["649084905", "VTS", time, time, "0", "1", *ends, *[""] * 14, "yellow", *[""] * 26]
        assert len(cells) == 51
        lines.append(",".join(cells))
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))
    return path


def read(path, rows=None, box=BOX):
    output = path.with_name("prepared.parquet")
    taken = prepare_trips(
        path, output, rows=rows, patience={}, provenance=lambda taken: Provenance("c"), **box
    )
    return pd.read_parquet(output), taken


def expected(trips=GOOD):
    table = pd.DataFrame(trips, columns=["pickup_time", *_order()])
    table[list(_order())] = table[list(_order())].astype(float)
    table["pickup_time"] = pd.to_datetime(table["pickup_time"])
    return table[list(COLUMNS)]


def same(found, trips=GOOD):
    pd.testing.assert_frame_equal(found, expected(trips), check_dtype=False)


# --- Editions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", HEADERS)
@pytest.mark.parametrize(("ending", "blank"), [("\n", False), ("\r\n", True)])
def test_every_csv_edition_gives_the_same_trips(tmp_path, edition, ending, blank):
    found, taken = read(csv_file(tmp_path / "trips.csv", edition, ending=ending, blank=blank))
    same(found)
    assert taken.rows == taken.counts["used"] == 3
    assert taken.bytes == (tmp_path / "trips.csv").stat().st_size


def test_a_mark_of_utf8_and_a_blank_line_before_the_header_are_no_header(tmp_path):
    path = csv_file(tmp_path / "trips.csv")
    path.write_bytes(b"\xef\xbb\xbf\r\n" + path.read_bytes())
    same(read(path)[0])


def test_columns_may_come_in_any_order(tmp_path):
    path = csv_file(tmp_path / "trips.csv", blank=False)
    rows = [line.split(",")[::-1] for line in path.read_text().splitlines()]
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    same(read(path)[0])


def test_the_citys_table_of_rows_gives_the_same_trips(tmp_path):
    """All cells quoted, and times as ISO 8601 has them; half a second is no time of a meter."""
    trips = [*GOOD, ("2014-01-09 20:46:12.500", *GOOD[1][1:])]
    lines = [HEADERS["raw 2014"].replace(" ", "")]
    lines += [place(lines[0], trip) for trip in trips]
    quoted = [",".join(f'"{cell}"' for cell in line.split(",")) for line in lines]
    quoted = [re.sub(r"(\d{4}-\d\d-\d\d) ([\d:]{8})(?=\")", r"\1T\2.000", line) for line in quoted]
    path = tmp_path / "gkne-dk5s.csv"
    path.write_text("\n".join(quoted) + "\n")
    found, taken = read(path)
    same(found)
    assert (taken.counts["used"], taken.counts["unparsable"]) == (3, 1)


def test_parts_without_a_header_are_read(tmp_path):
    found, taken = read(headerless(tmp_path / "trips_aa.csv.gz"))
    same(found)
    assert taken.rows == 3


def test_gzip_and_zip_give_the_rows_and_digest_of_the_text(tmp_path):
    plain = csv_file(tmp_path / "trips.csv")
    packed = tmp_path / "trips.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    with zipfile.ZipFile(tmp_path / "trips.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(plain, "nyc_taxi_data_2014.csv")
    takens = [read(path)[1] for path in (plain, packed, tmp_path / "trips.zip")]
    assert takens[0] == takens[1] == takens[2]


@pytest.mark.parametrize("as_text", [False, True])
def test_parquet_gives_the_same_trips_as_csv(tmp_path, as_text):
    table = expected().rename(columns={"pickup_time": "tpep_pickup_datetime"})
    if as_text:
        table = pd.DataFrame(
            GOOD, columns=["Trip_Pickup_DateTime", "Start_Lon", "Start_Lat", "End_Lon", "End_Lat"]
        )
    path = tmp_path / "trips.parquet"
    table.assign(fare=1.0).to_parquet(path)
    found, taken = read(path)
    same(found)
    assert taken.rows == 3
    assert read(path, rows=2)[1].rows == 2


ZONED = ["{} UTC", "{}Z", "{}+00:00", "{}.000000-0500", "{}-05:00"]


@pytest.mark.parametrize("form", ZONED)
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_time_with_a_zone_is_refused_with_its_cell(tmp_path, form, suffix):
    """It would be read as New York's clock, which it may be or not."""
    time, *ends = GOOD[1]
    trips = [GOOD[0], (form.format(time), *ends), GOOD[2]]
    path = csv_file(tmp_path / "trips.csv", "arrow", trips, blank=False)
    where = "line 3"
    if suffix == ".parquet":
        table, path, where = pd.read_csv(path), tmp_path / "trips.parquet", "row 2"
        table.to_parquet(path)
    with pytest.raises(DataError) as caught:
        read(path)
    message = f"{path}, {where}, pickup time: '{form.format(time)}' has a zone, but trips have"
    assert str(caught.value).startswith(message)
    assert not (tmp_path / "prepared.parquet").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.dt.tz_localize("America/New_York"), "New_York.* has a zone, but trips have"),
        (lambda t: t.dt.tz_localize("UTC"), r"tz=UTC.* has a zone, but trips have"),
        (lambda t: t.astype("int64"), "its type is int64; expected a time"),
        (lambda t: t.astype("int64") / 1e9, "its type is double; expected a time"),
    ],
)
def test_times_of_parquet_that_are_not_those_of_a_clock_are_refused(tmp_path, change, message):
    table = expected().rename(columns={"pickup_time": "pickup_datetime"})
    table["pickup_datetime"] = change(table["pickup_datetime"])
    path = tmp_path / "trips.parquet"
    table.to_parquet(path)
    with pytest.raises(DataError, match=rf"column 'pickup_datetime'.*{message}"):
        read(path)


def test_second_60_is_no_time_and_is_counted(tmp_path):
    time, *ends = GOOD[1]
    trips = [GOOD[0], (time[:-2] + "60", *ends), GOOD[2]]
    found, taken = read(csv_file(tmp_path / "trips.csv", trips=trips))
    same(found, [GOOD[0], GOOD[2]])
    assert taken.counts["unparsable"] == 1


@pytest.mark.parametrize(("edition", "line"), [("raw 2014", 3), ("arrow", 3), (None, 1)])
def test_a_file_without_a_trip_shows_the_first_cell_that_cannot_be_read(tmp_path, edition, line):
    trips = [("9 January", *ends) for _, *ends in GOOD]
    path = tmp_path / "trips.csv"
    path = csv_file(path, edition, trips) if edition else headerless(path, trips)
    says = rf"3 unparsable \(first: line {line}, pickup time: '9 January'\), 0 missing, 0 zero"
    with pytest.raises(DataError, match=says):
        read(path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("block", [1, 1 << 20])
def test_the_log_shows_the_first_row_of_each_kind_that_is_not_used(
    tmp_path, monkeypatch, caplog, suffix, block
):
    caplog.set_level("INFO")
    monkeypatch.setattr(columns, "BLOCK_BYTES", block)
    time, *ends = GOOD[1]
    west, north, east, south = ends
    kinds = {
        "unparsable": ("soon", *ends),
        "missing": ("", *ends),
        "zero": (time, "0", "0", east, south),
        "swapped": (time, north, west, east, south),
        "outside": (time, "-70.5", north, east, south),
    }
    trips = [*GOOD, *kinds.values(), *GOOD, *reversed(kinds.values())]
    path, where, start = csv_file(tmp_path / "trips.csv", "arrow", trips, blank=False), "line", 5
    if suffix == ".parquet":
        table, path, where, start = pd.read_csv(path), tmp_path / "trips.parquet", "row", 4
        table.to_parquet(path)
    _, taken = read(path)
    assert taken.counts == {"used": 6, **dict.fromkeys(REASONS, 2)}
    for row, reason in enumerate(REASONS, start=start):
        cell = ", pickup time: 'soon'" if reason == "unparsable" else ""
        assert f", 2 {reason} (first: {where} {row}{cell})" in caplog.text


def test_a_row_that_is_none_is_told_as_such(tmp_path, caplog):
    caplog.set_level("INFO")
    path = csv_file(tmp_path / "trips.csv", blank=False)
    path.write_bytes(path.read_bytes() + b"a,b\r\n")
    read(path)
    assert "1 unparsable (first: line 5: not a complete row), 0 missing" in caplog.text


def test_parquet_digest_does_not_depend_on_batches(tmp_path, monkeypatch):
    trips = draw_trips(np.random.default_rng(1), 1000)
    path = tmp_path / "trips.parquet"
    trips.rename(columns={"pickup_time": "pickup_datetime"}).to_parquet(path)
    found = []
    for size in (7, 100, 10_000):
        monkeypatch.setattr(nyc_taxi, "_BATCH_ROWS", size)
        found.append(read(path, rows=777)[1])
    assert found[0] == found[1] == found[2]
    assert found[0].bytes == 777 * 40


def test_parquet_over_the_network_is_refused():
    class Remote(io.BytesIO):
        def seekable(self):
            return False

    with pytest.raises(DataError, match="cannot be read while it is downloaded"):
        next(nyc_taxi.read_parquet(Remote(b"PAR1"), Tally(), name="x", rows=None))


def test_the_real_file_is_read_as_pandas_reads_it(nyc_taxi_csv, tmp_path):
    path = tmp_path / nyc_taxi_csv.name
    path.symlink_to(nyc_taxi_csv)
    found, taken = read(path, rows=50_000)
    rows = pd.read_csv(nyc_taxi_csv, nrows=50_000, float_precision="round_trip")
    inside = rows["pickup_latitude"].between(40.49, 40.92)
    inside &= rows["dropoff_latitude"].between(40.49, 40.92)
    inside &= rows["pickup_longitude"].between(-74.27, -73.68)
    inside &= rows["dropoff_longitude"].between(-74.27, -73.68)
    assert found["pickup_time"].astype(str).tolist() == rows["pickup_datetime"][inside].tolist()
    for name in COORDINATES:
        assert found[name].tolist() == rows[name][inside].tolist()
    assert sum(taken.counts.values()) == taken.rows == 50_000


def test_first_rows_from_a_server_are_those_of_the_file(tmp_path, monkeypatch):
    """Parsed while they arrive, over two connections; the rest of the file is never sent."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    write_trips(tmp_path / "trips.csv", rows=3000, seed=1, number=1)
    local, taken = read(tmp_path / "trips.csv", rows=500)
    text = (tmp_path / "trips.csv").read_bytes()
    with misbehaving_server() as server:
        server.routes["/trips"] = file(text * 100, cuts=(20_000,))
        remote = prepare_trips(
            [mirror(server.url("/trips"), file="trips.csv")],
            tmp_path / "remote.parquet",
            rows=500,
            patience={"attempts": 2, "backoff_s": 0.001, "timeout_s": 5.0},
            provenance=lambda taken: Provenance("c"),
            **BOX,
        )
        assert len(server.requests) == 2
        assert server.finished == 20_000
    assert remote == taken
    assert pd.read_parquet(tmp_path / "remote.parquet").equals(local)


# --- Bad rows ---------------------------------------------------------------------------------

(LOW_LATITUDE, HIGH_LATITUDE), (LOW_LONGITUDE, HIGH_LONGITUDE) = BOX.values()
INSIDE = st.tuples(
    st.floats(LOW_LONGITUDE, HIGH_LONGITUDE) | st.sampled_from([LOW_LONGITUDE, HIGH_LONGITUDE]),
    st.floats(LOW_LATITUDE, HIGH_LATITUDE) | st.sampled_from([LOW_LATITUDE, HIGH_LATITUDE]),
)
PLACES = st.one_of(
    INSIDE,
    INSIDE.map(lambda place: place[::-1]),
    st.sampled_from([(0.0, 0.0), (0.0, -0.0), (0.0, 40.7), (-73.9, 0.0)]),
    st.sampled_from([(np.nextafter(LOW_LONGITUDE, -99), 40.7), (-73.9, np.nextafter(40.92, 99))]),
)
TIMES = st.sampled_from(
    [
        *("2014-01-09 20:45:25", "2016-02-29 00:00:00", " 2014-01-09 20:45:25\t", "soon", ""),
        *("2014-13-09 20:45:25", "2014-02-29 00:00:00", "2014-01-0  20:45:25", "2014-01-09"),
        *("2014-01-1\x0b 20:45:25", "2014-1-09 20:45:25", "2014-01-09T20:45:25"),
        *("2014-01-09T20:45:25.000", "2014-01-09T20:45:25.001", "2014-01-09T20:45:25."),
    ]
)


@st.composite
def drawn_rows(draw):
    """A time, two places, and how many cells the row has more than the header; few of them odd."""
    ends = [repr(float(number)) for _ in "ab" for number in draw(INSIDE | PLACES)]
    if draw(st.booleans()):
        ends[draw(st.integers(0, 3))] = draw(WORDS | st.sampled_from(["", "-73.9\udcff\udcfe"]))
    return draw(st.just(GOOD[0][0]) | TIMES), *ends, draw(st.sampled_from([0, 0, 0, 0, -1, 2]))


def classify_by_hand(time, *ends):
    """Why a row with these cells is not used, or `used`; and what is read of it."""
    time, *ends = [cell.strip(" \t") for cell in (time, *ends)]
    numbers = [parse_number(cell) if cell else None for cell in ends]
    # The city's table has 2014-05-19T13:51:00.000.
    time = re.sub(r"^(\S{10})T(\S{8})(?:\.0+)?$", r"\1 \2", time)
    try:
        moment = datetime.strptime(time, "%Y-%m-%d %H:%M:%S") if time else None
    except ValueError:
        return "unparsable", None
    if (moment and str(moment) != time) or not np.isfinite(
        [n for n in numbers if n is not None]
    ).all():
        return "unparsable", None
    if None in (moment, *numbers):
        return "missing", None

    def is_inside(longitude, latitude):
        return (
            LOW_LONGITUDE <= longitude <= HIGH_LONGITUDE
            and LOW_LATITUDE <= latitude <= HIGH_LATITUDE
        )

    places = [tuple(numbers[:2]), tuple(numbers[2:])]
    if (0, 0) in places:
        return "zero", None
    if any(is_inside(*place[::-1]) for place in places):
        return "swapped", None
    used = all(is_inside(*place) for place in places)
    return ("used", (moment, *numbers)) if used else ("outside", None)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    drawn=st.lists(drawn_rows(), max_size=9),
    rows=st.none() | st.integers(1, 16),
    size=st.sampled_from([60, 1 << 20]),
    is_cut=st.booleans(),
)
@example(
    drawn=[(GOOD[0][0], cell, *GOOD[0][2:], 0) for cell in ("inf", "1e999", "nan", "", "0x10")],
    rows=None,
    size=60,
    is_cut=False,
)
def test_every_row_is_used_as_float_reads_it_or_counted_by_its_reason(
    tmp_path, drawn, rows, size, is_cut
):
    """Whatever the neighbours of a row are, which another route may parse."""
    trips = [*(3 * GOOD), *drawn] if rows is None else [*drawn, *(3 * GOOD)]
    path, header = tmp_path / "trips.csv", HEADERS["raw 2016"]
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    for trip in trips:
        cells = place(header, map("{{{}}}".format, range(5))).split(",")
        at = {int(cell[1:-1]): position for position, cell in enumerate(cells) if cell}
        for k, position in at.items():
            cells[position] = trip[k]
        more = trip[5] if len(trip) > 5 else 0
        writer.writerow([*cells, *"x" * more] if more >= 0 else cells[:more])
    content = f"{header}\r\n{text.getvalue()}".encode("utf-8", "surrogateescape")
    path.write_bytes(content[:-2] if is_cut else content)
    expected = [
        ("unparsable", None) if len(trip) > 5 and trip[5] else classify_by_hand(*trip[:5])
        for trip in trips
    ]
    if is_cut:  # the last number may be a part of one
        expected[-1] = "unparsable", None
    expected = expected[:rows]
    counts = Counter(reason for reason, _ in expected)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "BLOCK_BYTES", size)
        if not counts["used"]:
            path.with_name("prepared.parquet").unlink(missing_ok=True)
            with pytest.raises(DataError, match=f"none of the {len(expected)} rows is a trip"):
                read(path, rows)
            assert not path.with_name("prepared.parquet").exists()
            return
        found, taken = read(path, rows)
    assert taken.rows == len(expected)
    assert {reason: n for reason, n in taken.counts.items() if n} == counts
    known = [trip for _, trip in expected if trip]
    table = pd.DataFrame(known, columns=["pickup_time", *_order()])[list(COLUMNS)]
    pd.testing.assert_frame_equal(found, table, check_dtype=False, check_exact=True)


@pytest.mark.parametrize("more", [1, 2])
def test_rows_of_green_taxis_have_empty_cells_behind_those_of_the_header(tmp_path, more, caplog):
    """The city's files of 2013 to 2015."""
    caplog.set_level("INFO")
    plain, path = csv_file(tmp_path / "plain.csv", "green 2014"), tmp_path / "green.csv"
    header, blank, *rows = plain.read_bytes().splitlines(keepends=True)

    def longer(row):
        return row.replace(b"\r\n", b"," * more + b"\r\n")

    path.write_bytes(header + blank + b"".join(map(longer, rows)))
    found, taken = read(path)
    pd.testing.assert_frame_equal(found, read(plain)[0])
    assert taken.counts["used"] == 3
    assert f"rows have {more} empty cells more than the header" in caplog.text
    # Another row is none of the table, wherever it stands.
    odd = [rows[0], longer(rows[0]).replace(b",", b",,", 1), longer(rows[0])[:-2] + b"5\r\n"]
    path.write_bytes(header + odd[0] + b"".join(map(longer, rows)) + odd[1] + odd[2])
    again, taken = read(path)
    pd.testing.assert_frame_equal(again, found)
    assert (taken.rows, taken.counts["unparsable"]) == (6, 3)


def test_a_row_with_a_cell_too_many_among_the_first_changes_no_other(tmp_path):
    path = csv_file(tmp_path / "trips.csv", blank=False)
    header, *rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([header, rows[0].replace(b",", b",,", 1), *rows]))
    found, taken = read(path)
    assert (taken.counts["used"], taken.counts["unparsable"], len(found)) == (3, 1, 3)


@pytest.mark.parametrize("block", [4096, 10_000])
def test_rows_and_digest_do_not_depend_on_the_size_of_blocks(tmp_path, monkeypatch, block):
    write_trips(tmp_path / "trips.csv", rows=2000, seed=1, number=1)
    whole, taken = read(tmp_path / "trips.csv", rows=1500)
    monkeypatch.setattr(columns, "BLOCK_BYTES", block)
    again, other = read(tmp_path / "trips.csv", rows=1500)
    assert other == taken
    pd.testing.assert_frame_equal(again, whole, check_exact=True)


# --- Spoiled files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n1,2\n", "has no pickup time"),
        (b"pickup_datetime,pickup_latitude\n", "has no pickup longitude"),
        (
            b"VendorID,tpep_pickup_datetime,PULocationID,DOLocationID\n1,2,3,4\n",
            r"has no pickup latitude .*no coordinates since July 2016",
        ),
        (b"pickup_datetime,pickup_datetime\n", "has 2 columns for the pickup time"),
        (HEADERS["raw 2014"].encode() + b"\r\n\r\n", "none of the 0 rows"),
        (b"\x1c\x9f\x00\x17\xd1\x82\x8e\x00DUCK\x40\x00", "neither text nor Parquet"),
    ],
)
def test_spoiled_file_is_one_readable_error(tmp_path, content, message):
    path = tmp_path / "trips.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == [path]


def test_parquet_without_coordinates_is_refused(tmp_path):
    pq.write_table(pa.table({"tpep_pickup_datetime": ["x"], "PULocationID": [1]}), tmp_path / "t")
    with pytest.raises(DataError, match="has no pickup latitude"):
        read(tmp_path / "t")


def test_cut_gzip_leaves_nothing_behind(tmp_path):
    write_trips(tmp_path / "trips.csv", rows=3000, seed=1, number=1)
    path = tmp_path / "trips.csv.gz"
    path.write_bytes(gzip.compress((tmp_path / "trips.csv").read_bytes())[:-500])
    with pytest.raises(DataError, match="damaged, cut short"):
        read(path)
    assert not (tmp_path / "prepared.parquet").exists()
    assert read(path, rows=100)[1].rows == 100  # the damage is behind the rows that are wanted


# --- The look-alike and the provenance --------------------------------------------------------


def test_look_alike_has_the_originals_format_and_quirks(tmp_path):
    path = tmp_path / "trips.csv"
    write_trips(path, rows=20_000, seed=1, number=1)
    with path.open(newline="") as file:
        header, blank, first = (next(file) for _ in range(3))
    assert header == HEADERS["raw 2014"] + "\r\n"
    assert blank == "\r\n"
    assert len(next(csv.reader([first]))) == 18
    found, taken = read(path)
    assert taken.rows == 20_000
    assert all(taken.counts[reason] for reason in REASONS)
    assert 0.95 < len(found) / 20_000 < 0.99


def test_look_alike_depends_on_seed_and_number_alone(tmp_path):
    contents = []
    for seed, number in ((1, 1), (1, 1), (1, 2), (2, 1)):
        write_trips(tmp_path / "trips.csv", rows=100, seed=seed, number=number)
        contents.append((tmp_path / "trips.csv").read_bytes())
    assert contents[0] == contents[1]
    assert len(set(contents)) == 3


def test_look_alike_trips_lie_in_the_box_on_six_decimals():
    trips = draw_trips(make_generator(1, "x"), 5000)
    for name in COORDINATES:
        assert trips[name].between(*BOX[f"{name.split('_')[1]}_range_deg"]).all()
        assert (trips[name].round(6) == trips[name]).all()


def test_provenance_is_written_and_says_what_is_public(tmp_path):
    path = csv_file(tmp_path / "trips.csv")
    _, taken = read(path)
    head = RegisteredHead("nyc_taxi", "trips.csv", 100, 1, taken.sha256, "c", "n")
    other = RegisteredHead("nyc_taxi", "trips.csv", 100, 1, "0" * 64, "c", "n")

    def digest(tier, rows, *heads, public=("trips.csv",)):
        provenance = build_provenance(
            taken,
            tier=tier,
            file="trips.csv",
            heads=heads,
            settings={"rows": rows},
            code="c",
            public=public,
        )
        prepare_trips(
            path,
            path.with_name("p"),
            rows=rows,
            patience={},
            provenance=lambda _: provenance,
            **BOX,
        )
        assert read_provenance(path.with_name("p")) == provenance
        (source,) = provenance.sources
        assert source.sha256 == taken.sha256
        assert source.file == "trips.csv"
        return source.digest

    assert digest("sample", 100, head) == "other"
    for tier in ("local", "download"):
        assert digest(tier, 100, head) == "registered"
        assert digest(tier, 100, other) == "other"
        assert digest(tier, 200, other) == "unknown"  # nothing to compare with but the name
        assert digest(tier, 100, public=()) == "other"


def test_the_summary_of_a_file_is_one_row_with_all_counts():
    taken = FileSummary(3, 40, "aa", {"used": 2, "zero": 1})
    assert taken.build_table().iloc[0].to_dict() == {"rows": 3, "bytes": 40, "used": 2, "zero": 1}
