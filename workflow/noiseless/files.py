"""Files that are complete or absent, and their digests."""

import gzip
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def complete_file(target: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside ``target``; move it into place when the block succeeds.

    A reader never sees a half-written ``target``, and a failure (or a killed job's successor,
    writing the same target) leaves nothing behind.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays last: matplotlib and pandas choose the format by it.
    partial = target.with_name(f".{target.stem}.{os.getpid()}.partial{target.suffix}")
    try:
        yield partial
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def sha256_of_file(path: str | Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_of_contents(path: str | Path) -> str:
    """SHA-256 of a file's contents: of what is in it if it is gzipped, else of its bytes.

    Raises
    ------
    OSError, EOFError, zlib.error
        If the file's name ends in ``.gz`` and it is incomplete.
    """
    if Path(path).suffix != ".gz":
        return sha256_of_file(path)
    with gzip.open(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
