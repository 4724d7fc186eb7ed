# Non-stochastic hypothesis testing (nsht): the blurring policy and what it does to the people of the
# survey, leakage, tests of hypotheses, indistinguishability.
N = config["nsht"]


rule nsht_survey:
    input:
        survey="data/prepared/young_people.parquet",
    output:
        survey="{results}/tables/nsht/blurring_survey.parquet",
        people="{results}/tables/nsht/blurring_people.parquet",
        histogram="{results}/tables/nsht/blurring_histogram.parquet",
        composition="{results}/tables/nsht/blurring_composition.parquet",
        odds_people="{results}/tables/nsht/blurring_odds_people.parquet",
        several_analysts="{results}/tables/nsht/several_analysts.parquet",
        several_thresholds="{results}/tables/nsht/several_thresholds.parquet",
    log:
        "logs/{results}/nsht_survey.log",
    conda:
        ENVIRONMENT
    params:
        rho_points=N["rho_points"],
        code=digest_code("nsht"),
    script:
        "../scripts/nsht/survey.py"


rule nsht_theory:
    output:
        bound="{results}/tables/nsht/leakage_bound.parquet",
        budget="{results}/tables/nsht/blurring_budget.parquet",
        indistinguishability="{results}/tables/nsht/indistinguishability.parquet",
        odds="{results}/tables/nsht/blurring_odds.parquet",
    log:
        "logs/{results}/nsht_theory.log",
    conda:
        ENVIRONMENT
    params:
        rho_points=N["rho_points"],
        epsilon_points=N["epsilon_points"],
        code=digest_code("nsht"),
    script:
        "../scripts/nsht/theory.py"


# All figures are drawn by one job, as starting one takes longer; without the survey, its own are not.
N_SURVEY_FIGURES = [
    *("fig5", "fig5_people"),
    *("blurring_price", "blurring_odds", "several_analysts"),
]


rule nsht_figures:
    input:
        expand(rules.nsht_theory.output, results="results"),
        expand(keep_made("young_people", rules.nsht_survey.output), results="results"),
    output:
        declare_figures(
            *("nsht", "fig4", "fig6", "fig7", "fig8"),
            *keep_made("young_people", N_SURVEY_FIGURES),
        ),
    log:
        "logs/nsht_figures.log",
    conda:
        ENVIRONMENT
    params:
        data_use=load_data_use("nsht"),
        left_out=list_left_out("young_people", N_SURVEY_FIGURES),
        code=digest_figure_code("nsht"),
    script:
        "../scripts/nsht/figures.py"


rule nsht:
    input:
        figures=rules.nsht_figures.output,
        verdicts="results/ledger/nsht.parquet",
        complete="results/complete/nsht",
        tables=expand(
            [
                *keep_made("young_people", rules.nsht_survey.output),
                *rules.nsht_theory.output,
            ],
            results="results",
        ),
    localrule: True
