# Datasets of the user's: entries of `data` with a name of theirs and a kind (docs/own-data.md). Each
# passes through the experiments of the public dataset that it is like.


# The experiments on datasets of the user's; `all` holds them where there are any.
rule own:
    input:
        own_pages,


rule own_dataset:
    input:
        path=lambda wildcards: OWN[wildcards.dataset].entry["path"],
        captions=sorted(map(str, (CODE / "custodian/captions").glob("*.rst"))),
        template=str(CODE / "custodian/summary.html.j2"),
    output:
        tables=directory("results/tables/own/{dataset}"),
        figures=report(
            directory("results/figures/own/{dataset}"),
            patterns=["{figure}.png"],
            caption="../report/own_figure.rst",
            category="own",
            labels={"figure": "{figure}", "shows": "{dataset}"},
        ),
        summary="results/own/{dataset}/summary.parquet",
        csv="results/own/{dataset}/summary.csv",
        page=report(
            "results/own/{dataset}/summary.html",
            caption="../report/own_summary.rst",
            category="own data",
            labels={"figure": "-", "shows": "{dataset}: what came out, in words"},
        ),
    log:
        "logs/own_dataset/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(OWN) or "(?!)",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(4000),
    params:
        entry=lambda wildcards: OWN[wildcards.dataset].entry,
        content=lambda wildcards: content_digests({"path": OWN[wildcards.dataset].entry["path"]}),
        settings=pick(config, "seed", "noiseless", "nsht", "beyond"),
        code=source_digest("noiseless.custodian.run"),
        plugins=PLUGINS,
    script:
        "../scripts/make_own.py"
