# The verdict on every claim, and the results page. Included last: it takes all tables and figures
# of the rules before, but for those of the user's own data, of which no paper claims anything.
LEDGER_TABLES = {
    name: table(name) for name in names_of("tables", ".parquet") if not name.startswith("own/")
}
LEDGER_FIGURES = {
    name: f"results/figures/{name}.png"
    for name in names_of("figures", ".png")
    if not name.startswith("own/")
}
# Of the figures, by their names: the same as in Snakemake's own report.
CAPTIONS = captions_of(workflow.rules)
LEDGER_CAPTIONS = {
    name: CAPTIONS[path] for name, path in LEDGER_FIGURES.items() if path in CAPTIONS
}


rule write_ledger:
    input:
        tables=list(LEDGER_TABLES.values()),
        figures=list(LEDGER_FIGURES.values()),
        claims=[str(path) for path in sorted(LEDGER.glob("claims/*.yaml"))],
        captions=sorted(set(LEDGER_CAPTIONS.values())),
        page=sorted(str(path) for path in PAGE.iterdir() if path.suffix in (".j2", ".css", ".js")),
    output:
        ledger="results/ledger.parquet",
        csv="results/ledger.csv",
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
        "logs/write_ledger.log",
    benchmark:
        "benchmarks/write_ledger.tsv"
    group:
        "ledger"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.judge"),
        # A change of the page alone runs this rule again, and leaves the ledger as it is.
        page_code=source_digest("noiseless.page.build"),
        tables=LEDGER_TABLES,
        figures=LEDGER_FIGURES,
        captions=LEDGER_CAPTIONS,
        benchmarks={rule.name: str(rule.benchmark) for rule in workflow.rules if rule.benchmark},
    script:
        "../scripts/write_ledger.py"
