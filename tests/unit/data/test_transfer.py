"""The one transfer, against answers that no server of HTTP would give."""

import gzip
import itertools
import logging
import time

import pytest

from misbehaving_server import mirror
from noiseless.data import download as module
from noiseless.data.download import BLOCK_BYTES, download, read_first_mirror
from noiseless.errors import DataError, DownloadError
from raw_server import raw_server

pytestmark = pytest.mark.usefixtures("own_surroundings")

QUICK = {"attempts": 2, "backoff_s": 0.001, "timeout_s": 0.3}
BODY = b"".join(b"%d,%d\n" % (k, k * k) for k in range(60_000))
SECRET = "s3cr3t"


@pytest.fixture
def server():
    with raw_server() as running:
        yield running


def by_download(folder, row, **options):
    target = folder / "got" / "data.csv"
    try:
        download([row], target, max_bytes=10**6, **QUICK | options)
        return target.read_bytes()
    finally:
        assert [path.name for path in target.parent.iterdir()] in ([], ["data.csv"])


def by_stream(folder, row, **options):
    def read(stream, _):
        content = stream.read()
        if not content:
            raise DataError("the file is empty.")  # as readers do
        return content

    return read_first_mirror([row], read, **QUICK | options)


WAYS = pytest.mark.parametrize("fetch", [by_download, by_stream])


def head(*lines, status="200 OK"):
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "Connection: close", "", ""]).encode()


def plain(connection, request, server):
    server.send(connection, head(f"Content-Length: {len(BODY)}", 'ETag: "1"') + BODY)


def refused(fetch, tmp_path, row, **options):
    started = time.monotonic()
    with pytest.raises(DownloadError) as caught:
        fetch(tmp_path, row, **options)
    assert time.monotonic() - started < 8
    return str(caught.value)


@WAYS
def test_a_file_arrives(server, tmp_path, fetch):
    server.behave = plain
    assert fetch(tmp_path, mirror(server.url())) == BODY


# --- Time -------------------------------------------------------------------------------------


def drip_headers(connection, request, server):
    server.send(connection, b"HTTP/1.1 200 OK\r\nX-Slow: ")
    server.drip(connection, itertools.repeat(b"a"))


def endless_continue(connection, request, server):
    server.drip(connection, itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n"), every_s=0.001)


def drip_body(connection, request, server):
    server.send(connection, head("Content-Length: 100000", 'ETag: "1"'))
    server.drip(connection, itertools.repeat(b"1"))


def drip_chunk_size(connection, request, server):
    server.send(connection, head("Transfer-Encoding: chunked", 'ETag: "1"') + b"1;x=")
    server.drip(connection, itertools.repeat(b"a"))


def drip_chunks(connection, request, server):
    server.send(connection, head("Transfer-Encoding: chunked", 'ETag: "1"'))
    server.drip(connection, itertools.repeat(b"1\r\na\r\n"))


def drip_redirect(connection, request, server):
    server.send(connection, head("Location: /g", "Content-Length: 9999", status="302 Found"))
    server.drip(connection, itertools.repeat(b"a"))


@WAYS
@pytest.mark.parametrize(
    "behave", [drip_headers, endless_continue, drip_body, drip_chunks, drip_chunk_size]
)
def test_a_server_that_drips_is_given_up(server, tmp_path, fetch, behave):
    server.behave = behave
    text = refused(fetch, tmp_path, mirror(server.url()), attempts=1)
    assert "less than 64 KiB came within 0.3 s. 0 bytes have come over 1 connections" in text


def block_by_block(size):
    """Each connection brings so many bytes more than the one before."""

    def behave(connection, request, server):
        start = (len(server.requests) - 1) * BLOCK_BYTES
        status = "206 Partial Content" if start else "200 OK"
        where = f"Content-Range: bytes {start}-{len(BODY) - 1}/{len(BODY)}"
        left = f"Content-Length: {len(BODY) - start}"
        server.send(connection, head(left, where, 'ETag: "1"', status=status))
        server.send(connection, BODY[start : start + size])

    return behave


@WAYS
def test_a_byte_for_each_connection_ends(server, tmp_path, fetch):
    server.behave = block_by_block(1)
    assert "over 2 connections" in refused(fetch, tmp_path, mirror(server.url()))
    assert len(server.requests) == 2


@WAYS
def test_a_block_for_each_connection_ends(server, tmp_path, fetch, monkeypatch):
    monkeypatch.setattr(module, "MAX_CONNECTIONS", 5)
    server.behave = block_by_block(BLOCK_BYTES)
    assert "over 5 connections" in refused(fetch, tmp_path, mirror(server.url()))


@WAYS
def test_the_body_of_a_redirect_is_not_read(server, tmp_path, fetch):
    def behave(connection, request, server):
        if request.startswith(b"GET /g "):
            plain(connection, request, server)
        else:
            drip_redirect(connection, request, server)

    server.behave = behave
    started = time.monotonic()
    assert fetch(tmp_path, mirror(server.url())) == BODY
    assert time.monotonic() - started < 2


@WAYS
def test_an_endless_redirect_takes_no_memory(server, tmp_path, fetch):
    def behave(connection, request, server):
        if request.startswith(b"GET /g "):
            plain(connection, request, server)
            return
        server.send(connection, head("Location: /g", status="302 Found"))
        for _ in range(100):
            server.send(connection, b"x" * (1 << 20))

    server.behave = behave
    assert fetch(tmp_path, mirror(server.url())) == BODY
    assert server.sent < 30 << 20


# --- Bytes ------------------------------------------------------------------------------------


def pieces(*answers):
    """Each connection gets the next answer; the last one stays."""

    def behave(connection, request, server):
        server.send(connection, answers[min(len(server.requests), len(answers)) - 1])

    return behave


def cut(*lines, at=2 * BLOCK_BYTES):
    return head(f"Content-Length: {len(BODY)}", *lines) + BODY[:at]


def rest(*lines, at=2 * BLOCK_BYTES, body=BODY, longer=b"", chunked=False):
    content = body[at:] + longer
    where = f"Content-Range: bytes {at}-{len(BODY) - 1}/{len(BODY)}"
    if chunked:
        content = b"%x\r\n%s\r\n0\r\n\r\n" % (len(content), content)
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(content)}"
    return head(where, length, *lines, status="206 Partial Content") + content


