# Realized privacy loss (knowledge): filters, certified losses, the health regressions, the survey.
KNOWLEDGE = config["knowledge"]
COMPOSITION = KNOWLEDGE["composition"]
HEALTH = KNOWLEDGE["health"]
HEALTH_REGRESSIONS = {key: HEALTH[key] for key in ("regressions", "sleep_range_h")}

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


rule evaluate_health_regressions:
    output:
        table=table("knowledge/health_responses"),
    log:
        "logs/evaluate_health_regressions.log",
    benchmark:
        "benchmarks/evaluate_health_regressions.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_health.responses_table",
        code=source_digest("noiseless.experiments.knowledge_health"),
        settings={**HEALTH_REGRESSIONS, "people": HEALTH["people"]},
    script:
        "../scripts/make_table.py"


rule certify_health_losses:
    output:
        table=table("knowledge/health_losses"),
    log:
        "logs/certify_health_losses.log",
    benchmark:
        "benchmarks/certify_health_losses.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_health.losses_table",
        code=source_digest("noiseless.experiments.knowledge_health"),
        settings={
            **HEALTH_REGRESSIONS,
            **{key: HEALTH[key] for key in ("ranges", "epsilon", "tolerance")},
        },
    script:
        "../scripts/make_table.py"


rule summarise_health_losses:
    input:
        losses=rules.certify_health_losses.output.table,
    output:
        table=table("knowledge/health_spent"),
    log:
        "logs/summarise_health_losses.log",
    benchmark:
        "benchmarks/summarise_health_losses.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_health.spent_table",
        code=source_digest("noiseless.experiments.knowledge_health"),
        settings={
            **HEALTH_REGRESSIONS,
            **{key: HEALTH[key] for key in ("ranges", "epsilon", "people", "grid_points")},
        },
    script:
        "../scripts/make_table.py"


rule run_knowledge_examples:
    output:
        table=table("knowledge/examples"),
    log:
        "logs/run_knowledge_examples.log",
    benchmark:
        "benchmarks/run_knowledge_examples.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_theory.examples_table",
        code=source_digest("noiseless.experiments.knowledge_theory"),
        settings={},
    script:
        "../scripts/make_table.py"


rule bound_learning:
    output:
        table=table("knowledge/learning"),
    log:
        "logs/bound_learning.log",
    benchmark:
        "benchmarks/bound_learning.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_theory.learning_table",
        code=source_digest("noiseless.experiments.knowledge_theory"),
        settings={
            **{key: KNOWLEDGE["theory"][key] for key in ("mechanisms", "beliefs")},
            "seed": config["seed"],
        },
    script:
        "../scripts/make_table.py"


rule compare_approximate_definitions:
    output:
        table=table("knowledge/approximate"),
    log:
        "logs/compare_approximate_definitions.log",
    benchmark:
        "benchmarks/compare_approximate_definitions.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_theory.approximate_table",
        code=source_digest("noiseless.experiments.knowledge_theory"),
        settings={"mechanisms": KNOWLEDGE["theory"]["mechanisms"], "seed": config["seed"]},
    script:
        "../scripts/make_table.py"


rule expect_mean_estimates:
    output:
        table=table("knowledge/estimator"),
    log:
        "logs/expect_mean_estimates.log",
    benchmark:
        "benchmarks/expect_mean_estimates.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_theory.estimator_table",
        code=source_digest("noiseless.experiments.knowledge_theory"),
        settings=KNOWLEDGE["theory"]["estimator"],
    script:
        "../scripts/make_table.py"


rule run_line_15:
    output:
        table=table("knowledge/line_15"),
    log:
        "logs/run_line_15.log",
    benchmark:
        "benchmarks/run_line_15.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.knowledge_theory.line_15_table",
        code=source_digest("noiseless.experiments.knowledge_theory"),
        settings={**KNOWLEDGE["theory"]["line_15"], "seed": config["seed"]},
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
