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
        config=snakemake.config,
        logs="logs",
        page=snakemake.output.page,
        report={
            name: snakemake.output[f"report_{name}"]
            for name in ("page", "verdicts", "claims", "run_times")
        },
    )
