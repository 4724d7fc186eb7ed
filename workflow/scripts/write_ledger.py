"""Put the papers' verdicts together, and compare them and the tables with the reference results."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.ledger.files import join_ledgers
    from noiseless.ledger.reference import compare_with_reference

    join_ledgers(snakemake.input.papers, snakemake.output.ledger, code=snakemake.params.code)
    compare_with_reference(
        reference=snakemake.params.reference,
        ledger=snakemake.output.ledger,
        tables=dict(zip(snakemake.params.tables, snakemake.input.tables, strict=True)),
        claims=snakemake.params.claims,
        comparison=snakemake.output.comparison,
        code=snakemake.params.code,
    )
