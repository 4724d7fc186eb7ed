"""Figure 5, and what goes beyond: people of the survey under each policy."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.nsht.figures import blurring
    from noiseless.papers.nsht.figures.odds import blurring_odds
    from noiseless.papers.nsht.figures.several_analysts import several_analysts

    this.draw("fig5", blurring.fig5, "blurring_histogram", "blurring_people")
    this.draw("fig5_people", blurring.fig5_people, "blurring_people")
    this.draw("blurring_price", blurring.blurring_price, "blurring_people")
    this.draw("blurring_odds", blurring_odds, "blurring_odds", "blurring_odds_people")
    this.draw("several_analysts", several_analysts, "several_analysts")
