# Noiseless Privacy: the membership game on two sets of homes, appliances behind a quantized meter
# (Figure 4), unique trips (Figures 5 and 6), and the guarantees by enumeration.
MEMBERSHIP = config["noiseless"]["membership"]
# London's readings are daily.
MEMBERSHIP_RESOLUTIONS = {"ausgrid": ["days", "half-hours"], "london": ["days"]}


for dataset, resolutions in MEMBERSHIP_RESOLUTIONS.items():

    rule:
        name:
            f"noiseless_membership_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            table=table(f"noiseless/membership_{dataset}"),
        log:
            f"logs/noiseless_membership_{dataset}.log",
        benchmark:
            f"benchmarks/noiseless_membership_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.noiseless.membership.advantage_table",
                {
                    **membership_release(dataset),
                    "dataset": dataset,
                    "seed": config["seed"],
                    "games": MEMBERSHIP["games"],
                    "n": MEMBERSHIP["n"],
                    "epsilon_bits": MEMBERSHIP["epsilon_bits"],
                    "resolution": MEMBERSHIP["resolution"] if len(resolutions) > 1 else "days",
                    "peaks": MEMBERSHIP["peaks"],
                },
            ),
        script:
            "../scripts/make_table.py"

    rule:
        name:
            f"noiseless_membership_choices_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            table=table(f"noiseless/membership_choices_{dataset}"),
        log:
            f"logs/noiseless_membership_choices_{dataset}.log",
        benchmark:
            f"benchmarks/noiseless_membership_choices_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.noiseless.membership.choices_table",
                {
                    **MEMBERSHIP["choices"],
                    "public_range_kwh": MEMBERSHIP["public_range_kwh"][dataset],
                    "main_fuse_kwh": MEMBERSHIP["main_fuse_kwh"],
                    "dataset": dataset,
                    "seed": config["seed"],
                    "resolutions": resolutions,
                },
            ),
        script:
            "../scripts/make_table.py"

    rule:
        name:
            f"noiseless_membership_ranges_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            table=table(f"noiseless/membership_ranges_{dataset}"),
        log:
            f"logs/noiseless_membership_ranges_{dataset}.log",
        benchmark:
            f"benchmarks/noiseless_membership_ranges_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.noiseless.membership.ranges_table",
                {
                    **MEMBERSHIP["ranges"],
                    **{key: MEMBERSHIP["choices"][key] for key in ("cells", "almost_zero")},
                    "public_range_kwh": MEMBERSHIP["public_range_kwh"][dataset],
                    "main_fuse_kwh": MEMBERSHIP["main_fuse_kwh"],
                    "dataset": dataset,
                    "seed": config["seed"],
                },
            ),
        script:
            "../scripts/make_table.py"

    rule:
        name:
            f"noiseless_membership_learned_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            table=table(f"noiseless/membership_learned_{dataset}"),
        log:
            f"logs/noiseless_membership_learned_{dataset}.log",
        benchmark:
            f"benchmarks/noiseless_membership_learned_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.noiseless.membership.learned_table",
                {
                    **membership_release(dataset),
                    **MEMBERSHIP["learned"],
                    "dataset": dataset,
                    "seed": config["seed"],
                    "resolution": "days",
                },
            ),
        script:
            "../scripts/make_table.py"

    rule:
        name:
            f"noiseless_membership_pairs_{dataset}"
        input:
            readings=f"data/prepared/{dataset}.parquet",
        output:
            pairs=table(f"noiseless/membership_pairs_{dataset}"),
            homes=table(f"noiseless/membership_homes_{dataset}"),
        log:
            f"logs/noiseless_membership_pairs_{dataset}.log",
        benchmark:
            f"benchmarks/noiseless_membership_pairs_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.noiseless.selected_pairs.tables",
                {
                    **membership_release(dataset),
                    **MEMBERSHIP["pairs"],
                    "main_fuse_kwh": MEMBERSHIP["main_fuse_kwh"],
                    "dataset": dataset,
                    "seed": config["seed"],
                },
            ),
        script:
            "../scripts/make_table.py"


# How often the intervals of the membership game hold the truth.
rule noiseless_coverage:
    output:
        table=table("noiseless/coverage"),
    log:
        "logs/noiseless_coverage.log",
    benchmark:
        "benchmarks/noiseless_coverage.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.noiseless.coverage.coverage_table",
            {**MEMBERSHIP["coverage"], "seed": config["seed"]},
        ),
    script:
        "../scripts/make_table.py"


