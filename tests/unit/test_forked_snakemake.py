"""Runs of Snakemake in a fork, which the tests of the workflow use."""

import os
import time
from pathlib import Path

import pytest

from forked_snakemake import run_snakemake

pytestmark = pytest.mark.slow

RULE = """
rule wait:
    output:
        "never",
    shell:
        "echo $$ > job; sleep 600; touch {output}"
"""


def test_a_run_that_is_late_ends_with_its_jobs(tmp_path):
    (tmp_path / "Snakefile").write_text(RULE)
    timeout_s = 5
    while not (tmp_path / "job").exists():  # on a slow machine, no job has begun by then
        with pytest.raises(TimeoutError, match="has not ended after") as late:
            run_snakemake(
                ["--cores", "1", "--nolock"],
                folder=tmp_path,
                environment=os.environ,
                timeout_s=timeout_s,
            )
        timeout_s *= 2
    assert "rule wait" in str(late.value) or "Execute 1 jobs" in str(late.value)
    job, end = int((tmp_path / "job").read_text()), time.monotonic() + 60
    while _is_running(job):
        assert time.monotonic() < end, "the job goes on"
        time.sleep(0.05)
    assert not (tmp_path / "never").exists()


def _is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
