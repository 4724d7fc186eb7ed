"""From a file of the user's to its page.

1. The file is read by its kind (:mod:`noiseless.custodian.reading`).
2. It passes through the experiments of the public dataset that it is like, with the same settings
   but for what the dataset decides itself.
3. Tables, figures and the page are written.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_limits

from noiseless.custodian import people, recommendation
from noiseless.custodian import trips as custodian_trips
from noiseless.custodian.protected import write_protected
from noiseless.custodian.reading.meters import read_meters
from noiseless.custodian.reading.people import read_people
from noiseless.custodian.reading.times import find_zone
from noiseless.custodian.reading.trips import public_box, read_trips
from noiseless.custodian.summary import write_summary
from noiseless.data.prepare import read_source
from noiseless.errors import ConfigError, DataError
from noiseless.figures.captions import caption_text, taking_part
from noiseless.figures.entries import Figure, load_figures, own_figure
from noiseless.figures.results import draw_figures
from noiseless.papers.noiseless import membership, trips
from noiseless.papers.nsht import two_numbers
from noiseless.papers.nsht.quantities import Quantities
from noiseless.plugins import plugin_digests, use_plugins
from noiseless.tables import derive_provenance, write_table

_PACKAGE = Path(__file__).resolve().parents[1]
Tables = Mapping[str, pd.DataFrame]
Section = Mapping[str, Any]
# What a dataset says of itself that its reader does not take.
_NOT_READ = (
    *("kind", "tier", "path", "public_range_kwh"),
    *("threshold", "above", "rho", "histogram_rho", "histogram_bin", "k", "diversity"),
    "publish_time",
)
# By kind: each figure of a dataset, and the public one that it is like.
_FIGURES = {
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
_FEWEST_HOMES = 3
_BOX = ("latitude_range_deg", "longitude_range_deg")
_BLURRED = ("x1", "x2", "threshold")
_PEOPLE = {"k": 5, "diversity": 2}
# What the figures of people take of their numbers.
_NUMBERS_SHOWN = {
    "blurring_budget": ["quantities"],
    "blurring_histogram": ["quantities", "threshold", "bin_size"],
    "blurring_people": ["quantities"],
}


@dataclass(frozen=True)
class Dataset:
    """A dataset of the user's.

    Attributes
    ----------
    name : str
        Its key in the section ``data`` of the configuration.
    entry : mapping
        What stands there.
    config : mapping
        The configuration.
    """

    name: str
    entry: Section
    config: Section

    @property
    def kind(self) -> str:
        """``meters``, ``trips`` or ``people``."""
        return str(self.entry["kind"])

    @property
    def section(self) -> str:
        """Where the configuration gives it, for messages."""
        return f"data.{self.name}"

    @property
    def blurring(self) -> dict[str, Any]:
        """Settings of the blurring of one number; empty where none is blurred."""
        if not self.entry.keys() & set(_BLURRED):
            return {}
        blurring = self.config["nsht"]["blurring"]
        return two_numbers.people_settings(self.entry, blurring, section=self.section)

    @property
    def people(self) -> dict[str, Any]:
        """Settings of the count of people who are alike; empty for another kind."""
        if self.kind != "people":
            return {}
        blurred = [self.entry[key]["column"] for key in ("x1", "x2") if key in self.entry]
        return {
            "identifying": list(self.entry.get("identifying") or blurred),
            "sensitive": list(self.entry.get("sensitive", ())),
            **{key: self.entry.get(key, default) for key, default in _PEOPLE.items()},
        }

    @property
    def told(self) -> dict[str, Any]:
        """What is told of the time of trips; empty for another kind."""
        return pick(self.entry, "publish_time") if "publish_time" in self.entry else {}

    def decides(self, settings: Section) -> dict[str, Any]:
        """Settings of a public dataset, with those that this one decides."""
        decided = {
            "dataset": self.name,
            # A main fuse lets no more through, whatever the homes are.
            "public_range_kwh": self.config["noiseless"]["membership"]["main_fuse_kwh"],
            **self.entry,
        }
        return {key: decided.get(key, value) for key, value in settings.items()}


def make_own(
    dataset: Dataset,
    results: Path,
    *,
    code: str,
    plugins: Section,
    write_anyway: bool = False,
) -> None:
    """Write the tables, figures, summary and page of a dataset.

    Parameters
    ----------
    dataset : Dataset
    results : path
        ``tables/own/<name>``, ``figures/own/<name>`` and ``own/<name>`` are written in it.
    code : str
        Digest of the code, for the provenance.
    plugins : mapping of str to str
        Digests of the user's plugins by their paths.
    write_anyway : bool
        Whether the protected file is written even where the page does not say to publish.

    Raises
    ------
    UserError
        If the file cannot be read as the entry says, or the entry says what cannot be.
    """
    target = results / "own" / dataset.name
    # Nothing of another run stays beside a page that says otherwise.
    for name in ("protected.csv", "protected.txt"):
        (target / name).unlink(missing_ok=True)
    said = {key: value for key, value in dataset.entry.items() if key not in _NOT_READ}
    path = dataset.entry["path"]
    read, source = read_source(
        partial(_READERS[dataset.kind], path, **said, section=dataset.section),
        dataset=dataset.name,
        tier="local",
        files={"path": path},
        registered={},
    )
    prepared = derive_provenance({**said, "section": dataset.section}, code, sources=[source])
    made = {"taken": (read["taken"], prepared)}
    with use_plugins(plugins):
        for call, settings in _EXPERIMENTS[dataset.kind](read["table"], dataset):
            tables = call(**settings)
            made_with = settings | ({"plugins": sorted(plugins.values())} if plugins else {})
            provenance = derive_provenance(made_with, code, inputs=[prepared])
            made |= {name: (table, provenance) for name, table in tables.items()}
    folder = results / "tables/own" / dataset.name
    paths = {name: folder / f"{name}.parquet" for name in made}
    for name, (table, provenance) in made.items():
        write_table(table, paths[name], provenance)
    to_draw, drawn = {}, []
    for figure in own_figures(dataset):
        to_draw[figure.name] = {
            **{"function": figure.function, "settings": figure.settings, "code": code},
            "tables": {key: paths[Path(name).name] for key, name in figure.tables.items()},
        }
        says = {figure.game: taking_part(plugins)[figure.game]} if figure.game else {}
        caption = caption_text(_PACKAGE / figure.caption, says)
        drawn.append((results / f"figures/{figure.name}.png", caption))
    draw_figures(to_draw, results / "figures")
    answer, provenance = write_summary(
        paths,
        drawn,
        target,
        dataset=dataset.name,
        kind=dataset.kind,
        almost_zero=dataset.config["noiseless"]["membership"]["choices"]["almost_zero"],
        asked={
            "aims": pick(dataset.config["beyond"]["recommendation"], "gain", "largest_error_share"),
            "quantities": dataset.blurring.get("quantities"),
            **dataset.told,
        },
        code=code,
    )
    if answer.is_to_publish or write_anyway:
        tables = {name: table for name, (table, _) in made.items()}
        settings = dataset.people or dataset.told
        if dataset.kind == "trips":
            settings = {**settings, **pick(dataset.entry, *_BOX)}
        write_protected(dataset.kind, read["table"], tables, settings, answer, target, provenance)


def make_pages(
    config: Section, results: Path, *, code: str, write_anyway: bool = False
) -> list[Path]:
    """Make the page of each dataset of the user's, with its tables and figures.

    Parameters
    ----------
    config : mapping
        A checked configuration.
    results : path
        Where :func:`make_own` writes.
    code : str
        Digest of the code, for the provenance.
    write_anyway : bool
        See :func:`make_own`.

    Returns
    -------
    list of path
        The pages; none if ``data`` has no dataset of the user's.

    Raises
    ------
    UserError
        As :func:`own_datasets` and :func:`make_own` raise it.
    """
    plugins = plugin_digests(config["plugins"])
    datasets = own_datasets(config)
    # Games multiply many small matrices; threads would wait for each other.  Jobs have one each.
    with threadpool_limits(1):
        for dataset in datasets.values():
            make_own(dataset, results, code=code, plugins=plugins, write_anyway=write_anyway)
    return [results / "own" / name / "summary.html" for name in datasets]


def own_figures(dataset: Dataset) -> list[Figure]:
    """The figures of a dataset: each as a public one, but for what the dataset decides."""
    figures: list[Figure] = []
    if dataset.kind == "people" and not dataset.blurring:
        return figures
    for name, public in _FIGURES[dataset.kind].items():
        like = load_figures(public.partition("/")[0], dataset.config, ["london"])[public]
        settings = dataset.decides(like.settings)
        if dataset.kind == "people":
            # The numbers of people have other names than those of the survey.
            like = replace(
                like,
                function=like.function.replace("blurring", "two_numbers"),
                shows=like.shows.replace("weight and height", "numbers"),
            )
            settings = pick(dataset.blurring, *_NUMBERS_SHOWN[name])
        figures.append(own_figure(like, name, dataset.name, settings=settings))
    return figures


def pick(settings: Section, *keys: str) -> dict[str, Any]:
    """Some of the settings."""
    return {key: settings[key] for key in keys}


Made = Iterator[tuple[Callable[..., Tables], dict[str, Any]]]


def _all(prefix: str, function: Callable[..., Tables], *inputs: pd.DataFrame) -> Any:
    """A function whose tables have a prefix in their names."""
    return lambda **settings: {
        f"{prefix}_{name}": table for name, table in function(*inputs, **settings).items()
    }


def _one(name: str, function: Callable[..., pd.DataFrame], *inputs: pd.DataFrame) -> Any:
    """A function whose one table has a name."""
    return lambda **settings: {name: function(*inputs, **settings)}


def _meters(readings: pd.DataFrame, dataset: Dataset) -> Made:
    """The membership game, and what to publish; what is impossible of few homes is left out."""
    homes = readings["home"].nunique()
    if homes < _FEWEST_HOMES:
        raise DataError(
            f"{dataset.entry['path']}: homes with all readings: {homes}. A home is hidden among "
            f"others: three homes are the fewest of which anything can be said. If there are more "
            f"in the file, see {dataset.section}.columns."
        )
    config, game = dataset.config, dataset.config["noiseless"]["membership"]
    release = {"public_range_kwh": None, **pick(game, "quantizer_rule")}
    drawn = {"dataset": dataset.name, "seed": config["seed"]}
    played = pick(game, "games", "n", "epsilon_bits", "peaks") | {"resolution": "days"}
    yield (
        _one("membership", membership.advantage_table, readings),
        dataset.decides({**release, **played, **drawn}) | {"skip_impossible": True},
    )
    tried = {
        **config["beyond"]["recommendation"],
        "public_range_kwh": None,
        "tolerance": config["beyond"]["comparison"]["tolerance"],
        **drawn,
    }
    recommended = _all("recommendation", recommendation.recommendation_tables, readings)
    yield recommended, dataset.decides(tried) | {"skip_impossible": True}


def _trips(found: pd.DataFrame, dataset: Dataset) -> Made:
    """How many trips are unique, by budget; the map of their starts."""
    settings = dataset.config["noiseless"]["trips"]
    box = pick(settings, *_BOX)
    budget = {**box, **pick(settings, "epsilon_bits")}

    def unique(**settings: Any) -> Tables:
        names = {"known": "", "numbers": "_by_number", "half": "_half"}
        made = trips.uniqueness_tables(found, **settings)
        return {f"trips_unique{names[name]}": table for name, table in made.items()}

    yield unique, dataset.decides({**budget, **pick(settings, "k", "numbers")})
    yield (
        _one("trips_density", trips.density_table, found),
        dataset.decides({**box, "levels": settings["map_levels"]}),
    )
    yield _one("trips_budget", trips.place_budget_table), dataset.decides(budget)
    drawn = {"dataset": dataset.name, "seed": dataset.config["seed"]}
    release = _one("trips_release", custodian_trips.release_table, found)
    yield release, dataset.decides(budget) | drawn


def _people(found: pd.DataFrame, dataset: Dataset) -> Made:
    """Who stands alone, and what hides them; what blurring one of two numbers does."""
    yield _all("people", people.people_tables, found), dataset.people
    if not dataset.blurring:
        return
    columns = [dataset.entry[key]["column"] for key in ("x1", "x2")]
    pairs = found[columns].dropna().set_axis(["x1", "x2"], axis=1)

    def blurred(**settings: Any) -> Tables:
        made = two_numbers.people_tables(pairs, **settings)
        unique = people.unique_after_blurring(pairs, **people.blur_settings(settings))
        made["unique"] = Quantities(**settings["quantities"]).named(unique)
        return made

    yield _all("blurring", blurred), dataset.blurring


_READERS: dict[str, Callable[..., dict[str, pd.DataFrame]]] = {
    "meters": read_meters,
    "trips": read_trips,
    "people": read_people,
}
_EXPERIMENTS = {"meters": _meters, "trips": _trips, "people": _people}


def own_datasets(config: Section) -> dict[str, Dataset]:
    """The user's own datasets by name: the entries of ``data`` that say of what kind they are.

    Raises
    ------
    ConfigError
        If one has no file, or its entry says what cannot be.
    """
    found = {}
    for name, entry in config["data"].items():
        if entry and "kind" in entry:
            # Snakemake wants paths without // and ./.
            path = Path(entry["path"])
            found[name] = Dataset(name, {**entry, "path": str(path)}, config)
            # A dataset is a file; one of meters may be a folder of files.
            if not (path.is_file() or (entry["kind"] == "meters" and path.is_dir())):
                raise ConfigError(
                    f"data.{name}.path is {entry['path']!r}, which is no file. Set it to the file "
                    "you have, relative to the folder in which you run the workflow "
                    "(docs/own-data.md)."
                )
            _require(found[name])
    return found


def _require(dataset: Dataset) -> None:
    """Refuse an entry that says what cannot be, before anything is read."""
    entry, section = dataset.entry, dataset.section
    if dataset.kind == "meters":
        find_zone(entry.get("time_zone"), section=section)
    elif dataset.kind == "trips":
        public_box(**pick(entry, *_BOX), section=section)
    elif dataset.kind == "people":
        _require_people(dataset)
    else:
        raise ConfigError(f"{section}.kind is {dataset.kind!r}, which no experiment takes.")


def _require_people(dataset: Dataset) -> None:
    given = [key for key in _BLURRED if key in dataset.entry]
    if given and len(given) < len(_BLURRED):
        raise ConfigError(
            f"{dataset.section} gives {' and '.join(given)}, but blurring needs "
            f"{', '.join(_BLURRED)}."
        )
    settings = dataset.people
    if not settings["identifying"]:
        raise ConfigError(
            f"{dataset.section}.identifying is missing: name the columns that an adversary may "
            "know of a person, such as [age, sex, postcode]."
        )
    both = [name for name in settings["identifying"] if name in settings["sensitive"]]
    if both:
        raise ConfigError(
            f"{dataset.section}: column {both[0]!r} is given as identifying and as sensitive. "
            "Count it as one of them: an adversary either may know it or may not learn it."
        )
    _ = dataset.blurring  # says what it cannot be
