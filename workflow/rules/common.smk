# Names shared by all rules, included first. No rule is defined here.
import os
import sys
import time
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path

from noiseless.captions import caption_text, taking_part
from noiseless.code import call, source_digest
from noiseless.config import check_files, checked, defaults, merged
from noiseless.errors import ConfigError, UserError
from noiseless.grids import log_grid
from noiseless.ledger.calls import Call, calls_behind
from noiseless.ledger.claims import claimed_tables, load_claims, require_tables
from noiseless.plugins import plugin_digests
from snakemake.io import apply_wildcards, get_wildcard_names
from snakemake.iocontainers import Wildcards

STARTED = time.time()
ENVIRONMENT = "../envs/noiseless.yaml"
FOLDER = Path(os.path.relpath(PACKAGE))
LEDGER = FOLDER / "noiseless/ledger"
PAGE = FOLDER / "noiseless/page"
REFERENCE = FOLDER.parent / "docs/reference"

try:
    check_files(workflow.configfiles)
    config.update(checked(merged(defaults(), config), source="the configuration"))
    PLUGINS = plugin_digests(config["plugins"])
    TAKING_PART = taking_part(PLUGINS)
    CLAIMS = load_claims(LEDGER / "claims")
except UserError as error:
    raise WorkflowError(str(error)) from None

# Mechanisms and adversaries of the user's: rules that ask a registry depend on them.
call = partial(call, plugins=PLUGINS)
CLAIMED = list(dict.fromkeys(claim.paper for claim in CLAIMS))
# Every table, as <paper>/<name>, which the rules say by tables(), and every figure, with the function
# that draws it (in noiseless.figures), its tables by the names of the function's arguments, the
# paper's number of it and what it shows (in the report), and settings where it needs any. Its caption
# is report/<paper>_<name of the function>.rst, and may use what the figure `says`.
TABLES = []
FIGURES = {}
# What the wildcards of tables stand for. London's readings are daily.
RESOLUTIONS = {"ausgrid": ["days", "half-hours"], "london": ["days"]}
WILDCARDS = {
    "homes": list(RESOLUTIONS),
    "regression": list(config["knowledge"]["composition"]["parameter_range"]),
}


# Else membership_ranges_ausgrid would be the membership of homes called ranges_ausgrid as well.
wildcard_constraints:
    homes="|".join(WILDCARDS["homes"]),
    regression="|".join(WILDCARDS["regression"]),


# Settings that several papers' rules share.
BLURRING = config["nsht"]["blurring"]
MEMBERSHIP = config["noiseless"]["membership"]
NILM = config["noiseless"]["nilm"]
TRIPS = config["noiseless"]["trips"]


def pick(settings, *keys):
    """Some of the settings."""
    return {key: settings[key] for key in keys}


def without(settings, *keys):
    """All of the settings but some."""
    return {key: value for key, value in settings.items() if key not in keys}


# Of the taxi trips, which the user's pass through as well.
TRIPS_BOX = pick(TRIPS, "latitude_range_deg", "longitude_range_deg")
TRIPS_BUDGET = {**TRIPS_BOX, **pick(TRIPS, "epsilon_bits")}
TRIPS_DENSITY = {**TRIPS_BOX, "levels": TRIPS["map_levels"]}
TRIPS_UNIQUE = {**TRIPS_BOX, **pick(TRIPS, "epsilon_bits", "k", "numbers")}


def memory(mb):
    """Memory in MB, for `resources:`; a job that ran out of it comes back with as much again."""
    return lambda wildcards, attempt: mb * attempt


def prepared(dataset):
    """What the experiments read of a dataset."""
    return f"data/prepared/{dataset}.parquet"


def table(name):
    """The table <paper>/<name>; its CSV twin lies beside it."""
    return f"results/tables/{name}.parquet"


def twin(path):
    """The CSV twin of a table's path."""
    return f"{path.removesuffix('.parquet')}.csv"


