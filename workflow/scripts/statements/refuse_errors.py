"""Refuse a paper with a statement whose check raised."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.pipeline.ending import refuse_errors

    refuse_errors(snakemake.input[0])
