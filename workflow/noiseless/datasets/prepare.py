"""What prepared data rests on."""

import hashlib
import zlib
from collections.abc import Mapping
from pathlib import Path

from noiseless.errors import DataError
from noiseless.files import sha256_of_contents, sha256_of_file
from noiseless.tables import Source


def source_of(
    *,
    dataset: str,
    tier: str,
    files: Mapping[str, str | Path],
    registered: Mapping[str, str | None],
) -> Source:
    """Identify the raw files of a dataset.

    Parameters
    ----------
    dataset : str
        Its key in ``config/sources.yaml``.
    tier : str
        ``sample``, ``local``, ``download`` or ``own``.
    files : mapping
        The raw files by name.
    registered : mapping
        SHA-256 of the public file of each name; None where the registry does not know it.

    Returns
    -------
    Source
        ``registered`` only if every file is the public one, byte for byte; it may be gzipped.  A
        file of the tier ``download`` was checked when it was fetched, so it is the public one also
        where the registry knows the digest of its archive alone, or none.

    Raises
    ------
    DataError
        If a file is missing, or damaged within.
    """
    digests = {}
    public = tier != "sample"
    for name, path in files.items():
        if not Path(path).is_file():
            raise DataError(f"{path}: no such file. data/README.md says where to get it.")
        known = registered[name]
        digests[name] = sha256_of_file(path)
        if digests[name] != known and Path(path).suffix == ".gz":
            digests[name] = _digest_within(path)
        if digests[name] != known and not (tier == "download" and known is None):
            public = False
    whole = (
        next(iter(digests.values()))
        if len(digests) == 1
        else hashlib.sha256("".join(digests[name] for name in sorted(digests)).encode()).hexdigest()
    )
    return Source(
        dataset=dataset,
        tier=tier,
        sha256=whole,
        registered=public,
    )


def _digest_within(path: str | Path) -> str:
    try:
        return sha256_of_contents(path)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path}: damaged or cut off ({error}). Fetch it again.") from None
