# Data, mechanism, adversary, table, figure, verdict: every experiment of five privacy papers.
# Targets: all (the default), smoke (the same; run it with config/smoke.yaml), theory, and one per
# paper.
import os
import sys

from snakemake.utils import min_version

min_version("9.20")

# The package lies beside the rules. Scripts find it through PYTHONPATH, in whichever environment
# and on whichever machine they run.
PACKAGE = workflow.current_basedir.join("workflow").get_path_or_uri(secret_free=True)
sys.path.insert(0, PACKAGE)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [PACKAGE, os.environ.get("PYTHONPATH")]))


envvars:
    "PYTHONPATH",


configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/blurring.smk"
include: "workflow/rules/leakage.smk"
include: "workflow/rules/theory.smk"
include: "workflow/rules/membership.smk"
include: "workflow/rules/nilm.smk"
include: "workflow/rules/trips.smk"
include: "workflow/rules/prrelation.smk"
include: "workflow/rules/knowledge.smk"
include: "workflow/rules/adversaries.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/ledger.smk"


PAPERS = sorted({os.path.dirname(name) for name in names_of("tables", ".parquet")})


localrules:
    all,
    smoke,
    theory,


rule all:
    default_target: True
    input:
        rules.write_ledger.output,
        outputs_of("figures"),


rule smoke:
    input:
        rules.all.input,


# The enumerations and exact computations, of all papers that have any.
rule theory:
    input:
        THEORY_TABLES,
        rules.enumerate_leakage.output.table,


for paper in PAPERS:

    rule:
        name:
            paper
        input:
            outputs_of(f"tables/{paper}"),
            outputs_of(f"figures/{paper}"),
