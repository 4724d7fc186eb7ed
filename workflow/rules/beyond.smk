# Every mechanism at the same error, against the adversaries of the public experiments.
COMPARISON = config["beyond"]["comparison"]
COMPARISON_BASE = {key: COMPARISON[key] for key in ("delta", "tolerance")}


for dataset in ("ausgrid", "london"):

    rule:
        name:
            f"compare_mechanisms_homes_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            comparison=table(f"beyond/comparison_homes_{dataset}"),
            calibration=table(f"beyond/calibration_homes_{dataset}"),
        log:
            f"logs/compare_mechanisms_homes_{dataset}.log",
        benchmark:
            f"benchmarks/compare_mechanisms_homes_{dataset}.tsv"
        group:
            "beyond"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            function="noiseless.experiments.comparison_homes.comparison_tables",
            code=source_digest("noiseless.experiments.comparison_homes"),
            settings={
                **COMPARISON_BASE,
                **COMPARISON["homes"],
                "public_range": MEMBERSHIP["public_range"],
                "dataset": dataset,
                "seed": config["seed"],
            },
        script:
            "../scripts/make_table.py"


rule compare_mechanisms_meter:
    input:
        redd=rules.prepare_redd.output.table,
    output:
        comparison=table("beyond/comparison_meter"),
        calibration=table("beyond/calibration_meter"),
    log:
        "logs/compare_mechanisms_meter.log",
    benchmark:
        "benchmarks/compare_mechanisms_meter.tsv"
    group:
        "beyond"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(3000),
    params:
        function="noiseless.experiments.comparison_meter.comparison_tables",
        code=source_digest("noiseless.experiments.comparison_meter"),
        settings={
            **COMPARISON_BASE,
            **COMPARISON["meter"],
            **{key: NILM_BASE[key] for key in ("mains_range_w", "period_s", "train_before")},
            **{key: NILM[key] for key in ("hmm", "learned", "draws")},
            "seed": config["seed"],
        },
    script:
        "../scripts/make_table.py"


rule compare_mechanisms_trips:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        comparison=table("beyond/comparison_trips"),
        calibration=table("beyond/calibration_trips"),
    log:
        "logs/compare_mechanisms_trips.log",
    benchmark:
        "benchmarks/compare_mechanisms_trips.tsv"
    group:
        "beyond"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        function="noiseless.experiments.comparison_trips.comparison_tables",
        code=source_digest("noiseless.experiments.comparison_trips"),
        settings={
            **COMPARISON_BASE,
            **COMPARISON["trips"],
            **TRIPS_BOX,
            "seed": config["seed"],
        },
    script:
        "../scripts/make_table.py"
