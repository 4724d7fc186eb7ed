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
    conda:
        ENVIRONMENT
    params:
        dataset="young_people",
        tier=config["data"]["young_people"]["tier"],
        registered={
            "path": registered_sha256(SOURCES, dataset="young_people", file="responses.csv")
        },
        function="noiseless.datasets.young_people.read_young_people",
        code=source_digest("noiseless.datasets.young_people"),
        settings={},
    script:
        "../scripts/prepare_data.py"


rule make_sample_redd:
    output:
        "data/raw/redd/sample/low_freq/house_1/labels.dat",
        expand("data/raw/redd/sample/low_freq/house_1/channel_{number}.dat", number=REDD_CHANNELS),
    log:
        "logs/make_sample_redd.log",
    benchmark:
        "benchmarks/make_sample_redd.tsv"
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
    conda:
        ENVIRONMENT
    params:
        dataset="redd",
        tier=config["data"]["redd"]["tier"],
        registered=REDD_REGISTERED,
        function=REDD_READER,
        code=source_digest("noiseless.datasets.redd"),
        settings=(
            {"house": config["data"]["redd"]["house"]}
            if REDD_READER.endswith("read_nilmtk")
            else {}
        ),
    script:
        "../scripts/prepare_data.py"
