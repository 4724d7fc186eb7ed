# The verdicts of each paper, all of them as one ledger, how far they depend on choices, and the
# results page.
CLAIMED = sorted(path.parent.name for path in PACKAGE_FOLDER.glob("papers/*/claims.yaml"))
PAPERS = sorted([*CLAIMED, *STATED])
CLAIMS = [str(PACKAGE_FOLDER / f"papers/{paper}/claims.yaml") for paper in CLAIMED] + [
    str(path)
    for paper in STATED
    for path in sorted((PACKAGE_FOLDER / "papers" / paper).glob("*.py"))
]
LEDGERS = expand("results/ledger/{paper}.parquet", paper=PAPERS)
RESULTS = [getattr(rules, paper).input for paper in PAPERS]
TABLES = sorted(path for each in RESULTS for path in each.tables)
FIGURES = sorted(path for each in RESULTS for path in each.figures if path.endswith(".png"))
PICTURES = sorted(path for each in RESULTS for path in each.figures if path.endswith(".webp"))
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


# Claims are judged by tables alone, so a change of the page or of a figure judges nothing again.
rule judge_claims:
    input:
        tables=lambda wildcards: list_claimed_tables(wildcards.paper, wildcards.results),
        claims=str(PACKAGE_FOLDER / "papers/{paper}/claims.yaml"),
        robustness=find_robustness,
    output:
        "{results}/ledger/{paper}.parquet",
    log:
        "logs/{results}/judge_claims/{paper}.log",
    wildcard_constraints:
        paper="|".join(CLAIMED) or NO_SET,
    conda:
        ENVIRONMENT
    params:
        left_out=lambda wildcards: find_left_out_tables(wildcards.paper),
        code=JUDGE,
    script:
        "../scripts/page/judge_claims.py"


# The numbers that papers print, which their figures show beside this project's.
PRINTED = [Path(path).parent.name for path in TABLES if Path(path).stem == "printed"]


rule write_printed:
    input:
        lambda wildcards: str(
            PACKAGE_FOLDER
            / "papers"
            / wildcards.paper
            / ("__init__.py" if wildcards.paper in STATED else "claims.yaml")
        ),
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
        claims=CLAIMS,
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
        claims=lambda wildcards, input: os.path.commonpath(input.claims),
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
        claims=rules.write_ledger.input.claims,
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
        claims=lambda wildcards, input: os.path.commonpath(input.claims),
        beyond=BEYOND_THERE,  # with the times of the files, so that newer ones are shown
        code=digest_files(*SHARED, "ledger/*", "statements/*.py", "page/*", "figures/*.py"),
    script:
        "../scripts/page/write_page.py"


# The page anew, with what `beyond` has made, if the papers' results of these settings are there.
rule beyond_on_page:
    input:
        rules.write_page.output.page if all(map(os.path.isfile, rules.write_page.input)) else [],


# Judge claims under other seeds, on halves of the homes, and by reading. This is not part of `all`,
# because it makes every table behind a claim many times.
rule write_robustness:
    input:
        tables=lambda wildcards: list_claimed_tables(wildcards.paper),
        varied=lambda wildcards: [
            path for each in VARIANTS for path in list_claimed_tables(wildcards.paper, each)
        ],
        ledgers=expand("{results}/ledger/{{paper}}.parquet", results=VARIANTS),
        claims=str(PACKAGE_FOLDER / "papers/{paper}/claims.yaml"),
    output:
        "results/robustness/{paper}.parquet",
    log:
        "logs/write_robustness/{paper}.log",
    wildcard_constraints:
        paper="|".join(CLAIMED) or NO_SET,
    conda:
        ENVIRONMENT
    params:
        variants=VARIANTS,
        code=JUDGE,
    script:
        "../scripts/page/write_robustness.py"


# The same of a paper whose statements are functions.
rule write_stated_robustness:
    input:
        findings="results/findings/{paper}.json",
        tables=lambda wildcards: list_claimed_tables(wildcards.paper),
        varied=lambda wildcards: [
            path for each in VARIANTS for path in list_claimed_tables(wildcards.paper, each)
        ],
        ledgers=expand("{results}/ledger/{{paper}}.parquet", results=VARIANTS),
    output:
        "results/robustness/{paper}.parquet",
    log:
        "logs/write_stated_robustness/{paper}.log",
    wildcard_constraints:
        paper="|".join(STATED),
    conda:
        ENVIRONMENT
    params:
        variants=VARIANTS,
        code=JUDGE,
    script:
        "../scripts/statements/write_robustness.py"
