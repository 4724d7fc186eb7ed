"""Frame of every script of the workflow: inputs, outputs, a log, errors without traceback.

A script maps Snakemake's names onto one function of the package inside ``with job(snakemake):``.
It imports the package and libraries there, too, because a signal, or a lack of memory, may come
while modules are imported, and is then treated like any other.
"""

import errno
import logging
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noiseless.errors import TooSmallError, UserError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

# The beginning of every message about an error that a person can act on.
MESSAGE_PREFIX = "error: "
# Texts of errors that are raised when memory runs out while a compiled library is loaded.
_OUT_OF_MEMORY_TEXTS = ("cannot allocate memory", "failed to map segment", "out of memory")
_DISK_FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_PERMISSION_ERRNOS = {errno.EACCES, errno.EPERM, errno.EROFS}
_NON_KEY_PARAMETERS = {
    "code",
    "data_use",
    "left_out",
    "origin",
}  # parameters of rules that are no keys of the configuration
_signals: list[int] = []  # numbers of the signals that asked this process to stop
# Control characters, among them those that move a terminal's cursor or reverse the direction of
# text, but not the tabulator and the line feed.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@contextmanager
def run_job(snakemake: Any) -> Iterator["Job"]:
    """Run a rule's work with a log file, and end it with one message if it fails.

    The package's log messages go to the rule's log file and to the terminal. A
    :class:`~noiseless.errors.UserError` ends the job with its message alone, and so do a lack of
    memory or of room on the disk, and a file that may not be read or written. Any other error is a
    defect, and has its traceback. Messages and tracebacks go to the log, and the run prints them at
    its end (:mod:`noiseless.pipeline.ending`). Time and memory that the work took stand beside the
    log, in a file of its name that ends in ``.tsv`` (:mod:`noiseless.page.run_times`).
    """
    started_s = time.monotonic()
    # A cancelled job unwinds like a failed one, so that its half-written files go.  Ctrl-C reaches
    # the jobs of a run as well, and the run says that it was cancelled.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    logger = logging.getLogger("noiseless")
    logger.setLevel(logging.INFO)
    terminal = logging.StreamHandler(sys.stderr)
    try:
        file = logging.FileHandler(snakemake.log[0], mode="w", encoding="utf-8")
    except OSError as error:  # there is no log for the run's end to print
        print(
            f"{MESSAGE_PREFIX}{snakemake.log[0]}: the job's log cannot be written "
            f"({error.strerror}). Give this user the right to write below its folder, and run the "
            "same command again.",
            file=sys.stderr,
        )
        raise SystemExit(1) from None
    for handler in (terminal, file):
        handler.setFormatter(_PlainFormatter())
        logger.addHandler(handler)
    if not sys.stderr.isatty():
        os.environ["TQDM_DISABLE"] = "1"  # in a file, a bar is one endless line
    work = Job(snakemake)
    try:
        from noiseless.plugins import use_plugins

        try:
            with use_plugins(snakemake.params.get("plugins", {})):
                yield work
        except TooSmallError as error:
            work.refuse(*dict(snakemake.output.items()), why=str(error))
            work.save({})
        _write_resource_usage(Path(snakemake.log[0]), time.monotonic() - started_s)
    except Exception as error:
        if _signals:
            # A library that was being imported turned the signal's exit into an error of its own.
            raise SystemExit(128 + _signals[0]) from None
        message = _format_advice(error, snakemake.rule)
        # The run prints the message at its end, so it goes to the log alone.
        logger.removeHandler(terminal)
        logger.error("%s", traceback.format_exc() if message is None else MESSAGE_PREFIX + message)
        raise SystemExit(1) from None
    logger.info("%s: done", snakemake.rule)


