"""Public files from the internet: each arrives whole and checked, or not at all.

1. The registry, ``config/sources.yaml``, has one row per place that a file can be had from: a
   :class:`Mirror`.  :func:`load_sources` reads it, :func:`mirrors` picks the rows of one file.
2. :func:`download` tries these mirrors in turn.  It resumes after a cut, tries again where that
   can help, takes the file out of the archive it travels in, checks size and SHA-256, and moves
   the file into place.  When no mirror gives the file, the error says why for each of them, and
   how a person gets it by hand.
3. :func:`extract` takes one file out of an archive that may be damaged or hostile.
"""

import fnmatch
import gzip
import json
import logging
import lzma
import os
import re
import stat
import struct
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from urllib.parse import parse_qs, quote, urlsplit

import requests
import urllib3
from requests.auth import HTTPBasicAuth
from tqdm import tqdm

from noiseless import __version__
from noiseless.errors import ConfigError, DataError, DownloadError
from noiseless.files import sha256_of_file, whole_file
from noiseless.schema import load_yaml, validate

log = logging.getLogger(__name__)

CHUNK_BYTES = 1 << 16
MOST_CONNECTIONS = 200  # to one mirror for one file, however small the progress of each
MOST_REDIRECTS = 10
LONGEST_WAIT_S = 60.0  # between two connections, whatever the server asks for
SLOWEST_BYTES = 1024  # a connection that brings less than this within the time-out has stalled
ZIP_MAGIC = b"PK\x03\x04"


# --- The registry -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Mirror:
    """A row of the registry: one place that a file can be had from.

    ``workflow/schemas/sources.schema.yaml`` says what each field means; ``None`` stands for what
    is not known or does not apply.
    """

    dataset: str
    version: str
    file: str
    url: str
    kind: str
    archive: str
    member: str | None
    archive_bytes: int | None
    archive_sha256: str | None
    bytes: int | None
    sha256: str | None
    licence: str
    redistributable: str
    citation: str
    checked: str
    status: str
    note: str


def load_sources(path: str | Path) -> tuple[Mirror, ...]:
    """The registry of datasets, one entry per file and mirror, in the order of the rows.

    Parameters
    ----------
    path : str or Path
        ``config/sources.yaml``.

    Raises
    ------
    ConfigError
        If the file does not fit its schema, lists an address twice for the same file, or
        contradicts itself; the row is named.
    """
    registry = load_yaml(path)
    validate(registry, "sources", source=str(path))
    sources: list[Mirror] = []
    for number, row in enumerate(registry["sources"], start=1):
        where = f"{path}: row {number} of `sources` ({row['dataset']}, {row['file']})"
        for mirror in _expand(row, where):
            _check_row(mirror, sources, where)
            sources.append(mirror)
    return tuple(sources)


def _expand(row: Mapping[str, Any], where: str) -> Iterator[Mirror]:
    """The mirrors that a row stands for: one, or one per block."""
    fixed = {field.name: row[field.name] for field in fields(Mirror)}
    if not ("blocks" in row) == ("{block}" in row["file"]) == ("{block}" in row["url"]):
        raise ConfigError(
            f"{where}: a row with `blocks` has {{block}} in its file and url, and no other has."
        )
    if "blocks" not in row:
        yield Mirror(**fixed)
        return
    known = {entry["block"]: entry for entry in row["blocks"].get("known", [])}
    for block in range(row["blocks"]["count"]):
        numbered = {
            key: value.replace("{block}", str(block))
            for key, value in fixed.items()
            if key in ("file", "url", "member") and value is not None
        }
        entry = known.get(block, {"bytes": None, "sha256": None})
        yield Mirror(**fixed | numbered | {"bytes": entry["bytes"], "sha256": entry["sha256"]})


def _check_row(mirror: Mirror, before: Sequence[Mirror], where: str) -> None:
    """Raise ConfigError if ``mirror`` contradicts itself or one of the rows before it."""
    if mirror.kind == "kaggle":
        _kaggle_parts(mirror.url)
    if mirror.archive in ("none", "gz") and mirror.member:
        raise ConfigError(f"{where}: `member` must be null where `archive` is {mirror.archive}.")
    if mirror.archive == "none" and (mirror.archive_bytes or mirror.archive_sha256):
        raise ConfigError(
            f"{where}: `archive_bytes` and `archive_sha256` must be null where `archive` is none."
        )
    for other in before:
        if (other.dataset, other.file) != (mirror.dataset, mirror.file):
            continue
        if other.url == mirror.url:
            raise ConfigError(f"{where}: {mirror.url} is listed twice for this file.")
        for key in ("version", "bytes", "sha256"):
            ours, theirs = getattr(mirror, key), getattr(other, key)
            if None not in (ours, theirs) and ours != theirs:
                raise ConfigError(
                    f"{where}: `{key}` is {ours}, but an earlier row of the same file says "
                    f"{theirs}. Files that differ need names that differ."
                )


