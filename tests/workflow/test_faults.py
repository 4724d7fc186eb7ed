"""Jobs and runs that are killed: the next run finishes, and does nothing again that was done."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TABLE = "results/tables/noiseless/membership_london.parquet"
RULE = "play_membership_london"
SMOKE = ("--configfile", "config/smoke.yaml")
LOCAL = ("--workflow-profile", "workflow/profiles/default", "--cores", "2")
SLURM = ("--workflow-profile", "workflow/profiles/slurm", "--latency-wait", "5")


class Run:
    """A run of Snakemake for one table, which goes on while the test does something to it."""

    def __init__(self, checkout, *arguments: str) -> None:
        self.checkout = checkout
        self.log = checkout.path / "output.txt"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "snakemake", TABLE, *arguments, *SMOKE],
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
            if here and b"make_table.py" in command and command.startswith(b"/"):
                return int(entry.name)
        return None


@pytest.fixture
def one_left(smoked):
    """The smoke run, but for one table."""
    remove_table(smoked)
    return smoked


def remove_table(checkout) -> None:
    path = checkout.path / TABLE
    path.unlink()
    path.with_suffix(".csv").unlink()


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
    for name in (TABLE, TABLE.replace("parquet", "csv")):
        assert (checkout.path / name).read_bytes() == (smoke_run.path / name).read_bytes()
    after = state(checkout)
    made = {TABLE, TABLE.replace("parquet", "csv")}
    assert {name: after[name] for name in after if name not in made} == before


def kill_session(run: Run) -> None:
    """Nothing that a test started outlives it."""
    if run.process.poll() is None:
        os.killpg(run.process.pid, signal.SIGKILL)


def test_killed_job_leaves_nothing_and_the_next_run_finishes(one_left, smoke_run, request):
    before = state(one_left)
    run = Run(one_left, *LOCAL)
    request.addfinalizer(lambda: kill_session(run))
    os.kill(run.wait_for(run.script), signal.SIGKILL)  # as the kernel does when memory is short
    assert run.end() == 1
    assert f"Error in rule {RULE}" in run.output
    assert state(one_left) == before
    finish(one_left, before, smoke_run, *LOCAL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_killed_run_is_taken_up_by_the_next(one_left, smoke_run, request, number):
    before = state(one_left)
    run = Run(one_left, *LOCAL)
    request.addfinalizer(lambda: kill_session(run))
    script = run.wait_for(run.script)
    run.process.send_signal(number)
    assert run.end() != 0
    if number == signal.SIGKILL:
        assert Path(f"/proc/{script}").exists()  # the job goes on, and the run stays locked
        locked = one_left.run("snakemake", *LOCAL, TABLE, succeeds=False)
        assert "--unlock" in locked
        one_left.run("snakemake", *LOCAL, "--unlock")
    finish(one_left, before, smoke_run, *LOCAL)


def running() -> list[str]:
    """Numbers of the running jobs of Slurm."""
    listed = subprocess.run(
        ["squeue", "--noheader", "--states=RUNNING", "--format=%i"],
        check=True,
        capture_output=True,
        text=True,
    )
    return listed.stdout.split()


@pytest.mark.xdist_group("slurm")
def test_on_slurm_a_job_comes_back_after_the_scheduler_killed_it(
    slurm, one_left, smoke_run, request
):
    """First for its memory, then by hand; the third attempt is left alone."""
    before = state(one_left)
    run = Run(one_left, *SLURM, "--set-resources", f"{RULE}:mem_mb=150*attempt**4")
    request.addfinalizer(lambda: kill_session(run))
    run.wait_for(lambda: run.output.count("SLURM jobid") == 2)
    first, second = (part.split()[0] for part in run.output.split("SLURM jobid ")[1:])
    (log,) = one_left.path.rglob(f".snakemake/slurm_logs/**/{first}.log")
    assert "memory limit" in log.read_text()
    run.wait_for(lambda: second in running() and run.script())
    subprocess.run(["scancel", second], check=True)
    assert run.end() == 0, run.output
    assert run.output.count("SLURM jobid") == 3
    assert first != second
    finish(one_left, before, smoke_run, *SLURM)


@pytest.mark.xdist_group("slurm")
def test_on_slurm_a_killed_run_is_taken_up_by_the_next(slurm, one_left, smoke_run, request):
    """SIGTERM lets a running job finish; after SIGKILL it goes on beside that of the next run."""
    before = state(one_left)
    for number in (signal.SIGTERM, signal.SIGKILL):
        run = Run(one_left, *SLURM)
        request.addfinalizer(lambda run=run: kill_session(run))
        run.wait_for(run.script)
        run.process.send_signal(number)
        assert run.end() != 0
        assert bool(running()) == (number == signal.SIGKILL)
        if number == signal.SIGTERM:
            finish(one_left, before, smoke_run, *SLURM)
            remove_table(one_left)
    one_left.run("snakemake", *SLURM, "--unlock")
    finish(one_left, before, smoke_run, *SLURM)
