# Noiseless Privacy: the membership game on two sets of homes, appliances behind a quantized meter
# (Figure 4), unique trips (Figures 5 and 6), and the guarantees by enumeration.


rule noiseless:
    input:
        lambda wildcards: results_of("noiseless"),


rule noiseless_membership:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(
            membership="noiseless/membership_{homes}",
            ranges="noiseless/membership_ranges_{homes}",
            learned="noiseless/membership_learned_{homes}",
            choices="noiseless/membership_choices_{homes}",
            pairs="noiseless/membership_pairs_{homes}",
            homes="noiseless/membership_homes_{homes}",
        ),
    log:
        "logs/{variant}noiseless_membership/{homes}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        calls=lambda wildcards: {
            "membership": call(
                "noiseless.papers.noiseless.membership.advantage_table",
                "readings",
                **membership_release(wildcards.homes),
                **pick(MEMBERSHIP, "games", "n", "epsilon_bits", "peaks"),
                resolution=(
                    MEMBERSHIP["resolution"] if len(RESOLUTIONS[wildcards.homes]) > 1 else "days"
                ),
                **drawn_for(wildcards.homes),
            ),
            "ranges": call(
                "noiseless.papers.noiseless.membership.ranges_table",
                "readings",
                **MEMBERSHIP["ranges"],
                **pick(MEMBERSHIP["choices"], "cells", "almost_zero"),
                **range_and_fuse(wildcards.homes),
                **drawn_for(wildcards.homes),
            ),
            "learned": call(
                "noiseless.papers.noiseless.membership.learned_table",
                "readings",
                **membership_release(wildcards.homes),
                **MEMBERSHIP["learned"],
                n=MEMBERSHIP["n"],
                resolution="days",
                **drawn_for(wildcards.homes),
            ),
            "choices": call(
                "noiseless.papers.noiseless.membership.choices_table",
                "readings",
                **MEMBERSHIP["choices"],
                **range_and_fuse(wildcards.homes),
                **drawn_for(wildcards.homes),
                resolutions=RESOLUTIONS[wildcards.homes],
            ),
            "pairs": call(
                "noiseless.papers.noiseless.selected_pairs.pairs_tables",
                "readings",
                **membership_release(wildcards.homes),
                **MEMBERSHIP["pairs"],
                main_fuse_kwh=MEMBERSHIP["main_fuse_kwh"],
                **drawn_for(wildcards.homes),
            ),
        },
    script:
        "../scripts/make_tables.py"


# How often the intervals of the membership game hold the truth.
rule noiseless_coverage:
    output:
        **tables(coverage="noiseless/coverage"),
    log:
        "logs/{variant}noiseless_coverage.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "coverage": call(
                "noiseless.papers.noiseless.coverage.coverage_table",
                **MEMBERSHIP["coverage"],
                seed=config["seed"],
            ),
        },
    script:
        "../scripts/make_tables.py"


# What a quantized meter still says about a home's appliances.
rule noiseless_nilm:
    input:
        redd=prepared("redd"),
    output:
        **tables(
            attacks="noiseless/nilm_attacks",
            release="noiseless/nilm_release",
            recording="noiseless/nilm_recording",
            energy="noiseless/nilm_energy",
            choices="noiseless/nilm_choices",
        ),
    log:
        "logs/{variant}noiseless_nilm.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(3000),
    params:
        calls={
            "attacks": call(
                "noiseless.papers.noiseless.nilm.attack_tables",
                "redd",
                **pick(NILM, "mains_range_w", "period_s", "quantize", "train_before", "days"),
                **pick(NILM, "epsilon_bits", "hmm", "learned", "trainings", "draws"),
                seed=config["seed"],
            ),
            "energy": call(
                "noiseless.papers.noiseless.nilm.energy_table",
                "redd",
                **pick(NILM, "days", "train_before"),
            ),
            "choices": call(
                "noiseless.papers.noiseless.nilm.choices_table",
                "redd",
                **pick(NILM, "mains_range_w", "period_s", "quantize", "train_before", "days"),
                epsilon_bits=NILM["choices"]["epsilon_bits"],
                choices=without(NILM["choices"], "epsilon_bits"),
                seed=config["seed"],
            ),
        },
    script:
        "../scripts/make_tables.py"


