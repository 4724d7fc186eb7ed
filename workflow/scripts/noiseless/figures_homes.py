"""Figure 3 for a set of homes that is not public, its public range, and a trained adversary."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.figures.membership import (
        plot_fig3,
        plot_fig3_learned,
        plot_fig3_ranges,
    )

    homes = snakemake.wildcards.homes
    public_range_kwh = snakemake.params.homes[homes]["public_range_kwh"]
    this.draw(
        *(f"fig3_{homes}", plot_fig3, f"membership_{homes}"), public_range_kwh=public_range_kwh
    )
    this.draw(
        *(f"fig3_ranges_{homes}", plot_fig3_ranges, f"membership_ranges_{homes}"),
        public_range_kwh=public_range_kwh,
    )
    this.draw(f"fig3_learned_{homes}", plot_fig3_learned, f"membership_learned_{homes}")
