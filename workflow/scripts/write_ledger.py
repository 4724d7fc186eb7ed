"""Judge every claim from the tables; write the ledger as Parquet, CSV and a page."""

from pathlib import Path

from noiseless.jobs import job
from noiseless.ledger.page import write_ledger

with job(snakemake):
    write_ledger(
        claims=Path(snakemake.input.claims[0]).parent,
        tables=snakemake.params.tables,
        figures=snakemake.params.figures,
        ledger=snakemake.output.ledger,
        page=snakemake.output.page,
        code=snakemake.params.code,
        known_tables=snakemake.params.tables,
    )
