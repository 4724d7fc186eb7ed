"""Figures of the detection of appliances, against every mechanism at the same error."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.beyond.figures.comparison import meter

    this.draw("comparison_meter", meter, "comparison_meter", "comparison_calibration_meter")
