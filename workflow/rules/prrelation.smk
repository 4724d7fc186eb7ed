# Precision and recall of a differential-privacy adversary, and how to choose epsilon (prrelation).
P = config["prrelation"]


rule prrelation_theory:
    output:
        calibrations="{results}/tables/prrelation/curves_calibrations.parquet",
        dependence="{results}/tables/prrelation/dependence.parquet",
        worth="{results}/tables/prrelation/knowledge_worth.parquet",
        orders="{results}/tables/prrelation/notions_orders.parquet",
    log:
        "logs/{results}/prrelation_theory.log",
    conda:
        ENVIRONMENT
    params:
        points=P["points"],
        code=digest_code("prrelation"),
    script:
        "../scripts/prrelation/theory.py"


# Apart from the theory, because the paper leaves delta open: with another, the rest still holds.
rule prrelation_curves:
    output:
        curves="{results}/tables/prrelation/curves.parquet",
        f_scores="{results}/tables/prrelation/curves_f_scores.parquet",
        choice="{results}/tables/prrelation/choice.parquet",
        meaning="{results}/tables/prrelation/choice_meaning.parquet",
    log:
        "logs/{results}/prrelation_curves.log",
    conda:
        ENVIRONMENT
    params:
        delta=P["delta"],
        gaussian_epsilon_nats=P["gaussian_epsilon_nats"],
        points=P["points"],
        code=digest_code("prrelation"),
    script:
        "../scripts/prrelation/curves.py"


rule prrelation_monte_carlo:
    input:
        survey="data/prepared/young_people.parquet",
    output:
        rates="{results}/tables/prrelation/monte_carlo_rates.parquet",
        f_scores="{results}/tables/prrelation/monte_carlo_f_scores.parquet",
    log:
        "logs/{results}/prrelation_monte_carlo.log",
    conda:
        ENVIRONMENT
    params:
        delta=P["delta"],
        gaussian_epsilon_nats=P["gaussian_epsilon_nats"],
        answers=P["answers"],
        seed=get_seed,
        code=digest_code("prrelation"),
    script:
        "../scripts/prrelation/monte_carlo.py"


# All figures are drawn by one job, as starting one takes longer; without the survey, those with markers
# that are counted on it are not.
P_SURVEY_FIGURES = ["fig3", "fig4", "fig5_6_7", "fig8"]


rule prrelation_figures:
    input:
        expand(keep_made("young_people", rules.prrelation_monte_carlo.output), results="results"),
        curves="results/tables/prrelation/curves.parquet",
        f_scores="results/tables/prrelation/curves_f_scores.parquet",
        calibrations="results/tables/prrelation/curves_calibrations.parquet",
        choice="results/tables/prrelation/choice.parquet",
        meaning="results/tables/prrelation/choice_meaning.parquet",
        dependence="results/tables/prrelation/dependence.parquet",
        worth="results/tables/prrelation/knowledge_worth.parquet",
        orders="results/tables/prrelation/notions_orders.parquet",
        printed="results/tables/prrelation/printed.parquet",
    output:
        declare_figures(
            *("prrelation", "knowledge_worth", "curves_calibrations", "dependence"),
            *("choice", "choice_meaning", "notions_orders"),
            *keep_made("young_people", P_SURVEY_FIGURES),
        ),
    log:
        "logs/prrelation_figures.log",
    conda:
        ENVIRONMENT
    params:
        answers=P["answers"],
        data_use=load_data_use("prrelation"),
        left_out=list_left_out("young_people", P_SURVEY_FIGURES),
        code=digest_figure_code("prrelation"),
    script:
        "../scripts/prrelation/figures.py"


rule prrelation:
    input:
        figures=rules.prrelation_figures.output,
        verdicts="results/ledger/prrelation.parquet",
        complete="results/complete/prrelation",
        tables=expand(
            [
                "results/tables/prrelation/printed.parquet",
                *rules.prrelation_theory.output,
                *rules.prrelation_curves.output,
                *keep_made("young_people", rules.prrelation_monte_carlo.output),
            ],
            results="results",
        ),
    localrule: True
