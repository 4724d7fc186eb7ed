"""One file out of an archive that may be damaged or hostile."""

import errno
import fnmatch
import gzip
import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, TypeVar

CHUNK_BYTES = 1 << 16


class UnusableArchive(Exception):
    """What is wrong with an archive, or that the wanted file is not in it."""


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


def unpack(archive: Path, member: str | None, complete: Path, kind: str, *, max_bytes: int) -> None:
    """Take one file out of an archive.

    The complete archive is refused if any of its entries would climb out of the folder that it
    is unpacked in.

    Parameters
    ----------
    archive : Path
        The archive.
    member : str or None
        Name of the file in the archive, or a pattern such as ``*.csv`` that fits one file; None
        for the only file in it.  Not used for ``gz``, which has no names.
    complete : Path
        Where the file goes.
    kind : {"zip", "tar", "gz"}
        Format; a tar archive may be compressed with gzip, bzip2 or xz.
    max_bytes : int
        The most that may come out, whatever the archive says of itself.

    Raises
    ------
    UnusableArchive
        If the archive is damaged, cut short, or unsafe; if the member is not there or is not a
        plain file; if more than ``max_bytes`` come out.
    OSError
        If a file cannot be read or written.
    """
    unpack = {"zip": _unpack_zip, "tar": _unpack_tar, "gz": _unpack_gz}[kind]
    try:
        unpack(archive, member, complete, max_bytes)
    except _DAMAGE as error:
        # An error of the file system has a number; those of the decompressors have none. EINVAL
        # is a place before the beginning of the file, where a damaged directory leads.
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        raise UnusableArchive(
            f"the {kind} archive is damaged, cut short or encrypted. Fetch it again from its "
            "source."
        ) from None


def _unpack_zip(archive: Path, member: str | None, complete: Path, max_bytes: int) -> None:
    with zipfile.ZipFile(archive) as opened:
        entries = opened.infolist()
        # orig_filename is the name before zipfile has tidied it.
        _refuse_climbers(entry.orig_filename for entry in entries)
        entry = _pick({e.filename: e for e in entries if not e.is_dir()}, member)
        mode = entry.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise UnusableArchive(f"its entry {entry.filename} is a link or a device, not a file.")
        with opened.open(entry) as source:
            _copy(source, complete, max_bytes)


def _unpack_tar(archive: Path, member: str | None, complete: Path, max_bytes: int) -> None:
    with tarfile.open(archive, mode="r:*") as opened:
        entries = opened.getmembers()
        _refuse_climbers(entry.name for entry in entries)
        # To the very end, where gzip keeps the checksum that tarfile does not look at.
        while opened.fileobj.read(CHUNK_BYTES):
            pass
        entry = _pick({e.name: e for e in entries if not e.isdir()}, member)
        if not entry.isreg():
            raise UnusableArchive(f"its entry {entry.name} is a link or a device, not a file.")
        with opened.extractfile(entry) as source:
            _copy(source, complete, max_bytes)


def _unpack_gz(archive: Path, member: str | None, complete: Path, max_bytes: int) -> None:
    with gzip.open(archive) as source:
        _copy(source, complete, max_bytes)


def _refuse_climbers(names: Iterator[str]) -> None:
    """Raise UnusableArchive if a name is absolute or leads out of its folder, on any system."""
    for name in names:
        if ".." in re.split(r"[\\/]", name) or re.match(r"[\\/]|[A-Za-z]:", name):
            raise UnusableArchive(
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
        raise UnusableArchive(
            f"one of the files in it should fit the name {member or '*'}, but {len(fitting)} do. "
            f"Its files: {listed or 'none'}."
        )
    return entries[fitting[0]]


def _copy(source: BinaryIO, complete: Path, max_bytes: int) -> None:
    written = 0
    with complete.open("wb") as file:
        while chunk := source.read(CHUNK_BYTES):
            written += len(chunk)
            if written > max_bytes:
                raise UnusableArchive(
                    f"more than the {max_bytes} bytes expected at most come out of it."
                )
            file.write(chunk)
    if written == 0:
        raise UnusableArchive(
            "the file that comes out of it is empty. Fetch it again from its source."
        )
