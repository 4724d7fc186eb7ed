# Settings and functions that all rules share; no rule is defined here. Imports are limited to the
# libraries that Snakemake itself depends on.
import hashlib
import re
from functools import cache
from pathlib import Path

from noiseless.data.registry import load_sets, load_sources
from noiseless.errors import UserError
from noiseless.files import remove_unfinished
from noiseless.pipeline import configuration
from noiseless.pipeline.ending import print_failures
from noiseless.pipeline.progress import print_time_left
from noiseless.pipeline.raw_files import list_raw_inputs, list_set_inputs
from noiseless.pipeline.sections import (
    list_experiments,
    list_paper_tables,
    list_papers,
    load_data,
    refuse_unknown_papers,
)
from noiseless.pipeline.surroundings import check_plugins, check_times, describe_older_packages
from noiseless.plugins import compute_plugin_digests
from noiseless.settings import explain, load_yaml
from snakemake.utils import update_config, validate

ENVIRONMENT = "../envs/noiseless.yaml"
PAPERS = list_papers()
PACKAGE_FOLDER = Path(os.path.relpath(PACKAGE)) / "noiseless"
CLONE = PACKAGE_FOLDER.parents[1]

# A workflow that uses these rules as a module gives only the keys that differ from the clone's.
try:
    values = configuration.load_config(*workflow.configfiles)
    update_config(values, configuration.convert_to_plain(config))
    config.update(values)
    validate(config, schema="../schemas/config.schema.yaml", set_default=False)
    configuration.check_config(config, source="the configuration")  # refuses 2.0 for 2
    refuse_unknown_papers(config["statements"])
    PLUGINS = compute_plugin_digests(config["plugins"])
    if workflow.is_main_process:  # a job checks the plugins that it uses
        check_plugins(PLUGINS)
        if older := describe_older_packages("results/tables", "data/prepared"):
            print(older, file=sys.stderr)
    SOURCES = CLONE / "config/sources.yaml"
    RAW_INPUTS, TRIP_FILES = list_raw_inputs(
        config["data"], load_sources(SOURCES), house=config["recordings"]["redd"]["house"]
    )
    SETS = load_sets(SOURCES)
    HOMES_FILES = list_set_inputs("homes", config["homes"], SETS)
    RECORDING_FILES = {name: raw for name, raw in RAW_INPUTS.items() if name == "redd"}
    RECORDING_FILES |= list_set_inputs("recordings", config["recordings"], SETS)
    for raw in (*RAW_INPUTS.values(), *HOMES_FILES.values(), *RECORDING_FILES.values()):
        check_times(raw.files.values())
    check_times(TRIP_FILES.values())
except UserError as error:
    raise WorkflowError(str(error)) from None
except WorkflowError as error:
    raise WorkflowError(f"the configuration: {explain(error.__context__)}") from None
# Datasets without a tier are left out: their tables and figures are not made, and statements about
# them are not tested.
LEFT_OUT = [name for name, source in config["data"].items() if source["tier"] is None]
PUBLIC_HOMES = [name for name in ("ausgrid", "london") if name not in LEFT_OUT]
HOMES = {
    name: homes
    for name, homes in config["homes"].items()
    if name in PUBLIC_HOMES or name in HOMES_FILES
}
# Sets beside each other in one figure: no sample beside real homes, and none of the user's.
HOMES_TIERS = {name: config["data"][name]["tier"] for name in PUBLIC_HOMES} | {
    name: files.origin["tier"] for name, files in HOMES_FILES.items()
}
COMPARED_HOMES = [
    name for name, tier in HOMES_TIERS.items() if tier in ("local", "download")
] or PUBLIC_HOMES
REGRESSIONS = ["linear", "logistic"]
RECORDINGS = {
    name: recording for name, recording in config["recordings"].items() if name in RECORDING_FILES
}
TRIPS_BOX = {
    "nyc_taxi": {
        key: config["data"]["nyc_taxi"][key]
        for key in ("latitude_range_deg", "longitude_range_deg")
    }
}
# The figures show the first file of trips, as in the paper; a table lists what was read of each.
TRIP_SHARDS = list(TRIP_FILES) or ["0000"]
TRIPS_PREPARED = expand("data/prepared/nyc_taxi/{shard}.parquet", shard=TRIP_SHARDS)
NO_SET = "(?!)"  # matches nothing
LEFT_OUT_TABLES = {}  # the dataset behind each table that a run with LEFT_OUT does not make
# What `make reference` has kept, but pictures.
REFERENCE_FILES = sorted(
    str(path) for path in (CLONE / "docs/reference").rglob("*") if path.suffix != ".png"
)


