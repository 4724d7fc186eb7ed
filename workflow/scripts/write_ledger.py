"""Judge every claim from the tables; write the ledger, the results page and the report's parts."""

from pathlib import Path

from noiseless.jobs import job
from noiseless.page.build import write_results

with job(snakemake):
    write_results(
        claims=Path(snakemake.input.claims[0]).parent,
        tables=snakemake.params.tables,
        figures=snakemake.params.figures,
        captions=snakemake.params.captions,
        benchmarks=snakemake.params.benchmarks,
        ledger=snakemake.output.ledger,
        page=snakemake.output.page,
        report_page=snakemake.output.report_page,
        report_verdicts=snakemake.output.report_verdicts,
        report_claims=snakemake.output.report_claims,
        report_run_times=snakemake.output.report_run_times,
        code=snakemake.params.code,
        known_tables=snakemake.params.tables,
    )
