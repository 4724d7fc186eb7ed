"""The membership game on a set of hours or half-hours, at its own resolution."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.membership import build_advantage_table

    p, homes, tables = snakemake.params, snakemake.wildcards.homes, {}
    with this.attempt("readings"):
        tables["readings"] = build_advantage_table(
            this.load_table("readings"),
            dataset=homes,
            seed=p.seed,
            resolution=p.homes[homes]["resolution"],
            public_range_kwh=p.homes[homes]["public_range_kwh"],
            **p.membership,
            **p.readings,
        )
    this.save(tables)
