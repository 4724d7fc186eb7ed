"""A file on a server that may misbehave, read in order over as many connections as it takes.

:class:`Transfer` is the one way in which files come from the internet: :mod:`.download` copies one
into a file, :mod:`.stream` reads the head of one.

1. A connection that ends early is followed by another one, which asks for the rest; but only where
   an ETag, a date of change or a registered digest shows that it is the rest of the same file.
2. Each connection has to bring a KiB within the time-out, from the first byte of the answer's
   headers on, and there are only so many connections.
3. No more is taken than the server has announced, the registry says, or the limit allows.
4. An answer that is compressed against our wish is undone here, and must be complete.
"""

import io
import logging
import re
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import requests
import urllib3

from noiseless.datasets.archives import UnusableArchive
from noiseless.datasets.connection import (
    LONGEST_WAIT_S,
    Cut,
    Refused,
    Session,
    check_status,
    connect,
    content_range,
    kaggle_credentials,
    kaggle_url,
    no_auth,
    shown_host,
    validator_of,
)
from noiseless.datasets.registry import Mirror
from noiseless.errors import DataError, DownloadError

log = logging.getLogger(__name__)

CHUNK_BYTES = 1 << 18
MOST_CONNECTIONS = 200  # to one mirror for one file, however small the progress of each
SLOWEST_BYTES = 1024  # a connection that brings less than this within the time-out has stalled
_GZIP = 32 + zlib.MAX_WBITS  # or zlib
Result = TypeVar("Result")


def try_mirrors(
    mirrors: Sequence[Mirror], use: Callable[[Mirror], Result], *, failure: str, advice: str
) -> Result:
    """What ``use`` makes of the first mirror that gives its file.

    Parameters
    ----------
    mirrors : sequence of Mirror
        The mirrors of one file.  Dead ones are named in the error, not tried.
    use : callable
        Takes a mirror; starts afresh with each.
    failure, advice : str
        The error's first line, and its end.

    Raises
    ------
    DownloadError
        If no mirror gave the file, with a line for each.
    """
    tried = []
    for mirror in mirrors:
        if mirror.status == "dead":
            tried.append(f"{mirror.url}: not tried, as it was dead on {mirror.checked}.")
            continue
        try:
            return use(mirror)
        except (DownloadError, DataError) as problem:
            tried.append(str(problem))
        except (Refused, UnusableArchive) as problem:
            tried.append(f"{mirror.url}: {problem}")
        log.warning("%s", tried[-1])
    lines = "".join(f"\n  {line}" for line in tried)
    notes = " ".join(dict.fromkeys(mirror.note for mirror in mirrors))
    raise DownloadError(f"{failure}:{lines}\nBy hand: {notes} {advice}")


@contextmanager
def open_transfer(
    mirror: Mirror,
    *,
    attempts: int,
    backoff_s: float,
    timeout_s: float,
    expected: int | None = None,
    limit: int | None = None,
    has_digest: bool = False,
    restart: Callable[[], None] | None = None,
    kaggle_api: str | None = None,
) -> Iterator["Transfer"]:
    """The bytes that a mirror gives, as they arrive; the connection ends with the block.

    Parameters
    ----------
    mirror : Mirror
    attempts : int
        How many connections in a row may bring less than a KiB that is new.
    backoff_s : float
        Seconds before the second attempt; doubled before each further one.
    timeout_s : float
        Seconds to wait for a connection, and for the next KiB of an answer.
    expected : int, optional
        Bytes that the registry says; another length is refused.
    limit : int, optional
        The most bytes that are taken.
    has_digest : bool
        Whether somebody will check the digest of what came, so that pieces may be joined on trust.
    restart : callable, optional
        Forgets what was read; called before the file comes again from its beginning.  Without it,
        that is an error.
    kaggle_api : str, optional
        As for :func:`noiseless.datasets.download.download`.

    Raises
    ------
    DownloadError
        While reading: if the mirror gives no file, or stops giving it.
    ConfigError
        If Kaggle's credentials are there but cannot be used.
    """
    with Session() as session:
        url, auth = mirror.url, no_auth
        if mirror.kind == "kaggle":
            url, auth = kaggle_url(mirror, kaggle_api), kaggle_credentials() or no_auth
        transfer = Transfer(session, mirror, url, auth)
        transfer.attempts, transfer.backoff_s, transfer.timeout_s = attempts, backoff_s, timeout_s
        transfer.expected, transfer.limit = expected, limit
        transfer.has_digest, transfer.restart = has_digest, restart
        try:
            yield transfer
        finally:
            transfer.close()
            log.info("%s: %d bytes transferred", mirror.url, transfer.received)


