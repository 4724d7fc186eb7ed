"""Judge a paper's claims from its tables."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.files import index_paths
    from noiseless.ledger.files import judge_paper

    judge_paper(
        claims=snakemake.input.claims,
        tables=index_paths(snakemake.input.tables),
        robustness=snakemake.input.get("robustness") or None,
        ledger=snakemake.output[0],
        left_out=snakemake.params.left_out,
        code=snakemake.params.code,
    )
