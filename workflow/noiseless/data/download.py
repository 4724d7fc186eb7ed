"""Downloads of public files: each arrives complete and checked, or not at all.

1. :func:`download` tries the mirrors of a file in turn.  It writes a mirror's bytes beside the
   target, extracts the file if it comes in an archive, checks size and SHA-256, and moves the
   file into place.  :func:`read_first_mirror` hands on the bytes as they come, and fetches no more
   than are read.  When no mirror gives the file, the error names the reason for each, and how to
   get the file by hand.
2. A connection that ends early is followed by another one.  It asks for the rest where an ETag or
   a date of change shows that it is the rest of the same file, and for all of it elsewhere.
3. Each 64 KiB have to come within the time-out, the number of connections is limited, and no more
   is taken than the server has announced, or the limit allows.  A busy server that says how long to
   wait is waited for, up to :data:`MAX_WAIT_S`.
4. All text of a server that a message shows passes :func:`format_problem`, because it may repeat a
   token.
"""

import csv
import io
import logging
import os
import re
import threading
import time
import zipfile
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from urllib.parse import urlsplit

import requests
from tqdm import tqdm

from noiseless import __version__
from noiseless.data.archives import RejectedFileError, extract_file
from noiseless.data.kaggle import build_kaggle_request
from noiseless.data.registry import Mirror
from noiseless.errors import DataError, DownloadError
from noiseless.files import compute_file_sha256, write_atomically
from noiseless.reading.raw_files import BlockStream

log = logging.getLogger(__name__)

BLOCK_BYTES = 1 << 16  # a connection that brings less than this within the time-out has stalled
MAX_CONNECTIONS = 200  # to one mirror for one file, however small the progress of each
MAX_BACKOFF_S = 60.0  # between two connections, where the server names no waiting time
MAX_WAIT_S = 300.0  # between two connections, where the server names a waiting time
Result = TypeVar("Result")


class _ConnectionLostError(RejectedFileError):
    """Error about a lost connection; another one, ``wait_s`` seconds later, may succeed."""

    def __init__(self, problem: str, *, server_text: str = "", wait_s: float = 0.0) -> None:
        super().__init__(problem, server_text=server_text)
        self.wait_s = wait_s


def download(
    mirrors: Sequence[Mirror], target: str | Path, *, max_bytes: int, **patience: Any
) -> Mirror:
    """Download a file from the first of its mirrors that gives it complete and as registered.

    ``target`` appears in one move. After any error, an interrupt or an exit included, nothing is
    left beside it, and a ``target`` that was there before is as it was. Dead mirrors are named in
    the error, which has a line for each, and not tried. ``max_bytes`` counts where the registry
    gives no size.

    Of ``patience``, ``attempts`` is how many times in a row a mirror may fail (connection errors,
    time-outs, HTTP 429 and 5xx) without progress. ``backoff_s`` is waited before the second one,
    and doubled up to a minute; a server that asks for longer (``Retry-After``) gets up to five
    minutes. ``timeout_s`` is waited for the headers of an answer, and for each 64 KiB of it.
    """

    def fetch_from(mirror: Mirror) -> Mirror:
        """Download the file from one mirror; return the mirror."""
        size = mirror.bytes if mirror.archive == "none" else mirror.archive_bytes
        # Kaggle may send a zip of the file, which is a little larger where bytes do not compress.
        most = max_bytes if size is None else size + size // 100 + 4096
        with (
            write_atomically(target) as complete,
            TemporaryDirectory(prefix=f".download-{os.getpid()}-", dir=complete.parent) as folder,
        ):
            travelled = Path(folder, "travelled")
            with travelled.open("wb") as file:
                for position, piece in _iterate_pieces(mirror, most=most, **patience):
                    file.seek(position)
                    file.truncate()
                    file.write(piece)
            _finish_download(mirror, travelled, complete, max_bytes)
        log.info("%s: fetched from %s", target, mirror.url)
        return mirror

    try:
        return _try_mirrors(mirrors, fetch_from)
    except OSError as error:
        problem = f"{target}: {error.strerror}. Make room, or check the folder's permissions."
        raise DownloadError(problem) from None


def read_first_mirror(
    mirrors: Sequence[Mirror], use: Callable[[io.BufferedReader, Mirror], Result], **patience: Any
) -> Result:
    """Call ``use`` on a file's bytes from the first of its mirrors that gives all that it reads.

    It starts afresh with each mirror.
    """

    def read(mirror: Mirror) -> Result:
        """Call ``use`` on the bytes of one mirror."""
        coming = _iterate_pieces(mirror, most=float("inf"), **patience)
        return use(io.BufferedReader(BlockStream(_check_order(coming)), BLOCK_BYTES), mirror)

    return _try_mirrors(mirrors, read)


