"""Calibrations of normal noise, what knowledge is worth, how to choose epsilon, notions."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.prrelation.figures import choice, curves, knowledge, orders

    this.draw("knowledge_worth", knowledge.worth, "worth")
    this.draw("curves_calibrations", curves.calibrations, "calibrations", "f_scores")
    this.draw("choice", choice.choice, "choice")
    this.draw("choice_meaning", choice.meaning, "meaning")
    this.draw("notions_orders", orders.orders, "orders")
