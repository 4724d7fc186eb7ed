"""Judge a paper's claims under other seeds, on halves of the homes, and by reading."""

from noiseless.jobs import job

with job(snakemake):
    from noiseless.ledger.robustness import write_robustness

    write_robustness(
        claims=snakemake.input.claims,
        tables=dict(zip(snakemake.params.tables, snakemake.input.tables, strict=True)),
        calls=snakemake.params.calls,
        output=snakemake.output.table,
        code=snakemake.params.code,
        **dict(snakemake.params.settings),
    )
