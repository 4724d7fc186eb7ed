"""Figures 4, 6, 7 and 8, which need no data."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.nsht.figures import blurring, indistinguishability, leakage

    this.draw("fig4", blurring.plot_fig4, "blurring_budget")
    this.draw("fig6", leakage.plot_fig6, "leakage_bound")
    this.draw("fig7", indistinguishability.plot_fig7, "indistinguishability")
    this.draw("fig8", indistinguishability.plot_fig8, "indistinguishability")
