# Every mechanism at the same error, against the adversaries of the public experiments.
ADVERSARIES = config["beyond"]["adversaries"]
COMPARISON = config["beyond"]["comparison"]
COMPARED = pick(COMPARISON, "delta", "tolerance")


rule beyond:
    input:
        lambda wildcards: results_of("beyond"),


rule beyond_comparison_homes:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(
            comparison="beyond/comparison_homes_{homes}",
            calibration="beyond/comparison_calibration_homes_{homes}",
        ),
    log:
        "logs/{variant}beyond_comparison_homes/{homes}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        calls=lambda wildcards: {
            "comparison": call(
                "noiseless.papers.beyond.comparison_homes.comparison_tables",
                "readings",
                **COMPARED,
                **COMPARISON["homes"],
                public_range_kwh=MEMBERSHIP["public_range_kwh"][wildcards.homes],
                **drawn_for(wildcards.homes),
            ),
        },
    script:
        "../scripts/make_tables.py"


rule beyond_comparison_meter:
    input:
        redd=prepared("redd"),
    output:
        **tables(
            comparison="beyond/comparison_meter",
            calibration="beyond/comparison_calibration_meter",
        ),
    log:
        "logs/{variant}beyond_comparison_meter.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(3000),
    params:
        calls={
            "comparison": call(
                "noiseless.papers.beyond.comparison_meter.comparison_tables",
                "redd",
                **COMPARED,
                **COMPARISON["meter"],
                **pick(NILM, "mains_range_w", "period_s", "train_before", "days"),
                **pick(NILM, "hmm", "learned", "draws"),
                seed=config["seed"],
            ),
        },
    script:
        "../scripts/make_tables.py"


rule beyond_comparison_trips:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        **tables(
            comparison="beyond/comparison_trips",
            calibration="beyond/comparison_calibration_trips",
        ),
    log:
        "logs/{variant}beyond_comparison_trips.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        calls={
            "comparison": call(
                "noiseless.papers.beyond.comparison_trips.comparison_tables",
                "trips",
                **COMPARED,
                **COMPARISON["trips"],
                **TRIPS_BOX,
                seed=config["seed"],
            ),
        },
    script:
        "../scripts/make_tables.py"


# The membership game against adversaries who know the mechanism.
rule beyond_adversaries:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(
            adversaries="beyond/adversaries_{homes}",
            repeated="beyond/adversaries_repeated_{homes}",
        ),
    log:
        "logs/{variant}beyond_adversaries/{homes}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        calls=lambda wildcards: {
            "adversaries": call(
                "noiseless.papers.beyond.adversaries.knowledge_tables",
                "readings",
                **membership_release(wildcards.homes),
                **without(ADVERSARIES, "shown_epsilon_bits"),
                **drawn_for(wildcards.homes),
            ),
        },
    script:
        "../scripts/make_tables.py"
