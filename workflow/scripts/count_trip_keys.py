"""Count the reports of one file of prepared trips, one run of counts for each epsilon."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.papers.noiseless.trips import write_key_runs

    write_key_runs(snakemake.input.trips, list(snakemake.output), **dict(snakemake.params.settings))
