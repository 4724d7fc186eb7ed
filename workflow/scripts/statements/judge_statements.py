"""Judge the findings on a paper's statements together."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.ledger.files import judge_paper

    given, made = snakemake.input, snakemake.output
    judge_paper(
        snakemake.wildcards.paper,
        given.findings,
        typed=made.typed,
        ledger=made.ledger,
        tables=given.tables,
        robustness=given.get("robustness") or None,
        code=snakemake.params.code,
    )
