# Noiseless Privacy: the membership game on two sets of homes, appliances behind a quantized meter
# (Figure 4), unique trips (Figures 5 and 6), and the guarantees by enumeration.


use rule make_table as noiseless_table with:
    group:
        "noiseless"


rule noiseless:
    input:
        lambda wildcards: results_of("noiseless"),


use rule noiseless_table as noiseless_membership with:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(table="noiseless/membership_{homes}"),
    pathvars:
        job="noiseless_membership/{homes}",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.noiseless.membership.advantage_table",
            lambda wildcards: membership_settings(wildcards.homes),
        ),


use rule noiseless_table as noiseless_membership_choices with:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(table="noiseless/membership_choices_{homes}"),
    pathvars:
        job="noiseless_membership_choices/{homes}",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.noiseless.membership.choices_table",
            lambda wildcards: {
                **MEMBERSHIP["choices"],
                **range_and_fuse(wildcards.homes),
                **drawn_for(wildcards.homes),
                "resolutions": RESOLUTIONS[wildcards.homes],
            },
        ),


use rule noiseless_table as noiseless_membership_ranges with:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(table="noiseless/membership_ranges_{homes}"),
    pathvars:
        job="noiseless_membership_ranges/{homes}",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.noiseless.membership.ranges_table",
            lambda wildcards: {
                **MEMBERSHIP["ranges"],
                **pick(MEMBERSHIP["choices"], "cells", "almost_zero"),
                **range_and_fuse(wildcards.homes),
                **drawn_for(wildcards.homes),
            },
        ),


use rule noiseless_table as noiseless_membership_learned with:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(table="noiseless/membership_learned_{homes}"),
    pathvars:
        job="noiseless_membership_learned/{homes}",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.noiseless.membership.learned_table",
            lambda wildcards: learned_settings(wildcards.homes),
        ),


use rule noiseless_table as noiseless_membership_pairs with:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(
            pairs="noiseless/membership_pairs_{homes}", homes="noiseless/membership_homes_{homes}"
        ),
    pathvars:
        job="noiseless_membership_pairs/{homes}",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.noiseless.selected_pairs.tables",
            lambda wildcards: {
                **membership_release(wildcards.homes),
                **MEMBERSHIP["pairs"],
                "main_fuse_kwh": MEMBERSHIP["main_fuse_kwh"],
                **drawn_for(wildcards.homes),
            },
        ),


# How often the intervals of the membership game hold the truth.
use rule noiseless_table as noiseless_coverage with:
    output:
        **tables(table="noiseless/coverage"),
    pathvars:
        job="noiseless_coverage",
    params:
        **call(
            "noiseless.experiments.noiseless.coverage.coverage_table",
            **MEMBERSHIP["coverage"],
            seed=config["seed"],
        ),


# What a quantized meter still says about a home's appliances (Figure 4 of noiseless).
NILM_BASE = pick(NILM, "mains_range_w", "period_s", "quantize", "train_before", "days")


use rule noiseless_table as noiseless_nilm_attacks with:
    input:
        redd=prepared("redd"),
    output:
        **tables(
            attacks="noiseless/nilm_attacks",
            release="noiseless/nilm_release",
            recording="noiseless/nilm_recording",
        ),
    pathvars:
        job="noiseless_nilm_attacks",
    resources:
        mem_mb=memory(3000),
    params:
        **call(
            "noiseless.experiments.noiseless.nilm.attack_tables",
            **NILM_BASE,
            **pick(NILM, "epsilon_bits", "hmm", "learned", "trainings", "draws"),
            seed=config["seed"],
        ),


use rule noiseless_table as noiseless_nilm_energy with:
    input:
        redd=prepared("redd"),
    output:
        **tables(table="noiseless/nilm_energy"),
    pathvars:
        job="noiseless_nilm_energy",
    params:
        **call(
            "noiseless.experiments.noiseless.nilm.energy_table",
            **pick(NILM, "days", "train_before"),
        ),


