"""Figures 4, 6, 7 and 8, and odds against change: what is drawn and needs no data."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.nsht import blurring, indistinguishability, leakage, odds
    from noiseless.settings import build_log_grid

    p = snakemake.params
    epsilon = build_log_grid(*leakage.BUDGETS, p.epsilon_points)
    rho_per_kg = build_log_grid(*blurring.ACCURACIES_PER_KG, p.rho_points)
    this.save(
        {
            "bound": leakage.build_bound_table(epsilon=epsilon),
            "budget": blurring.build_guarantees_table(rho_per_kg=rho_per_kg),
            "indistinguishability": indistinguishability.build_indistinguishability_table(),
            "odds": odds.build_odds_table(),
        }
    )
