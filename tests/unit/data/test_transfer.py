"""The one transfer, against answers that no server of HTTP would give."""

import gzip
import hashlib
import itertools
import logging
import re
import shutil
import time
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

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
    def read(stream, row):
        content = stream.read()
        if not content:
            raise DataError(f"{row.url}: the file is empty.")  # as readers do
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


SMALL = BODY[: 5 * BLOCK_BYTES - 77]
OTHER = bytes(reversed(SMALL))
EMPTY = "its file has 0 bytes|the file is empty"
PLACES = st.integers(0, len(SMALL)) | st.sampled_from([0, BLOCK_BYTES - 1, BLOCK_BYTES, 1 << 18])
REFUSED = [
    (head("Content-Length: 0", status="404 ?"), "HTTP 404 instead"),
    (head("Content-Length: 0", status="400 ?"), "HTTP 400 instead"),
    (head("Content-Type: Text/HTML; charset=utf-8") + b"1", "a web page instead"),
    (head() + b"\n <!DOCTYPE html><title>Log in</title>", "a web page instead"),
    (head() + b"\xef\xbb\xbf<html>", "a web page instead"),
    (head() + b'<?xml version="1.0"?><Error>', "a web page instead"),
    (head("Content-Encoding: br") + b"abc", "packed, .*Content-Encoding: br;"),
    (head("Content-Length: -5") + b"a", "no number, .*Content-Length: -5"),
    (head("Content-Length: 0"), EMPTY),
    (b"HTTP/1.1 200", EMPTY),
]
# What a server answers to one request; see ``build_answer`` and ``predict``.
ANSWERS = st.one_of(
    st.tuples(st.just("file"), PLACES),
    st.tuples(st.just("file"), PLACES),
    st.tuples(st.just("chunks"), PLACES),
    st.tuples(st.just("file without ranges"), PLACES),
    st.tuples(st.just("busy"), st.sampled_from([429, 999]) | st.integers(500, 599)),
    st.tuples(st.just("changed"), st.booleans()),
    st.tuples(
        st.just("elsewhere"),
        st.sampled_from(["bytes 5-99/100", "bytes 0-99/282000", "", "bytes */9"]),
    ),
    st.tuples(
        st.just("no HTTP"),
        st.sampled_from([b"", b"SSH-2.0-OpenSSH\r\n", head(*["X: y"] * 300)]),
    ),
    st.tuples(
        st.just("refused"),
        st.one_of(
            st.integers(201, 499)
            .filter(lambda code: code not in (206, 304, 416, 429))
            .map(lambda code: (head("Content-Length: 0", status=f"{code} ?"), f"HTTP {code} inst")),
            st.sampled_from(REFUSED),
        ),
    ),
    st.tuples(st.just("longer"), st.booleans()),
)


def build_answer(kind, detail, request, tag):
    """The bytes of an answer to a request of the file SMALL, which may be cut at a place."""
    asked = re.search(rb"\r\nRange: bytes=(\d+)-\r\n", request)
    start = int(asked[1]) if asked and b'\r\nIf-Range: "1"\r\n' in request else 0
    if kind == "refused":
        return detail[0]
    if kind == "no HTTP":
        return detail
    if kind == "busy":
        return head("Content-Length: 0", status=f"{detail} ?")
    if kind == "elsewhere":
        lines = [f"Content-Range: {detail}"] if detail else []
        code = "206 Part" if detail else "416 No"
        return head("Content-Length: 9", *lines, *tag, status=code) + SMALL[:9]
    if kind == "changed":  # honest, or a piece of another file although If-Range forbids it
        start = start if detail else 0
        tag = ['ETag: "2"'] if tag else []
        code = "206 Part" if start else "200 OK"
        lines = [f"Content-Range: bytes {start}-{len(SMALL) - 1}/{len(SMALL)}"] if start else []
        lines.append(f"Content-Length: {len(OTHER) - start}")
        return head(*lines, *tag, status=code) + OTHER[start:]
    start = 0 if kind == "file without ranges" else start
    where = [f"Content-Range: bytes {start}-{len(SMALL) - 1}/{len(SMALL)}"] if start else []
    content = SMALL[start:] + b"9,9\n" * 20 * (kind == "longer" and start > 0)
    status = "206 Part" if start else "200 OK"
    end = max(detail - start, 0) if kind.startswith(("file", "chunks")) else len(content)
    if kind == "chunks" or (kind == "longer" and detail):
        chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (len(content), content)
        end = len(chunk) if end >= len(content) else end + len(b"%x\r\n" % len(content))
        return head("Transfer-Encoding: chunked", *where, *tag, status=status) + chunk[:end]
    return head(f"Content-Length: {len(content)}", *where, *tag, status=status) + content[:end]


