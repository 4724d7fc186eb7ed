"""Tables that are damaged or edited, and runs that are killed, at places drawn at random.

``FAULTS_SEED`` and ``FAULTS_COUNT`` in the environment draw others and more (``make faults``).
"""

import os
import signal
import time

import pandas as pd
import pytest

from interrupted import Run, finish, kill_session, remove_table, state
from noiseless.errors import DataError
from noiseless.seeds import make_generator
from noiseless.tables import read_table

SEED = int(os.environ.get("FAULTS_SEED", "1"))
COUNT = int(os.environ.get("FAULTS_COUNT", "1"))
KILLED_RUNS = int(os.environ.get("FAULTS_RUNS", "0"))  # each takes a minute
LOCAL = ("--workflow-profile", "workflow/profiles/default", "--cores", "2")


def test_a_flipped_bit_in_any_table_is_refused_or_changes_nothing(smoke_run, tmp_path):
    """Some bits mean nothing, such as those between pages."""
    path, refusals, tried = tmp_path / "table.parquet", [], 0
    for original in sorted((smoke_run.path / "results").rglob("*.parquet")):
        written = original.read_bytes()
        rng = make_generator(SEED, "bits", original.name)
        for place in rng.choice(8 * len(written), size=COUNT, replace=False):
            damaged = bytearray(written)
            damaged[place // 8] ^= 1 << (place % 8)
            path.write_bytes(damaged)
            tried += 1
            try:
                read, provenance = read_table(path)
            except DataError as error:
                refusals.append(str(error))
            else:
                before, stored = read_table(original)
                pd.testing.assert_frame_equal(read, before)
                assert provenance == stored
    assert len(refusals) > tried / 2
    assert all(each.endswith("Delete it and run again.") for each in refusals)


@pytest.mark.skipif(not KILLED_RUNS, reason="make faults: runs are killed at random times")
@pytest.mark.parametrize("trial", range(KILLED_RUNS))
def test_a_run_killed_at_any_time_is_taken_up_by_the_next(one_left, smoke_run, request, trial):
    rng = make_generator(SEED, "run", trial)
    number = [signal.SIGTERM, signal.SIGINT, signal.SIGKILL][rng.integers(3)]
    before = state(one_left)
    run = Run(one_left, *LOCAL)
    request.addfinalizer(lambda: kill_session(run))
    time.sleep(rng.uniform(0, 20))  # the imports of Snakemake, the planning, the job
    if number == signal.SIGKILL:
        kill_session(run)
    elif number == signal.SIGINT:
        os.killpg(run.process.pid, number)  # Ctrl-C reaches the jobs as well
    else:
        run.process.send_signal(number)
    run.end()
    if number == signal.SIGTERM:
        assert "Traceback" not in run.output
    for path in (one_left.path / "results").rglob(".*"):
        assert number == signal.SIGKILL, path
    one_left.run("snakemake", *LOCAL, "--unlock")
    remove_table(one_left)  # whether or not the run had ended before
    finish(one_left, before, smoke_run, *LOCAL)