use rule noiseless_table as noiseless_nilm_choices with:
    input:
        redd=prepared("redd"),
    output:
        **tables(table="noiseless/nilm_choices"),
    pathvars:
        job="noiseless_nilm_choices",
    params:
        **call(
            "noiseless.experiments.noiseless.nilm.choices_table",
            **NILM_BASE,
            epsilon_bits=NILM["choices"]["epsilon_bits"],
            choices=without(NILM["choices"], "epsilon_bits"),
            seed=config["seed"],
        ),


# Unique trips (noiseless, Figures 5 and 6). The figures are about the first file, as in the paper;
# the count over shards is about all files together.
TRIP_RUNS = [
    f"data/prepared/nyc_taxi/{{shard}}/epsilon_{e}.npy" for e in TRIPS["shards_epsilon_bits"]
]


use rule noiseless_table as noiseless_trips_taken with:
    input:
        **{f"file_{shard}": f"data/prepared/nyc_taxi/{shard}_taken.parquet" for shard in TRIP_FILES},
    output:
        **tables(table="noiseless/trips_taken"),
    pathvars:
        job="noiseless_trips_taken",
    params:
        **call("noiseless.experiments.noiseless.trips.taken_table"),


use rule noiseless_table as noiseless_trips_budget with:
    output:
        **tables(table="noiseless/trips_budget"),
    pathvars:
        job="noiseless_trips_budget",
    params:
        **call("noiseless.experiments.noiseless.trips.budget_table", **TRIPS_BUDGET),


use rule noiseless_table as noiseless_trips_density with:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        **tables(table="noiseless/trips_density"),
    pathvars:
        job="noiseless_trips_density",
    params:
        **call("noiseless.experiments.noiseless.trips.density_table", **TRIPS_DENSITY),


use rule noiseless_table as noiseless_trips_unique with:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        **tables(
            known="noiseless/trips_unique",
            numbers="noiseless/trips_unique_by_number",
            half="noiseless/trips_unique_half",
        ),
    pathvars:
        job="noiseless_trips_unique",
    resources:
        mem_mb=memory(2000),
    params:
        **call("noiseless.experiments.noiseless.trips.uniqueness_tables", **TRIPS_UNIQUE),


use rule noiseless_table as noiseless_trips_attribution with:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        **tables(table="noiseless/trips_attribution"),
    pathvars:
        job="noiseless_trips_attribution",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.noiseless.trips.attribution_table",
            **TRIPS_BOX,
            epsilon_bits=TRIPS["epsilon_bits"],
            paper_trips=TRIPS["paper_trips"],
        ),


rule noiseless_trips_keys:
    input:
        trips=prepared("nyc_taxi/{shard}"),
    output:
        temp(TRIP_RUNS),
    log:
        "logs/noiseless_trips_keys/{shard}.log",
    group:
        "trip_shard"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        code=source_digest("noiseless.experiments.noiseless.trips"),
        settings={**TRIPS_BOX, "epsilon_bits": TRIPS["shards_epsilon_bits"]},
    script:
        "../scripts/count_trip_keys.py"


rule noiseless_trips_shards:
    input:
        trips=TRIPS_PREPARED,
        runs=[run.format(shard=shard) for run in TRIP_RUNS for shard in TRIP_FILES],
    output:
        **tables(table="noiseless/trips_shards"),
    log:
        "logs/noiseless_trips_shards.log",
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        code=source_digest("noiseless.experiments.noiseless.trips"),
        epsilon_bits=TRIPS["shards_epsilon_bits"],
        settings=pick(TRIPS, "k"),
    script:
        "../scripts/merge_trip_shards.py"


use rule noiseless_table as noiseless_guarantees with:
    output:
        **tables(
            guarantees="noiseless/guarantees",
            estimation="noiseless/guarantees_estimation",
            levels="noiseless/guarantees_levels",
            bound="noiseless/guarantees_bound",
        ),
    pathvars:
        job="noiseless_guarantees",
    params:
        **call(
            "noiseless.experiments.noiseless.guarantees.tables",
            **config["noiseless"]["guarantees"],
            seed=config["seed"],
        ),


