# Raw data by tier, then one prepared table for each dataset.


rule download_file:
    output:
        "data/raw/{dataset}/download/{file}",
    log:
        "logs/download_file/{dataset}/{file}.log",
    # A change of the code or of a note in the registry is no reason to fetch gigabytes again.
    wildcard_constraints:
        dataset="[a-z_]+",
        file=".+",
    conda:
        ENVIRONMENT
    script:
        "../scripts/download_file.py"


use rule make_sample as make_sample_young_people with:
    output:
        "data/raw/young_people/sample/responses.csv",
    pathvars:
        job="make_sample_young_people",
    params:
        **call(
            "noiseless.datasets.samples.young_people.write_young_people",
            rows=DATA["young_people"]["sample_rows"],
            seed=config["seed"],
        ),


use rule prepare_data as prepare_young_people with:
    input:
        path=YOUNG_PEOPLE,
    output:
        table="data/prepared/young_people.parquet",
    pathvars:
        job="prepare_young_people",
    params:
        **ORIGIN["young_people"],
        **call("noiseless.datasets.young_people.read_young_people"),


use rule make_sample as make_sample_ausgrid with:
    output:
        f"data/raw/ausgrid/sample/{AUSGRID_FILE}",
    pathvars:
        job="make_sample_ausgrid",
    params:
        **call(
            "noiseless.datasets.samples.ausgrid.write_ausgrid",
            homes=DATA["ausgrid"]["sample_homes"],
            year=DATA["ausgrid"]["year"],
            seed=config["seed"],
        ),


use rule prepare_data as prepare_ausgrid with:
    input:
        path=AUSGRID,
    output:
        table="data/prepared/ausgrid.parquet",
    pathvars:
        job="prepare_ausgrid",
    resources:
        mem_mb=memory(4000),
    params:
        **ORIGIN["ausgrid"],
        **call("noiseless.datasets.ausgrid.read_ausgrid", year=DATA["ausgrid"]["year"]),


use rule make_sample as make_sample_london_households with:
    output:
        "data/raw/london/sample/informations_households.csv",
    pathvars:
        job="make_sample_london_households",
    params:
        **call(
            "noiseless.datasets.samples.london.write_households",
            blocks=DATA["london"]["sample_blocks"],
            seed=config["seed"],
        ),


use rule make_sample as make_sample_london_block with:
    output:
        "data/raw/london/sample/daily_dataset/block_{block}.csv",
    pathvars:
        job="make_sample_london_block/{block}",
    wildcard_constraints:
        block="[0-9]+",
    params:
        **call(
            "noiseless.datasets.samples.london.write_block",
            lambda wildcards: {"block": int(wildcards.block), "seed": config["seed"]},
        ),


use rule prepare_data as prepare_london with:
    input:
        **LONDON,
    output:
        table="data/prepared/london.parquet",
    pathvars:
        job="prepare_london",
    resources:
        mem_mb=memory(4000),
    params:
        **ORIGIN["london"],
        **call("noiseless.datasets.london.read_london", **pick(DATA["london"], "year", "tariff")),


use rule make_sample as make_sample_nyc_taxi with:
    output:
        "data/raw/nyc_taxi/sample/trips_{number}.csv",
    pathvars:
        job="make_sample_nyc_taxi/{number}",
    wildcard_constraints:
        number="[0-9]+",
    params:
        **call(
            "noiseless.datasets.samples.nyc_taxi.write_trips",
            lambda wildcards: {
                "rows": DATA["nyc_taxi"]["sample_rows"],
                "seed": config["seed"],
                "number": int(wildcards.number),
            },
        ),


# At the tier `download` there is no input: the first rows are parsed as they come from the mirror.
rule prepare_nyc_taxi:
    input:
        lambda wildcards: (
            [] if DATA["nyc_taxi"]["tier"] == "download" else TRIP_FILES[wildcards.shard]
        ),
    output:
        trips="data/prepared/nyc_taxi/{shard}.parquet",
        taken="data/prepared/nyc_taxi/{shard}_taken.parquet",
    log:
        "logs/prepare_nyc_taxi/{shard}.log",
    wildcard_constraints:
        shard="[0-9]+",
    group:
        "trip_shard"
    conda:
        ENVIRONMENT
    params:
        tier=DATA["nyc_taxi"]["tier"],
        file=lambda wildcards: Path(TRIP_FILES[wildcards.shard]).name,
        content=contents("nyc_taxi", TRIP_FILES),
        code=source_digest("noiseless.datasets.nyc_taxi"),
        patience=pick(config["download"], "attempts", "backoff_s", "timeout_s"),
        settings={"rows": DATA["nyc_taxi"]["rows"], **TRIPS_BOX},
    script:
        "../scripts/prepare_trips.py"


use rule make_sample as make_sample_redd with:
    output:
        "data/raw/redd/sample/low_freq/house_1/labels.dat",
        expand("data/raw/redd/sample/low_freq/house_1/channel_{number}.dat", number=REDD_CHANNELS),
    pathvars:
        job="make_sample_redd",
    params:
        **call(
            "noiseless.datasets.samples.redd.write_redd",
            days=DATA["redd"]["sample_days"],
            period_s=DATA["redd"]["sample_period_s"],
            seed=config["seed"],
        ),


use rule prepare_data as prepare_redd with:
    input:
        **REDD_FILES,
    output:
        table="data/prepared/redd.parquet",
    pathvars:
        job="prepare_redd",
    params:
        **ORIGIN["redd"],
        **call(REDD_READER, **REDD_SETTINGS),
