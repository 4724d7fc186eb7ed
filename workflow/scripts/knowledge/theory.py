"""Filters on streams that go on after a rejection: what is drawn and needs no data."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.knowledge.filter_streams import build_stream_tables

    this.save(build_stream_tables(seed=snakemake.params.seed))