use rule noiseless_table as noiseless_premises with:
    output:
        **tables(
            related="noiseless/premises_related",
            units="noiseless/premises_units",
            sensitivity="noiseless/premises_sensitivity",
        ),
    pathvars:
        job="noiseless_premises",
    params:
        **call("noiseless.experiments.noiseless.premises.tables", **config["noiseless"]["premises"]),


FIGURES |= {
    "noiseless/fig5": {
        "function": "noiseless.trips.fig5",
        "tables": {"density": "noiseless/trips_density"},
        "figure": "5",
        "shows": "pickups on a map",
        "settings": {**TRIPS_BOX, "levels": TRIPS["map_levels"]},
    },
    "noiseless/fig6": {
        "function": "noiseless.trips.fig6",
        "tables": {
            "known": "noiseless/trips_unique",
            "half": "noiseless/trips_unique_half",
            "budget": "noiseless/trips_budget",
        },
        "figure": "6",
        "shows": "unique trips against epsilon",
    },
    "noiseless/fig6_beyond": {
        "function": "noiseless.trips.fig6_beyond",
        "tables": {
            "known": "noiseless/trips_unique",
            "numbers": "noiseless/trips_unique_by_number",
        },
        "figure": "6, beyond",
        "shows": "larger groups, pickup times, fewer trips",
    },
    "noiseless/fig6_attribution": {
        "function": "noiseless.trips.fig6_attribution",
        "tables": {"attribution": "noiseless/trips_attribution"},
        "figure": "6, attribution",
        "shows": "rides that are found by their ends and their hour",
    },
    "noiseless/fig4": {
        "function": "noiseless.nilm.fig4",
        "tables": {"attacks": "noiseless/nilm_attacks", "recording": "noiseless/nilm_recording"},
        "figure": "4",
        "shows": "f-score of disaggregation against epsilon",
        "settings": {"period_s": NILM["period_s"]},
        "says": TAKING_PART["states"],
    },
    "noiseless/fig4_choices": {
        "function": "noiseless.nilm.fig4_choices",
        "tables": {"choices": "noiseless/nilm_choices"},
        "figure": "4, open choices",
        "shows": "what the paper leaves open",
    },
}


for homes in RESOLUTIONS:
    FIGURES |= {
        f"noiseless/fig3_{homes}": {
            "function": "noiseless.membership.fig3",
            "tables": {"table": f"noiseless/membership_{homes}"},
            "figure": "3",
            "shows": f"membership game, {homes}",
            "says": TAKING_PART["prefer"],
            "settings": {"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        },
        f"noiseless/fig3_ranges_{homes}": {
            "function": "noiseless.membership.fig3_ranges",
            "tables": {"table": f"noiseless/membership_ranges_{homes}"},
            "figure": "3, ranges",
            "shows": f"advantage against the public range, {homes}",
            "settings": {**pick(MEMBERSHIP["choices"], "almost_zero"), **range_and_fuse(homes)},
        },
        **{
            f"noiseless/fig3_pairs{suffix}_{homes}": {
                "function": "noiseless.membership.fig3_pairs",
                "tables": {
                    "pairs": f"noiseless/membership_pairs_{homes}",
                    "homes": f"noiseless/membership_homes_{homes}",
                },
                "figure": "3, pairs",
                "shows": f"an adversary who selects the homes, {homes}, {range_kwh} kWh",
                "settings": {"range_kwh": range_kwh},
            }
            for suffix, range_kwh in (
                ("", MEMBERSHIP["public_range_kwh"][homes]),
                ("_fuse", MEMBERSHIP["main_fuse_kwh"]),
            )
        },
        f"noiseless/fig3_choices_{homes}": {
            "function": "noiseless.membership.fig3_choices",
            "tables": {"table": f"noiseless/membership_choices_{homes}"},
            "figure": "3, choices",
            "shows": f"what the paper leaves open, {homes}",
            "settings": {"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        },
        f"noiseless/fig3_learned_{homes}": {
            "function": "noiseless.membership.fig3_learned",
            "tables": {"table": f"noiseless/membership_learned_{homes}"},
            "figure": "3, learned",
            "shows": f"a trained adversary, {homes}",
            "says": TAKING_PART["prefer"],
        },
    }
