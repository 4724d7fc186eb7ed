# Raw data by tier, then one prepared table for each dataset.
from noiseless.data.contents import compute_content_digests

DATA = config["data"]
RAW_FILES = {name: list(raw.files.values()) for name, raw in RAW_INPUTS.items()}
RAW_FILES["nyc_taxi"] = list(TRIP_FILES.values())
SAMPLED = [name for name in RAW_FILES if DATA[name]["tier"] == "sample"]
READING = ["reading/*.py"]
READERS = digest_files(*SHARED, *READING, "data/**/*.py")


rule make_samples:
    output:
        [file for name in SAMPLED for file in RAW_FILES[name]],
    log:
        "logs/make_samples.log",
    conda:
        ENVIRONMENT
    params:
        first={name: RAW_FILES[name][0] for name in SAMPLED},
        data={name: DATA[name] for name in SAMPLED},
        seed=config["seed"],
        code=READERS,
    script:
        "../scripts/data/samples.py"


# A change of the code or of a note in the registry does not fetch gigabytes again.
rule download_file:
    output:
        "data/raw/{dataset}/download/{file}",
    log:
        "logs/download_file/{dataset}/{file}.log",
    wildcard_constraints:
        dataset="[a-z0-9_-]+",
        file=".+",
    localrule: True
    conda:
        ENVIRONMENT
    script:
        "../scripts/data/download_file.py"


rule prepare_young_people:
    input:
        unpack(lambda wildcards: get_raw_inputs("young_people").files),
    output:
        "data/prepared/young_people.parquet",
    log:
        "logs/prepare_young_people.log",
    conda:
        ENVIRONMENT
    params:
        origin=lambda wildcards: get_raw_inputs("young_people").origin,
        code=READERS,
    script:
        "../scripts/data/young_people.py"


rule prepare_ausgrid:
    input:
        unpack(lambda wildcards: get_raw_inputs("ausgrid").files),
    output:
        "data/prepared/ausgrid.parquet",
    log:
        "logs/prepare_ausgrid.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_memory(4000),
    params:
        origin=lambda wildcards: get_raw_inputs("ausgrid").origin,
        year=DATA["ausgrid"]["year"],
        code=READERS,
    script:
        "../scripts/data/ausgrid.py"


rule prepare_london:
    input:
        unpack(lambda wildcards: get_raw_inputs("london").files),
    output:
        "data/prepared/london.parquet",
    log:
        "logs/prepare_london.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_memory(4000),
    params:
        origin=lambda wildcards: get_raw_inputs("london").origin,
        year=DATA["london"]["year"],
        tariff=DATA["london"]["tariff"],
        code=READERS,
    script:
        "../scripts/data/london.py"


# The paper's recording, and those that stand in for it.
rule prepare_recording:
    input:
        unpack(lambda wildcards: get_raw_inputs(wildcards.recording).files),
    output:
        "data/prepared/{recording}.parquet",
    log:
        "logs/prepare_recording/{recording}.log",
    conda:
        ENVIRONMENT
    params:
        origin=lambda wildcards: get_raw_inputs(wildcards.recording).origin,
        form=lambda wildcards: get_raw_inputs(wildcards.recording).form,
        house=lambda wildcards: config["recordings"][wildcards.recording]["house"],
        code=READERS,
    script:
        "../scripts/data/recording.py"


# At the tier `download` there is no input: the first rows are parsed as they come from the mirror.
rule prepare_nyc_taxi:
    input:
        lambda wildcards: (
            [] if DATA["nyc_taxi"]["tier"] == "download" else get_trip_file(wildcards)
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
        file=lambda wildcards: Path(get_trip_file(wildcards)).name,
        content=compute_content_digests(TRIP_FILES if DATA["nyc_taxi"]["tier"] == "local" else {}),
        download={key: config["download"][key] for key in ("attempts", "backoff_s", "timeout_s")},
        rows=DATA["nyc_taxi"]["rows"],
        latitude_range_deg=DATA["nyc_taxi"]["latitude_range_deg"],
        longitude_range_deg=DATA["nyc_taxi"]["longitude_range_deg"],
        code=READERS,
    script:
        "../scripts/data/nyc_taxi.py"


# A set of homes that is one file, `homes: {mine: {path: mine.csv, ...}}`: yours, or one that stands in
# for the paper's.
rule prepare_homes:
    input:
        unpack(lambda wildcards: get_raw_inputs(wildcards.own).files),
    output:
        "data/prepared/{own}.parquet",
    log:
        "logs/prepare_homes/{own}.log",
    wildcard_constraints:
        own="|".join(map(re.escape, sorted({*config["homes"]} - {"ausgrid", "london"}))) or NO_SET,
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_memory(4000),
    params:
        origin=lambda wildcards: get_raw_inputs(wildcards.own).origin,
        form=lambda wildcards: get_raw_inputs(wildcards.own).form,
        resolution=lambda wildcards: config["homes"][wildcards.own]["resolution"],
        own=lambda wildcards: {
            key: config["homes"][wildcards.own][key]
            for key in ("largest_reading_kwh", "allow_identical", "days")
            if key in config["homes"][wildcards.own]
        },
        code=READERS,
    script:
        "../scripts/data/homes.py"


# Write a random half of the homes, for the target `robustness`.
rule halve_homes:
    input:
        homes="data/prepared/{homes}.parquet",
    output:
        homes="data/prepared/half_{half}/{homes}.parquet",
    log:
        "logs/halve_homes/{half}/{homes}.log",
    wildcard_constraints:
        half="[0-9]+",
    conda:
        ENVIRONMENT
    params:
        half=lambda wildcards: int(wildcards.half),
        seed=config["seed"],
        code=READERS,
    script:
        "../scripts/data/half.py"
