"""The smoke run on a real one-node Slurm: the same tables as on a workstation, byte for byte."""

import os
import shutil
import subprocess

import pytest


@pytest.fixture(scope="module")
def slurm(root):
    """A Slurm of one node on this machine, for as long as the tests of this module run."""
    if shutil.which("slurmctld") is None or os.geteuid() != 0:
        pytest.skip("no Slurm here: as root, tests/slurm/single_node.sh install")
    script = root / "tests" / "slurm" / "single_node.sh"

    def call(action):
        # Its daemons would keep a pipe open: no output is captured.
        subprocess.run(["bash", script, action], check=True, stdin=subprocess.DEVNULL, timeout=120)

    call("up")
    yield
    call("down")


def test_smoke_run_on_slurm_gives_the_same_bytes(slurm, make_checkout, smoke_run):
    checkout = make_checkout("slurm")
    output = checkout.run(
        *("snakemake", "--workflow-profile", "workflow/profiles/slurm"),
        *("smoke", "--configfile", "config/smoke.yaml"),
    )
    # Rules share jobs: far fewer than one job each.
    assert 1 <= output.count("SLURM jobid") <= 20
    tables = [
        path.relative_to(smoke_run.path)
        for ending in ("parquet", "csv")
        for path in (smoke_run.path / "results").rglob(f"*.{ending}")
    ]
    assert len(tables) > 10
    for table in tables:
        assert (checkout.path / table).read_bytes() == (smoke_run.path / table).read_bytes(), table
