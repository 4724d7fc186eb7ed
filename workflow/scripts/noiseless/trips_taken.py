"""Table of the rows read from each file of trips."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.trips import build_file_table

    this.save({"taken": build_file_table(this.load_tables("taken"))})
