# The blurring policy of nsht: what it guarantees, and what it does to the people of the survey.
BLURRING = config["nsht"]["blurring"]
BLURRING_PUBLIC = {
    key: BLURRING[key] for key in ("weight_range_kg", "height_range_cm", "bmi_kg_m2")
}


rule compute_blurring_budget:
    output:
        table=table("nsht/blurring_budget"),
    log:
        "logs/compute_blurring_budget.log",
    benchmark:
        "benchmarks/compute_blurring_budget.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.blurring.budget_table",
        code=source_digest("noiseless.experiments.blurring"),
        settings={**BLURRING_PUBLIC, "rho_per_kg": log_grid(**BLURRING["rho_per_kg"])},
    script:
        "../scripts/make_table.py"


rule enclose_blurring_budget:
    output:
        table=table("nsht/blurring_enclosure"),
    log:
        "logs/enclose_blurring_budget.log",
    benchmark:
        "benchmarks/enclose_blurring_budget.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.blurring.enclosure_table",
        code=source_digest("noiseless.experiments.blurring"),
        settings={**BLURRING_PUBLIC, **BLURRING["enclosure"]},
    script:
        "../scripts/make_table.py"


rule run_blurring_on_lattice:
    output:
        table=table("nsht/blurring_lattice"),
    log:
        "logs/run_blurring_on_lattice.log",
    benchmark:
        "benchmarks/run_blurring_on_lattice.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.blurring.lattice_table",
        code=source_digest("noiseless.experiments.blurring"),
        settings={**BLURRING_PUBLIC, **BLURRING["lattice"]},
    script:
        "../scripts/make_table.py"


rule describe_survey:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        table=table("nsht/survey"),
    log:
        "logs/describe_survey.log",
    benchmark:
        "benchmarks/describe_survey.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.blurring.survey_table",
        code=source_digest("noiseless.experiments.blurring"),
        settings={"bmi_kg_m2": BLURRING["bmi_kg_m2"]},
    script:
        "../scripts/make_table.py"


rule blur_survey:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        people=table("nsht/blurring_people"),
        histogram=table("nsht/blurring_histogram"),
    log:
        "logs/blur_survey.log",
    benchmark:
        "benchmarks/blur_survey.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.blurring.survey_tables",
        code=source_digest("noiseless.experiments.blurring"),
        settings={
            **BLURRING_PUBLIC,
            "rho_per_kg": log_grid(**BLURRING["rho_per_kg"]),
            "histogram_rho_per_kg": BLURRING["histogram_rho_per_kg"],
            "histogram_bin": BLURRING["histogram_bin"],
        },
    script:
        "../scripts/make_table.py"
