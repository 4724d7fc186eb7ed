"""k-anonymous releases of the young people survey, and the homogeneity attack on them."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.deterministic.k_anonymity import build_release_tables

    this.save(build_release_tables(this.load_table("survey"), **snakemake.params.k_anonymity))
