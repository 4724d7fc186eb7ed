"""Figure 3 for a set of homes."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.figures.membership import fig3

    homes = snakemake.wildcards.homes
    this.draw(
        *(f"fig3_{homes}", fig3, f"membership_{homes}"), almost_zero=snakemake.params.almost_zero
    )
