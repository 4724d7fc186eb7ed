"""Parse and check the young people survey."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.data.young_people import read_young_people

    this.prepare(read_young_people)
