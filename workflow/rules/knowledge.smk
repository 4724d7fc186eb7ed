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


rule compose_linear_queries:
    output:
        losses=table("knowledge/losses_linear"),
        accepted=table("knowledge/accepted_linear"),
    log:
        "logs/compose_linear_queries.log",
    benchmark:
        "benchmarks/compose_linear_queries.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_composition.composition_tables",
        code=source_digest("noiseless.experiments.knowledge_composition"),
        settings=COMPOSITION_SETTINGS["linear"],
    script:
        "../scripts/make_table.py"


rule compose_logistic_queries:
    output:
        losses=table("knowledge/losses_logistic"),
        accepted=table("knowledge/accepted_logistic"),
    log:
        "logs/compose_logistic_queries.log",
    benchmark:
        "benchmarks/compose_logistic_queries.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_composition.composition_tables",
        code=source_digest("noiseless.experiments.knowledge_composition"),
        settings=COMPOSITION_SETTINGS["logistic"],
    script:
        "../scripts/make_table.py"


rule scan_compositions:
    output:
        table=table("knowledge/scan"),
    log:
        "logs/scan_compositions.log",
    benchmark:
        "benchmarks/scan_compositions.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_composition.scan_table",
        code=source_digest("noiseless.experiments.knowledge_composition"),
        settings={
            **KNOWLEDGE["scan"],
            "epsilon": COMPOSITION["epsilon"],
            "budget": max(COMPOSITION["budgets"]),
            "seed": config["seed"],
        },
    script:
        "../scripts/make_table.py"


rule count_relaxations:
    output:
        table=table("knowledge/cost"),
    log:
        "logs/count_relaxations.log",
    benchmark:
        "benchmarks/count_relaxations.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_composition.cost_table",
        code=source_digest("noiseless.experiments.knowledge_composition"),
        settings={
            **KNOWLEDGE["cost"],
            "parameter_range": COMPOSITION["parameter_range"]["logistic"],
            "epsilon": COMPOSITION["epsilon"],
            "seed": config["seed"],
        },
    script:
        "../scripts/make_table.py"


rule certify_health_losses:
    output:
        health_responses=table("knowledge/health_responses"),
        health_losses=table("knowledge/health_losses"),
        health_spent=table("knowledge/health_spent"),
    log:
        "logs/certify_health_losses.log",
    benchmark:
        "benchmarks/certify_health_losses.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_health.health_tables",
        code=source_digest("noiseless.experiments.knowledge_health"),
        settings=HEALTH,
    script:
        "../scripts/make_table.py"


rule check_knowledge_theory:
    output:
        examples=table("knowledge/examples"),
        learning=table("knowledge/learning"),
        approximate=table("knowledge/approximate"),
        estimator=table("knowledge/estimator"),
        line_15=table("knowledge/line_15"),
    log:
        "logs/check_knowledge_theory.log",
    benchmark:
        "benchmarks/check_knowledge_theory.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_theory.theory_tables",
        code=source_digest("noiseless.experiments.knowledge_theory"),
        settings={
            **{
                key: KNOWLEDGE["theory"][key] for key in KNOWLEDGE["theory"] if key != "algorithm6"
            },
            "seed": config["seed"],
        },
    script:
        "../scripts/make_table.py"


rule run_algorithm_6:
    output:
        table=table("knowledge/algorithm6"),
    log:
        "logs/run_algorithm_6.log",
    benchmark:
        "benchmarks/run_algorithm_6.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.algorithm6.comparison_table",
        code=source_digest("noiseless.experiments.algorithm6"),
        settings={**KNOWLEDGE["theory"]["algorithm6"], "seed": config["seed"]},
    script:
        "../scripts/make_table.py"


rule query_survey:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        people=table("knowledge/survey_people"),
        means=table("knowledge/survey_means"),
    log:
        "logs/query_survey.log",
    benchmark:
        "benchmarks/query_survey.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_survey.survey_tables",
        code=source_digest("noiseless.experiments.knowledge_survey"),
        settings={**KNOWLEDGE["survey"], "seed": config["seed"]},
    script:
        "../scripts/make_table.py"
