# Statements of papers, a function of papers/<paper>/<section>.py each. Findings are judged apart, so
# that a change of the judge checks nothing again.
rule check_paper:
    input:
        lambda wildcards: list_judged_tables(wildcards.paper, wildcards.results),
    output:
        findings="{results}/findings/{paper}.json",
        counts="{results}/findings/{paper}_counts.json",
    log:
        "logs/{results}/check_paper/{paper}.log",
    wildcard_constraints:
        paper="|".join(PAPERS),
    conda:
        ENVIRONMENT
    threads: 2
    params:
        seed=get_seed,
        sizes=config["sizes"],
        statements=lambda wildcards: config["statements"].get(wildcards.paper, {}),
        left_out=lambda wildcards: find_left_out_tables(wildcards.paper),
        code=lambda wildcards: digest_statements(wildcards.paper),
    script:
        "../scripts/statements/check_paper.py"


# The rules that make a paper's tables without data; a paper without any has no entry.
THEORY_RULES = {
    **{name: [f"{name}_theory"] for name in ("deterministic", "knowledge", "noiseless", "nsht")},
    "prrelation": ["prrelation_theory", "prrelation_curves"],
}


# What needs no data, for the target `theory`: the same, without the tables of experiments on data.
rule check_theory:
    input:
        lambda wildcards: set(list_judged_tables(wildcards.paper, wildcards.results))
        & {
            path
            for name in THEORY_RULES.get(wildcards.paper, [])
            for path in expand(getattr(rules, name).output, results=wildcards.results)
        },
    output:
        findings="{results}/findings/theory/{paper}.json",
        counts="{results}/findings/theory/{paper}_counts.json",
    log:
        "logs/{results}/check_theory/{paper}.log",
    wildcard_constraints:
        paper="|".join(PAPERS),
    conda:
        ENVIRONMENT
    threads: 2
    params:
        seed=get_seed,
        sizes=config["sizes"],
        statements=lambda wildcards: config["statements"].get(wildcards.paper, {}),
        left_out=lambda wildcards: find_left_out_tables(wildcards.paper),
        code=lambda wildcards: digest_statements(wildcards.paper),
    script:
        "../scripts/statements/check_theory.py"


rule judge_statements:
    input:
        findings=rules.check_paper.output.findings,
        tables=lambda wildcards: list_judged_tables(wildcards.paper, wildcards.results),
        robustness=find_robustness,
    output:
        typed="{results}/statements/{paper}.parquet",
        ledger="{results}/ledger/{paper}.parquet",
    log:
        "logs/{results}/judge_statements/{paper}.log",
    wildcard_constraints:
        paper="|".join(PAPERS),
    conda:
        ENVIRONMENT
    params:
        code=lambda wildcards: digest_verdicts(wildcards.paper),
    script:
        "../scripts/statements/judge_statements.py"


# A statement whose check raised has the verdict `error`, and the others have theirs. What it leaves
# is not made, so that a run with one ends with exit code 1, as often as it is run.
rule refuse_errors:
    input:
        "results/findings/{paper}.json",
    output:
        touch("results/complete/{paper}"),
    log:
        "logs/refuse_errors/{paper}.log",
    wildcard_constraints:
        paper="(theory/)?(" + "|".join(PAPERS) + ")",
    conda:
        ENVIRONMENT
    params:
        code=digest_files("pipeline/ending.py"),
    script:
        "../scripts/statements/refuse_errors.py"
