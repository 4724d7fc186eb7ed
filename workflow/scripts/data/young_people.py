"""Parse and check the young people survey."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.data.young_people import read_young_people

    this.prepare(read_young_people)
