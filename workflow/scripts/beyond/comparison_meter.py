"""Detection of a home's appliances, against every mechanism at the same error."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.beyond.comparison_meter import comparison_tables

    p = snakemake.params
    this.save(
        comparison_tables(
            this.table("redd"),
            delta=p.comparison["delta"],
            seed=p.seed,
            **p.comparison["meter"],
            **p.data["redd"],
            **p.noiseless["nilm"],
        )
    )
