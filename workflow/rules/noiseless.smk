# Noiseless Privacy: the membership game on sets of homes (Figure 3), appliances behind a quantized
# meter (Figure 4), unique trips (Figures 5 and 6), and the guarantees by enumeration.
NOISELESS = config["noiseless"]


# These rules take any set of homes. Results that it is too small for are left out; the log and the
# table name the reason.
rule noiseless_membership:
    input:
        readings=get_homes_path,
    output:
        membership="{results}/tables/noiseless/membership_{homes}.parquet",
        ranges="{results}/tables/noiseless/membership_ranges_{homes}.parquet",
        learned="{results}/tables/noiseless/membership_learned_{homes}.parquet",
        hiding="{results}/tables/noiseless/membership_hiding_{homes}.parquet",
    log:
        "logs/{results}/noiseless_membership/{homes}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_homes_memory(2000),
    params:
        homes=get_homes_settings,
        membership=NOISELESS["membership"],
        ranges=NOISELESS["ranges"],
        learned=NOISELESS["learned"],
        hiding=NOISELESS["hiding"],
        seed=get_seed,
        plugins=PLUGINS,
        code=digest_code("noiseless"),
    script:
        "../scripts/noiseless/membership.py"


# Sets of hours or half-hours play Figure 3 at their own resolution, too, in fewer games.
FINER_HOMES = [name for name, homes in HOMES.items() if homes["resolution"] != "days"]


rule noiseless_readings:
    input:
        readings=get_homes_path,
    output:
        readings="{results}/tables/noiseless/membership_readings_{homes}.parquet",
    log:
        "logs/{results}/noiseless_readings/{homes}.log",
    wildcard_constraints:
        homes="|".join(map(re.escape, FINER_HOMES)) or NO_SET,
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_homes_memory(2000),
    params:
        homes=get_homes_settings,
        membership={key: NOISELESS["membership"][key] for key in ("n", "quantizer_rule", "peaks")},
        readings=NOISELESS["readings"],
        seed=get_seed,
        plugins=PLUGINS,
        code=digest_code("noiseless"),
    script:
        "../scripts/noiseless/membership_readings.py"


# This figure compares the public sets; a set of the user has figures of its own.
rule noiseless_sets:
    input:
        lambda wildcards: (
            expand("data/prepared/{homes}.parquet", homes=COMPARED_HOMES)
            or refuse_left_out("ausgrid", "london")
        ),
        expand(
            [
                rules.noiseless_membership.output.membership,
                rules.noiseless_membership.output.learned,
                rules.noiseless_membership.output.hiding,
            ],
            results="results",
            homes=COMPARED_HOMES,
        ),
    output:
        sets="results/tables/noiseless/sets_of_homes.parquet",
        hiding="results/tables/noiseless/sets_hiding.parquet",
    log:
        "logs/results/noiseless_sets.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_memory(2000),
    params:
        homes={name: drop_place(HOMES[name]) for name in COMPARED_HOMES},
        membership=NOISELESS["membership"],
        seed=config["seed"],
        plugins=PLUGINS,
        code=digest_code("noiseless"),
    script:
        "../scripts/noiseless/sets.py"


# Tables on the public sets alone: for the week of `choices` and the 150 candidates of `pairs`.
rule noiseless_public_homes:
    input:
        readings=get_homes_path,
    output:
        choices="{results}/tables/noiseless/membership_choices_{homes}.parquet",
        pairs="{results}/tables/noiseless/membership_pairs_{homes}.parquet",
    log:
        "logs/{results}/noiseless_public_homes/{homes}.log",
    wildcard_constraints:
        homes="|".join(PUBLIC_HOMES) or NO_SET,
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_homes_memory(2000),
    params:
        homes=get_homes_settings,
        membership={"quantizer_rule": NOISELESS["membership"]["quantizer_rule"]},
        choices=NOISELESS["choices"],
        pairs=NOISELESS["pairs"],
        seed=get_seed,
        plugins=PLUGINS,
        code=digest_code("noiseless"),
    script:
        "../scripts/noiseless/public_homes.py"


