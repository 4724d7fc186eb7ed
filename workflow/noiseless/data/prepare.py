"""Identity (tier and digests) of the raw files behind a prepared table.

The digest in a table's provenance is that of the bytes that were read: :func:`read_source` computes
it before and after reading, and raises an error if the two differ.
"""

import hashlib
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from noiseless.data.contents import compute_folder_digest
from noiseless.errors import DataError
from noiseless.files import compute_contents_sha256, compute_file_sha256
from noiseless.reading.raw_files import RawFile
from noiseless.tables import DIGEST_KINDS, Source

Result = TypeVar("Result")


def read_source(read: Callable[[], Result], **identity: Any) -> tuple[Result, Source]:
    """Run a reader of raw files.

    Return its result, and the identity of the files (:func:`identify_source`), which may not change
    meanwhile.
    """
    before = identify_source(**identity)
    result = read()
    if identify_source(**identity) != before:
        raise DataError(
            f"{', '.join(map(str, identity['files'].values()))}: changed while it was read. Wait "
            "until no program writes there, and run again."
        )
    return result, before


def identify_source(
    *,
    dataset: str,
    tier: str,
    files: Mapping[str, str | Path],
    registered: Mapping[str, str | None],
    file: str = "",
) -> Source:
    """Build the identity of a dataset's raw files: tier, SHA-256, and whether it is registered.

    ``registered`` has the SHA-256 of the public file of each name, None where the registry has no
    digest of it; a name that is missing is that of no public file. The identity's digest is that of
    the worst file, in both tiers of real data: ``other`` where one differs from the registered
    digest or is no public file, else ``unknown`` where one has no known digest, else
    ``registered``. A file may be gzipped.
    """
    digests = {}
    found = set()
    for name, path in files.items():
        known = registered.get(name)
        digests[name] = _digest_path(Path(path), tier)
        if digests[name] != known and Path(path).suffix == ".gz":
            digests[name] = _digest_contents(path)
        if tier not in ("local", "download") or name not in registered:
            found.add("other")
        elif known is None:
            found.add("unknown")
        else:
            found.add("registered" if digests[name] == known else "other")
    complete = (
        next(iter(digests.values()))
        if len(digests) == 1
        else hashlib.sha256("".join(digests[name] for name in sorted(digests)).encode()).hexdigest()
    )
    worst = next(each for each in reversed(DIGEST_KINDS) if each in found)
    return Source(dataset=dataset, tier=tier, sha256=complete, digest=worst, file=file)


def _digest_path(path: Path, tier: str) -> str:
    """Compute the SHA-256 of a file, or of the names and digests of the files in a folder."""
    try:
        if path.is_dir():
            return compute_folder_digest(path, compute_file_sha256)
        if path.is_file():
            return compute_file_sha256(path)
    except OSError as error:
        raise RawFile(path).build_read_error(error) from None
    where = (
        "the configuration names it" if tier == "local" else "data/README.md says where to get it"
    )
    raise DataError(f"{path}: no such file: {where}.")


def _digest_contents(path: str | Path) -> str:
    """Compute the SHA-256 of the text in a gzipped file."""
    try:
        return compute_contents_sha256(path)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path}: damaged or cut off ({error}). Fetch it again.") from None
