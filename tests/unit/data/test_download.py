"""Downloads from a server that misbehaves, archives that are hostile, and the registry of data."""

import functools
import gzip
import hashlib
import io
import json
import logging
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
import traceback
import zipfile
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from misbehaving_server import file, in_turn, mirror, misbehaving_server, start_of_range, status
from noiseless.data import archives
from noiseless.data import download as module
from noiseless.data.archives import RejectedFileError
from noiseless.data.download import BLOCK_BYTES, download
from noiseless.data.registry import (
    get_registered_sha256,
    list_mirrors,
    load_sources,
    parse_kaggle_url,
)
from noiseless.errors import ConfigError, DownloadError
from noiseless.files import write_atomically

pytestmark = pytest.mark.usefixtures("own_surroundings")

ROOT = Path(__file__).parents[3]
PAYLOAD = bytes(range(33, 127)) * 3000  # 282 kB, no markup at the start
TOKEN = "s3cr3t-0f-the-user"
QUICK = {"attempts": 3, "backoff_s": 0.001, "timeout_s": 5.0, "max_bytes": 10**6}


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def server(monkeypatch):
    with misbehaving_server() as running:
        monkeypatch.setenv("KAGGLE_API_ENDPOINT", running.url("/"))
        yield running


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "download"


def fetch(folder, *rows, **options):
    """Download to ``folder``; it must then hold the file and nothing else."""
    used = download(rows, folder / "data.csv", **QUICK | options)
    assert [path.name for path in folder.iterdir()] == ["data.csv"]
    return used


def refuse(folder, *rows, **options):
    """The message of a download that fails and leaves nothing behind."""
    with pytest.raises(DownloadError) as caught:
        download(rows, folder / "data.csv", **QUICK | options)
    assert list(folder.iterdir()) == []
    message = str(caught.value)
    assert "By hand: Ask the librarian." in message
    assert "local" in message
    assert all(row.url in message for row in rows)
    return message


def arrived(folder):
    return (folder / "data.csv").read_bytes()


# --- Cuts and resumption ----------------------------------------------------------------------


def test_a_file_arrives_whole(server, folder):
    server.routes["/f"] = file(PAYLOAD)
    row = mirror(server.url("/f"), bytes=len(PAYLOAD), sha256=sha256(PAYLOAD))
    assert fetch(folder, row) == row
    assert arrived(folder) == PAYLOAD
    assert "Range" not in server.requests[0].headers
    assert server.requests[0].headers["Accept-Encoding"] == "identity"


def test_last_modified_serves_where_the_etag_is_weak(server, folder):
    date = "Wed, 21 Oct 2015 07:28:00 GMT"

    def behave(handler):
        start = start_of_range(handler)
        handler.answer(
            206 if start else 200,
            PAYLOAD[start : start + 200_000],
            length=len(PAYLOAD) - start,
            ETag='W/"weak"',
            Last_Modified=date,
            Content_Range=f"bytes {start}-{len(PAYLOAD) - 1}/{len(PAYLOAD)}",
        )
        if start == 0:
            handler.cut()

    server.routes["/f"] = behave
    fetch(folder, mirror(server.url("/f")))
    assert arrived(folder) == PAYLOAD
    assert server.requests[1].headers["If-Range"] == date


def test_attempts_count_anew_after_progress(server, folder):
    cuts = range(80_000, len(PAYLOAD), 80_000)
    server.routes["/f"] = file(PAYLOAD, cuts=cuts)
    fetch(folder, mirror(server.url("/f"), sha256=sha256(PAYLOAD)), attempts=1)
    assert arrived(folder) == PAYLOAD
    assert len(server.requests) == len(cuts) + 1


def test_cuts_without_progress_end(server, folder):
    server.routes["/f"] = file(PAYLOAD, cuts=[100_000] * 100)
    message = refuse(folder, mirror(server.url("/f")))
    assert "cut" in message
    assert f"{100_000 // BLOCK_BYTES * BLOCK_BYTES} bytes have come over 4 connections" in message


@pytest.mark.parametrize("code", [206, 416])
def test_a_part_that_nobody_asked_for_is_refused(server, folder, code):
    where = f"bytes 0-99/{len(PAYLOAD)}"
    server.routes["/f"] = status(code, PAYLOAD[:100], Content_Range=where)
    assert "the file changed" in refuse(folder, mirror(server.url("/f")))


def test_a_length_that_nobody_knows_is_warned_of(server, folder, caplog):
    server.routes["/f"] = lambda handler: handler.answer(200, PAYLOAD, length="none")
    fetch(folder, mirror(server.url("/f")))
    assert "a cut of the connection may go unnoticed" in caplog.text


# --- Errors of the server ---------------------------------------------------------------------


def test_a_busy_server_is_asked_again(server, folder, monkeypatch):
    waits = []
    monkeypatch.setattr(module.time, "sleep", waits.append)
    server.routes["/f"] = in_turn(status(503), status(500), file(PAYLOAD))
    fetch(folder, mirror(server.url("/f")), backoff_s=1.0)
    assert arrived(folder) == PAYLOAD
    assert waits == [1.0, 2.0]


def as_http_date(from_now_s, zone="GMT"):
    """A date as HTTP has it."""
    moment = datetime.now(UTC) + timedelta(seconds=from_now_s)
    return f"{moment:%a, %d %b %Y %H:%M:%S} {zone}"


