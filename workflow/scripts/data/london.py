"""Parse and check the smart meters in London."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.data.london import read_london

    this.prepare(read_london, year=snakemake.params.year, tariff=snakemake.params.tariff)
