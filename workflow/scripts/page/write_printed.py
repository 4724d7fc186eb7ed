"""Write the numbers that papers print, for their figures to draw."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.ledger.printed import build_printed_table

    this.save({"printed": build_printed_table(snakemake.input[0])})
