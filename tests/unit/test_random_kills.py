"""A job that is killed at any time, its imports included: no traceback, and nothing half-written.

``FAULTS_SEED`` and ``FAULTS_COUNT`` in the environment make other kills and more (``make faults``).
"""

import os
import signal
import subprocess
import sys
import time

import pytest

from noiseless.seeds import make_generator
from noiseless.tables import read_table

pytestmark = pytest.mark.slow

SEED = int(os.environ.get("FAULTS_SEED", "1"))
COUNT = int(os.environ.get("FAULTS_COUNT", "1"))
# As make_table.py does it: the function's module is imported in the job.
JOB = """
from types import SimpleNamespace
from noiseless.pipeline.jobs import run_job
from pkgutil import resolve_name
from noiseless.tables import Provenance, write_table

with run_job(SimpleNamespace(log=["job.log"], rule="a_rule", params={})):
    print("in", flush=True)
    function = resolve_name("noiseless.papers.nsht.leakage.build_bound_table")
    import noiseless.papers.noiseless.membership, pandas as pd
    for number in range(30):
        table = pd.DataFrame({"n": range(2000), "statistic": "a", "value": 1.0})
        write_table(table, f"{number % 3}.parquet", Provenance("c"))
"""


def start(root, folder):
    return subprocess.Popen(
        [sys.executable, "-c", JOB],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root / "workflow")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def duration_s(root, tmp_path_factory):
    """How long the job takes once it has begun, here and now."""
    process = start(root, tmp_path_factory.mktemp("job"))
    process.stdout.readline()
    begun = time.monotonic()
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return time.monotonic() - begun


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("trial", range(COUNT))
def test_a_job_killed_at_any_time_leaves_whole_tables(root, tmp_path, duration_s, trial, number):
    wait_s = make_generator(SEED, "kill", trial, int(number)).uniform(0, duration_s)
    process = start(root, tmp_path)
    process.stdout.readline()
    time.sleep(wait_s)
    process.send_signal(number)
    _, said = process.communicate(timeout=300)
    assert "Traceback" not in said
    assert process.returncode in (0, 128 + number, -number)
    if number != signal.SIGKILL:
        assert not list(tmp_path.glob(".*"))
    for path in tmp_path.glob("[0-9]*.parquet"):
        assert len(read_table(path)[0]) == 2000
    for path in tmp_path.glob("[0-9]*.csv"):
        assert path.read_bytes().count(b"\n") == 2001
