"""Notions of privacy over all mechanisms: least constants, distances, counts and examples."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.prrelation.orders import orders_tables

    this.save(orders_tables())