def mirrors(sources: Sequence[Mirror], *, dataset: str, file: str) -> tuple[Mirror, ...]:
    """The mirrors of ``file``, in the order in which they are tried.

    Parameters
    ----------
    sources : sequence of Mirror
        From :func:`load_sources`.
    dataset, file : str
        As in the registry.

    Raises
    ------
    ConfigError
        If the registry has no such file; those that it has are listed.
    """
    found = tuple(m for m in sources if (m.dataset, m.file) == (dataset, file))
    if not found:
        known = list(dict.fromkeys(m.file for m in sources if m.dataset == dataset))
        listed = ", ".join(known[:6]) + (f" and {len(known) - 6} more" if len(known) > 6 else "")
        raise ConfigError(
            f"config/sources.yaml has no file {file} of the dataset {dataset}. "
            f"Known files: {listed or 'none'}."
        )
    return found


def registered_sha256(sources: Sequence[Mirror], dataset: str, file: str) -> str | None:
    """SHA-256 that the registry gives for a file, or None where it gives none.

    Raises
    ------
    ConfigError
        If the registry has no such file.
    """
    rows = mirrors(sources, dataset=dataset, file=file)
    return next((row.sha256 for row in rows if row.sha256), None)


# --- Downloading ------------------------------------------------------------------------------


class _Refused(Exception):
    """A mirror that will not give the file; trying again would not help."""


class _Cut(Exception):
    """A connection that failed; another one may not."""

    def __init__(self, message: str, retry_after_s: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class _Session(requests.Session):
    """A session that takes no credentials from ``~/.netrc``, also not after a redirect."""

    def __init__(self) -> None:
        super().__init__()
        self.max_redirects = MOST_REDIRECTS
        self.headers["User-Agent"] = f"noiseless/{__version__}"
        # Sizes and ranges are those of the file itself, not of a compressed transfer.
        self.headers["Accept-Encoding"] = "identity"

    def rebuild_auth(
        self, prepared_request: requests.PreparedRequest, response: requests.Response
    ) -> None:
        """Drop the credentials of a request that is sent on to another host or port."""
        if self.should_strip_auth(response.request.url, prepared_request.url):
            prepared_request.headers.pop("Authorization", None)


def download(
    mirrors: Sequence[Mirror],
    target: str | Path,
    *,
    attempts: int,
    backoff_s: float,
    timeout_s: float,
    max_bytes: int,
    kaggle_api: str | None = None,
) -> Mirror:
    """Fetch a file from the first of its mirrors that gives it, whole and as registered.

    ``target`` appears in one move.  After any error, an interrupt or an exit included, nothing is
    left beside it, and a ``target`` that was there before is as it was.

    Parameters
    ----------
    mirrors : sequence of Mirror
        The mirrors of one file, from :func:`mirrors`.  Dead ones are named in the error, not tried.
    target : str or Path
        Where the file goes.
    attempts : int
        How many times in a row a mirror may fail without a byte of progress (connection errors,
        time-outs, HTTP 429 and 5xx), 1 or larger.
    backoff_s : float
        Seconds before the second attempt; doubled before each further one.
    timeout_s : float
        Seconds to wait for a connection, and for the next KiB of an answer.
    max_bytes : int
        Largest file that is accepted where the registry gives no size; no more is ever written.
    kaggle_api : str, optional
        Scheme and host of Kaggle's API.  By default the environment variable
        ``KAGGLE_API_ENDPOINT``, or ``https://www.kaggle.com``.

    Returns
    -------
    Mirror
        The one that gave the file.

    Raises
    ------
    DownloadError
        If no mirror gave the file, with a line for each; or if it could not be written.
    ConfigError
        If Kaggle's credentials are there but cannot be used.
    """
    target = Path(target)
    tried: list[str] = []
    with _Session() as session:
        for mirror in mirrors:
            if mirror.status == "dead":
                tried.append(f"{mirror.url}: not tried, as it was dead on {mirror.checked}.")
                continue
            try:
                with whole_file(target) as whole, _scratch(target) as travelled:
                    _fetch(
                        session,
                        mirror,
                        travelled,
                        attempts=attempts,
                        backoff_s=backoff_s,
                        timeout_s=timeout_s,
                        max_bytes=max_bytes,
                        kaggle_api=kaggle_api,
                    )
                    _arrive(mirror, travelled, whole, max_bytes=max_bytes)
            except _Refused as problem:
                log.warning("%s: %s", mirror.url, problem)
                tried.append(f"{mirror.url}: {problem}")
            except OSError as error:
                raise DownloadError(
                    f"{target} could not be written: {error.strerror}. Make room, or see who may "
                    "write there, and run again."
                ) from None
            else:
                log.info("%s: fetched from %s", target, mirror.url)
                return mirror
    lines = "".join(f"\n  {line}" for line in tried)
    notes = " ".join(dict.fromkeys(mirror.note for mirror in mirrors))
    raise DownloadError(
        f"{target} could not be downloaded from any mirror:{lines}\n"
        f"By hand: {notes} Then put the file there, or set the dataset's tier to `local` and give "
        "its path."
    )


@contextmanager
def _scratch(target: Path) -> Iterator[Path]:
    """A name beside ``target`` for what travels; nothing is there afterwards."""
    path = target.with_name(f".{target.name}.{os.getpid()}.download")
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _arrive(mirror: Mirror, travelled: Path, whole: Path, *, max_bytes: int) -> None:
    """Check what came, and make the wanted file of it at ``whole``."""
    archive = mirror.archive
    if archive != "none":
        _check(travelled, mirror.archive_bytes, mirror.archive_sha256)
    elif mirror.kind == "kaggle" and _is_zip(travelled) and not mirror.file.endswith(".zip"):
        archive = "zip"  # Kaggle sends large files zipped, without being asked.
    if archive == "none":
        travelled.replace(whole)
    else:
        _unpack(travelled, mirror.member, whole, archive, max_bytes=mirror.bytes or max_bytes)
    _check(whole, mirror.bytes, mirror.sha256)


def _is_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(ZIP_MAGIC)) == ZIP_MAGIC


