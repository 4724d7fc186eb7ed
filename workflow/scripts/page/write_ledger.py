"""Put the papers' verdicts together, compare the run with the reference, and sum both up."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.files import index_paths
    from noiseless.ledger.files import join_ledgers
    from noiseless.ledger.reference import compare_with_reference, write_summary
    from noiseless.statements.registry import load_statements

    given, made = snakemake.input, snakemake.output
    join_ledgers(given.ledgers, made.ledger, code=snakemake.params.code)
    compare_with_reference(
        reference=snakemake.params.reference,
        ledger=made.ledger,
        tables=index_paths(given.tables),
        statements=load_statements(snakemake.params.papers),
        comparison=made.compared,
        code=snakemake.params.code,
    )
    write_summary(given.ledgers, made.compared, made.summary)
