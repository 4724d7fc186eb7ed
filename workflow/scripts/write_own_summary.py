"""Sum up what came out of a dataset of the user's, as Parquet, CSV and a page."""

from noiseless.jobs import job

with job(snakemake):
    from noiseless.ledger.own import write_summary
    from noiseless.tables import require_twins

    require_twins(snakemake.input.twins)
    write_summary(
        tables=dict(snakemake.params.tables),
        figures=dict(snakemake.params.figures),
        captions=dict(snakemake.params.captions),
        says=dict(snakemake.params.says),
        summary=snakemake.output.summary,
        page=snakemake.output.page,
        code=snakemake.params.code,
        **dict(snakemake.params.settings),
    )
