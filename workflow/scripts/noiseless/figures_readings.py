"""Figure 3 for a set of hours or half-hours, at its own resolution."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.figures.membership import plot_fig3

    homes = snakemake.wildcards.homes
    this.draw(
        *(f"fig3_readings_{homes}", plot_fig3, f"membership_readings_{homes}"),
        public_range_kwh=snakemake.params.homes[homes]["public_range_kwh"],
    )
