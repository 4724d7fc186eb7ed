"""Figures 5 and 6, and what they do not ask."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.figures.trips import fig5, fig6, fig6_attribution, fig6_beyond

    box, levels = snakemake.params.data["nyc_taxi"], snakemake.params.trips["map_levels"]
    this.draw("fig5", fig5, "trips_density", levels=levels, **box)
    this.draw("fig6", fig6, "trips_unique", "trips_unique_half", "trips_budget")
    this.draw("fig6_beyond", fig6_beyond, "trips_unique", "trips_unique_by_number")
    this.draw("fig6_attribution", fig6_attribution, "trips_attribution")
