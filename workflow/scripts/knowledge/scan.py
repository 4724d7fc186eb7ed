"""Other set-ups than the stated one, accounting without the outputs, and the solver's cost."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.knowledge.composition import baselines_table, cost_table, scan_table

    p = snakemake.params
    drawn = {"epsilon_nats": p.epsilon_nats, "seed": p.seed}
    this.save(
        {
            "scan": scan_table(**p.scan, budget_nats=max(p.budgets_nats), **drawn),
            "baselines": baselines_table(
                epsilon_nats=p.epsilon_nats, budgets_nats=p.budgets_nats, delta=p.baselines_delta
            ),
            "cost": cost_table(**p.cost, parameter_range=p.parameter_range["logistic"], **drawn),
        }
    )
