"""Figure 3's advantage set of homes by set of homes: against n and ε, and beside a prediction."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.figures.hiding import plot_hiding
    from noiseless.papers.noiseless.figures.membership import (
        plot_sets_by_budget,
        plot_sets_of_homes,
    )

    homes = list(snakemake.params.homes)
    this.draw("sets_of_homes", plot_sets_of_homes, "sets_of_homes")
    this.draw(
        *("sets_by_budget", plot_sets_by_budget, *(f"membership_{each}" for each in homes)),
        homes=homes,
    )
    this.draw("hiding", plot_hiding, "sets_hiding")
