"""Figures of the choices left open in Figure 3, and of the adversary who selects both homes."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.figures.membership import (
        plot_fig3_choices,
        plot_fig3_pairs,
    )
    from noiseless.papers.noiseless.membership import MAIN_FUSE_KWH

    homes = snakemake.wildcards.homes
    public_range_kwh = snakemake.params.homes[homes]["public_range_kwh"]
    pairs = f"membership_pairs_{homes}"
    this.draw(f"fig3_choices_{homes}", plot_fig3_choices, f"membership_choices_{homes}")
    this.draw(f"fig3_pairs_{homes}", plot_fig3_pairs, pairs, range_kwh=public_range_kwh)
    this.draw(f"fig3_pairs_fuse_{homes}", plot_fig3_pairs, pairs, range_kwh=MAIN_FUSE_KWH)
