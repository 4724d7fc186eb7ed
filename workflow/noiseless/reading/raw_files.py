"""Raw files: their format, recognized by the first bytes, and the text in them, decompressed.

1. :func:`is_parquet` distinguishes a table of text from Parquet, an archive, a web page and an
   empty file.  The file's name does not matter.
2. :func:`decompress` undoes gzip, or takes the one table out of a zip, while the bytes are read,
   and stops when far more comes out than a table can hold.  A zip that comes over the network must
   come completely first.
"""

import errno
import fnmatch
import gzip
import io
import lzma
import shutil
import stat
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

# A table of text shrinks to a hundredth at best; a file that grows further is made to fill a disk.
MAX_DECOMPRESSED_BYTES = 1 << 28
MAX_COMPRESSION_RATIO = 100

# Errors of decompressors; RuntimeError stands for an encrypted member or an unknown compression.
_DAMAGE = (
    *(EOFError, LookupError, OSError, OverflowError, RuntimeError, ValueError),
    *(lzma.LZMAError, struct.error, tarfile.TarError, zipfile.BadZipFile, zlib.error),
)


@dataclass(frozen=True)
class RawFile:
    """Raw file of a dataset, as the user or a mirror gave it: it may be missing or damaged."""

    path: Path

    @property
    def is_packed(self) -> bool:
        """True for gzip and zip, which record where their content ends."""
        with self.open() as file:
            return file.read(4).startswith((GZIP_MAGIC, ZIP_MAGIC))

    def open(self) -> io.BufferedReader:
        """Open the file for reading bytes, after checking that it is not empty."""
        try:
            kind = stat.S_IFMT(self.path.stat().st_mode)
            if kind != stat.S_IFREG:
                # A pipe may wait for ever, and a device may have no end.
                found = "a folder" if kind == stat.S_IFDIR else "a pipe or a device"
                raise DataError(
                    f"{self.path}: {found}, not a file. data/README.md says where to get it."
                )
            file: io.BufferedReader = io.BufferedReader(
                self.path.open("rb", buffering=0), CHUNK_BYTES
            )
            if not file.peek(1):
                file.close()
                raise self.build_damage_error("the file is empty.")
        except (FileNotFoundError, NotADirectoryError):
            raise DataError(
                f"{self.path}: no such file. data/README.md says where to get it."
            ) from None
        except OSError as error:
            raise self.build_read_error(error) from None
        return file

    def build_damage_error(self, problem: str, line: int | None = None) -> DataError:
        """Build the error about a damaged file: its path, line and problem, and the remedy."""
        where = f"{self.path}, line {line}" if line else str(self.path)
        return DataError(f"{where}: {problem} {FETCH_AGAIN}")

    def build_read_error(self, error: OSError) -> DataError:
        """Build the error about a file that the system does not let this user read."""
        remedy = {
            errno.EACCES: "Check the file's permissions",
            errno.EPERM: "Check the file's permissions",
            errno.ENAMETOOLONG: "Give the path of a file",
        }.get(error.errno or 0, "Check the disk that it is on")
        return DataError(f"{self.path}: cannot be read ({error.strerror}). {remedy}.")


def is_parquet(raw: RawFile) -> bool:
    """Return whether a file is Parquet; any other accepted file is a table of text."""
    with raw.open() as file:
        if file.read(len(PARQUET_MAGIC)) == PARQUET_MAGIC:
            return True
    with open_decompressed(raw) as text:
        for head in iter(lambda: text.read(_HEAD_BYTES), b""):
            if head.strip():
                check_table(head, str(raw.path))
                return False
    raise raw.build_damage_error("the file is empty.")


def check_table(head: bytes, name: str) -> None:
    """Refuse a text whose first bytes are those of a web page, other XML or UTF-16."""
    if head.startswith(_UTF16_MARKS):
        raise DataError(f"{name}: not UTF-8 text, but UTF-16. {FETCH_AGAIN}")
    if head.removeprefix(_UTF8_MARK).lstrip().startswith(b"<"):
        raise DataError(
            f"{name}: a web page or other XML, not a table (was a login needed?). data/README.md "
            "says how to get the file."
        )


@contextmanager
def open_decompressed(raw: RawFile) -> Iterator[BinaryIO]:
    """Open a text file for reading bytes; gzip and zip are decompressed."""
    with raw.open() as file:
        yield decompress(file, name=str(raw.path))


# --- Compressed files -------------------------------------------------------------------------


