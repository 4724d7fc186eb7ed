# Every mechanism at the same error, against the adversaries of the public experiments.
COMPARISON = config["beyond"]["comparison"]
COMPARISON_BASE = {key: COMPARISON[key] for key in ("delta", "tolerance")}


for dataset in ("ausgrid", "london"):

    rule:
        name:
            f"beyond_comparison_homes_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            comparison=table(f"beyond/comparison_homes_{dataset}"),
            calibration=table(f"beyond/comparison_calibration_homes_{dataset}"),
        log:
            f"logs/beyond_comparison_homes_{dataset}.log",
        benchmark:
            f"benchmarks/beyond_comparison_homes_{dataset}.tsv"
        group:
            "beyond"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.beyond.comparison_homes.comparison_tables",
                {
                    **COMPARISON_BASE,
                    **COMPARISON["homes"],
                    "public_range_kwh": MEMBERSHIP["public_range_kwh"][dataset],
                    "dataset": dataset,
                    "seed": config["seed"],
                },
            ),
        script:
            "../scripts/make_table.py"


rule beyond_comparison_meter:
    input:
        redd=rules.prepare_redd.output.table,
    output:
        comparison=table("beyond/comparison_meter"),
        calibration=table("beyond/comparison_calibration_meter"),
    log:
        "logs/beyond_comparison_meter.log",
    benchmark:
        "benchmarks/beyond_comparison_meter.tsv"
    group:
        "beyond"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(3000),
    params:
        **call(
            "noiseless.experiments.beyond.comparison_meter.comparison_tables",
            {
                **COMPARISON_BASE,
                **COMPARISON["meter"],
                **{key: NILM_BASE[key] for key in ("mains_range_w", "period_s", "train_before")},
                **{key: NILM[key] for key in ("days", "hmm", "learned", "draws")},
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule beyond_comparison_trips:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        comparison=table("beyond/comparison_trips"),
        calibration=table("beyond/comparison_calibration_trips"),
    log:
        "logs/beyond_comparison_trips.log",
    benchmark:
        "benchmarks/beyond_comparison_trips.tsv"
    group:
        "beyond"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.beyond.comparison_trips.comparison_tables",
            {
                **COMPARISON_BASE,
                **COMPARISON["trips"],
                **TRIPS_BOX,
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


# The membership game against adversaries who know the mechanism.
ADVERSARIES = config["beyond"]["adversaries"]


for dataset in MEMBERSHIP_RESOLUTIONS:

    rule:
        name:
            f"beyond_adversaries_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            adversaries=table(f"beyond/adversaries_{dataset}"),
            repeated=table(f"beyond/adversaries_repeated_{dataset}"),
        log:
            f"logs/beyond_adversaries_{dataset}.log",
        benchmark:
            f"benchmarks/beyond_adversaries_{dataset}.tsv"
        group:
            "beyond"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.beyond.adversaries.tables",
                {
                    **membership_release(dataset),
                    **{
                        key: value
                        for key, value in ADVERSARIES.items()
                        if key != "shown_epsilon_bits"
                    },
                    "dataset": dataset,
                    "seed": config["seed"],
                },
            ),
        script:
            "../scripts/make_table.py"

    # The custodian's question: how many homes, how coarse a scale.
    rule:
        name:
            f"beyond_custodian_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            limits=table(f"beyond/custodian_limits_{dataset}"),
            answers=table(f"beyond/custodian_{dataset}"),
        log:
            f"logs/beyond_custodian_{dataset}.log",
        benchmark:
            f"benchmarks/beyond_custodian_{dataset}.tsv"
        group:
            "beyond"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.beyond.custodian.tables",
                {
                    **config["beyond"]["custodian"],
                    "public_range_kwh": MEMBERSHIP["public_range_kwh"][dataset],
                    "factors": ADVERSARIES["factors"],
                    "dataset": dataset,
                    "seed": config["seed"],
                },
            ),
        script:
            "../scripts/make_table.py"


for dataset in MEMBERSHIP_RESOLUTIONS:
    FIGURES |= {
        f"beyond/adversaries_{dataset}": {
            "function": "beyond.adversaries.adversaries",
            "tables": {
                "adversaries": f"beyond/adversaries_{dataset}",
                "repeated": f"beyond/adversaries_repeated_{dataset}",
            },
            "figure": "adversaries",
            "shows": f"what an adversary knows, {dataset}",
            "settings": {key: ADVERSARIES[key] for key in ("known_shares", "shown_epsilon_bits")},
            "says": TAKING_PART["prefer"],
        },
        f"beyond/custodian_{dataset}": {
            "function": "beyond.custodian.custodian",
            "tables": {"limits": f"beyond/custodian_limits_{dataset}"},
            "figure": "custodian",
            "shows": f"homes and levels, {dataset}",
            "settings": {"gains": config["beyond"]["custodian"]["gains"]},
            "says": TAKING_PART["prefer"],
        },
    }


for name, function, question, says in (
    ("homes_ausgrid", "homes", "who is in the aggregate, Ausgrid", TAKING_PART["prefer"]),
    ("homes_london", "homes", "who is in the aggregate, London", TAKING_PART["prefer"]),
    (
        *("meter", "meter", "which appliance is on"),
        TAKING_PART["states"] | {"adversaries": COMPARISON["meter"]["adversaries"]},
    ),
    ("trips", "trips", "whose trip it is", TAKING_PART["link"]),
):
    FIGURES[f"beyond/comparison_{name}"] = {
        "function": f"beyond.comparison.{function}",
        "tables": {
            "comparison": f"beyond/comparison_{name}",
            "calibration": f"beyond/comparison_calibration_{name}",
        },
        "figure": "every mechanism at the same error",
        "shows": question,
        "says": says,
    }