WAITS = st.one_of(
    st.integers(0, 302).map(lambda wait_s: (lambda: str(wait_s), wait_s)),
    st.integers(0, 10**18 - 1).map(lambda wait_s: (lambda: str(wait_s), wait_s)),
    st.integers(-300, 4000).map(lambda wait_s: (lambda: as_http_date(wait_s), wait_s)),
    st.integers(1, 300).map(lambda wait_s: (lambda: as_http_date(wait_s, "-0000"), 0)),  # no zone
    # Headers are sent as Latin-1; what is none stands for a value that nobody can read.
    st.sampled_from(["soon", "-5", "\u0667", "7.5", "", "0x7", "9" * 19, "7 s"]).map(
        lambda text: (lambda: text.encode().decode("latin-1"), 0)
    ),
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(code=st.just(429) | st.integers(500, 599), asked=WAITS)
def test_a_server_that_says_how_long_to_wait_is_waited_for_or_left(server, folder, code, asked):
    """Not sooner than without its word, and not longer than five minutes."""
    build_text, wait_s = asked
    waits = []
    server.requests.clear()
    server.routes["/busy"] = in_turn(status(code, Retry_After=build_text()), file(PAYLOAD[:9]))
    server.routes["/f"] = file(PAYLOAD[:9])
    busy, other = mirror(server.url("/busy")), mirror(server.url("/f"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module.time, "sleep", waits.append)
        used = fetch(folder, busy, other, backoff_s=1.0)
    assert arrived(folder) == PAYLOAD[:9]
    paths = [request.path for request in server.requests]
    if used == other:
        assert wait_s > 300
        assert waits == []
        assert paths == ["/busy", "/f"]
    else:
        assert wait_s < 400  # a date comes nearer while the test runs
        assert max(1, wait_s - 100) <= waits[0] <= min(max(1, wait_s), 300)
        assert paths == ["/busy", "/busy"]


def test_the_wait_of_one_answer_is_not_that_of_the_next(server, folder, monkeypatch):
    waits = []
    monkeypatch.setattr(module.time, "sleep", waits.append)
    server.routes["/f"] = in_turn(status(503, Retry_After="60"), status(503), file(PAYLOAD))
    fetch(folder, mirror(server.url("/f")), backoff_s=1.0)
    assert waits == [60.0, 2.0]


def test_a_server_that_asks_for_too_long_is_named(server, folder):
    server.routes["/f"] = status(503, Retry_After="301")
    message = refuse(folder, mirror(server.url("/f")))
    assert "It asks to wait for more than 300 s." in message
    assert len(server.requests) == 1


def test_the_next_mirror_is_tried(server, folder):
    server.routes["/gone"] = status(404)
    server.routes["/f"] = file(PAYLOAD)
    rows = [mirror(server.url("/gone")), mirror(server.url("/f"))]
    assert fetch(folder, *rows) == rows[1]
    assert arrived(folder) == PAYLOAD
    assert len(server.requests) == 2


def test_the_error_has_a_line_for_each_mirror(server, folder):
    server.routes["/a"] = status(404)
    server.routes["/b"] = status(410)
    message = refuse(
        folder,
        mirror(server.url("/dead"), status="dead"),
        mirror(server.url("/a")),
        mirror(server.url("/b")),
    )
    lines = message.splitlines()
    assert len(lines) == 5
    assert "dead on 2026-11-21" in lines[1]
    assert "HTTP 404" in lines[2]
    assert "HTTP 410" in lines[3]
    assert message.count("Ask the librarian.") == 1
    assert [request.path for request in server.requests] == ["/a", "/b"]


def test_a_server_that_stays_busy_is_given_up(server, folder):
    server.routes["/f"] = status(503)
    assert re.search("HTTP 503.*over 3 connections", refuse(folder, mirror(server.url("/f"))))
    assert len(server.requests) == 3


@pytest.mark.parametrize("nowhere", ["ftp://localhost/f", "http://.x/f", "http://[::1/f"])
def test_a_redirect_to_what_is_no_address_is_refused(server, folder, nowhere):
    server.routes["/f"] = status(302, Location=nowhere)
    assert "cannot be used" in refuse(folder, mirror(server.url("/f")))
    assert len(server.requests) == 1


@pytest.mark.parametrize("length", [None, "none"])
@pytest.mark.parametrize("difference", [-10, 10])
def test_a_wrong_length_is_noticed(server, folder, difference, length):
    expected = len(PAYLOAD) + difference

    def behave(handler):
        if "Range" in handler.headers:
            handler.answer(416)
        else:
            handler.answer(200, PAYLOAD, length=length)

    server.routes["/f"] = behave
    message = refuse(folder, mirror(server.url("/f"), bytes=expected))
    assert str(expected) in message
    if length is None:
        assert f"its file has {len(PAYLOAD)} bytes" in message
        assert len(server.requests) == 1


def test_wrong_bytes_are_noticed(server, folder):
    server.routes["/f"] = file(PAYLOAD[::-1])
    message = refuse(folder, mirror(server.url("/f"), bytes=len(PAYLOAD), sha256=sha256(PAYLOAD)))
    assert sha256(PAYLOAD) in message
    assert sha256(PAYLOAD[::-1]) in message
    assert len(server.requests) == 1


def test_an_endless_stream_is_stopped(server, folder):
    def behave(handler):
        handler.answer(200, b"1,2\n", length="none")
        while not handler.server.stopping.is_set():
            handler.wfile.write(b"1,2\n" * 1000)
            handler.server.sent += 4000

    server.routes["/f"] = behave
    message = refuse(folder, mirror(server.url("/f")), max_bytes=100_000)
    assert "more than the 100000 bytes" in message
    assert len(server.requests) == 1


def test_a_file_that_says_it_is_too_large_is_not_read(server, folder):
    server.routes["/f"] = file(PAYLOAD)
    assert "more than the 1000 bytes" in refuse(folder, mirror(server.url("/f")), max_bytes=1000)


def test_the_registered_size_comes_before_the_parameter(server, folder):
    server.routes["/f"] = file(PAYLOAD)
    fetch(folder, mirror(server.url("/f"), bytes=len(PAYLOAD)), max_bytes=10)
    assert arrived(folder) == PAYLOAD


def test_a_server_that_says_nothing_times_out(server, folder):
    server.routes["/f"] = lambda handler: handler.server.stopping.wait(5)
    started = time.monotonic()
    message = refuse(folder, mirror(server.url("/f")), timeout_s=0.2, attempts=2)
    assert "came within 0.2 s" in message
    assert time.monotonic() - started < 3


def test_a_server_that_goes_silent_times_out(server, folder):
    def behave(handler):
        handler.answer(200, PAYLOAD[:100_000], length=len(PAYLOAD))
        handler.server.stopping.wait(5)

    server.routes["/f"] = behave
    message = refuse(folder, mirror(server.url("/f")), timeout_s=0.2, attempts=1)
    assert "came within 0.2 s. 65536 bytes have come" in message


def test_a_server_that_is_not_there_is_one_readable_error(folder):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    message = refuse(folder, mirror(f"http://127.0.0.1:{port}/f"))
    assert "no connection to 127.0.0.1, or it was cut" in message


def test_a_redirect_is_followed_and_a_circle_is_not(server, folder):
    server.routes["/f"] = status(302, Location="/g")
    server.routes["/g"] = file(PAYLOAD)
    server.routes["/loop"] = status(302, Location="/loop")
    fetch(folder, mirror(server.url("/loop")), mirror(server.url("/f")))
    assert arrived(folder) == PAYLOAD
    (folder / "data.csv").unlink()
    assert "one it leads to" in refuse(folder, mirror(server.url("/loop")))


# --- What is left behind ----------------------------------------------------------------------


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, MemoryError])
def test_an_interrupt_leaves_nothing_behind(server, folder, monkeypatch, stop):
    def interrupt(seconds):
        assert len(list(folder.iterdir())) == 1  # the part that has arrived
        raise stop

    monkeypatch.setattr(module.time, "sleep", interrupt)
    server.routes["/f"] = file(PAYLOAD, cuts=[99_999])
    with pytest.raises(stop):
        download([mirror(server.url("/f"))], folder / "data.csv", **QUICK)
    assert list(folder.iterdir()) == []


