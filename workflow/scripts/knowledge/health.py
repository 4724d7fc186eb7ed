"""Four regressions on one person's health checkup (Section 6.3, Appendix E)."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.knowledge.health import build_health_tables

    this.save(build_health_tables(**snakemake.params.health))
