# What a custodian is told to publish: the frontier of usefulness against risk, found on one half of
# the homes and tested on the other. For the public homes; own.smk does the same for the user's.
rule beyond_recommendation_london:
    input:
        readings="data/prepared/london.parquet",
    output:
        frontier=table("beyond/recommendation_frontier_london"),
        splits=table("beyond/recommendation_splits_london"),
        mechanisms=table("beyond/recommendation_mechanisms_london"),
        facts=table("beyond/recommendation_facts_london"),
    log:
        "logs/beyond_recommendation_london.log",
    benchmark:
        "benchmarks/beyond_recommendation_london.tsv"
    group:
        "beyond"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.beyond.recommendation.tables",
            {
                **config["beyond"]["recommendation"],
                "public_range_kwh": MEMBERSHIP["public_range_kwh"]["london"],
                "tolerance": COMPARISON["tolerance"],
                "factors": ADVERSARIES["factors"],
                "dataset": "london",
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


FIGURES["beyond/recommendation_london"] = {
    "function": "beyond.recommendation.recommendation",
    "tables": {
        "frontier": "beyond/recommendation_frontier_london",
        "mechanisms": "beyond/recommendation_mechanisms_london",
    },
    "figure": "recommendation",
    "shows": "what to publish, london",
    "settings": {"gain": config["beyond"]["recommendation"]["gain"]},
    "says": TAKING_PART["prefer"],
}
