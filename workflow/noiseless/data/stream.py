"""The first rows of a file that is too large to be fetched completely.

1. :func:`open_path` opens a file on this machine, and
   :func:`noiseless.data.download.read_first_mirror` one on a server.  Bytes come in order and
   only as far as a caller reads: a million trips are the head of a file of gigabytes.
2. :func:`noiseless.data.raw_files.unfolded` undoes gzip or zip while the bytes come in.
3. :class:`Head` is the text of the first rows.  It ends after them, and knows their number, their
   bytes and their SHA-256: that of ``zcat FILE | head -n LINES | sha256sum``, whatever the sizes
   of the pieces in which the text came.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from noiseless.data.csv_rows import BLOCK_BYTES, LONGEST_LINE_BYTES
from noiseless.data.raw_files import CHUNK_BYTES, RawFile
from noiseless.errors import DataError

# --- Opening a file where it is ---------------------------------------------------------------


@contextmanager
def open_path(path: str | Path) -> Iterator[BinaryIO]:
    """The bytes of a file on this machine.

    Raises
    ------
    DataError
        If there is no such file, or it is empty or cannot be read.
    """
    RawFile(Path(path)).require_file()
    with Path(path).open("rb", buffering=CHUNK_BYTES) as file:
        yield file


# --- The first rows ---------------------------------------------------------------------------


class Head:
    """The text of the first rows of a file, in blocks of complete lines.

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
        self._source, self._wanted, self._name = source, rows, name
        self._partial: list[bytes] = []  # a line whose end has not come yet
        self._ended = rows == 0
        self._hash = hashlib.sha256(before)
        self.rows = 0
        self.bytes = len(before)

    @property
    def sha256(self) -> str:
        """Digest of the text so far, ``before`` included."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        """The blocks; the last line may lack its line end.

        Raises
        ------
        DataError
            If a line is longer than a MiB.
        """
        while not self._ended:
            pieces, size = [], 0
            while size < BLOCK_BYTES and not self._ended:
                pieces.append(self._take())
                size += len(pieces[-1])
            if size:
                yield b"".join(pieces)

    def _take(self) -> bytes:
        """The next complete lines."""
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
                return b""
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
        return lines


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