# {results} is the folder of a run: the run itself, another seed, or half of the homes.
wildcard_constraints:
    results="results(/robustness/(seed|half)_[0-9]+)?",
    homes="|".join(map(re.escape, config["homes"])),
    recording="|".join(map(re.escape, config["recordings"])),
    regression="|".join(REGRESSIONS),


def digest_files(*patterns):
    """Return the digest of the package's files that match patterns, in 16 hexadecimal digits."""
    hasher = hashlib.sha256()
    paths = {path for each in patterns for path in PACKAGE_FOLDER.glob(each) if path.is_file()}
    for path in sorted(paths):
        hasher.update(f"{path.relative_to(PACKAGE_FOLDER).as_posix()} ".encode())
        hasher.update(hashlib.sha256(path.read_bytes()).digest())
    return hasher.hexdigest()[:16]


# Modules that any experiment may import; of all others, it imports only those of its paper.
SHARED = [
    "compiled.py",
    "errors.py",
    "files.py",
    "plugins.py",
    "seeds.py",
    "settings.py",
    "statistics.py",
    "tables.py",
]
FOLDERS = ["accounting", "adversaries", "games", "mechanisms", "theory"]
LIBRARY = [*SHARED, *(f"{name}/**/*.py" for name in FOLDERS)]
EXPERIMENTS = {
    path.parent.name: list_experiments(path.parent.name)
    for path in PACKAGE_FOLDER.glob("papers/*/__init__.py")
}


def digest_code(paper):
    """Return the digest of the library and of a paper's experiments, the code of its tables."""
    return digest_files(*LIBRARY, *EXPERIMENTS[paper])


def digest_statements(paper):
    """Return the digest of what a paper's statements find: the library, the form, the paper."""
    return digest_files(*LIBRARY, "statements/*.py", f"papers/{paper}/*.py")


def digest_verdicts(paper):
    """Return the digest of how a paper's statements are judged, and of their words."""
    return digest_files(*LIBRARY, "statements/*.py", "ledger/*", f"papers/{paper}/*.py")


def digest_figure_code(paper):
    """Return the digest of the modules that plot a paper's figures."""
    return digest_files(
        "figures/*.py",
        "data/samples/__init__.py",
        "**/labels.py",
        f"papers/{paper}/limits.py",
        f"papers/{paper}/figures/*.py",
    )


def get_seed(wildcards):
    """Return the seed of a run: the configuration's, or that in the name of its folder."""
    found = re.search(r"seed_([0-9]+)$", wildcards.results)
    return int(found[1]) if found else config["seed"]


def get_homes_path(wildcards):
    """Return the path of a set's prepared homes: all, or the half that the run's folder names."""
    found = re.search(r"half_[0-9]+$", wildcards.results)
    folder = f"prepared/{found[0]}" if found else "prepared"
    return f"data/{folder}/{wildcards.homes}.parquet"


def refuse_left_out(*names):
    """Raise the error about a file that is asked for, but whose data are left out."""
    section = next((each for each in ("data", "homes", "recordings") if names[0] in config[each]))
    key = "tier" if section == "data" else "path"
    raise WorkflowError(
        f"the data of {', '.join(names)} are left out, for {section}.{names[0]}.{key} is null. "
        f"{'Set the tier' if section == 'data' else 'Give the path, or set the tier'} to take "
        "them (data/README.md)."
    )


