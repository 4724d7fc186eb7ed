"""Snakemake, or another Python program, in a fork of a process that has imported what it needs.

The imports take longer than a small run.  The process that is forked has imported nothing of this
project: each run reads the rules and the package of the folder that it runs in.
"""

import contextlib
import multiprocessing
import os
import runpy
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
# Snakemake, and what it, the rules and the package import while they run.
_OF_SNAKEMAKE = ["snakemake.cli", "jinja2", "jsonschema", "requests", "smart_open"]
_OF_PACKAGE = ["pandas", "pyarrow.parquet", "scipy.optimize", "scipy.special", "scipy.stats"]
_FORKS.set_forkserver_preload([*_OF_SNAKEMAKE, *_OF_PACKAGE, "numba"])


def run_snakemake(
    arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str], timeout_s: float
) -> tuple[int, str]:
    """Run ``snakemake`` with some arguments; its exit code, and what it and its jobs print.

    Raises TimeoutError as :func:`run_python` does.
    """
    return run_python(
        ["-m", "snakemake", *arguments], folder=folder, environment=environment, timeout_s=timeout_s
    )


def run_python(
    arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str], timeout_s: float
) -> tuple[int, str]:
    """Run ``python`` with a file, or ``-m`` and a module; its exit code, and all that is printed.

    Of the environment, the interpreter itself has read PYTHONPATH alone; a package that is imported
    before the fork may have read a variable, too.

    Raises
    ------
    TimeoutError
        If it has not ended in time; it and its jobs are killed, and the message ends with what they
        printed.
    """
    with tempfile.NamedTemporaryFile() as output:
        run = _FORKS.Process(
            target=_main, args=(list(arguments), folder, dict(environment), output.name)
        )
        run.start()
        run.join(timeout_s)
        if run.exitcode is None:
            # Snakemake's jobs are in its group, and would go on without it.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.kill()
            run.join()
            said = Path(output.name).read_text(encoding="utf-8")[-2000:]
            raise TimeoutError(f"python {arguments} has not ended after {timeout_s} s:\n{said}")
        return run.exitcode, Path(output.name).read_text(encoding="utf-8")


def _main(arguments: list[str], folder: Path, environment: dict[str, str], output: str) -> None:
    os.setpgid(0, 0)
    for number, file in enumerate((os.devnull, output, output)):
        opened = os.open(file, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_APPEND)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    paths = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    if arguments[0] == "-m":
        sys.path[:0] = [str(folder), *paths]
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__")
    else:
        sys.path[:0] = [str(Path(arguments[0]).parent), *paths]
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")
