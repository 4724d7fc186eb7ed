# Names that all rules share. No rule is defined here.
import os
import sys
import time
from functools import partial
from itertools import product
from pathlib import Path

from noiseless.figures.captions import taking_part
from noiseless.pipeline import configuration
from noiseless.pipeline.code import call, source_digest
from noiseless.data.registry import load_sources
from noiseless.figures.entries import by_job, load_figures, papers_with_figures
from noiseless.files import remove_unfinished
from noiseless.settings import log_grid
from noiseless.ledger.claims import claimed_tables, load_claims, require_tables
from noiseless.pipeline.ending import print_failures, print_summary
from noiseless.pipeline.raw_files import raw_files
from noiseless.pipeline.variants import PATTERN
from noiseless.plugins import plugin_digests
from snakemake.io import apply_wildcards, get_wildcard_names

STARTED = time.time()
ENVIRONMENT = "../envs/noiseless.yaml"
FOLDER = Path(os.path.relpath(PACKAGE))
CODE = FOLDER / "noiseless"
PAPERS = CODE / "papers"
REFERENCE = FOLDER.parent / "docs/reference"
# The sets of homes; London's readings are daily.
RESOLUTIONS = {"ausgrid": ["days", "half-hours"], "london": ["days"]}

try:
    configuration.check_files(workflow.configfiles)
    changed = configuration.merged(configuration.defaults(), config)
    config.update(configuration.checked(changed, source="the configuration"))
    PLUGINS = plugin_digests(config["plugins"])
    TAKING_PART = taking_part(PLUGINS)
    CLAIMS = load_claims(PAPERS)
    SOURCES = load_sources("config/sources.yaml")
    RAW, TRIP_FILES = raw_files(config["data"], SOURCES)
except UserError as error:
    raise WorkflowError(str(error)) from None

call = partial(call, plugins=PLUGINS)
CLAIMED = list(dict.fromkeys(claim.paper for claim in CLAIMS))
FIGURES = {
    name: figure
    for paper in papers_with_figures()
    for name, figure in load_figures(paper, config, RESOLUTIONS).items()
}
# Names of all tables, <paper>/<name>; tables() fills it.
TABLES = []
WILDCARDS = {
    "homes": list(RESOLUTIONS),
    "regression": list(config["knowledge"]["composition"]["parameter_range"]),
}
# Settings that rules of several papers share.
BLURRING = config["nsht"]["blurring"]
MEMBERSHIP = config["noiseless"]["membership"]
NILM = config["noiseless"]["nilm"]
TRIPS = config["noiseless"]["trips"]
TRIPS_BOX = {key: TRIPS[key] for key in ("latitude_range_deg", "longitude_range_deg")}


# {variant} is empty, or another seed or half of the homes, for the target `robustness`.
wildcard_constraints:
    variant=PATTERN,
    homes="|".join(WILDCARDS["homes"]),
    regression="|".join(WILDCARDS["regression"]),


def pick(settings, *keys):
    """Some of the settings."""
    return {key: settings[key] for key in keys}


def without(settings, *keys):
    """All of the settings but some."""
    return {key: value for key, value in settings.items() if key not in keys}


def memory(mb):
    """Memory in MB, for `resources:`; a job that ran out of it comes back with as much again."""
    return lambda wildcards, attempt: mb * attempt


def prepared(dataset):
    """What the experiments read of a dataset."""
    return f"data/prepared/{dataset}.parquet"


# The trips' figures are about the first file, as in the paper; the count over shards is about all.
TRIPS_PREPARED = [prepared(f"nyc_taxi/{shard}") for shard in TRIP_FILES]


def table(name, variant="{variant}"):
    """The table <paper>/<name>; its CSV twin lies beside it."""
    return f"results/{variant}tables/{name}.parquet"


def twin(path):
    """The CSV twin of a table's path."""
    return f"{path.removesuffix('.parquet')}.csv"


def tables(**names):
    """Outputs of a rule: tables <paper>/<name> by what its calls name them, and their twins."""
    for name in names.values():
        wildcards = sorted(get_wildcard_names(name))
        for values in product(*(WILDCARDS[each] for each in wildcards)):
            TABLES.append(apply_wildcards(name, dict(zip(wildcards, values))))
    paths = {key: table(name) for key, name in names.items()}
    return paths | {f"{key}_csv": twin(path) for key, path in paths.items()}


def with_twins(paths):
    """Tables and their twins: what is deleted comes back."""
    return [each for path in paths for each in (path, twin(path))]


def figure_paths(names):
    """Figures of some names."""
    return [f"results/figures/{name}.{ending}" for name in names for ending in ("png", "pdf")]


def ledger_of(paper, variant=""):
    """Where the verdicts on a paper's claims are."""
    return f"results/{variant}ledger/{paper}.parquet"


def results_of(paper):
    """What the target of a paper makes; it ends in the paper's verdicts."""
    tables, figures = (
        [name for name in names if name.startswith(f"{paper}/")] for names in (TABLES, FIGURES)
    )
    ledger = [ledger_of(paper)] if paper in CLAIMED else []
    return [*with_twins(table(name, "") for name in tables), *figure_paths(figures), *ledger]


def drawn_for(dataset):
    """What the random streams of a dataset begin with."""
    return {"dataset": dataset, "seed": config["seed"]}


def caption_of(figure):
    """Where the caption of a figure is."""
    return str(CODE / figure.caption)


def membership_release(homes):
    """What decides the levels of a budget in the membership game, and how wide they are."""
    return {
        "public_range_kwh": MEMBERSHIP["public_range_kwh"][homes],
        "quantizer_rule": MEMBERSHIP["quantizer_rule"],
    }


def range_and_fuse(homes):
    """Largest energies of a day: that of the public range, and what a main fuse lets through."""
    return {
        "public_range_kwh": MEMBERSHIP["public_range_kwh"][homes],
        "main_fuse_kwh": MEMBERSHIP["main_fuse_kwh"],
    }


def judged(paper, variant):
    """The tables that a paper's claims name."""
    return [table(name, variant) for name in claimed_tables(CLAIMS, paper)]


def claims_of(paper):
    """A paper's claims."""
    return str(PAPERS / paper / "claims.yaml")


def robustness_of(wildcards):
    """Where it stands how a paper's verdicts depend on choices, if the ledger is to say so."""
    if wildcards.variant or not config["robustness"]["in_ledger"]:
        return []
    return f"results/ledger/robustness_{wildcards.paper}.parquet"
