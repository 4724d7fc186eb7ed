"""Write the tables as CSV, compare them with the reference, and sum up."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.files import index_paths
    from noiseless.ledger.reference import compare_with_reference, write_beyond_summary
    from noiseless.tables import write_csv_copies

    given, made = snakemake.input, snakemake.output
    write_csv_copies(given.tables, made.twins, made.digests)
    compare_with_reference(
        reference=snakemake.params.reference,
        tables=index_paths(given.tables),
        comparison=made.compared,
        code=snakemake.params.code,
    )
    write_beyond_summary(made.compared, made.summary)