# Measure what a quantized meter still reveals about a home's appliances, of any recording.
rule noiseless_nilm:
    input:
        readings="data/prepared/{recording}.parquet",
    output:
        attacks="{results}/tables/noiseless/nilm_attacks_{recording}.parquet",
        release="{results}/tables/noiseless/nilm_release_{recording}.parquet",
        meters="{results}/tables/noiseless/nilm_meters_{recording}.parquet",
        energy="{results}/tables/noiseless/nilm_energy_{recording}.parquet",
    log:
        "logs/{results}/noiseless_nilm/{recording}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_memory(3000),
    params:
        recordings=get_recording_settings,
        nilm=NOISELESS["nilm"],
        seed=get_seed,
        plugins=PLUGINS,
        code=digest_code("noiseless"),
    script:
        "../scripts/noiseless/nilm.py"


rule noiseless_trips:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        budget="{results}/tables/noiseless/trips_budget.parquet",
        density="{results}/tables/noiseless/trips_density.parquet",
        known="{results}/tables/noiseless/trips_unique.parquet",
        numbers="{results}/tables/noiseless/trips_unique_by_number.parquet",
        half="{results}/tables/noiseless/trips_unique_half.parquet",
        attribution="{results}/tables/noiseless/trips_attribution.parquet",
    log:
        "logs/{results}/noiseless_trips.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=request_memory(2000),
    params:
        data=TRIPS_BOX,
        trips=NOISELESS["trips"],
        code=digest_code("noiseless"),
    script:
        "../scripts/noiseless/trips.py"


rule noiseless_trips_taken:
    input:
        taken=expand("data/prepared/nyc_taxi/{shard}_taken.parquet", shard=TRIP_SHARDS),
    output:
        taken="{results}/tables/noiseless/trips_taken.parquet",
    log:
        "logs/{results}/noiseless_trips_taken.log",
    conda:
        ENVIRONMENT
    params:
        code=digest_code("noiseless"),
    script:
        "../scripts/noiseless/trips_taken.py"


rule noiseless_theory:
    output:
        levels="{results}/tables/noiseless/guarantees_levels.parquet",
    log:
        "logs/{results}/noiseless_theory.log",
    conda:
        ENVIRONMENT
    params:
        guarantees=NOISELESS["guarantees"],
        code=digest_code("noiseless"),
    script:
        "../scripts/noiseless/theory.py"


# Each dataset has one job for all its figures, so that missing data stop no other figure. This is that
# of a set of homes which plays no game of the public ones.
rule noiseless_figures_homes:
    input:
        expand(rules.noiseless_membership.output, results="results", allow_missing=True),
    output:
        declare_figures("noiseless", "fig3_{homes}", "fig3_ranges_{homes}", "fig3_learned_{homes}"),
    log:
        "logs/noiseless_figures_homes/{homes}.log",
    wildcard_constraints:
        homes="|".join(map(re.escape, sorted({*config["homes"]} - {*PUBLIC_HOMES}))) or NO_SET,
    conda:
        ENVIRONMENT
    params:
        homes=get_homes_settings,
        plugins=PLUGINS,
        data_use=load_data_use("noiseless"),
        code=digest_figure_code("noiseless"),
    script:
        "../scripts/noiseless/figures_homes.py"


rule noiseless_figures_readings:
    input:
        expand(rules.noiseless_readings.output, results="results", allow_missing=True),
    output:
        declare_figures("noiseless", "fig3_readings_{homes}"),
    log:
        "logs/noiseless_figures_readings/{homes}.log",
    wildcard_constraints:
        homes="|".join(map(re.escape, FINER_HOMES)) or NO_SET,
    conda:
        ENVIRONMENT
    params:
        homes=get_homes_settings,
        plugins=PLUGINS,
        data_use=load_data_use("noiseless"),
        code=digest_figure_code("noiseless"),
    script:
        "../scripts/noiseless/figures_readings.py"