def get_raw_inputs(name):
    """Return the raw files of a dataset or set of data; raise an error if it is left out."""
    found = {**RAW_INPUTS, **HOMES_FILES, **RECORDING_FILES}
    return found[name] if name in found else refuse_left_out(name)


def get_trip_file(wildcards):
    """Return the file of a shard of trips; raise an error if trips are left out."""
    return TRIP_FILES[wildcards.shard] if TRIP_FILES else refuse_left_out("nyc_taxi")


def keep_made(dataset, paths):
    """Return the paths of what a run makes of a dataset: none if it is left out, and noted so."""
    if dataset not in LEFT_OUT:
        return [*paths]
    for path in map(Path, paths):
        LEFT_OUT_TABLES[f"{path.parent.name}/{path.stem}"] = dataset
    return []


def list_left_out(dataset, figures):
    """Return the figures of a dataset that its job leaves out: all if the dataset is left out."""
    return [*figures] if dataset in LEFT_OUT else []


def drop_place(settings):
    """Return the settings of a set of data without its place, which no table records."""
    return {key: value for key, value in settings.items() if key not in ("path", "tier")}


def get_homes_settings(wildcards):
    """Return the settings of the wildcards' set of homes, without its place, by its name."""
    return {wildcards.homes: drop_place(config["homes"][wildcards.homes])}


def get_recording_settings(wildcards):
    """Return the settings of the wildcards' recording, without its place, by its name."""
    return {wildcards.recording: drop_place(config["recordings"][wildcards.recording])}


def request_memory(mb):
    """Return a function for `resources:` that requests `mb` MB times the attempt's number."""
    return lambda wildcards, attempt: mb * attempt


def request_homes_memory(mb):
    """Return a function for `resources:` that requests `mb` MB, and more for many homes.

    A megabyte of a prepared table is a year of days of about a thousand homes, whose rows and
    arrays take 30 MB.
    """
    return lambda wildcards, input, attempt: int((mb + 50 * input.size_mb) * attempt)


def declare_figure(paper, name, entry):
    """Return the PNG output of a figure, with its caption and labels for Snakemake's report."""
    return report(
        f"results/figures/{paper}/{name}.png",
        caption=f"../noiseless/papers/{paper}/figures/{re.sub('_{(homes|recording)}$', '', name)}.rst",
        category=paper,
        labels={"figure": str(entry["figure"]), "shows": entry["shows"]},
    )


def declare_figures(paper, *names):
    """Return the outputs of some of a paper's figures, the PNGs labelled by figures.yaml.

    Beside the PNG are a PDF and the WebP of the results page.
    """
    entries = load_yaml(PACKAGE_FOLDER / f"papers/{paper}/figures/figures.yaml")
    others = [
        f"results/figures/{paper}/{name}.{each}" for name in names for each in ("pdf", "webp")
    ]
    return [*(declare_figure(paper, name, entries[name]) for name in names), *others]


@cache
def load_data_use(paper):
    """Return what data a paper used, by dataset, and what other data stand in for."""
    return load_data(paper)


def find_left_out_tables(paper):
    """Return the dataset, or the set of data, behind each judged table that this run leaves out."""
    sets = list_paper_tables(paper)
    absent = {name: each for name, each in sets.items() if each not in ("", *HOMES, *RECORDINGS)}
    return absent | {name: LEFT_OUT_TABLES[name] for name in sets if name in LEFT_OUT_TABLES}


def list_judged_tables(paper, results="results"):
    """Return the paths of the tables that a paper's statements are about, and a run makes."""
    absent = find_left_out_tables(paper)
    names = [name for name in list_paper_tables(paper) if name not in absent]
    return [f"{results}/tables/{name}.parquet" for name in names]


def find_robustness(wildcards):
    """Return the path of a paper's table of robustness, where its verdicts are to depend on it."""
    if config["robustness"]["in_ledger"] and wildcards.results == "results":
        return f"results/robustness/{wildcards.paper}.parquet"
    return []


def is_written_since(time_s, path):
    """Return whether a file was written since a time, in seconds since 1970."""
    return Path(path).is_file() and Path(path).stat().st_mtime >= time_s
