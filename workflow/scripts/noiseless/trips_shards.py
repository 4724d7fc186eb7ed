"""Tables of the rows read from each file of trips, and of the counts of all partitions."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.trips import build_file_table, build_shards_table

    taken = this.load_tables("taken")
    shards = build_shards_table(this.load_tables("counts"), files=len(taken))
    this.save({"taken": build_file_table(taken), "shards": shards})
