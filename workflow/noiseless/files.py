"""Files that are written completely or not at all, and their digests."""

import gzip
import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

# Names of files that `write_atomically` is writing, and of temporary folders of downloads.
_UNFINISHED = re.compile(
    r"\..+\.(?P<partial>\d+)\.partial(\.[^.]+)?|\.(download|spilled)-((?P<folder>\d+)-)?\w{8}"
)


def is_file(path: str | Path) -> bool:
    """Check whether a path is that of a file, which one that is too long for the system is not."""
    return os.path.isfile(path)  # noqa: PTH113 - Path raises an error in that case


def is_folder(path: str | Path) -> bool:
    """Check whether a path is that of a folder, which one that is too long is not."""
    return os.path.isdir(path)  # noqa: PTH112 - Path raises an error in that case


@contextmanager
def write_atomically(target: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside ``target``; move it into place when the block succeeds.

    A reader never sees a half-written ``target``, and a failure leaves nothing behind.  What is
    killed outright (SIGKILL, a power cut) leaves a hidden file, which no reader takes for a result
    and :func:`remove_unfinished` removes.  Its bytes are on the disk before it has its name.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays last: matplotlib and pandas choose the format by it.
    partial = target.with_name(f".{target.stem}.{os.getpid()}.partial{target.suffix}")
    try:
        yield partial
        _keep_on_disk(partial)
        partial.replace(target)
        _keep_on_disk(target.parent)
    finally:
        partial.unlink(missing_ok=True)


def _keep_on_disk(path: Path) -> None:
    """Have the disk keep a file's bytes, or a folder's names, also if the power is cut now."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_unfinished(folders: Iterable[str | Path]) -> list[Path]:
    """Remove files that killed jobs left half-written below some folders; return their paths.

    Call it while no job of this run writes there: at its start, when it holds Snakemake's lock.
    What a process of this machine still writes stays: two clones may share a folder of data.  A job
    that still runs, on a node that was taken for dead, fails when it moves its file into place, and
    damages nothing.
    """
    unfinished = [
        path
        for folder in folders
        for path in sorted(Path(folder).rglob(".*"))
        if (name := _UNFINISHED.fullmatch(path.name)) and not _is_running(name)
    ]
    for path in unfinished:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return unfinished


def _is_running(name: re.Match[str]) -> bool:
    """Return whether another process of this machine runs whose number a name has."""
    number = int(name["partial"] or name["folder"] or 0)
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return number not in (0, os.getpid())


def compute_file_sha256(path: str | Path) -> str:
    """Compute the SHA-256 of a file's bytes, in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def compute_contents_sha256(path: str | Path) -> str:
    """Compute the SHA-256 of a file's contents, decompressed if gzipped, in hexadecimal.

    An incomplete file of the name ``.gz`` is an OSError, EOFError or zlib.error.
    """
    if Path(path).suffix != ".gz":
        return compute_file_sha256(path)
    with gzip.open(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def index_paths(paths: Iterable[str]) -> dict[str, str]:
    """Map the name ``<paper>/<name>`` of each table or figure to its path."""
    return {"/".join(Path(path).with_suffix("").parts[-2:]): path for path in paths}