# What a quantized meter still says about a home's appliances (Figure 4 of noiseless).
NILM = config["noiseless"]["nilm"]
NILM_BASE = {
    key: NILM[key] for key in ("mains_range_w", "period_s", "quantize", "train_before", "days")
}


rule noiseless_nilm_attacks:
    input:
        redd=rules.prepare_redd.output.table,
    output:
        attacks=table("noiseless/nilm_attacks"),
        release=table("noiseless/nilm_release"),
        recording=table("noiseless/nilm_recording"),
    log:
        "logs/noiseless_nilm_attacks.log",
    benchmark:
        "benchmarks/noiseless_nilm_attacks.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(3000),
    params:
        **call(
            "noiseless.experiments.noiseless.nilm.attack_tables",
            {
                **NILM_BASE,
                **{
                    key: NILM[key]
                    for key in ("epsilon_bits", "hmm", "learned", "trainings", "draws")
                },
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule noiseless_nilm_energy:
    input:
        redd=rules.prepare_redd.output.table,
    output:
        table=table("noiseless/nilm_energy"),
    log:
        "logs/noiseless_nilm_energy.log",
    benchmark:
        "benchmarks/noiseless_nilm_energy.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.noiseless.nilm.energy_table",
            {key: NILM[key] for key in ("days", "train_before")},
        ),
    script:
        "../scripts/make_table.py"


rule noiseless_nilm_choices:
    input:
        redd=rules.prepare_redd.output.table,
    output:
        table=table("noiseless/nilm_choices"),
    log:
        "logs/noiseless_nilm_choices.log",
    benchmark:
        "benchmarks/noiseless_nilm_choices.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.noiseless.nilm.choices_table",
            {
                **NILM_BASE,
                "epsilon_bits": NILM["choices"]["epsilon_bits"],
                "choices": {
                    key: NILM["choices"][key] for key in NILM["choices"] if key != "epsilon_bits"
                },
                "seed": config["seed"],
            },
        ),
    script:
        "../scripts/make_table.py"


# Unique trips (noiseless, Figures 5 and 6). The figures are about the first file, as in the paper;
# the count over shards is about all files together.
TRIPS = config["noiseless"]["trips"]
TRIPS_BOX = {key: TRIPS[key] for key in ("latitude_range_deg", "longitude_range_deg")}
TRIPS_PREPARED = expand(rules.prepare_nyc_taxi.output.trips, shard=TRIP_FILES)
TRIP_RUNS = [
    f"data/prepared/nyc_taxi/{{shard}}/epsilon_{e}.npy" for e in TRIPS["shards_epsilon_bits"]
]


rule noiseless_trips_taken:
    input:
        **{
            f"file_{shard}": rules.prepare_nyc_taxi.output.taken.format(shard=shard)
            for shard in TRIP_FILES
        },
    output:
        table=table("noiseless/trips_taken"),
    log:
        "logs/noiseless_trips_taken.log",
    benchmark:
        "benchmarks/noiseless_trips_taken.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        **call("noiseless.experiments.noiseless.trips.taken_table", {}),
    script:
        "../scripts/make_table.py"


rule noiseless_trips_budget:
    output:
        table=table("noiseless/trips_budget"),
    log:
        "logs/noiseless_trips_budget.log",
    benchmark:
        "benchmarks/noiseless_trips_budget.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.noiseless.trips.budget_table",
            {**TRIPS_BOX, "epsilon_bits": TRIPS["epsilon_bits"]},
        ),
    script:
        "../scripts/make_table.py"


rule noiseless_trips_density:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        table=table("noiseless/trips_density"),
    log:
        "logs/noiseless_trips_density.log",
    benchmark:
        "benchmarks/noiseless_trips_density.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.noiseless.trips.density_table",
            {**TRIPS_BOX, "levels": TRIPS["map_levels"]},
        ),
    script:
        "../scripts/make_table.py"


