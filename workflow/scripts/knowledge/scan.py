"""Other set-ups than the stated one, accounting without the outputs, and the solver's cost."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.knowledge.composition import (
        build_baselines_table,
        build_cost_table,
        build_scan_table,
    )

    p = snakemake.params
    drawn = {"epsilon_nats": p.epsilon_nats, "seed": p.seed}
    this.save(
        {
            "scan": build_scan_table(
                **p.scan,
                dimensions=p.composition["dimensions"],
                group_size=p.group_size,
                budget_nats=max(p.budgets_nats),
                **drawn,
            ),
            "baselines": build_baselines_table(
                epsilon_nats=p.epsilon_nats, budgets_nats=p.budgets_nats, delta=p.baselines_delta
            ),
            "cost": build_cost_table(
                **p.cost, parameter_range=p.parameter_range["logistic"], **drawn
            ),
        }
    )
