"""Write the results page and the report's parts from the ledger, the tables and the figures."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.page.build import write_page
    from noiseless.tables import require_twins

    require_twins(snakemake.input.twins)
    write_page(
        claims=snakemake.params.claims,
        ledger=snakemake.input.ledger,
        compared=snakemake.input.compared,
        tables=snakemake.params.tables,
        figures=snakemake.params.figures,
        captions=snakemake.params.captions,
        says=snakemake.params.says,
        config=snakemake.config,
        logs="logs",
        page=snakemake.output.page,
        report_page=snakemake.output.report_page,
        report_verdicts=snakemake.output.report_verdicts,
        report_claims=snakemake.output.report_claims,
        report_run_times=snakemake.output.report_run_times,
    )
