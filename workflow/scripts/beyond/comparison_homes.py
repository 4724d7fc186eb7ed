"""The membership game against every mechanism at the same error."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.beyond.comparison_homes import comparison_tables

    homes, p = snakemake.wildcards.homes, snakemake.params
    this.save(
        comparison_tables(
            this.table("readings"),
            dataset=homes,
            public_range_kwh=p.homes[homes]["public_range_kwh"],
            delta=p.comparison["delta"],
            seed=p.seed,
            **p.comparison["homes"],
        )
    )
