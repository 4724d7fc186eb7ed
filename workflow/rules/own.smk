# Data of the user's, in place of the public ones (docs/own-data.md). Only the parts that are
# configured have rules, and are imported.
try:
    if "meters" in OWN:
        from noiseless.datasets.own.times import find_zone

        find_zone(OWN["meters"].get("time_zone"), section="own.meters")
    if "trips" in OWN:
        from noiseless.datasets.own.trips import public_box

        OWN_BOX = {key: OWN["trips"][key] for key in TRIPS_BOX}
        public_box(**OWN_BOX)
    if "people" in OWN:
        from noiseless.experiments.own.people import people_settings

        OWN_PEOPLE = people_settings(OWN["people"], BLURRING)
        OWN_QUANTITIES = {"quantities": OWN_PEOPLE["quantities"]}
except UserError as error:
    raise WorkflowError(str(error)) from None


if "meters" in OWN:

    rule prepare_own_meters:
        input:
            path=OWN_PATHS["meters"],
        output:
            table="data/prepared/own_meters.parquet",
            taken=table("own/meters_taken"),
        log:
            "logs/prepare_own_meters.log",
        benchmark:
            "benchmarks/prepare_own_meters.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(4000),
        params:
            dataset="own_meters",
            tier="own",
            registered={},
            file="",
            content=content_digests({"path": OWN_PATHS["meters"]}),
            function="noiseless.datasets.own.meters.read_meters",
            code=source_digest("noiseless.datasets.own.meters"),
            settings=own_reading("meters"),
        script:
            "../scripts/prepare_data.py"

    rule own_meters_membership:
        input:
            readings=rules.prepare_own_meters.output.table,
        output:
            advantage=table("own/meters_membership"),
            learned=table("own/meters_membership_learned"),
        log:
            "logs/own_meters_membership.log",
        benchmark:
            "benchmarks/own_meters_membership.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.own.meters.membership_tables",
                {
                    **membership_release("own_meters"),
                    "dataset": "own_meters",
                    "seed": config["seed"],
                    "games": MEMBERSHIP["games"],
                    "n": MEMBERSHIP["n"],
                    "epsilon_bits": MEMBERSHIP["epsilon_bits"],
                    "peaks": MEMBERSHIP["peaks"],
                    "learned": MEMBERSHIP["learned"],
                },
            ),
        script:
            "../scripts/make_table.py"

    rule own_meters_custodian:
        input:
            readings=rules.prepare_own_meters.output.table,
        output:
            limits=table("own/meters_custodian_limits"),
            answers=table("own/meters_custodian"),
        log:
            "logs/own_meters_custodian.log",
        benchmark:
            "benchmarks/own_meters_custodian.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.own.meters.custodian_tables",
                {
                    **config["beyond"]["custodian"],
                    "factors": ADVERSARIES["factors"],
                    "public_range_kwh": MEMBERSHIP["public_range_kwh"]["own_meters"],
                    "dataset": "own_meters",
                    "seed": config["seed"],
                },
            ),
        script:
            "../scripts/make_table.py"

    FIGURES |= {
        "own/meters_membership": {
            "function": "noiseless.membership.fig3",
            "tables": {"table": "own/meters_membership"},
            "figure": "as noiseless 3",
            "shows": "who is in the aggregate",
            "caption": "own_meters_membership",
            "settings": {"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        },
        "own/meters_membership_learned": {
            "function": "noiseless.membership.fig3_learned",
            "tables": {"table": "own/meters_membership_learned"},
            "figure": "as noiseless 3, learned",
            "shows": "a trained adversary",
            "caption": "own_meters_membership_learned",
        },
        "own/meters_custodian": {
            "function": "beyond.custodian.custodian",
            "tables": {"limits": "own/meters_custodian_limits"},
            "figure": "custodian",
            "shows": "homes and levels that are enough",
            "caption": "own_meters_custodian",
            "settings": {"gains": config["beyond"]["custodian"]["gains"]},
        },
    }


if "trips" in OWN:

    rule prepare_own_trips:
        input:
            path=OWN_PATHS["trips"],
        output:
            trips="data/prepared/own_trips.parquet",
            taken=table("own/trips_taken"),
        log:
            "logs/prepare_own_trips.log",
        benchmark:
            "benchmarks/prepare_own_trips.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(4000),
        params:
            dataset="own_trips",
            tier="own",
            registered={},
            file="",
            content=content_digests({"path": OWN_PATHS["trips"]}),
            function="noiseless.datasets.own.trips.read_trips",
            code=source_digest("noiseless.datasets.own.trips"),
            settings=own_reading("trips"),
        script:
            "../scripts/prepare_data.py"

    rule own_trips:
        input:
            trips=rules.prepare_own_trips.output.trips,
        output:
            budget=table("own/trips_budget"),
            density=table("own/trips_density"),
            known=table("own/trips_unique"),
            numbers=table("own/trips_unique_by_number"),
            half=table("own/trips_unique_half"),
        log:
            "logs/own_trips.log",
        benchmark:
            "benchmarks/own_trips.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            **call(
                "noiseless.experiments.own.trips.trips_tables",
                {
                    **OWN_BOX,
                    **{key: TRIPS[key] for key in ("epsilon_bits", "k", "numbers", "map_levels")},
                },
            ),
        script:
            "../scripts/make_table.py"

    FIGURES |= {
        "own/trips_map": {
            "function": "noiseless.trips.fig5",
            "tables": {"density": "own/trips_density"},
            "figure": "as noiseless 5",
            "shows": "where trips begin",
            "caption": "own_trips_map",
            "settings": {**OWN_BOX, "levels": TRIPS["map_levels"]},
        },
        "own/trips_unique": {
            "function": "noiseless.trips.fig6",
            "tables": {
                "known": "own/trips_unique",
                "half": "own/trips_unique_half",
                "budget": "own/trips_budget",
            },
            "figure": "as noiseless 6",
            "shows": "unique trips against epsilon",
            "caption": "own_trips_unique",
        },
        "own/trips_unique_beyond": {
            "function": "noiseless.trips.fig6_beyond",
            "tables": {"known": "own/trips_unique", "numbers": "own/trips_unique_by_number"},
            "figure": "as noiseless 6, beyond",
            "shows": "larger groups, times, numbers",
            "caption": "own_trips_unique_beyond",
        },
    }


if "people" in OWN:

    rule prepare_own_people:
        input:
            path=OWN_PATHS["people"],
        output:
            table="data/prepared/own_people.parquet",
            taken=table("own/people_taken"),
        log:
            "logs/prepare_own_people.log",
        benchmark:
            "benchmarks/prepare_own_people.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            dataset="own_people",
            tier="own",
            registered={},
            file="",
            content=content_digests({"path": OWN_PATHS["people"]}),
            function="noiseless.datasets.own.people.read_people",
            code=source_digest("noiseless.datasets.own.people"),
            settings=own_reading(
                "people", "threshold", "above", "rho", "histogram_rho", "histogram_bin"
            ),
        script:
            "../scripts/prepare_data.py"

    rule own_people:
        input:
            people=rules.prepare_own_people.output.table,
        output:
            budget=table("own/people_budget"),
            enclosure=table("own/people_enclosure"),
            people=table("own/people_moved"),
            histogram=table("own/people_histogram"),
        log:
            "logs/own_people.log",
        benchmark:
            "benchmarks/own_people.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            **call("noiseless.experiments.own.people.people_tables", OWN_PEOPLE),
        script:
            "../scripts/make_table.py"

    FIGURES |= {
        "own/people_budget": {
            "function": "own.people.people_budget",
            "tables": {"budget": "own/people_budget", "enclosure": "own/people_enclosure"},
            "figure": "as nsht 4",
            "shows": "privacy budget against accuracy",
            "caption": "own_people_budget",
            "settings": OWN_QUANTITIES,
        },
        "own/people_histogram": {
            "function": "own.people.people_histogram",
            "tables": {"histogram": "own/people_histogram", "people": "own/people_moved"},
            "figure": "as nsht 5",
            "shows": "what is reported",
            "caption": "own_people_histogram",
            "settings": {
                **OWN_QUANTITIES,
                **{key: OWN_PEOPLE[key] for key in ("threshold", "bin_size")},
            },
        },
        "own/people_moved": {
            "function": "own.people.people_moved",
            "tables": {"people": "own/people_moved"},
            "figure": "as nsht 5, counted",
            "shows": "people moved, identifiable",
            "caption": "own_people_moved",
            "settings": OWN_QUANTITIES,
        },
    }


OWN_TABLES = {
    name.removeprefix("own/"): table(name)
    for name in names_of("tables", ".parquet")
    if name.startswith("own/")
}
OWN_FIGURES = {
    name.removeprefix("own/"): f"results/figures/{name}.png"
    for name in FIGURES
    if name.startswith("own/")
}


if OWN:

    rule own_summary:
        input:
            tables=list(OWN_TABLES.values()),
            figures=list(OWN_FIGURES.values()),
            template=str(LEDGER / "own.html.j2"),
        output:
            summary="results/own/summary.parquet",
            csv="results/own/summary.csv",
            page=report(
                "results/own/summary.html",
                caption="../report/own_summary.rst",
                category="own data",
                labels={"figure": "-", "shows": "what came out, in words"},
            ),
        log:
            "logs/own_summary.log",
        benchmark:
            "benchmarks/own_summary.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            code=source_digest("noiseless.ledger.own"),
            tables=OWN_TABLES,
            figures=OWN_FIGURES,
            settings={
                "almost_zero": MEMBERSHIP["choices"]["almost_zero"],
                "quantities": OWN_PEOPLE["quantities"] if "people" in OWN else None,
            },
        script:
            "../scripts/write_own_summary.py"
