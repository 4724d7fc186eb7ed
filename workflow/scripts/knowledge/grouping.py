"""Groups of regressions whose answers are composed together (Appendix C), in every reading."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.knowledge.grouping import grouping_tables

    p = snakemake.params
    this.save(
        grouping_tables(
            this.table("linear"),
            this.table("logistic"),
            size=p.group_size,
            epsilon_nats=p.epsilon_nats,
            budgets_nats=p.budgets_nats,
            seed=p.seed,
        )
    )
