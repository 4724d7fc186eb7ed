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


rule prepare_young_people:
    input:
        **RAW["young_people"].files,
    output:
        table=prepared("young_people"),
    log:
        "logs/prepare_young_people.log",
    conda:
        ENVIRONMENT
    params:
        **RAW["young_people"].origin,
        **call("noiseless.data.young_people.read_young_people"),
    script:
        "../scripts/prepare_data.py"


rule prepare_ausgrid:
    input:
        **RAW["ausgrid"].files,
    output:
        table=prepared("ausgrid"),
    log:
        "logs/prepare_ausgrid.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(4000),
    params:
        **RAW["ausgrid"].origin,
        **call("noiseless.data.ausgrid.read_ausgrid", year=DATA["ausgrid"]["year"]),
    script:
        "../scripts/prepare_data.py"


rule prepare_london:
    input:
        **RAW["london"].files,
    output:
        table=prepared("london"),
    log:
        "logs/prepare_london.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(4000),
    params:
        **RAW["london"].origin,
        **call("noiseless.data.london.read_london", **pick(DATA["london"], "year", "tariff")),
    script:
        "../scripts/prepare_data.py"


rule prepare_redd:
    input:
        **RAW["redd"].files,
    output:
        table=prepared("redd"),
    log:
        "logs/prepare_redd.log",
    conda:
        ENVIRONMENT
    params:
        **RAW["redd"].origin,
        **call(
            RAW["redd"].reader,
            **(pick(DATA["redd"], "house") if RAW["redd"].reader.endswith("read_nilmtk") else {}),
        ),
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
