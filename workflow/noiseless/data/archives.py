"""Extraction of one file from an archive that may be damaged or hostile.

No name in an archive becomes a path: the bytes of one entry are copied to a path of ours.
"""

import fnmatch
import gzip
import stat
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from noiseless.reading.raw_files import convert_damage

CHUNK_BYTES = 1 << 16


class RejectedFileError(Exception):
    """Error about a file that is not the wanted one, so that another attempt would not help.

    ``problem`` has no text of a server or an archive;
    :func:`noiseless.data.download.format_problem` decides whether a message shows ``server_text``.
    """

    def __init__(self, problem: str, *, server_text: str = "") -> None:
        super().__init__(problem)
        self.server_text = server_text


def extract_file(
    archive: Path, member: str | None, complete: Path, kind: str, *, max_bytes: int
) -> None:
    """Extract one file from an archive to ``complete``, of at most ``max_bytes``.

    ``member`` is the file's name, or a pattern that fits one; None for the only file. The archive
    may announce any size. Folders, links and devices are no files. A tar archive may be compressed
    with gzip, bzip2 or xz. What is damaged, cut short, larger or not there is a
    :class:`RejectedFileError`.
    """
    size, damage = 0, RejectedFileError(f"the {kind} archive is damaged, cut short or encrypted.")
    with (
        convert_damage(damage),
        _open_member(archive, member, kind) as source,
        complete.open("wb") as file,
    ):
        while chunk := source.read(CHUNK_BYTES):
            size += file.write(chunk)
            if size > max_bytes:
                raise RejectedFileError(f"more than the {max_bytes} bytes expected come out of it.")


@contextmanager
def _open_member(
    archive: Path, member: str | None, kind: str
) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """Open one file of an archive for reading bytes."""
    if kind == "gz":
        with gzip.open(archive) as source:
            yield source
    elif kind == "zip":
        with zipfile.ZipFile(archive) as opened:
            plain = (0, stat.S_IFREG)  # 0 where the archive records no type
            entries = [e for e in opened.infolist() if stat.S_IFMT(e.external_attr >> 16) in plain]
            name = _select_member(
                [entry.filename for entry in entries if not entry.is_dir()], member
            )
            with opened.open(name) as member_file:
                yield member_file
    else:
        with tarfile.open(archive) as opened:
            files = {entry.name: entry for entry in opened if entry.isreg()}
            while opened.fileobj.read(CHUNK_BYTES):
                pass  # read to the very end, where gzip has the checksum that tarfile ignores
            extracted = opened.extractfile(files[_select_member(files, member)])
            assert extracted is not None  # as only entries of files are among them
            yield extracted


def _select_member(names: Iterable[str], member: str | None) -> str:
    """Select the one name that fits ``member``, a name or a pattern; None fits any name."""
    fitting = [name for name in names if fnmatch.fnmatchcase(name, member or "*")]
    if len(fitting) != 1:
        raise RejectedFileError(
            f"one of the files in it should fit the name {member or '*'}, but {len(fitting)} do.",
            server_text=f"Its first files: {', '.join(list(names)[:5]) or 'none'}.",
        )
    return fitting[0]
