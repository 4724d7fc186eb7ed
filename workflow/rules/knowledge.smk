# Realized privacy loss (knowledge): filters, certified losses, the health regressions, the survey.
K = config["knowledge"]


# Compile the certified bounds once: jobs that run side by side would each compile them.
rule compile_bounds:
    output:
        touch("data/prepared/compiled_bounds"),
    log:
        "logs/compile_bounds.log",
    conda:
        ENVIRONMENT
    params:
        code=digest_files(*LIBRARY),
    script:
        "../scripts/knowledge/compile_bounds.py"


rule knowledge_composition:
    input:
        rules.compile_bounds.output,
    output:
        losses="{results}/tables/knowledge/composition_losses_{regression}.parquet",
        accepted="{results}/tables/knowledge/composition_accepted_{regression}.parquet",
        counts="{results}/tables/knowledge/composition_counts_{regression}.parquet",
    log:
        "logs/{results}/knowledge_composition/{regression}.log",
    conda:
        ENVIRONMENT
    params:
        epsilon_nats=K["epsilon_nats"],
        budgets_nats=K["budgets_nats"],
        group_size=K["group_size"],
        parameter_range=K["parameter_range"],
        composition=K["composition"],
        seed=get_seed,
        code=digest_code("knowledge"),
    script:
        "../scripts/knowledge/composition.py"


rule knowledge_grouping:
    input:
        linear="{results}/tables/knowledge/composition_counts_linear.parquet",
        logistic="{results}/tables/knowledge/composition_counts_logistic.parquet",
    output:
        accepted="{results}/tables/knowledge/grouping_accepted.parquet",
        growth="{results}/tables/knowledge/grouping_growth.parquet",
    log:
        "logs/{results}/knowledge_grouping.log",
    conda:
        ENVIRONMENT
    params:
        epsilon_nats=K["epsilon_nats"],
        budgets_nats=K["budgets_nats"],
        group_size=K["group_size"],
        seed=get_seed,
        code=digest_code("knowledge"),
    script:
        "../scripts/knowledge/grouping.py"


rule knowledge_theory:
    output:
        filter_streams="{results}/tables/knowledge/filter_streams.parquet",
        filter_streams_ordinary="{results}/tables/knowledge/filter_streams_ordinary.parquet",
    log:
        "logs/{results}/knowledge_theory.log",
    conda:
        ENVIRONMENT
    params:
        seed=get_seed,
        code=digest_code("knowledge"),
    script:
        "../scripts/knowledge/theory.py"


rule knowledge_health:
    input:
        rules.compile_bounds.output,
    output:
        health_losses="{results}/tables/knowledge/health_losses.parquet",
        health_spent="{results}/tables/knowledge/health_spent.parquet",
    log:
        "logs/{results}/knowledge_health.log",
    conda:
        ENVIRONMENT
    params:
        health=K["health"],
        code=digest_code("knowledge"),
    script:
        "../scripts/knowledge/health.py"


rule knowledge_scan:
    input:
        rules.compile_bounds.output,
    output:
        scan="{results}/tables/knowledge/composition_scan.parquet",
        baselines="{results}/tables/knowledge/composition_baselines.parquet",
        cost="{results}/tables/knowledge/composition_cost.parquet",
    log:
        "logs/{results}/knowledge_scan.log",
    conda:
        ENVIRONMENT
    params:
        scan=K["scan"],
        cost=K["cost"],
        baselines_delta=K["baselines_delta"],
        epsilon_nats=K["epsilon_nats"],
        budgets_nats=K["budgets_nats"],
        parameter_range=K["parameter_range"],
        composition=K["composition"],
        group_size=K["group_size"],
        seed=get_seed,
        code=digest_code("knowledge"),
    script:
        "../scripts/knowledge/scan.py"


rule knowledge_survey:
    input:
        rules.compile_bounds.output,
        survey="data/prepared/young_people.parquet",
    output:
        people="{results}/tables/knowledge/survey_people.parquet",
        means="{results}/tables/knowledge/survey_means.parquet",
    log:
        "logs/{results}/knowledge_survey.log",
    conda:
        ENVIRONMENT
    params:
        survey=K["survey"],
        seed=get_seed,
        code=digest_code("knowledge"),
    script:
        "../scripts/knowledge/survey.py"


# All figures are drawn by one job, as starting one takes longer; without the survey, its own is not.
K_SURVEY_FIGURES = ["survey"]


rule knowledge_figures:
    input:
        expand(keep_made("young_people", rules.knowledge_survey.output), results="results"),
        expand(rules.knowledge_composition.output, results="results", regression=REGRESSIONS),
        expand(rules.knowledge_grouping.output, results="results"),
        expand(rules.knowledge_health.output, results="results"),
        expand(rules.knowledge_scan.output, results="results"),
        expand(rules.knowledge_theory.output, results="results"),
        "results/tables/knowledge/printed.parquet",
    output:
        declare_figures(
            *("knowledge", "fig1", "grouping", "accountants", "filters"),
            *("composition_scan", "composition_cost", "health"),
            *keep_made("young_people", K_SURVEY_FIGURES),
        ),
    log:
        "logs/knowledge_figures.log",
    conda:
        ENVIRONMENT
    params:
        epsilon_nats=K["epsilon_nats"],
        health=K["health"],
        left_out=list_left_out("young_people", K_SURVEY_FIGURES),
        code=digest_figure_code("knowledge"),
    script:
        "../scripts/knowledge/figures.py"


rule knowledge:
    input:
        figures=rules.knowledge_figures.output,
        verdicts="results/ledger/knowledge.parquet",
        complete="results/complete/knowledge",
        tables=expand(
            [
                "results/tables/knowledge/printed.parquet",
                *rules.knowledge_composition.output,
                *rules.knowledge_grouping.output,
                *rules.knowledge_theory.output,
                *rules.knowledge_health.output,
                *rules.knowledge_scan.output,
                *keep_made("young_people", rules.knowledge_survey.output),
            ],
            results="results",
            regression=REGRESSIONS,
        ),
    localrule: True
