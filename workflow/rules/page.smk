# The verdicts of each paper, all of them as one ledger, how far they depend on choices, and the
# results page.


# From the paper's tables alone: a change of the page or of a figure judges nothing again.
rule judge_claims:
    input:
        tables=lambda wildcards: judged(wildcards.paper, wildcards.variant),
        twins=lambda wildcards: map(twin, judged(wildcards.paper, wildcards.variant)),
        claims=claims_of("{paper}"),
        robustness=robustness_of,
    output:
        ledger=ledger_of("{paper}", "{variant}"),
        csv=twin(ledger_of("{paper}", "{variant}")),
    log:
        "logs/{variant}judge_claims/{paper}.log",
    wildcard_constraints:
        paper="|".join(CLAIMED),
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.judge"),
        tables=lambda wildcards: claimed_tables(CLAIMS, wildcards.paper),
    script:
        "../scripts/judge_claims.py"


# All verdicts; and each table and verdict beside docs/reference: same, within the interval, changed.
rule write_ledger:
    input:
        papers=[ledger_of(paper) for paper in CLAIMED],
        tables=[table(name, "") for name in sorted(TABLES)],
        claims=[claims_of(paper) for paper in sorted(CLAIMED)],
        reference=sorted(str(path) for path in REFERENCE.rglob("*") if path.suffix != ".png"),
    output:
        ledger="results/ledger.parquet",
        csv="results/ledger.csv",
        comparison="results/compared_with_reference.parquet",
        comparison_csv="results/compared_with_reference.csv",
    log:
        "logs/write_ledger.log",
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.reference"),
        reference=lambda wildcards: str(REFERENCE),
        claims=lambda wildcards: str(PAPERS),
        tables=sorted(TABLES),
    script:
        "../scripts/write_ledger.py"


rule write_page:
    input:
        ledger=rules.write_ledger.output.ledger,
        compared=rules.write_ledger.output.comparison,
        tables=[table(name, "") for name in sorted(TABLES)],
        twins=[twin(table(name, "")) for name in sorted(TABLES)],
        figures=[f"results/figures/{name}.png" for name in sorted(FIGURES)],
        claims=[claims_of(paper) for paper in sorted(CLAIMED)],
        captions=sorted({caption_of(figure) for figure in FIGURES.values()}),
        page=sorted(
            str(path)
            for path in (CODE / "page").iterdir()
            if path.suffix in (".j2", ".css", ".js")
        ),
    output:
        page="results/index.html",
        # What Snakemake's own report holds of them; workflow/report/workflow.rst is its front.
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
        code=source_digest("noiseless.page.build"),
        claims=lambda wildcards: str(PAPERS),
        tables={name: table(name, "") for name in sorted(TABLES)},
        figures={name: f"results/figures/{name}.png" for name in sorted(FIGURES)},
        captions={
            name: (
                caption_of(figure),
                {figure.game: TAKING_PART[figure.game]} if figure.game else {},
            )
            for name, figure in sorted(FIGURES.items())
        },
    script:
        "../scripts/write_page.py"


# Each verdict under other seeds, on halves of the homes, and by reading: not part of `all`, because
# it makes every table behind a claim many times.
VARIANTS = [
    *(f"seed_{config['seed'] + 1 + each}/" for each in range(config["robustness"]["seeds"])),
    *(f"half_{1 + each}/" for each in range(config["robustness"]["halves"])),
]


rule write_robustness:
    input:
        tables=lambda wildcards: judged(wildcards.paper, ""),
        claims=claims_of("{paper}"),
        varied=lambda wildcards: [
            path for variant in VARIANTS for path in judged(wildcards.paper, variant)
        ],
        ledgers=lambda wildcards: [ledger_of(wildcards.paper, each) for each in VARIANTS],
    output:
        table="results/ledger/robustness_{paper}.parquet",
        csv="results/ledger/robustness_{paper}.csv",
    log:
        "logs/write_robustness/{paper}.log",
    wildcard_constraints:
        paper="|".join(CLAIMED),
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.robustness"),
        tables=lambda wildcards: claimed_tables(CLAIMS, wildcards.paper),
        variants=VARIANTS,
    script:
        "../scripts/write_robustness.py"
