"""The membership game against every mechanism at the same error."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.beyond.comparison_homes import build_comparison_tables

    homes, p = snakemake.wildcards.homes, snakemake.params
    this.save(
        build_comparison_tables(
            this.load_table("readings"),
            dataset=homes,
            public_range_kwh=p.homes[homes]["public_range_kwh"],
            delta=p.comparison["delta"],
            seed=p.seed,
            **p.comparison["homes"],
        )
    )
