"""Figures of the linkage game on taxi trips, against every mechanism at the same error."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.beyond.figures.comparison import trips

    this.draw("comparison_trips", trips, "comparison_trips", "comparison_calibration_trips")
