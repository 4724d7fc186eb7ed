"""A file as it was given: what it is, by its first bytes, and the text in it.

1. :func:`identify` tells a table from a workbook, an archive, a web page or an empty file.  Names
   are not asked: a workbook that is called ``.csv`` is a workbook.
2. :func:`unfolded` undoes gzip, or takes the one table out of a zip, while the bytes are read, and
   stops when far more comes out than a table can hold.  A zip that comes over the network must come
   completely first.
3. :class:`RawFile` knows the advice that fits where the file comes from: a public one is fetched
   again, a user's is exported again.
"""

import fnmatch
import gzip
import io
import logging
import lzma
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

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
            raise self.unreadable(error) from None
        if not first:
            raise self.empty()

    def unreadable(self, error: OSError) -> DataError:
        """The error of a file that may not or cannot be read."""
        return DataError(f"{self.path}: cannot be read ({error.strerror}). See who may read it.")

    def no_rows(self) -> DataError:
        """The error of a table that is a header alone."""
        return DataError(f"{self.path}: there are no rows below the header. {self.again}")

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
        gunzipped = gzip.GzipFile(fileobj=stream)
        return io.BufferedReader(_Guarded(gunzipped, stream.tell, name, again), CHUNK_BYTES)
    if not start.startswith(ZIP_MAGIC):
        return stream
    own = None
    if not stream.seekable():  # the directory of a zip is at its end
        own = tempfile.TemporaryFile()  # noqa: SIM115 -- closed with what is returned
        shutil.copyfileobj(stream, own, CHUNK_BYTES)
        stream = own
    try:
        archive = zipfile.ZipFile(stream)
        entries = [entry for entry in archive.infolist() if not _is_beside(entry)]
        chosen = _the_table([entry.filename for entry in entries], member, name)
        entry = next(entry for entry in entries if entry.filename == chosen)
        inner, size = archive.open(entry), entry.compress_size
    except Exception as error:
        if own is not None:
            own.close()
        if isinstance(error, (*DAMAGE, OSError, ValueError)) and not isinstance(error, UserError):
            raise _damaged(name, again) from None
        raise
    return io.BufferedReader(_Guarded(inner, lambda: size, name, again, own), CHUNK_BYTES)


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


class _Guarded(io.RawIOBase):
    """A decompressor whose complaints a person can act on, and that ends."""

    def __init__(
        self,
        inner: Any,
        packed_bytes: Callable[[], int],
        name: str,
        again: str,
        own: BinaryIO | None = None,
    ) -> None:
        super().__init__()
        self._own = own
        self._inner, self._packed_bytes, self._name, self._again = inner, packed_bytes, name, again
        self._bytes = 0

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        super().close()
        if self._own is not None:
            self._own.close()

    def readinto(self, buffer: memoryview) -> int:
        try:
            size = self._inner.readinto(buffer)
        except DAMAGE:
            raise _damaged(self._name, self._again) from None
        self._bytes += size
        packed_bytes = self._packed_bytes()
        if self._bytes > UNFOLDED_BYTES + UNFOLDED_PER_BYTE * packed_bytes:
            raise DataError(
                f"{self._name}: {self._bytes} bytes came out of {packed_bytes} compressed "
                "ones, more than any table shrinks by. Unpack the file yourself if you trust it."
            )
        return size
