# All papers' verdicts as one ledger, how far they depend on choices, and the results page. Included
# last: the page takes all tables and figures of the rules before, but for those of the user's own
# data, of which no paper claims anything.
PAGE_TABLES = {name: table(name) for name in names_of("tables", ".parquet")}
PAGE_FIGURES = {name: f"results/figures/{name}.png" for name in names_of("figures", ".png")}
# Of the figures, by their names: the same as in Snakemake's own report.
CAPTIONS = captions_of(workflow.rules)
PAGE_CAPTIONS = {name: CAPTIONS[path] for name, path in PAGE_FIGURES.items() if path in CAPTIONS}

try:
    require_tables(CLAIMS, PAGE_TABLES)
except UserError as error:
    raise WorkflowError(str(error)) from None


rule write_ledger:
    input:
        papers=[ledger_of(paper) for paper in CLAIMED],
    output:
        ledger="results/ledger.parquet",
        csv="results/ledger.csv",
    log:
        "logs/write_ledger.log",
    benchmark:
        "benchmarks/write_ledger.tsv"
    group:
        "ledger"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.files"),
    script:
        "../scripts/write_ledger.py"


# Same, within the interval, or changed: each table and each verdict, beside docs/reference.
rule compare_with_reference:
    input:
        ledger=rules.write_ledger.output.ledger,
        tables=list(PAGE_TABLES.values()),
        claims=[str(path) for path in sorted(LEDGER.glob("claims/*.yaml"))],
        reference=sorted(str(path) for path in REFERENCE.rglob("*") if path.suffix != ".png"),
    output:
        comparison="results/compared_with_reference.parquet",
        csv="results/compared_with_reference.csv",
    log:
        "logs/compare_with_reference.log",
    benchmark:
        "benchmarks/compare_with_reference.tsv"
    group:
        "ledger"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.reference"),
        reference=str(REFERENCE),
        claims=str(LEDGER / "claims"),
        tables=list(PAGE_TABLES),
    script:
        "../scripts/compare_with_reference.py"


rule write_page:
    input:
        ledger=rules.write_ledger.output.ledger,
        compared=rules.compare_with_reference.output.comparison,
        tables=list(PAGE_TABLES.values()),
        figures=list(PAGE_FIGURES.values()),
        claims=[str(path) for path in sorted(LEDGER.glob("claims/*.yaml"))],
        captions=sorted(set(PAGE_CAPTIONS.values())),
        page=sorted(str(path) for path in PAGE.iterdir() if path.suffix in (".j2", ".css", ".js")),
    output:
        page="results/index.html",
        # What Snakemake's own report holds of them; workflow/report/workflow.rst is its front.
        report_page=report(
            "results/report/ledger.html",
            caption="../report/ledger.rst",
            category="all papers",
            labels={"figure": "-", "shows": "verdict on every claim, charts, errata, run times"},
        ),
        report_verdicts="results/report/verdicts.tsv",
        report_claims="results/report/claims.tsv",
        report_run_times="results/report/run_times.tsv",
    log:
        "logs/write_page.log",
    benchmark:
        "benchmarks/write_page.tsv"
    group:
        "ledger"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.page.build"),
        tables=PAGE_TABLES,
        figures=PAGE_FIGURES,
        captions=PAGE_CAPTIONS,
        says={name: FIGURES[name]["says"] for name in PAGE_CAPTIONS if "says" in FIGURES[name]},
        benchmarks={rule.name: str(rule.benchmark) for rule in workflow.rules if rule.benchmark},
    script:
        "../scripts/write_page.py"


# Each verdict under other seeds, on halves of the homes, and by reading: not part of `all`, because
# it runs every experiment behind a claim many times. The calls are those of the rules before.
CALLS = calls_of(workflow.rules)

for paper in CLAIMED:

    rule:
        name:
            f"robustness_{paper}"
        input:
            tables=list(robustness_inputs(paper).values()),
            claims=str(LEDGER / f"claims/{paper}.yaml"),
        output:
            table=robustness_of(paper),
        log:
            f"logs/robustness_{paper}.log",
        benchmark:
            f"benchmarks/robustness_{paper}.tsv"
        group:
            paper
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(3000),
        params:
            code=source_digest("noiseless.ledger.robustness"),
            # Of the experiments' code no digest is needed: it is among the reasons to make the tables.
            tables=list(robustness_inputs(paper)),
            calls=[asdict(each) for each in calls_behind_claims(paper)],
            settings={
                "seed": config["seed"],
                "seeds": config["robustness"]["seeds"],
                "halves": config["robustness"]["halves"],
            },
        script:
            "../scripts/write_robustness.py"


# What the rules call, for whoever runs it outside of Snakemake (tests/mutants).
rule list_calls:
    output:
        "results/calls.json",
    log:
        "logs/list_calls.log",
    benchmark:
        "benchmarks/list_calls.tsv"
    conda:
        ENVIRONMENT
    params:
        calls=[asdict(each) for each in CALLS],
    script:
        "../scripts/list_calls.py"
