# Unique trips (noiseless, Figures 5 and 6). The figures are about the first file, as in the paper;
# the count over shards is about all files together.
TRIPS = config["noiseless"]["trips"]
TRIPS_BOX = {key: TRIPS[key] for key in ("latitude_range_deg", "longitude_range_deg")}
TRIPS_PREPARED = expand(rules.prepare_nyc_taxi.output.trips, shard=TRIP_FILES)
TRIP_RUNS = [f"data/prepared/nyc_taxi/{{shard}}/epsilon_{e}.npy" for e in TRIPS["shards_epsilon"]]


rule list_taken_trips:
    input:
        **{
            f"file_{shard}": rules.prepare_nyc_taxi.output.taken.format(shard=shard)
            for shard in TRIP_FILES
        },
    output:
        table=table("noiseless/trips_taken"),
    log:
        "logs/list_taken_trips.log",
    benchmark:
        "benchmarks/list_taken_trips.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.trips.taken_table",
        code=source_digest("noiseless.experiments.trips"),
        settings={},
    script:
        "../scripts/make_table.py"


rule compute_trip_budget:
    output:
        table=table("noiseless/trips_budget"),
    log:
        "logs/compute_trip_budget.log",
    benchmark:
        "benchmarks/compute_trip_budget.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.trips.budget_table",
        code=source_digest("noiseless.experiments.trips"),
        settings={**TRIPS_BOX, "epsilon": TRIPS["epsilon"]},
    script:
        "../scripts/make_table.py"


rule map_pickups:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        table=table("noiseless/trips_density"),
    log:
        "logs/map_pickups.log",
    benchmark:
        "benchmarks/map_pickups.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.trips.density_table",
        code=source_digest("noiseless.experiments.trips"),
        settings={**TRIPS_BOX, "levels": TRIPS["map_levels"]},
    script:
        "../scripts/make_table.py"


rule count_unique_trips:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        known=table("noiseless/trips_unique"),
        numbers=table("noiseless/trips_unique_by_number"),
        half=table("noiseless/trips_half_unique"),
    log:
        "logs/count_unique_trips.log",
    benchmark:
        "benchmarks/count_unique_trips.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        function="noiseless.experiments.trips.uniqueness_tables",
        code=source_digest("noiseless.experiments.trips"),
        settings={
            **TRIPS_BOX,
            "epsilon": TRIPS["epsilon"],
            "k": TRIPS["k"],
            "numbers": TRIPS["numbers"],
        },
    script:
        "../scripts/make_table.py"


rule count_trip_keys:
    input:
        trips=rules.prepare_nyc_taxi.output.trips,
    output:
        temp(TRIP_RUNS),
    log:
        "logs/count_trip_keys/{shard}.log",
    benchmark:
        "benchmarks/count_trip_keys/{shard}.tsv"
    group:
        "trip_shard"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        code=source_digest("noiseless.experiments.trips"),
        settings={**TRIPS_BOX, "epsilon": TRIPS["shards_epsilon"]},
    script:
        "../scripts/count_trip_keys.py"


rule merge_trip_shards:
    input:
        trips=TRIPS_PREPARED,
        runs=[run.format(shard=shard) for run in TRIP_RUNS for shard in TRIP_FILES],
    output:
        table=table("noiseless/trips_shards"),
    log:
        "logs/merge_trip_shards.log",
    benchmark:
        "benchmarks/merge_trip_shards.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        code=source_digest("noiseless.experiments.trips"),
        epsilon=TRIPS["shards_epsilon"],
        settings={"k": TRIPS["k"]},
    script:
        "../scripts/merge_trip_shards.py"