def _check(path: Path, size: int | None, sha256: str | None) -> None:
    """Raise _Refused unless the file has the registered size and digest, where there are any."""
    found = path.stat().st_size
    if size not in (None, found):
        raise _Refused(_wrong_length(found, size))
    if sha256 is not None and (digest := sha256_of_file(path)) != sha256:
        raise _Refused(
            f"what it gives has the sha256 {digest}, but config/sources.yaml expects {sha256}. "
            "The file there has changed, or is another one."
        )


def _wrong_length(found: int, expected: int) -> str:
    return (
        f"what it gives has the wrong length, {found} bytes, but config/sources.yaml expects "
        f"{expected}. The file there has changed, or is another one."
    )


@dataclass
class _Transfer:
    """A file that is on its way, over as many connections as it takes.

    ``validator`` and ``total`` are what the server has said about the file so far; ``expected``
    and ``sha256`` what the registry says of it; ``limit`` the most that may be written.
    """

    path: Path
    limit: int
    expected: int | None
    sha256: str | None
    validator: str | None = None
    total: int | None = None
    resumable: bool = True

    @property
    def received(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def start_over(self) -> None:
        self.path.unlink(missing_ok=True)
        self.validator = self.total = None
        self.resumable = True


def _transfer(mirror: Mirror, path: Path, max_bytes: int) -> _Transfer:
    """What may arrive from ``mirror``."""
    if mirror.archive != "none":
        expected, sha256 = mirror.archive_bytes, mirror.archive_sha256
    elif mirror.kind == "kaggle":
        # The file or a zip of it, which for bytes that do not compress is a little larger.
        limit = max_bytes if mirror.bytes is None else mirror.bytes + mirror.bytes // 100 + 4096
        return _Transfer(path, limit=limit, expected=None, sha256=None)
    else:
        expected, sha256 = mirror.bytes, mirror.sha256
    return _Transfer(path, limit=expected or max_bytes, expected=expected, sha256=sha256)


def _fetch(
    session: requests.Session,
    mirror: Mirror,
    path: Path,
    *,
    attempts: int,
    backoff_s: float,
    timeout_s: float,
    max_bytes: int,
    kaggle_api: str | None,
) -> None:
    """Write to ``path`` what ``mirror`` gives, connecting anew as long as that helps."""
    url, auth = mirror.url, _no_auth
    if mirror.kind == "kaggle":
        url, auth = _kaggle_url(mirror, kaggle_api), kaggle_credentials() or _no_auth
    transfer = _transfer(mirror, path, max_bytes)
    failures = furthest = 0
    with tqdm(
        desc=mirror.file, total=transfer.expected, unit="B", unit_scale=True, disable=None
    ) as bar:
        for connection in range(1, MOST_CONNECTIONS + 1):
            try:
                with _connect(session, url, auth, transfer, timeout_s) as response:
                    _check_status(response, mirror, has_token=auth is not _no_auth)
                    _receive(response, transfer, timeout_s, bar)
                return
            except _Cut as cut:
                problem, asked_s = str(cut), cut.retry_after_s
            failures = 0 if transfer.received > furthest else failures + 1
            furthest = max(furthest, transfer.received)
            if failures >= attempts:
                break
            if asked_s > LONGEST_WAIT_S:
                raise _Refused(f"{problem} It asks to come back in {asked_s:.0f} s. Try then.")
            wait_s = min(max(backoff_s * 2 ** max(failures - 1, 0), asked_s), LONGEST_WAIT_S)
            log.info("%s (%d): %s Again in %.1f s.", mirror.url, connection, problem, wait_s)
            time.sleep(wait_s)
    raise _Refused(f"{problem} Gave up after {connection} connections; try again later.")


def _no_auth(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """No credentials (requests looks into ``~/.netrc`` where it is given nothing)."""
    return request


@contextmanager
def _connect(
    session: requests.Session,
    url: str,
    auth: Callable[[requests.PreparedRequest], requests.PreparedRequest],
    transfer: _Transfer,
    timeout_s: float,
) -> Iterator[requests.Response]:
    """The server's answer to a request for what is still missing.

    The text of the library's errors is never passed on: it holds the address after redirects,
    which may be signed with a secret.
    """
    headers = {}
    if transfer.received and transfer.resumable:
        headers["Range"] = f"bytes={transfer.received}-"
        if transfer.validator:
            headers["If-Range"] = transfer.validator
    host = urlsplit(url).netloc
    try:
        response = session.get(url, headers=headers, auth=auth, stream=True, timeout=timeout_s)
    except requests.TooManyRedirects:
        raise _Refused("it redirects in a circle.") from None
    except requests.Timeout:
        raise _Cut(f"no answer from {host} within {timeout_s:g} s.") from None
    except requests.exceptions.SSLError:
        raise _Refused(
            f"the certificate of {host} could not be verified. See whether this machine's clock "
            "and certificates are right."
        ) from None
    except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
        raise _Cut(f"could not connect to {host}. Is there a network?") from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, ValueError):
        raise _Refused("it leads to an address that cannot be used.") from None
    with response:
        yield response


def _check_status(response: requests.Response, mirror: Mirror, *, has_token: bool) -> None:
    """Raise unless the server sends a file."""
    status = response.status_code
    if status in (200, 206):
        if "html" in response.headers.get("Content-Type", "").lower():
            raise _Refused(_access_advice(mirror, "it gives a web page", has_token=has_token))
    elif status in (401, 403):
        raise _Refused(_access_advice(mirror, f"HTTP {status}", has_token=has_token))
    elif status in (404, 410):
        raise _Refused(f"there is no such file any more (HTTP {status}).")
    elif status == 429 or status >= 500:
        raise _Cut(f"the server is busy or broken (HTTP {status}).", _retry_after_s(response))
    elif status != 416:  # which _receive understands
        raise _Refused(f"the server answers HTTP {status} instead of the file.")


def _access_advice(mirror: Mirror, found: str, *, has_token: bool) -> str:
    if mirror.kind != "kaggle":
        return (
            f"the server does not give the file ({found}). It may want a login: open the address "
            "in a browser and see."
        )
    owner, slug, _ = _kaggle_parts(mirror.url)
    if not has_token:
        return (
            f"Kaggle wants a token ({found}). Make one at https://www.kaggle.com/settings "
            "(API, Create New Token), and set KAGGLE_USERNAME and KAGGLE_KEY, or save it as "
            "~/.kaggle/kaggle.json."
        )
    return (
        f"Kaggle did not accept the token for this file ({found}). Make a new one at "
        "https://www.kaggle.com/settings, and see whether the data set asks you to agree to terms "
        f"at https://www.kaggle.com/datasets/{owner}/{slug}."
    )


def _retry_after_s(response: requests.Response) -> float:
    """Seconds that the server asks to wait; 0 where it does not say or cannot be understood."""
    text = response.headers.get("Retry-After", "").strip()
    if text.isdecimal():
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def _receive(response: requests.Response, transfer: _Transfer, timeout_s: float, bar: tqdm) -> None:
    """Write the answer behind what is there already, or over it if the server starts over."""
    resumed = transfer.received > 0
    if response.status_code == 416:
        has, end = transfer.received, transfer.expected or transfer.total or "expected"
        transfer.start_over()
        raise _Cut(f"the server has no more than {has} of the {end} bytes.")
    if response.status_code == 206:
        total = _continues(response, transfer)
    else:
        transfer.start_over()
        resumed = False
        transfer.resumable = "Content-Encoding" not in response.headers
        length = response.headers.get("Content-Length", "")
        total = int(length) if length.isdecimal() and transfer.resumable else None
        transfer.validator = _validator(response)
    transfer.total = total = total if total is not None else transfer.total
    if total is not None and transfer.expected not in (None, total):
        raise _Refused(_wrong_length(total, transfer.expected))
    if total is not None and total > transfer.limit:
        raise _Refused(_too_long(transfer.limit))
    bar.total = total if total is not None else transfer.expected
    bar.n = transfer.received
    _copy_answer(response, transfer, timeout_s, bar)
    end = total if total is not None else transfer.expected
    if end is not None and transfer.received < end:
        raise _Cut(f"the connection was cut after {transfer.received} of {end} bytes.")
    if transfer.received == 0:
        raise _Refused("it gives an empty file.")
    if end is None and transfer.sha256 is None and not response.raw.chunked:
        log.warning(
            "%s: neither the server nor config/sources.yaml says how long the file is, so a cut "
            "would not be noticed.",
            urlsplit(response.url).hostname,
        )
    if resumed and transfer.sha256 not in (None, sha256_of_file(transfer.path)):
        transfer.start_over()
        raise _Cut("the pieces of the file, fetched one after the other, do not fit together.")


def _continues(response: requests.Response, transfer: _Transfer) -> int | None:
    """Size of the whole file, after making sure that the answer (HTTP 206) continues ours."""
    match = re.fullmatch(
        r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", "").strip()
    )
    start = int(match[1]) if match else None
    total = int(match[2]) if match and match[2] != "*" else None
    if (
        start != transfer.received
        or (transfer.total is not None and total not in (None, transfer.total))
        or (transfer.validator and _validator(response) not in (None, transfer.validator))
    ):
        transfer.start_over()
        raise _Cut("the file changed while it was being fetched.")
    return total


def _validator(response: requests.Response) -> str | None:
    """What names this state of the file for If-Range: a strong ETag, else the date of change."""
    etag = response.headers.get("ETag")
    if etag and not etag.startswith("W/"):
        return etag
    return response.headers.get("Last-Modified")


def _copy_answer(
    response: requests.Response, transfer: _Transfer, timeout_s: float, bar: tqdm
) -> None:
    """Append the body of the answer to the file, with all that arrives before a cut."""
    received = transfer.received
    since, brought = time.monotonic(), 0
    with transfer.path.open("ab") as file:
        while True:
            try:
                # Not iter_content, which on a cut throws away what has not filled its chunk.
                chunk = response.raw.read1(CHUNK_BYTES, decode_content=True)
            except urllib3.exceptions.ReadTimeoutError:
                raise _Cut(f"the server went silent for {timeout_s:g} s.") from None
            except urllib3.exceptions.HTTPError:
                raise _Cut(f"the connection was cut after {received} bytes.") from None
            if not chunk:
                return
            if received == 0 and chunk.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
                raise _Refused(
                    "it gives a web page instead of the file. It may want a login: open the "
                    "address in a browser and see."
                )
            received += len(chunk)
            if received > transfer.limit:
                raise _Refused(_too_long(transfer.limit))
            file.write(chunk)
            bar.update(len(chunk))
            brought += len(chunk)
            if time.monotonic() - since > timeout_s:
                if brought < SLOWEST_BYTES:
                    raise _Cut(f"the server sent {brought} bytes in {timeout_s:g} s.")
                since, brought = time.monotonic(), 0


def _too_long(limit: int) -> str:
    return f"it gives more than the {limit} bytes that were expected at most."


# --- Kaggle -----------------------------------------------------------------------------------


def _kaggle_parts(url: str) -> tuple[str, str, str]:
    """Owner, data set and file of a Kaggle row.

    Raises
    ------
    ConfigError
        If the address is not of the form that the registry wants.
    """
    parts = urlsplit(url)
    path = parts.path.strip("/").split("/")
    files = parse_qs(parts.query).get("select", [])
    if len(path) != 3 or path[0] != "datasets" or len(files) != 1:
        raise ConfigError(
            f"config/sources.yaml: {url} does not name a file on Kaggle; the form is "
            "https://www.kaggle.com/datasets/OWNER/SLUG?select=FILE."
        )
    return path[1], path[2], files[0]


def _kaggle_url(mirror: Mirror, api: str | None) -> str:
    owner, slug, file = _kaggle_parts(mirror.url)
    api = api or os.environ.get("KAGGLE_API_ENDPOINT") or "https://www.kaggle.com"
    return f"{api.rstrip('/')}/api/v1/datasets/download/{owner}/{slug}/{quote(file, safe='')}"


def kaggle_credentials() -> Callable[[requests.PreparedRequest], requests.PreparedRequest] | None:
    """The user's credentials for Kaggle, or None where there are none.

    Looked for in the environment, ``KAGGLE_API_TOKEN`` or ``KAGGLE_USERNAME`` with ``KAGGLE_KEY``,
    then in ``kaggle.json`` in the folder ``KAGGLE_CONFIG_DIR`` (by default ``~/.kaggle``).

    Returns
    -------
    callable or None
        For the ``auth`` of a request.  It does not show the token when printed.

    Raises
    ------
    ConfigError
        If the token or the file cannot be used.  The message has nothing of their content.
    """
    token = os.environ.get("KAGGLE_API_TOKEN", "").strip()
    if token:
        return _bearer(token)
    username, key = os.environ.get("KAGGLE_USERNAME"), os.environ.get("KAGGLE_KEY")
    if not (username and key):
        folder = os.environ.get("KAGGLE_CONFIG_DIR") or Path.home() / ".kaggle"
        path = Path(folder) / "kaggle.json"
        if not path.exists():
            return None
        username, key = _read_kaggle_json(path)
    return HTTPBasicAuth(username.strip().encode(), key.strip().encode())


def _bearer(token: str) -> Callable[[requests.PreparedRequest], requests.PreparedRequest]:
    # The HTTP library would quote a token that it cannot send in its error.
    if not re.fullmatch(r"[!-~]+", token):
        raise ConfigError(
            "The environment variable KAGGLE_API_TOKEN is not a token: it has blanks or special "
            "characters in it. Copy it again from https://www.kaggle.com/settings."
        )

    def authorize(request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {token}"
        return request

    return authorize


def _read_kaggle_json(path: Path) -> tuple[str, str]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        username, key = content["username"], content["key"]
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError):
        username = key = None
    if not (isinstance(username, str) and isinstance(key, str) and username and key):
        raise ConfigError(
            f"{path} is not a Kaggle token: it must be JSON with the texts `username` and `key`. "
            "Make a new one at https://www.kaggle.com/settings, or delete the file to go without."
        )
    return username, key


# --- Archives ---------------------------------------------------------------------------------

_DAMAGE = (
    EOFError,
    LookupError,
    NotImplementedError,  # a compression method that is not known
    OSError,  # gzip and bz2 have no error class of their own
    OverflowError,
    RuntimeError,  # an encrypted member
    ValueError,
    lzma.LZMAError,
    struct.error,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)


def extract(
    archive: str | Path, member: str | None, target: str | Path, *, kind: str, max_bytes: int
) -> None:
    """Take one file out of an archive.

    The archive is refused as a whole if any of its entries would climb out of the folder that it
    is unpacked in.  ``target`` appears in one move, or not at all.

    Parameters
    ----------
    archive : str or Path
        The archive.
    member : str or None
        Name of the file in the archive, or a pattern such as ``*.csv`` that fits one file; None
        for the only file in it.  Not used for ``gz``, which has no names.
    target : str or Path
        Where the file goes.
    kind : {"zip", "tar", "gz"}
        Format; a tar archive may be compressed with gzip, bzip2 or xz.
    max_bytes : int
        The most that may come out, whatever the archive says of itself.

    Raises
    ------
    DataError
        If the archive is missing, damaged, cut short, or unsafe; if the member is not there or is
        not a plain file; if more than ``max_bytes`` come out; if the target cannot be written.
    """
    archive, target = Path(archive), Path(target)
    try:
        with whole_file(target) as whole:
            _unpack(archive, member, whole, kind, max_bytes=max_bytes)
    except _Refused as problem:
        raise DataError(f"{archive}: {problem}") from None
    except OSError as error:
        raise DataError(
            f"{archive} could not be unpacked to {target}: {error.strerror} ({error.filename})."
        ) from None


def _unpack(archive: Path, member: str | None, whole: Path, kind: str, *, max_bytes: int) -> None:
    """Write the member to ``whole``; _Refused for what is wrong with the archive."""
    unpack = {"zip": _unpack_zip, "tar": _unpack_tar, "gz": _unpack_gz}[kind]
    try:
        unpack(archive, member, whole, max_bytes)
    except _DAMAGE as error:
        # An error of the file system has a number; those of the decompressors have none.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise _Refused(
            f"the {kind} archive is damaged, cut short or encrypted. Fetch it again from its "
            "source."
        ) from None


