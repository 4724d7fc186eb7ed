# Non-Stochastic Hypothesis Testing for Privacy: the blurring policy and what it does to the people of
# the survey, leakage, tests of hypotheses, indistinguishability.
BLURRING_PUBLIC = pick(BLURRING, "weight_range_kg", "height_range_cm", "bmi_kg_m2")


use rule make_table as nsht_table with:
    group:
        "nsht"


rule nsht:
    input:
        lambda wildcards: results_of("nsht"),


use rule nsht_table as nsht_blurring_budget with:
    output:
        **tables(table="nsht/blurring_budget"),
    pathvars:
        job="nsht_blurring_budget",
    params:
        **call(
            "noiseless.experiments.nsht.blurring.budget_table",
            **BLURRING_PUBLIC,
            kg_per_cm=BLURRING["kg_per_cm"],
            rho_per_kg=log_grid(**BLURRING["rho_per_kg"]),
        ),


use rule nsht_table as nsht_blurring_enclosure with:
    output:
        **tables(table="nsht/blurring_enclosure"),
    pathvars:
        job="nsht_blurring_enclosure",
    params:
        **call(
            "noiseless.experiments.nsht.blurring.enclosure_table",
            **BLURRING_PUBLIC,
            **BLURRING["enclosure"],
        ),


use rule nsht_table as nsht_blurring_lattice with:
    output:
        **tables(table="nsht/blurring_lattice"),
    pathvars:
        job="nsht_blurring_lattice",
    params:
        **call(
            "noiseless.experiments.nsht.blurring.lattice_table",
            **BLURRING_PUBLIC,
            **BLURRING["lattice"],
        ),


use rule nsht_table as nsht_blurring_survey with:
    input:
        survey=prepared("young_people"),
    output:
        **tables(table="nsht/blurring_survey"),
    pathvars:
        job="nsht_blurring_survey",
    params:
        **call("noiseless.experiments.nsht.blurring.survey_table", bmi_kg_m2=BLURRING["bmi_kg_m2"]),


use rule nsht_table as nsht_blurring_people with:
    input:
        survey=prepared("young_people"),
    output:
        **tables(
            people="nsht/blurring_people",
            histogram="nsht/blurring_histogram",
        ),
    pathvars:
        job="nsht_blurring_people",
    params:
        **call(
            "noiseless.experiments.nsht.blurring.survey_tables",
            **BLURRING_PUBLIC,
            kg_per_cm=BLURRING["kg_per_cm"],
            rho_per_kg=log_grid(**BLURRING["rho_per_kg"]),
            histogram_rho_per_kg=BLURRING["histogram_rho_per_kg"],
            histogram_bin=BLURRING["histogram_bin"],
        ),


use rule nsht_table as nsht_blurring_thresholds with:
    output:
        **tables(table="nsht/blurring_thresholds"),
    pathvars:
        job="nsht_blurring_thresholds",
    params:
        **call(
            "noiseless.experiments.nsht.blurring.thresholds_table",
            **BLURRING["thresholds"],
            seed=config["seed"],
        ),


use rule nsht_table as nsht_blurring_search with:
    output:
        **tables(table="nsht/blurring_search"),
    pathvars:
        job="nsht_blurring_search",
    params:
        **call("noiseless.experiments.nsht.blurring_limits.search_table", **BLURRING["search"]),


use rule nsht_table as nsht_blurring_composition with:
    input:
        survey=prepared("young_people"),
    output:
        **tables(table="nsht/blurring_composition"),
    pathvars:
        job="nsht_blurring_composition",
    params:
        **call(
            "noiseless.experiments.nsht.blurring_limits.composition_table",
            **BLURRING_PUBLIC,
            **BLURRING["composition"],
        ),


use rule nsht_table as nsht_leakage_bound with:
    output:
        **tables(table="nsht/leakage_bound"),
    pathvars:
        job="nsht_leakage_bound",
    params:
        **call(
            "noiseless.experiments.nsht.leakage.bound_table",
            epsilon=log_grid(**config["nsht"]["leakage"]["epsilon"]),
        ),


use rule nsht_table as nsht_leakage_enumeration with:
    output:
        **tables(table="nsht/leakage_enumeration"),
    pathvars:
        job="nsht_leakage_enumeration",
    params:
        **call(
            "noiseless.experiments.nsht.leakage.enumeration_table",
            seed=config["seed"],
            **without(config["nsht"]["leakage"], "epsilon"),
        ),


use rule nsht_table as nsht_hypotheses with:
    output:
        **tables(
            examples="nsht/hypotheses_examples",
            tests="nsht/hypotheses_tests",
            le_cam="nsht/hypotheses_le_cam",
            order="nsht/hypotheses_order",
        ),
    pathvars:
        job="nsht_hypotheses",
    params:
        **call(
            "noiseless.experiments.nsht.hypotheses.tables",
            **config["nsht"]["hypotheses"],
            seed=config["seed"],
        ),


use rule nsht_table as nsht_indistinguishability with:
    output:
        **tables(
            linear_queries="nsht/indistinguishability_linear_queries",
            indistinguishability="nsht/indistinguishability",
        ),
    pathvars:
        job="nsht_indistinguishability",
    params:
        **call(
            "noiseless.experiments.nsht.indistinguishability.tables",
            **config["nsht"]["indistinguishability"],
            seed=config["seed"],
        ),


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
