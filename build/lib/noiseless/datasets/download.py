"""Public files from the internet: each arrives complete and checked, or not at all.

:func:`download` tries the mirrors of a file in turn.  It copies what one gives
(:mod:`noiseless.datasets.transfer`), takes the file out of the archive it travels in, checks size
and SHA-256, and moves the file into place.  When no mirror gives the file, the error says why for
each of them, and how a person gets it by hand.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from tqdm import tqdm

from noiseless.datasets.archives import unpack
from noiseless.datasets.connection import Refused
from noiseless.datasets.raw_files import ZIP_MAGIC
from noiseless.datasets.registry import Mirror
from noiseless.datasets.transfer import CHUNK_BYTES, open_transfer, try_mirrors, wrong_length
from noiseless.errors import DownloadError
from noiseless.files import complete_file, sha256_of_file

log = logging.getLogger(__name__)


def download(
    mirrors: Sequence[Mirror],
    target: str | Path,
    *,
    attempts: int,
    backoff_s: float,
    timeout_s: float,
    max_bytes: int,
    kaggle_api: str | None = None,
) -> Mirror:
    """Fetch a file from the first of its mirrors that gives it, complete and as registered.

    ``target`` appears in one move.  After any error, an interrupt or an exit included, nothing is
    left beside it, and a ``target`` that was there before is as it was.

    Parameters
    ----------
    mirrors : sequence of Mirror
        The mirrors of one file, from :func:`mirrors`.  Dead ones are named in the error, not tried.
    target : str or Path
        Where the file goes.
    attempts : int
        How many times in a row a mirror may fail (connection errors, time-outs, HTTP 429 and 5xx)
        with less than a KiB of progress, 1 or larger.
    backoff_s : float
        Seconds before the second attempt; doubled before each further one.
    timeout_s : float
        Seconds to wait for a connection, and for the next KiB of an answer.
    max_bytes : int
        Largest file that is accepted where the registry gives no size; no more is ever written.
    kaggle_api : str, optional
        Scheme and host of Kaggle's API.  By default the environment variable
        ``KAGGLE_API_ENDPOINT``, or ``https://www.kaggle.com``.

    Returns
    -------
    Mirror
        The one that gave the file.

    Raises
    ------
    DownloadError
        If no mirror gave the file, with a line for each; or if it could not be written.
    ConfigError
        If Kaggle's credentials are there but cannot be used.
    """
    target = Path(target)

    def use(mirror: Mirror) -> Mirror:
        try:
            with complete_file(target) as complete, _scratch(target) as travelled:
                _fetch(
                    mirror,
                    travelled,
                    max_bytes=max_bytes,
                    attempts=attempts,
                    backoff_s=backoff_s,
                    timeout_s=timeout_s,
                    kaggle_api=kaggle_api,
                )
                _arrive(mirror, travelled, complete, max_bytes=max_bytes)
        except OSError as error:
            raise _Unwritable(
                f"{target} could not be written: {error.strerror}. Make room, or see who may "
                "write there, and run again."
            ) from None
        log.info("%s: fetched from %s", target, mirror.url)
        return mirror

    try:
        return try_mirrors(
            mirrors,
            use,
            failure=f"{target} could not be downloaded from any mirror",
            advice="Then put the file there, or set the dataset's tier to `local` and give its "
            "path.",
        )
    except _Unwritable as error:
        raise DownloadError(str(error)) from None


class _Unwritable(Exception):
    """A file that cannot be written, whatever the mirror."""


@contextmanager
def _scratch(target: Path) -> Iterator[Path]:
    """A name beside ``target`` for what travels; nothing is there afterwards."""
    path = target.with_name(f".{target.name}.{os.getpid()}.download")
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _arrive(mirror: Mirror, travelled: Path, complete: Path, *, max_bytes: int) -> None:
    """Check what came, and make the wanted file of it at ``complete``."""
    archive = mirror.archive
    if archive != "none":
        _check(travelled, mirror.archive_bytes, mirror.archive_sha256)
    elif mirror.kind == "kaggle" and _is_zip(travelled) and not mirror.file.endswith(".zip"):
        archive = "zip"  # Kaggle sends large files zipped, without being asked.
    if archive == "none":
        travelled.replace(complete)
    else:
        unpack(travelled, mirror.member, complete, archive, max_bytes=mirror.bytes or max_bytes)
    _check(complete, mirror.bytes, mirror.sha256)


def _is_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(ZIP_MAGIC)) == ZIP_MAGIC


def _check(path: Path, size: int | None, sha256: str | None) -> None:
    """Raise Refused unless the file has the registered size and digest, where there are any."""
    found = path.stat().st_size
    if size not in (None, found):
        raise Refused(wrong_length(found, size))
    if sha256 is not None and (digest := sha256_of_file(path)) != sha256:
        raise Refused(
            f"what it gives has the sha256 {digest}, but config/sources.yaml expects {sha256}. "
            "The file there has changed, or is another one."
        )


def _fetch(mirror: Mirror, path: Path, *, max_bytes: int, **patience: Any) -> None:
    """Write to ``path`` what ``mirror`` gives."""
    expected, sha256, limit = mirror.bytes, mirror.sha256, max_bytes
    if mirror.archive != "none":
        expected, sha256 = mirror.archive_bytes, mirror.archive_sha256
    elif mirror.kind == "kaggle":
        # The file or a zip of it, which for bytes that do not compress is a little larger.
        expected = sha256 = None
        limit = max_bytes if mirror.bytes is None else mirror.bytes + mirror.bytes // 100 + 4096
    for may_try_again in (True, False):
        with (
            path.open("wb") as file,
            tqdm(desc=mirror.file, total=expected, unit="B", unit_scale=True, disable=None) as bar,
        ):

            def restart(file: BinaryIO = file, bar: tqdm = bar) -> None:
                file.seek(0)
                file.truncate()
                bar.reset()

            with open_transfer(
                mirror,
                expected=expected,
                limit=limit,
                has_digest=sha256 is not None,
                restart=restart,
                **patience,
            ) as transfer:
                while chunk := transfer.read(CHUNK_BYTES):
                    file.write(chunk)
                    bar.total = transfer.total or expected
                    bar.update(len(chunk))
        is_joined_wrong = transfer.was_resumed and sha256 not in (None, sha256_of_file(path))
        if not (is_joined_wrong and may_try_again):
            return
        log.info("%s: the pieces do not fit together; again from the beginning.", mirror.url)
