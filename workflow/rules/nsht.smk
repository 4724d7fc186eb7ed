# Non-Stochastic Hypothesis Testing for Privacy: the blurring policy and what it does to the people of
# the survey, leakage, tests of hypotheses, indistinguishability.
BLURRING = config["nsht"]["blurring"]
BLURRING_PUBLIC = {
    key: BLURRING[key] for key in ("weight_range_kg", "height_range_cm", "bmi_kg_m2")
}


rule nsht_blurring_budget:
    output:
        table=table("nsht/blurring_budget"),
    log:
        "logs/nsht_blurring_budget.log",
    benchmark:
        "benchmarks/nsht_blurring_budget.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.blurring.budget_table",
            {
                **BLURRING_PUBLIC,
                "kg_per_cm": BLURRING["kg_per_cm"],
                "rho_per_kg": log_grid(**BLURRING["rho_per_kg"]),
            },
        ),
    script:
        "../scripts/make_table.py"


rule nsht_blurring_enclosure:
    output:
        table=table("nsht/blurring_enclosure"),
    log:
        "logs/nsht_blurring_enclosure.log",
    benchmark:
        "benchmarks/nsht_blurring_enclosure.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.blurring.enclosure_table",
            {**BLURRING_PUBLIC, **BLURRING["enclosure"]},
        ),
    script:
        "../scripts/make_table.py"


rule nsht_blurring_lattice:
    output:
        table=table("nsht/blurring_lattice"),
    log:
        "logs/nsht_blurring_lattice.log",
    benchmark:
        "benchmarks/nsht_blurring_lattice.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.blurring.lattice_table",
            {**BLURRING_PUBLIC, **BLURRING["lattice"]},
        ),
    script:
        "../scripts/make_table.py"


rule nsht_blurring_survey:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        table=table("nsht/blurring_survey"),
    log:
        "logs/nsht_blurring_survey.log",
    benchmark:
        "benchmarks/nsht_blurring_survey.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.blurring.survey_table",
            {"bmi_kg_m2": BLURRING["bmi_kg_m2"]},
        ),
    script:
        "../scripts/make_table.py"


rule nsht_blurring_people:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        people=table("nsht/blurring_people"),
        histogram=table("nsht/blurring_histogram"),
    log:
        "logs/nsht_blurring_people.log",
    benchmark:
        "benchmarks/nsht_blurring_people.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.blurring.survey_tables",
            {
                **BLURRING_PUBLIC,
                "kg_per_cm": BLURRING["kg_per_cm"],
                "rho_per_kg": log_grid(**BLURRING["rho_per_kg"]),
                "histogram_rho_per_kg": BLURRING["histogram_rho_per_kg"],
                "histogram_bin": BLURRING["histogram_bin"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule nsht_blurring_thresholds:
    output:
        table=table("nsht/blurring_thresholds"),
    log:
        "logs/nsht_blurring_thresholds.log",
    benchmark:
        "benchmarks/nsht_blurring_thresholds.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.blurring.thresholds_table",
            {**BLURRING["thresholds"], "seed": config["seed"]},
        ),
    script:
        "../scripts/make_table.py"


rule nsht_blurring_search:
    output:
        table=table("nsht/blurring_search"),
    log:
        "logs/nsht_blurring_search.log",
    benchmark:
        "benchmarks/nsht_blurring_search.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.blurring_limits.search_table",
            BLURRING["search"],
        ),
    script:
        "../scripts/make_table.py"


rule nsht_blurring_composition:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        table=table("nsht/blurring_composition"),
    log:
        "logs/nsht_blurring_composition.log",
    benchmark:
        "benchmarks/nsht_blurring_composition.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.blurring_limits.composition_table",
            {**BLURRING_PUBLIC, **BLURRING["composition"]},
        ),
    script:
        "../scripts/make_table.py"


