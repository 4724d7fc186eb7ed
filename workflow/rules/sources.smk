# Where the raw files are, by the tier of each dataset, and the user's own datasets. No rule is defined
# here.
from noiseless.datasets.contents import content_digests
from noiseless.datasets.local import locate_redd
from noiseless.datasets.registry import load_sources, mirrors, registered_sha256
from noiseless.datasets.samples.redd import CHANNELS as REDD_CHANNELS

DATA = config["data"]


def raw_file(dataset, file):
    """Where a raw file of a dataset is, by the dataset's tier."""
    source = DATA[dataset]
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


def nameable(dataset, files):
    """Paths of the user's files by name, unless Snakemake would take what is in one for a wildcard."""
    for file in files.values():
        if set(file) & set("{}"):
            raise ConfigError(
                f"data.{dataset}: {file} has braces in its name, which Snakemake takes for wildcards. "
                "Rename it."
            )
    return files


def london_files():
    """The raw files of the London dataset by name, by its tier: `households`, `block_0`, ..."""
    source = DATA["london"]
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
    files = nameable("london", {path.name.split(".")[0]: str(path) for path in found})
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
    source = DATA["nyc_taxi"]
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
    return nameable("nyc_taxi", {f"{number:04d}": file for number, file in enumerate(files)})


def redd_source():
    """REDD by its tier: the reader, the files by argument, what the registry calls them."""
    source = DATA["redd"]
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
    return reader, nameable("redd", files), file.get(reader.rpartition(".")[2], "low_freq.tar.bz2")


def contents(dataset, files):
    """Digests of the user's own files by name, so that another content runs a rule again."""
    return content_digests(files) if DATA[dataset]["tier"] == "local" else {}


def origin(dataset, files, file, digests):
    """What a dataset's files are, and what is known of them, for the rule that parses them."""
    return {
        "dataset": dataset,
        "content": contents(dataset, files),
        "tier": DATA[dataset]["tier"],
        "registered": digests,
        "file": file,
    }


def origin_of_one(dataset, file, path):
    """The same of a dataset that is one file."""
    return origin(dataset, {"path": path}, file, registered(dataset, {"path": file}, path))


def one_file(dataset, file):
    """Of a dataset that is one file: where it is, and what the rule that parses it says of it."""
    try:
        path = raw_file(dataset, file)
    except UserError as error:
        raise WorkflowError(str(error)) from None
    return path, origin_of_one(dataset, file, path)


def origin_of_redd():
    """The same of REDD; of the original's many files no digest is known."""
    if REDD_FILE == "low_freq.tar.bz2":
        digests = dict.fromkeys(REDD_FILES)
    else:
        digests = registered("redd", {"path": REDD_FILE}, REDD_FILES["path"])
    return origin("redd", REDD_FILES, REDD_FILE, digests)


def own_datasets():
    """The user's own datasets by name: the entries of `data` that say of what kind they are."""
    # Snakemake wants paths without // and ./.
    return {
        name: {**entry, "path": str(Path(entry["path"]))}
        for name, entry in DATA.items()
        if entry and "kind" in entry
    }


def require_own(dataset):
    """Refuse a dataset of the user's that has no file, or whose entry says what cannot be."""
    entry, section = OWN[dataset], f"data.{dataset}"
    # A dataset is a file; one of meters may be a folder of files.
    if not (
        Path(entry["path"]).is_file() or own_is(dataset, "meters") and Path(entry["path"]).is_dir()
    ):
        raise ConfigError(
            f"{section}.path is {entry['path']!r}, which is no file. Set it to the file you have, "
            "relative to the folder in which you run the workflow (docs/own-data.md)."
        )
    if own_is(dataset, "meters"):
        from noiseless.datasets.own.times import find_zone

        find_zone(entry.get("time_zone"), section=section)
    if own_is(dataset, "trips"):
        from noiseless.datasets.own.trips import public_box

        public_box(**pick(entry, *TRIPS_BOX), section=section)


def people_of(dataset):
    """Settings of blurred people."""
    from noiseless.experiments.nsht.two_numbers import people_settings

    return people_settings(OWN[dataset], BLURRING, section=f"data.{dataset}")


def own_is(dataset, kind):
    """Whether a dataset is of a kind."""
    return OWN[dataset]["kind"] == kind


def own_of(kind):
    """The datasets of a kind, for a wildcard's constraint; of none, one that nothing matches."""
    return "|".join(name for name in OWN if own_is(name, kind)) or "(?!)"


def own_settings(settings, **others):
    """Settings of a public dataset, with those that the user's decides, by the wildcards."""

    def of(wildcards):
        decided = {
            "dataset": wildcards.dataset,
            # A main fuse lets no more through, whoever the homes are.
            "public_range_kwh": MEMBERSHIP["main_fuse_kwh"],
            **OWN[wildcards.dataset],
        }
        return {key: decided.get(key, value) for key, value in settings.items()} | others

    return of


def own_reading(wildcards):
    """The call that reads a dataset's file."""
    kind, section = own_kind(wildcards), f"data.{wildcards.dataset}"
    others = ("kind", "tier", "path", "public_range_kwh", *OWN_NUMBERS)
    said = without(OWN[wildcards.dataset], *others)
    return call(f"noiseless.datasets.own.{kind}.read_{kind}", **said, section=section)


def own_kind(wildcards):
    """The kind of a dataset."""
    return OWN[wildcards.dataset]["kind"]


def own_tables(wildcards):
    """Tables of a dataset by name."""
    names = OWN_TABLES[own_kind(wildcards)]
    return {name: table(f"own/{wildcards.dataset}/{name}") for name in names}