def tables(**names):
    """Outputs of a rule: tables <paper>/<name> by what its function calls them, and their twins."""
    # Those of the user's own datasets have a wildcard for the dataset.
    public = [name for name in names.values() if "{dataset}" not in name]
    for name in public:
        TABLES.extend(apply_wildcards(name, each) for each in values_of(get_wildcard_names(name)))
    paths = {key: table(name) for key, name in names.items()}
    return paths | {f"{key}_csv": twin(path) for key, path in paths.items()}


def values_of(wildcards):
    """Values of some wildcards, for each table or job that they stand for."""
    values = {name: WILDCARDS[name] for name in sorted(wildcards)}
    return [dict(zip(values, each)) for each in product(*values.values())]


def table_paths(names):
    """Tables of some names, and their twins: what is deleted comes back."""
    return [path for name in names for path in (table(name), twin(table(name)))]


def figure_paths(names):
    """Figures of some names."""
    return [f"results/figures/{name}.{ending}" for name in names for ending in ("png", "pdf")]


def results_of(paper):
    """What the target of a paper makes; it ends in the paper's verdicts."""
    tables, figures = (
        [name for name in names if name.startswith(f"{paper}/")] for names in (TABLES, FIGURES)
    )
    ledger = [ledger_of(paper)] if paper in CLAIMED else []
    return [*table_paths(tables), *figure_paths(figures), *ledger]


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


def membership_settings(homes):
    """The membership game."""
    daily = RESOLUTIONS[homes] == ["days"]
    return {
        **membership_release(homes),
        **pick(MEMBERSHIP, "games", "n", "epsilon_bits", "peaks"),
        "resolution": "days" if daily else MEMBERSHIP["resolution"],
        **drawn_for(homes),
    }


def learned_settings(homes):
    """The membership game of a trained adversary."""
    learned = {**MEMBERSHIP["learned"], "resolution": "days"}
    return {**membership_release(homes), **learned, **drawn_for(homes)}


def custodian_settings(homes):
    """The custodian's question: how many homes, how coarse a scale."""
    return {
        **config["beyond"]["custodian"],
        "public_range_kwh": MEMBERSHIP["public_range_kwh"][homes],
        "factors": config["beyond"]["adversaries"]["factors"],
        **drawn_for(homes),
    }


def recommendation_settings(homes):
    """The releases that are tried for a custodian, and what is good enough."""
    return {
        **config["beyond"]["recommendation"],
        "public_range_kwh": MEMBERSHIP["public_range_kwh"][homes],
        "tolerance": config["beyond"]["comparison"]["tolerance"],
        "factors": config["beyond"]["adversaries"]["factors"],
        **drawn_for(homes),
    }


def drawn_for(dataset):
    """What the random streams of a dataset begin with."""
    return {"dataset": dataset, "seed": config["seed"]}


def figure_of(wildcards):
    """The entry of a figure."""
    return FIGURES[f"{wildcards.paper}/{wildcards.figure}"]


def figure_tables(wildcards):
    """Tables of a figure by the names of the function's arguments."""
    return {argument: table(name) for argument, name in figure_of(wildcards)["tables"].items()}


def figure_labels(wildcards):
    """What the report says of a figure."""
    return pick(figure_of(wildcards), "figure", "shows")


def called_by(choice, *others):
    """Parameters of a rule whose call depends on its wildcards, and others that `choice` gives."""
    chosen = {}

    def of(key):
        def value(wildcards):
            job = tuple(wildcards)
            if job not in chosen:
                chosen[job] = choice(wildcards)
            return chosen[job][key]

        return value

    return {key: of(key) for key in ("function", "code", "settings", *others)}


def drawn_by(figure):
    """Parameters of a rule that draws a figure, whose entry a function of the wildcards gives."""
    return called_by(lambda wildcards: drawing(figure(wildcards)), "says", "caption")


