# What epsilon-privacy says about leakage (Proposition 1 of nsht).


rule bound_leakage:
    output:
        table=table("nsht/leakage_bound"),
    log:
        "logs/bound_leakage.log",
    benchmark:
        "benchmarks/bound_leakage.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.hypothesis_leakage.bound_table",
        code=source_digest("noiseless.experiments.hypothesis_leakage"),
        settings={"epsilon": log_grid(**config["nsht"]["leakage"]["epsilon"])},
    script:
        "../scripts/make_table.py"


rule enumerate_leakage:
    output:
        table=table("nsht/leakage_enumeration"),
    log:
        "logs/enumerate_leakage.log",
    benchmark:
        "benchmarks/enumerate_leakage.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.hypothesis_leakage.enumeration_table",
        code=source_digest("noiseless.experiments.hypothesis_leakage"),
        settings={
            "seed": config["seed"],
            **{key: value for key, value in config["nsht"]["leakage"].items() if key != "epsilon"},
        },
    script:
        "../scripts/make_table.py"
