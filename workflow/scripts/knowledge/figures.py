"""Figure 1, its readings, the health regressions, and what goes beyond: people of the survey."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.knowledge.figures import composition, filters, grouping, health
    from noiseless.papers.knowledge.figures.survey import plot_survey

    of_regression = [
        f"composition_{kind}_{regression}"
        for regression in ("linear", "logistic")
        for kind in ("losses", "accepted")
    ]
    this.draw(
        *("fig1", composition.plot_fig1, *of_regression, "grouping_accepted", "printed"),
        epsilon_nats=snakemake.params.epsilon_nats,
    )
    this.draw(
        *("accountants", composition.plot_accountants, *of_regression[1::2]),
        *("grouping_accepted", "composition_baselines"),
    )
    this.draw(
        *("grouping", grouping.plot_grouping, "grouping_accepted", "grouping_growth", "printed")
    )
    this.draw("filters", filters.plot_filters, "filter_streams", "filter_streams_ordinary")
    this.draw("composition_scan", composition.plot_scan, "composition_scan", "printed")
    this.draw("composition_cost", composition.plot_cost, "composition_cost")
    this.draw(
        *("health", health.plot_health, "health_losses", "health_spent", "printed"),
        epsilon_nats=snakemake.params.health["epsilon_nats"],
    )
    this.draw("survey", plot_survey, "survey_people", "survey_means")
