"""Tables of the rows read from each file of trips, and of the counts of all partitions."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.trips import shards_table, taken_table

    taken = this.tables("taken")
    shards = shards_table(this.tables("counts"), files=len(taken))
    this.save({"taken": taken_table(taken), "shards": shards})
