# Names shared by all rules. No rule is defined here.
import os
from pathlib import Path

from noiseless.code import call, source_digest
from noiseless.grids import log_grid
from snakemake.io import get_flag_value, is_flagged

ENVIRONMENT = "../envs/noiseless.yaml"
LEDGER = Path(os.path.relpath(PACKAGE)) / "noiseless/ledger"
FIGURES = {}  # what figures.smk draws
PAGE = Path(os.path.relpath(PACKAGE)) / "noiseless/page"


def table(name):
    """The table <paper>/<name>; its CSV twin lies beside it."""
    return f"results/tables/{name}.parquet"


def memory(mb):
    """Memory in MB, for `resources:`; a job that ran out of it comes back with as much again."""
    return lambda wildcards, attempt: mb * attempt


def outputs_of(kind):
    """Outputs of all rules so far below results/<kind>, where kind is figures, tables/nsht, ..."""
    outputs = [str(each) for rule in workflow.rules for each in rule.output]
    return [output for output in outputs if output.startswith(f"results/{kind}/")]


def names_of(kind, ending):
    """Names <paper>/<name> of the tables or figures with this ending of all rules so far."""
    prefix = f"results/{kind}/"
    return [
        path.removeprefix(prefix).removesuffix(ending)
        for path in outputs_of(kind)
        if path.endswith(ending)
    ]


def captions_of(rules):
    """The caption of each output of some rules that is in the report and has one."""
    outputs = [output for rule in rules for output in rule.output if is_flagged(output, "report")]
    captions = {str(output): get_flag_value(output, "report").caption for output in outputs}
    return {
        output: os.path.relpath(caption.get_path_or_uri(secret_free=True))
        for output, caption in captions.items()
        if caption is not None
    }
