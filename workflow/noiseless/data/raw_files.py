"""A file as it was given: what it is, by its first bytes, and the text in it.

1. :func:`is_parquet` tells a table of text from Parquet, an archive, a web page or an empty file.
   Names are not asked.
2. :func:`unfolded` undoes gzip, or takes the one table out of a zip, while the bytes are read, and
   stops when far more comes out than a table can hold.  A zip that comes over the network must come
   completely first.
"""

import errno
import fnmatch
import gzip
import io
import lzma
import shutil
import struct
import tarfile
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from noiseless.errors import DataError, UserError

CHUNK_BYTES = 1 << 18
FETCH_AGAIN = "Fetch it again."
GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"
PARQUET_MAGIC = b"PAR1"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"
_WORKBOOK_PART = "xl/workbook.xml"
_HEAD_BYTES = 1 << 12

# A table of text shrinks to a hundredth at best; what grows further is made to fill a disk.
UNFOLDED_BYTES = 1 << 28
UNFOLDED_PER_BYTE = 100

# Among them RuntimeError for an encrypted member, and for a way to compress that is not known.
_DAMAGE = (
    *(EOFError, LookupError, OSError, OverflowError, RuntimeError, ValueError),
    *(lzma.LZMAError, struct.error, tarfile.TarError, zipfile.BadZipFile, zlib.error),
)


@dataclass(frozen=True)
class RawFile:
    """A file as it was given.

    Attributes
    ----------
    path : Path
    """

    path: Path

    @property
    def is_packed(self) -> bool:
        """Whether the file's compression tells where it ends."""
        with self.open() as file:
            return file.read(4).startswith((GZIP_MAGIC, ZIP_MAGIC))

    def open(self) -> io.BufferedReader:
        """Its bytes, of which there is one at least.

        Raises
        ------
        DataError
            If the file is missing, empty, or cannot be read.
        """
        if not self.path.is_file():
            found = "a folder, not a file" if self.path.is_dir() else "no such file"
            raise DataError(f"{self.path}: {found}. data/README.md says where to get it.")
        try:
            file = io.BufferedReader(self.path.open("rb", buffering=0), CHUNK_BYTES)
            if not file.peek(1):
                file.close()
                raise self.damaged("the file is empty.")
        except OSError as error:
            raise self.unreadable(error) from None
        return file

    def damaged(self, problem: str, line: int | None = None) -> DataError:
        """The error of a file that is not as it was made, with what to do about it."""
        where = f"{self.path}, line {line}" if line else str(self.path)
        return DataError(f"{where}: {problem} {FETCH_AGAIN}")

    def unreadable(self, error: OSError) -> DataError:
        """The error of a file that may not or cannot be read."""
        return DataError(f"{self.path}: cannot be read ({error.strerror}). See who may read it.")


def is_parquet(raw: RawFile) -> bool:
    """Whether a file is Parquet; if not, it is a table of text, packed or not.

    Raises
    ------
    DataError
        If it is missing, empty, a web page, UTF-16 text, or an archive without one table in it.
    """
    with raw.open() as file:
        if file.read(len(PARQUET_MAGIC)) == PARQUET_MAGIC:
            return True
    with open_unfolded(raw) as text:
        for head in iter(lambda: text.read(_HEAD_BYTES), b""):
            if head.strip():
                require_table(head, str(raw.path))
                return False
    raise raw.damaged("the file is empty.")


def require_table(head: bytes, name: str) -> None:
    """Refuse a text that is no table by its beginning.

    Raises
    ------
    DataError
        If it is a web page or other XML, or UTF-16.
    """
    if head.startswith(_UTF16_MARKS):
        raise DataError(f"{name}: not UTF-8 text, but UTF-16. {FETCH_AGAIN}")
    if head.removeprefix(_UTF8_MARK).lstrip().startswith(b"<"):
        raise DataError(
            f"{name}: a web page or other XML, not a table (was a login needed?). data/README.md "
            "says how to get the file."
        )


@contextmanager
def open_unfolded(raw: RawFile) -> Iterator[BinaryIO]:
    """The text in a file, as bytes, whatever it is packed in.

    Raises
    ------
    DataError
        At once or while reading: as for :func:`unfolded`.
    """
    with raw.open() as file:
        yield unfolded(file, name=str(raw.path))


# --- Compressed files -------------------------------------------------------------------------


