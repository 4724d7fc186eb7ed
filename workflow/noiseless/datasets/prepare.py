"""What prepared data rests on."""

import hashlib
import zlib
from collections.abc import Mapping
from pathlib import Path

from noiseless.errors import DataError
from noiseless.files import sha256_of_contents, sha256_of_file
from noiseless.tables import DIGESTS, Source


def source_of(
    *,
    dataset: str,
    tier: str,
    files: Mapping[str, str | Path],
    registered: Mapping[str, str | None],
    file: str = "",
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
        SHA-256 of the public file of each name; None where the registry has the file, but no
        digest of it.  A name that is not here is that of no public file.
    file : str
        What the registry calls the file, where it is a single one.

    Returns
    -------
    Source
        Its ``digest`` is that of the worst file: ``other`` where one differs from the registered
        digest or stands for no public file, else ``unknown`` where one has no known digest, else
        ``registered``.  The same for all tiers of real data.  A file may be gzipped.

    Raises
    ------
    DataError
        If a file is missing, or damaged within.
    """
    digests = {}
    found = set()
    for name, path in files.items():
        if not Path(path).is_file():
            raise DataError(f"{path}: no such file. data/README.md says where to get it.")
        known = registered.get(name)
        digests[name] = sha256_of_file(path)
        if digests[name] != known and Path(path).suffix == ".gz":
            digests[name] = _digest_within(path)
        if tier not in ("local", "download") or name not in registered:
            found.add("other")
        elif known is None:
            found.add("unknown")
        else:
            found.add("registered" if digests[name] == known else "other")
    whole = (
        next(iter(digests.values()))
        if len(digests) == 1
        else hashlib.sha256("".join(digests[name] for name in sorted(digests)).encode()).hexdigest()
    )
    worst = next(each for each in reversed(DIGESTS) if each in found)
    return Source(dataset=dataset, tier=tier, sha256=whole, digest=worst, file=file)


def _digest_within(path: str | Path) -> str:
    try:
        return sha256_of_contents(path)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path}: damaged or cut off ({error}). Fetch it again.") from None
