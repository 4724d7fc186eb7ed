# Datasets of the user's: entries of `data` with a name of theirs and a kind (docs/own-data.md). Each
# is prepared as the public ones are. It then passes through the experiments of a public dataset: the
# same function and settings, but for what the dataset decides itself. Its tables are
# own/<dataset>/<name>.
OWN_ALL = "|".join(OWN) or "(?!)"


# The experiments on datasets of the user's; `all` holds them where there are any.
rule own:
    input:
        own_outputs,


use rule prepare_data as prepare_own with:
    input:
        path=lambda wildcards: OWN[wildcards.dataset]["path"],
    output:
        **tables(taken="own/{dataset}/taken"),
        table="data/prepared/own/{dataset}.parquet",
    pathvars:
        job="prepare_own/{dataset}",
    wildcard_constraints:
        dataset=OWN_ALL,
    group:
        "own"
    resources:
        mem_mb=memory(4000),
    params:
        **called_by(own_reading),
        dataset="{dataset}",
        content=lambda wildcards: content_digests({"path": OWN[wildcards.dataset]["path"]}),
        tier="local",
        registered={},
        file="",


use rule make_table as own_meters with:
    input:
        readings=prepared("own/{dataset}"),
    wildcard_constraints:
        dataset=own_of("meters"),
    group:
        "own"
    resources:
        mem_mb=memory(2000),


use rule make_table as own_trips with:
    input:
        trips=prepared("own/{dataset}"),
    wildcard_constraints:
        dataset=own_of("trips"),
    group:
        "own"
    resources:
        mem_mb=memory(2000),


# The configuration was not written for the user's homes: what is impossible of them is left out.
use rule own_meters as own_membership with:
    output:
        **tables(table="own/{dataset}/membership"),
    pathvars:
        job="own_membership/{dataset}",
    params:
        **call(
            "noiseless.experiments.noiseless.membership.advantage_table",
            own_settings(membership_settings("london"), skip_impossible=True),
        ),


# Made where it is asked for: it needs more homes than the page of the answer does.
use rule own_meters as own_membership_learned with:
    output:
        **tables(table="own/{dataset}/membership_learned"),
    pathvars:
        job="own_membership_learned/{dataset}",
    params:
        **call(
            "noiseless.experiments.noiseless.membership.learned_table",
            own_settings(learned_settings("london"), skip_impossible=True),
        ),


use rule own_meters as own_recommendation with:
    output:
        **tables(
            frontier="own/{dataset}/recommendation_frontier",
            splits="own/{dataset}/recommendation_splits",
            mechanisms="own/{dataset}/recommendation_mechanisms",
            facts="own/{dataset}/recommendation_facts",
        ),
    pathvars:
        job="own_recommendation/{dataset}",
    params:
        **call(
            "noiseless.experiments.beyond.recommendation.tables",
            own_settings(recommendation_settings("london"), skip_impossible=True),
        ),


use rule own_trips as own_trips_unique with:
    output:
        **tables(
            known="own/{dataset}/trips_unique",
            numbers="own/{dataset}/trips_unique_by_number",
            half="own/{dataset}/trips_unique_half",
        ),
    pathvars:
        job="own_trips_unique/{dataset}",
    params:
        **call(
            "noiseless.experiments.noiseless.trips.uniqueness_tables", own_settings(TRIPS_UNIQUE)
        ),


use rule own_trips as own_trips_density with:
    output:
        **tables(table="own/{dataset}/trips_density"),
    pathvars:
        job="own_trips_density/{dataset}",
    params:
        **call("noiseless.experiments.noiseless.trips.density_table", own_settings(TRIPS_DENSITY)),


use rule make_table as own_trips_budget with:
    output:
        **tables(table="own/{dataset}/trips_budget"),
    pathvars:
        job="own_trips_budget/{dataset}",
    wildcard_constraints:
        dataset=own_of("trips"),
    group:
        "own"
    params:
        **call("noiseless.experiments.noiseless.trips.budget_table", own_settings(TRIPS_BUDGET)),


use rule make_table as own_blurring with:
    input:
        people=prepared("own/{dataset}"),
    output:
        **tables(
            budget="own/{dataset}/blurring_budget",
            enclosure="own/{dataset}/blurring_enclosure",
            people="own/{dataset}/blurring_people",
            histogram="own/{dataset}/blurring_histogram",
        ),
    pathvars:
        job="own_blurring/{dataset}",
    wildcard_constraints:
        dataset=own_of("people"),
    group:
        "own"
    params:
        **call(
            "noiseless.experiments.nsht.two_numbers.people_tables",
            lambda wildcards: OWN_PEOPLE[wildcards.dataset],
        ),


use rule draw_figure as draw_own with:
    input:
        unpack(own_figure_tables),
    output:
        png=report(
            "results/figures/own/{dataset}/{figure}.png",
            caption="../report/figure.rst",
            category="own",
            labels=own_figure_labels,
        ),
        pdf="results/figures/own/{dataset}/{figure}.pdf",
    pathvars:
        job="draw_own_{figure}/{dataset}",
    wildcard_constraints:
        dataset=OWN_ALL,
        figure="[^/]+",
    group:
        "own"
    params:
        **drawn_by(own_figure),


rule own_summary:
    input:
        tables=lambda wildcards: list(own_tables(wildcards).values()),
        twins=lambda wildcards: list(map(twin, own_tables(wildcards).values())),
        figures=lambda wildcards: list(own_figures(wildcards).values()),
        captions=lambda wildcards: list(own_captions(wildcards).values()),
        template=str(LEDGER / "own.html.j2"),
    output:
        summary="results/own/{dataset}/summary.parquet",
        csv="results/own/{dataset}/summary.csv",
        page=report(
            "results/own/{dataset}/summary.html",
            caption="../report/own_summary.rst",
            category="own data",
            labels={"figure": "-", "shows": "{dataset}: what came out, in words"},
        ),
    log:
        "logs/own_summary/{dataset}.log",
    wildcard_constraints:
        dataset=OWN_ALL,
    group:
        "own"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.own"),
        tables=own_tables,
        figures=own_figures,
        captions=own_captions,
        says=own_says,
        settings=lambda wildcards: {
            "dataset": wildcards.dataset,
            "kind": own_kind(wildcards),
            "almost_zero": MEMBERSHIP["choices"]["almost_zero"],
            "aims": pick(config["beyond"]["recommendation"], "gain", "largest_error_share"),
            "quantities": OWN_PEOPLE.get(wildcards.dataset, {}).get("quantities"),
        },
    script:
        "../scripts/write_own_summary.py"
