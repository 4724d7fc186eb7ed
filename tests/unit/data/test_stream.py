"""The head of a large file: from a disk, from a server that misbehaves, from gzip and zip."""

import gzip
import hashlib
import io
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misbehaving_server import file, in_turn, mirror, misbehaving_server, status
from noiseless.data.download import BLOCK_BYTES, read_first_mirror
from noiseless.data.nyc_taxi import Tally, iterate_head
from noiseless.data.registry import load_heads
from noiseless.errors import ConfigError, DataError, DownloadError
from noiseless.reading.columns import iterate_lines
from noiseless.reading.raw_files import decompress

pytestmark = pytest.mark.usefixtures("own_surroundings")

QUICK = {"attempts": 3, "backoff_s": 0.001, "timeout_s": 5.0}
LINES = [b"%d,%d" % (number, number**2) for number in range(200_000)]
TEXT = b"a,b\n" + b"\n".join(LINES) + b"\n"


@pytest.fixture
def server():
    with misbehaving_server() as running:
        yield running


def read_head(source, rows, before=b""):
    tally = Tally()
    tally.add(before, rows=0)
    return b"".join(iterate_head(iterate_lines(source, "the file"), tally, rows)), tally


def plain_head(text, rows):
    """The first rows by a loop over lines."""
    taken, found = [], 0
    for line in text.splitlines(keepends=True):
        if rows is not None and found == rows:
            break
        taken.append(line)
        found += bool(line.strip(b"\r\n"))
    while rows is not None and taken and not taken[-1].strip(b"\r\n"):
        taken.pop()
    return b"".join(taken), found


# --- The head ---------------------------------------------------------------------------------


@given(
    lines=st.lists(st.sampled_from([b"", b"x", b"1,2", b" "]), max_size=20),
    ending=st.sampled_from([b"\n", b"\r\n"]),
    last=st.sampled_from([b"", b"y"]),
    rows=st.integers(0, 12) | st.none(),
)
def test_head_is_that_of_a_loop_over_lines(lines, ending, last, rows):
    text = b"".join(line + ending for line in lines) + last
    expected, found = plain_head(text, rows)
    content, head = read_head(io.BytesIO(text), rows)
    if rows is not None and found < rows:  # the file ends first: blank lines at its end stay
        expected = text
    assert content == expected
    assert head.rows == found
    assert head.bytes == len(expected)
    assert head.sha256 == hashlib.sha256(expected).hexdigest()


def test_digest_is_that_of_head_of_the_file():
    stream = io.BytesIO(TEXT)
    before = stream.readline()
    _, head = read_head(stream, 1000, before)
    wanted = b"".join(TEXT.splitlines(keepends=True)[:1001])
    assert (head.rows, head.bytes) == (1000, len(wanted))
    assert head.sha256 == hashlib.sha256(wanted).hexdigest()


def test_nothing_is_read_behind_the_last_row(tmp_path):
    path = tmp_path / "trips.csv"
    path.write_bytes(TEXT)
    with path.open("rb") as stream:
        read_head(stream, 10)
        assert stream.tell() < len(TEXT) / 4


# --- Compressed files -------------------------------------------------------------------------


def zipped(*members, method=zipfile.ZIP_DEFLATED, streamed=False):
    """A zip; a streamed one has the sizes behind the data."""
    raw = io.BytesIO()
    target = io.BufferedRandom(raw) if not streamed else _Unseekable(raw)
    with zipfile.ZipFile(target, "w", method) as opened:
        for name, content in members:
            with opened.open(name, "w") as entry:
                entry.write(content)
    if not streamed:
        target.flush()
    return raw.getvalue()


class _Unseekable(io.RawIOBase):
    def __init__(self, raw):
        super().__init__()
        self._raw = raw

    def writable(self):
        return True

    def write(self, content):
        return self._raw.write(content)


class Arriving(io.BytesIO):
    """Bytes that come in order, as from a server."""

    def seekable(self):
        return False


def unpack(content, member="*.csv", arriving=True):
    stream = io.BufferedReader((Arriving if arriving else io.BytesIO)(content))
    return decompress(stream, member=member, name="trips.csv.zip").read()