def _unpack_zip(archive: Path, member: str | None, whole: Path, max_bytes: int) -> None:
    with zipfile.ZipFile(archive) as opened:
        entries = opened.infolist()
        # orig_filename is the name before zipfile has tidied it.
        _refuse_climbers(entry.orig_filename for entry in entries)
        entry = _pick({e.filename: e for e in entries if not e.is_dir()}, member)
        mode = entry.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise _Refused(f"its entry {entry.filename} is a link or a device, not a file.")
        with opened.open(entry) as source:
            _copy(source, whole, max_bytes)


def _unpack_tar(archive: Path, member: str | None, whole: Path, max_bytes: int) -> None:
    with tarfile.open(archive, mode="r:*") as opened:
        entries = opened.getmembers()
        _refuse_climbers(entry.name for entry in entries)
        # To the very end, where gzip keeps the checksum that tarfile does not look at.
        while opened.fileobj.read(CHUNK_BYTES):
            pass
        entry = _pick({e.name: e for e in entries if not e.isdir()}, member)
        if not entry.isreg():
            raise _Refused(f"its entry {entry.name} is a link or a device, not a file.")
        with opened.extractfile(entry) as source:
            _copy(source, whole, max_bytes)


def _unpack_gz(archive: Path, member: str | None, whole: Path, max_bytes: int) -> None:
    with gzip.open(archive) as source:
        _copy(source, whole, max_bytes)


