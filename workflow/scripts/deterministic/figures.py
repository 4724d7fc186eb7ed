"""Figures 1 to 3, regions of the best policies and privacy against accuracy; two outputs."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.deterministic.figures import policies
    from noiseless.papers.deterministic.figures.areas import two_outputs

    this.draw("fig1", policies.fig1, "raster", "regions")
    this.draw("fig2", policies.fig2, "raster", "regions")
    this.draw("fig3", policies.fig3, "averaging")
    this.draw("two_outputs", two_outputs, "areas_regions", "areas")
