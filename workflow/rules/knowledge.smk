# Realized privacy loss (knowledge): filters, certified losses, the health regressions, the survey.
KNOWLEDGE = config["knowledge"]
COMPOSITION = KNOWLEDGE["composition"]


rule knowledge:
    input:
        lambda wildcards: results_of("knowledge"),


# Jobs that run side by side would each compile the certified bounds. What changes these, changes them.
rule compile_bounds:
    output:
        "data/prepared/compiled_bounds",
    log:
        "logs/compile_bounds.log",
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.accounting.compiling"),
    script:
        "../scripts/compile_bounds.py"


rule knowledge_composition:
    input:
        compiled=rules.compile_bounds.output,
    output:
        **tables(
            losses="knowledge/composition_losses_{regression}",
            accepted="knowledge/composition_accepted_{regression}",
            counts="knowledge/composition_counts_{regression}",
        ),
    log:
        "logs/{variant}knowledge_composition/{regression}.log",
    conda:
        ENVIRONMENT
    params:
        calls=lambda wildcards: {
            "composition": call(
                "noiseless.papers.knowledge.composition.composition_tables",
                **without(COMPOSITION, "parameter_range"),
                size=KNOWLEDGE["grouping"]["size"],
                regression=wildcards.regression,
                parameter_range=COMPOSITION["parameter_range"][wildcards.regression],
                seed=config["seed"],
            ),
        },
    script:
        "../scripts/make_tables.py"


rule knowledge_grouping:
    input:
        counts_linear=table("knowledge/composition_counts_linear"),
        counts_logistic=table("knowledge/composition_counts_logistic"),
    output:
        **tables(
            accepted="knowledge/grouping_accepted",
            growth="knowledge/grouping_growth",
            index="knowledge/grouping_index",
        ),
    log:
        "logs/{variant}knowledge_grouping.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "grouping": call(
                "noiseless.papers.knowledge.grouping.grouping_tables",
                "counts_linear",
                "counts_logistic",
                **without(KNOWLEDGE["grouping"], "printed"),
                **pick(COMPOSITION, "epsilon_nats", "budgets_nats"),
                seed=config["seed"],
            ),
        },
    script:
        "../scripts/make_tables.py"


rule knowledge_theory:
    input:
        compiled=rules.compile_bounds.output,
    output:
        **tables(
            interactions="knowledge/interactions",
            odometer="knowledge/interactions_odometer",
            output_independent="knowledge/interactions_output_independent",
            largest="knowledge/largest_filter",
            last="knowledge/largest_filter_last_query",
            adversaries="knowledge/output_dependent_adversaries",
            answers="knowledge/output_dependent_answers",
            objects="knowledge/sentences_objects",
            logistic="knowledge/sentences_logistic",
            examples="knowledge/theory_examples",
            learning="knowledge/theory_learning",
            approximate="knowledge/theory_approximate",
            estimator="knowledge/theory_estimator",
            line_15="knowledge/theory_line_15",
            algorithm6="knowledge/algorithm6",
            health_responses="knowledge/health_responses",
            health_losses="knowledge/health_losses",
            health_spent="knowledge/health_spent",
            health_truncated="knowledge/health_truncated",
            scan="knowledge/composition_scan",
            baselines="knowledge/composition_baselines",
            cost="knowledge/composition_cost",
        ),
    log:
        "logs/{variant}knowledge_theory.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "interactions": call(
                "noiseless.papers.knowledge.interactions.interaction_tables",
                **KNOWLEDGE["interactions"],
                seed=config["seed"],
            ),
            "filters": call(
                "noiseless.papers.knowledge.largest_filter.filter_tables",
                **KNOWLEDGE["largest_filter"],
                seed=config["seed"],
            ),
            "output_dependent": call(
                "noiseless.papers.knowledge.output_dependent.output_dependent_tables",
                **KNOWLEDGE["output_dependent"],
                seed=config["seed"],
            ),
            "sentences": call("noiseless.papers.knowledge.sentences.sentences_tables"),
            "theory": call(
                "noiseless.papers.knowledge.theory.theory_tables",
                **without(KNOWLEDGE["theory"], "algorithm6"),
                seed=config["seed"],
            ),
            "algorithm6": call(
                "noiseless.papers.knowledge.algorithm6.comparison_table",
                **KNOWLEDGE["theory"]["algorithm6"],
                seed=config["seed"],
            ),
            "health": call(
                "noiseless.papers.knowledge.health.health_tables", **KNOWLEDGE["health"]
            ),
            "scan": call(
                "noiseless.papers.knowledge.composition.scan_table",
                **KNOWLEDGE["scan"],
                epsilon_nats=COMPOSITION["epsilon_nats"],
                budget_nats=max(COMPOSITION["budgets_nats"]),
                seed=config["seed"],
            ),
            "baselines": call(
                "noiseless.papers.knowledge.composition.baselines_table",
                epsilon_nats=COMPOSITION["epsilon_nats"],
                budgets_nats=COMPOSITION["budgets_nats"],
                delta=KNOWLEDGE["baselines"]["delta"],
            ),
            "cost": call(
                "noiseless.papers.knowledge.composition.cost_table",
                **KNOWLEDGE["cost"],
                parameter_range=COMPOSITION["parameter_range"]["logistic"],
                epsilon_nats=COMPOSITION["epsilon_nats"],
                seed=config["seed"],
            ),
        },
    script:
        "../scripts/make_tables.py"


rule knowledge_survey:
    input:
        compiled=rules.compile_bounds.output,
        survey=prepared("young_people"),
    output:
        **tables(people="knowledge/survey_people", means="knowledge/survey_means"),
    log:
        "logs/{variant}knowledge_survey.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "survey": call(
                "noiseless.papers.knowledge.survey.survey_tables",
                "survey",
                **KNOWLEDGE["survey"],
                seed=config["seed"],
            ),
        },
    script:
        "../scripts/make_tables.py"
