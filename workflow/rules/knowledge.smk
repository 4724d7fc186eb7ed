# Realized privacy loss (knowledge): filters, certified losses, the health regressions, the survey.
KNOWLEDGE = config["knowledge"]
COMPOSITION = KNOWLEDGE["composition"]
HEALTH = KNOWLEDGE["health"]


use rule make_table as knowledge_table with:
    group:
        "knowledge"


rule knowledge:
    input:
        lambda wildcards: results_of("knowledge"),


use rule knowledge_table as knowledge_composition with:
    output:
        **tables(
            losses="knowledge/composition_losses_{regression}",
            accepted="knowledge/composition_accepted_{regression}",
            counts="knowledge/composition_counts_{regression}",
        ),
    pathvars:
        job="knowledge_composition/{regression}",
    params:
        **call(
            "noiseless.experiments.knowledge.composition.composition_tables",
            lambda wildcards: {
                **COMPOSITION,
                "size": KNOWLEDGE["grouping"]["size"],
                "regression": wildcards.regression,
                "parameter_range": COMPOSITION["parameter_range"][wildcards.regression],
                "seed": config["seed"],
            },
        ),


use rule knowledge_table as knowledge_grouping with:
    input:
        counts_linear=table("knowledge/composition_counts_linear"),
        counts_logistic=table("knowledge/composition_counts_logistic"),
    output:
        **tables(
            accepted="knowledge/grouping_accepted",
            growth="knowledge/grouping_growth",
            index="knowledge/grouping_index",
        ),
    pathvars:
        job="knowledge_grouping",
    params:
        **call(
            "noiseless.experiments.knowledge.grouping.grouping_tables",
            **without(KNOWLEDGE["grouping"], "printed"),
            **pick(COMPOSITION, "epsilon_nats", "budgets_nats"),
            seed=config["seed"],
        ),


use rule knowledge_table as knowledge_interactions with:
    output:
        **tables(
            interactions="knowledge/interactions",
            odometer="knowledge/interactions_odometer",
            output_independent="knowledge/interactions_output_independent",
        ),
    pathvars:
        job="knowledge_interactions",
    params:
        **call(
            "noiseless.experiments.knowledge.interactions.interaction_tables",
            **KNOWLEDGE["interactions"],
            seed=config["seed"],
        ),


use rule knowledge_table as knowledge_composition_scan with:
    output:
        **tables(table="knowledge/composition_scan"),
    pathvars:
        job="knowledge_composition_scan",
    params:
        **call(
            "noiseless.experiments.knowledge.composition.scan_table",
            **KNOWLEDGE["scan"],
            epsilon_nats=COMPOSITION["epsilon_nats"],
            budget_nats=max(COMPOSITION["budgets_nats"]),
            seed=config["seed"],
        ),


use rule knowledge_table as knowledge_composition_baselines with:
    output:
        **tables(table="knowledge/composition_baselines"),
    pathvars:
        job="knowledge_composition_baselines",
    params:
        **call(
            "noiseless.experiments.knowledge.composition.baselines_table",
            epsilon_nats=COMPOSITION["epsilon_nats"],
            budgets_nats=COMPOSITION["budgets_nats"],
            delta=KNOWLEDGE["baselines"]["delta"],
        ),


use rule knowledge_table as knowledge_composition_cost with:
    output:
        **tables(table="knowledge/composition_cost"),
    pathvars:
        job="knowledge_composition_cost",
    params:
        **call(
            "noiseless.experiments.knowledge.composition.cost_table",
            **KNOWLEDGE["cost"],
            parameter_range=COMPOSITION["parameter_range"]["logistic"],
            epsilon_nats=COMPOSITION["epsilon_nats"],
            seed=config["seed"],
        ),


use rule knowledge_table as knowledge_health with:
    output:
        **tables(
            health_responses="knowledge/health_responses",
            health_losses="knowledge/health_losses",
            health_spent="knowledge/health_spent",
            health_truncated="knowledge/health_truncated",
        ),
    pathvars:
        job="knowledge_health",
    params:
        **call("noiseless.experiments.knowledge.health.health_tables", **HEALTH),


use rule knowledge_table as knowledge_theory with:
    output:
        **tables(
            examples="knowledge/theory_examples",
            learning="knowledge/theory_learning",
            approximate="knowledge/theory_approximate",
            estimator="knowledge/theory_estimator",
            line_15="knowledge/theory_line_15",
        ),
    pathvars:
        job="knowledge_theory",
    params:
        **call(
            "noiseless.experiments.knowledge.theory.theory_tables",
            **without(KNOWLEDGE["theory"], "algorithm6"),
            seed=config["seed"],
        ),


use rule knowledge_table as knowledge_algorithm6 with:
    output:
        **tables(table="knowledge/algorithm6"),
    pathvars:
        job="knowledge_algorithm6",
    params:
        **call(
            "noiseless.experiments.knowledge.algorithm6.comparison_table",
            **KNOWLEDGE["theory"]["algorithm6"],
            seed=config["seed"],
        ),


use rule knowledge_table as knowledge_survey with:
    input:
        survey=prepared("young_people"),
    output:
        **tables(
            people="knowledge/survey_people",
            means="knowledge/survey_means",
        ),
    pathvars:
        job="knowledge_survey",
    params:
        **call(
            "noiseless.experiments.knowledge.survey.survey_tables",
            **KNOWLEDGE["survey"],
            seed=config["seed"],
        ),


FIGURES |= {
    "knowledge/fig1": {
        "function": "knowledge.composition.fig1",
        "tables": {
            "losses_linear": "knowledge/composition_losses_linear",
            "accepted_linear": "knowledge/composition_accepted_linear",
            "losses_logistic": "knowledge/composition_losses_logistic",
            "accepted_logistic": "knowledge/composition_accepted_logistic",
            "baselines": "knowledge/composition_baselines",
        },
        "figure": "1",
        "shows": "queries that a filter accepts",
        "settings": {"epsilon_nats": COMPOSITION["epsilon_nats"]},
    },
    "knowledge/grouping": {
        "function": "knowledge.grouping.grouping",
        "tables": {
            "accepted": "knowledge/grouping_accepted",
            "growth": "knowledge/grouping_growth",
        },
        "figure": "1b, 1d, by reading",
        "shows": "what Appendix C groups decides what is accepted",
        "settings": {"printed": KNOWLEDGE["grouping"]["printed"]},
    },
    "knowledge/composition_scan": {
        "function": "knowledge.composition.scan",
        "tables": {"scan": "knowledge/composition_scan"},
        "figure": "beyond 1",
        "shows": "which set-ups give the printed medians",
    },
    "knowledge/composition_cost": {
        "function": "knowledge.composition.cost",
        "tables": {"cost": "knowledge/composition_cost"},
        "figure": "beyond 1, cost",
        "shows": "relaxations of the certified solver",
    },
    "knowledge/health": {
        "function": "knowledge.health.health",
        "tables": {"losses": "knowledge/health_losses", "spent": "knowledge/health_spent"},
        "figure": "Appendix E",
        "shows": "certified losses of the health regressions",
        "settings": {"epsilon_nats": HEALTH["epsilon_nats"]},
    },
    "knowledge/survey": {
        "function": "knowledge.survey.survey",
        "tables": {"people": "knowledge/survey_people", "means": "knowledge/survey_means"},
        "figure": "beyond the paper",
        "shows": "people of the survey under a filter",
    },
}
