"""Public files from the internet: each arrives whole and checked, or not at all.

:func:`download` tries the mirrors of a file in turn.  It resumes after a cut, tries again where
that can help, takes the file out of the archive it travels in, checks size and SHA-256, and moves
the file into place.  When no mirror gives the file, the error says why for each of them, and how a
person gets it by hand.
"""

import logging
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import requests
import urllib3
from tqdm import tqdm

from noiseless.datasets.archives import CHUNK_BYTES, UnusableArchive, unpack
from noiseless.datasets.connection import (
    LONGEST_WAIT_S,
    Cut,
    Refused,
    Session,
    check_status,
    connect,
    continues,
    kaggle_credentials,
    kaggle_url,
    no_auth,
    validator_of,
)
from noiseless.datasets.registry import Mirror
from noiseless.errors import DownloadError
from noiseless.files import complete_file, sha256_of_file

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 200  # to one mirror for one file, however small the progress of each
SLOWEST_BYTES = 1024  # a connection that brings less than this within the time-out has stalled
ZIP_MAGIC = b"PK\x03\x04"


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
    with Session() as session:
        for mirror in mirrors:
            if mirror.status == "dead":
                tried.append(f"{mirror.url}: not tried, as it was dead on {mirror.checked}.")
                continue
            try:
                with complete_file(target) as whole, _scratch(target) as travelled:
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
            except (Refused, UnusableArchive) as problem:
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
        unpack(travelled, mirror.member, whole, archive, max_bytes=mirror.bytes or max_bytes)
    _check(whole, mirror.bytes, mirror.sha256)


def _is_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(ZIP_MAGIC)) == ZIP_MAGIC


def _check(path: Path, size: int | None, sha256: str | None) -> None:
    """Raise Refused unless the file has the registered size and digest, where there are any."""
    found = path.stat().st_size
    if size not in (None, found):
        raise Refused(_wrong_length(found, size))
    if sha256 is not None and (digest := sha256_of_file(path)) != sha256:
        raise Refused(
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
    url, auth = mirror.url, no_auth
    if mirror.kind == "kaggle":
        url, auth = kaggle_url(mirror, kaggle_api), kaggle_credentials() or no_auth
    transfer = _transfer(mirror, path, max_bytes)
    failures = furthest = 0
    with tqdm(
        desc=mirror.file, total=transfer.expected, unit="B", unit_scale=True, disable=None
    ) as bar:
        for connection in range(1, MOST_CONNECTIONS + 1):
            try:
                with connect(session, url, auth, transfer, timeout_s) as response:
                    check_status(response, mirror, has_token=auth is not no_auth)
                    _receive(response, transfer, timeout_s, bar)
                return
            except Cut as cut:
                problem, asked_s = str(cut), cut.retry_after_s
            failures = 0 if transfer.received > furthest else failures + 1
            furthest = max(furthest, transfer.received)
            if failures >= attempts:
                break
            if asked_s > LONGEST_WAIT_S:
                raise Refused(f"{problem} It asks to come back in {asked_s:.0f} s. Try then.")
            wait_s = min(max(backoff_s * 2 ** max(failures - 1, 0), asked_s), LONGEST_WAIT_S)
            log.info("%s (%d): %s Again in %.1f s.", mirror.url, connection, problem, wait_s)
            time.sleep(wait_s)
    raise Refused(f"{problem} Gave up after {connection} connections; try again later.")


def _receive(response: requests.Response, transfer: _Transfer, timeout_s: float, bar: tqdm) -> None:
    """Write the answer behind what is there already, or over it if the server starts over."""
    resumed = transfer.received > 0
    if response.status_code == 416:
        has, end = transfer.received, transfer.expected or transfer.total or "expected"
        transfer.start_over()
        raise Cut(f"the server has no more than {has} of the {end} bytes.")
    if response.status_code == 206:
        total = continues(response, transfer)
    else:
        transfer.start_over()
        resumed = False
        transfer.resumable = "Content-Encoding" not in response.headers
        length = response.headers.get("Content-Length", "")
        total = int(length) if length.isdecimal() and transfer.resumable else None
        transfer.validator = validator_of(response)
    transfer.total = total = total if total is not None else transfer.total
    if total is not None and transfer.expected not in (None, total):
        raise Refused(_wrong_length(total, transfer.expected))
    if total is not None and total > transfer.limit:
        raise Refused(_too_long(transfer.limit))
    bar.total = total if total is not None else transfer.expected
    bar.n = transfer.received
    _copy_answer(response, transfer, timeout_s, bar)
    end = total if total is not None else transfer.expected
    if end is not None and transfer.received < end:
        raise Cut(f"the connection was cut after {transfer.received} of {end} bytes.")
    if transfer.received == 0:
        raise Refused("it gives an empty file.")
    if end is None and transfer.sha256 is None and not response.raw.chunked:
        log.warning(
            "%s: neither the server nor config/sources.yaml says how long the file is, so a cut "
            "would not be noticed.",
            urlsplit(response.url).hostname,
        )
    if resumed and transfer.sha256 not in (None, sha256_of_file(transfer.path)):
        transfer.start_over()
        raise Cut("the pieces of the file, fetched one after the other, do not fit together.")


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
                raise Cut(f"the server went silent for {timeout_s:g} s.") from None
            except urllib3.exceptions.HTTPError:
                raise Cut(f"the connection was cut after {received} bytes.") from None
            if not chunk:
                return
            if received == 0 and chunk.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
                raise Refused(
                    "it gives a web page instead of the file. It may want a login: open the "
                    "address in a browser and see."
                )
            received += len(chunk)
            if received > transfer.limit:
                raise Refused(_too_long(transfer.limit))
            file.write(chunk)
            bar.update(len(chunk))
            brought += len(chunk)
            if time.monotonic() - since > timeout_s:
                if brought < SLOWEST_BYTES:
                    raise Cut(f"the server sent {brought} bytes in {timeout_s:g} s.")
                since, brought = time.monotonic(), 0


def _too_long(limit: int) -> str:
    return f"it gives more than the {limit} bytes that were expected at most."
