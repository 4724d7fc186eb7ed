# Precision and recall of a differential-privacy adversary, and how to choose epsilon (prrelation).
PRRELATION = config["prrelation"]
PRRELATION_CURVES = {
    key: PRRELATION["curves"][key]
    for key in ("epsilon_nats", "delta", "gaussian_epsilon_nats", "deltas")
}


rule prrelation_curves:
    output:
        table=table("prrelation/curves"),
    log:
        "logs/prrelation_curves.log",
    benchmark:
        "benchmarks/prrelation_curves.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.curves.curve_table",
            {
                **PRRELATION["curves"],
                "knowledge": PRRELATION["knowledge"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule prrelation_curves_f_scores:
    output:
        table=table("prrelation/curves_f_scores"),
    log:
        "logs/prrelation_curves_f_scores.log",
    benchmark:
        "benchmarks/prrelation_curves_f_scores.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.curves.f_score_table",
            {
                "epsilon_nats": log_grid(**PRRELATION["f_score"]["epsilon_nats"]),
                "beta": PRRELATION["f_score"]["beta"],
                "delta": PRRELATION["curves"]["delta"],
                "knowledge": PRRELATION["knowledge"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule prrelation_curves_thresholds:
    output:
        table=table("prrelation/curves_thresholds"),
    log:
        "logs/prrelation_curves_thresholds.log",
    benchmark:
        "benchmarks/prrelation_curves_thresholds.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.curves.threshold_table",
            {
                "epsilon_nats": PRRELATION["curves"]["epsilon_nats"],
                "false_alarm": PRRELATION["monte_carlo"]["false_alarm"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule prrelation_curves_calibrations:
    output:
        table=table("prrelation/curves_calibrations"),
    log:
        "logs/prrelation_curves_calibrations.log",
    benchmark:
        "benchmarks/prrelation_curves_calibrations.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.curves.calibration_table",
            {
                "epsilon_nats": PRRELATION["calibration"]["epsilon_nats"],
                "deltas": PRRELATION["curves"]["deltas"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule prrelation_choice_table1:
    output:
        table=table("prrelation/choice_table1"),
    log:
        "logs/prrelation_choice_table1.log",
    benchmark:
        "benchmarks/prrelation_choice_table1.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.choice.table1",
            {
                "beta": PRRELATION["f_score"]["beta"],
                "f_score": PRRELATION["choice"]["f_score"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule prrelation_choice:
    output:
        table=table("prrelation/choice"),
    log:
        "logs/prrelation_choice.log",
    benchmark:
        "benchmarks/prrelation_choice.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.choice.choice_table",
            {
                "beta": PRRELATION["f_score"]["beta"],
                "f_score": sorted(
                    {*PRRELATION["choice"]["f_score"], *log_grid(**PRRELATION["choice"]["bounds"])}
                ),
                "deltas": [PRRELATION["curves"]["delta"]],
                "knowledge": PRRELATION["knowledge"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule prrelation_choice_meaning:
    output:
        table=table("prrelation/choice_meaning"),
    log:
        "logs/prrelation_choice_meaning.log",
    benchmark:
        "benchmarks/prrelation_choice_meaning.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.choice.meaning_table",
            {
                **PRRELATION["meaning"],
                "epsilon_nats": log_grid(**PRRELATION["meaning"]["epsilon_nats"]),
                "delta": PRRELATION["curves"]["delta"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule prrelation_vector:
    output:
        table=table("prrelation/vector"),
    log:
        "logs/prrelation_vector.log",
    benchmark:
        "benchmarks/prrelation_vector.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call("noiseless.experiments.prrelation.vector.vector_table", PRRELATION["vector"]),
    script:
        "../scripts/make_table.py"


rule prrelation_notions:
    output:
        table=table("prrelation/notions"),
    log:
        "logs/prrelation_notions.log",
    benchmark:
        "benchmarks/prrelation_notions.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call("noiseless.experiments.prrelation.notions.notions_table", PRRELATION["notions"]),
    script:
        "../scripts/make_table.py"


rule prrelation_testing:
    output:
        optimality=table("prrelation/testing_optimality"),
        rule=table("prrelation/testing_rule"),
        realistic=table("prrelation/testing_realistic"),
        side_knowledge=table("prrelation/testing_side_knowledge"),
        correlation=table("prrelation/testing_correlation"),
    log:
        "logs/prrelation_testing.log",
    benchmark:
        "benchmarks/prrelation_testing.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.testing.testing_tables",
            {
                **PRRELATION["testing"],
                "epsilon_nats": PRRELATION["curves"]["epsilon_nats"],
                "false_alarm": PRRELATION["monte_carlo"]["false_alarm"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule prrelation_appendix:
    output:
        derivatives=table("prrelation/appendix_derivatives"),
        ratio=table("prrelation/appendix_ratio"),
    log:
        "logs/prrelation_appendix.log",
    benchmark:
        "benchmarks/prrelation_appendix.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.appendix.appendix_tables",
            {
                **PRRELATION["appendix"],
                "beta": PRRELATION["f_score"]["beta"],
                "deltas": PRRELATION["curves"]["deltas"],
                "rho_p": PRRELATION["knowledge"]["prior"]["rho_p"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule prrelation_monte_carlo:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        rates=table("prrelation/monte_carlo_rates"),
        f_scores=table("prrelation/monte_carlo_f_scores"),
    log:
        "logs/prrelation_monte_carlo.log",
    benchmark:
        "benchmarks/prrelation_monte_carlo.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.prrelation.monte_carlo.monte_carlo_tables",
            {
                **PRRELATION_CURVES,
                **PRRELATION["monte_carlo"],
                "beta": PRRELATION["f_score"]["beta"],
                "knowledge": PRRELATION["knowledge"],
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


FIGURES |= {
    "prrelation/fig3": {
        "function": "prrelation.curves.fig3",
        "tables": {
            "curves": "prrelation/curves",
            "f_scores": "prrelation/curves_f_scores",
            "rates": "prrelation/monte_carlo_rates",
            "counted": "prrelation/monte_carlo_f_scores",
        },
        "figure": "3",
        "shows": "precision, recall and F-score of a Laplace answer",
        "settings": {"answers": PRRELATION["monte_carlo"]["answers"]},
    },
    "prrelation/fig4": {
        "function": "prrelation.curves.fig4",
        "tables": {"curves": "prrelation/curves", "rates": "prrelation/monte_carlo_rates"},
        "figure": "4",
        "shows": "precision and recall of a Gaussian answer",
        "settings": {"answers": PRRELATION["monte_carlo"]["answers"]},
    },
    "prrelation/fig5_6_7": {
        "function": "prrelation.curves.fig5_6_7",
        "tables": {"curves": "prrelation/curves", "rates": "prrelation/monte_carlo_rates"},
        "figure": "5b, 6b, 7b",
        "shows": "what side knowledge adds",
        "settings": {"answers": PRRELATION["monte_carlo"]["answers"]},
    },
    "prrelation/fig8": {
        "function": "prrelation.curves.fig8",
        "tables": {
            "f_scores": "prrelation/curves_f_scores",
            "counted": "prrelation/monte_carlo_f_scores",
        },
        "figure": "8",
        "shows": "F-score against side knowledge",
        "settings": {"answers": PRRELATION["monte_carlo"]["answers"]},
    },
    "prrelation/curves_calibrations": {
        "function": "prrelation.curves.calibrations",
        "tables": {
            "calibrations": "prrelation/curves_calibrations",
            "f_scores": "prrelation/curves_f_scores",
        },
        "figure": "-",
        "shows": "classical, printed and analytic Gaussian",
    },
    "prrelation/choice": {
        "function": "prrelation.choice.choice",
        "tables": {"choice": "prrelation/choice"},
        "figure": "-",
        "shows": "the largest epsilon for a bound of F",
    },
    "prrelation/choice_meaning": {
        "function": "prrelation.choice.meaning",
        "tables": {"meaning": "prrelation/choice_meaning"},
        "figure": "-",
        "shows": "what an epsilon means, for several answers",
    },
}


rule judge_prrelation:
    input:
        **judged("prrelation"),
    output:
        ledger=ledger_of("prrelation"),
    log:
        "logs/judge_prrelation.log",
    benchmark:
        "benchmarks/judge_prrelation.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.judge"),
        tables=claimed_tables(CLAIMS, "prrelation"),
    script:
        "../scripts/judge_claims.py"
