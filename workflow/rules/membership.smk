# The membership game of noiseless, on two sets of homes.
MEMBERSHIP = config["noiseless"]["membership"]
MEMBERSHIP_RELEASE = {key: MEMBERSHIP[key] for key in ("public_range", "levels")}
# London's readings are daily.
MEMBERSHIP_RESOLUTIONS = {"ausgrid": ["days", "half-hours"], "london": ["days"]}


for dataset, resolutions in MEMBERSHIP_RESOLUTIONS.items():

    rule:
        name:
            f"play_membership_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            table=table(f"noiseless/membership_{dataset}"),
        log:
            f"logs/play_membership_{dataset}.log",
        benchmark:
            f"benchmarks/play_membership_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            function="noiseless.experiments.membership.advantage_table",
            code=source_digest("noiseless.experiments.membership"),
            settings={
                **MEMBERSHIP_RELEASE,
                "dataset": dataset,
                "seed": config["seed"],
                "games": MEMBERSHIP["games"],
                "n": MEMBERSHIP["n"],
                "epsilon": MEMBERSHIP["epsilon"],
                "resolution": MEMBERSHIP["resolution"] if len(resolutions) > 1 else "days",
                "peaks": MEMBERSHIP["peaks"],
            },
        script:
            "../scripts/make_table.py"

    rule:
        name:
            f"compare_membership_choices_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            table=table(f"noiseless/membership_choices_{dataset}"),
        log:
            f"logs/compare_membership_choices_{dataset}.log",
        benchmark:
            f"benchmarks/compare_membership_choices_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            function="noiseless.experiments.membership.choices_table",
            code=source_digest("noiseless.experiments.membership"),
            settings={
                **MEMBERSHIP["choices"],
                "dataset": dataset,
                "seed": config["seed"],
                "resolutions": resolutions,
            },
        script:
            "../scripts/make_table.py"

    rule:
        name:
            f"learn_membership_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            table=table(f"noiseless/membership_learned_{dataset}"),
        log:
            f"logs/learn_membership_{dataset}.log",
        benchmark:
            f"benchmarks/learn_membership_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            function="noiseless.experiments.membership.learned_table",
            code=source_digest("noiseless.experiments.membership"),
            settings={
                **MEMBERSHIP_RELEASE,
                **MEMBERSHIP["learned"],
                "dataset": dataset,
                "seed": config["seed"],
                "resolution": "days",
            },
        script:
            "../scripts/make_table.py"