def _try_mirrors(mirrors: Sequence[Mirror], use: Callable[[Mirror], Result]) -> Result:
    """Return the result of ``use`` for the first mirror for which it raises no error."""
    tried = []
    for mirror in mirrors:
        if mirror.status == "dead":
            tried.append(f"{mirror.url}: not tried, as it was dead on {mirror.checked}.")
            continue
        if mirror.kind == "page":
            tried.append(f"{mirror.url}: not tried, as it is a page; a person may find it there.")
            continue
        try:
            return use(mirror)
        except DataError as problem:
            tried.append(str(problem))
        except RejectedFileError as problem:
            tried.append(format_problem(mirror, problem))
        log.warning("%s", tried[-1])
    lines = "\n  ".join([f"{mirrors[0].file} could not be fetched from any mirror:", *tried])
    notes = " ".join(dict.fromkeys(mirror.note for mirror in mirrors))
    raise DownloadError(
        f"{lines}\nBy hand: {notes} Then set the dataset's tier to `local` and give its path. "
        "To go on without it, leave it out (data/README.md, The three tiers)."
    )


def format_problem(mirror: Mirror, problem: RejectedFileError) -> str:
    """Format a line about a mirror that did not give its file: its address, and the problem.

    Words that the server chose are shown in ASCII, and not at all where a token may have been sent:
    the server can repeat it in any form.
    """
    server_text = f" ({ascii(problem.server_text)[1:-1]:.400})" if problem.server_text else ""
    return f"{mirror.url}: {problem}{'' if mirror.kind == 'kaggle' else server_text}"


def _check_order(pieces: Iterator[tuple[int, bytes]]) -> Iterator[bytes]:
    """Iterate over the pieces of a file in order; refuse one that starts the file again."""
    received = 0
    for position, piece in pieces:
        if position != received:
            raise RejectedFileError(f"it was cut after {received} bytes, and cannot be resumed.")
        if piece:  # an empty one would end a stream
            yield piece
        received += len(piece)


def _finish_download(mirror: Mirror, travelled: Path, complete: Path, max_bytes: int) -> None:
    """Check a download, extract the wanted file if it is in an archive, and check the file."""
    archive = mirror.archive
    if archive != "none":
        _check_digest(travelled, mirror.archive_bytes, mirror.archive_sha256)
    elif mirror.kind == "kaggle" and zipfile.is_zipfile(travelled):
        archive = "zip"  # Kaggle sends large files zipped, without being asked.
    if archive == "none":
        travelled.replace(complete)
    else:
        extract_file(
            travelled, mirror.member, complete, archive, max_bytes=mirror.bytes or max_bytes
        )
    _check_digest(complete, mirror.bytes, mirror.sha256)


def _check_digest(path: Path, size: int | None, sha256: str | None) -> None:
    """Raise Refused unless the file has the registered size and digest, where there are any."""
    found, digest = path.stat().st_size, compute_file_sha256(path)
    if found == 0 or size not in (None, found) or sha256 not in (None, digest):
        raise RejectedFileError(
            f"its file has {found} bytes and the sha256 {digest}, but config/sources.yaml expects "
            f"{size or 'some'} and {sha256 or 'any'}. The file there has changed."
        )


# --- One mirror ------------------------------------------------------------------------------


def _iterate_pieces(
    mirror: Mirror, *, most: float, **patience: Any
) -> Generator[tuple[int, bytes], None, None]:
    """Iterate over (position, piece) pairs of a mirror's file, in the way of its kind.

    A piece at position 0 starts the file again, so all earlier pieces must be dropped.
    """
    if mirror.kind == "rows":
        yield from _iterate_row_pages(mirror, most=most, **patience)
    elif mirror.kind == "kaggle":
        yield from _iterate_answer(mirror, *build_kaggle_request(mirror), most=most, **patience)
    else:
        yield from _iterate_answer(mirror, mirror.url, {}, most=most, **patience)


def _iterate_row_pages(
    mirror: Mirror, *, most: float, **patience: Any
) -> Generator[tuple[int, bytes], None, None]:
    """Iterate over (position, page) pairs of a table that is served by pages of rows, as CSV.

    A page is passed on once it has come whole, without the header but for the first one, so that
    after a cut one page alone is fetched again.  A page without rows is the end.
    """
    header, rows, position = b"", 0, 0
    while True:
        page = bytearray()
        url = f"{mirror.url}&$offset={rows}"
        for start, piece in _iterate_answer(mirror, url, {}, most=most - position, **patience):
            page[start:] = piece
        first, _, below = bytes(page).partition(b"\n")
        if below and not below.endswith(b"\n"):
            raise RejectedFileError(f"the page behind row {rows} ends within a row.")
        if header and first != header:
            raise RejectedFileError(f"the page behind row {rows} has other columns.")
        # A cell may have line ends; the next page begins behind rows, not lines.
        count = sum(1 for _ in csv.reader(io.StringIO(below.decode("latin-1"), newline="")))
        if not count:
            return
        passed = below if header else bytes(page)
        yield position, passed
        header, rows, position = first, rows + count, position + len(passed)


