"""The membership game against adversaries who know the mechanism, and other homes."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.beyond.adversaries import build_adversary_tables

    homes, p = snakemake.wildcards.homes, snakemake.params
    this.save(
        build_adversary_tables(
            this.load_table("readings"),
            dataset=homes,
            public_range_kwh=p.homes[homes]["public_range_kwh"],
            quantizer_rule=p.noiseless["membership"]["quantizer_rule"],
            seed=p.seed,
            **p.adversaries,
        )
    )
