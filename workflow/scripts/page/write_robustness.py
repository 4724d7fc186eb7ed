"""Put together a paper's verdicts under other seeds, on halves of the homes, and by reading."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.ledger.files import index_paths_by_run
    from noiseless.ledger.robustness import write_robustness

    given = snakemake.input
    write_robustness(
        claims=given.claims,
        tables=index_paths_by_run(given.tables)["results"],
        varied=index_paths_by_run(given.varied),
        ledgers=dict(zip(snakemake.params.variants, given.ledgers, strict=True)),
        output=snakemake.output[0],
        code=snakemake.params.code,
    )
