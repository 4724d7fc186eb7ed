"""The smoke run on a real one-node Slurm: the same tables as on a workstation, byte for byte."""

import pytest


@pytest.mark.xdist_group("slurm")
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
