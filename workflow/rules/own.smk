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
        from noiseless.experiments.own_people import people_settings

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
            registered={"path": None},
            function="noiseless.datasets.own.meters.read_meters",
            code=source_digest("noiseless.datasets.own.meters"),
            settings=own_reading("meters"),
        script:
            "../scripts/prepare_data.py"

    rule play_own_membership:
        input:
            readings=rules.prepare_own_meters.output.table,
        output:
            advantage=table("own/membership"),
            learned=table("own/membership_learned"),
        log:
            "logs/play_own_membership.log",
        benchmark:
            "benchmarks/play_own_membership.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            function="noiseless.experiments.own_membership.membership_tables",
            code=source_digest("noiseless.experiments.own_membership"),
            settings={
                **MEMBERSHIP_RELEASE,
                "dataset": "own_meters",
                "seed": config["seed"],
                "games": MEMBERSHIP["games"],
                "n": MEMBERSHIP["n"],
                "epsilon": MEMBERSHIP["epsilon"],
                "peaks": MEMBERSHIP["peaks"],
                "learned": MEMBERSHIP["learned"],
            },
        script:
            "../scripts/make_table.py"

    # Other experiments on the homes belong here: a rule with an output below results/tables/own or
    # results/figures/own joins the summary's inputs and the target `own` by itself.
    rule draw_own_membership:
        input:
            table=table("own/membership"),
        output:
            png=report(
                "results/figures/own/meters_membership.png",
                caption="../report/own_meters_membership.rst",
                category="own data",
                labels={"figure": "as noiseless 3", "shows": "who is in the aggregate"},
            ),
            pdf="results/figures/own/meters_membership.pdf",
        log:
            "logs/draw_own_membership.log",
        benchmark:
            "benchmarks/draw_own_membership.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.noiseless_membership.fig3",
            code=source_digest("noiseless.figures.noiseless_membership"),
            settings={"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        script:
            "../scripts/draw_figure.py"

    rule draw_own_membership_learned:
        input:
            table=table("own/membership_learned"),
        output:
            png=report(
                "results/figures/own/meters_membership_learned.png",
                caption="../report/own_meters_membership_learned.rst",
                category="own data",
                labels={"figure": "as noiseless 3, learned", "shows": "a trained adversary"},
            ),
            pdf="results/figures/own/meters_membership_learned.pdf",
        log:
            "logs/draw_own_membership_learned.log",
        benchmark:
            "benchmarks/draw_own_membership_learned.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.noiseless_membership.fig3_learned",
            code=source_digest("noiseless.figures.noiseless_membership"),
            settings={},
        script:
            "../scripts/draw_figure.py"


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
            registered={"path": None},
            function="noiseless.datasets.own.trips.read_trips",
            code=source_digest("noiseless.datasets.own.trips"),
            settings=own_reading("trips"),
        script:
            "../scripts/prepare_data.py"

    rule count_own_trips:
        input:
            trips=rules.prepare_own_trips.output.trips,
        output:
            budget=table("own/trips_budget"),
            density=table("own/trips_density"),
            known=table("own/trips_unique"),
            numbers=table("own/trips_unique_by_number"),
            half=table("own/trips_half_unique"),
        log:
            "logs/count_own_trips.log",
        benchmark:
            "benchmarks/count_own_trips.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(2000),
        params:
            function="noiseless.experiments.own_trips.trips_tables",
            code=source_digest("noiseless.experiments.own_trips"),
            settings={
                **OWN_BOX,
                **{key: TRIPS[key] for key in ("epsilon", "k", "numbers", "map_levels")},
            },
        script:
            "../scripts/make_table.py"

    rule draw_own_trips_map:
        input:
            density=table("own/trips_density"),
        output:
            png=report(
                "results/figures/own/trips_map.png",
                caption="../report/own_trips_map.rst",
                category="own data",
                labels={"figure": "as noiseless 5", "shows": "where trips begin"},
            ),
            pdf="results/figures/own/trips_map.pdf",
        log:
            "logs/draw_own_trips_map.log",
        benchmark:
            "benchmarks/draw_own_trips_map.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.noiseless_trips.fig5",
            code=source_digest("noiseless.figures.noiseless_trips"),
            settings={**OWN_BOX, "levels": TRIPS["map_levels"]},
        script:
            "../scripts/draw_figure.py"

    rule draw_own_trips_unique:
        input:
            known=table("own/trips_unique"),
            half=table("own/trips_half_unique"),
            budget=table("own/trips_budget"),
        output:
            png=report(
                "results/figures/own/trips_unique.png",
                caption="../report/own_trips_unique.rst",
                category="own data",
                labels={"figure": "as noiseless 6", "shows": "unique trips against epsilon"},
            ),
            pdf="results/figures/own/trips_unique.pdf",
        log:
            "logs/draw_own_trips_unique.log",
        benchmark:
            "benchmarks/draw_own_trips_unique.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.noiseless_trips.fig6",
            code=source_digest("noiseless.figures.noiseless_trips"),
            settings={},
        script:
            "../scripts/draw_figure.py"

    rule draw_own_trips_beyond:
        input:
            known=table("own/trips_unique"),
            numbers=table("own/trips_unique_by_number"),
        output:
            png=report(
                "results/figures/own/trips_unique_beyond.png",
                caption="../report/own_trips_unique_beyond.rst",
                category="own data",
                labels={
                    "figure": "as noiseless 6, beyond",
                    "shows": "larger groups, times, numbers",
                },
            ),
            pdf="results/figures/own/trips_unique_beyond.pdf",
        log:
            "logs/draw_own_trips_beyond.log",
        benchmark:
            "benchmarks/draw_own_trips_beyond.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.noiseless_trips.fig6_beyond",
            code=source_digest("noiseless.figures.noiseless_trips"),
            settings={},
        script:
            "../scripts/draw_figure.py"


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
            registered={"path": None},
            function="noiseless.datasets.own.people.read_people",
            code=source_digest("noiseless.datasets.own.people"),
            settings=own_reading(
                "people", "threshold", "above", "rho", "histogram_rho", "histogram_bin"
            ),
        script:
            "../scripts/prepare_data.py"

    rule blur_own_people:
        input:
            people=rules.prepare_own_people.output.table,
        output:
            budget=table("own/people_budget"),
            enclosure=table("own/people_enclosure"),
            people=table("own/people_moved"),
            histogram=table("own/people_histogram"),
        log:
            "logs/blur_own_people.log",
        benchmark:
            "benchmarks/blur_own_people.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.experiments.own_people.people_tables",
            code=source_digest("noiseless.experiments.own_people"),
            settings=OWN_PEOPLE,
        script:
            "../scripts/make_table.py"

    rule draw_own_people_budget:
        input:
            budget=table("own/people_budget"),
            enclosure=table("own/people_enclosure"),
        output:
            png=report(
                "results/figures/own/people_budget.png",
                caption="../report/own_people_budget.rst",
                category="own data",
                labels={"figure": "as nsht 4", "shows": "privacy budget against accuracy"},
            ),
            pdf="results/figures/own/people_budget.pdf",
        log:
            "logs/draw_own_people_budget.log",
        benchmark:
            "benchmarks/draw_own_people_budget.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.own.people_budget",
            code=source_digest("noiseless.figures.own"),
            settings=OWN_QUANTITIES,
        script:
            "../scripts/draw_figure.py"

    rule draw_own_people_histogram:
        input:
            histogram=table("own/people_histogram"),
            people=table("own/people_moved"),
        output:
            png=report(
                "results/figures/own/people_histogram.png",
                caption="../report/own_people_histogram.rst",
                category="own data",
                labels={"figure": "as nsht 5", "shows": "what is reported"},
            ),
            pdf="results/figures/own/people_histogram.pdf",
        log:
            "logs/draw_own_people_histogram.log",
        benchmark:
            "benchmarks/draw_own_people_histogram.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.own.people_histogram",
            code=source_digest("noiseless.figures.own"),
            settings={
                **OWN_QUANTITIES,
                **{key: OWN_PEOPLE[key] for key in ("threshold", "bin_size")},
            },
        script:
            "../scripts/draw_figure.py"

    rule draw_own_people_moved:
        input:
            people=table("own/people_moved"),
        output:
            png=report(
                "results/figures/own/people_moved.png",
                caption="../report/own_people_moved.rst",
                category="own data",
                labels={"figure": "as nsht 5, counted", "shows": "people moved, identifiable"},
            ),
            pdf="results/figures/own/people_moved.pdf",
        log:
            "logs/draw_own_people_moved.log",
        benchmark:
            "benchmarks/draw_own_people_moved.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.own.people_moved",
            code=source_digest("noiseless.figures.own"),
            settings=OWN_QUANTITIES,
        script:
            "../scripts/draw_figure.py"


OWN_TABLES = {
    name.removeprefix("own/"): table(name)
    for name in names_of("tables", ".parquet")
    if name.startswith("own/")
}
OWN_FIGURES = {
    name.removeprefix("own/"): f"results/figures/{name}.png"
    for name in names_of("figures", ".png")
    if name.startswith("own/")
}


if OWN:

    rule summarize_own:
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
            "logs/summarize_own.log",
        benchmark:
            "benchmarks/summarize_own.tsv"
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