class Transfer(io.RawIOBase):
    """A file on its way; made by :func:`open_transfer`, whose parameters are its attributes.

    Attributes
    ----------
    received : int
        Bytes of the file that were read.
    total : int or None
        Bytes that it has, where the server says it.
    was_resumed : bool
        Whether it came in pieces.
    """

    attempts: int
    backoff_s: float
    timeout_s: float
    expected: int | None
    limit: int | None
    has_digest: bool
    restart: Callable[[], None] | None

    def __init__(
        self,
        session: Session,
        mirror: Mirror,
        url: str,
        auth: Callable[[requests.PreparedRequest], requests.PreparedRequest],
    ) -> None:
        super().__init__()
        self._session, self._mirror, self._url, self._auth = session, mirror, url, auth
        self._response: requests.Response | None = None
        self._inflate: zlib._Decompress | None = None
        self._connections = self._failures = self._furthest = 0
        self._patience_s = 0.0  # left until a KiB must have come
        self._brought = 0
        self._validator: str | None = None
        self._announced: int | None = None  # bytes of the file up to the end of this answer
        self.received = 0
        self.total: int | None = None
        self.was_resumed = False

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:
        """Fill some of ``buffer``; connect anew as long as that helps."""
        while True:
            try:
                chunk = self._read(len(buffer))
            except Refused as problem:
                raise DownloadError(f"{self._mirror.url}: {problem}") from None
            except Cut as cut:
                self._wait(cut)
            else:
                buffer[: len(chunk)] = chunk
                return len(chunk)

    def close(self) -> None:
        """End the connection, whatever is still on its way."""
        self._disconnect()
        super().close()

    def _read(self, size: int) -> bytes:
        if self._response is None:
            self._connect()
        chunk = self._next_bytes(size)
        if not chunk:
            self._check_end()
            return b""
        if self.received == 0 and chunk.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            raise Refused(
                "it gives a web page instead of the file. It may want a login: open the address "
                "in a browser and see."
            )
        self.received += len(chunk)
        self._require_room(self.received)
        if self._announced is not None and self.received > self._announced:
            raise Refused(
                f"it gives more than the {self._announced} bytes that it has announced. Try again "
                "later."
            )
        return chunk

    def _next_bytes(self, size: int) -> bytes:
        """What comes next of the file; empty at the end of the answer."""
        while True:
            packed = b""
            if self._inflate is not None:
                packed = self._inflate.unconsumed_tail
                if self._inflate.eof and self._inflate.unused_data:  # another member
                    packed = self._inflate.unused_data
                    self._inflate = zlib.decompressobj(_GZIP)
            packed = packed or self._raw_bytes(size)
            if self._inflate is None:
                return packed
            if not packed:
                if not self._inflate.eof:
                    raise Cut(f"the compressed answer was cut after {self.received} bytes.")
                return b""
            try:
                chunk = self._inflate.decompress(packed, size)
            except zlib.error:
                raise Cut("the compressed answer is damaged.") from None
            if chunk:
                return chunk

    def _raw_bytes(self, size: int) -> bytes:
        """Bytes of the answer, within the time that is left for the next KiB."""
        started = time.monotonic()
        watch = self._session.watch
        try:
            with watch.waiting(self._patience_s):
                chunk = self._response.raw.read1(size, decode_content=False)
        except urllib3.exceptions.ReadTimeoutError:
            raise self._stalled() from None
        except (urllib3.exceptions.HTTPError, OSError, ValueError):
            raise self._stalled() if watch.hung_up else self._was_cut() from None
        if watch.hung_up:
            raise self._stalled()
        self._patience_s -= time.monotonic() - started
        self._brought += len(chunk)
        if self._brought >= SLOWEST_BYTES:
            self._patience_s, self._brought = self.timeout_s, 0
        elif chunk and self._patience_s <= 0:
            raise self._stalled()
        return chunk

    def _stalled(self) -> Cut:
        if self._brought == 0:
            return Cut(f"the server went silent for {self.timeout_s:g} s.")
        return Cut(f"the server sent {self._brought} bytes in {self.timeout_s:g} s.")

    def _was_cut(self) -> Cut:
        end = self.total if self.total is not None else self.expected
        of = "" if end is None else f" of {end}"
        return Cut(f"the connection was cut after {self.received}{of} bytes.")

    def _check_end(self) -> None:
        """At the end of an answer: whether it is the end of the file."""
        end = self.total if self.total is not None else self.expected
        if end is not None and self.received < end:
            raise self._was_cut()
        if self.received == 0:
            raise Refused("it gives an empty file.")
        is_known = end is not None or self.has_digest or self._inflate is not None
        if not is_known and not self._response.raw.chunked:
            log.warning(
                "%s: neither the server nor config/sources.yaml says how long the file is, so a "
                "cut would not be noticed.",
                shown_host(self._response.url),
            )

    def _connect(self) -> None:
        self._connections += 1
        self._patience_s, self._brought = self.timeout_s, 0
        headers = {}
        if self.received and self._inflate is not None:
            self._start_over("pieces of a compressed answer cannot be put together")
        if self.received and not (self._validator or self.has_digest):
            # Nothing would show whether the rest is that of the same file.
            self._start_over("the server does not say whether the file is still the same")
        if self.received:
            headers["Range"] = f"bytes={self.received}-"
            if self._validator:
                headers["If-Range"] = self._validator
        response = connect(self._session, self._url, headers, self._auth, self.timeout_s)
        self._response = response
        check_status(response, self._mirror, has_token=self._auth is not no_auth)
        if response.status_code == 416:
            has, end = self.received, self.expected or self.total or "expected"
            problem = f"the server has no more than the first {has} of the {end} bytes"
            self._start_over(problem)
            raise Cut(f"{problem}.")
        if response.status_code == 206:
            self._continue(response)
            return
        if self.received:
            self._start_over("the server cannot send the rest alone")
        encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise Refused(
                f"it compresses its answer in a way that was not asked for ({encoding!r})."
            )
        self._inflate = None if encoding in ("", "identity") else zlib.decompressobj(_GZIP)
        length = response.headers.get("Content-Length", "").strip()
        if length and not re.fullmatch(r"\d{1,18}", length, re.ASCII):
            raise Refused(f"it announces a length that is no number of bytes ({length[:40]!r}).")
        self.total = int(length) if length and self._inflate is None else None
        self._announced = self.total
        self._validator = validator_of(response)
        if self.total is not None:
            if self.expected not in (None, self.total):
                raise Refused(wrong_length(self.total, self.expected))
            self._require_room(self.total)

    def _continue(self, response: requests.Response) -> None:
        """Make sure that an answer (HTTP 206) continues what is here."""
        start, last, total = content_range(response)
        found = validator_of(response)
        if (
            start != self.received
            or (self.total is not None and total not in (None, self.total))
            or (self._validator and found not in (None, self._validator))
            or "Content-Encoding" in response.headers
        ):
            self._start_over("the file changed while it was being fetched")
            raise Cut("the file changed while it was being fetched.")
        self.total = total if total is not None else self.total
        self._announced = last + 1
        self._validator = self._validator or (found if start == 0 else None)
        if self.total is not None:
            if last >= self.total:
                raise Refused("it announces more than the rest of the file. Try again later.")
            if self.expected not in (None, self.total):
                raise Refused(wrong_length(self.total, self.expected))
            self._require_room(self.total)
        self.was_resumed = self.was_resumed or start > 0

    def _require_room(self, size: int) -> None:
        limit = self.expected or self.limit
        if limit is not None and size > limit:
            raise Refused(f"it gives more than the {limit} bytes that were expected at most.")

    def _start_over(self, why: str) -> None:
        """Forget what has arrived."""
        if self.received and self.restart is None:
            raise Refused(
                f"the connection was cut after {self.received} bytes, and {why}. Try again later."
            )
        if self.restart is not None:
            self.restart()
        self.received = 0
        self.total = self._validator = None
        self._inflate = None

    def _disconnect(self) -> None:
        if self._response is not None:
            self._response.close()
        self._response = None

    def _wait(self, cut: Cut) -> None:
        """Wait before the next connection.

        Raises
        ------
        DownloadError
            If there is to be none.
        """
        self._disconnect()
        has_progress = self.received >= self._furthest + SLOWEST_BYTES
        self._failures = 0 if has_progress else self._failures + 1
        self._furthest = max(self._furthest, self.received)
        where = self._mirror.url
        if self._failures >= self.attempts or self._connections >= MOST_CONNECTIONS:
            raise DownloadError(
                f"{where}: {cut} Gave up after {self._connections} connections; try again later."
            ) from None
        if cut.retry_after_s > LONGEST_WAIT_S:
            raise DownloadError(
                f"{where}: {cut} It asks to come back in {cut.retry_after_s:.0f} s. Try then."
            ) from None
        wait_s = max(self.backoff_s * 2 ** max(self._failures - 1, 0), cut.retry_after_s)
        wait_s = min(wait_s, LONGEST_WAIT_S)
        log.info("%s (%d): %s Again in %.1f s.", where, self._connections, cut, wait_s)
        time.sleep(wait_s)


def wrong_length(found: int, expected: int) -> str:
    """What is wrong with a file of another length than the registered one."""
    return (
        f"what it gives has the wrong length, {found} bytes, but config/sources.yaml expects "
        f"{expected}. The file there has changed, or is another one."
    )
