"""Write the numbers that a paper prints, for its figures to draw."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.ledger.printed import build_printed_table

    this.save({"printed": build_printed_table(snakemake.input.claims)})