# Packed where a test asks for it: every worker reads this file, and one runs its tests.
@pytest.mark.parametrize(
    "pack",
    [
        lambda: TEXT,
        lambda: gzip.compress(TEXT),
        lambda: gzip.compress(TEXT[:1000]) + gzip.compress(TEXT[1000:]),
        lambda: zipped(("trips.csv", TEXT)),
        lambda: zipped(("trips.csv", TEXT), streamed=True),
        lambda: zipped(("folder/readme.txt", b"Hello"), ("folder/trips.csv", TEXT)),
        lambda: zipped(("a.txt", TEXT), ("b.csv", TEXT), streamed=True),
        lambda: zipped(("trips.csv", TEXT), method=zipfile.ZIP_BZIP2),
    ],
)
@pytest.mark.parametrize("arriving", [True, False])
def test_text_comes_out_of_each_container(pack, arriving):
    assert unpack(pack(), arriving=arriving) == TEXT


@pytest.mark.parametrize(
    ("pack", "message"),
    [
        (lambda: gzip.compress(TEXT)[:-3000], "damaged, cut short"),
        (lambda: gzip.compress(TEXT)[:3000] + b"x" * 3000, "damaged, cut short"),
        (lambda: zipped(("trips.csv", TEXT))[:90_000], "damaged, cut short"),
        (lambda: zipped(("trips.csv", TEXT))[:31], "cut short"),
        (
            lambda: zipped(("trips.csv", TEXT), method=zipfile.ZIP_BZIP2).replace(b"1AY", b"1AX"),
            "damaged, cut short",
        ),
        (
            lambda: zipped(("a.txt", b"Hello"), ("b.txt", b"you")),
            r"called \*.csv. Its files: a.txt, b.txt",
        ),
        (lambda: zipped(("a.csv", TEXT), ("b.csv", TEXT)), "2 files in the zip could be meant"),
    ],
)
def test_spoiled_container_is_one_readable_error(pack, message):
    content = pack()
    with pytest.raises(DataError, match=message) as caught:
        unpack(content)
    assert str(caught.value).startswith("trips.csv.zip: ")


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("arriving", [False, True])
def test_wrong_checksum_in_a_zip_is_found(streamed, arriving):
    content = zipped(("trips.csv", TEXT), streamed=streamed)
    crc = zlib.crc32(TEXT).to_bytes(4, "little")
    assert content.count(crc) == 2
    with pytest.raises(DataError, match="damaged"):
        unpack(content.replace(crc, b"abcd"), arriving=arriving)


# --- Servers ----------------------------------------------------------------------------------


def fetch(*mirrors, rows=None, **options):
    def use(stream, mirror):
        return read_head(decompress(stream, name=mirror.url), rows)[0]

    return read_first_mirror(mirrors, use, **QUICK | options)


def test_transfer_stops_when_the_rows_are_in(server):
    server.routes["/trips.csv"] = file(TEXT * 20)
    assert fetch(mirror(server.url("/trips.csv")), rows=11) == b"".join(
        TEXT.splitlines(keepends=True)[:11]
    )
    assert len(server.requests) == 1
    assert server.finished == 0  # it never got rid of all


def test_kaggle_sends_a_zip_to_the_bearer_of_a_token(server, monkeypatch):
    monkeypatch.setenv("KAGGLE_API_ENDPOINT", server.url(""))
    monkeypatch.setenv("KAGGLE_API_TOKEN", "s3cr3t")
    path = "/api/v1/datasets/download/owner/slug/trips.csv"
    server.routes[path] = file(zipped(("trips.csv", TEXT)), cuts=(5000,))
    page = "https://www.kaggle.com/datasets/owner/slug?select=trips.csv"
    assert fetch(mirror(page, kind="kaggle")) == TEXT
    assert [each.headers["Authorization"] for each in server.requests] == ["Bearer s3cr3t"] * 2


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda text: zipped(("trips.csv", text))])
def test_cut_transfer_goes_on_where_it_broke(server, pack):
    content = pack(TEXT)
    server.routes["/trips"] = file(content, cuts=(1000, 100_000, 100_000, 300_000))
    assert fetch(mirror(server.url("/trips"))) == TEXT
    starts = [request.headers.get("Range") for request in server.requests]
    assert starts[:3] == [None, None, f"bytes={100_000 // BLOCK_BYTES * BLOCK_BYTES}-"]
    assert server.sent < len(content) + 4 * BLOCK_BYTES


def table_of_rows(server, cells, limit=3, **changed):
    """A table as Socrata's API serves it by pages; ``changed`` has other answers by offset."""
    lines = [",".join(f'"{cell}"' for cell in row).encode() + b"\n" for row in cells]
    address = f"/resource/a-b.csv?$order=:id&$limit={limit}"
    for offset in (*range(0, len(lines) - 1, limit), len(lines) - 1):
        page = b"".join([lines[0], *lines[1:][offset : offset + limit]])
        behave = changed.get(f"at_{offset}", file(page, etag=None))
        server.routes[f"{address}&$offset={offset}"] = behave
    return mirror(server.url(address), kind="rows"), b"".join(lines)


