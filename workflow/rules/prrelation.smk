# Precision and recall of a differential-privacy adversary, and how to choose epsilon (prrelation).
PRRELATION = config["prrelation"]
CURVES = PRRELATION["curves"]
BETA = PRRELATION["f_score"]["beta"]


rule prrelation:
    input:
        lambda wildcards: results_of("prrelation"),


rule prrelation_theory:
    output:
        **tables(
            vector="prrelation/vector",
            notions="prrelation/notions",
            optimality="prrelation/testing_optimality",
            rule="prrelation/testing_rule",
            realistic="prrelation/testing_realistic",
            side_knowledge="prrelation/testing_side_knowledge",
            correlation="prrelation/testing_correlation",
            derivatives="prrelation/appendix_derivatives",
            ratio="prrelation/appendix_ratio",
            curves="prrelation/curves",
            f_scores="prrelation/curves_f_scores",
            thresholds="prrelation/curves_thresholds",
            calibrations="prrelation/curves_calibrations",
            table1="prrelation/choice_table1",
            choice="prrelation/choice",
            meaning="prrelation/choice_meaning",
            worth="prrelation/knowledge_worth",
            equal_recall="prrelation/knowledge_equal_recall",
            pairs="prrelation/sentences_pairs",
            values="prrelation/sentences_values",
            conditioning="prrelation/sentences_conditioning",
        ),
    log:
        "logs/{variant}prrelation_theory.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "vector": call(
                "noiseless.papers.prrelation.vector.vector_table", **PRRELATION["vector"]
            ),
            "notions": call(
                "noiseless.papers.prrelation.notions.notions_table", **PRRELATION["notions"]
            ),
            "testing": call(
                "noiseless.papers.prrelation.testing.testing_tables",
                **PRRELATION["testing"],
                epsilon_nats=CURVES["epsilon_nats"],
                false_alarm=PRRELATION["monte_carlo"]["false_alarm"],
            ),
            "appendix": call(
                "noiseless.papers.prrelation.appendix.appendix_tables",
                **PRRELATION["appendix"],
                beta=BETA,
                deltas=CURVES["deltas"],
                rho_p=PRRELATION["knowledge"]["prior"]["rho_p"],
            ),
            "curves": call(
                "noiseless.papers.prrelation.curves.curve_table",
                **CURVES,
                knowledge=PRRELATION["knowledge"],
            ),
            "f_scores": call(
                "noiseless.papers.prrelation.curves.f_score_table",
                epsilon_nats=log_grid(**PRRELATION["f_score"]["epsilon_nats"]),
                beta=BETA,
                delta=CURVES["delta"],
                knowledge=PRRELATION["knowledge"],
            ),
            "thresholds": call(
                "noiseless.papers.prrelation.curves.threshold_table",
                epsilon_nats=CURVES["epsilon_nats"],
                false_alarm=PRRELATION["monte_carlo"]["false_alarm"],
            ),
            "calibrations": call(
                "noiseless.papers.prrelation.curves.calibration_table",
                epsilon_nats=PRRELATION["calibration"]["epsilon_nats"],
                deltas=CURVES["deltas"],
            ),
            "table1": call(
                "noiseless.papers.prrelation.choice.table1",
                beta=BETA,
                f_score=PRRELATION["choice"]["f_score"],
            ),
            "choice": call(
                "noiseless.papers.prrelation.choice.choice_table",
                beta=BETA,
                f_score=sorted(
                    {*PRRELATION["choice"]["f_score"], *log_grid(**PRRELATION["choice"]["bounds"])}
                ),
                deltas=[CURVES["delta"]],
                knowledge=PRRELATION["knowledge"],
            ),
            "knowledge": call(
                "noiseless.papers.prrelation.knowledge.knowledge_tables",
                **PRRELATION["worth"],
                epsilon_nats=log_grid(**PRRELATION["f_score"]["epsilon_nats"]),
                beta=BETA,
                knowledge=PRRELATION["knowledge"],
            ),
            "sentences": call(
                "noiseless.papers.prrelation.sentences.sentences_tables",
                epsilon_nats=CURVES["epsilon_nats"],
            ),
            "meaning": call(
                "noiseless.papers.prrelation.choice.meaning_table",
                **without(PRRELATION["meaning"], "epsilon_nats"),
                epsilon_nats=log_grid(**PRRELATION["meaning"]["epsilon_nats"]),
                delta=CURVES["delta"],
            ),
        },
    script:
        "../scripts/make_tables.py"


rule prrelation_monte_carlo:
    input:
        survey=prepared("young_people"),
    output:
        **tables(
            rates="prrelation/monte_carlo_rates",
            f_scores="prrelation/monte_carlo_f_scores",
        ),
    log:
        "logs/{variant}prrelation_monte_carlo.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "monte_carlo": call(
                "noiseless.papers.prrelation.monte_carlo.monte_carlo_tables",
                "survey",
                **pick(CURVES, "epsilon_nats", "delta", "gaussian_epsilon_nats", "deltas"),
                **PRRELATION["monte_carlo"],
                beta=BETA,
                knowledge=PRRELATION["knowledge"],
                seed=config["seed"],
            ),
        },
    script:
        "../scripts/make_tables.py"
