# Names shared by all rules. No rule is defined here.
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path

from noiseless.code import call, source_digest
from noiseless.grids import log_grid
from noiseless.ledger.calls import Call, calls_behind
from noiseless.ledger.claims import claimed_tables, require_tables
from snakemake.io import get_flag_value, is_flagged

STARTED = time.time()
ENVIRONMENT = "../envs/noiseless.yaml"
LEDGER = Path(os.path.relpath(PACKAGE)) / "noiseless/ledger"
FIGURES = {}  # what figures.smk draws
PAGE = Path(os.path.relpath(PACKAGE)) / "noiseless/page"
REFERENCE = Path(os.path.relpath(PACKAGE)).parent / "docs/reference"


def table(name):
    """The table <paper>/<name>; its CSV twin lies beside it."""
    return f"results/tables/{name}.parquet"


def memory(mb):
    """Memory in MB, for `resources:`; a job that ran out of it comes back with as much again."""
    return lambda wildcards, attempt: mb * attempt


def membership_release(dataset):
    """What decides the levels of a budget in the membership game, and how wide they are."""
    membership = config["noiseless"]["membership"]
    return {
        "public_range_kwh": membership["public_range_kwh"][dataset],
        "quantizer_rule": membership["quantizer_rule"],
    }


def ledger_of(paper):
    """Where the verdicts on a paper's claims are."""
    return f"results/ledger/{paper}.parquet"


def judged(paper):
    """What a paper's verdicts rest on: its claims, the tables that these name, and no figure."""
    inputs = {
        "tables": [table(name) for name in claimed_tables(CLAIMS, paper)],
        "claims": str(LEDGER / f"claims/{paper}.yaml"),
    }
    if config["robustness"]["in_ledger"]:
        inputs["robustness"] = robustness_of(paper)
    return inputs


def print_verdicts(papers):
    """Say on standard error what this run has judged and compared, if anything."""
    paths = [Path(ledger_of(paper)) for paper in papers]
    fresh = [path for path in paths if path.is_file() and path.stat().st_mtime >= STARTED]
    if fresh:
        # Imported here: no other part of reading the rules needs pandas.
        from noiseless.ledger.files import verdicts_text

        print(f"\n{verdicts_text(fresh)}", file=sys.stderr)
    compared = Path("results/compared_with_reference.parquet")
    if compared.is_file() and compared.stat().st_mtime >= STARTED:
        from noiseless.ledger.reference import comparison_text
        from noiseless.tables import read_table

        print(f"\n{comparison_text(read_table(compared)[0])}", file=sys.stderr)


def robustness_of(paper):
    """Where it stands how a paper's verdicts depend on the seed, the homes and the reading."""
    return f"results/ledger/robustness_{paper}.parquet"


def calls_of(rules):
    """What the rules that make tables by a plain call do call, in the order of the rules.

    Tables that others make are named as <paper>/<name>, prepared data by their paths.
    """
    return [
        Call(
            function=rule.params["function"],
            settings=rule.params["settings"],
            inputs={argument: table_name(path) for argument, path in rule.input.items()},
            outputs={argument: table_name(path) for argument, path in rule.output.items()},
        )
        for rule in rules
        if str(rule.script).endswith("make_table.py") and not callable(rule.params["settings"])
    ]


def table_name(path):
    """<paper>/<name> of a table's path; any other path as it is."""
    name = str(path).removeprefix("results/tables/")
    return name if name == str(path) else name.removesuffix(".parquet")


def calls_behind_claims(paper):
    """The calls that make the tables of a paper's claims."""
    return calls_behind(CALLS, claimed_tables(CLAIMS, paper))


def robustness_inputs(paper):
    """The tables of a paper's claims, and the data behind them, by the calls' names for them."""
    made = {name for each in CALLS for name in each.outputs.values()}
    paths = {path for each in calls_behind_claims(paper) for path in each.inputs.values()}
    names = claimed_tables(CLAIMS, paper)
    return {name: table(name) for name in names} | {path: path for path in sorted(paths - made)}


def outputs_of(kind):
    """Outputs of all rules so far below results/<kind>, where kind is figures, tables/nsht, ...

    Those of the user's own datasets, which have a wildcard for the dataset, are not among them.
    """
    outputs = [str(each) for rule in workflow.rules for each in rule.output]
    named = [output for output in outputs if "{" not in output]
    return [output for output in named if output.startswith(f"results/{kind}/")]


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
