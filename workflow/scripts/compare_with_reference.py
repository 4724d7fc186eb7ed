"""Compare the run with the reference results."""

from noiseless.jobs import job

with job(snakemake) as logger:
    from noiseless.ledger.reference import compare_with_reference

    text = compare_with_reference(
        reference=snakemake.params.reference,
        ledger=snakemake.input.ledger,
        tables=dict(zip(snakemake.params.tables, snakemake.input.tables, strict=True)),
        claims=snakemake.params.claims,
        comparison=snakemake.output.comparison,
        code=snakemake.params.code,
    )
    logger.info("%s", text)
