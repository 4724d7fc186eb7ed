"""Parse and check Ausgrid's solar home electricity data."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.data.ausgrid import read_ausgrid

    this.prepare(read_ausgrid, year=snakemake.params.year)
