# Raw data by tier, then one prepared table for each dataset.
from noiseless.data.contents import content_digests

DATA = config["data"]
# What writes the files of each dataset of the tier `sample`; it is given the first of them.
SAMPLES = {
    "young_people": call(
        "noiseless.data.samples.young_people.write_young_people",
        rows=DATA["young_people"]["sample_rows"],
        seed=config["seed"],
    ),
    "ausgrid": call(
        "noiseless.data.samples.ausgrid.write_ausgrid",
        homes=DATA["ausgrid"]["sample_homes"],
        year=DATA["ausgrid"]["year"],
        seed=config["seed"],
    ),
    "london": call(
        "noiseless.data.samples.london.write_london",
        blocks=DATA["london"]["sample_blocks"],
        seed=config["seed"],
    ),
    "redd": call(
        "noiseless.data.samples.redd.write_redd",
        days=DATA["redd"]["sample_days"],
        period_s=DATA["redd"]["sample_period_s"],
        seed=config["seed"],
    ),
    "nyc_taxi": call(
        "noiseless.data.samples.nyc_taxi.write_trip_files",
        rows=DATA["nyc_taxi"]["sample_rows"],
        seed=config["seed"],
        files=DATA["nyc_taxi"]["sample_files"],
    ),
}
RAW_FILES = {name: list(raw.files.values()) for name, raw in RAW.items()}
RAW_FILES["nyc_taxi"] = list(TRIP_FILES.values())
SAMPLED = [name for name in SAMPLES if DATA[name]["tier"] == "sample"]


rule make_samples:
    output:
        [file for name in SAMPLED for file in RAW_FILES[name]],
    log:
        "logs/make_samples.log",
    conda:
        ENVIRONMENT
    params:
        calls={RAW_FILES[name][0]: SAMPLES[name] for name in SAMPLED},
    script:
        "../scripts/make_samples.py"


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


# What reads the files of each dataset but the trips, and how much memory that takes, in MB.
READERS = {
    "young_people": (call("noiseless.data.young_people.read_young_people"), 1000),
    "ausgrid": (call("noiseless.data.ausgrid.read_ausgrid", **pick(DATA["ausgrid"], "year")), 4000),
    "london": (
        call("noiseless.data.london.read_london", **pick(DATA["london"], "year", "tariff")),
        4000,
    ),
    "redd": (
        call(
            RAW["redd"].reader,
            **(pick(DATA["redd"], "house") if RAW["redd"].reader.endswith("read_nilmtk") else {}),
        ),
        1000,
    ),
}

for dataset, (reader, mb) in READERS.items():

    rule:
        name:
            f"prepare_{dataset}"
        input:
            **RAW[dataset].files,
        output:
            table=prepared(dataset),
        log:
            f"logs/prepare_{dataset}.log",
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(mb),
        params:
            **RAW[dataset].origin,
            **reader,
        script:
            "../scripts/prepare_data.py"


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
    conda:
        ENVIRONMENT
    params:
        tier=DATA["nyc_taxi"]["tier"],
        file=lambda wildcards: Path(TRIP_FILES[wildcards.shard]).name,
        content=content_digests(TRIP_FILES if DATA["nyc_taxi"]["tier"] == "local" else {}),
        code=source_digest("noiseless.data.nyc_taxi"),
        patience=pick(config["download"], "attempts", "backoff_s", "timeout_s"),
        settings={"rows": DATA["nyc_taxi"]["rows"], **TRIPS_BOX},
    script:
        "../scripts/prepare_trips.py"
