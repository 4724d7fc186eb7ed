"""Judge a paper's claims from its tables."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.ledger.files import judge_paper
    from noiseless.tables import require_twins

    require_twins(snakemake.input.twins)
    judge_paper(
        claims=snakemake.input.claims,
        tables=dict(zip(snakemake.params.tables, snakemake.input.tables, strict=True)),
        robustness=snakemake.input.get("robustness") or None,
        ledger=snakemake.output.ledger,
        code=snakemake.params.code,
    )
