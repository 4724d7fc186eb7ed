"""Theorem 8 against the exact number of levels."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.guarantees import build_levels_table

    this.save({"levels": build_levels_table(**snakemake.params.guarantees["levels"])})
