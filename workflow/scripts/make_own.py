"""Make the tables, figures and page of a dataset of the user's."""

from pathlib import Path

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.custodian.run import Dataset, make_own

    make_own(
        Dataset(snakemake.wildcards.dataset, dict(snakemake.params.entry), snakemake.config),
        Path("results"),
        code=snakemake.params.code,
        plugins=dict(snakemake.params.plugins),
    )