def own_figure(wildcards):
    """A figure of a dataset: as the public one that it is like, but for what the dataset decides."""
    name, dataset = wildcards.figure, wildcards.dataset
    public = OWN_FIGURES[own_kind(wildcards)][name]
    like = FIGURES[public]
    tables = {
        key: f"own/{dataset}/{Path(each).name.removesuffix('_london')}"
        for key, each in like["tables"].items()
    }
    figure = {
        **like,
        "tables": tables,
        "figure": f"as {Path(public).parent} {like['figure']}",
        "shows": f"{dataset}: {like['shows'].removesuffix(', london')}",
        "settings": own_settings(like.get("settings", {}))(wildcards),
        "caption": f"own_{name}",
    }
    if name in OWN_NUMBERS_SHOWN:
        # The numbers of people have other names than those of the survey.
        figure["function"] = figure["function"].replace("blurring", "two_numbers")
        figure["shows"] = figure["shows"].replace("weight and height", "numbers")
        figure["settings"] = pick(OWN_PEOPLE[dataset], *OWN_NUMBERS_SHOWN[name])
    return figure


def own_figure_tables(wildcards):
    """Tables of a dataset's figure by the names of the function's arguments."""
    return {argument: table(name) for argument, name in own_figure(wildcards)["tables"].items()}


def own_figure_labels(wildcards):
    """What the report says of a dataset's figure."""
    return pick(own_figure(wildcards), "figure", "shows")


def own_figures(wildcards):
    """Figures of a dataset by name."""
    names = OWN_FIGURES[own_kind(wildcards)]
    return {name: f"results/figures/own/{wildcards.dataset}/{name}.png" for name in names}


def own_figure_entries(wildcards):
    """The entries of a dataset's figures by name."""
    return {
        name: own_figure(Wildcards(fromdict={"dataset": wildcards.dataset, "figure": name}))
        for name in OWN_FIGURES[own_kind(wildcards)]
    }


def own_captions(wildcards):
    """Captions of a dataset's figures by name, which Snakemake's report has, too."""
    return {name: caption_of(each) for name, each in own_figure_entries(wildcards).items()}


def own_says(wildcards):
    """What the captions of a dataset's figures may say, by the figures' names."""
    entries = own_figure_entries(wildcards)
    return {name: each["says"] for name, each in entries.items() if "says" in each}


def own_outputs(wildcards):
    """What the target `own` makes."""
    if not OWN:
        raise WorkflowError(
            "there is no data of yours: no entry of `data` in the configuration has a `kind`. "
            "docs/own-data.md says what to write there; then, for instance: make own CONFIG=own.yaml"
        )
    return OWN_SUMMARIES


try:
    SOURCES = load_sources("config/sources.yaml")
    YOUNG_PEOPLE = raw_file("young_people", "responses.csv")
    AUSGRID_FILE = f"solar_home_{DATA['ausgrid']['year']}.csv"
    AUSGRID = raw_file("ausgrid", AUSGRID_FILE)
    LONDON = london_files()
    TRIP_FILES = trip_files()
    REDD_READER, REDD_FILES, REDD_FILE = redd_source()
    ORIGIN = {
        "young_people": origin_of_one("young_people", "responses.csv", YOUNG_PEOPLE),
        "ausgrid": origin_of_one("ausgrid", AUSGRID_FILE, AUSGRID),
        "london": origin("london", LONDON, "", london_registered(LONDON)),
        "redd": origin_of_redd(),
    }
    OWN = own_datasets()
except UserError as error:
    raise WorkflowError(str(error)) from None

REDD_SETTINGS = pick(DATA["redd"], "house") if REDD_READER.endswith("read_nilmtk") else {}
# Prepared trips: the figures are about the first file, as in the paper; the count over shards is about
# all files together.
TRIPS_PREPARED = [prepared(f"nyc_taxi/{shard}") for shard in TRIP_FILES]
# By kind: the tables of a dataset, and its figures, each with the public one that it is like.
OWN_TABLES = {
    "meters": [
        *("taken", "membership", "recommendation_frontier", "recommendation_splits"),
        *("recommendation_mechanisms", "recommendation_facts"),
    ],
    "trips": [
        *("taken", "trips_unique", "trips_unique_by_number", "trips_unique_half"),
        *("trips_density", "trips_budget"),
    ],
    "people": [
        *("taken", "blurring_budget", "blurring_enclosure", "blurring_people"),
        "blurring_histogram",
    ],
}
OWN_FIGURES = {
    "meters": {
        "recommendation": "beyond/recommendation_london",
        "membership": "noiseless/fig3_london",
    },
    "trips": {
        "trips_map": "noiseless/fig5",
        "trips_unique": "noiseless/fig6",
        "trips_unique_beyond": "noiseless/fig6_beyond",
    },
    "people": {
        "blurring_budget": "nsht/fig4",
        "blurring_histogram": "nsht/fig5",
        "blurring_people": "nsht/fig5_people",
    },
}
# What the figures of people take of their numbers.
OWN_NUMBERS_SHOWN = {
    "blurring_budget": ["quantities"],
    "blurring_histogram": ["quantities", "threshold", "bin_size"],
    "blurring_people": ["quantities"],
}
# What the experiments need to know of people, and the reader does not.
OWN_NUMBERS = ("threshold", "above", "rho", "histogram_rho", "histogram_bin")
OWN_SUMMARIES = [f"results/own/{dataset}/summary.html" for dataset in OWN]
# What is wrong with a dataset is said before anything runs.
try:
    for dataset in OWN:
        require_own(dataset)
    OWN_PEOPLE = {dataset: people_of(dataset) for dataset in OWN if own_is(dataset, "people")}
except UserError as error:
    raise WorkflowError(str(error)) from None
