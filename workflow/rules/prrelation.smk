# Precision and recall of a differential-privacy adversary, and how to choose epsilon (prrelation).
PRRELATION = config["prrelation"]
PRRELATION_CURVES = {
    key: PRRELATION["curves"][key] for key in ("epsilon", "delta", "gaussian_epsilon", "deltas")
}


rule trace_precision_recall:
    output:
        table=table("prrelation/curves"),
    log:
        "logs/trace_precision_recall.log",
    benchmark:
        "benchmarks/trace_precision_recall.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.prrelation_curves.curve_table",
        code=source_digest("noiseless.experiments.prrelation_curves"),
        settings={
            **PRRELATION["curves"],
            "knowledge": PRRELATION["knowledge"],
        },
    script:
        "../scripts/make_table.py"


rule maximise_f_score:
    output:
        table=table("prrelation/f_scores"),
    log:
        "logs/maximise_f_score.log",
    benchmark:
        "benchmarks/maximise_f_score.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.prrelation_curves.f_score_table",
        code=source_digest("noiseless.experiments.prrelation_curves"),
        settings={
            "epsilon": log_grid(**PRRELATION["f_score"]["epsilon"]),
            "beta": PRRELATION["f_score"]["beta"],
            "delta": PRRELATION["curves"]["delta"],
            "knowledge": PRRELATION["knowledge"],
        },
    script:
        "../scripts/make_table.py"


rule check_thresholds:
    output:
        table=table("prrelation/thresholds"),
    log:
        "logs/check_thresholds.log",
    benchmark:
        "benchmarks/check_thresholds.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.prrelation_curves.threshold_table",
        code=source_digest("noiseless.experiments.prrelation_curves"),
        settings={
            "epsilon": PRRELATION["curves"]["epsilon"],
            "false_alarm": PRRELATION["monte_carlo"]["false_alarm"],
        },
    script:
        "../scripts/make_table.py"


rule compare_calibrations:
    output:
        table=table("prrelation/calibrations"),
    log:
        "logs/compare_calibrations.log",
    benchmark:
        "benchmarks/compare_calibrations.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.prrelation_curves.calibration_table",
        code=source_digest("noiseless.experiments.prrelation_curves"),
        settings={
            "epsilon": PRRELATION["calibration"]["epsilon"],
            "deltas": PRRELATION["curves"]["deltas"],
        },
    script:
        "../scripts/make_table.py"


rule tabulate_largest_epsilon:
    output:
        table=table("prrelation/table1"),
    log:
        "logs/tabulate_largest_epsilon.log",
    benchmark:
        "benchmarks/tabulate_largest_epsilon.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.prrelation_choice.table1",
        code=source_digest("noiseless.experiments.prrelation_choice"),
        settings={
            "beta": PRRELATION["f_score"]["beta"],
            "f_score": PRRELATION["choice"]["f_score"],
        },
    script:
        "../scripts/make_table.py"


rule choose_epsilon:
    output:
        table=table("prrelation/choice"),
    log:
        "logs/choose_epsilon.log",
    benchmark:
        "benchmarks/choose_epsilon.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.prrelation_choice.choice_table",
        code=source_digest("noiseless.experiments.prrelation_choice"),
        settings={
            "beta": PRRELATION["f_score"]["beta"],
            "f_score": sorted(
                {*PRRELATION["choice"]["f_score"], *log_grid(**PRRELATION["choice"]["bounds"])}
            ),
            "deltas": [PRRELATION["curves"]["delta"]],
            "knowledge": PRRELATION["knowledge"],
        },
    script:
        "../scripts/make_table.py"


rule attack_vectors:
    output:
        table=table("prrelation/vector"),
    log:
        "logs/attack_vectors.log",
    benchmark:
        "benchmarks/attack_vectors.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.prrelation_vector.vector_table",
        code=source_digest("noiseless.experiments.prrelation_vector"),
        settings=PRRELATION["vector"],
    script:
        "../scripts/make_table.py"


rule order_privacy_notions:
    output:
        table=table("prrelation/notions"),
    log:
        "logs/order_privacy_notions.log",
    benchmark:
        "benchmarks/order_privacy_notions.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.prrelation_notions.notions_table",
        code=source_digest("noiseless.experiments.prrelation_notions"),
        settings=PRRELATION["notions"],
    script:
        "../scripts/make_table.py"


rule attack_noisy_answers:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        rates=table("prrelation/monte_carlo_rates"),
        f_scores=table("prrelation/monte_carlo_f_scores"),
    log:
        "logs/attack_noisy_answers.log",
    benchmark:
        "benchmarks/attack_noisy_answers.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.prrelation_monte_carlo.monte_carlo_tables",
        code=source_digest("noiseless.experiments.prrelation_monte_carlo"),
        settings={
            **PRRELATION_CURVES,
            **PRRELATION["monte_carlo"],
            "beta": PRRELATION["f_score"]["beta"],
            "knowledge": PRRELATION["knowledge"],
            "seed": config["seed"],
        },
    script:
        "../scripts/make_table.py"
