# Data, mechanism, adversary, table, figure, verdict: every experiment of five privacy papers.
# Targets: all (the default), smoke (the same; run it with config/smoke.yaml), theory, robustness,
# one per paper, which ends in that paper's verdicts, and beyond, which is no part of `all`.
import os
import sys
import time

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.enums import Quietness
from snakemake.utils import min_version

min_version("9.20")
STARTED = time.time()

# The package lies beside the rules. Scripts find it through PYTHONPATH, in whichever environment
# and on whichever machine they run.
PACKAGE = workflow.current_basedir.join("workflow").get_path_or_uri(secret_free=True)
if not os.path.isdir(PACKAGE):
    raise WorkflowError(
        f"The rules come from {PACKAGE}, but the Python package beside them must be on this machine: "
        "clone the repository, and give the path of the clone's workflow/Snakefile to `module`."
    )
sys.path.insert(0, PACKAGE)
from noiseless.errors import UserError
from noiseless.pipeline.surroundings import find_shell_python, check_folder

try:
    check_folder(PACKAGE)
    # Snakemake puts it into the commands of jobs without quotation marks.
    sys.executable = find_shell_python(sys.executable, folder=os.getcwd())
except UserError as error:
    raise WorkflowError(str(error)) from None
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [PACKAGE, os.environ.get("PYTHONPATH")]))


envvars:
    "PYTHONPATH",


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"


for paper in PAPERS:

    include: f"workflow/rules/{paper}.smk"


include: "workflow/rules/beyond.smk"
include: "workflow/rules/statements.smk"
include: "workflow/rules/page.smk"


rule all:
    default_target: True
    input:
        [getattr(rules, paper).input for paper in PAPERS],
        rules.write_page.output,
        # Asked for by themselves: Snakemake does not remake what lies between two files that are there.
        rules.write_csv.output,
    localrule: True


rule smoke:
    input:
        rules.all.input,
    localrule: True


# How far the verdicts depend on the seed, the homes and the reading.
rule robustness:
    input:
        expand("results/robustness/{paper}.parquet", paper=PAPERS),
    localrule: True


# What needs no data: enumerations and exact computations.
rule theory:
    input:
        expand(
            [
                *rules.noiseless_theory.output,
                *rules.nsht_theory.output,
                *rules.deterministic_theory.output,
                *rules.prrelation_theory.output,
                *rules.prrelation_curves.output,
                *rules.knowledge_theory.output,
            ],
            results="results",
        ),
        expand(rules.check_theory.output, results="results", paper=PAPERS),
        expand("results/complete/theory/{paper}", paper=PAPERS),
    localrule: True


# Said where the rules are read, as Snakemake knows no rule for a figure whose data are left out.
if workflow.is_main_process:
    sets = {*config["homes"], *config["recordings"]} - {*HOMES, *RECORDINGS}
    if left_out := sorted({*LEFT_OUT, *sets}):
        print(
            f"No file for {', '.join(left_out)}: left out (tier or path is null; data/README.md).",
            file=sys.stderr,
        )


# A job on a cluster runs a Snakemake of its own, which cleans up nothing and prints no summary.
onstart:
    if workflow.is_main_process:
        remove_unfinished(["data", "results"])
        print_time_left(
            logger,
            {job.jobid: next(iter(job.log), None) for job in workflow.dag.needrun_jobs()},
            quietness=Quietness.PROGRESS,
        )


onsuccess:
    if workflow.is_main_process:
        for summary in ("results/summary.txt", "results/summary_beyond.txt"):
            if is_written_since(STARTED, summary):
                print(Path(summary).read_text(encoding="utf-8"), file=sys.stderr)


onerror:
    if workflow.is_main_process:
        print_failures("logs", since_s=STARTED)