def test_sigterm_as_an_exit_leaves_nothing_behind(server, folder):
    def behave(handler):
        handler.answer(200, PAYLOAD[:100_000], length=len(PAYLOAD))
        handler.server.stopping.wait(120)

    server.routes["/f"] = behave
    code = f"""
import signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
from noiseless.data.download import download
from noiseless.data.registry import Mirror
row = {mirror(server.url("/f"))!r}
target = {str(folder / "data.csv")!r}
download([row], target, attempts=3, backoff_s=1, timeout_s=120, max_bytes=10**6)
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "workflow")}
    with subprocess.Popen([sys.executable, "-c", code], env=environment) as process:
        deadline = time.monotonic() + 60
        while not (folder.exists() and sum(p.stat().st_size for p in folder.iterdir()) > 0):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 143
    assert list(folder.iterdir()) == []


def test_a_file_from_before_survives_a_failure(server, folder):
    folder.mkdir()
    (folder / "data.csv").write_bytes(b"old")
    server.routes["/f"] = status(404)
    with pytest.raises(DownloadError):
        download([mirror(server.url("/f"))], folder / "data.csv", **QUICK)
    assert arrived(folder) == b"old"
    server.routes["/f"] = file(PAYLOAD)
    fetch(folder, mirror(server.url("/f")))
    assert arrived(folder) == PAYLOAD


def test_a_full_disk_is_one_readable_error(server, folder, monkeypatch):
    def full(*_):
        assert len(list(folder.iterdir())) == 1  # what has arrived
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_finish_download", full)
    server.routes["/f"] = file(PAYLOAD)
    with pytest.raises(DownloadError, match=r"data.csv: No space left on device. Make room"):
        download([mirror(server.url("/f"))] * 2, folder / "data.csv", **QUICK)
    assert list(folder.iterdir()) == []
    assert len(server.requests) == 1  # another mirror would not help


# --- Kaggle -----------------------------------------------------------------------------------

KAGGLE_PAGE = "https://www.kaggle.com/datasets/owner/slug?select=folder/data.csv"
KAGGLE_PATH = "/api/v1/datasets/download/owner/slug/folder%2Fdata.csv"


def kaggle_mirror(**fields):
    return mirror(KAGGLE_PAGE, kind="kaggle", **fields)


def kaggle_json(content, folder=None):
    path = (folder or Path.home() / ".kaggle") / "kaggle.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def basic(username, key):
    return "Basic " + b64encode(f"{username}:{key}".encode()).decode()


def test_kaggle_is_asked_without_a_token_where_there_is_none(server, folder):
    server.routes[KAGGLE_PATH] = status(302, Location=server.url("/signed", "localhost"))
    server.routes["/signed"] = file(PAYLOAD)
    (Path.home() / ".netrc").write_text(f"machine 127.0.0.1 login me password {TOKEN}\n")
    fetch(folder, kaggle_mirror())
    assert arrived(folder) == PAYLOAD
    assert not any("Authorization" in request.headers for request in server.requests)


def test_who_has_no_home_is_asked_for_no_token(server, folder, monkeypatch):
    """In a container whose user has no entry either: there, "~" stays as it is."""
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    monkeypatch.setattr(Path, "home", lambda: 1 / 0)
    server.routes[KAGGLE_PATH] = file(PAYLOAD)
    fetch(folder, kaggle_mirror())
    assert not any("Authorization" in request.headers for request in server.requests)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("kaggle.json", "[" * 20_000),
        ("access_token", f"{TOKEN}\nand more"),
        ("access_token", "\u00fc"),
    ],
)
def test_a_file_that_is_no_token_is_said_without_its_content(folder, name, content):
    kaggle_json("{}").unlink()
    path = Path.home() / ".kaggle" / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"is no Kaggle token.*kaggle.com/settings") as error:
        fetch(folder, kaggle_mirror())
    assert str(path) in str(error.value)
    assert TOKEN not in str(error.value)


def test_certificates_that_are_not_there_are_not_the_disk(folder, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/ca.pem")
    said = "REQUESTS_CA_BUNDLE is '/nowhere/ca.pem', and there are no certificates"
    with pytest.raises(DownloadError, match=said) as error:
        fetch(folder, mirror("https://127.0.0.1:9/data.csv"))
    assert "Make room" not in str(error.value)


@pytest.mark.skipif(find_spec("socks") is not None, reason="pysocks is installed")
def test_a_proxy_whose_package_is_not_installed_is_named_by_its_scheme(folder, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("ALL_PROXY", f"socks5h://me:{TOKEN}@proxy.example:1080")
    said = r"a proxy is set \(socks5h://\.\.\., .*pip install PySocks"
    with pytest.raises(DownloadError, match=said) as error:
        fetch(folder, mirror("http://data.example/data.csv"))
    assert TOKEN not in str(error.value)


@pytest.mark.parametrize(
    "place",
    ["environment", "home", "config", "both", "config_dir", "token", "access_token"],
)
def test_kaggles_credentials_are_found_wherever_they_are(
    server, folder, tmp_path, monkeypatch, place
):
    expected = basic("me", TOKEN)
    content = json.dumps({"username": "me", "key": TOKEN})
    if place == "environment":
        kaggle_json(content.replace("me", "another"))
        monkeypatch.setenv("KAGGLE_USERNAME", "me")
        monkeypatch.setenv("KAGGLE_KEY", TOKEN + "\n")
    elif place == "home":
        kaggle_json(content)
    elif place in ("config", "both"):
        other = content if place == "config" else content.replace("me", "another")
        kaggle_json(other, Path.home() / ".config" / "kaggle")
        if place == "both":
            kaggle_json(content)
    elif place == "config_dir":
        kaggle_json(content, tmp_path / "elsewhere")
        monkeypatch.setenv("KAGGLE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    elif place == "access_token":
        kaggle_json(content.replace("me", "another")).with_name("access_token").write_text(
            f"{TOKEN}\n"
        )
        expected = f"Bearer {TOKEN}"
    else:
        monkeypatch.setenv("KAGGLE_API_TOKEN", TOKEN)
        expected = f"Bearer {TOKEN}"
    server.routes[KAGGLE_PATH] = file(PAYLOAD, cuts=[1000])
    fetch(folder, kaggle_mirror())
    assert [request.headers["Authorization"] for request in server.requests] == [expected] * 2


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_the_token_does_not_follow_a_redirect(server, folder, monkeypatch, caplog, capfd, host):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("KAGGLE_USERNAME", "me")
    monkeypatch.setenv("KAGGLE_KEY", TOKEN)
    with misbehaving_server() as other:
        other.routes["/signed"] = file(PAYLOAD, cuts=[1000])
        server.routes[KAGGLE_PATH] = status(302, Location=other.url("/signed", host))
        fetch(folder, kaggle_mirror())
        assert arrived(folder) == PAYLOAD
        assert [r.headers["Authorization"] for r in server.requests] == [basic("me", TOKEN)] * 2
        assert len(other.requests) == 2
        assert not any("Authorization" in request.headers for request in other.requests)
    secrets = (TOKEN, basic("me", TOKEN).removeprefix("Basic "))
    assert not any(secret in caplog.text + "".join(capfd.readouterr()) for secret in secrets)


@pytest.mark.parametrize("code", [200, 401, 403])
def test_a_refusal_of_kaggle_says_how_to_use_a_token(server, folder, monkeypatch, caplog, code):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("KAGGLE_USERNAME", "me")
    monkeypatch.setenv("KAGGLE_KEY", TOKEN)
    server.routes[KAGGLE_PATH] = status(code, Content_Type="text/html")
    message = refuse(folder, kaggle_mirror())
    assert ("a web page" if code == 200 else f"HTTP {code}") + " instead of the file" in message
    assert "data/README.md says how to use a token of Kaggle's" in message
    assert TOKEN not in message + caplog.text


def reflections(token):
    """Answers that repeat a token wherever a message might show it."""
    forms = [token, b64encode(token.encode()).decode(), token[::-1], token[:10]]
    for form in forms:
        yield status(200, PAYLOAD, Content_Encoding=form)
        yield status(200, PAYLOAD, length=form)
        yield status(200, PAYLOAD, Content_Type=f"text/html; {form}")
        yield status(206, PAYLOAD, Content_Range=form, ETag=form)
        yield status(503, Retry_After=form)
        yield status(302, Location=f"http://{form.strip('=')}.invalid/{form}")
        yield status(302, Location=f"{form}://x")
        yield status(401, form.encode())
        yield status(200, zipped((f"{form}.csv", b"1"), (f"{form}.txt", b"2")))
        yield status(200, f"<{form}".encode())


def test_a_token_that_the_server_repeats_is_shown_nowhere(server, folder, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG, logger="noiseless")
    monkeypatch.setenv("KAGGLE_API_TOKEN", TOKEN)
    said, count = "", 0
    for behaviour in reflections(TOKEN):
        server.routes[KAGGLE_PATH] = behaviour
        with pytest.raises(DownloadError) as caught:
            download([kaggle_mirror()], folder / "data.csv", **QUICK)
        said += "".join(traceback.format_exception(caught.value))
        count += 1
    assert count == 40
    assert f"Bearer {TOKEN}" in {each.headers["Authorization"] for each in server.requests}
    shown = (said + caplog.text).lower()
    forms = (TOKEN, b64encode(TOKEN.encode()).decode().strip("="), TOKEN[::-1], TOKEN[:10])
    assert not any(form.lower() in shown for form in forms)


def test_what_a_server_says_is_shown_where_no_token_is_sent(server, folder):
    server.routes["/f"] = status(200, PAYLOAD, Content_Encoding="x\x1b[31m")
    message = refuse(folder, mirror(server.url("/f")))
    assert r"(Content-Encoding: x\x1b[31m; Content-Length: 282000)" in message
    assert message.replace("\n", "").isprintable()


def zipped(*files, **options):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content, **options)
    return packed.getvalue()


@pytest.mark.parametrize("name", ["data.csv", "whatever they call it.csv"])
def test_a_zip_that_kaggle_sends_is_unpacked(server, folder, name):
    server.routes[KAGGLE_PATH] = file(zipped((name, PAYLOAD)), cuts=[50])
    row = kaggle_mirror(bytes=len(PAYLOAD), sha256=sha256(PAYLOAD))
    fetch(folder, row)
    assert arrived(folder) == PAYLOAD


def test_a_zip_of_kaggles_may_be_larger_than_the_file(server, folder):
    noise = random.Random(1).randbytes(100_000)
    server.routes[KAGGLE_PATH] = file(zipped(("data.csv", noise)))
    fetch(folder, kaggle_mirror(bytes=len(noise)))
    assert arrived(folder) == noise


def test_another_file_than_the_registered_one_is_refused_from_kaggle(server, folder):
    row = kaggle_mirror(bytes=len(PAYLOAD), sha256=sha256(PAYLOAD))
    for content, words in {
        PAYLOAD[:-1]: "its file has",
        zipped(("data.csv", PAYLOAD[:-1])): "its file has",
        PAYLOAD[::-1]: "sha256",
        zipped(("data.csv", PAYLOAD + b"1")): "more than",
        zipped(("data.csv", PAYLOAD), ("more.csv", PAYLOAD)): "one of the files",
        PAYLOAD * 2: "more than",
    }.items():
        server.routes[KAGGLE_PATH] = file(content)
        assert words in refuse(folder, row)


@pytest.mark.parametrize(
    "content",
    [
        f'{{"username": "me", "key": "{TOKEN}"',
        f'{{"username": "me", "token": "{TOKEN}"}}',
        f'["{TOKEN}"]',
        f'{{"username": "me", "key": ["{TOKEN}"]}}',
        "\udcff",
    ],
)
def test_a_malformed_kaggle_json_is_one_error_without_its_content(server, folder, content):
    path = kaggle_json("")
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(ConfigError) as caught:
        download([kaggle_mirror()], folder / "data.csv", **QUICK)
    assert str(path) in str(caught.value)
    assert "https://www.kaggle.com/settings" in str(caught.value)
    assert TOKEN not in "".join(traceback.format_exception(caught.value))
    assert server.requests == []
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("token", [f"{TOKEN}\nX-More: 1", f"{TOKEN}\u20ac"])
def test_a_token_that_cannot_be_sent_is_not_shown(server, folder, monkeypatch, caplog, token):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("KAGGLE_API_TOKEN", token)
    message = refuse(folder, kaggle_mirror())
    assert "a token cannot be used" in message
    assert TOKEN not in message + caplog.text
    assert server.requests == []


# --- Archives ---------------------------------------------------------------------------------


def tarred(*entries, compression="", entry_type=tarfile.REGTYPE):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=f"w:{compression}") as archive:
        for name, content in entries:
            entry = tarfile.TarInfo(name)
            entry.type = entry_type
            if entry.isreg():
                entry.size = len(content)
            else:
                entry.linkname = content.decode()
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


@functools.cache
def packed_file(kind, payload=PAYLOAD):
    """An archive with the payload in it."""
    entries = [("notes.pdf", b"notes"), ("a/data.csv", payload)]
    if kind == "gz":
        return gzip.compress(payload)
    return zipped(*entries) if kind == "zip" else tarred(*entries, compression=kind[4:])


KINDS = ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz", "gz"]


def unpack(tmp_path, content, kind, member="a/data.csv", max_bytes=10**6):
    archive = tmp_path / f"archive.{kind}"
    archive.write_bytes(content)
    kind = kind.split(".")[0]
    member = None if kind == "gz" else member
    with write_atomically(out(tmp_path)) as whole:
        archives.extract_file(archive, member, whole, kind, max_bytes=max_bytes)
    assert [path.name for path in out(tmp_path).parent.iterdir()] == ["data.csv"]
    return out(tmp_path).read_bytes()


def out(tmp_path):
    return tmp_path / "out" / "data.csv"


def refuse_archive(tmp_path, content, kind, **options):
    with pytest.raises(RejectedFileError) as caught:
        unpack(tmp_path, content, kind, **options)
    assert list(out(tmp_path).parent.iterdir()) == []
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return f"{caught.value} {caught.value.server_text}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("member", ["a/data.csv", "*.csv"])
def test_a_member_comes_out(tmp_path, kind, member):
    assert unpack(tmp_path, packed_file(kind), kind, member=member) == PAYLOAD


def test_the_only_file_needs_no_name(tmp_path):
    assert unpack(tmp_path, zipped(("a/", b""), ("a/x", PAYLOAD)), "zip", member=None) == PAYLOAD
    message = refuse_archive_again(tmp_path, packed_file("zip"))
    assert "2 do" in message


def refuse_archive_again(tmp_path, content):
    out(tmp_path).unlink()
    return refuse_archive(tmp_path, content, "zip", member=None)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parts=st.lists(st.sampled_from(["..", "a", "", ".", "etc", "C:", "c:evil"]), max_size=4),
    last=st.sampled_from(["evil", ".."]),
    separator=st.sampled_from("/\\"),
    kind=st.sampled_from(["zip", "tar", "tar.gz"]),
    member=st.sampled_from(["a/data.csv", None]),
)
@example(parts=["..", ".."], last="evil", separator="/", kind="zip", member=None)
@example(parts=["", "etc"], last="evil", separator="/", kind="tar", member=None)
@example(parts=["C:"], last="evil", separator="\\", kind="zip", member="a/data.csv")
def test_an_entry_that_climbs_out_is_written_nowhere_else(
    tmp_path, parts, last, separator, kind, member
):
    """Also where it is the one that is asked for."""
    entries = [(separator.join([*parts, last]), b"evil")]
    entries += [("a/data.csv", PAYLOAD)] * (member is not None)
    content = zipped(*entries) if kind == "zip" else tarred(*entries, compression=kind[4:])
    shutil.rmtree(tmp_path / "deep", ignore_errors=True)
    folder = tmp_path / "deep" / "deeper"
    folder.mkdir(parents=True)
    assert unpack(folder, content, kind, member) == (PAYLOAD if member else b"evil")
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    inside = {f"archive.{kind}", "out", "out/data.csv"}
    assert found == {"deep", "deep/deeper"} | {f"deep/deeper/{path}" for path in inside}
    assert not Path("/etc/evil").exists()


def test_names_with_dots_are_harmless(tmp_path):
    content = zipped(("..data..csv", b"1"), ("a/data.csv", PAYLOAD), (".hidden", b"2"))
    assert unpack(tmp_path, content, "zip") == PAYLOAD


@pytest.mark.parametrize(
    "link", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)
def test_a_link_in_a_tar_is_not_followed(tmp_path, link):
    message = refuse_archive(
        tmp_path, tarred(("a/data.csv", b"/etc/passwd"), entry_type=link), "tar"
    )
    assert "but 0 do" in message


def test_a_link_in_a_zip_is_not_followed(tmp_path):
    link = zipfile.ZipInfo("a/data.csv")
    link.external_attr = 0o120777 << 16
    message = refuse_archive(tmp_path, zipped((link, b"/etc/passwd")), "zip")
    assert "but 0 do" in message


@pytest.mark.parametrize("kind", KINDS)
def test_a_bomb_is_stopped(tmp_path, kind):
    message = refuse_archive(tmp_path, packed_file(kind), kind, max_bytes=len(PAYLOAD) - 1)
    assert f"more than the {len(PAYLOAD) - 1} bytes" in message


def test_a_zip_that_lies_about_its_size_is_stopped(tmp_path):
    content = zipped(("a/data.csv", b"0" * 10**6))
    lie = content.replace((10**6).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lie != content
    refuse_archive(tmp_path, lie, "zip", max_bytes=1000)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 6000) | st.integers(1, 40).map(lambda back: -back))
@example(cut=0)
@example(cut=-1)
@example(cut=1024)
@example(cut=1024 + 511)
@example(cut=1024 + 512)
def test_a_truncated_archive_is_damaged(tmp_path, kind, cut):
    content = packed_file(kind, PAYLOAD[:5000])
    cut = content[: max(cut, 0) % len(content) if cut >= 0 else cut]
    out(tmp_path).unlink(missing_ok=True)
    if kind == "gz" and not cut:  # nothing, of which gzip makes nothing: see the empty files
        assert unpack(tmp_path, cut, kind) == b""
    elif kind == "tar" and len(cut) >= content.rindex(PAYLOAD[4000:5000]) + 1000:
        assert unpack(tmp_path, cut, kind) == PAYLOAD[:5000]  # what comes after is padding
    elif kind == "tar" and len(cut) in range(at := content.index(b"a/data.csv"), at + 512):
        assert "but 0 do" in refuse_archive(tmp_path, cut, kind)  # cut before its head is complete
    else:
        assert "damaged, cut short" in refuse_archive(tmp_path, cut, kind)


def flipped(content, *places):
    """With the lowest bit of some bytes turned round."""
    spoiled = bytearray(content)
    for place in places:
        spoiled[place] ^= 1
    return bytes(spoiled)


def encrypted():
    """As the local header and the directory say."""
    content = zipped(("a/data.csv", PAYLOAD))
    return flipped(content, 6, content.index(b"PK\x01\x02") + 8)


def stored():
    """With other bytes than those of its checksum."""
    content = zipped(("a/data.csv", PAYLOAD), compress_type=zipfile.ZIP_STORED)
    return content.replace(PAYLOAD[:9], b"123456789", 1)


def leads_before_itself():
    """The directory begins 64 KiB later, it says."""
    content = packed_file("zip")
    return flipped(content, content.index(b"PK\x05\x06") + 18)


def nameless():
    return zipped(("nameless", b"1"), ("a/data.csv", PAYLOAD)).replace(b"nameless", bytes(8))


@pytest.mark.parametrize(
    ("kind", "spoil", "said"),
    [
        ("gz", lambda: flipped(packed_file("gz"), -8), "damaged"),
        ("tar.gz", lambda: flipped(packed_file("tar.gz"), -8), "damaged"),
        *(("zip", spoil, "damaged") for spoil in (stored, leads_before_itself, nameless)),
        ("zip", encrypted, "encrypted"),
    ],
)
def test_a_spoiled_archive_is_one_readable_error(tmp_path, kind, spoil, said):
    assert said in refuse_archive(tmp_path, spoil(), kind)


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_a_missing_member_is_named_with_those_that_are_there(tmp_path, kind):
    message = refuse_archive(tmp_path, packed_file(kind), kind, member="b/data.csv")
    assert "b/data.csv" in message
    assert "notes.pdf, a/data.csv" in message


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(position=st.integers(0, 10**6), value=st.integers(0, 255), extra=st.booleans())
def test_a_damaged_archive_gives_the_file_or_an_error(tmp_path, kind, position, value, extra):
    payload = PAYLOAD[:5000]
    content = bytearray(packed_file(kind, payload))
    content[position % len(content)] = value
    if extra:
        content.insert(position // 7 % len(content), value)
    try:
        result = unpack(tmp_path, bytes(content), kind)
    except RejectedFileError:
        return
    finally:
        out(tmp_path).unlink(missing_ok=True)
        assert list(out(tmp_path).parent.iterdir()) == []
    # A plain tar archive has no checksum of its contents.
    assert result == payload or kind == "tar"


@pytest.mark.parametrize("archive", ["zip", "tar", "gz"])
def test_an_archive_is_fetched_checked_and_unpacked(server, folder, archive):
    content = packed_file(archive)
    row = mirror(
        server.url("/f"),
        archive=archive,
        member=None if archive == "gz" else "*.csv",
        archive_bytes=len(content),
        archive_sha256=sha256(content),
        bytes=len(PAYLOAD),
        sha256=sha256(PAYLOAD),
    )
    server.routes["/f"] = file(content, cuts=[100])
    fetch(folder, row, max_bytes=1)
    assert arrived(folder) == PAYLOAD
    (folder / "data.csv").unlink()
    assert "sha256" in refuse(folder, replace(row, sha256="0" * 64))
    assert "sha256" in refuse(folder, replace(row, archive_sha256="0" * 64))
    assert "its file has" in refuse(folder, replace(row, archive_bytes=len(content) - 1))
    assert "more than the 3 bytes" in refuse(folder, replace(row, bytes=3))


def test_an_empty_file_in_an_archive_is_noticed(server, folder):
    server.routes["/f"] = file(zipped(("data.csv", b"")))
    assert "its file has 0 bytes" in refuse(folder, mirror(server.url("/f"), archive="zip"))


def test_a_damaged_archive_is_left_for_the_next_mirror(server, folder):
    content = packed_file("zip")
    server.routes["/bad"] = file(content[:-9])
    server.routes["/good"] = file(content)
    rows = [
        mirror(server.url(path), archive="zip", member="a/data.csv") for path in ("/bad", "/good")
    ]
    assert fetch(folder, *rows) == rows[1]
    (folder / "data.csv").unlink()
    assert "damaged" in refuse(folder, rows[0])


# --- The registry -----------------------------------------------------------------------------


def row(**fields):
    """A row of the registry as it is written in YAML."""
    values = vars(mirror("https://example.org/f")) | fields
    return {key: value for key, value in values.items() if value != "left out"}


def registry(tmp_path, *rows):
    path = tmp_path / "sources.yaml"
    path.write_text(yaml.safe_dump({"sources": list(rows)}))
    return path


def test_the_registry_of_the_project_is_valid():
    sources = load_sources(ROOT / "config" / "sources.yaml")
    keys = [(source.dataset, source.version, source.file, source.url) for source in sources]
    assert len(set(keys)) == len(keys)
    assert {source.dataset for source in sources} == {
        "young_people",
        "ausgrid",
        "redd",
        "nyc_taxi",
        "london",
        *("ausgrid-2010", "minutes-3", "minutes-5"),
    }
    assert {source.status for source in sources} == {"unverified", "dead"}
    for block in (0, 111):
        rows = list_mirrors(sources, dataset="london", file=f"daily_dataset/block_{block}.csv")
        assert all(f"block_{block}.csv" in source.url for source in rows)
    assert not any("{" in source.file + source.url for source in sources)


@pytest.mark.parametrize(
    ("dataset", "file", "local"),
    [
        ("young_people", "responses.csv", "young_people/responses.csv"),
        ("young_people", "columns.csv", "young_people/columns.csv"),
        ("london", "informations_households.csv", "london/informations_households.csv"),
        *(
            ("london", f"daily_dataset/block_{n}.csv", f"london/block_{n}.csv.gz")
            for n in (0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90, 99, 108)
        ),
    ],
)
def test_the_registry_fits_files_that_are_here(dataset, file, local):
    path = ROOT.parent / "shared" / "data" / local
    if not path.exists():
        pytest.skip(f"no {local} beside the project")
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    sources = load_sources(ROOT / "config" / "sources.yaml")
    assert get_registered_sha256(sources, dataset, file) == sha256(content)
    assert {source.bytes for source in list_mirrors(sources, dataset=dataset, file=file)} == {
        len(content)
    }


def test_a_row_becomes_a_mirror(tmp_path):
    assert load_sources(registry(tmp_path, row())) == (mirror("https://example.org/f"),)


def test_a_placeholder_stands_for_many_files(tmp_path):
    entry = row(
        file="daily/block_{block}.csv",
        url="https://example.org/block_{block}.zip",
        archive="zip",
        member="block_{block}/data.csv",
        blocks={"count": 3, "known": [{"block": 1, "bytes": 7, "sha256": "a" * 64}]},
    )
    sources = load_sources(registry(tmp_path, entry))
    assert [source.file for source in sources] == [f"daily/block_{n}.csv" for n in range(3)]
    assert [source.url[-11:] for source in sources] == [f"block_{n}.zip" for n in range(3)]
    assert [source.member for source in sources] == [f"block_{n}/data.csv" for n in range(3)]
    assert [source.bytes for source in sources] == [None, 7, None]
    assert get_registered_sha256(sources, "london", "daily/block_1.csv") == "a" * 64
    assert get_registered_sha256(sources, "london", "daily/block_2.csv") is None


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"sha265": "a" * 64}, ["sha265", "sha256"]),
        ({"note": "left out"}, ["note", "missing"]),
        ({"status": "alive"}, ["status", "live, dead, unverified"]),
        ({"sha256": "A1"}, ["sha256"]),
        ({"file": "../data.csv"}, ["file"]),
        ({"file": "/data.csv"}, ["file"]),
        ({"url": "https://me:secret@example.org/f"}, ["url"]),
        ({"redistributable": True}, ["redistributable", "yes, no, unclear"]),
        ({"member": "a.csv"}, ["member", "archive", "row 1"]),
        ({"archive": "gz", "member": "a.csv"}, ["member", "gz"]),
        ({"archive_bytes": 3}, ["archive_bytes", "none"]),
        ({"file": "block_{block}.csv"}, ["{block}", "blocks"]),
        ({"blocks": {"count": 2}}, ["{block}", "blocks"]),
        ({"file": "block_{block}.csv", "blocks": {"count": 2}}, ["{block}", "url"]),
        ({"kind": "kaggle"}, ["datasets/OWNER/SLUG?select=FILE", "example.org"]),
    ],
)
def test_a_row_that_is_wrong_is_one_readable_error(tmp_path, fields, words):
    path = registry(tmp_path, row(**fields))
    with pytest.raises(ConfigError) as caught:
        load_sources(path)
    assert all(word in str(caught.value) for word in ["sources.yaml", *words])


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "listed twice"),
        ({"url": "https://example.org/g", "version": "2"}, "`version` is 2"),
        ({"url": "https://example.org/g", "sha256": "b" * 64}, "`sha256` is bbb"),
        ({"url": "https://example.org/g", "bytes": 8}, "`bytes` is 8"),
    ],
)
def test_rows_that_contradict_each_other_are_an_error(tmp_path, fields, words):
    first = row(sha256="a" * 64, bytes=7)
    with pytest.raises(ConfigError, match=words):
        load_sources(registry(tmp_path, first, first | fields))


@pytest.mark.parametrize(
    ("dataset", "name"),
    [
        ("young_people", "responses.csv"),
        ("young_people", "columns.csv"),
        ("london", "informations_households.csv"),
        ("london", "daily_dataset/block_7.csv"),
    ],
)
def test_who_has_no_token_gets_the_file_from_its_second_address(server, folder, dataset, name):
    """Each registered address, where Kaggle asks for a login: the copy has the same bytes."""
    known = {"bytes": len(PAYLOAD), "sha256": sha256(PAYLOAD)}
    rows = []
    sources = load_sources(ROOT / "config/sources.yaml")
    for each in list_mirrors(sources, dataset=dataset, file=name):
        path = urlsplit(each.url).path
        if each.kind == "kaggle":
            owner, slug, file_name = parse_kaggle_url(each.url)
            path = f"/api/v1/datasets/download/{owner}/{slug}/{quote(file_name, safe='')}"
        server.routes[path] = status(401) if each.kind == "kaggle" else file(PAYLOAD)
        url = each.url if each.kind == "kaggle" else server.url(path)
        rows.append(replace(each, url=url, **known))
    assert fetch(folder, *rows).kind == "http"
    assert arrived(folder) == PAYLOAD
    assert [each.path.endswith(Path(name).name) for each in server.requests[-1:]] == [True]


@pytest.mark.parametrize("query", ["", "?$limit=5", "?$order=:id", "?$order=:id&$limit=0"])
def test_rows_without_an_order_or_a_limit_are_an_error(tmp_path, query):
    """Pages without an order may overlap; dev.socrata.com, Paging through Data."""
    url = f"https://example.org/resource/a-b.csv{query}"
    with pytest.raises(ConfigError, match="ends with an order and the rows of a page"):
        load_sources(registry(tmp_path, row(kind="rows", url=url)))


def test_mirrors_stay_in_order_and_a_missing_file_names_the_others(tmp_path):
    rows = [row(url=f"https://example.org/{n}", file=f) for n, f in enumerate(["b", "a", "b"])]
    rows += [row(dataset="redd", file=f"{n}.csv") for n in range(9)]
    sources = load_sources(registry(tmp_path, *rows))
    found = list_mirrors(sources, dataset="london", file="b")
    assert [source.url[-1] for source in found] == ["0", "2"]
    with pytest.raises(ConfigError, match=r"no file c of the dataset london.*Known files: b, a\."):
        list_mirrors(sources, dataset="london", file="c")
    with pytest.raises(ConfigError, match=r"0\.csv, .*5\.csv and 3 more"):
        list_mirrors(sources, dataset="redd", file="c")
    with pytest.raises(ConfigError, match="Known files: none"):
        get_registered_sha256(sources, "ausgrid", "c")
