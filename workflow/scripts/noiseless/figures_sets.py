"""Figure 3's advantage against n, set of homes by set of homes."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.figures.membership import sets_of_homes

    this.draw("sets_of_homes", sets_of_homes, "sets_of_homes")
