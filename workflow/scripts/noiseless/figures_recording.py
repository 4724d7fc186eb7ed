"""Figure 4 of a recording."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.figures.nilm import plot_fig4

    recording, period_s = snakemake.wildcards.recording, snakemake.params.nilm["period_s"]
    attacks, meters = f"nilm_attacks_{recording}", f"nilm_meters_{recording}"
    this.draw(f"fig4_{recording}", plot_fig4, attacks, meters, period_s=period_s)
