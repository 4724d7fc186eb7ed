"""Sum up what came out of the user's own data, as Parquet, CSV and a page."""

from noiseless.jobs import job
from noiseless.ledger.own import write_summary

with job(snakemake):
    write_summary(
        tables=dict(snakemake.params.tables),
        figures=dict(snakemake.params.figures),
        summary=snakemake.output.summary,
        page=snakemake.output.page,
        code=snakemake.params.code,
        **dict(snakemake.params.settings),
    )
