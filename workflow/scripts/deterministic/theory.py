"""Figures 1 to 3, and two outputs: what is drawn and needs no data."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.deterministic.areas import build_area_tables
    from noiseless.papers.deterministic.policies import build_policy_tables

    sizes = dict(snakemake.params.policies)
    this.save(
        {
            **build_area_tables(two_outputs=sizes.pop("two_outputs")),
            **build_policy_tables(**sizes),
        }
    )
