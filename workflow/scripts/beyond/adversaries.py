"""The membership game against adversaries who know the mechanism, and other homes."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.beyond.adversaries import knowledge_tables

    homes, p = snakemake.wildcards.homes, snakemake.params
    this.save(
        knowledge_tables(
            this.table("readings"),
            dataset=homes,
            public_range_kwh=p.homes[homes]["public_range_kwh"],
            quantizer_rule=p.noiseless["membership"]["quantizer_rule"],
            seed=p.seed,
            **p.adversaries,
        )
    )
