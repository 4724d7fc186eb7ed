"""A file as it was given: what it is, by its first bytes, and the text in it.

1. :func:`identify` tells a table from a workbook, an archive, a web page or an empty file.  Names
   are not asked: a workbook that is called ``.csv`` is a workbook.
2. :func:`unfolded` undoes gzip, or takes the one table out of a zip, while the bytes are read, and
   stops when far more comes out than a table can hold.
3. :class:`RawFile` knows the advice that fits where the file comes from: a public one is fetched
   again, a user's is exported again.
"""

import fnmatch
import gzip
import io
import logging
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from noiseless.errors import DataError, UserError

log = logging.getLogger(__name__)

CHUNK_BYTES = 1 << 18
GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"
PARQUET_MAGIC = b"PAR1"
_OLD_WORKBOOK_MAGIC = b"\xd0\xcf\x11\xe0"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"
_WORKBOOK_PART = "xl/workbook.xml"
_HEAD_BYTES = 1 << 12

# A table of text shrinks to a hundredth at best; what grows further is made to fill a disk.
UNFOLDED_BYTES = 1 << 28
UNFOLDED_PER_BYTE = 100

DAMAGE = (
    EOFError,
    NotImplementedError,  # a way to compress that is not known
    RuntimeError,  # an encrypted member
    gzip.BadGzipFile,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


class Kind(Enum):
    """What a file is."""

    TEXT = "text"
    NEM12 = "NEM12"
    PARQUET = "Parquet"
    WORKBOOK = "workbook"


@dataclass(frozen=True)
class RawFile:
    """A file, and where the configuration speaks of it.

    Attributes
    ----------
    path : Path
    section : str or None
        Such as ``data.my-town``; None for a file of a public dataset.
    """

    path: Path
    section: str | None = None

    @property
    def again(self) -> str:
        """What to do about a damaged file."""
        return "Fetch it again." if self.section is None else "Copy it again, or export it again."

    def require_file(self) -> None:
        """Check that the file is there, can be read, and has something in it.

        Raises
        ------
        DataError
        """
        if not self.path.is_file():
            found = "a folder, not a file" if self.path.is_dir() else "no such file"
            advice = (
                "data/README.md says where to get it."
                if self.section is None
                else f"Set {self.section}.path to the file you have."
            )
            raise DataError(f"{self.path}: {found}. {advice}")
        try:
            with self.path.open("rb") as file:
                first = file.read(1)
        except OSError as error:
            raise DataError(
                f"{self.path}: cannot be read ({error.strerror}). See who may read it."
            ) from None
        if not first:
            raise self.empty()

    def empty(self) -> DataError:
        """The error of a file without content."""
        return DataError(f"{self.path}: the file is empty. {self.again}")


def web_page(name: str, public: bool) -> DataError:
    """The error of a web page in place of a table."""
    advice = (
        " (was a login needed?). data/README.md says how to get the file."
        if public
        else ". Open it in a browser and see."
    )
    return DataError(f"{name}: a web page, not a table{advice}")


def identify(raw: RawFile) -> Kind:
    """What a file is.

    Raises
    ------
    DataError
        If it is missing, empty, a web page, UTF-16 text, a workbook of the old format, or an
        archive without one table in it.
    """
    raw.require_file()
    with raw.path.open("rb") as file:
        start = file.read(8)
    if start.startswith(PARQUET_MAGIC):
        return Kind.PARQUET
    if start.startswith(_OLD_WORKBOOK_MAGIC):
        raise DataError(
            f"{raw.path}: a workbook of the old format (.xls). Save it as .xlsx or as CSV (UTF-8)."
        )
    if start.startswith(ZIP_MAGIC) and _is_workbook(raw):
        return Kind.WORKBOOK
    with open_unfolded(raw) as file:
        head = file.read(_HEAD_BYTES)
    if not head.strip():
        with open_unfolded(raw) as file:
            while chunk := file.read(CHUNK_BYTES):
                if chunk.strip():
                    return Kind.TEXT
        raise raw.empty()
    return kind_of_text(head, str(raw.path), public=raw.section is None)


def kind_of_text(head: bytes, name: str, *, public: bool) -> Kind:
    """What a text is by its beginning.

    Raises
    ------
    DataError
        If it is a web page or other XML, or UTF-16.
    """
    if head.startswith(_UTF16_MARKS):
        raise DataError(
            f"{name}: not UTF-8 text, but UTF-16. Save it as UTF-8 (in a spreadsheet program: "
            "CSV UTF-8)."
        )
    text = head.removeprefix(_UTF8_MARK).lstrip()
    if text.startswith(b"<"):
        lower = text[:512].lower()
        if b"<html" in lower or not lower.startswith(b"<?xml"):
            raise web_page(name, public)
        raise DataError(f"{name}: XML, not a table. Export the readings as CSV instead.")
    if text.startswith((b"100,NEM12", b'"100","NEM12"')):
        return Kind.NEM12
    return Kind.TEXT


def _is_workbook(raw: RawFile) -> bool:
    try:
        with zipfile.ZipFile(raw.path) as opened:
            return _WORKBOOK_PART in opened.namelist()
    except (*DAMAGE, OSError, ValueError):
        raise _damaged(str(raw.path), raw.again) from None


def _damaged(name: str, again: str) -> DataError:
    return DataError(f"{name}: the compressed file is damaged, cut short or encrypted. {again}")


@contextmanager
def open_unfolded(raw: RawFile) -> Iterator[BinaryIO]:
    """The text in a file, as bytes, whatever it is packed in.

    Raises
    ------
    DataError
        At once or while reading: as for :func:`unfolded`.
    """
    raw.require_file()
    with raw.path.open("rb", buffering=CHUNK_BYTES) as file:
        yield unfolded(file, name=str(raw.path), again=raw.again)


# --- Compressed files -------------------------------------------------------------------------


def unfolded(
    stream: BinaryIO, *, member: str = "*.csv", name: str, again: str = "Fetch it again."
) -> BinaryIO:
    """The text inside a gzip or zip file, undone as it is read; any other file as it is.

    Parameters
    ----------
    stream : binary file with ``peek``
        The bytes, from their beginning.
    member : str
        Name, or pattern, of the file wanted from a zip of several.
    name : str
        What errors call the file.
    again : str
        What they advise about a damaged one.

    Raises
    ------
    DataError
        At once or while reading: if the file is damaged, cut short, encrypted, has no such member
        or several, or if more comes out of it than a table can hold.
    """
    start = stream.peek(len(ZIP_MAGIC))
    if start.startswith(GZIP_MAGIC):
        counted = _Counted(stream)
        inner: BinaryIO = gzip.GzipFile(fileobj=counted)
        return io.BufferedReader(_Guarded(inner, counted, name, again), CHUNK_BYTES)
    if not start.startswith(ZIP_MAGIC):
        return stream
    counted = _Counted(stream)
    if not stream.seekable():
        inner = _ArrivingMember(counted, member, name)
        return io.BufferedReader(_Guarded(inner, counted, name, again), CHUNK_BYTES)
    try:
        archive = zipfile.ZipFile(stream)
        entries = [entry for entry in archive.infolist() if not _is_beside(entry)]
        chosen = _the_table([entry.filename for entry in entries], member, name)
        entry = next(entry for entry in entries if entry.filename == chosen)
        counted.bytes = entry.compress_size
        inner = archive.open(entry)
    except UserError:  # which file of several is meant
        raise
    except (*DAMAGE, OSError, ValueError):
        raise _damaged(name, again) from None
    return io.BufferedReader(_Guarded(inner, counted, name, again), CHUNK_BYTES)


def _is_beside(entry: zipfile.ZipInfo) -> bool:
    """Whether an entry is a folder or what a system keeps beside its files."""
    parts = PurePosixPath(entry.filename).parts
    return entry.is_dir() or any(part.startswith((".", "__MACOSX")) for part in parts)


def _the_table(names: Sequence[str], member: str, name: str) -> str:
    """The one name that fits the pattern, or the only one there is."""
    fitting = [each for each in names if fnmatch.fnmatchcase(Path(each).name.lower(), member)]
    fitting = fitting or (list(names) if len(names) == 1 else [])
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise DataError(
            f"{name}: {len(fitting)} files in the zip could be meant: {listed(fitting)}. Unpack "
            "it, and give the path of one of them."
        )
    raise DataError(
        f"{name}: no file in the zip is called {member}. Its files: {listed(names) or 'none'}."
    )


def listed(names: Sequence[str], most: int = 12) -> str:
    """Some names, and the number of the others; long ones are cut."""
    shown = [each if len(each) <= 60 else each[:57] + "..." for each in names[:most]]
    shown = [each if each.isprintable() else repr(each)[1:-1] for each in shown]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + more


class _Counted(io.RawIOBase):
    """A stream that counts what is read of it."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream
        self.bytes = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        chunk = self._stream.read(size)
        self.bytes += len(chunk)
        return chunk

    def read1(self, size: int = -1) -> bytes:
        chunk = self._stream.read1(size)
        self.bytes += len(chunk)
        return chunk

    def readinto(self, buffer: memoryview) -> int:
        chunk = self.read1(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)


class _Guarded(io.RawIOBase):
    """A decompressor whose complaints a person can act on, and that ends."""

    def __init__(self, inner: BinaryIO, packed: _Counted, name: str, again: str) -> None:
        super().__init__()
        self._inner, self._packed, self._name, self._again = inner, packed, name, again
        self._bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        try:
            size = self._inner.readinto(buffer)
        except DAMAGE:
            raise _damaged(self._name, self._again) from None
        self._bytes += size
        if self._bytes > UNFOLDED_BYTES + UNFOLDED_PER_BYTE * self._packed.bytes:
            raise DataError(
                f"{self._name}: {self._bytes} bytes came out of {self._packed.bytes} compressed "
                "ones, more than any table shrinks by. Unpack the file yourself if you trust it."
            )
        return size


class _ArrivingMember(io.RawIOBase):
    """A member of a zip that is read from front to back.

    The standard library's ``zipfile`` begins with the directory at the end of the file, which here
    is gigabytes away.
    """

    _HEADER = struct.Struct("<4s5H3L2H")
    _ENCRYPTED, _SIZES_FOLLOW, _DEFLATED = 1, 8, 8

    def __init__(self, stream: BinaryIO, member: str, name: str) -> None:
        super().__init__()
        self._stream, self._name, self._member = stream, name, member
        passed = []
        while True:
            entry, flags, method, crc, size = self._next_header()
            if entry is None:
                raise DataError(
                    f"{name}: no file in the zip is called {member}. Its files: "
                    f"{listed(passed) or 'none'}."
                )
            if self._fits(entry):
                break
            passed.append(entry)
            if flags & self._SIZES_FOLLOW:
                raise DataError(
                    f"{name}: {member} lies behind {entry} in the zip, and cannot be reached "
                    "without unpacking. Unpack it, and give the path of the file."
                )
            while size:
                size -= len(self._exactly(min(size, CHUNK_BYTES)))
        if flags & self._ENCRYPTED or method != self._DEFLATED:
            raise DataError(
                f"{name}: {entry} is encrypted, or compressed in a way that cannot be read as it "
                "comes. Unpack it, and give the path of the file."
            )
        self._entry = entry
        self._crc = None if flags & self._SIZES_FOLLOW else crc
        self._found_crc = 0
        self._rest = b""  # bytes behind the member
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        text = b""
        while not text and not self._inflate.eof:
            packed = self._inflate.unconsumed_tail or self._stream.read1(CHUNK_BYTES)
            if not packed:
                raise EOFError
            text = self._inflate.decompress(packed, len(buffer))
        self._found_crc = zlib.crc32(text, self._found_crc)
        if not text and not self._ended:
            self._ended = True
            self._check_end()
        buffer[: len(text)] = text
        return len(text)

    def _fits(self, entry: str) -> bool:
        return fnmatch.fnmatchcase(Path(entry).name.lower(), self._member)

    def _check_end(self) -> None:
        self._rest = self._inflate.unused_data
        crc = self._crc
        if crc is None:  # it follows the data, with or without a signature, and the two sizes
            following = self._exactly(12)
            if following[:4] == b"PK\x07\x08":
                following = following[4:] + self._exactly(4)
            crc = int.from_bytes(following[:4], "little")
        if crc != self._found_crc:
            raise EOFError
        entry, *_ = self._next_header()
        if entry is not None and self._fits(entry):
            raise DataError(
                f"{self._name}: several files in the zip could be meant: {self._entry}, {entry}. "
                "Unpack it, and give the path of one of them."
            )

    def _next_header(self) -> tuple[str | None, int, int, int, int]:
        header = self._read(self._HEADER.size)
        if not header.startswith(ZIP_MAGIC) or len(header) < self._HEADER.size:
            return None, 0, 0, 0, 0
        _, _, flags, method, _, _, crc, size, _, name_size, extra_size = self._HEADER.unpack(header)
        entry = self._exactly(name_size).decode("utf-8", errors="replace")
        self._exactly(extra_size)
        return entry, flags, method, crc, size

    def _read(self, size: int) -> bytes:
        rest = getattr(self, "_rest", b"")
        content, self._rest = rest[:size], rest[size:]
        if len(content) < size:
            content += self._stream.read(size - len(content))
        return content

    def _exactly(self, size: int) -> bytes:
        content = self._read(size)
        if len(content) < size:
            raise DataError(f"{self._name}: the zip is cut short. Fetch it again.")
        return content
