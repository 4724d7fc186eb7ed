"""Figures 4 to 8, and what goes beyond: people of the survey under each policy."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.nsht.figures import blurring, indistinguishability, leakage
    from noiseless.papers.nsht.figures.odds import plot_blurring_odds
    from noiseless.papers.nsht.figures.several_analysts import plot_several_analysts

    this.draw("fig4", blurring.plot_fig4, "blurring_budget")
    this.draw("fig5", blurring.plot_fig5, "blurring_histogram", "blurring_people")
    this.draw("fig5_people", blurring.plot_fig5_people, "blurring_people")
    this.draw("fig6", leakage.plot_fig6, "leakage_bound")
    this.draw("fig7", indistinguishability.plot_fig7, "indistinguishability")
    this.draw("fig8", indistinguishability.plot_fig8, "indistinguishability")
    this.draw("blurring_price", blurring.plot_blurring_price, "blurring_people")
    this.draw("blurring_odds", plot_blurring_odds, "blurring_odds", "blurring_odds_people")
    this.draw("several_analysts", plot_several_analysts, "several_analysts")