def unfolded(stream: io.BufferedReader, *, member: str = "*.csv", name: str) -> io.BufferedReader:
    """The text inside a gzip or zip file, undone as it is read; any other file as it is.

    Parameters
    ----------
    stream : binary file with ``peek``
        The bytes, from their beginning.
    member : str
        Name, or pattern, of the file wanted from a zip of several.
    name : str
        What errors call the file.

    Raises
    ------
    DataError
        At once or while reading: if the file is damaged, cut short, encrypted, has no such member
        or several, or if more comes out of it than a table can hold.
    """
    start, damage = stream.peek(len(ZIP_MAGIC)), _damaged_archive(name)
    if start.startswith(GZIP_MAGIC):
        blocks = _guarded(gzip.GzipFile(fileobj=stream), stream.tell, name, damage)
    elif start.startswith(ZIP_MAGIC):
        with damage_as(damage):
            archive = zipfile.ZipFile(stream if stream.seekable() else _kept(stream))
            entry = _the_table(archive.infolist(), member, name)
            blocks = _guarded(archive.open(entry), lambda: entry.compress_size, name, damage)
    else:
        return stream
    return io.BufferedReader(Blocks(blocks), CHUNK_BYTES)


def _guarded(
    inner: Any, packed_bytes: Callable[[], int], name: str, damage: DataError
) -> Iterator[bytes]:
    """What a decompressor gives, which ends, with errors that a person can act on."""
    size = 0
    with damage_as(damage):
        while block := inner.read(CHUNK_BYTES):
            size += len(block)
            if size > UNFOLDED_BYTES + UNFOLDED_PER_BYTE * packed_bytes():
                raise DataError(
                    f"{name}: {size} bytes came out of {packed_bytes()} compressed ones, more than "
                    "any table shrinks by. Unpack the file yourself if you trust it."
                )
            yield block


class Blocks(io.RawIOBase):
    """A file that is read once, from its beginning to its end, of the blocks that it has."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        super().__init__()
        self._blocks, self._taken, self._ready = blocks, 0, b""

    def readable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """Number of bytes that were read."""
        return self._taken

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as the next block goes."""
        self._ready = self._ready or next(self._blocks, b"")
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        self._taken += size
        return size


def _kept(stream: BinaryIO) -> BinaryIO:
    """What arrives in order, as a file that lives as long: a zip's directory is at its end."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 -- closed with the stream
    weakref.finalize(stream, file.close)
    shutil.copyfileobj(stream, file, CHUNK_BYTES)
    return file


def _damaged_archive(name: str) -> DataError:
    problem = "the compressed file is damaged, cut short or encrypted"
    return DataError(f"{name}: {problem}. {FETCH_AGAIN}")


@contextmanager
def damage_as(error: Exception) -> Iterator[None]:
    """Raise an error in place of those of the decompressors, which say little to a person."""
    try:
        yield
    except UserError:
        raise
    except _DAMAGE as found:
        # An error of the file system has a number; those of the decompressors have none. EINVAL
        # is a place before the beginning of the file, where a damaged directory leads.
        if getattr(found, "errno", None) not in (None, errno.EINVAL):
            raise
        raise error from None


def _the_table(entries: Sequence[zipfile.ZipInfo], member: str, name: str) -> zipfile.ZipInfo:
    """The one file whose name fits the pattern, or the only one there is."""
    files = {
        entry.filename: entry
        for entry in entries
        # Not what a system keeps beside its files.
        if not entry.is_dir()
        and not any(p.startswith((".", "__MACOSX")) for p in PurePosixPath(entry.filename).parts)
    }
    if _WORKBOOK_PART in files:
        raise DataError(f"{name}: a workbook, which is not read. Save its table as CSV (UTF-8).")
    fitting = [each for each in files if fnmatch.fnmatchcase(Path(each).name.lower(), member)]
    fitting = fitting or (list(files) if len(files) == 1 else [])
    if len(fitting) == 1:
        return files[fitting[0]]
    if fitting:
        raise DataError(
            f"{name}: {len(fitting)} files in the zip could be meant: {listed(fitting)}. Unpack "
            "it, and give the path of one of them."
        )
    raise DataError(
        f"{name}: no file in the zip is called {member}. Its files: "
        f"{listed(list(files)) or 'none'}."
    )


def listed(names: Sequence[str], most: int = 12) -> str:
    """Some names, and the number of the others; long ones are cut."""
    shown = [each if len(each) <= 60 else each[:57] + "..." for each in names[:most]]
    shown = [each if each.isprintable() else repr(each)[1:-1] for each in shown]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + more
