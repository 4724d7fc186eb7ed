"""Figures 5 and 6, and what they do not ask."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.figures.trips import (
        plot_fig5,
        plot_fig6,
        plot_fig6_attribution,
        plot_fig6_beyond,
    )

    box, levels = snakemake.params.data["nyc_taxi"], snakemake.params.trips["map_levels"]
    this.draw("fig5", plot_fig5, "trips_density", levels=levels, **box)
    this.draw("fig6", plot_fig6, "trips_unique", "trips_unique_half", "trips_budget")
    this.draw("fig6_beyond", plot_fig6_beyond, "trips_unique", "trips_unique_by_number")
    this.draw("fig6_attribution", plot_fig6_attribution, "trips_attribution")