CELLS = [("pickup_datetime", "fare"), *(("2014-05-19T13:51:00.000", str(n)) for n in range(7))]


def test_rows_come_by_pages_in_their_order_and_a_cut_page_comes_again(server):
    page = "".join(f'"{a}","{b}"\n' for a, b in (CELLS[0], *CELLS[4:7])).encode()
    again = file(page, etag=None, cuts=(40,))
    row, whole = table_of_rows(server, CELLS, at_3=again)
    assert fetch(row) == whole
    offsets = [each.path.rpartition("=")[2] for each in server.requests]
    assert offsets == ["0", "3", "3", "6", "7"]  # the last one has none, which is the end


def test_no_page_is_asked_for_behind_the_rows_that_are_wanted(server):
    row, whole = table_of_rows(server, CELLS)
    assert fetch(row, rows=2) == b"".join(whole.splitlines(keepends=True)[:2])
    assert len(server.requests) == 1


def test_a_row_with_a_line_end_in_a_cell_is_one_row(server):
    cells = [CELLS[0], ("2014-05-19T13:51:00.000", "a\nb"), *CELLS[1:5]]
    row, _ = table_of_rows(server, cells, limit=2)
    first = ['"pickup_datetime","fare"', '"2014-05-19T13:51:00.000","a', 'b"']
    assert fetch(row).decode().splitlines()[:3] == first
    assert [each.path.rpartition("=")[2] for each in server.requests] == ["0", "2", "4", "5"]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (b'"other","fare"\n"1","2"\n', "the page behind row 3 has other columns"),
        (b'"pickup_datetime","fare"\n"1","2', "the page behind row 3 ends within a row"),
        (b"<html>", "a web page instead of the file"),
    ],
)
def test_a_page_that_does_not_fit_is_refused(server, page, message):
    row, _ = table_of_rows(server, CELLS, at_3=file(page, etag=None))
    with pytest.raises(DownloadError, match=message):
        fetch(row)


def test_a_page_for_people_is_named_and_not_asked(server):
    row = mirror(server.url("/record"), kind="page")
    server.routes["/good"] = file(TEXT)
    assert fetch(row, mirror(server.url("/good"))) == TEXT
    assert [each.path for each in server.requests] == ["/good"]
    with pytest.raises(DownloadError, match="/record: not tried, as it is a page; a person may"):
        fetch(row)


def test_next_mirror_is_tried_from_the_beginning(server):
    server.routes["/gone"] = status(404)
    server.routes["/cut"] = file(TEXT, cuts=(1000, 1000, 1000, 1000))
    server.routes["/good"] = file(TEXT)
    names = ("/gone", "/cut", "/good")
    assert fetch(*(mirror(server.url(name)) for name in names)) == TEXT


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (status(403), "HTTP 403 instead of the file. .* need a login"),
        (
            status(429, Retry_After="3600"),
            "HTTP 429.* wait for more than 300 s.* over 1 connections",
        ),
        (file(TEXT, cuts=(100_000,) * 5), "cut. 65536 bytes have come over 4 connections"),
        (in_turn(file(TEXT, cuts=(100_000,)), status(416)), "the file changed"),
        (file(gzip.compress(TEXT)[:5000]), "damaged, cut short"),
    ],
)
def test_failure_names_the_mirror_and_the_way_by_hand(server, behaviour, message):
    server.routes["/trips"] = behaviour
    row, dead = mirror(server.url("/trips")), mirror("http://dead.example/t", status="dead")
    with pytest.raises(DownloadError, match=message) as caught:
        fetch(dead, row)
    text = str(caught.value)
    assert row.url in text
    assert "http://dead.example/t: not tried, as it was dead on 2026-11-21" in text
    assert "By hand: Ask the librarian." in text
    assert "`local`" in text


# --- The registry -----------------------------------------------------------------------------


def test_registry_knows_heads_of_trips(root):
    heads = load_heads(root / "config" / "sources.yaml", "nyc_taxi")
    assert len({head.sha256 for head in heads}) == len(heads) >= 3
    assert load_heads(root / "config" / "sources.yaml", "redd") == ()


def test_misspelt_key_of_a_head_is_named(root, tmp_path):
    path = tmp_path / "sources.yaml"
    text = (root / "config" / "sources.yaml").read_text()
    path.write_text(text.replace("    rows: 1000000", "    row: 1000000"))
    with pytest.raises(ConfigError, match=r"unknown key `heads.0.row`. Did you mean `rows`"):
        load_heads(path, "nyc_taxi")