@WAYS
@pytest.mark.parametrize("chunked", [False, True])
def test_a_206_that_is_longer_than_the_rest_is_refused(server, tmp_path, fetch, chunked):
    server.behave = pieces(cut('ETag: "1"'), rest(longer=b"9,9\n" * 20, chunked=chunked))
    assert "more than the" in refused(fetch, tmp_path, mirror(server.url()))
    server.requests.clear()
    server.behave = pieces(cut('ETag: "1"'), rest(chunked=chunked))
    assert fetch(tmp_path, mirror(server.url())) == BODY


def test_pieces_are_joined_only_where_something_shows_that_they_fit(server, tmp_path):
    """Without ETag or date the file is fetched again from its beginning."""
    other = BODY[::-1]
    changed = head(f"Content-Length: {len(BODY)}") + other
    server.behave = pieces(cut(), changed)
    assert by_download(tmp_path, mirror(server.url())) == other
    assert not any(b"Range" in request for request in server.requests)
    server.requests.clear()
    assert "cannot be resumed" in refused(by_stream, tmp_path, mirror(server.url()))


@WAYS
@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_an_encoding_that_nobody_asked_for_is_refused(server, tmp_path, fetch, encoding):
    packed = gzip.compress(bytes(50_000_000)) if encoding == "gzip" else b"abc"
    lines = [f"Content-Encoding: {encoding}", f"Content-Length: {len(packed)}"]
    server.behave = pieces(head(*lines) + packed)
    message = refused(fetch, tmp_path, mirror(server.url()))
    assert f"Content-Encoding: {encoding}; Content-Length: {len(packed)}" in message
    assert len(server.requests) == 1


@WAYS
@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\n",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300 + b"\r\n",
        b"HTTP/1.1 999 ?\r\nContent-Length: 0\r\n\r\n",
        head("Transfer-Encoding: chunked") + b"zz\r\n",
        head("Content-Length: -5") + b"a",
    ],
)
def test_bad_framing_is_one_error(server, tmp_path, fetch, answer):
    server.behave = pieces(answer)
    refused(fetch, tmp_path, mirror(server.url()))


# --- Secrets ----------------------------------------------------------------------------------


@WAYS
def test_a_password_in_the_address_of_the_api_is_not_shown(tmp_path, fetch, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("KAGGLE_API_ENDPOINT", f"http://me:{SECRET}@127.0.0.1:9")
    page = "https://www.kaggle.com/datasets/owner/slug?select=data.csv"
    message = refused(fetch, tmp_path, mirror(page, kind="kaggle"))
    assert "no connection to 127.0.0.1," in message
    assert SECRET not in message + caplog.text


@WAYS
def test_a_dead_target_is_reported_under_its_own_name(server, tmp_path, fetch, caplog):
    caplog.set_level(logging.INFO)
    where = f"Location: http://me:{SECRET}@localhost:9/x?key={SECRET}"
    server.behave = pieces(head(where, "Content-Length: 0", status="302 Found"))
    message = refused(fetch, tmp_path, mirror(server.url()))
    assert "no connection to where it leads, or it was cut." in message
    assert "(it leads to localhost)" in message
    assert SECRET not in message + caplog.text


@pytest.mark.parametrize("begun", [b"", cut(at=100), cut(at=2 * BLOCK_BYTES)])
def test_a_socket_that_times_out_first_says_what_was_waited_for(server, begun):
    """So it does in a process that had no turn for as long: a laptop that was asleep, say."""

    def behave(connection, request, server):
        server.send(connection, begun)
        server.stopping.wait(20)

    server.behave = behave
    answer = module._request(server.url(), {}, timeout_s=0.1)
    with pytest.raises(module._ConnectionLostError, match=r"^less than 64 KiB came within 0\.1 s"):
        list(answer)
