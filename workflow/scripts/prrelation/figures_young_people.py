"""Figures 3 to 8, with markers that are counted on the young people survey."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.prrelation.figures import curves

    rates, f_scores = "counted_rates", "counted_f_scores"
    answers = snakemake.params.answers
    behind = "curves", "f_scores", rates, f_scores, "printed"
    this.draw("fig3", curves.plot_fig3, *behind, answers=answers)
    this.draw("fig4", curves.plot_fig4, "curves", rates, answers=answers)
    this.draw("fig5_6_7", curves.plot_fig5_6_7, "curves", rates, answers=answers)
    this.draw("fig8", curves.plot_fig8, "f_scores", f_scores, answers=answers)
