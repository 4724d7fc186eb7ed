# Raw data by tier, then one prepared table for each dataset.


rule download_file:
    output:
        "data/raw/{dataset}/download/{file}",
    log:
        "logs/download_file/{dataset}/{file}.log",
    benchmark:
        "benchmarks/download_file/{dataset}/{file}.tsv"
    # A change of the code or of a note in the registry is no reason to fetch gigabytes again.
    wildcard_constraints:
        dataset="[a-z_]+",
        file=".+",
    conda:
        ENVIRONMENT
    script:
        "../scripts/download_file.py"


rule make_sample_young_people:
    output:
        "data/raw/young_people/sample/responses.csv",
    log:
        "logs/make_sample_young_people.log",
    benchmark:
        "benchmarks/make_sample_young_people.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.datasets.samples.young_people.write_young_people",
        code=source_digest("noiseless.datasets.samples.young_people"),
        settings={
            "rows": config["data"]["young_people"]["sample_rows"],
            "seed": config["seed"],
        },
    script:
        "../scripts/make_sample.py"


rule prepare_young_people:
    input:
        path=YOUNG_PEOPLE,
    output:
        table="data/prepared/young_people.parquet",
    log:
        "logs/prepare_young_people.log",
    benchmark:
        "benchmarks/prepare_young_people.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    params:
        dataset="young_people",
        content=contents("young_people", {"path": YOUNG_PEOPLE}),
        tier=config["data"]["young_people"]["tier"],
        registered=registered("young_people", {"path": "responses.csv"}, YOUNG_PEOPLE),
        file="responses.csv",
        function="noiseless.datasets.young_people.read_young_people",
        code=source_digest("noiseless.datasets.young_people"),
        settings={},
    script:
        "../scripts/prepare_data.py"


rule make_sample_ausgrid:
    output:
        f"data/raw/ausgrid/sample/{AUSGRID_FILE}",
    log:
        "logs/make_sample_ausgrid.log",
    benchmark:
        "benchmarks/make_sample_ausgrid.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.datasets.samples.ausgrid.write_ausgrid",
        code=source_digest("noiseless.datasets.samples.ausgrid"),
        settings={
            "homes": config["data"]["ausgrid"]["sample_homes"],
            "year": config["data"]["ausgrid"]["year"],
            "seed": config["seed"],
        },
    script:
        "../scripts/make_sample.py"


rule prepare_ausgrid:
    input:
        path=AUSGRID,
    output:
        table="data/prepared/ausgrid.parquet",
    log:
        "logs/prepare_ausgrid.log",
    benchmark:
        "benchmarks/prepare_ausgrid.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(4000),
    params:
        dataset="ausgrid",
        content=contents("ausgrid", {"path": AUSGRID}),
        tier=config["data"]["ausgrid"]["tier"],
        registered=registered("ausgrid", {"path": AUSGRID_FILE}, AUSGRID),
        file=AUSGRID_FILE,
        function="noiseless.datasets.ausgrid.read_ausgrid",
        code=source_digest("noiseless.datasets.ausgrid"),
        settings={"year": config["data"]["ausgrid"]["year"]},
    script:
        "../scripts/prepare_data.py"


rule make_sample_london_households:
    output:
        "data/raw/london/sample/informations_households.csv",
    log:
        "logs/make_sample_london_households.log",
    benchmark:
        "benchmarks/make_sample_london_households.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.datasets.samples.london.write_households",
        code=source_digest("noiseless.datasets.samples.london"),
        settings={
            "blocks": config["data"]["london"]["sample_blocks"],
            "seed": config["seed"],
        },
    script:
        "../scripts/make_sample.py"


rule make_sample_london_block:
    output:
        "data/raw/london/sample/daily_dataset/block_{block}.csv",
    log:
        "logs/make_sample_london_block/{block}.log",
    benchmark:
        "benchmarks/make_sample_london_block/{block}.tsv"
    wildcard_constraints:
        block="[0-9]+",
    group:
        "data"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.datasets.samples.london.write_block",
        code=source_digest("noiseless.datasets.samples.london"),
        settings=lambda wildcards: {"block": int(wildcards.block), "seed": config["seed"]},
    script:
        "../scripts/make_sample.py"


