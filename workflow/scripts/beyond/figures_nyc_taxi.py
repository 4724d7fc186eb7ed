"""Figures of the linkage game on taxi trips, against every mechanism at the same error."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.beyond.figures.comparison import plot_trips

    this.draw("comparison_trips", plot_trips, "comparison_trips", "comparison_calibration_trips")
