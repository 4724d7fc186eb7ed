"""Draw the figures of a paper that rest on the same data."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.figures.results import draw_figures

    draw_figures(snakemake.params.figures, "results/figures")
