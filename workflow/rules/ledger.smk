# The verdict on every claim. Included last: it takes all tables and figures of the rules before, but
# for those of the user's own data, of which no paper claims anything.
LEDGER_TABLES = {
    name: table(name) for name in names_of("tables", ".parquet") if not name.startswith("own/")
}
LEDGER_FIGURES = {
    name: f"results/figures/{name}.png"
    for name in names_of("figures", ".png")
    if not name.startswith("own/")
}


rule write_ledger:
    input:
        tables=list(LEDGER_TABLES.values()),
        figures=list(LEDGER_FIGURES.values()),
        claims=[str(path) for path in sorted(LEDGER.glob("claims/*.yaml"))],
        template=str(LEDGER / "ledger.html.j2"),
    output:
        ledger="results/ledger.parquet",
        csv="results/ledger.csv",
        page=report(
            "results/ledger.html",
            caption="../report/ledger.rst",
            category="ledger",
            labels={"figure": "-", "shows": "verdict on every claim"},
        ),
    log:
        "logs/write_ledger.log",
    benchmark:
        "benchmarks/write_ledger.tsv"
    group:
        "ledger"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.page"),
        tables=LEDGER_TABLES,
        figures=LEDGER_FIGURES,
    script:
        "../scripts/write_ledger.py"
