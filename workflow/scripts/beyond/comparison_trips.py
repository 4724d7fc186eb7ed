"""Linkage game on taxi trips, against every mechanism at the same error."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.beyond.comparison_trips import comparison_tables

    p = snakemake.params
    this.save(
        comparison_tables(
            this.table("trips"),
            delta=p.comparison["delta"],
            seed=p.seed,
            **p.comparison["trips"],
            **p.data["nyc_taxi"],
        )
    )