def _refuse_climbers(names: Iterator[str]) -> None:
    """Raise _Refused if a name is absolute or leads out of its folder, on any system."""
    for name in names:
        if ".." in re.split(r"[\\/]", name) or re.match(r"[\\/]|[A-Za-z]:", name):
            raise _Refused(
                f"its entry {name!r} would be written outside the folder it is unpacked in. The "
                "archive is not what it should be: delete it, and do not unpack it."
            )


Entry = TypeVar("Entry")


def _pick(entries: Mapping[str, Entry], member: str | None) -> Entry:
    """The entry called ``member``, or the one that fits it as a pattern."""
    if member in entries:
        return entries[member]
    fitting = [name for name in entries if fnmatch.fnmatchcase(name, member or "*")]
    if len(fitting) != 1:
        listed = ", ".join(list(entries)[:5]) + (", ..." if len(entries) > 5 else "")
        raise _Refused(
            f"one of the files in it should fit the name {member or '*'}, but {len(fitting)} do. "
            f"Its files: {listed or 'none'}."
        )
    return entries[fitting[0]]


def _copy(source: BinaryIO, whole: Path, max_bytes: int) -> None:
    written = 0
    with whole.open("wb") as file:
        while chunk := source.read(CHUNK_BYTES):
            written += len(chunk)
            if written > max_bytes:
                raise _Refused(f"more than the {max_bytes} bytes expected at most come out of it.")
            file.write(chunk)
    if written == 0:
        raise _Refused("the file that comes out of it is empty. Fetch it again from its source.")
