"""Figure 4, and what the paper leaves open about it."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.figures.nilm import fig4, fig4_choices

    period_s = snakemake.params.nilm["period_s"]
    this.draw("fig4", fig4, "nilm_attacks", "nilm_recording", period_s=period_s)
    this.draw("fig4_choices", fig4_choices, "nilm_choices")
