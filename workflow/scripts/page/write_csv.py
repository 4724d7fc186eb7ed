"""Write a twin of each table as CSV, for people to read."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.tables import write_csv

    for table, twin in zip(snakemake.input, snakemake.output, strict=True):
        write_csv(table, twin)
