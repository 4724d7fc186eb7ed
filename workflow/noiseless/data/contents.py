"""Digests of users' files, by which a rule runs again when the content of its input changes.

Snakemake runs a rule again when an input is newer than its outputs.  A file that is replaced by an
older one, as ``mv`` does, is not newer.  So a rule has :func:`compute_content_digests` of the files
that a user gives among its parameters: another content is another parameter.

Digests of files that have not changed are remembered, by their size, times and inode; a file is
read once.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from noiseless.files import compute_file_sha256, write_atomically
from noiseless.reading.raw_files import RawFile

CACHE = ".snakemake/noiseless_digests.json"
_MISSING = "not here"


def compute_content_digests(
    files: Mapping[str, str | Path], *, cache: str | Path = CACHE
) -> dict[str, str]:
    """Compute short digests of some files, or of the files in folders, by name.

    ``not here`` for one that does not exist. They are remembered in ``cache``; one that cannot be
    used is ignored and replaced.
    """
    cache = Path(cache)
    known = _load_cache(cache)
    before = dict(known)
    digests = {name: _digest_path(Path(path), known) for name, path in files.items()}
    if known != before:
        # In a folder that may only be read, the digests are right all the same.
        with suppress(OSError), write_atomically(cache) as written:
            written.write_text(json.dumps(known, indent=0, sort_keys=True), encoding="utf-8")
    return digests


def compute_folder_digest(path: Path, digest: Callable[[Path], str]) -> str:
    """Compute the SHA-256 of the names and digests of all files in a folder."""
    inside = sorted(file for file in path.rglob("*") if file.is_file())
    parts = [f"{file.relative_to(path).as_posix()}\0{digest(file)}" for file in inside]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _load_cache(cache: Path) -> dict[str, list]:
    """Load the remembered digests by path; none if the file is missing or cannot be used."""
    try:
        known = json.loads(cache.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _digest_path(path: Path, known: dict[str, list]) -> str:
    """Return 16 digits of a file's or folder's SHA-256, remembered in ``known`` by path."""
    if path.is_dir():
        return compute_folder_digest(path, partial(_digest_path, known=known))[:16]
    if not path.is_file():
        return _MISSING
    key = str(path.absolute())
    try:
        state = _get_file_state(path)
        entry = known.get(key)
        if isinstance(entry, list) and len(entry) == 2 and entry[0] == state:
            return str(entry[1])
        digest = compute_file_sha256(path)[:16]
        if _get_file_state(path) == state:  # otherwise the file changed while it was read
            known[key] = [state, digest]
    except OSError as error:
        raise RawFile(path).build_read_error(error) from None
    return digest


def _get_file_state(path: Path) -> list[int]:
    """Return size, times, inode and device of a file, one of which changes with its content."""
    found = path.stat()
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev]
