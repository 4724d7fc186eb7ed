# Every mechanism at the same error, against the adversaries of the public experiments; and what an
# adversary of the membership game gains from knowing the mechanism and other homes. No paper asks for
# these, so that they are a target of their own: `make beyond`.
BEYOND = config["beyond"]
# The games are those of `noiseless`, whose data other sets stand in for.
BEYOND_DATA_USE = load_data_use("noiseless")


# These rules take any set of homes. Results that it is too small for are left out; the log and the
# table name the reason.
rule beyond_comparison_homes:
    input:
        readings=get_homes_path,
    output:
        comparison="{results}/tables/beyond/comparison_homes_{homes}.parquet",
        calibration="{results}/tables/beyond/comparison_calibration_homes_{homes}.parquet",
    log:
        "logs/{results}/beyond_comparison_homes/{homes}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_homes_memory(2000),
    params:
        homes=get_homes_settings,
        comparison={key: BEYOND["comparison"][key] for key in ("delta", "homes")},
        seed=get_seed,
        plugins=PLUGINS,
        code=digest_code("beyond"),
    script:
        "../scripts/beyond/comparison_homes.py"


rule beyond_comparison_meter:
    input:
        readings="data/prepared/{recording}.parquet",
    output:
        comparison="{results}/tables/beyond/comparison_meter_{recording}.parquet",
        calibration="{results}/tables/beyond/comparison_calibration_meter_{recording}.parquet",
    log:
        "logs/{results}/beyond_comparison_meter/{recording}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_memory(3000),
    params:
        recordings=get_recording_settings,
        noiseless={
            "nilm": {
                key: config["noiseless"]["nilm"][key]
                for key in ("period_s", "hmm", "learned", "draws")
            }
        },
        comparison={key: BEYOND["comparison"][key] for key in ("delta", "meter")},
        seed=get_seed,
        plugins=PLUGINS,
        code=digest_code("beyond"),
    script:
        "../scripts/beyond/comparison_meter.py"


rule beyond_comparison_trips:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        comparison="{results}/tables/beyond/comparison_trips.parquet",
        calibration="{results}/tables/beyond/comparison_calibration_trips.parquet",
    log:
        "logs/{results}/beyond_comparison_trips.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_memory(2000),
    params:
        data=TRIPS_BOX,
        comparison={key: BEYOND["comparison"][key] for key in ("delta", "trips")},
        seed=get_seed,
        plugins=PLUGINS,
        code=digest_code("beyond"),
    script:
        "../scripts/beyond/comparison_trips.py"


rule beyond_adversaries:
    input:
        readings=get_homes_path,
    output:
        adversaries="{results}/tables/beyond/adversaries_{homes}.parquet",
        repeated="{results}/tables/beyond/adversaries_repeated_{homes}.parquet",
    log:
        "logs/{results}/beyond_adversaries/{homes}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_homes_memory(2000),
    params:
        homes=get_homes_settings,
        noiseless={
            "membership": {"quantizer_rule": config["noiseless"]["membership"]["quantizer_rule"]}
        },
        adversaries=BEYOND["adversaries"],
        seed=get_seed,
        plugins=PLUGINS,
        code=digest_code("beyond"),
    script:
        "../scripts/beyond/adversaries.py"


# Each dataset has a job of its own for its figures, so that missing data stop no other figure.
rule beyond_figures_homes:
    input:
        expand(rules.beyond_adversaries.output, results="results", allow_missing=True),
        expand(rules.beyond_comparison_homes.output, results="results", allow_missing=True),
    output:
        declare_figures("beyond", "adversaries_{homes}", "comparison_homes_{homes}"),
    log:
        "logs/beyond_figures_homes/{homes}.log",
    conda:
        ENVIRONMENT
    params:
        adversaries={"known_shares": BEYOND["adversaries"]["known_shares"]},
        plugins=PLUGINS,
        data_use=BEYOND_DATA_USE,
        code=digest_figure_code("beyond"),
    script:
        "../scripts/beyond/figures_homes.py"


rule beyond_figures_recording:
    input:
        expand(rules.beyond_comparison_meter.output, results="results", allow_missing=True),
    output:
        declare_figures("beyond", "comparison_meter_{recording}"),
    log:
        "logs/beyond_figures_recording/{recording}.log",
    conda:
        ENVIRONMENT
    params:
        plugins=PLUGINS,
        data_use=BEYOND_DATA_USE,
        code=digest_figure_code("beyond"),
    script:
        "../scripts/beyond/figures_recording.py"


rule beyond_figures_nyc_taxi:
    input:
        expand(rules.beyond_comparison_trips.output, results="results"),
    output:
        declare_figures("beyond", "comparison_trips"),
    log:
        "logs/beyond_figures_nyc_taxi.log",
    conda:
        ENVIRONMENT
    params:
        plugins=PLUGINS,
        data_use=BEYOND_DATA_USE,
        code=digest_figure_code("beyond"),
    script:
        "../scripts/beyond/figures_nyc_taxi.py"


BEYOND_TABLES = [
    *expand(
        [*rules.beyond_comparison_homes.output, *rules.beyond_adversaries.output],
        results="results",
        homes=HOMES,
    ),
    *expand(rules.beyond_comparison_meter.output, results="results", recording=RECORDINGS),
    *expand(keep_made("nyc_taxi", rules.beyond_comparison_trips.output), results="results"),
]


# Write each table as CSV to read, and compare it with docs/reference: the ledger is about papers alone.
rule write_beyond_summary:
    input:
        tables=lambda wildcards: BEYOND_TABLES
        or refuse_left_out("ausgrid", "london", "redd", "nyc_taxi"),
        reference=REFERENCE_FILES,
    output:
        compared="results/compared_with_reference_beyond.parquet",
        twins=[re.sub("parquet$", "csv", path) for path in BEYOND_TABLES],
        digests="results/tables/sha256_beyond.txt",
        summary="results/summary_beyond.txt",
    log:
        "logs/write_beyond_summary.log",
    conda:
        ENVIRONMENT
    params:
        reference=lambda wildcards, input: os.path.commonpath(input.reference),
        code=digest_files(*SHARED, "ledger/*", "statements/*.py"),
    script:
        "../scripts/page/write_beyond_summary.py"


rule beyond:
    input:
        rules.write_beyond_summary.output,
        figures=[
            *expand(rules.beyond_figures_homes.output, homes=HOMES),
            *expand(rules.beyond_figures_recording.output, recording=RECORDINGS),
            *keep_made("nyc_taxi", rules.beyond_figures_nyc_taxi.output),
        ],
        tables=BEYOND_TABLES,
    localrule: True
