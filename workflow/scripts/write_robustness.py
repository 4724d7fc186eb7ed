"""Put together a paper's verdicts under other seeds, on halves of the homes, and by reading."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.ledger.robustness import write_robustness

    names, varied = list(snakemake.params.tables), iter(snakemake.input.varied)
    write_robustness(
        claims=snakemake.input.claims,
        tables=dict(zip(names, snakemake.input.tables, strict=True)),
        varied={each: {name: next(varied) for name in names} for each in snakemake.params.variants},
        ledgers=dict(zip(snakemake.params.variants, snakemake.input.ledgers, strict=True)),
        output=snakemake.output.table,
        code=snakemake.params.code,
    )
