"""Runs of Snakemake that a test interrupts, and what is asked of the next run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

TABLE = "results/tables/noiseless/sets_of_homes.parquet"
BESIDE = "results/tables/noiseless/sets_hiding.parquet"  # by the same job
RULE = "noiseless_sets"
SMOKE = ("--configfile", "config/smoke.yaml")


class Run:
    """A run of Snakemake for one table, which goes on while the test does something to it."""

    def __init__(self, checkout, *arguments: str) -> None:
        self.checkout = checkout
        self.log = checkout.path / "output.txt"
        with self.log.open("w") as log:
            # Where tests run in the background, Ctrl-C would be ignored.
            python = ("env", "--default-signal=INT", sys.executable)
            self.process = subprocess.Popen(
                [*python, "-m", "snakemake", TABLE, *arguments, *SMOKE],
                cwd=checkout.path,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self.log.read_text()

    def wait_for(self, what):
        """Wait until ``what()`` is true; its value."""
        end = time.monotonic() + 300
        while not (value := what()):
            assert self.process.poll() is None, f"ended before its time:\n{self.output}"
            assert time.monotonic() < end, f"nothing happened:\n{self.output}"
            time.sleep(0.05)
        return value

    def end(self) -> int:
        return self.process.wait(timeout=600)

    def script(self) -> int | None:
        """Number of the process that makes the table, wherever it runs on this machine."""
        for entry in Path("/proc").iterdir():
            try:
                command = (entry / "cmdline").read_bytes()
                here = (entry / "cwd").readlink() == self.checkout.path
            except (OSError, ValueError):
                continue
            is_python = Path(command.split(b"\0")[0].decode()).name.startswith("python")
            if here and b"/.snakemake/scripts/" in command and is_python:
                return int(entry.name)
        return None


def remove_table(checkout) -> None:
    for name in (TABLE, BESIDE):
        (checkout.path / name).unlink(missing_ok=True)


def state(checkout) -> dict[str, tuple]:
    """Time and size of every file of data and results, hidden ones too."""
    return {
        str(path.relative_to(checkout.path)): (path.stat().st_mtime_ns, path.stat().st_size)
        for folder in ("data", "results")
        for path in (checkout.path / folder).rglob("*")
        if path.is_file()
    }


def finish(checkout, before, smoke_run, *arguments: str) -> None:
    """Run again; the table is right, and no other file was touched or left behind."""
    checkout.run("snakemake", *arguments, TABLE, *SMOKE)
    for name in (TABLE, BESIDE):
        assert (checkout.path / name).read_bytes() == (smoke_run.path / name).read_bytes()
    after = state(checkout)
    seen = {name: after[name] for name in after if name not in (TABLE, BESIDE)}
    differs = {name for name, _ in set(seen.items()) ^ set(before.items())}
    assert not differs, f"touched, left or gone: {sorted(differs)}"


def kill_session(run: Run) -> None:
    """Nothing that a test started outlives it."""
    if run.process.poll() is None:
        os.killpg(run.process.pid, signal.SIGKILL)
