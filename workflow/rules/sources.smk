# Where the raw files are, by the tier of each dataset. No rule is defined here.
import json
from functools import partial

from noiseless.captions import taking_part
from noiseless.datasets.contents import content_digests
from noiseless.datasets.local import locate_redd
from noiseless.datasets.registry import load_sources, mirrors, registered_sha256
from noiseless.datasets.samples.redd import CHANNELS as REDD_CHANNELS
from noiseless.errors import ConfigError, UserError
from noiseless.ledger.claims import load_claims
from noiseless.plugins import plugin_digests
from noiseless.schema import validate


def raw_file(dataset, file):
    """Where a raw file of a dataset is, by the dataset's tier."""
    source = config["data"][dataset]
    if source["tier"] != "local":
        return f"data/raw/{dataset}/{source['tier']}/{file}"
    path = Path(source["path"] or "")
    path = path / file if path.is_dir() else path
    if source["path"] is None or not path.is_file():
        raise ConfigError(
            f"data.{dataset}: tier is local, but path is {source['path']!r}, which is neither "
            f"{file} nor a folder that holds it. Set it to the file you have, or choose another "
            "tier (data/README.md)."
        )
    return str(path)


def london_files():
    """The raw files of the London dataset by name, by its tier: `households`, `block_0`, ..."""
    source = config["data"]["london"]
    registered = {mirror.file for mirror in SOURCES if mirror.dataset == "london"}
    blocks = [Path(file).stem for file in registered if file.startswith("daily_dataset/")]
    if source["tier"] == "sample":
        blocks = [f"block_{block}" for block in range(source["sample_blocks"])]
    if source["tier"] != "local":
        folder = f"data/raw/london/{source['tier']}"
        files = {block: f"{folder}/daily_dataset/{block}.csv" for block in blocks}
        return {
            "households": f"{folder}/informations_households.csv",
            **dict(sorted(files.items())),
        }
    folder = Path(source["path"] or "")
    found = sorted([*folder.glob("block_*.csv*"), *folder.glob("daily_dataset/block_*.csv*")])
    if source["path"] is None or not found:
        raise ConfigError(
            f"data.london: tier is local, but path is {source['path']!r}, which is no folder that "
            "holds block_0.csv, block_1.csv.gz or the like. Set it to the folder you have, or choose "
            "another tier (data/README.md)."
        )
    files = {path.name.split(".")[0]: str(path) for path in found}
    return {"households": raw_file("london", "informations_households.csv"), **files}


def registered(dataset, public, path):
    """The registered digest of a file, by its argument; without one only a file of that name counts."""
    [(argument, file)] = public.items()
    digest = registered_sha256(SOURCES, dataset=dataset, file=file)
    known = digest is not None or Path(path).name in (file, f"{file}.gz")
    return {argument: digest} if known else {}


def london_registered(files):
    """Registered digests of the files of `london_files` that the registry has, by their names."""
    public = {mirror.file for mirror in SOURCES if mirror.dataset == "london"}
    digests = {}
    for name in files:
        file = (
            f"daily_dataset/{name}.csv" if name != "households" else "informations_households.csv"
        )
        if file in public:
            digests[name] = registered_sha256(SOURCES, dataset="london", file=file)
    return digests


def trip_files():
    """Files of taxi trips, by the name of the shard that each becomes."""
    source = config["data"]["nyc_taxi"]
    if source["tier"] == "sample":
        numbers = range(1, source["sample_files"] + 1)
        files = [f"data/raw/nyc_taxi/sample/trips_{number}.csv" for number in numbers]
    elif source["tier"] == "download":
        files = source["files"]
        for file in files:
            mirrors(SOURCES, dataset="nyc_taxi", file=file)
    else:
        path = Path(source["path"] or "")
        inside = sorted(path.iterdir()) if source["path"] and path.is_dir() else [path]
        files = [str(file) for file in inside if file.is_file() and file.name[0] != "."]
        if not files:
            raise ConfigError(
                f"data.nyc_taxi: tier is local, but path is {source['path']!r}, which is neither a "
                "file nor a folder of files. Set it to the trips you have, or choose another tier "
                "(data/README.md)."
            )
    return {f"{position:04d}": file for position, file in enumerate(files)}


def redd_source():
    """REDD by its tier: the reader, the files by argument, what the registry calls them."""
    source = config["data"]["redd"]
    if source["tier"] == "sample":
        folder = "data/raw/redd/sample/low_freq/house_1"
        files = {"labels": f"{folder}/labels.dat"} | {
            f"channel_{number}": f"{folder}/channel_{number}.dat" for number in REDD_CHANNELS
        }
        return "noiseless.datasets.redd.read_low_freq", files, "low_freq.tar.bz2"
    if source["tier"] == "download":
        file = source["file"]
        reader = "read_nilmtk" if file.endswith(".h5") else "read_minutes"
        return f"noiseless.datasets.redd.{reader}", {"path": f"data/raw/redd/download/{file}"}, file
    if source["path"] is None:
        raise ConfigError("data.redd: tier is local, but path is not given (data/README.md).")
    reader, files = locate_redd(source["path"], source["house"])
    file = {"read_minutes": "house1_minutes.csv", "read_nilmtk": "redd.h5"}
    return reader, files, file.get(reader.rpartition(".")[2], "low_freq.tar.bz2")