rule nsht_leakage_bound:
    output:
        table=table("nsht/leakage_bound"),
    log:
        "logs/nsht_leakage_bound.log",
    benchmark:
        "benchmarks/nsht_leakage_bound.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.leakage.bound_table",
            {"epsilon": log_grid(**config["nsht"]["leakage"]["epsilon"])},
        ),
    script:
        "../scripts/make_table.py"


rule nsht_leakage_enumeration:
    output:
        table=table("nsht/leakage_enumeration"),
    log:
        "logs/nsht_leakage_enumeration.log",
    benchmark:
        "benchmarks/nsht_leakage_enumeration.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.leakage.enumeration_table",
            {
                "seed": config["seed"],
                **{
                    key: value
                    for key, value in config["nsht"]["leakage"].items()
                    if key != "epsilon"
                },
            },
        ),
    script:
        "../scripts/make_table.py"


rule nsht_hypotheses:
    output:
        examples=table("nsht/hypotheses_examples"),
        tests=table("nsht/hypotheses_tests"),
        le_cam=table("nsht/hypotheses_le_cam"),
        order=table("nsht/hypotheses_order"),
    log:
        "logs/nsht_hypotheses.log",
    benchmark:
        "benchmarks/nsht_hypotheses.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.hypotheses.tables",
            {**config["nsht"]["hypotheses"], "seed": config["seed"]},
        ),
    script:
        "../scripts/make_table.py"


rule nsht_indistinguishability:
    output:
        linear_queries=table("nsht/indistinguishability_linear_queries"),
        indistinguishability=table("nsht/indistinguishability"),
    log:
        "logs/nsht_indistinguishability.log",
    benchmark:
        "benchmarks/nsht_indistinguishability.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.nsht.indistinguishability.tables",
            {**config["nsht"]["indistinguishability"], "seed": config["seed"]},
        ),
    script:
        "../scripts/make_table.py"


FIGURES |= {
    "nsht/fig4": {
        "function": "nsht.blurring.fig4",
        "tables": {"budget": "nsht/blurring_budget", "enclosure": "nsht/blurring_enclosure"},
        "figure": "4",
        "shows": "privacy budget against accuracy",
    },
    "nsht/fig5": {
        "function": "nsht.blurring.fig5",
        "tables": {"histogram": "nsht/blurring_histogram", "people": "nsht/blurring_people"},
        "figure": "5",
        "shows": "reported weight and height",
        "settings": {
            "bmi_kg_m2": BLURRING["bmi_kg_m2"],
            "histogram_bin": BLURRING["histogram_bin"],
        },
    },
    "nsht/fig5_people": {
        "function": "nsht.blurring.fig5_people",
        "tables": {"people": "nsht/blurring_people"},
        "figure": "5, counted",
        "shows": "people moved, people identifiable",
    },
    "nsht/blurring_price": {
        "function": "nsht.blurring.blurring_price",
        "tables": {"people": "nsht/blurring_people"},
        "figure": "beyond",
        "shows": "people left undecided against the mean change",
    },
    "nsht/fig6": {
        "function": "nsht.leakage.fig6",
        "tables": {"bound": "nsht/leakage_bound"},
        "figure": "6",
        "shows": "bound of the leakage against epsilon",
    },
    "nsht/fig7": {
        "function": "nsht.indistinguishability.fig7",
        "tables": {"indistinguishability": "nsht/indistinguishability"},
        "figure": "7",
        "shows": "levels of the average against epsilon",
    },
    "nsht/fig8": {
        "function": "nsht.indistinguishability.fig8",
        "tables": {"indistinguishability": "nsht/indistinguishability"},
        "figure": "8",
        "shows": "leakage of the average against people and epsilon",
    },
}


rule judge_nsht:
    input:
        **judged("nsht"),
    output:
        ledger=ledger_of("nsht"),
    log:
        "logs/judge_nsht.log",
    benchmark:
        "benchmarks/judge_nsht.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.judge"),
        tables=claimed_tables(CLAIMS, "nsht"),
    script:
        "../scripts/judge_claims.py"
