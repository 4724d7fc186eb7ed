"""Detection of a home's appliances, against every mechanism at the same error."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.games.appliances import MeterGame
    from noiseless.papers.beyond.comparison_meter import build_comparison_tables

    p = snakemake.params
    recording = p.recordings[snakemake.wildcards.recording]
    days = {key: recording[key] for key in ("mains_range_w", "days", "train_before")}
    this.save(
        build_comparison_tables(
            this.load_table("readings"),
            MeterGame(**days, **p.noiseless["nilm"]),
            delta=p.comparison["delta"],
            seed=p.seed,
            **p.comparison["meter"],
        )
    )
