"""Merge the counts of all files of trips, for each epsilon."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.papers.noiseless.trips import shards_table
    from noiseless.tables import derive_provenance, read_provenance, write_table

    runs, budgets = list(snakemake.input.runs), list(snakemake.params.epsilon_bits)
    files = len(runs) // len(budgets)
    by_epsilon = {
        each: runs[position * files : (position + 1) * files]
        for position, each in enumerate(budgets)
    }
    settings = {"epsilon_bits": budgets, **dict(snakemake.params.settings)}
    provenance = derive_provenance(
        settings, snakemake.params.code, inputs=map(read_provenance, snakemake.input.trips)
    )
    table = shards_table(by_epsilon, **dict(snakemake.params.settings))
    write_table(table, snakemake.output.table, provenance)
