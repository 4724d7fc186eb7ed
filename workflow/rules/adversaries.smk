# The membership game against adversaries who know the mechanism, and the custodian's question.
ADVERSARIES = config["beyond"]["adversaries"]


for dataset in MEMBERSHIP_RESOLUTIONS:

    rule:
        name:
            f"know_others_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            adversaries=table(f"beyond/adversaries_{dataset}"),
            repeated=table(f"beyond/repeated_{dataset}"),
            limits=table(f"beyond/custodian_limits_{dataset}"),
            answers=table(f"beyond/custodian_{dataset}"),
        log:
            f"logs/know_others_{dataset}.log",
        benchmark:
            f"benchmarks/know_others_{dataset}.tsv"
        group:
            "beyond"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            function="noiseless.experiments.custodian.tables",
            code=source_digest("noiseless.experiments.custodian"),
            settings={
                **MEMBERSHIP_RELEASE,
                "dataset": dataset,
                "seed": config["seed"],
                "adversaries": {
                    key: value for key, value in ADVERSARIES.items() if key != "shown_epsilon"
                },
                "custodian": config["beyond"]["custodian"],
            },
        script:
            "../scripts/make_table.py"
