"""Figures 3 to 8, with markers of the survey; calibrations, knowledge, epsilon, notions."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.prrelation.figures import choice, curves, dependence, knowledge, orders

    rates, f_scores = "monte_carlo_rates", "monte_carlo_f_scores"
    answers = snakemake.params.answers
    behind = "curves", "f_scores", rates, f_scores, "printed"
    this.draw("fig3", curves.plot_fig3, *behind, answers=answers)
    this.draw("fig4", curves.plot_fig4, "curves", rates, answers=answers)
    this.draw("fig5_6_7", curves.plot_fig5_6_7, "curves", rates, answers=answers)
    this.draw("fig8", curves.plot_fig8, "f_scores", f_scores, answers=answers)
    this.draw("knowledge_worth", knowledge.plot_worth, "worth")
    this.draw("dependence", dependence.plot_dependence, "dependence")
    this.draw("curves_calibrations", curves.plot_calibrations, "calibrations", "f_scores")
    this.draw("choice", choice.plot_choice, "choice", "printed")
    this.draw("choice_meaning", choice.plot_meaning, "meaning")
    this.draw("notions_orders", orders.plot_orders, "orders")
