"""Write the results page and the report's parts from the ledger, the tables and the figures."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.files import index_paths
    from noiseless.page.build import write_page
    from noiseless.statements.registry import load_statements
    from noiseless.tables import check_csv_copies

    given, made = snakemake.input, snakemake.output
    check_csv_copies(given.digests)
    write_page(
        statements=load_statements(snakemake.params.papers),
        ledger=given.ledger,
        compared=given.compared,
        tables=index_paths(given.tables),
        figures=index_paths(given.figures),
        beyond=snakemake.params.beyond,
        captions=given.captions,
        figure_lists=given.lists,
        logs="logs",
        page=made.page,
        report={
            name: made[f"report_{name}"] for name in ("page", "verdicts", "claims", "run_times")
        },
    )
