"""What every script of the workflow shares: a log file, and errors without a traceback.

A script maps Snakemake's names onto one function of the package inside ``with job(snakemake):``.
What it imports of the package and of libraries, it imports there: a signal, or a lack of memory,
may come while modules are imported, and is treated like any other.
"""

import errno
import logging
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from noiseless.errors import UserError

# What the message of an error that a person can act on begins with.
MESSAGE = "error: "
# What a lack of memory says while a compiled library is loaded.
_NO_MEMORY = ("cannot allocate memory", "failed to map segment", "out of memory")
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_signals: list[int] = []  # those that asked this process to stop
# Control characters, among them those that move a terminal's cursor or turn text around; not the
# tabulator and the line feed.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@contextmanager
def job(snakemake: Any) -> Iterator[logging.Logger]:
    """Run a rule's work with its log.

    The package's log messages go to the rule's log file and to the terminal.  A
    :class:`~noiseless.errors.UserError` ends the job with its message alone, and so do a lack of
    memory or of room on the disk, and a file that may not be read or written.  Any other error is
    a defect, and has its traceback.  Both go to the log, and the run tells them at its end
    (:mod:`noiseless.pipeline.ending`).  What the work took stands beside the log, in a file of the
    same name that ends in ``.tsv`` (:mod:`noiseless.page.run_times`).

    Yields
    ------
    logging.Logger
        The package's logger.
    """
    started_s = time.monotonic()
    # A cancelled job unwinds like a failed one, so that its half-written files go.  Ctrl-C reaches
    # the jobs of a run as well, and the run says that it was cancelled.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    logger = logging.getLogger("noiseless")
    logger.setLevel(logging.INFO)
    terminal = logging.StreamHandler(sys.stderr)
    file = logging.FileHandler(snakemake.log[0], mode="w", encoding="utf-8")
    for handler in (terminal, file):
        handler.setFormatter(_Plain())
        logger.addHandler(handler)
    try:
        yield logger
        _keep_what_it_took(Path(snakemake.log[0]), time.monotonic() - started_s)
    except Exception as error:
        if _signals:
            # A library that was being imported made an error of its own of the signal's exit.
            raise SystemExit(128 + _signals[0]) from None
        message = _what_to_do(error, snakemake.rule)
        # The run tells it at its end.
        logger.removeHandler(terminal)
        logger.error("%s", traceback.format_exc() if message is None else MESSAGE + message)
        raise SystemExit(1) from None
    logger.info("%s: done", snakemake.rule)


def _keep_what_it_took(log: Path, run_time_s: float) -> None:
    """Seconds, those of the processor, and the largest memory of this process or one that it ran.

    Snakemake's ``benchmark:`` looks at a job every half second and counts what it saw.
    """
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu_time_s = sum(each.ru_utime + each.ru_stime for each in used)
    unit = 1 if sys.platform == "darwin" else 1024
    peak_memory_mb = max(each.ru_maxrss for each in used) * unit / 1e6
    numbers = f"{run_time_s:.3f}\t{cpu_time_s:.3f}\t{peak_memory_mb:.1f}"
    log.with_suffix(".tsv").write_text(
        f"run_time_s\tcpu_time_s\tpeak_memory_mb\n{numbers}\n", encoding="utf-8"
    )


def _stop(number: int, frame: Any) -> None:
    """Unwind; a second signal does not disturb what the first one does."""
    _signals.append(number)
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


class _Plain(logging.Formatter):
    """Writes control characters, which data may hold, as escapes, and indents further lines.

    A message cannot move the cursor then, nor look like another message.
    """

    def format(self, record: logging.LogRecord) -> str:
        text = _CONTROL.sub(lambda found: ascii(found[0])[1:-1], super().format(record))
        return text.replace("\n", "\n  ").rstrip()


def _lack_of_memory(error: BaseException | None) -> str | None:
    """What an error says of a lack of memory, if it or one that led to it is about that."""
    # Libraries raise errors of their own, of many lines, about one that says it.
    while isinstance(error, MemoryError | ImportError | OSError):
        for line in str(error).splitlines():
            if any(each in line.lower() for each in _NO_MEMORY):
                return line.strip()
        if isinstance(error, MemoryError):
            return str(error)
        error = error.__cause__ or error.__context__
    return None


def _what_to_do(error: Exception, rule: str) -> str | None:
    """One message for an error that a person can do something about; none for a defect."""
    if isinstance(error, UserError):
        return str(error)
    lack = _lack_of_memory(error)
    if lack is not None:
        return (
            f"out of memory{lack and f' ({lack})'}. Use a machine with more memory; on a cluster, "
            f"ask for more with --set-resources {rule}:mem_mb=8000. Or make the grids of the "
            "configuration smaller."
        )
    if not isinstance(error, OSError):
        return None
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in _NO_ROOM:
        return (
            f"no room is left on the disk, or the quota is used up{where}. Nothing half-written "
            "was kept. Make room, and run the same command again; it goes on where it stopped."
        )
    if error.errno in _FORBIDDEN:
        return (
            f"{error.filename or 'a file'}: {str(error.strerror).lower()}. Give this user the "
            "right to read the data and to write below the project's folder, and run the same "
            "command again."
        )
    return None
