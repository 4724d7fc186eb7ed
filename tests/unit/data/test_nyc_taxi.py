"""Every edition of the trips, bad rows counted by reason, spoiled files, and the look-alike."""

import csv
import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from misbehaving_server import file, mirror, misbehaving_server
from noiseless.data import columns, nyc_taxi
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


def test_columns_may_come_in_any_order(tmp_path):
    path = csv_file(tmp_path / "trips.csv", blank=False)
    rows = [line.split(",")[::-1] for line in path.read_text().splitlines()]
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    same(read(path)[0])


def test_parts_without_header(tmp_path):
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
def test_parquet(tmp_path, as_text):
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


def test_real_file_against_pandas(nyc_taxi_csv, tmp_path):
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

TIME, *ENDS = GOOD[0]
BAD = {
    "unparsable": [
        (TIME, "-73.99x", *ENDS[1:]),
        (TIME, "nan", *ENDS[1:]),
        (TIME, "inf", *ENDS[1:]),
        (TIME, "1e999", *ENDS[1:]),
        (TIME, "0x10", *ENDS[1:]),
        ("2014-13-09 20:45:25", *ENDS),
        ("2014-01-0  20:45:25", *ENDS),
        ("2014-01-1\x0b 20:45:25", *ENDS),
        (TIME, ENDS[0] + "\x0b", *ENDS[1:]),
        ("soon", *ENDS),
        ("soon", "0", "0", "0", "0"),
    ],
    "missing": [(TIME, "", "", *ENDS[2:]), (TIME, *ENDS[:3], " "), ("", *ENDS)],
    "zero": [(TIME, "0", "0", *ENDS[2:]), (TIME, *ENDS[:2], "0.0", "-0.0")],
    "swapped": [(TIME, ENDS[1], ENDS[0], ENDS[3], ENDS[2]), (TIME, *ENDS[:2], ENDS[3], ENDS[2])],
    "outside": [
        (TIME, "-74.2700001", *ENDS[1:]),
        (TIME, *ENDS[:3], "40.9200001"),
        (TIME, "0", *ENDS[1:]),
    ],
}


@pytest.mark.parametrize("reason", REASONS)
def test_rows_that_are_not_used_are_counted_by_reason(tmp_path, reason):
    found, taken = read(csv_file(tmp_path / "trips.csv", trips=[*BAD[reason], *GOOD]))
    same(found)
    assert {name: n for name, n in taken.counts.items() if n} == {
        reason: len(BAD[reason]),
        "used": 3,
    }
    assert taken.rows == len(BAD[reason]) + 3


def test_rows_with_a_wrong_number_of_cells_are_unparsable(tmp_path):
    path = csv_file(tmp_path / "trips.csv", trips=GOOD * 2)
    lines = path.read_text().splitlines()
    lines[3] = lines[3][:30]
    lines[5] += ",,"
    path.write_text("\n".join(lines) + "\n")
    found, taken = read(path)
    same(found, [GOOD[0], GOOD[2], *GOOD[1:]])
    assert (taken.rows, taken.counts["unparsable"], taken.counts["used"]) == (6, 2, 4)


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


def test_a_last_row_without_a_line_end_is_not_used_and_the_one_before_is(tmp_path):
    path = csv_file(tmp_path / "trips.csv", trips=GOOD * 2)
    path.write_bytes(path.read_bytes()[:-12])
    found, taken = read(path)
    same(found, (GOOD * 2)[:-1])
    assert (taken.rows, taken.counts["unparsable"]) == (6, 1)


def test_bytes_that_are_no_text_make_one_row_unparsable(tmp_path):
    path = csv_file(tmp_path / "trips.csv", trips=[(TIME, "-73.9~", *ENDS[1:]), *GOOD])
    path.write_bytes(path.read_bytes().replace(b"~", b"\xff\xfe"))
    found, taken = read(path)
    same(found)
    assert taken.counts["unparsable"] == 1


@pytest.mark.parametrize("rows", [1, 5, 100, None])
def test_rows_are_counted_before_they_are_judged(tmp_path, rows):
    trips = [*BAD["zero"], *GOOD, *BAD["missing"], *GOOD]
    path = csv_file(tmp_path / "trips.csv", trips=trips)
    wanted = min(rows or 99, len(trips))
    if wanted <= 2:
        with pytest.raises(DataError, match="none of the 1 rows is a trip in the box"):
            read(path, rows)
        assert not path.with_name("prepared.parquet").exists()
        return
    _, taken = read(path, rows)
    assert taken.rows == wanted == sum(taken.counts.values())
    assert taken.counts["used"] == sum(trip in GOOD for trip in trips[:wanted])


def test_numbers_do_not_depend_on_bad_neighbours(tmp_path):
    """Cells of a block with a bad one take another route to the same 64 bits."""
    rng = np.random.default_rng(1)
    trips = [
        (TIME, *map(repr, (-74 - a, 40.5 + b, -74.1, 40.6)))
        for a, b in (rng.random((500, 2)) * 0.2).tolist()
    ]
    good, _ = read(csv_file(tmp_path / "good.csv", trips=trips))
    mixed, _ = read(csv_file(tmp_path / "mixed.csv", trips=[*trips, *BAD["unparsable"]]))
    pd.testing.assert_frame_equal(good, mixed, check_exact=True)
    assert good["pickup_longitude"].tolist() == [float(trip[1]) for trip in trips]


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
        (b"", "is empty"),
        (b"\r\n \n", "is empty"),
        (b"<!DOCTYPE html>\n<p>Sign in</p>\n", "a web page"),
        (b"a,b\n1,2\n", "has no pickup time"),
        (b"pickup_datetime,pickup_latitude\n", "has no pickup longitude"),
        (
            b"VendorID,tpep_pickup_datetime,PULocationID,DOLocationID\n1,2,3,4\n",
            r"has no pickup latitude .*no coordinates since July 2016",
        ),
        (b"pickup_datetime,pickup_datetime\n", "has 2 columns for the pickup time"),
        (HEADERS["raw 2014"].encode() + b"\r\n\r\n", "none of the 0 rows"),
        (gzip.compress(b"x,y\n" * 9999, mtime=0)[:40], "damaged, cut short"),
        (b"PAR1 and nothing else", "not a complete Parquet file"),
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


def test_parquet_without_coordinates(tmp_path):
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


def test_table_of_what_was_taken():
    taken = FileSummary(3, 40, "aa", {"used": 2, "zero": 1})
    assert taken.build_table().iloc[0].to_dict() == {"rows": 3, "bytes": 40, "used": 2, "zero": 1}
