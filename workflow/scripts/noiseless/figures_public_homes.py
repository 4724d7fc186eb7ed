"""Figure 3 for a public set of homes, what it leaves open, and adversaries who learn or select."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.figures.membership import (
        plot_fig3,
        plot_fig3_choices,
        plot_fig3_learned,
        plot_fig3_pairs,
        plot_fig3_ranges,
    )
    from noiseless.papers.noiseless.membership import MAIN_FUSE_KWH

    homes = snakemake.wildcards.homes
    public_range_kwh = snakemake.params.homes[homes]["public_range_kwh"]
    pairs = f"membership_pairs_{homes}"
    this.draw(
        *(f"fig3_{homes}", plot_fig3, f"membership_{homes}"), public_range_kwh=public_range_kwh
    )
    this.draw(
        *(f"fig3_ranges_{homes}", plot_fig3_ranges, f"membership_ranges_{homes}"),
        public_range_kwh=public_range_kwh,
    )
    this.draw(f"fig3_learned_{homes}", plot_fig3_learned, f"membership_learned_{homes}")
    this.draw(f"fig3_choices_{homes}", plot_fig3_choices, f"membership_choices_{homes}")
    this.draw(f"fig3_pairs_{homes}", plot_fig3_pairs, pairs, range_kwh=public_range_kwh)
    this.draw(f"fig3_pairs_fuse_{homes}", plot_fig3_pairs, pairs, range_kwh=MAIN_FUSE_KWH)
