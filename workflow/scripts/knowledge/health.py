"""Four regressions on one person's health checkup (Section 6.3, Appendix E)."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.knowledge.health import health_tables

    this.save(health_tables(**snakemake.params.health))
