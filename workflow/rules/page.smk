# The verdicts of each paper, all of them as one ledger, how far they depend on choices, and the
# results page.
# What statements are written in.
SECTIONS = [
    str(path)
    for paper in PAPERS
    for path in sorted((PACKAGE_FOLDER / "papers" / paper).glob("*.py"))
]
LEDGERS = expand("results/ledger/{paper}.parquet", paper=PAPERS)
RESULTS = [getattr(rules, paper).input for paper in PAPERS]
TABLES = sorted(path for each in RESULTS for path in each.get("tables", []))
FIGURES = sorted(
    path for each in RESULTS for path in each.get("figures", []) if path.endswith(".png")
)
PICTURES = sorted(
    path for each in RESULTS for path in each.get("figures", []) if path.endswith(".webp")
)
# Of `beyond` the page shows what is there when it is written, but it asks for none of it.
BEYOND_THERE = {
    path: os.path.getmtime(path)
    for path in sorted(map(str, [*rules.beyond.input.tables, *rules.beyond.input.figures]))
    if os.path.isfile(path) and not path.endswith(".pdf")
}
VARIANTS = [
    *(
        f"results/robustness/seed_{config['seed'] + 1 + n}"
        for n in range(config["robustness"]["seeds"])
    ),
    *(f"results/robustness/half_{1 + n}" for n in range(config["robustness"]["halves"])),
]
JUDGE = digest_files(*SHARED, "ledger/*", "statements/*.py")


# The numbers that papers print, which their figures show beside this project's.
PRINTED = [Path(path).parent.name for path in TABLES if Path(path).stem == "printed"]


rule write_printed:
    output:
        printed="results/tables/{paper}/printed.parquet",
    log:
        "logs/write_printed/{paper}.log",
    wildcard_constraints:
        paper="|".join(PRINTED),
    conda:
        ENVIRONMENT
    params:
        code=lambda wildcards: digest_verdicts(wildcards.paper),
    script:
        "../scripts/page/write_printed.py"


# Join all verdicts, and compare each table and verdict with docs/reference: same, changed, ...
rule write_ledger:
    input:
        ledgers=LEDGERS,
        tables=TABLES,
        sections=SECTIONS,
        reference=REFERENCE_FILES,
    output:
        ledger="results/ledger.parquet",
        compared="results/compared_with_reference.parquet",
        summary="results/summary.txt",
    log:
        "logs/write_ledger.log",
    conda:
        ENVIRONMENT
    params:
        reference=lambda wildcards, input: os.path.commonpath(input.reference),
        papers=PAPERS,
        code=JUDGE,
    script:
        "../scripts/page/write_ledger.py"


# One job writes each table as CSV to read; a deleted file is written again.
rule write_csv:
    input:
        TABLES,
        rules.write_ledger.input.ledgers,
        rules.write_ledger.output.ledger,
        rules.write_ledger.output.compared,
    output:
        twins=[
            re.sub("parquet$", "csv", path)
            for path in [
                *TABLES,
                *rules.write_ledger.input.ledgers,
                rules.write_ledger.output.ledger,
                rules.write_ledger.output.compared,
            ]
        ],
        digests="results/tables/sha256.txt",
    log:
        "logs/write_csv.log",
    conda:
        ENVIRONMENT
    params:
        code=digest_files("files.py", "tables.py"),
    script:
        "../scripts/page/write_csv.py"


rule write_page:
    input:
        ledger=rules.write_ledger.output.ledger,
        compared=rules.write_ledger.output.compared,
        tables=TABLES,
        twins=rules.write_csv.output.twins,
        digests=rules.write_csv.output.digests,
        figures=FIGURES,
        pictures=PICTURES,
        sections=SECTIONS,
        captions=sorted(str(path) for path in PACKAGE_FOLDER.glob("papers/*/figures/*.rst")),
        lists=sorted(str(path) for path in PACKAGE_FOLDER.glob("papers/*/figures/figures.yaml")),
    output:
        page="results/index.html",
        # Snakemake's own report holds these; workflow/report/workflow.rst is its front page.
        report_page=report(
            "results/report/ledger.html",
            caption="../report/ledger.rst",
            category="all papers",
            labels={"figure": "-", "shows": "verdict on every claim, errata, run times"},
        ),
        report_verdicts="results/report/verdicts.tsv",
        report_claims="results/report/claims.tsv",
        report_run_times="results/report/run_times.tsv",
    log:
        "logs/write_page.log",
    conda:
        ENVIRONMENT
    params:
        papers=PAPERS,
        beyond=BEYOND_THERE,  # with the times of the files, so that newer ones are shown
        code=digest_files(*SHARED, "ledger/*", "statements/*.py", "page/*", "figures/*.py"),
    script:
        "../scripts/page/write_page.py"


# The page anew, with what `beyond` has made, if the papers' results of these settings are there.
rule beyond_on_page:
    input:
        rules.write_page.output.page if all(map(os.path.isfile, rules.write_page.input)) else [],
    localrule: True


# Judge statements under other seeds, on halves of the homes, and by reading. This is not part of
# `all`, because it makes every table behind a statement many times.
rule write_robustness:
    input:
        findings="results/findings/{paper}.json",
        tables=lambda wildcards: list_judged_tables(wildcards.paper),
        varied=lambda wildcards: [
            path for each in VARIANTS for path in list_judged_tables(wildcards.paper, each)
        ],
        ledgers=expand("{results}/ledger/{{paper}}.parquet", results=VARIANTS),
    output:
        "results/robustness/{paper}.parquet",
    log:
        "logs/write_robustness/{paper}.log",
    wildcard_constraints:
        paper="|".join(PAPERS),
    conda:
        ENVIRONMENT
    params:
        variants=VARIANTS,
        code=JUDGE,
    script:
        "../scripts/statements/write_robustness.py"
