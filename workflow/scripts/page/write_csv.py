"""Write a twin of each table as CSV, for people to read."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.tables import write_csv_copies

    write_csv_copies(snakemake.input, snakemake.output.twins, snakemake.output.digests)