rule noiseless_trips:
    input:
        **{f"file_{shard}": f"data/prepared/nyc_taxi/{shard}_taken.parquet" for shard in TRIP_FILES},
        trips=TRIPS_PREPARED[0],
    output:
        **tables(
            taken="noiseless/trips_taken",
            budget="noiseless/trips_budget",
            density="noiseless/trips_density",
            known="noiseless/trips_unique",
            numbers="noiseless/trips_unique_by_number",
            half="noiseless/trips_unique_half",
            attribution="noiseless/trips_attribution",
        ),
    log:
        "logs/{variant}noiseless_trips.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        calls={
            "taken": call(
                "noiseless.papers.noiseless.trips.taken_table",
                *(f"file_{shard}" for shard in TRIP_FILES),
            ),
            "budget": call(
                "noiseless.papers.noiseless.trips.place_budget_table",
                **TRIPS_BOX,
                **pick(TRIPS, "epsilon_bits"),
            ),
            "density": call(
                "noiseless.papers.noiseless.trips.density_table",
                "trips",
                **TRIPS_BOX,
                levels=TRIPS["map_levels"],
            ),
            "unique": call(
                "noiseless.papers.noiseless.trips.uniqueness_tables",
                "trips",
                **TRIPS_BOX,
                **pick(TRIPS, "epsilon_bits", "k", "numbers"),
            ),
            "attribution": call(
                "noiseless.papers.noiseless.trips.attribution_table",
                "trips",
                **TRIPS_BOX,
                **pick(TRIPS, "epsilon_bits", "paper_trips"),
            ),
        },
    script:
        "../scripts/make_tables.py"


# How many trips of all files share each report, one job for each partition of the reports.
rule noiseless_trips_counts:
    input:
        trips=TRIPS_PREPARED,
    output:
        "data/prepared/nyc_taxi/counts_{partition}.parquet",
    log:
        "logs/noiseless_trips_counts/{partition}.log",
    wildcard_constraints:
        partition="[0-9]+",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        code=source_digest("noiseless.papers.noiseless.trips"),
        settings={
            **TRIPS_BOX,
            "epsilon_bits": TRIPS["shards_epsilon_bits"],
            "partitions": TRIPS["shards_partitions"],
        },
    script:
        "../scripts/count_trip_keys.py"


rule noiseless_trips_shards:
    input:
        **{
            f"partition_{each}": f"data/prepared/nyc_taxi/counts_{each}.parquet"
            for each in range(TRIPS["shards_partitions"])
        },
    output:
        **tables(table="noiseless/trips_shards"),
    log:
        "logs/{variant}noiseless_trips_shards.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "table": call(
                "noiseless.papers.noiseless.trips.shards_table",
                *(f"partition_{each}" for each in range(TRIPS["shards_partitions"])),
                **pick(TRIPS, "k"),
                files=len(TRIP_FILES),
            ),
        },
    script:
        "../scripts/make_tables.py"


rule noiseless_theory:
    output:
        **tables(
            guarantees="noiseless/guarantees",
            estimation="noiseless/guarantees_estimation",
            levels="noiseless/guarantees_levels",
            bound="noiseless/guarantees_bound",
            sentences="noiseless/sentences",
            related="noiseless/premises_related",
            units="noiseless/premises_units",
            sensitivity="noiseless/premises_sensitivity",
        ),
    log:
        "logs/{variant}noiseless_theory.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "guarantees": call(
                "noiseless.papers.noiseless.guarantees.guarantee_tables",
                **config["noiseless"]["guarantees"],
                seed=config["seed"],
            ),
            "sentences": call("noiseless.papers.noiseless.sentences.sentences_table"),
            "premises": call(
                "noiseless.papers.noiseless.premises.premise_tables",
                **config["noiseless"]["premises"],
            ),
        },
    script:
        "../scripts/make_tables.py"