def _iterate_answer(
    mirror: Mirror,
    url: str,
    headers: dict[str, str],
    *,
    most: float,
    attempts: int,
    backoff_s: float,
    timeout_s: float,
) -> Generator[tuple[int, bytes], None, None]:
    """Iterate over (position, piece) pairs of an address's answer, reconnecting after failures.

    The last piece of a connection that ends is empty.
    """
    file = _Transfer()
    failures = furthest = 0
    with tqdm(desc=mirror.file, unit="B", unit_scale=True, disable=None) as bar:
        for connection in range(1, MAX_CONNECTIONS + 1):
            answer = _request(url, headers | file.build_headers(), timeout_s)
            try:
                file.read_headers(_get_next(answer, timeout_s))
                bar.total = file.total
                while block := _get_next(answer, timeout_s):
                    file.check_block(block, most)
                    yield file.received, block
                    file.received += len(block)
                    bar.update(file.received - bar.n)
                # Where the file started again, earlier pieces are void even if nothing has come.
                yield file.received, b""
                if file.received >= (file.total or 0):
                    return
                raise _ConnectionLostError("the connection was cut.")
            except _ConnectionLostError as cut:
                problem = f"{cut} {file.received} bytes have come over {connection} connections."
                last = _ConnectionLostError(problem, server_text=cut.server_text, wait_s=cut.wait_s)
            failures = 0 if file.received > furthest else failures + 1
            furthest = max(furthest, file.received)
            if failures >= attempts:
                break
            if last.wait_s > MAX_WAIT_S:
                break
            log.info("%s", format_problem(mirror, last))
            backoff = min(backoff_s * 2 ** max(failures - 1, 0), MAX_BACKOFF_S)
            time.sleep(max(backoff, last.wait_s))
    raise RejectedFileError(f"{last} Try again later.", server_text=last.server_text)


@dataclass
class _Transfer:
    """State of a download: the bytes received, the announced size, and the file's validator."""

    received: int = 0  # bytes
    total: int | None = None  # bytes; None if the server announces no size
    validator: str | None = None  # ETag or date of change, which names this state of the file

    def build_headers(self) -> dict[str, str]:
        """Build headers that request the rest alone; none without the file's size and validator."""
        if self.received and self.total and self.validator:
            return {"Range": f"bytes={self.received}-", "If-Range": self.validator}
        return {}

    def read_headers(self, response: requests.Response) -> None:
        """Read the size and validator of a file from its headers, or raise Refused or _Cut."""
        status, headers = response.status_code, response.headers
        if status == 429 or status >= 500:
            wait_s = _read_wait_s(headers.get("Retry-After", ""))
            longer = f" It asks to wait for more than {MAX_WAIT_S:g} s."
            raise _ConnectionLostError(
                f"the server is busy or broken (HTTP {status})."
                + (longer if wait_s > MAX_WAIT_S else ""),
                wait_s=wait_s,
            )
        packing = headers.get("Content-Encoding", "identity")
        length = headers.get("Content-Length", "0")
        if status not in (200, 206, 416):
            raise _build_no_file_error(f"HTTP {status}")
        if "html" in headers.get("Content-Type", "").lower():
            raise _build_no_file_error("a web page")
        if packing != "identity" or not re.fullmatch("[0-9]{1,18}", length):
            raise _build_no_file_error(
                "an answer that is packed, or whose length is no number,",
                server_text=f"Content-Encoding: {packing:.40}; Content-Length: {length:.40}",
            )
        etag = headers.get("ETag", "W/")
        validator = headers.get("Last-Modified") if etag.startswith("W/") else etag
        if status == 200:
            self.total = int(length) if "Content-Length" in headers else None
            self.received, self.validator = 0, validator
            if self.total is None and "Transfer-Encoding" not in headers:
                log.warning("No length is announced: a cut of the connection may go unnoticed.")
            return
        rest = f"bytes {self.received}-{(self.total or 0) - 1}/{self.total}"
        if headers.get("Content-Range") != rest or validator not in (None, self.validator):
            self.received = 0
            raise _ConnectionLostError("the file changed while it was being fetched.")

    def check_block(self, block: bytes, most: float) -> None:
        """Raise Refused if the next block exceeds ``most`` bytes in all or begins a web page."""
        most = min(most, self.total or most)
        if max(self.total or 0, self.received + len(block)) > most:
            raise RejectedFileError(f"it gives more than the {most} bytes expected at most.")
        if self.received == 0 and block.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            raise _build_no_file_error("a web page")


