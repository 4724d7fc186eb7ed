# The theory of the three papers on deterministic privacy, checked by enumeration; no data but the
# survey, for k-anonymity. One rule for all tables of a module: most take less than it takes to start.
THEORY = config["theory"]
DETERMINISTIC = config["deterministic"]


rule enumerate_guarantees:
    output:
        guarantees=table("noiseless/guarantees"),
        estimation=table("noiseless/estimation"),
        quantizer_levels=table("noiseless/quantizer_levels"),
    log:
        "logs/enumerate_guarantees.log",
    benchmark:
        "benchmarks/enumerate_guarantees.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_guarantees.tables",
        code=source_digest("noiseless.experiments.theory_guarantees"),
        settings={
            "seed": config["seed"],
            **{key: THEORY[key] for key in ("guarantees", "estimation", "quantizer_levels")},
        },
    script:
        "../scripts/make_table.py"


rule enumerate_tests:
    output:
        examples=table("nsht/examples"),
        tests=table("nsht/tests"),
        le_cam=table("nsht/le_cam"),
        linear_queries=table("nsht/linear_queries"),
        indistinguishability=table("nsht/indistinguishability"),
    log:
        "logs/enumerate_tests.log",
    benchmark:
        "benchmarks/enumerate_tests.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_tests.tables",
        code=source_digest("noiseless.experiments.theory_tests"),
        settings={
            "seed": config["seed"],
            **{
                key: THEORY[key]
                for key in ("tests", "densities", "linear_queries", "indistinguishability")
            },
        },
    script:
        "../scripts/make_table.py"


rule enumerate_deterministic_theorems:
    output:
        table=table("deterministic/theorems"),
    log:
        "logs/enumerate_deterministic_theorems.log",
    benchmark:
        "benchmarks/enumerate_deterministic_theorems.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_deterministic.theorems_table",
        code=source_digest("noiseless.experiments.theory_deterministic"),
        settings={**THEORY["deterministic_theorems"], "seed": config["seed"]},
    script:
        "../scripts/make_table.py"


rule compute_deterministic_policies:
    output:
        examples=table("deterministic/examples"),
        averaging=table("deterministic/averaging"),
        regions=table("deterministic/regions"),
        raster=table("deterministic/raster"),
        heights=table("deterministic/heights"),
        two_outputs=table("deterministic/two_outputs"),
    log:
        "logs/compute_deterministic_policies.log",
    benchmark:
        "benchmarks/compute_deterministic_policies.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_deterministic.policy_tables",
        code=source_digest("noiseless.experiments.theory_deterministic"),
        settings={key: value for key, value in DETERMINISTIC.items() if key != "k_anonymity"},
    script:
        "../scripts/make_table.py"


rule anonymise_survey:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        release=table("deterministic/k_anonymity"),
        attack=table("deterministic/homogeneity"),
    log:
        "logs/anonymise_survey.log",
    benchmark:
        "benchmarks/anonymise_survey.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.k_anonymity.tables",
        code=source_digest("noiseless.experiments.k_anonymity"),
        settings=DETERMINISTIC["k_anonymity"],
    script:
        "../scripts/make_table.py"


THEORY_TABLES = [
    rules.enumerate_guarantees.output,
    rules.enumerate_tests.output,
    rules.enumerate_deterministic_theorems.output,
    rules.compute_deterministic_policies.output,
]
