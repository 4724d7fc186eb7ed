"""The first rows of a file that is too large to be fetched whole.

1. :func:`open_path` and :func:`open_mirror` open a file where it is.  Bytes come in order and only
   as far as somebody reads: a million trips are the head of a file of gigabytes.  A transfer that
   is cut goes on at the byte where it broke.
2. :func:`noiseless.datasets.raw_files.unfolded` undoes gzip or zip while the bytes come in.
3. :class:`Head` is the text of the first rows.  It ends after them, and knows their number, their
   bytes and their SHA-256: that of ``zcat FILE | head -n LINES | sha256sum``, whatever the sizes
   of the pieces in which the text came.
"""

import hashlib
import io
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

import numpy as np
import requests
import urllib3

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
from noiseless.datasets.csv_text import LONGEST_LINE_BYTES
from noiseless.datasets.registry import Mirror
from noiseless.errors import DataError, DownloadError

log = logging.getLogger(__name__)

CHUNK_BYTES = 1 << 18
Result = TypeVar("Result")


# --- Opening a file where it is ---------------------------------------------------------------


@contextmanager
def open_path(path: str | Path) -> Iterator[BinaryIO]:
    """The bytes of a file on this machine.

    Raises
    ------
    DataError
        If there is no such file.
    """
    if not Path(path).is_file():
        raise DataError(f"{path}: no such file. data/README.md says where to get it.")
    with Path(path).open("rb", buffering=CHUNK_BYTES) as file:
        yield file


def from_first_mirror(
    mirrors: Sequence[Mirror],
    use: Callable[[BinaryIO, Mirror], Result],
    *,
    attempts: int,
    backoff_s: float,
    timeout_s: float,
) -> Result:
    """What ``use`` makes of a file, read from the first of its mirrors that gives it.

    Parameters
    ----------
    mirrors : sequence of Mirror
        The mirrors of one file.  Dead ones are named in the error, not tried.
    use : callable
        Takes the file's bytes and the mirror; reads as far as it needs to.  It starts afresh with
        each mirror.
    attempts, backoff_s, timeout_s
        As for :func:`noiseless.datasets.download.download`.

    Raises
    ------
    DownloadError
        If no mirror gave what was read, with a line for each.
    """
    tried = []
    for mirror in mirrors:
        if mirror.status == "dead":
            tried.append(f"{mirror.url}: not tried, as it was dead on {mirror.checked}.")
            continue
        try:
            with open_mirror(
                mirror, attempts=attempts, backoff_s=backoff_s, timeout_s=timeout_s
            ) as stream:
                return use(stream, mirror)
        except (DownloadError, DataError) as problem:
            log.warning("%s", problem)
            tried.append(str(problem))
    lines = "".join(f"\n  {line}" for line in tried)
    notes = " ".join(dict.fromkeys(mirror.note for mirror in mirrors))
    raise DownloadError(
        f"{mirrors[0].file} could not be read from any mirror:{lines}\n"
        f"By hand: {notes} Then set the dataset's tier to `local` and give the file's path."
    )


@contextmanager
def open_mirror(
    mirror: Mirror, *, attempts: int, backoff_s: float, timeout_s: float
) -> Iterator[BinaryIO]:
    """The bytes that a mirror gives, as they arrive; the connection ends with the block.

    Raises
    ------
    DownloadError
        While reading: if the mirror gives no file, or stops giving it.
    """
    with Session() as session:
        remote = _Remote(
            session, mirror, attempts=attempts, backoff_s=backoff_s, timeout_s=timeout_s
        )
        try:
            yield io.BufferedReader(remote, CHUNK_BYTES)
        finally:
            remote.close()
            log.info("%s: %d bytes transferred", mirror.url, remote.received)


