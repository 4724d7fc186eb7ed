"""Linkage game on taxi trips, against every mechanism at the same error."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.beyond.comparison_trips import build_comparison_tables

    p = snakemake.params
    this.save(
        build_comparison_tables(
            this.load_table("trips"),
            delta=p.comparison["delta"],
            seed=p.seed,
            **p.comparison["trips"],
            **p.data["nyc_taxi"],
        )
    )