rule noiseless_trips_unique:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        known=table("noiseless/trips_unique"),
        numbers=table("noiseless/trips_unique_by_number"),
        half=table("noiseless/trips_unique_half"),
    log:
        "logs/noiseless_trips_unique.log",
    benchmark:
        "benchmarks/noiseless_trips_unique.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.noiseless.trips.uniqueness_tables",
            {
                **TRIPS_BOX,
                "epsilon_bits": TRIPS["epsilon_bits"],
                "k": TRIPS["k"],
                "numbers": TRIPS["numbers"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule noiseless_trips_attribution:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        table=table("noiseless/trips_attribution"),
    log:
        "logs/noiseless_trips_attribution.log",
    benchmark:
        "benchmarks/noiseless_trips_attribution.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.noiseless.trips.attribution_table",
            {
                **TRIPS_BOX,
                "epsilon_bits": TRIPS["epsilon_bits"],
                "paper_trips": TRIPS["paper_trips"],
            },
        ),
    script:
        "../scripts/make_table.py"


rule noiseless_trips_keys:
    input:
        trips=rules.prepare_nyc_taxi.output.trips,
    output:
        temp(TRIP_RUNS),
    log:
        "logs/noiseless_trips_keys/{shard}.log",
    benchmark:
        "benchmarks/noiseless_trips_keys/{shard}.tsv"
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
        table=table("noiseless/trips_shards"),
    log:
        "logs/noiseless_trips_shards.log",
    benchmark:
        "benchmarks/noiseless_trips_shards.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(2000),
    params:
        code=source_digest("noiseless.experiments.noiseless.trips"),
        epsilon_bits=TRIPS["shards_epsilon_bits"],
        settings={"k": TRIPS["k"]},
    script:
        "../scripts/merge_trip_shards.py"


rule noiseless_guarantees:
    output:
        guarantees=table("noiseless/guarantees"),
        estimation=table("noiseless/guarantees_estimation"),
        levels=table("noiseless/guarantees_levels"),
        bound=table("noiseless/guarantees_bound"),
    log:
        "logs/noiseless_guarantees.log",
    benchmark:
        "benchmarks/noiseless_guarantees.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.noiseless.guarantees.tables",
            {**config["noiseless"]["guarantees"], "seed": config["seed"]},
        ),
    script:
        "../scripts/make_table.py"


rule noiseless_premises:
    output:
        related=table("noiseless/premises_related"),
        units=table("noiseless/premises_units"),
        sensitivity=table("noiseless/premises_sensitivity"),
    log:
        "logs/noiseless_premises.log",
    benchmark:
        "benchmarks/noiseless_premises.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.noiseless.premises.tables",
            config["noiseless"]["premises"],
        ),
    script:
        "../scripts/make_table.py"


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


for dataset in MEMBERSHIP_RESOLUTIONS:
    FIGURES |= {
        f"noiseless/fig3_{dataset}": {
            "function": "noiseless.membership.fig3",
            "tables": {"table": f"noiseless/membership_{dataset}"},
            "figure": "3",
            "shows": f"membership game, {dataset}",
            "says": TAKING_PART["prefer"],
            "settings": {"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        },
        f"noiseless/fig3_ranges_{dataset}": {
            "function": "noiseless.membership.fig3_ranges",
            "tables": {"table": f"noiseless/membership_ranges_{dataset}"},
            "figure": "3, ranges",
            "shows": f"advantage against the public range, {dataset}",
            "settings": {
                "almost_zero": MEMBERSHIP["choices"]["almost_zero"],
                "public_range_kwh": MEMBERSHIP["public_range_kwh"][dataset],
                "main_fuse_kwh": MEMBERSHIP["main_fuse_kwh"],
            },
        },
        **{
            f"noiseless/fig3_pairs{suffix}_{dataset}": {
                "function": "noiseless.membership.fig3_pairs",
                "tables": {
                    "pairs": f"noiseless/membership_pairs_{dataset}",
                    "homes": f"noiseless/membership_homes_{dataset}",
                },
                "figure": "3, pairs",
                "shows": f"an adversary who selects the homes, {dataset}, {range_kwh} kWh",
                "settings": {"range_kwh": range_kwh},
            }
            for suffix, range_kwh in (
                ("", MEMBERSHIP["public_range_kwh"][dataset]),
                ("_fuse", MEMBERSHIP["main_fuse_kwh"]),
            )
        },
        f"noiseless/fig3_choices_{dataset}": {
            "function": "noiseless.membership.fig3_choices",
            "tables": {"table": f"noiseless/membership_choices_{dataset}"},
            "figure": "3, choices",
            "shows": f"what the paper leaves open, {dataset}",
            "settings": {"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        },
        f"noiseless/fig3_learned_{dataset}": {
            "function": "noiseless.membership.fig3_learned",
            "tables": {"table": f"noiseless/membership_learned_{dataset}"},
            "figure": "3, learned",
            "shows": f"a trained adversary, {dataset}",
            "says": TAKING_PART["prefer"],
        },
    }


rule judge_noiseless:
    input:
        **judged("noiseless"),
    output:
        ledger=ledger_of("noiseless"),
    log:
        "logs/judge_noiseless.log",
    benchmark:
        "benchmarks/judge_noiseless.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.judge"),
        tables=claimed_tables(CLAIMS, "noiseless"),
    script:
        "../scripts/judge_claims.py"
