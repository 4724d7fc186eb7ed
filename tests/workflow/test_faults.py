"""Jobs and runs that are killed: the next run finishes, and does nothing again that was done."""

import os
import signal
from pathlib import Path

import pytest

from interrupted import TABLE, Run, finish, kill_session, remove_table, state

LOCAL = ("--workflow-profile", "workflow/profiles/default", "--cores", "2")


def test_killed_job_leaves_nothing_and_the_next_run_finishes(one_left, smoke_run, request):
    before = state(one_left)
    run = Run(one_left, *LOCAL)
    request.addfinalizer(lambda: kill_session(run))
    os.kill(run.wait_for(run.script), signal.SIGKILL)  # as the kernel does when memory is short
    assert run.end() == 1
    assert "died with <Signals.SIGKILL: 9>" in run.output
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
    if number == signal.SIGTERM and (one_left.path / TABLE).exists():
        # Snakemake waits for its jobs, and this one has ended: its table is whole.
        assert (one_left.path / TABLE).read_bytes() == (smoke_run.path / TABLE).read_bytes()
        remove_table(one_left)  # a run with nothing to do begins nothing, and cleans up nothing
    # What a job that is killed outright leaves: the next run removes it.
    (one_left.path / TABLE).with_name(".half.18066.partial.parquet").touch()
    finish(one_left, before, smoke_run, *LOCAL)
