# The theory of the three papers on deterministic privacy, checked by enumeration; no data but the
# survey, for k-anonymity.
THEORY = config["theory"]
DETERMINISTIC = config["deterministic"]


rule enumerate_guarantees:
    output:
        table=table("noiseless/guarantees"),
    log:
        "logs/enumerate_guarantees.log",
    benchmark:
        "benchmarks/enumerate_guarantees.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_guarantees.guarantees_table",
        code=source_digest("noiseless.experiments.theory_guarantees"),
        settings={**THEORY["guarantees"], "seed": config["seed"]},
    script:
        "../scripts/make_table.py"


rule enumerate_estimation_errors:
    output:
        table=table("noiseless/estimation"),
    log:
        "logs/enumerate_estimation_errors.log",
    benchmark:
        "benchmarks/enumerate_estimation_errors.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_guarantees.estimation_table",
        code=source_digest("noiseless.experiments.theory_guarantees"),
        settings=THEORY["estimation"],
    script:
        "../scripts/make_table.py"


rule count_quantizer_levels:
    output:
        table=table("noiseless/quantizer_levels"),
    log:
        "logs/count_quantizer_levels.log",
    benchmark:
        "benchmarks/count_quantizer_levels.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_guarantees.levels_table",
        code=source_digest("noiseless.experiments.theory_guarantees"),
        settings=THEORY["quantizer_levels"],
    script:
        "../scripts/make_table.py"


rule compute_hypothesis_examples:
    output:
        table=table("nsht/examples"),
    log:
        "logs/compute_hypothesis_examples.log",
    benchmark:
        "benchmarks/compute_hypothesis_examples.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_tests.examples_table",
        code=source_digest("noiseless.experiments.theory_tests"),
        settings={},
    script:
        "../scripts/make_table.py"


rule enumerate_tests:
    output:
        table=table("nsht/tests"),
    log:
        "logs/enumerate_tests.log",
    benchmark:
        "benchmarks/enumerate_tests.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_tests.tests_table",
        code=source_digest("noiseless.experiments.theory_tests"),
        settings=THEORY["tests"],
    script:
        "../scripts/make_table.py"


rule enumerate_densities:
    output:
        table=table("nsht/le_cam"),
    log:
        "logs/enumerate_densities.log",
    benchmark:
        "benchmarks/enumerate_densities.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_tests.le_cam_table",
        code=source_digest("noiseless.experiments.theory_tests"),
        settings=THEORY["densities"],
    script:
        "../scripts/make_table.py"


rule enumerate_linear_queries:
    output:
        table=table("nsht/linear_queries"),
    log:
        "logs/enumerate_linear_queries.log",
    benchmark:
        "benchmarks/enumerate_linear_queries.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_tests.linear_queries_table",
        code=source_digest("noiseless.experiments.theory_tests"),
        settings=THEORY["linear_queries"],
    script:
        "../scripts/make_table.py"


rule compute_indistinguishability:
    output:
        table=table("nsht/indistinguishability"),
    log:
        "logs/compute_indistinguishability.log",
    benchmark:
        "benchmarks/compute_indistinguishability.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_tests.indistinguishability_table",
        code=source_digest("noiseless.experiments.theory_tests"),
        settings=THEORY["indistinguishability"],
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


rule compute_deterministic_examples:
    output:
        table=table("deterministic/examples"),
    log:
        "logs/compute_deterministic_examples.log",
    benchmark:
        "benchmarks/compute_deterministic_examples.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_deterministic.examples_table",
        code=source_digest("noiseless.experiments.theory_deterministic"),
        settings={},
    script:
        "../scripts/make_table.py"


rule compute_averaging_policy:
    output:
        table=table("deterministic/averaging"),
    log:
        "logs/compute_averaging_policy.log",
    benchmark:
        "benchmarks/compute_averaging_policy.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_deterministic.averaging_table",
        code=source_digest("noiseless.experiments.theory_deterministic"),
        settings={"accuracy": DETERMINISTIC["averaging"]["accuracy"]},
    script:
        "../scripts/make_table.py"


rule measure_regions:
    output:
        table=table("deterministic/regions"),
    log:
        "logs/measure_regions.log",
    benchmark:
        "benchmarks/measure_regions.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_deterministic.regions_table",
        code=source_digest("noiseless.experiments.theory_deterministic"),
        settings=DETERMINISTIC["regions"],
    script:
        "../scripts/make_table.py"


rule rasterise_regions:
    output:
        table=table("deterministic/raster"),
    log:
        "logs/rasterise_regions.log",
    benchmark:
        "benchmarks/rasterise_regions.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_deterministic.raster_table",
        code=source_digest("noiseless.experiments.theory_deterministic"),
        settings={
            "accuracy": DETERMINISTIC["regions"]["accuracy"],
            "lattice": DETERMINISTIC["raster_lattice"],
        },
    script:
        "../scripts/make_table.py"


rule compute_height_errors:
    output:
        table=table("deterministic/heights"),
    log:
        "logs/compute_height_errors.log",
    benchmark:
        "benchmarks/compute_height_errors.tsv"
    group:
        "theory"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.theory_deterministic.heights_table",
        code=source_digest("noiseless.experiments.theory_deterministic"),
        settings=DETERMINISTIC["heights"],
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
    rules.enumerate_guarantees.output.table,
    rules.enumerate_estimation_errors.output.table,
    rules.count_quantizer_levels.output.table,
    rules.compute_hypothesis_examples.output.table,
    rules.enumerate_tests.output.table,
    rules.enumerate_densities.output.table,
    rules.enumerate_linear_queries.output.table,
    rules.compute_indistinguishability.output.table,
    rules.enumerate_deterministic_theorems.output.table,
    rules.compute_deterministic_examples.output.table,
    rules.compute_averaging_policy.output.table,
    rules.measure_regions.output.table,
    rules.compute_height_errors.output.table,
]