def _build_no_file_error(found: str, *, server_text: str = "") -> RejectedFileError:
    """Build the error about a server that answered with something else than the file."""
    return RejectedFileError(
        f"{found} instead of the file. It may be gone, or need a login: open the address in a "
        "browser to check. data/README.md says how to use a token of Kaggle's.",
        server_text=server_text,
    )


def _read_wait_s(retry_after: str) -> float:
    """Parse a ``Retry-After`` header, a number or a date, as seconds from now; 0 if neither."""
    if re.fullmatch("[0-9]{1,18}", retry_after):
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
        return max(0.0, (until - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):  # no date, or one without a zone
        return 0.0


def _get_next(answer: Generator[Any, None, None], timeout_s: float) -> Any:
    """Return the next item of an answer, None at its end; raise _Cut after ``timeout_s`` seconds.

    The item is read in a thread, which is left behind after a time-out, because the time-out of a
    socket begins anew with every byte.
    """
    results: Queue[Any] = Queue()

    def put_next() -> None:
        """Put the next item, or the error that it raises, into ``results``."""
        try:
            results.put(next(answer, None))
        except Exception as error:
            results.put(error)

    threading.Thread(target=put_next, daemon=True).start()
    try:
        result = results.get(timeout=timeout_s)
    except Empty:
        raise _build_late_error(timeout_s) from None
    if isinstance(result, Exception):
        raise result
    return result


def _build_late_error(timeout_s: float) -> _ConnectionLostError:
    """Build the error for a server that sends less than a block in ``timeout_s`` seconds."""
    return _ConnectionLostError(f"less than {BLOCK_BYTES >> 10} KiB came within {timeout_s:g} s.")


def _close_redirect(response: requests.Response, **_: Any) -> None:
    """Close the answer of a redirect, whose body requests would read to the end."""
    if response.is_redirect:
        response.close()


def _request(url: str, headers: dict[str, str], timeout_s: float) -> Generator[Any, None, None]:
    """Request an address; yield the response with its headers read, then its body in blocks.

    The text of the library's errors is not passed on, because it has the address after redirects,
    which may be signed with a secret.
    """
    with requests.Session() as session:
        session.hooks["response"] = [_close_redirect]
        # Sizes and ranges are those of the file itself, not of a compressed transfer.
        session.headers["Accept-Encoding"] = "identity"
        session.headers["User-Agent"] = f"noiseless/{__version__}"
        session.auth = lambda request: request  # otherwise requests sends the login of ~/.netrc
        try:
            # The longer time-out ends the threads that are left behind.
            with session.get(url, headers=headers, stream=True, timeout=2 * timeout_s) as response:
                yield response
                block = b""
                for piece in response.iter_content(BLOCK_BYTES):
                    block += piece
                    if len(block) >= BLOCK_BYTES:
                        yield block
                        block = b""
                yield block
        except requests.ReadTimeout:
            # Where this process had no turn for so long, the socket's time-out comes first.
            raise _build_late_error(timeout_s) from None
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError) as error:
            wrapped = error.args[0] if error.args else None
            if isinstance(getattr(wrapped, "__cause__", None), TimeoutError):  # within the body
                raise _build_late_error(timeout_s) from None
            host = urlsplit(url).hostname
            last = urlsplit(str(error.request.url if error.request else url)).hostname
            is_redirected = host != last
            raise _ConnectionLostError(
                f"no connection to {'where it leads' if is_redirected else host}, or it was cut.",
                server_text=f"it leads to {last}" if is_redirected else "",
            ) from None
        except (requests.RequestException, ValueError) as error:
            if isinstance(error, requests.exceptions.InvalidSchema) and "SOCKS" in str(error):
                raise RejectedFileError(_describe_missing_socks(url)) from None
            raise RejectedFileError(
                "its address, one it leads to, or a token cannot be used."
            ) from None
        except OSError:  # of requests' own, before anything is sent
            raise RejectedFileError(_describe_missing_certificates()) from None


def _describe_missing_socks(url: str) -> str:
    """Describe a proxy whose package is not installed by its scheme: its address may be secret."""
    proxy = requests.utils.select_proxy(url, requests.utils.get_environ_proxies(url)) or ""
    return (
        f"a proxy is set ({proxy.partition(':')[0]}://..., in HTTPS_PROXY or ALL_PROXY), and the "
        "package for it is not installed. Install it (pip install PySocks), or unset the variable."
    )


def _describe_missing_certificates() -> str:
    """Describe a file of certificates that is not there by the variable that names it."""
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        if path := os.environ.get(name):
            return (
                f"{name} is {path!r}, and there are no certificates. Set it to the file of your "
                "network, or unset it."
            )
    return "the certificates of the package certifi are not there. Install it again."
