"""Put together verdicts on a paper's statements under other seeds and on halves of the homes."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.ledger.files import index_paths_by_run
    from noiseless.ledger.robustness import write_robustness

    given, variants = snakemake.input, snakemake.params.variants
    write_robustness(
        snakemake.wildcards.paper,
        given.findings,
        tables=index_paths_by_run(given.tables)["results"],
        varied=index_paths_by_run(given.varied),
        ledgers=dict(zip(variants, given.ledgers, strict=True)),
        output=snakemake.output[0],
        code=snakemake.params.code,
    )
