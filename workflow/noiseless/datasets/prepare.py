"""What prepared data rests on."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from noiseless.errors import DataError
from noiseless.files import sha256_of_file
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
        ``sample``, ``local`` or ``download``.
    files : mapping
        The raw files by name.
    registered : mapping
        SHA-256 of the public file of each name; None where the registry does not know it.

    Returns
    -------
    Source
        ``registered`` only if every file is the public one, byte for byte.

    Raises
    ------
    DataError
        If a file is missing.
    """
    digests = {}
    for name, path in files.items():
        if not Path(path).is_file():
            raise DataError(f"{path}: no such file. data/README.md says where to get it.")
        digests[name] = sha256_of_file(path)
    whole = (
        next(iter(digests.values()))
        if len(digests) == 1
        else hashlib.sha256("".join(digests[name] for name in sorted(digests)).encode()).hexdigest()
    )
    return Source(
        dataset=dataset,
        tier=tier,
        sha256=whole,
        registered=tier != "sample"
        and all(registered[name] == digest for name, digest in digests.items()),
    )
