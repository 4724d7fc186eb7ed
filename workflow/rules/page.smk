# The verdicts of each paper, all of them as one ledger, how far they depend on choices, and the
# results page. The user's own data are not among it: no paper claims anything of them.


# From the paper's tables alone: a change of the page or of a figure judges nothing again.
rule judge_claims:
    input:
        unpack(judged),
    output:
        ledger=ledger_of("{paper}"),
        csv=twin(ledger_of("{paper}")),
    log:
        "logs/judge_claims/{paper}.log",
    wildcard_constraints:
        paper="|".join(CLAIMED),
    group:
        lambda wildcards: wildcards.paper
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.judge"),
        tables=lambda wildcards: claimed_tables(CLAIMS, wildcards.paper),
    script:
        "../scripts/judge_claims.py"


rule write_ledger:
    input:
        papers=[ledger_of(paper) for paper in CLAIMED],
    output:
        ledger="results/ledger.parquet",
        csv="results/ledger.csv",
    log:
        "logs/write_ledger.log",
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
        tables=lambda wildcards: list(page_tables(wildcards).values()),
        claims=[claims_of(paper) for paper in sorted(CLAIMED)],
        reference=sorted(str(path) for path in REFERENCE.rglob("*") if path.suffix != ".png"),
    output:
        comparison="results/compared_with_reference.parquet",
        csv="results/compared_with_reference.csv",
    log:
        "logs/compare_with_reference.log",
    group:
        "ledger"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.reference"),
        reference=lambda wildcards: str(REFERENCE),
        claims=lambda wildcards, input: os.path.dirname(input.claims[0]),
        tables=lambda wildcards: list(page_tables(wildcards)),
    script:
        "../scripts/compare_with_reference.py"


rule write_page:
    input:
        ledger=rules.write_ledger.output.ledger,
        compared=rules.compare_with_reference.output.comparison,
        tables=lambda wildcards: list(page_tables(wildcards).values()),
        twins=lambda wildcards: [twin(path) for path in page_tables(wildcards).values()],
        figures=lambda wildcards: list(page_figures(wildcards).values()),
        claims=[claims_of(paper) for paper in sorted(CLAIMED)],
        captions=lambda wildcards: sorted(set(page_captions(wildcards).values())),
        page=sorted(str(path) for path in PAGE.iterdir() if path.suffix in (".j2", ".css", ".js")),
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
    group:
        "ledger"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.page.build"),
        tables=page_tables,
        figures=page_figures,
        captions=page_captions,
        says=lambda wildcards: {
            name: figure["says"] for name, figure in sorted(FIGURES.items()) if "says" in figure
        },
        logs=lambda wildcards: {
            rule.name: str(rule.log)
            for rule in sorted(workflow.rules, key=lambda rule: rule.name)
            if rule.output
        },
    script:
        "../scripts/write_page.py"


# Each verdict under other seeds, on halves of the homes, and by reading: not part of `all`, because
# it runs every experiment behind a claim many times.
rule write_robustness:
    input:
        tables=lambda wildcards: list(robustness_inputs(wildcards.paper).values()),
        claims=claims_of("{paper}"),
    output:
        table=robustness_of("{paper}"),
        csv=twin(robustness_of("{paper}")),
    log:
        "logs/write_robustness/{paper}.log",
    wildcard_constraints:
        paper="|".join(CLAIMED),
    group:
        lambda wildcards: wildcards.paper
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(3000),
    params:
        code=source_digest("noiseless.ledger.robustness"),
        # Of the experiments' code no digest is needed: it is among the reasons to make the tables.
        tables=lambda wildcards: list(robustness_inputs(wildcards.paper)),
        calls=lambda wildcards: [asdict(call) for call in calls_behind_claims(wildcards.paper)],
        settings={"seed": config["seed"], **pick(config["robustness"], "seeds", "halves")},
    script:
        "../scripts/write_robustness.py"


# What the rules call, for whoever runs it outside of Snakemake (tests/mutants).
rule list_calls:
    output:
        "results/calls.json",
    log:
        "logs/list_calls.log",
    conda:
        ENVIRONMENT
    params:
        calls=lambda wildcards: [asdict(call) for call in calls()],
    script:
        "../scripts/list_calls.py"