def redd_registered():
    """Registered digests of REDD's files, by argument; of the original's many files none is known."""
    if REDD_FILE == "low_freq.tar.bz2":
        return dict.fromkeys(REDD_FILES)
    return registered("redd", {"path": REDD_FILE}, REDD_FILES["path"])


def contents(dataset, files):
    """Digests of the user's own files by name, so that another content runs a rule again."""
    return content_digests(files) if config["data"][dataset]["tier"] == "local" else {}


def own_datasets():
    """The user's own datasets by name: the entries of `data` that say of what kind they are."""
    # A day in YAML is a date, unless it is quoted.
    entries = json.loads(json.dumps(config["data"], default=str))
    return {name: entry for name, entry in entries.items() if entry and "kind" in entry}


def require_own_file(dataset):
    """A dataset of the user's is a file; one of meters may be a folder of files."""
    path = OWN[dataset]["path"]
    if not (Path(path).is_file() or OWN[dataset]["kind"] == "meters" and Path(path).is_dir()):
        raise ConfigError(
            f"data.{dataset}.path is {path!r}, which is no file. Set it to the file you have, "
            "relative to the folder in which you run the workflow (docs/own-data.md)."
        )


def own_of(kind):
    """The datasets of a kind, for a wildcard's constraint; of none, one that nothing matches."""
    return "|".join(name for name in OWN if OWN[name]["kind"] == kind) or "(?!)"


def own_name(public):
    """What a table of a public dataset, <paper>/<name>_<dataset>, is called for the user's."""
    return f"own/{{dataset}}/{Path(public).stem.removesuffix('_london')}"


def own_settings(settings, **others):
    """Settings of a public dataset, with those that the user's decides, by the wildcards."""

    def of(wildcards):
        decided = {
            "dataset": wildcards.dataset,
            # A main fuse lets no more through, whoever the homes are.
            "public_range_kwh": config["noiseless"]["membership"]["main_fuse_kwh"],
            **OWN[wildcards.dataset],
        }
        return {key: decided.get(key, value) for key, value in settings.items()} | others

    return of


def own_reading(wildcards):
    """How a dataset's file is to be read."""
    others = ("kind", "tier", "path", "public_range_kwh", *OWN_NUMBERS)
    said = {key: value for key, value in OWN[wildcards.dataset].items() if key not in others}
    return {**said, "section": f"data.{wildcards.dataset}"}


def own_people(*keys):
    """Settings of blurred people, or some of them, by the wildcards."""

    def of(wildcards):
        settings = OWN_PEOPLE[wildcards.dataset]
        return {key: settings[key] for key in keys or settings}

    return of


def own_tables(wildcards):
    """Tables of a dataset by name."""
    names = OWN_TABLES[OWN[wildcards.dataset]["kind"]]
    return {name: table(f"own/{wildcards.dataset}/{name}") for name in names}


def own_figures(wildcards):
    """Figures of a dataset by name."""
    folder = f"results/figures/own/{wildcards.dataset}"
    return {name: f"{folder}/{name}.png" for name in OWN_LIKE[OWN[wildcards.dataset]["kind"]]}


def own_captions(wildcards):
    """Captions of a dataset's figures by name, which Snakemake's report has, too."""
    folder = Path(os.path.relpath(PACKAGE)) / "report"
    return {name: str(folder / f"own_{name}.rst") for name in own_figures(wildcards)}


def own_says(wildcards):
    """What the captions of a dataset's figures may say, by the figures' names."""
    figures = {name: FIGURES[f"own/{{dataset}}/{name}"] for name in own_figures(wildcards)}
    return {name: figure["says"] for name, figure in figures.items() if "says" in figure}


def own_outputs(wildcards):
    """What the target `own` makes."""
    if not OWN:
        raise WorkflowError(
            "there is no data of yours: no entry of `data` in the configuration has a `kind`. "
            "docs/own-data.md says what to write there; then, for instance: make own CONFIG=own.yaml"
        )
    return OWN_SUMMARIES


try:
    validate(config, "config", source="the configuration")
    PLUGINS = plugin_digests(config["plugins"])
    TAKING_PART = taking_part(PLUGINS)
    SOURCES = load_sources("config/sources.yaml")
    CLAIMS = load_claims(LEDGER / "claims")
    CLAIMED = list(dict.fromkeys(claim.paper for claim in CLAIMS))
    YOUNG_PEOPLE = raw_file("young_people", "responses.csv")
    AUSGRID_FILE = f"solar_home_{config['data']['ausgrid']['year']}.csv"
    AUSGRID = raw_file("ausgrid", AUSGRID_FILE)
    LONDON = london_files()
    TRIP_FILES = trip_files()
    REDD_READER, REDD_FILES, REDD_FILE = redd_source()
    REDD_REGISTERED = redd_registered()
    OWN = own_datasets()
    for dataset in OWN:
        require_own_file(dataset)
except UserError as error:
    raise WorkflowError(str(error)) from None


# Mechanisms and adversaries of the user's: rules that ask a registry depend on them.
call = partial(call, plugins=PLUGINS)
