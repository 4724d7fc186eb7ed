"""Adversaries who run the test on noisy answers of queries on the young people survey."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.prrelation.monte_carlo import build_monte_carlo_tables

    p = snakemake.params
    this.save(
        build_monte_carlo_tables(
            this.load_table("survey"),
            delta=p.delta,
            gaussian_epsilon_nats=p.gaussian_epsilon_nats,
            answers=p.answers,
            seed=p.seed,
        )
    )