def predict(answers, is_tagged, fetch):
    """What comes of the answers, bytes or words of an error; and where each request begins.

    A piece of 64 KiB counts when it has come.  Where a tag says that the rest is of the same file,
    only the rest is asked for; elsewhere all is fetched again, which a stream cannot use.
    """
    received, handed, is_known, starts = 0, 0, False, []
    for kind, detail in [*answers, ("file", len(SMALL))]:
        starts.append(received if is_known and is_tagged else 0)
        start = 0 if kind == "file without ranges" else starts[-1]
        if kind == "refused":
            if detail[1] == EMPTY and handed and fetch is by_stream:
                return "cannot be resumed", starts
            return detail[1], starts
        if kind in ("busy", "no HTTP"):
            continue
        if kind == "elsewhere" or (kind == "changed" and detail and start):
            received = 0
            continue
        start = 0 if kind == "changed" else start
        content = OTHER if kind == "changed" else SMALL
        end = detail if kind.startswith(("file", "chunks")) else len(content)
        if not start:
            received, is_known = 0, not (kind == "chunks" or (kind == "longer" and detail))
        if end < len(content):
            end = max(start, end // BLOCK_BYTES * BLOCK_BYTES)
        if end > start and fetch is by_stream and start != handed:
            return "cannot be resumed", starts
        if kind == "longer" and start:
            return "more than the", starts
        received, handed = end, end if end > start else handed
        if end == len(content):
            return content, starts
    raise AssertionError("the last answer is the file")


def check_answers(server, tmp_path, fetch, answers, is_tagged, known):
    """What comes of the answers of a server is what is predicted, and so is each request."""
    tag = ['ETag: "1"'] if is_tagged else []
    server.requests.clear()

    def behave(connection, request, server):
        number = len(server.requests) - 1
        kind, detail = answers[number] if number < len(answers) else ("file", len(SMALL))
        server.send(connection, build_answer(kind, detail, request, tag))

    server.behave = behave
    row = mirror(server.url())
    if known:
        row = replace(row, bytes=len(SMALL), sha256=hashlib.sha256(SMALL).hexdigest())
    expected, starts = predict(answers, is_tagged, fetch)
    if expected == OTHER and known and fetch is by_download:
        expected = "its file has"
    options = {"attempts": len(answers) + 1, "backoff_s": 0.0, "timeout_s": 60.0}
    if isinstance(expected, bytes):
        assert fetch(tmp_path, row, **options) == expected
        shutil.rmtree(tmp_path / "got", ignore_errors=True)
    else:
        with pytest.raises(DownloadError) as caught:
            fetch(tmp_path, row, **options)
        message = str(caught.value)
        assert re.search(expected, message)
        assert row.url in message
        assert "By hand: Ask the librarian." in message
        assert message.replace("\n", "").isprintable()
    asked = [re.search(rb"Range: bytes=(\d+)-", request) for request in server.requests]
    assert [int(each[1]) if each else 0 for each in asked] == starts


@WAYS
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers=st.lists(ANSWERS, max_size=5), is_tagged=st.booleans(), known=st.booleans())
@example(answers=[("file", 100_001)] * 3, is_tagged=True, known=True)
@example(answers=[("file", 100_001), ("longer", True)], is_tagged=True, known=False)
@example(answers=[("file", 100_001), ("changed", True)], is_tagged=True, known=False)
@example(answers=[("file", 100_001), ("changed", False)], is_tagged=True, known=True)
@example(answers=[("file", 100_001)], is_tagged=False, known=False)
@example(answers=[("file", 100_001), ("refused", REFUSED[-2])], is_tagged=False, known=False)
@example(answers=[("file", 65_536), ("refused", REFUSED[3])], is_tagged=False, known=False)
def test_whatever_a_server_answers_the_bytes_come_or_a_readable_error(
    server, tmp_path, fetch, answers, is_tagged, known
):
    check_answers(server, tmp_path, fetch, answers, is_tagged, known)


@WAYS
def test_an_answer_that_is_no_file_is_refused_and_not_asked_for_again(server, tmp_path, fetch):
    for answer in REFUSED:
        check_answers(server, tmp_path, fetch, [("refused", answer)], True, True)


@WAYS
@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_an_encoding_that_nobody_asked_for_is_refused(server, tmp_path, fetch, encoding):
    packed = gzip.compress(bytes(50_000_000)) if encoding == "gzip" else b"abc"
    lines = [f"Content-Encoding: {encoding}", f"Content-Length: {len(packed)}"]
    server.behave = pieces(head(*lines) + packed)
    message = refused(fetch, tmp_path, mirror(server.url()))
    assert f"Content-Encoding: {encoding}; Content-Length: {len(packed)}" in message
    assert len(server.requests) == 1


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


BEGUN = head(f"Content-Length: {len(BODY)}") + BODY


@pytest.mark.parametrize("begun", [b"", BEGUN[:200], BEGUN[: 2 * BLOCK_BYTES]])
def test_a_socket_that_times_out_first_says_what_was_waited_for(server, begun):
    """So it does in a process that had no turn for as long: a laptop that was asleep, say."""

    def behave(connection, request, server):
        server.send(connection, begun)
        server.stopping.wait(20)

    server.behave = behave
    answer = module._request(server.url(), {}, timeout_s=0.1)
    with pytest.raises(module._ConnectionLostError, match=r"^less than 64 KiB came within 0\.1 s"):
        list(answer)
