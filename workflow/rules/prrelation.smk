# Precision and recall of a differential-privacy adversary, and how to choose epsilon (prrelation).
P = config["prrelation"]


rule prrelation_theory:
    output:
        vector="{results}/tables/prrelation/vector.parquet",
        notions="{results}/tables/prrelation/notions.parquet",
        possible="{results}/tables/prrelation/notions_possible.parquet",
        optimality="{results}/tables/prrelation/testing_optimality.parquet",
        rule="{results}/tables/prrelation/testing_rule.parquet",
        realistic="{results}/tables/prrelation/testing_realistic.parquet",
        side_knowledge="{results}/tables/prrelation/testing_side_knowledge.parquet",
        correlation="{results}/tables/prrelation/testing_correlation.parquet",
        derivatives="{results}/tables/prrelation/appendix_derivatives.parquet",
        ratio="{results}/tables/prrelation/appendix_ratio.parquet",
        functions="{results}/tables/prrelation/appendix_functions.parquet",
        extremes="{results}/tables/prrelation/appendix_extremes.parquet",
        thresholds="{results}/tables/prrelation/curves_thresholds.parquet",
        calibrations="{results}/tables/prrelation/curves_calibrations.parquet",
        table1="{results}/tables/prrelation/choice_table1.parquet",
        worth="{results}/tables/prrelation/knowledge_worth.parquet",
        equal_recall="{results}/tables/prrelation/knowledge_equal_recall.parquet",
        pairs="{results}/tables/prrelation/sentences_pairs.parquet",
        values="{results}/tables/prrelation/sentences_values.parquet",
        conditioning="{results}/tables/prrelation/sentences_conditioning.parquet",
        knowing="{results}/tables/prrelation/sentences_knowing.parquet",
        composite="{results}/tables/prrelation/composite.parquet",
        composite_uniform="{results}/tables/prrelation/composite_uniform.parquet",
        composite_orders="{results}/tables/prrelation/composite_orders.parquet",
    log:
        "logs/{results}/prrelation_theory.log",
    conda:
        ENVIRONMENT
    params:
        vector=P["vector"],
        notions=P["notions"],
        testing=P["testing"],
        worth=P["worth"],
        points=P["points"],
        code=digest_code("prrelation"),
    script:
        "../scripts/prrelation/theory.py"


# Apart from the theory, because it takes half a minute of linear programmes.
rule prrelation_orders:
    output:
        orders="{results}/tables/prrelation/notions_orders.parquet",
        distances="{results}/tables/prrelation/notions_distances.parquet",
        swaps="{results}/tables/prrelation/notions_swaps.parquet",
        counts="{results}/tables/prrelation/notions_counts.parquet",
        examples="{results}/tables/prrelation/notions_examples.parquet",
        neighbours="{results}/tables/prrelation/notions_neighbours.parquet",
    log:
        "logs/{results}/prrelation_orders.log",
    conda:
        ENVIRONMENT
    params:
        code=digest_code("prrelation"),
    script:
        "../scripts/prrelation/orders.py"


# Apart from the theory, because the paper leaves delta open: with another, Table 1 still holds.
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
        worth="results/tables/prrelation/knowledge_worth.parquet",
        orders="results/tables/prrelation/notions_orders.parquet",
        printed="results/tables/prrelation/printed.parquet",
    output:
        declare_figures(
            *("prrelation", "knowledge_worth", "curves_calibrations"),
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
        tables=expand(
            [
                "results/tables/prrelation/printed.parquet",
                *rules.prrelation_theory.output,
                *rules.prrelation_orders.output,
                *rules.prrelation_curves.output,
                *keep_made("young_people", rules.prrelation_monte_carlo.output),
            ],
            results="results",
        ),
