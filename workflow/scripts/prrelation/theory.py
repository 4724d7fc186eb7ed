"""Calibrations, dependence, knowledge, notions: drawn, and the paper leaves nothing open."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.prrelation import curves
    from noiseless.papers.prrelation.dependence import build_dependence_table
    from noiseless.papers.prrelation.knowledge import build_worth_table
    from noiseless.papers.prrelation.orders import build_orders_table
    from noiseless.settings import build_log_grid

    budgets_nats = build_log_grid(*curves.F_SCORE_NATS, snakemake.params.points["f_scores"])
    this.save(
        {
            "calibrations": curves.build_calibration_table(),
            "dependence": build_dependence_table(),
            "worth": build_worth_table(epsilon_nats=budgets_nats),
            "orders": build_orders_table(),
        }
    )
