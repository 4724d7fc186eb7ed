"""Coverage of the intervals over games and over homes, where the true advantage is known."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.coverage import build_coverage_table

    p = snakemake.params
    this.save({"coverage": build_coverage_table(**p.coverage, seed=p.seed)})
