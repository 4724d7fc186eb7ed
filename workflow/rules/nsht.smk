# Non-Stochastic Hypothesis Testing for Privacy: the blurring policy and what it does to the people of
# the survey, leakage, tests of hypotheses, indistinguishability.
SEVERAL_ANALYSTS = config["nsht"]["several_analysts"]
BLURRING_PUBLIC = pick(BLURRING, "weight_range_kg", "height_range_cm", "bmi_kg_m2")


rule nsht:
    input:
        lambda wildcards: results_of("nsht"),


rule nsht_survey:
    input:
        survey=prepared("young_people"),
    output:
        **tables(
            survey="nsht/blurring_survey",
            people="nsht/blurring_people",
            histogram="nsht/blurring_histogram",
            composition="nsht/blurring_composition",
            several_analysts="nsht/several_analysts",
        ),
    log:
        "logs/{variant}nsht_survey.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "survey": call(
                "noiseless.papers.nsht.blurring.survey_table",
                "survey",
                bmi_kg_m2=BLURRING["bmi_kg_m2"],
            ),
            "people and histogram": call(
                "noiseless.papers.nsht.blurring.survey_tables",
                "survey",
                **BLURRING_PUBLIC,
                kg_per_cm=BLURRING["kg_per_cm"],
                rho_per_kg=log_grid(**BLURRING["rho_per_kg"]),
                histogram_rho_per_kg=BLURRING["histogram_rho_per_kg"],
                histogram_bin=BLURRING["histogram_bin"],
            ),
            "composition": call(
                "noiseless.papers.nsht.blurring_limits.composition_table",
                "survey",
                **BLURRING_PUBLIC,
                **BLURRING["composition"],
            ),
            "several_analysts": call(
                "noiseless.papers.nsht.several_analysts.survey_table",
                "survey",
                **BLURRING_PUBLIC,
                rho_per_kg=SEVERAL_ANALYSTS["rho_per_kg"],
            ),
        },
    script:
        "../scripts/make_tables.py"


rule nsht_theory:
    output:
        **tables(
            bound="nsht/leakage_bound",
            enumeration="nsht/leakage_enumeration",
            examples="nsht/hypotheses_examples",
            tests="nsht/hypotheses_tests",
            le_cam="nsht/hypotheses_le_cam",
            order="nsht/hypotheses_order",
            linear_queries="nsht/indistinguishability_linear_queries",
            indistinguishability="nsht/indistinguishability",
            continuous="nsht/continuous_queries",
            budget="nsht/blurring_budget",
            enclosure="nsht/blurring_enclosure",
            lattice="nsht/blurring_lattice",
            thresholds="nsht/blurring_thresholds",
            search="nsht/blurring_search",
            unbounded="nsht/blurring_unbounded",
            shapes="nsht/threshold_shapes",
            distance="nsht/threshold_shapes_distance",
            ends="nsht/several_analysts_ends",
            analysts="nsht/several_analysts_search",
        ),
    log:
        "logs/{variant}nsht_theory.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "bound": call(
                "noiseless.papers.nsht.leakage.bound_table",
                epsilon=log_grid(**config["nsht"]["leakage"]["epsilon"]),
            ),
            "enumeration": call(
                "noiseless.papers.nsht.leakage.enumeration_table",
                seed=config["seed"],
                **without(config["nsht"]["leakage"], "epsilon"),
            ),
            "hypotheses": call(
                "noiseless.papers.nsht.hypotheses.hypothesis_tables",
                **config["nsht"]["hypotheses"],
                seed=config["seed"],
            ),
            "indistinguishability": call(
                "noiseless.papers.nsht.indistinguishability.indistinguishability_tables",
                **config["nsht"]["indistinguishability"],
                seed=config["seed"],
            ),
            "continuous": call(
                "noiseless.papers.nsht.continuous_queries.indistinguishability_table",
                **config["nsht"]["continuous_queries"],
            ),
            "ends": call(
                "noiseless.papers.nsht.several_analysts.ends_table", **SEVERAL_ANALYSTS["ends"]
            ),
            "analysts": call(
                "noiseless.papers.nsht.several_analysts.search_table",
                lattices=SEVERAL_ANALYSTS["lattices"],
            ),
            "budget": call(
                "noiseless.papers.nsht.blurring.guarantees_table",
                **BLURRING_PUBLIC,
                kg_per_cm=BLURRING["kg_per_cm"],
                rho_per_kg=log_grid(**BLURRING["rho_per_kg"]),
            ),
            "enclosure": call(
                "noiseless.papers.nsht.blurring.enclosure_table",
                **BLURRING_PUBLIC,
                **BLURRING["enclosure"],
            ),
            "lattice": call(
                "noiseless.papers.nsht.blurring.lattice_table",
                **BLURRING_PUBLIC,
                **BLURRING["lattice"],
            ),
            "thresholds": call(
                "noiseless.papers.nsht.blurring.thresholds_table",
                **BLURRING["thresholds"],
                seed=config["seed"],
            ),
            "search": call(
                "noiseless.papers.nsht.blurring_limits.search_table", **BLURRING["search"]
            ),
            "unbounded": call("noiseless.papers.nsht.blurring_limits.unbounded_table"),
            "shapes": call(
                "noiseless.papers.nsht.threshold_shapes.shapes_table",
                **without(config["nsht"]["threshold_shapes"], "distance_cells"),
            ),
            "distance": call(
                "noiseless.papers.nsht.threshold_shapes.distance_table",
                rho=config["nsht"]["threshold_shapes"]["rho"],
                cells=config["nsht"]["threshold_shapes"]["distance_cells"],
            ),
        },
    script:
        "../scripts/make_tables.py"
