"""Parse and check Ausgrid's solar home electricity data."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.data.ausgrid import read_ausgrid

    this.prepare(read_ausgrid, year=snakemake.params.year)