rule noiseless_figures_sets:
    input:
        rules.noiseless_sets.output,
        expand(
            rules.noiseless_membership.output.membership,
            results="results",
            homes=COMPARED_HOMES,
        ),
    output:
        declare_figures("noiseless", "sets_of_homes", "sets_by_budget", "hiding"),
    log:
        "logs/noiseless_figures_sets.log",
    conda:
        ENVIRONMENT
    params:
        homes={name: drop_place(HOMES[name]) for name in COMPARED_HOMES},
        plugins=PLUGINS,
        data_use=load_data_use("noiseless"),
        code=digest_figure_code("noiseless"),
    script:
        "../scripts/noiseless/figures_sets.py"


rule noiseless_figures_public_homes:
    input:
        expand(
            [*rules.noiseless_membership.output, *rules.noiseless_public_homes.output],
            results="results",
            allow_missing=True,
        ),
    output:
        declare_figures(
            *("noiseless", "fig3_{homes}", "fig3_ranges_{homes}", "fig3_learned_{homes}"),
            "fig3_choices_{homes}",
            "fig3_pairs_{homes}",
            "fig3_pairs_fuse_{homes}",
        ),
    log:
        "logs/noiseless_figures_public_homes/{homes}.log",
    wildcard_constraints:
        homes="|".join(PUBLIC_HOMES) or NO_SET,
    conda:
        ENVIRONMENT
    params:
        homes=get_homes_settings,
        plugins=PLUGINS,
        data_use=load_data_use("noiseless"),
        code=digest_figure_code("noiseless"),
    script:
        "../scripts/noiseless/figures_public_homes.py"


rule noiseless_figures_recording:
    input:
        expand(rules.noiseless_nilm.output, results="results", allow_missing=True),
    output:
        declare_figures("noiseless", "fig4_{recording}"),
    log:
        "logs/noiseless_figures_recording/{recording}.log",
    conda:
        ENVIRONMENT
    params:
        nilm={"period_s": NOISELESS["nilm"]["period_s"]},
        plugins=PLUGINS,
        data_use=load_data_use("noiseless"),
        code=digest_figure_code("noiseless"),
    script:
        "../scripts/noiseless/figures_recording.py"


rule noiseless_figures_nyc_taxi:
    input:
        expand(rules.noiseless_trips.output, results="results"),
    output:
        declare_figures("noiseless", "fig5", "fig6", "fig6_beyond", "fig6_attribution"),
    log:
        "logs/noiseless_figures_nyc_taxi.log",
    conda:
        ENVIRONMENT
    params:
        data=TRIPS_BOX,
        trips={"map_levels": NOISELESS["trips"]["map_levels"]},
        data_use=load_data_use("noiseless"),
        code=digest_figure_code("noiseless"),
    script:
        "../scripts/noiseless/figures_nyc_taxi.py"


rule noiseless:
    input:
        figures=[
            *expand(
                rules.noiseless_figures_homes.output,
                homes=[name for name in HOMES if name not in PUBLIC_HOMES],
            ),
            *expand(rules.noiseless_figures_public_homes.output, homes=PUBLIC_HOMES),
            *expand(rules.noiseless_figures_readings.output, homes=FINER_HOMES),
            *(rules.noiseless_figures_sets.output if COMPARED_HOMES else []),
            *expand(rules.noiseless_figures_recording.output, recording=RECORDINGS),
            *keep_made("nyc_taxi", rules.noiseless_figures_nyc_taxi.output),
        ],
        verdicts="results/ledger/noiseless.parquet",
        tables=[
            *expand(rules.noiseless_membership.output, results="results", homes=HOMES),
            *expand(rules.noiseless_readings.output, results="results", homes=FINER_HOMES),
            *expand(rules.noiseless_public_homes.output, results="results", homes=PUBLIC_HOMES),
            *expand(rules.noiseless_nilm.output, results="results", recording=RECORDINGS),
            *expand(
                [
                    *(rules.noiseless_sets.output if COMPARED_HOMES else []),
                    *keep_made("nyc_taxi", rules.noiseless_trips.output),
                    *keep_made("nyc_taxi", rules.noiseless_trips_taken.output),
                    *rules.noiseless_theory.output,
                ],
                results="results",
            ),
        ],
    localrule: True
