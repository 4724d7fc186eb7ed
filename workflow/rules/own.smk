# Datasets of the user's: entries of `data` with a name of theirs and a kind (docs/own-data.md). Each
# is prepared as the public ones are. It then passes through the rules of a public dataset, which
# are named here: the same function and settings, but for what the dataset decides itself. Its
# tables are own/<dataset>/<name>.
OWN_READERS = {
    kind: f"noiseless.datasets.own.{kind}.read_{kind}" for kind in ("meters", "trips", "people")
}
# What the experiments need to know of people, and the reader does not.
OWN_NUMBERS = ("threshold", "above", "rho", "histogram_rho", "histogram_bin")
# By kind: rules of a public dataset; figures, each with the public one that it is like.
OWN_EXPERIMENTS = {
    "meters": (
        "noiseless_membership_london",
        "beyond_recommendation_london",
    ),
    "trips": ("noiseless_trips_unique", "noiseless_trips_density", "noiseless_trips_budget"),
}
OWN_LIKE = {
    "meters": {
        "recommendation": "beyond/recommendation_london",
        "membership": "noiseless/fig3_london",
    },
    "trips": {
        "trips_map": "noiseless/fig5",
        "trips_unique": "noiseless/fig6",
        "trips_unique_beyond": "noiseless/fig6_beyond",
    },
    "people": {
        "blurring_budget": "nsht/fig4",
        "blurring_histogram": "nsht/fig5",
        "blurring_people": "nsht/fig5_people",
    },
}
OWN_SUMMARIES = [f"results/own/{dataset}/summary.html" for dataset in OWN]
OWN_ALL = "|".join(OWN) or "(?!)"
OWN_TABLES = {kind: ["taken"] for kind in OWN_READERS}

# What is wrong with a configuration is said before anything runs.
try:
    OWN_PEOPLE = {}
    for dataset, entry in OWN.items():
        match entry["kind"]:
            case "meters":
                from noiseless.datasets.own.times import find_zone

                find_zone(entry.get("time_zone"), section=f"data.{dataset}")
            case "trips":
                from noiseless.datasets.own.trips import public_box

                public_box(**{key: entry[key] for key in TRIPS_BOX}, section=f"data.{dataset}")
            case "people":
                from noiseless.experiments.nsht.two_numbers import people_settings

                OWN_PEOPLE[dataset] = people_settings(entry, BLURRING, section=f"data.{dataset}")
except UserError as error:
    raise WorkflowError(str(error)) from None


rule prepare_own:
    input:
        path=lambda wildcards: OWN[wildcards.dataset]["path"],
    output:
        table="data/prepared/own/{dataset}.parquet",
        taken=table("own/{dataset}/taken"),
    log:
        "logs/prepare_own/{dataset}.log",
    benchmark:
        "benchmarks/prepare_own/{dataset}.tsv"
    wildcard_constraints:
        dataset=OWN_ALL,
    group:
        "own"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(4000),
    params:
        dataset="{dataset}",
        content=lambda wildcards: content_digests({"path": OWN[wildcards.dataset]["path"]}),
        tier="local",
        registered={},
        file="",
        function=lambda wildcards: OWN_READERS[OWN[wildcards.dataset]["kind"]],
        code=lambda wildcards: source_digest(
            OWN_READERS[OWN[wildcards.dataset]["kind"]].rpartition(".")[0]
        ),
        settings=own_reading,
    script:
        "../scripts/prepare_data.py"


for kind, experiments in OWN_EXPERIMENTS.items():
    for experiment in experiments:
        public = getattr(rules, experiment)
        job = f"own_{experiment.split('_', 1)[1].removesuffix('_london')}"
        OWN_TABLES[kind].extend(Path(own_name(path)).name for path in public.output)

        rule:
            name:
                job
            input:
                **dict.fromkeys(public.input.keys(), rules.prepare_own.output.table),
            output:
                **{key: table(own_name(path)) for key, path in public.output.items()},
            log:
                f"logs/{job}/{{dataset}}.log",
            benchmark:
                f"benchmarks/{job}/{{dataset}}.tsv"
            wildcard_constraints:
                dataset=own_of(kind),
            group:
                "own"
            conda:
                ENVIRONMENT
            resources:
                mem_mb=memory(2000),
            params:
                **{
                    **dict(public.params.items()),
                    # The configuration was not written for the user's homes.
                    "settings": own_settings(
                        public.params["settings"],
                        **({"skip_impossible": True} if kind == "meters" else {}),
                    ),
                },
            script:
                "../scripts/make_table.py"


rule own_blurring:
    input:
        people=rules.prepare_own.output.table,
    output:
        budget=table("own/{dataset}/blurring_budget"),
        enclosure=table("own/{dataset}/blurring_enclosure"),
        people=table("own/{dataset}/blurring_people"),
        histogram=table("own/{dataset}/blurring_histogram"),
    log:
        "logs/own_blurring/{dataset}.log",
    benchmark:
        "benchmarks/own_blurring/{dataset}.tsv"
    wildcard_constraints:
        dataset=own_of("people"),
    group:
        "own"
    conda:
        ENVIRONMENT
    params:
        **call("noiseless.experiments.nsht.two_numbers.people_tables", own_people()),
    script:
        "../scripts/make_table.py"


OWN_TABLES["people"].extend(Path(path).stem for path in rules.own_blurring.output)

for kind, figures in OWN_LIKE.items():
    for name, public in figures.items():
        like = FIGURES[public]
        FIGURES[f"own/{{dataset}}/{name}"] = {
            **like,
            "tables": {key: own_name(each) for key, each in like["tables"].items()},
            "figure": f"as {Path(public).parent} {like['figure']}",
            "shows": f"{{dataset}}: {like['shows'].removesuffix(', london')}",
            "settings": own_settings(like.get("settings", {})),
            "caption": f"own_{name}",
            "datasets": own_of(kind),
        }
# The numbers of people have other names than those of the survey.
for name, keys in {
    "blurring_budget": ["quantities"],
    "blurring_histogram": ["quantities", "threshold", "bin_size"],
    "blurring_people": ["quantities"],
}.items():
    figure = FIGURES[f"own/{{dataset}}/{name}"]
    figure["function"] = figure["function"].replace("blurring", "two_numbers")
    figure["shows"] = figure["shows"].replace("weight and height", "numbers")
    figure["settings"] = own_people(*keys)


rule own_summary:
    input:
        tables=lambda wildcards: list(own_tables(wildcards).values()),
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
    benchmark:
        "benchmarks/own_summary/{dataset}.tsv"
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
            "kind": OWN[wildcards.dataset]["kind"],
            "almost_zero": MEMBERSHIP["choices"]["almost_zero"],
            "aims": {
                key: config["beyond"]["recommendation"][key]
                for key in ("gain", "largest_error_share")
            },
            "quantities": OWN_PEOPLE.get(wildcards.dataset, {}).get("quantities"),
        },
    script:
        "../scripts/write_own_summary.py"
