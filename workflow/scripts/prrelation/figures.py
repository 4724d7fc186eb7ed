"""Calibrations of normal noise, what knowledge is worth, how to choose epsilon, notions."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.prrelation.figures import choice, curves, knowledge, orders

    this.draw("knowledge_worth", knowledge.plot_worth, "worth")
    this.draw("curves_calibrations", curves.plot_calibrations, "calibrations", "f_scores")
    this.draw("choice", choice.plot_choice, "choice", "printed")
    this.draw("choice_meaning", choice.plot_meaning, "meaning")
    this.draw("notions_orders", orders.plot_orders, "orders")
