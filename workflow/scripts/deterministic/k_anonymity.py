"""k-anonymous releases of the young people survey, and the homogeneity attack on them."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.deterministic.k_anonymity import release_tables

    this.save(release_tables(this.table("survey"), **snakemake.params.k_anonymity))
