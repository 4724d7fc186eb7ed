"""Groups of regressions whose answers are composed together (Appendix C), in every reading."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.knowledge.grouping import build_grouping_tables

    p = snakemake.params
    this.save(
        build_grouping_tables(
            this.load_table("linear"),
            this.load_table("logistic"),
            size=p.group_size,
            epsilon_nats=p.epsilon_nats,
            budgets_nats=p.budgets_nats,
            seed=p.seed,
        )
    )
