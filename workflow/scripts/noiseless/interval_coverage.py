"""Coverage of the intervals over games and over homes, where the true advantage is known."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.coverage import coverage_table

    p = snakemake.params
    this.save({"coverage": coverage_table(**p.coverage, seed=p.seed)})
