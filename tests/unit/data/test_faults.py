"""Files that are built to break a reader: one message each, in little time and memory."""

import gzip
import io
import time
import tracemalloc
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noiseless.data.ausgrid import read_ausgrid
from noiseless.data.nyc_taxi import prepare_trips
from noiseless.errors import DataError
from noiseless.reading import raw_files
from noiseless.reading.columns import NUMBER, TEXT, iterate_lines, iterate_rows, read_columns
from noiseless.reading.raw_files import RawFile
from noiseless.tables import Provenance

METERS = {"home": ("meter", TEXT), "time": ("at", TEXT), "energy": ("kwh", NUMBER)}
BOX = {"latitude_range_deg": [40.49, 40.92], "longitude_range_deg": [-74.27, -73.68]}
TRIPS = "pickup_datetime,pickup_longitude,pickup_latitude,dropoff_longitude,dropoff_latitude\n"
TRIP = "2014-01-09 20:45:25,-73.99,40.73,-73.98,40.76\n"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "meters.csv"


def read(path):
    found = read_columns(path, columns=METERS)
    return found.get_texts("home"), found.get_texts("time"), found.get_numbers("energy")


def trips(path, output):
    return prepare_trips(
        path, output, rows=None, patience={}, provenance=lambda _: Provenance("c"), **BOX
    )


def message(call, *arguments, **options):
    with pytest.raises(DataError) as caught:
        call(*arguments, **options)
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 2000
    return text


# --- Size -------------------------------------------------------------------------------------


def gzip_bomb(line, count):
    content = io.BytesIO()
    with gzip.GzipFile(fileobj=content, mode="wb") as file:
        for _ in range(count):
            file.write(line)
    return content.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("line", [b"0" * (1 << 20), b"\n" * (1 << 20), b"0,0,0\n" * (1 << 17)])
def test_a_file_that_unfolds_to_far_more_is_stopped(tmp_path, path, monkeypatch, line):
    """A header, blank lines or rows without end, as 10 MB of gzip make 10 GB of them."""
    monkeypatch.setattr(raw_files, "MAX_DECOMPRESSED_BYTES", 1 << 22)
    path.write_bytes(gzip_bomb(line, 100))
    tracemalloc.start()
    for call, arguments in (
        (read, [path]),
        (read_ausgrid, [path, "2012-2013"]),
        (trips, [path, tmp_path / "out"]),
    ):
        options = {"year": arguments.pop()} if call is read_ausgrid else {}
        text = message(call, *arguments, **options)
        wanted = (
            "came out of",
            "a line is longer than",
            "no header",
            "column",
            "none of the first",
            "blank lines follow each other",
        )
        assert any(each in text for each in wanted), text
    assert tracemalloc.get_traced_memory()[1] < 120 << 20
    tracemalloc.stop()


def test_a_zip_that_unfolds_to_far_more_is_stopped(path, monkeypatch):
    monkeypatch.setattr(raw_files, "MAX_DECOMPRESSED_BYTES", 1 << 20)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", "meter,at,kwh\n" + "m,2024-01-01,1\n" * 3_000_000)
    assert "compressed ones, more than 100 for each" in message(read, path)


class Endless(io.RawIOBase):
    """A line without end, or lines, in pieces."""

    def __init__(self, piece=1 << 12, start=b"", line=b"1"):
        super().__init__()
        self.piece, self.start, self.line, self.sent = piece, start, line, 0

    def readable(self):
        return True

    def readinto(self, buffer):
        size = min(self.piece, len(buffer))
        buffer[:size] = (self.start + self.line * size)[:size]
        self.start = b""
        self.sent += size
        return size

    def read1(self, size):
        return self.read(min(size, self.piece))


@pytest.mark.parametrize("piece", [1 << 12, 1 << 18])
def test_a_line_without_end_is_given_up_soon(tmp_path, piece):
    for use in (
        lambda source: list(iterate_lines(io.BufferedReader(source), "x")),
        lambda source: list(iterate_rows(io.BufferedReader(source), RawFile(tmp_path))),
    ):
        source = Endless(piece)
        started = time.monotonic()
        with pytest.raises(DataError, match="a line is longer than 1048576 bytes"):
            use(source)
        assert source.sent < 40 << 20
        assert time.monotonic() - started < 5


def test_a_quotation_mark_that_is_never_closed_does_not_take_in_the_file(tmp_path):
    source = Endless(start=b'a\n"', line=b"x\n")
    rows = iterate_rows(io.BufferedReader(source), RawFile(tmp_path))
    assert next(rows) == (1, "a\n")
    with pytest.raises(DataError, match="line 2: in the row that begins here"):
        next(rows)
    assert source.sent < 2 << 20


def test_many_columns_make_a_short_message(path):
    path.write_text(",".join(f"c{k}" for k in range(20_000)) + "\n")
    assert "and 19988 more" in message(read, path)


# --- Cells ------------------------------------------------------------------------------------


@pytest.mark.parametrize("meter", ["m\x1b[31m", 'm"\nerror: forged"', "m\x00", "m\u2028x"])
def test_names_that_cannot_be_shown_do_not_reach_the_log(path, meter):
    path.write_text("meter,at,kwh\n")
    with path.open("a", encoding="utf-8") as file:
        for hour in range(4):
            file.write(f'"{meter.replace(chr(34), "")}",2024-01-01 0{hour}:00,1\n')
    assert "line " in message(read, path)


# --- Files ------------------------------------------------------------------------------------


def test_a_struct_column_of_trips_is_refused(tmp_path):
    columns = {name: [-73.99] for name in TRIPS.strip().split(",")}
    columns["pickup_datetime"] = ["2014-01-09 20:45:25"]
    columns["pickup_longitude"] = [{"x": 1.0}]
    pq.write_table(pa.table(columns), tmp_path / "trips.parquet")
    text = message(trips, tmp_path / "trips.parquet", tmp_path / "out")
    assert "column 'pickup_longitude': its type is struct" in text


def test_a_folder_is_no_file(tmp_path):
    assert "a folder, not a file" in message(read, tmp_path)


def test_a_number_that_is_cut_off_at_the_end_of_the_trips_is_not_used(tmp_path):
    (tmp_path / "trips.csv").write_text((TRIPS + TRIP * 3)[:-2])
    taken = trips(tmp_path / "trips.csv", tmp_path / "out")
    assert {name: n for name, n in taken.counts.items() if n} == {"used": 2, "unparsable": 1}


def test_rows_behind_the_wanted_ones_may_be_damaged(tmp_path):
    path = tmp_path / "trips.csv"
    path.write_text(TRIPS + TRIP * 5 + '"' + TRIP * 3 + "x\n" + TRIP)
    taken = trips(path, tmp_path / "out")
    assert (taken.rows, dict(taken.counts)["used"], dict(taken.counts)["unparsable"]) == (10, 8, 2)