rule prepare_london:
    input:
        **LONDON,
    output:
        table="data/prepared/london.parquet",
    log:
        "logs/prepare_london.log",
    benchmark:
        "benchmarks/prepare_london.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(4000),
    params:
        dataset="london",
        content=contents("london", LONDON),
        tier=config["data"]["london"]["tier"],
        registered=london_registered(LONDON),
        file="",
        function="noiseless.datasets.london.read_london",
        code=source_digest("noiseless.datasets.london"),
        settings={
            "year": config["data"]["london"]["year"],
            "tariff": config["data"]["london"]["tariff"],
        },
    script:
        "../scripts/prepare_data.py"


rule make_sample_nyc_taxi:
    output:
        "data/raw/nyc_taxi/sample/trips_{number}.csv",
    log:
        "logs/make_sample_nyc_taxi/{number}.log",
    benchmark:
        "benchmarks/make_sample_nyc_taxi/{number}.tsv"
    wildcard_constraints:
        number="[0-9]+",
    group:
        "data"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.datasets.samples.nyc_taxi.write_trips",
        code=source_digest("noiseless.datasets.samples.nyc_taxi"),
        settings=lambda wildcards: {
            "rows": config["data"]["nyc_taxi"]["sample_rows"],
            "seed": config["seed"],
            "number": int(wildcards.number),
        },
    script:
        "../scripts/make_sample.py"


# At the tier `download` there is no input: the first rows are parsed as they come from the mirror.
rule prepare_nyc_taxi:
    input:
        lambda wildcards: (
            [] if config["data"]["nyc_taxi"]["tier"] == "download" else TRIP_FILES[wildcards.shard]
        ),
    output:
        trips="data/prepared/nyc_taxi/{shard}.parquet",
        taken="data/prepared/nyc_taxi/{shard}_taken.parquet",
    log:
        "logs/prepare_nyc_taxi/{shard}.log",
    benchmark:
        "benchmarks/prepare_nyc_taxi/{shard}.tsv"
    wildcard_constraints:
        shard="[0-9]+",
    group:
        "trip_shard"
    conda:
        ENVIRONMENT
    params:
        tier=config["data"]["nyc_taxi"]["tier"],
        file=lambda wildcards: Path(TRIP_FILES[wildcards.shard]).name,
        content=contents("nyc_taxi", TRIP_FILES),
        code=source_digest("noiseless.datasets.nyc_taxi"),
        patience={key: config["download"][key] for key in ("attempts", "backoff_s", "timeout_s")},
        settings={
            "rows": config["data"]["nyc_taxi"]["rows"],
            "latitude_range_deg": config["noiseless"]["trips"]["latitude_range_deg"],
            "longitude_range_deg": config["noiseless"]["trips"]["longitude_range_deg"],
        },
    script:
        "../scripts/prepare_trips.py"


rule make_sample_redd:
    output:
        "data/raw/redd/sample/low_freq/house_1/labels.dat",
        expand("data/raw/redd/sample/low_freq/house_1/channel_{number}.dat", number=REDD_CHANNELS),
    log:
        "logs/make_sample_redd.log",
    benchmark:
        "benchmarks/make_sample_redd.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.datasets.samples.redd.write_redd",
        code=source_digest("noiseless.datasets.samples.redd"),
        settings={
            "days": config["data"]["redd"]["sample_days"],
            "period_s": config["data"]["redd"]["sample_period_s"],
            "seed": config["seed"],
        },
    script:
        "../scripts/make_sample.py"


rule prepare_redd:
    input:
        **REDD_FILES,
    output:
        table="data/prepared/redd.parquet",
    log:
        "logs/prepare_redd.log",
    benchmark:
        "benchmarks/prepare_redd.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    params:
        dataset="redd",
        content=contents("redd", REDD_FILES),
        tier=config["data"]["redd"]["tier"],
        registered=REDD_REGISTERED,
        file=REDD_FILE,
        function=REDD_READER,
        code=source_digest("noiseless.datasets.redd"),
        settings=(
            {"house": config["data"]["redd"]["house"]}
            if REDD_READER.endswith("read_nilmtk")
            else {}
        ),
    script:
        "../scripts/prepare_data.py"
