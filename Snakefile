# Data, mechanism, adversary, table, figure, verdict: every experiment of five privacy papers.
# Targets: all (the default), smoke (the same; run it with config/smoke.yaml), theory, robustness,
# beyond, own (data of yours), and one per paper, which ends in that paper's verdicts.
import os
import sys

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

min_version("9.20")

# The package lies beside the rules. Scripts find it through PYTHONPATH, in whichever environment
# and on whichever machine they run.
PACKAGE = workflow.current_basedir.join("workflow").get_path_or_uri(secret_free=True)
if not os.path.isdir(PACKAGE):
    raise WorkflowError(
        f"The rules come from {PACKAGE}, but the Python package beside them must be on this machine: "
        "clone the repository, and give the path of the clone's workflow/Snakefile to `module`."
    )
if set(PACKAGE) & set("{}"):
    raise WorkflowError(
        f"{PACKAGE} has braces in its name, which Snakemake takes for wildcards. Rename that folder."
    )
sys.path.insert(0, PACKAGE)
from noiseless.failures import tell_failures_at_the_end  # noqa: E402
from noiseless.forks import fork_jobs  # noqa: E402
from noiseless.scheduling import look_when_jobs_end  # noqa: E402

os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [PACKAGE, os.environ.get("PYTHONPATH")]))
# For the Snakemake inside each job of a cluster, which does not hear of the groups otherwise.
os.environ.setdefault("SNAKEMAKE_PROFILE", os.path.join(PACKAGE, "profiles", "groups"))


if workflow.is_main_process:
    tell_failures_at_the_end(logger)


envvars:
    "PYTHONPATH",


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


# What the others use.
include: "workflow/rules/common.smk"
include: "workflow/rules/sources.smk"
include: "workflow/rules/bases.smk"
# In any order.
include: "workflow/rules/data.smk"
include: "workflow/rules/nsht.smk"
include: "workflow/rules/noiseless.smk"
include: "workflow/rules/deterministic.smk"
include: "workflow/rules/prrelation.smk"
include: "workflow/rules/knowledge.smk"
include: "workflow/rules/beyond.smk"
include: "workflow/rules/own.smk"
include: "workflow/rules/page.smk"


localrules:
    all,
    smoke,
    theory,
    own,
    robustness,
    list_calls,


rule all:
    default_target: True
    input:
        rules.write_page.output,
        # Asked for by themselves: Snakemake does not remake what lies between two files that are there.
        lambda wildcards: table_paths(TABLES),
        lambda wildcards: figure_paths(FIGURES),
        OWN_SUMMARIES,


rule smoke:
    input:
        rules.all.input,


# How far the verdicts depend on the seed, the homes and the reading.
rule robustness:
    input:
        [robustness_of(paper) for paper in CLAIMED],


# The enumerations and exact computations, of all papers that have any.
rule theory:
    input:
        rules.noiseless_guarantees.output,
        rules.noiseless_premises.output,
        rules.nsht_hypotheses.output,
        rules.nsht_indistinguishability.output,
        rules.nsht_leakage_enumeration.output,
        rules.deterministic_theorems.output,
        rules.deterministic_entropy.output,
        rules.deterministic_k_anonymity_construction.output,
        rules.deterministic_policies.output,
        rules.prrelation_notions.output,
        rules.prrelation_testing.output,
        rules.prrelation_appendix.output,
        rules.knowledge_theory.output,
        rules.knowledge_interactions.output,


onstart:
    look_when_jobs_end(workflow)
    fork_jobs(workflow)


# A job on a cluster runs a Snakemake of its own, which has nothing to say.
onsuccess:
    if workflow.is_main_process:
        print_verdicts(CLAIMED)