def _write_resource_usage(log: Path, run_time_s: float) -> None:
    """Write run time (s), processor time (s) and peak memory (MB) of a job beside its log.

    The peak is that of this process or of one that it ran.  Snakemake's ``benchmark:`` only sees
    what a job uses at the moments, half a second apart, at which it looks.
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
    """Raise SystemExit on the first signal, and ignore further ones during the clean-up."""
    _signals.append(number)
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


class _PlainFormatter(logging.Formatter):
    """Formatter that writes control characters as escapes and indents all lines but the first.

    Data may hold such characters.  A message cannot move the cursor then, nor look like another
    message.
    """

    def format(self, record: logging.LogRecord) -> str:
        text = _CONTROL.sub(lambda match: ascii(match[0])[1:-1], super().format(record))
        return text.replace("\n", "\n  ").rstrip()


def _find_memory_error(error: BaseException | None) -> str | None:
    """Find the out-of-memory message of an error or of its causes; None if there is none."""
    # Libraries raise errors of their own, of many lines, around the one that names the lack.
    while isinstance(error, MemoryError | ImportError | OSError):
        for line in str(error).splitlines():
            if any(each in line.lower() for each in _OUT_OF_MEMORY_TEXTS):
                return line.strip()
        if isinstance(error, MemoryError):
            return str(error)
        error = error.__cause__ or error.__context__
    return None


def _format_advice(error: Exception, rule: str) -> str | None:
    """Format an error that a person can act on, with its remedy; return None for a defect."""
    if isinstance(error, UserError):
        return str(error)
    lack = _find_memory_error(error)
    if lack is not None:
        return (
            f"out of memory{lack and f' ({lack})'}. Use a machine with more memory; on a cluster, "
            f"ask for more with --set-resources {rule}:mem_mb=8000. Or make the grids of the "
            "configuration smaller."
        )
    if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("noiseless"):
        return (
            f"{error.name} is not installed where the jobs run. Install the package there (pip "
            "install '.[workflow]' in the clone), or use --software-deployment-method conda."
        )
    if not isinstance(error, OSError):
        return None
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in _DISK_FULL_ERRNOS:
        return (
            f"no room is left on the disk, or the quota is used up{where}. Nothing half-written "
            "was kept. Make room, and run the same command again; it goes on where it stopped."
        )
    if error.errno in _PERMISSION_ERRNOS:
        return (
            f"{error.filename or 'a file'}: {str(error.strerror).lower()}. Give this user the "
            "right to read the data and to write below the project's folder, and run the same "
            "command again."
        )
    return None


class Job:
    """Inputs and outputs of a rule, read and written by name.

    An input is called as the rule calls it, else by its file's name without the ending. A table
    records the settings that it was made with by the full names of the configuration's keys, so a
    parameter of a rule is called like a key of its paper's section, or like a section.
    """

    def __init__(self, snakemake: Any) -> None:
        self._snakemake = snakemake
        self._behind: list[Any] = []  # provenances of the tables that were read
        self._refused: dict[str, pd.DataFrame] = {}

    @property
    def settings(self) -> dict[str, Any]:
        """Parameters of the rule by the full names of their keys; ``plugins`` by their digests."""
        section = Path(self._snakemake.output[0]).parent.name
        found = {}
        for name, value in self._snakemake.params.items():
            if name == "plugins":
                if value:
                    found[name] = sorted(value.values())
            elif name not in _NON_KEY_PARAMETERS:
                is_whole = name in self._snakemake.config or name in ("seed", "half")
                found[name if is_whole else f"{section}.{name}"] = value
        return found

    def load_table(self, name: str) -> "pd.DataFrame":
        """Read the table that is the input called ``name``, and remember its provenance."""
        from noiseless.tables import read_table

        table, provenance = read_table(self._find_input(name))
        self._behind.append(provenance)
        return table

    def load_tables(self, name: str) -> "list[pd.DataFrame]":
        """Read all tables of the input called ``name``, in the order of the rule."""
        from noiseless.tables import read_table

        read = [read_table(path) for path in self._snakemake.input[name]]
        self._behind += [provenance for _, provenance in read]
        return [table for table, _ in read]

    @contextmanager
    def attempt(self, *names: str) -> Iterator[None]:
        """Compute the tables of some outputs; refuse them if a set of homes is too small for them.

        The job's other tables are saved all the same.
        """
        try:
            yield
        except TooSmallError as error:
            self.refuse(*names, why=str(error))

    def refuse(self, *names: str, why: str) -> None:
        """Replace the tables of some outputs by the reason why there are none."""
        import pandas as pd

        from noiseless.tables import REFUSED_COLUMN

        logging.getLogger("noiseless").warning("Not made: %s. %s", ", ".join(names), why)
        self._refused |= {name: pd.DataFrame({REFUSED_COLUMN: [why]}) for name in names}

    def save(self, tables: "Mapping[str, pd.DataFrame]") -> None:
        """Write each table to the output of its name, and the reasons of those refused."""
        from noiseless.tables import derive_provenance, write_table

        tables = {**tables, **self._refused}
        outputs = dict(self._snakemake.output.items())
        if set(tables) != set(outputs):
            raise ValueError(
                f"the job made the tables {sorted(tables)}, but its rule names the outputs "
                f"{sorted(outputs)}. Give both the same names."
            )
        made = derive_provenance(self.settings, self._snakemake.params.code, inputs=self._behind)
        for name, table in tables.items():
            write_table(table, outputs[name], made)

    def draw(
        self, name: str, function: "Callable[..., Figure]", *tables: str, **settings: Any
    ) -> None:
        """Draw a figure from the tables of some inputs, and write it as PNG, PDF and WebP.

        If a table holds the reason why it was refused, the figure shows that reason. Data that the
        rule's parameter ``data_use`` does not list as the paper's are marked as stand-ins. A figure
        that its parameter ``left_out`` names is not drawn, and a line of the log says so.
        """
        from noiseless.figures.style import create_text_figure, save_figure, use_style
        from noiseless.ledger.data_use import list_stand_ins
        from noiseless.tables import REFUSED_COLUMN, derive_provenance, read_provenance

        if name in self._snakemake.params.get("left_out", []):
            logging.getLogger("noiseless").info(
                "Not drawn: %s, because its data are left out.", name
            )
            return
        paths = [path for path in self._snakemake.output if Path(path).stem == name]
        behind = [read_provenance(self._find_input(each)) for each in tables]
        made = derive_provenance(settings, self._snakemake.params.code, inputs=behind)
        drawn = [self.load_table(each) for each in tables]
        refused = [each[REFUSED_COLUMN].iloc[0] for each in drawn if REFUSED_COLUMN in each]
        stand_ins = list_stand_ins(made.sources, self._snakemake.params.get("data_use", {}))
        with use_style():
            figure = create_text_figure(refused[0]) if refused else function(*drawn, **settings)
            save_figure(figure, paths, made, stand_ins=stand_ins)

    def prepare(
        self,
        reader: "Callable[..., pd.DataFrame]",
        *,
        recorded: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        """Read a dataset's raw files, the rule's named inputs, and write them as its table.

        It records ``settings`` and, by their full names, the keys ``recorded``.
        """
        from dataclasses import replace
        from functools import partial

        from noiseless.data.meters import EXCLUDED
        from noiseless.data.prepare import read_source
        from noiseless.tables import derive_provenance, write_table

        origin, files = self._snakemake.params.origin, dict(self._snakemake.input.items())
        table, source = read_source(
            partial(reader, **files, **settings),
            dataset=origin["dataset"],
            tier=origin["tier"],
            files=files,
            registered=origin["registered"],
            file=origin["file"],
        )
        source = replace(source, excluded=table.attrs.pop(EXCLUDED, ""))
        keys = {f"data.{origin['dataset']}.{key}": each for key, each in settings.items()}
        made = derive_provenance(
            {**keys, **(recorded or {})}, self._snakemake.params.code, sources=[source]
        )
        write_table(table, self._snakemake.output[0], made)

    def _find_input(self, name: str) -> str:
        """Return the path of the input that the rule, or else its file's name, calls ``name``."""
        paths = self._snakemake.input
        return paths.get(name) or {Path(path).stem: path for path in paths}[name]
