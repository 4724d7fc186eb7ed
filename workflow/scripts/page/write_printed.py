"""Write the numbers that a paper prints, for its figures to draw."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.ledger.printed import build_printed_table
    from noiseless.statements.registry import load_sections

    statements = load_sections(snakemake.wildcards.paper).statements
    this.save({"printed": build_printed_table(statements)})
