"""Compile the certified bounds, so that jobs that run side by side do not each do it."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.accounting.compiling import compile_bounds

    compile_bounds()
