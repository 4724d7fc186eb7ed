"""Figures 1 to 3, regions of the best policies, two outputs; people of k-anonymous data."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.deterministic.figures import policies
    from noiseless.papers.deterministic.figures.areas import plot_two_outputs
    from noiseless.papers.deterministic.figures.k_anonymity import plot_k_anonymity

    this.draw("fig1", policies.plot_fig1, "raster", "regions", "printed")
    this.draw("fig2", policies.plot_fig2, "raster", "regions", "printed")
    this.draw("fig3", policies.plot_fig3, "averaging")
    this.draw("two_outputs", plot_two_outputs, "areas_regions", "areas")
    this.draw("k_anonymity", plot_k_anonymity, "k_anonymity", "k_anonymity_homogeneity")
