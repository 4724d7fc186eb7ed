"""Which appliance of a recording is on, against every mechanism at the same error."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.beyond.figures.comparison import plot_meter

    recording = snakemake.wildcards.recording
    tables = [f"comparison_meter_{recording}", f"comparison_calibration_meter_{recording}"]
    this.draw(f"comparison_meter_{recording}", plot_meter, *tables)