def drawing(figure):
    """The call that draws a figure, and its caption."""
    says = figure.get("says", {})
    drawn = call(f"noiseless.figures.{figure['function']}", **figure.get("settings", {}))
    return {**drawn, "says": says, "caption": caption_text(caption_of(figure), says, config)}


def caption_of(figure):
    """Where the caption of a figure is."""
    paper, *_, function = figure["function"].split(".")
    return str(FOLDER / "report" / f"{figure.get('caption', f'{paper}_{function}')}.rst")


def ledger_of(paper):
    """Where the verdicts on a paper's claims are."""
    return f"results/ledger/{paper}.parquet"


def claims_of(paper):
    """A paper's claims."""
    return str(LEDGER / f"claims/{paper}.yaml")


def judged(wildcards):
    """What a paper's verdicts rest on: its claims, the tables that these name, and no figure."""
    paths = [table(name) for name in claimed_tables(CLAIMS, wildcards.paper)]
    inputs = {
        "tables": paths,
        "twins": list(map(twin, paths)),
        "claims": claims_of(wildcards.paper),
    }
    if config["robustness"]["in_ledger"]:
        inputs["robustness"] = robustness_of(wildcards.paper)
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


def page_tables(wildcards):
    """Tables that the page is made from, by name."""
    try:
        require_tables(CLAIMS, TABLES)
    except UserError as error:
        raise WorkflowError(str(error)) from None
    return {name: table(name) for name in sorted(TABLES)}


def page_figures(wildcards):
    """Figures of the page by name."""
    return {name: f"results/figures/{name}.png" for name in sorted(FIGURES)}


def page_captions(wildcards):
    """Captions of the page's figures by name: the same as in Snakemake's own report."""
    return {name: caption_of(FIGURES[name]) for name in sorted(FIGURES)}


def robustness_of(paper):
    """Where it stands how a paper's verdicts depend on the seed, the homes and the reading."""
    return f"results/ledger/robustness_{paper}.parquet"


def robustness_inputs(paper):
    """The tables of a paper's claims, and the data behind them, by the calls' names for them."""
    made = {name for call in calls() for name in call.outputs.values()}
    paths = {path for call in calls_behind_claims(paper) for path in call.inputs.values()}
    names = claimed_tables(CLAIMS, paper)
    return {name: table(name) for name in names} | {path: path for path in sorted(paths - made)}


def calls_behind_claims(paper):
    """The calls that make the tables of a paper's claims."""
    return calls_behind(calls(), claimed_tables(CLAIMS, paper))


def calls():
    """What the rules that make tables by a plain call do call, once all rules are read.

    Tables that others make are named as <paper>/<name>, prepared data by their paths.
    """
    made = [rule for rule in workflow.rules if str(rule.script).endswith("make_table.py")]
    public = [rule for rule in made if rule.output and "dataset" not in rule.wildcard_names]
    return [
        called(rule, values)
        for rule in sorted(public, key=read_after)
        for values in values_of(rule.wildcard_names)
    ]


def read_after(rule):
    """In which order calls find their inputs: those that read no table of others come first."""
    reads_tables = any(str(path).startswith("results/tables/") for path in rule.input)
    return reads_tables, rule.name


def called(rule, values):
    """What a rule calls for some values of its wildcards."""
    settings = rule.params["settings"]
    if callable(settings):
        settings = settings(Wildcards(fromdict=values))
    inputs, outputs = (
        {key: table_name(apply_wildcards(path, values)) for key, path in paths.items()}
        for paths in (rule.input, rule.output)
    )
    tables = {key: name for key, name in outputs.items() if not name.endswith(".csv")}
    return Call(rule.params["function"], settings, inputs, tables)


def table_name(path):
    """<paper>/<name> of a table's path; any other path as it is."""
    name = path.removeprefix("results/tables/")
    return name if name == path else name.removesuffix(".parquet")
