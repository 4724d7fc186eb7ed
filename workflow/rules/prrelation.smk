# Precision and recall of a differential-privacy adversary, and how to choose epsilon (prrelation).
PRRELATION = config["prrelation"]
PRRELATION_CURVES = pick(
    PRRELATION["curves"], "epsilon_nats", "delta", "gaussian_epsilon_nats", "deltas"
)


use rule make_table as prrelation_table with:
    group:
        "prrelation"


rule prrelation:
    input:
        lambda wildcards: results_of("prrelation"),


use rule prrelation_table as prrelation_curves with:
    output:
        **tables(table="prrelation/curves"),
    pathvars:
        job="prrelation_curves",
    params:
        **call(
            "noiseless.experiments.prrelation.curves.curve_table",
            **PRRELATION["curves"],
            knowledge=PRRELATION["knowledge"],
        ),


use rule prrelation_table as prrelation_curves_f_scores with:
    output:
        **tables(table="prrelation/curves_f_scores"),
    pathvars:
        job="prrelation_curves_f_scores",
    params:
        **call(
            "noiseless.experiments.prrelation.curves.f_score_table",
            epsilon_nats=log_grid(**PRRELATION["f_score"]["epsilon_nats"]),
            beta=PRRELATION["f_score"]["beta"],
            delta=PRRELATION["curves"]["delta"],
            knowledge=PRRELATION["knowledge"],
        ),


use rule prrelation_table as prrelation_curves_thresholds with:
    output:
        **tables(table="prrelation/curves_thresholds"),
    pathvars:
        job="prrelation_curves_thresholds",
    params:
        **call(
            "noiseless.experiments.prrelation.curves.threshold_table",
            epsilon_nats=PRRELATION["curves"]["epsilon_nats"],
            false_alarm=PRRELATION["monte_carlo"]["false_alarm"],
        ),


use rule prrelation_table as prrelation_curves_calibrations with:
    output:
        **tables(table="prrelation/curves_calibrations"),
    pathvars:
        job="prrelation_curves_calibrations",
    params:
        **call(
            "noiseless.experiments.prrelation.curves.calibration_table",
            epsilon_nats=PRRELATION["calibration"]["epsilon_nats"],
            deltas=PRRELATION["curves"]["deltas"],
        ),


use rule prrelation_table as prrelation_choice_table1 with:
    output:
        **tables(table="prrelation/choice_table1"),
    pathvars:
        job="prrelation_choice_table1",
    params:
        **call(
            "noiseless.experiments.prrelation.choice.table1",
            beta=PRRELATION["f_score"]["beta"],
            f_score=PRRELATION["choice"]["f_score"],
        ),


use rule prrelation_table as prrelation_choice with:
    output:
        **tables(table="prrelation/choice"),
    pathvars:
        job="prrelation_choice",
    params:
        **call(
            "noiseless.experiments.prrelation.choice.choice_table",
            beta=PRRELATION["f_score"]["beta"],
            f_score=sorted(
                {*PRRELATION["choice"]["f_score"], *log_grid(**PRRELATION["choice"]["bounds"])}
            ),
            deltas=[PRRELATION["curves"]["delta"]],
            knowledge=PRRELATION["knowledge"],
        ),


use rule prrelation_table as prrelation_choice_meaning with:
    output:
        **tables(table="prrelation/choice_meaning"),
    pathvars:
        job="prrelation_choice_meaning",
    params:
        **call(
            "noiseless.experiments.prrelation.choice.meaning_table",
            **without(PRRELATION["meaning"], "epsilon_nats"),
            epsilon_nats=log_grid(**PRRELATION["meaning"]["epsilon_nats"]),
            delta=PRRELATION["curves"]["delta"],
        ),


use rule prrelation_table as prrelation_vector with:
    output:
        **tables(table="prrelation/vector"),
    pathvars:
        job="prrelation_vector",
    params:
        **call("noiseless.experiments.prrelation.vector.vector_table", **PRRELATION["vector"]),


use rule prrelation_table as prrelation_notions with:
    output:
        **tables(table="prrelation/notions"),
    pathvars:
        job="prrelation_notions",
    params:
        **call("noiseless.experiments.prrelation.notions.notions_table", **PRRELATION["notions"]),


use rule prrelation_table as prrelation_testing with:
    output:
        **tables(
            optimality="prrelation/testing_optimality",
            rule="prrelation/testing_rule",
            realistic="prrelation/testing_realistic",
            side_knowledge="prrelation/testing_side_knowledge",
            correlation="prrelation/testing_correlation",
        ),
    pathvars:
        job="prrelation_testing",
    params:
        **call(
            "noiseless.experiments.prrelation.testing.testing_tables",
            **PRRELATION["testing"],
            epsilon_nats=PRRELATION["curves"]["epsilon_nats"],
            false_alarm=PRRELATION["monte_carlo"]["false_alarm"],
        ),


use rule prrelation_table as prrelation_appendix with:
    output:
        **tables(
            derivatives="prrelation/appendix_derivatives",
            ratio="prrelation/appendix_ratio",
        ),
    pathvars:
        job="prrelation_appendix",
    params:
        **call(
            "noiseless.experiments.prrelation.appendix.appendix_tables",
            **PRRELATION["appendix"],
            beta=PRRELATION["f_score"]["beta"],
            deltas=PRRELATION["curves"]["deltas"],
            rho_p=PRRELATION["knowledge"]["prior"]["rho_p"],
        ),


use rule prrelation_table as prrelation_monte_carlo with:
    input:
        survey=prepared("young_people"),
    output:
        **tables(
            rates="prrelation/monte_carlo_rates",
            f_scores="prrelation/monte_carlo_f_scores",
        ),
    pathvars:
        job="prrelation_monte_carlo",
    params:
        **call(
            "noiseless.experiments.prrelation.monte_carlo.monte_carlo_tables",
            **PRRELATION_CURVES,
            **PRRELATION["monte_carlo"],
            beta=PRRELATION["f_score"]["beta"],
            knowledge=PRRELATION["knowledge"],
            seed=config["seed"],
        ),


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
