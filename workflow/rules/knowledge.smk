# Realized privacy loss (knowledge): filters, certified losses, the health regressions, the survey.
KNOWLEDGE = config["knowledge"]
COMPOSITION = KNOWLEDGE["composition"]
HEALTH = KNOWLEDGE["health"]

COMPOSITION_SETTINGS = {
    regression: {
        **COMPOSITION,
        "regression": regression,
        "parameter_range": parameter_range,
        "seed": config["seed"],
    }
    for regression, parameter_range in COMPOSITION["parameter_range"].items()
}


rule knowledge_composition_linear:
    output:
        losses=table("knowledge/composition_losses_linear"),
        accepted=table("knowledge/composition_accepted_linear"),
        counts=table("knowledge/composition_counts_linear"),
    log:
        "logs/knowledge_composition_linear.log",
    benchmark:
        "benchmarks/knowledge_composition_linear.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.composition.composition_tables",
            COMPOSITION_SETTINGS["linear"],
        ),
    script:
        "../scripts/make_table.py"


rule knowledge_composition_logistic:
    output:
        losses=table("knowledge/composition_losses_logistic"),
        accepted=table("knowledge/composition_accepted_logistic"),
        counts=table("knowledge/composition_counts_logistic"),
    log:
        "logs/knowledge_composition_logistic.log",
    benchmark:
        "benchmarks/knowledge_composition_logistic.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.composition.composition_tables",
            COMPOSITION_SETTINGS["logistic"],
        ),
    script:
        "../scripts/make_table.py"


rule knowledge_grouping:
    input:
        counts_linear=rules.knowledge_composition_linear.output.counts,
        counts_logistic=rules.knowledge_composition_logistic.output.counts,
    output:
        accepted=table("knowledge/grouping_accepted"),
        growth=table("knowledge/grouping_growth"),
        index=table("knowledge/grouping_index"),
    log:
        "logs/knowledge_grouping.log",
    benchmark:
        "benchmarks/knowledge_grouping.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.grouping.grouping_tables",
            {
                **{
                    key: KNOWLEDGE["grouping"][key]
                    for key in KNOWLEDGE["grouping"]
                    if key != "printed"
                },
                **{
                    key: COMPOSITION[key]
                    for key in (
                        "dimensions",
                        "parameter_range",
                        "epsilon_nats",
                        "budgets_nats",
                        "tolerance",
                        "node_limit",
                    )
                },
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule knowledge_interactions:
    output:
        interactions=table("knowledge/interactions"),
        odometer=table("knowledge/interactions_odometer"),
        output_independent=table("knowledge/interactions_output_independent"),
    log:
        "logs/knowledge_interactions.log",
    benchmark:
        "benchmarks/knowledge_interactions.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.interactions.interaction_tables",
            {**KNOWLEDGE["interactions"], "seed": config["seed"]},
        ),
    script:
        "../scripts/make_table.py"


rule knowledge_composition_scan:
    output:
        table=table("knowledge/composition_scan"),
    log:
        "logs/knowledge_composition_scan.log",
    benchmark:
        "benchmarks/knowledge_composition_scan.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.composition.scan_table",
            {
                **KNOWLEDGE["scan"],
                "epsilon_nats": COMPOSITION["epsilon_nats"],
                "budget_nats": max(COMPOSITION["budgets_nats"]),
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule knowledge_composition_baselines:
    output:
        table=table("knowledge/composition_baselines"),
    log:
        "logs/knowledge_composition_baselines.log",
    benchmark:
        "benchmarks/knowledge_composition_baselines.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.composition.baselines_table",
            {
                "epsilon_nats": COMPOSITION["epsilon_nats"],
                "budgets_nats": COMPOSITION["budgets_nats"],
                "delta": KNOWLEDGE["baselines"]["delta"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule knowledge_composition_cost:
    output:
        table=table("knowledge/composition_cost"),
    log:
        "logs/knowledge_composition_cost.log",
    benchmark:
        "benchmarks/knowledge_composition_cost.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.composition.cost_table",
            {
                **KNOWLEDGE["cost"],
                "parameter_range": COMPOSITION["parameter_range"]["logistic"],
                "epsilon_nats": COMPOSITION["epsilon_nats"],
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule knowledge_health:
    output:
        health_responses=table("knowledge/health_responses"),
        health_losses=table("knowledge/health_losses"),
        health_spent=table("knowledge/health_spent"),
        health_truncated=table("knowledge/health_truncated"),
    log:
        "logs/knowledge_health.log",
    benchmark:
        "benchmarks/knowledge_health.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call("noiseless.experiments.knowledge.health.health_tables", HEALTH),
    script:
        "../scripts/make_table.py"


rule knowledge_theory:
    output:
        examples=table("knowledge/theory_examples"),
        learning=table("knowledge/theory_learning"),
        approximate=table("knowledge/theory_approximate"),
        estimator=table("knowledge/theory_estimator"),
        line_15=table("knowledge/theory_line_15"),
    log:
        "logs/knowledge_theory.log",
    benchmark:
        "benchmarks/knowledge_theory.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.theory.theory_tables",
            {
                **{
                    key: KNOWLEDGE["theory"][key]
                    for key in KNOWLEDGE["theory"]
                    if key != "algorithm6"
                },
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule knowledge_algorithm6:
    output:
        table=table("knowledge/algorithm6"),
    log:
        "logs/knowledge_algorithm6.log",
    benchmark:
        "benchmarks/knowledge_algorithm6.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.algorithm6.comparison_table",
            {**KNOWLEDGE["theory"]["algorithm6"], "seed": config["seed"]},
        ),
    script:
        "../scripts/make_table.py"


rule knowledge_survey:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        people=table("knowledge/survey_people"),
        means=table("knowledge/survey_means"),
    log:
        "logs/knowledge_survey.log",
    benchmark:
        "benchmarks/knowledge_survey.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.knowledge.survey.survey_tables",
            {**KNOWLEDGE["survey"], "seed": config["seed"]},
        ),
    script:
        "../scripts/make_table.py"


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


rule judge_knowledge:
    input:
        **judged("knowledge"),
    output:
        ledger=ledger_of("knowledge"),
    log:
        "logs/judge_knowledge.log",
    benchmark:
        "benchmarks/judge_knowledge.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.judge"),
        tables=claimed_tables(CLAIMS, "knowledge"),
    script:
        "../scripts/judge_claims.py"
