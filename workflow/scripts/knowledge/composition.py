"""Accepted queries and certified losses of streams (Figure 1)."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.knowledge.composition import build_composition_tables

    regression, p = snakemake.wildcards.regression, snakemake.params
    this.save(
        build_composition_tables(
            regression=regression,
            parameter_range=p.parameter_range[regression],
            epsilon_nats=p.epsilon_nats,
            budgets_nats=p.budgets_nats,
            size=p.group_size,
            seed=p.seed,
            **p.composition,
        )
    )