def decompress(stream: io.BufferedReader, *, member: str = "*.csv", name: str) -> io.BufferedReader:
    """Decompress a gzip or zip file while it is read; return any other stream as it is.

    ``member`` is the name, or pattern, of the file wanted from a zip of several. Damage, and more
    than a table can hold, are a DataError at once or while reading.
    """
    start = stream.peek(len(ZIP_MAGIC))
    problem = "the compressed file is damaged, cut short or encrypted"
    damage = DataError(f"{name}: {problem}. {FETCH_AGAIN}")
    if start.startswith(GZIP_MAGIC):
        blocks = _limit_decompression(gzip.GzipFile(fileobj=stream), stream.tell, name, damage)
    elif start.startswith(ZIP_MAGIC):
        with convert_damage(damage):
            archive = zipfile.ZipFile(stream if stream.seekable() else _spool_to_disk(stream))
            entry = _select_table(archive.infolist(), member, name)
            blocks = _limit_decompression(
                archive.open(entry), lambda: entry.compress_size, name, damage
            )
    else:
        return stream
    return io.BufferedReader(BlockStream(blocks), CHUNK_BYTES)


def _limit_decompression(
    inner: Any, packed_bytes: Callable[[], int], name: str, damage: DataError
) -> Iterator[bytes]:
    """Iterate over a decompressor's blocks; refuse more bytes than a table can shrink by.

    Errors of the decompressor become ``damage``.
    """
    size = 0
    with convert_damage(damage):
        while block := inner.read(CHUNK_BYTES):
            size += len(block)
            if size > MAX_DECOMPRESSED_BYTES + MAX_COMPRESSION_RATIO * packed_bytes():
                raise DataError(
                    f"{name}: {size} bytes came out of {packed_bytes()} compressed ones, more than "
                    f"{MAX_COMPRESSION_RATIO} for each. Decompress the file yourself if you "
                    "trust it."
                )
            yield block


class BlockStream(io.RawIOBase):
    """Binary file of blocks from an iterator, readable once from its beginning to its end."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        super().__init__()
        self._blocks, self._taken, self._ready = blocks, 0, b""

    def readable(self) -> bool:
        """Return True: the file is for reading."""
        return True

    def tell(self) -> int:
        """Return the number of bytes that were read."""
        return self._taken

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as the next block goes; return the number of bytes."""
        self._ready = self._ready or next(self._blocks, b"")
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        self._taken += size
        return size


def _spool_to_disk(stream: BinaryIO) -> BinaryIO:
    """Copy a stream to a temporary file of the same lifetime: a zip's directory is at its end."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 -- closed with the stream
    weakref.finalize(stream, file.close)
    shutil.copyfileobj(stream, file, CHUNK_BYTES)
    return file


@contextmanager
def convert_damage(error: Exception) -> Iterator[None]:
    """Raise ``error`` in place of a decompressor's errors, which name neither file nor remedy."""
    try:
        yield
    except UserError:
        raise
    except _DAMAGE as damage:
        # An error of the file system has a number; those of the decompressors have none. EINVAL
        # is that of a place before the beginning of the file, where a damaged directory leads.
        if getattr(damage, "errno", None) not in (None, errno.EINVAL):
            raise
        raise error from None


def _select_table(entries: Sequence[zipfile.ZipInfo], member: str, name: str) -> zipfile.ZipInfo:
    """Select the one file of a zip whose name fits the pattern, or the only file in the zip."""
    files = {
        entry.filename: entry
        for entry in entries
        # Skip the files in which an operating system keeps its own notes.
        if not entry.is_dir()
        and not any(p.startswith((".", "__MACOSX")) for p in PurePosixPath(entry.filename).parts)
    }
    if _WORKBOOK_PART in files:
        raise DataError(f"{name}: a workbook; expected CSV. Save its table as CSV (UTF-8).")
    fitting = [each for each in files if fnmatch.fnmatchcase(Path(each).name.lower(), member)]
    fitting = fitting or (list(files) if len(files) == 1 else [])
    if len(fitting) == 1:
        return files[fitting[0]]
    if fitting:
        raise DataError(
            f"{name}: {len(fitting)} files in the zip could be meant: {format_list(fitting)}. "
            "Unpack it, and give the path of one of them."
        )
    raise DataError(
        f"{name}: no file in the zip is called {member}. Its files: "
        f"{format_list(list(files)) or 'none'}. Give the path of the table itself."
    )


def format_list(names: Sequence[str], most: int = 12) -> str:
    """Format the first names with commas between them, and the number of the others.

    Names of more than 60 characters are shortened, and control characters escaped.
    """
    shown = [each if len(each) <= 60 else each[:57] + "..." for each in names[:most]]
    shown = [each if each.isprintable() else repr(each)[1:-1] for each in shown]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + more
