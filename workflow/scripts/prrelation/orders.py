"""Notions of privacy over all mechanisms: least constants, distances, counts and examples."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.prrelation.orders import build_orders_tables

    this.save(build_orders_tables())