class _Remote(io.RawIOBase):
    """A file on a server, read in order over as many connections as it takes.

    ``received``, ``resumable``, ``validator`` and ``total`` are what :mod:`.download` asks of a
    transfer: the bytes that are here, and what the server has said about the file so far.
    """

    def __init__(
        self,
        session: requests.Session,
        mirror: Mirror,
        *,
        attempts: int,
        backoff_s: float,
        timeout_s: float,
    ) -> None:
        super().__init__()
        self._session, self._mirror = session, mirror
        self._attempts, self._backoff_s, self._timeout_s = attempts, backoff_s, timeout_s
        self._url, self._auth = mirror.url, no_auth
        if mirror.kind == "kaggle":
            self._url, self._auth = kaggle_url(mirror, None), kaggle_credentials() or no_auth
        self._connection: AbstractContextManager[requests.Response] | None = None
        self._response: requests.Response | None = None
        self._failures = 0
        self.received = 0
        self.resumable = True
        self.validator: str | None = None
        self.total: int | None = None

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

    def start_over(self) -> None:
        """Refuse: what has been read cannot be taken back."""
        raise Refused("the file changed while it was being read. Try again.")

    def _read(self, size: int) -> bytes:
        if self._response is None:
            self._connect()
        try:
            chunk = self._response.raw.read1(size, decode_content=True)
        except urllib3.exceptions.ReadTimeoutError:
            raise Cut(f"the server went silent for {self._timeout_s:g} s.") from None
        except urllib3.exceptions.HTTPError:
            raise Cut(f"the connection was cut after {self.received} bytes.") from None
        if not chunk and self.total is not None and self.received < self.total:
            raise Cut(f"the connection was cut after {self.received} of {self.total} bytes.")
        if chunk:
            self._failures = 0
        self.received += len(chunk)
        return chunk

    def _connect(self) -> None:
        connection = connect(self._session, self._url, self._auth, self, self._timeout_s)
        response = connection.__enter__()
        self._connection, self._response = connection, response
        check_status(response, self._mirror, has_token=self._auth is not no_auth)
        if response.status_code == 416:
            raise Refused(f"the server has no more than the first {self.received} bytes.")
        if response.status_code == 206:
            total = continues(response, self)
        elif self.received:
            raise Refused(
                f"the connection was cut after {self.received} bytes, and the server cannot send "
                "the rest alone."
            )
        else:
            self.resumable = "Content-Encoding" not in response.headers
            length = response.headers.get("Content-Length", "")
            total = int(length) if length.isdecimal() and self.resumable else None
            self.validator = validator_of(response)
        self.total = total if total is not None else self.total

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.__exit__(None, None, None)
        self._connection = self._response = None

    def _wait(self, cut: Cut) -> None:
        self._disconnect()
        self._failures += 1
        if self._failures >= self._attempts:
            raise DownloadError(
                f"{self._mirror.url}: {cut} Gave up after {self._failures} attempts; try again "
                "later."
            ) from None
        wait_s = max(self._backoff_s * 2 ** (self._failures - 1), cut.retry_after_s)
        if wait_s > LONGEST_WAIT_S:
            raise DownloadError(
                f"{self._mirror.url}: {cut} It is too busy now; try again later."
            ) from None
        log.info("%s: %s Again in %.1f s.", self._mirror.url, cut, wait_s)
        time.sleep(wait_s)


# --- The first rows ---------------------------------------------------------------------------


class Head(io.RawIOBase):
    """The text of the first rows of a file; to be read through :class:`io.BufferedReader`.

    A row is a line with something in it; blank lines pass through and do not count.

    Parameters
    ----------
    source : binary file
        Lines of text, from the first one after ``before``.
    rows : int or None
        Number of rows at which the text ends; None for all of the file.
    before : bytes
        What was read of the file already (its header), for the digest.
    name : str
        What errors call the file.

    Attributes
    ----------
    rows, bytes : int
        Rows passed on so far; bytes of text, ``before`` included.
    """

    def __init__(
        self, source: BinaryIO, *, rows: int | None, before: bytes = b"", name: str = "the file"
    ) -> None:
        super().__init__()
        self._source, self._wanted, self._name = source, rows, name
        self._partial: list[bytes] = []  # a line whose end has not come yet
        self._ready = memoryview(b"")
        self._ended = rows == 0
        self._hash = hashlib.sha256(before)
        self.rows = 0
        self.bytes = len(before)

    @property
    def sha256(self) -> str:
        """Digest of the text so far, ``before`` included."""
        return self._hash.hexdigest()

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:
        """Fill some of ``buffer`` with complete or partial lines."""
        while not self._ready and not self._ended:
            self._take()
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _take(self) -> None:
        """Make the next complete lines ready."""
        chunk = self._source.read1(CHUNK_BYTES)
        if chunk:
            complete, newline, rest = chunk.rpartition(b"\n")
            if not newline:
                self._partial.append(chunk)
                if sum(map(len, self._partial)) > LONGEST_LINE_BYTES:
                    raise DataError(
                        f"{self._name}: a line of more than {LONGEST_LINE_BYTES} bytes below row "
                        f"{self.rows}. It is no table of lines and cells."
                    )
                return
            lines, self._partial = b"".join([*self._partial, complete, newline]), [rest]
        else:
            lines, self._partial, self._ended = b"".join(self._partial), [], True
        ends = _ends_of_rows(lines)
        if self._wanted is not None and self.rows + len(ends) >= self._wanted:
            ends = ends[: self._wanted - self.rows]
            lines, self._ended = lines[: ends[-1] + 1], True
        self.rows += len(ends)
        self.bytes += len(lines)
        self._hash.update(lines)
        self._ready = memoryview(lines)


def _ends_of_rows(lines: bytes) -> np.ndarray:
    """Positions of the last byte of each line that has something in it besides its ending."""
    characters = np.frombuffer(lines, dtype=np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    if len(characters) and characters[-1] != ord("\n"):
        ends = np.append(ends, len(characters) - 1)
        has_newline = np.append(np.ones(len(ends) - 1, dtype=int), 0)
    else:
        has_newline = np.ones(len(ends), dtype=int)
    lengths = np.diff(ends, prepend=-1) - has_newline
    is_return = (lengths == 1) & (characters[ends - has_newline] == ord("\r"))
    return ends[(lengths > 0) & ~is_return]
