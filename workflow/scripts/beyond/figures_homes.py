"""Figures of membership adversaries with more knowledge, and of every mechanism at one error."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.beyond.figures import adversaries, comparison

    homes = snakemake.wildcards.homes
    this.draw(
        *(f"adversaries_{homes}", adversaries.plot_adversaries),
        *(f"adversaries_{homes}", f"adversaries_repeated_{homes}"),
        known_shares=snakemake.params.adversaries["known_shares"],
    )
    this.draw(
        *(f"comparison_homes_{homes}", comparison.plot_homes),
        *(f"comparison_homes_{homes}", f"comparison_calibration_homes_{homes}"),
    )
