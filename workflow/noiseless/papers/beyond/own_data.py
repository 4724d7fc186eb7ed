"""Mechanisms and adversaries of one's own, compared on data of one's own.

1. :func:`compare` reads homes, a meter, trips or people (:mod:`noiseless.papers.beyond.own_files`),
   and plays the game of these data as the comparisons of this project do: the tasks are those of
   ``comparison_homes``, ``comparison_meter`` and ``comparison_trips``.
2. :class:`Comparison` is what came out: a table, the parameters, and a figure.
"""

import hashlib
import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import binom

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.labels import LEARNED, load_game_adversaries
from noiseless.adversaries.registry import Game, load_adversaries
from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.files import compute_file_sha256, write_atomically
from noiseless.games.appliances import APPLIANCES, MeterGame, split_by_day
from noiseless.games.comparison import TOLERANCE, ComparisonTask, play_comparison
from noiseless.games.linkage import LINKAGE
from noiseless.games.membership import MEMBERSHIP, WH_PER_KWH, compute_public_maximum_wh
from noiseless.games.own_arrays import Homes
from noiseless.games.releases import build_reading_domain
from noiseless.mechanisms.budgets import Budget, measure_budget
from noiseless.mechanisms.containers import convert_to_numbers, require_whole
from noiseless.mechanisms.families import load_mechanisms
from noiseless.mechanisms.interface import Domain, Identity, Mechanism
from noiseless.mechanisms.registry import load_mechanisms_for
from noiseless.papers.beyond.comparison_homes import iterate_membership_tasks
from noiseless.papers.beyond.comparison_meter import build_meter_task
from noiseless.papers.beyond.comparison_trips import PeopleTask, TripTask
from noiseless.papers.beyond.own_files import (
    detect_form,
    open_data,
    read_homes,
    read_people,
    read_recording,
    read_trips,
)
from noiseless.plugins import is_active, use_plugins
from noiseless.reading.tidy_homes import INTERVALS_PER_DAY
from noiseless.statistics import CONFIDENCE
from noiseless.tables import Provenance, Source, compute_digest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

log = logging.getLogger(__name__)

_GAMES: dict[str, Game] = {
    "homes": MEMBERSHIP,
    "meter": APPLIANCES,
    "trips": LINKAGE,
    "people": LINKAGE,
}
CONTROLS = {"homes": "control", "meter": "chance", "trips": "control", "people": "control"}
"""Control of each game, where no other one is named."""

_METER_ADVERSARIES = ("always_on", "co", "hmm", "learned", "chance")
_METER_SETTINGS: dict[str, Any] = {
    "hmm": {"on_states": 2, "other_states": 12},
    "learned": {"radius": 10, "trees": 40},
    "draws": 1000,
}
_NEEDED = {LEARNED: ("sklearn", "learn"), "co": ("nilmtk", "workflow")}  # packages, and extras
_FIGURE_PACKAGES = {"matplotlib": "matplotlib", "fontTools": "fonttools", "PIL": "pillow"}
_ROW_COLUMNS = ("statistic", "value", "low", "high", "over")


@dataclass(frozen=True, eq=False)
class Comparison:
    """Mechanisms compared at the same error or budget, as a table and a figure.

    Attributes
    ----------
    table : DataFrame
        A row for each mechanism, target and adversary, and each n.  ``equal`` names the column of
        what is equal: ``target_error_kwh`` (homes), ``target_error_share`` (of the mean hour of a
        meter, or of a public range of people), ``target_error_m`` (trips), ``budget_bits`` or
        ``budget_nats``; the mechanism ``none`` releases the values themselves.  ``adversary``,
        ``knows`` (what it is given) and ``is_control``.  ``gain`` is 0 at chance and 1 if it is
        always right (of a meter: its f-score above that of "always on"); ``low`` and ``high`` are
        its 95 % interval ``over`` games, reports or days; ``low_over_homes`` and
        ``high_over_homes`` that over homes, missing for fewer than 2 n + 2 homes.  Then the errors
        that were found (``error_<unit>``), that of a user who gets nothing
        (``constant_error_<unit>``), counts, the ``parameter`` and the guarantee (``epsilon_bits``,
        or ``epsilon_nats`` with ``delta``).
    parameters : DataFrame
        A row for each mechanism and target, and each n: ``is_attained``, and ``why_not``;
        ``parameter``, called ``parameter_name``; the error that is expected there; the smallest and
        the largest error of the mechanism, where errors are equal; the guarantee.
    form : str
        ``homes``, ``meter``, ``trips`` or ``people``.

    Examples
    --------
    >>> from noiseless import compare
    >>> readings_wh = np.random.default_rng(1).integers(0, 20_000, size=(40, 30))
    >>> found = compare(Homes(readings_wh), public_range=20, n=2, errors=[1], games=50,
    ...                 mechanisms=["laplace"], adversaries=["mse"])
    >>> found.form, found.parameters["is_attained"].tolist()
    ('homes', [True])
    """

    table: pd.DataFrame
    parameters: pd.DataFrame
    form: str
    _rows: Mapping[str, pd.DataFrame] = field(repr=False)
    _drawn: Mapping[str, Any] = field(repr=False)
    _provenance: Provenance = field(repr=False)

    @cached_property
    def figure(self) -> "Figure":
        """The figure: each adversary's gain against the error or budget, a line a mechanism.

        Raises
        ------
        ConfigError
            If Matplotlib, fontTools or Pillow is not installed.
        """
        figure = self._draw()
        from noiseless.figures import style

        with style.use_style():
            style.write_margins(figure, [self._provenance.format_footer()])
        return figure

    def _draw(self) -> "Figure":
        """Draw the figure, without its margins."""
        _require_figure_packages()
        from noiseless.figures import style
        from noiseless.papers.beyond.figures import comparison

        plot = getattr(comparison, f"plot_{self.form}")
        with style.use_style():
            tables = self._rows["comparison"], self._rows["calibration"]
            figure: Figure = plot(*tables, **self._drawn)
            return figure

    def find_best(self) -> pd.DataFrame:
        """Find the adversary that gains most from each release, controls left out.

        Returns
        -------
        DataFrame
            The rows of ``table`` of these adversaries, in its order.
        """
        seeing = self.table[~self.table["is_control"]]
        keys = [name for name in seeing if name in ("n", "people", "mechanism") or _is_target(name)]
        return seeing.loc[seeing.groupby(keys, sort=False)["gain"].idxmax()]

    def describe_control(self) -> str:
        """Describe in a sentence what the control gains, who sees no release."""
        name = self._drawn["control"]
        seen = (self.table["adversary"] == name) & (self.table["mechanism"] == Identity.name)
        size = next((each for each in ("n", "people") if each in self.table), None)
        found = [
            f"{row['gain']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
            + (f" at {'n' if size == 'n' else 'N'} = {row[size]}" if size else "")
            for row in self.table[seen].to_dict(orient="records")
        ]
        missed = int(((self.table["low"] > 0) | (self.table["high"] < 0))[seen].sum())
        verdict = "as a guesser does"
        if missed:
            verdict = f"{missed} of {len(found)} intervals do not hold 0"
            is_chance = binom.sf(missed - 1, len(found), 1 - CONFIDENCE) > 1 - CONFIDENCE
            verdict += (
                ", which chance explains"
                if is_chance
                else ": count what an adversary gains above it, or play more games"
            )
        return f"The control {name!r}, who sees no release, gains {'; '.join(found)}: {verdict}."

    def save(self, folder: str | Path) -> list[Path]:
        """Write ``comparison.csv``, ``parameters.csv``, ``comparison.png`` and ``comparison.pdf``.

        Parameters
        ----------
        folder : path
            Made if it is not there; files of these names are replaced.

        Returns
        -------
        list of Path
            The files.

        Raises
        ------
        ConfigError
            If the folder cannot be made, or as for :attr:`figure`.
        """
        figure, folder = self._draw(), Path(folder)
        from noiseless.figures import style

        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"{folder}: cannot be made ({error.strerror}). Name another folder."
            ) from None
        paths = [folder / f"comparison.{each}" for each in ("csv", "png", "pdf")]
        paths.append(folder / "parameters.csv")
        for table, path in ((self.table, paths[0]), (self.parameters, paths[-1])):
            with write_atomically(path) as partial:
                table.to_csv(partial, index=False)
        with style.use_style():
            style.save_figure(figure, paths[1:3], self._provenance)
        return paths


def compare(
    data: pd.DataFrame | str | Path | Homes,
    *,
    public_range: Any,
    n: int | Sequence[int] | None = None,
    errors: Sequence[float] | None = None,
    budgets_bits: Sequence[float] | None = None,
    budgets_nats: Sequence[float] | None = None,
    mechanisms: Sequence[str | type[Mechanism]] | None = None,
    adversaries: Sequence[str | type[Adversary]] | None = None,
    control: str | type[Adversary] | None = None,
    games: int = 1_000,
    delta: float = 1e-5,
    resolution: str | None = None,
    train_before: str | None = None,
    period_s: int | None = None,
    seed: int = 1,
) -> Comparison:
    """Compare mechanisms at the same error or budget, against adversaries, on your data.

    All mechanisms release the same values in the same games, so that their gains differ by the
    mechanism alone.  The columns of ``data`` say which game is played:

    - *homes* (``home``, ``time``, ``energy_kwh``): which of two homes is in the mean of n?  The
      error is the root mean square, in kWh, of a user's estimate of the mean.  Half of the homes
      play, and the other half is known to adversaries who learn, and to the user.
    - *a meter* (``time``, ``meter``, ``power_w``, one of the meters called ``mains``): which
      appliance is on?  The error is that of an hour's energy, as a share of the mean hour.
    - *trips* (``trip``, ``from_x_m``, ``from_y_m``, ``to_x_m``, ``to_y_m``): which of n people,
      whose trips are known, made a report?  The error is the mean distance, in metres.
    - *people* (``person``, and the columns of ``public_range``): which of n people made a report?
      The error is the root mean square, as a share of the public range of a column.

    Parameters
    ----------
    data : DataFrame, path or Homes
        Tidy data, a row for each reading, trip or person; a path is of a CSV or Parquet file.
        Homes may be given as :class:`Homes`, too, an array in Wh.
    public_range : float, pair, or mapping
        Homes: the largest use of a day in kWh, of which an hour has a 24th; larger readings are
        clipped.  A meter: both ends, in W.  Trips: the ends of x and those of y, in metres.
        People: for each column its two ends.  Never the smallest and largest value of the data.
    n : int or sequence of int
        Homes: how many are in a mean.  Trips and people: of how many the adversary knows the
        record.  A meter has none.
    errors : sequence of float
        The errors at which mechanisms are compared; or:
    budgets_bits, budgets_nats : sequence of float
        The budgets of one person at which they are compared, for one release (of a day's mean, a
        bin of a meter, a trip, a person), in bits of range or in nats of differential privacy: the
        most accurate parameter that spends no more.  Mechanisms with guarantees of the other kind
        are not comparable, and their rows of ``parameters`` say so.
    mechanisms : sequence of str or type, optional
        Names, or subclasses of :class:`~noiseless.Mechanism`; None: all that can release these
        values, those of active plugins too.
    adversaries : sequence of str or type, optional
        Names, or subclasses of :class:`~noiseless.Adversary`; None: all who can play this game.
    control : str or type, optional
        An adversary who sees no release, drawn as a band in each panel; None: the one of this
        project.
    games : int
        Games for each n, or reports; a meter has none.
    delta : float
        For guarantees that need one, between 0 and 1.
    resolution : str, optional
        Homes: ``days`` (default), ``hours`` or ``half-hours``.
    train_before : str, optional
        A meter: first day of the test, as 2011-04-25; None: the middle of the days.
    period_s : int, optional
        A meter: length of a report's interval in seconds; None: 60.
    seed : int
        The same seed gives the same table.

    Returns
    -------
    Comparison

    Raises
    ------
    ConfigError
        If an argument is out of its range, is of other data, or is missing; if a mechanism or an
        adversary is unknown, cannot play, or breaks its contract.
    DataError
        If the data are of no form that is known, have a cell that is not one, or are too few.

    Examples
    --------
    >>> homes = np.random.default_rng(1).integers(0, 20_000, size=(40, 30))
    >>> found = compare(Homes(homes), public_range=20, n=4, budgets_bits=[2, 4], games=50,
    ...                 mechanisms=["quantizer", "laplace"], adversaries=["mse"])
    >>> found.table["mechanism"].unique().tolist()
    ['none', 'quantizer']
    >>> found.parameters.loc[found.parameters["mechanism"] == "laplace", "why_not"].iloc[0]
    'its guarantee is in nats'

    References
    ----------
    The games of F. Farokhi, "Noiseless Privacy: Definition, Guarantees, and Applications"; the
    comparison is of this project (docs/plugins.md).
    """
    budget, targets = _choose_targets(errors, budgets_bits, budgets_nats)
    check_probability("delta", delta)
    own = [
        *_list_own(mechanisms, "mechanisms", Mechanism),
        *_list_own(adversaries, "adversaries", Adversary),
        *_list_own(None if control is None else [control], "control", Adversary),
    ]
    settings = _Settings(
        public_range,
        _list_sizes(n),
        require_whole("games", games, 1),
        require_whole("seed", seed, 0),
        {"resolution": resolution, "train_before": train_before, "period_s": period_s},
    )
    with ExitStack() as stack:
        stack.enter_context(use_plugins(dict.fromkeys(own)))
        source = data if isinstance(data, Homes) else stack.enter_context(open_data(data))
        form = "homes" if isinstance(source, Homes) else detect_form(source)
        settings.check_for(form)
        digest = _compute_data_digest(source)
        players, seen_as_control = _choose_adversaries(form, adversaries, control)
        domain, tasks = _BUILDERS[form](source, settings, list(players.values()))
        known = {each.name: each for each in load_mechanisms_for(domain)}
        can = "can release these values (those with several coordinates need `log_likelihood`)"
        families = [known[name] for name in _list_chosen(mechanisms, known, "mechanism", can)]
        rows = play_comparison(
            tasks, targets=targets, delta=delta, families=families, budget=budget
        )
        parameters = _build_parameters(rows["calibration"], families, domain, budget, delta)
    knows = {name: describe_knowledge(each, form) for name, each in players.items()}
    controls = {name for name, each in players.items() if each.is_control}
    table = _build_table(rows["comparison"], parameters, knows, controls)
    drawn = {"control": seen_as_control, "knows": knows}
    origin = Source(f"own_{form}", "own", digest, "other")
    provenance = Provenance(compute_digest([repr(settings), targets, budget, delta]), (origin,))
    return Comparison(table, parameters, form, rows, drawn, provenance)


# What is given ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Settings:
    """Arguments of :func:`compare` that a game is built of; ``own`` are of one form alone."""

    public_range: Any
    n: Sequence[int]
    games: int
    seed: int
    own: Mapping[str, Any]

    def check_for(self, form: str) -> None:
        """Check that what is given is of this form of data."""
        forms = {"resolution": "homes", "train_before": "meter", "period_s": "meter"}
        for name, value in self.own.items():
            if value is not None and forms[name] != form:
                raise ConfigError(
                    f"`{name}` is of data of the form {forms[name]}, but these are {form}. Leave "
                    "it out."
                )
        if (form == "meter") != (not self.n):
            raise ConfigError(
                "`n` is not of a meter, which is one home's. Leave it out."
                if self.n
                else f"`n` must be given: {_SIZES[form]}."
            )


_SIZES = {
    "homes": "how many homes are in a mean",
    "trips": "of how many people the adversary knows the trips",
    "people": "of how many people the adversary knows the record",
}


def check_probability(name: str, value: Any) -> None:
    """Raise ConfigError if a number does not lie between 0 and 1."""
    if not (isinstance(value, int | float) and 0 < value < 1):
        raise ConfigError(f"`{name}` must be a number between 0 and 1, got {value!r}.")


def _choose_targets(
    errors: Any, budgets_bits: Any, budgets_nats: Any
) -> tuple[Budget | None, list[float]]:
    """Choose what is equal, and list its numbers in rising order."""
    given = {"errors": errors, "budgets_bits": budgets_bits, "budgets_nats": budgets_nats}
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        raise ConfigError(
            "exactly one of `errors`, `budgets_bits` and `budgets_nats` must be given, got "
            f"{' and '.join(named) or 'none'}. What is equal is compared."
        )
    [name] = named
    numbers = convert_to_numbers(given[name], f"`{name}`")
    if not numbers or not all(math.isfinite(each) and each > 0 for each in numbers):
        raise ConfigError(f"`{name}` must be numbers larger than 0, got {given[name]!r}.")
    budgets: dict[str, Budget | None] = {
        "errors": None,
        "budgets_bits": "bits",
        "budgets_nats": "nats",
    }
    return budgets[name], sorted({float(each) for each in numbers})


def _list_sizes(n: Any) -> list[int]:
    """List numbers n in rising order; none if none are given."""
    if n is None:
        return []
    listed = n if isinstance(n, Iterable) and not isinstance(n, str | bytes) else [n]
    sizes = sorted({require_whole("n", each, 2) for each in listed})
    if not sizes:
        raise ConfigError("`n` must be one whole number from 2 on or more of them, got none.")
    return sizes


def _list_own(given: Any, argument: str, base: type) -> list[type]:
    """List the given classes that are neither of this package nor active."""
    if given is None:
        return []
    if isinstance(given, str | type) or not isinstance(given, Iterable) or not list(given):
        raise ConfigError(
            f"`{argument}` must be a list of names and classes, got {given!r}. Leave it out for "
            "all."
        )
    for each in given:
        if not isinstance(each, str) and not (isinstance(each, type) and issubclass(each, base)):
            raise ConfigError(
                f"`{argument}` must be names or subclasses of noiseless.{base.__name__}, got "
                f"{each!r}. Give the class, not an object of it."
            )
    games = {game.package for game in _GAMES.values()}
    ours = set(load_mechanisms().values()).union(
        *(load_game_adversaries(each).values() for each in games)
    )
    return [
        each
        for each in given
        if isinstance(each, type) and each not in ours and not is_active(each)
    ]


def _list_chosen(given: Any, known: Mapping[str, Any], what: str, can: str) -> list[str]:
    """Name what is given, or all that is known; raise ConfigError if one is unknown or twice."""
    if given is None:
        return list(known)
    names = [each if isinstance(each, str) else each.name for each in given]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise ConfigError(f"the {what} {repeated[0]!r} is given twice. Give each once.")
    if unknown := [name for name in names if name not in known]:
        raise ConfigError(
            f"no {what} that is called {unknown[0]!r} {can}: known are {', '.join(known)}."
        )
    return names


def _choose_adversaries(
    form: str, given: Sequence[str | type[Adversary]] | None, control: Any
) -> tuple[dict[str, type[Adversary]], str]:
    """Choose the classes of adversaries by name, with the control; return also which that is."""
    game = _GAMES[form]
    known = {each.name: each for each in load_adversaries(game)}
    can = f"can play the game of {form} (`{game.question}`)"
    names = _list_chosen(given, known, "adversary", can)
    if given is None and form == "meter":
        names = [each for each in names if each in _METER_ADVERSARIES or each not in game.names]
    for name, (package, extra) in _NEEDED.items():
        if name in names and name in game.names and not find_spec(package):
            if given is not None:
                raise ConfigError(f"{name!r} needs {package}: install noiseless[{extra}].")
            log.warning("%s does not play: it needs %s (noiseless[%s]).", name, package, extra)
            names.remove(name)
    [seen_as_control] = _list_chosen([control or CONTROLS[form]], known, "control", can)
    if not known[seen_as_control].is_control:
        raise ConfigError(
            f"the control {seen_as_control!r} has is_control = False: it may see the release. "
            "Set is_control, and begin its name with `control`."
        )
    if all(known[name].is_control for name in names):
        raise ConfigError("`adversaries` must have one who sees the release, got controls alone.")
    names = [*names, *({seen_as_control} - set(names))]
    return {name: known[name] for name in names}, seen_as_control


def describe_knowledge(adversary: type[Adversary], form: str) -> str:
    """Describe what a game gives an adversary to guess by."""
    learns = adversary.fit is not Adversary.fit
    words = {
        "homes": ("the two homes", "the release", "other homes and the mechanism"),
        "meter": ("no value", "the reports", "earlier days with each appliance"),
        "trips": ("the trips of n people", "a report", "the mechanism"),
        "people": ("the records of n people", "a report", "the mechanism"),
    }
    given, release, learnt = words[form]
    if adversary.is_control:
        return f"{given}, and no release"
    seen = release if form == "meter" else f"{given} and {release}"
    return f"{seen}; {learnt}" if learns else seen


# What is played -----------------------------------------------------------------------------------

Built = tuple[Domain, Iterable[ComparisonTask]]


def _build_home_tasks(source: Any, settings: _Settings, players: list[type[Adversary]]) -> Built:
    """Build the membership games of homes, one for each n."""
    [range_kwh] = _convert_range(settings.public_range, "a number of kWh a day", (1,))
    resolution = settings.own["resolution"] or "days"
    if resolution not in INTERVALS_PER_DAY:
        raise ConfigError(
            f"`resolution` must be one of {', '.join(INTERVALS_PER_DAY)}, got {resolution!r}."
        )
    if isinstance(source, Homes):
        energy_wh, _ = source.convert_to_wh()
    else:
        energy_wh = read_homes(source, resolution=resolution)
    maximum_wh = compute_public_maximum_wh(float(range_kwh), resolution=resolution)
    playing = len(energy_wh) // 2
    if too_large := [n for n in settings.n if n + 1 > playing]:
        raise ConfigError(
            f"`n` must be below {playing}, as half of the {len(energy_wh)} homes play and a game "
            f"of n homes needs n + 1, got {too_large[0]}. Give a smaller n, or more homes."
        )
    tasks = iterate_membership_tasks(
        energy_wh,
        dataset="own",
        seed=settings.seed,
        games=settings.games,
        training_games=settings.games,
        n=settings.n,
        maximum_wh=maximum_wh,
        adversaries=players,
    )
    return build_reading_domain(settings.n[0], maximum_wh / WH_PER_KWH), tasks


def _build_meter_tasks(source: Any, settings: _Settings, players: list[type[Adversary]]) -> Built:
    """Build the game of a meter's appliances."""
    low, high = _convert_range(settings.public_range, "both ends in W", (2,))
    period_s = settings.own["period_s"]
    period_s = 60 if period_s is None else require_whole("period_s", period_s, 1)
    whole = read_recording(source, period_s=period_s)
    days = np.unique(whole.day)
    before = settings.own["train_before"] or str(np.datetime64(int(days[len(days) // 2]), "D"))
    game = MeterGame((low, high), period_s, ("", ""), before, **_METER_SETTINGS)
    train, test = split_by_day(whole, convert_day(before))
    task = build_meter_task(train, test, game, players, seed=settings.seed)
    return task.domain, [task]


def convert_day(day: Any) -> str:
    """Convert a day to a text such as 2011-04-25; raise ConfigError if it is none."""
    try:
        return pd.Timestamp(day).strftime("%Y-%m-%d")
    except (TypeError, ValueError):
        raise ConfigError(
            f"`train_before` must be a day such as 2011-04-25, got {day!r}."
        ) from None


def _build_trip_tasks(source: Any, settings: _Settings, players: list[type[Adversary]]) -> Built:
    """Build the linkage game of trips."""
    x, y = _convert_range(settings.public_range, "the ends of x and those of y, in metres", (2, 2))
    places_m = read_trips(source, {"x": x, "y": y})
    domain = Domain((x[0], y[0]), (x[1], y[1]), "m", values=2)
    return domain, [_build_linkage_task(TripTask, places_m, domain, settings, players)]


def _build_people_tasks(source: Any, settings: _Settings, players: list[type[Adversary]]) -> Built:
    """Build the linkage game of numbers about people."""
    given = settings.public_range
    if not isinstance(given, Mapping) or len(given) < 2:
        raise ConfigError(
            "`public_range` of people must be a mapping from two or more columns to their ends, "
            f"such as {{'age': (0, 120), 'weight_kg': (30, 200)}}, got {given!r}."
        )
    ends = {
        str(name): convert_to_numbers(value, f"`public_range` of {name!r}", count=2)
        for name, value in given.items()
    }
    for low, high in ends.values():
        Domain((low,), (high,))  # refuses ends that are none
    shares = read_people(source, ends)
    count = len(ends)
    domain = Domain((0.0,) * count, (1.0,) * count, "share")
    return domain, [_build_linkage_task(PeopleTask, shares, domain, settings, players)]


def _build_linkage_task(
    task: type[TripTask],
    places: Floats,
    domain: Domain,
    settings: _Settings,
    players: list[type[Adversary]],
) -> TripTask:
    """Build a linkage task; raise ConfigError if there are fewer records than n."""
    if max(settings.n) > len(places):
        raise ConfigError(f"`n` must be at most the {len(places)} records, got {max(settings.n)}.")
    return task(places, domain, settings.games, settings.n, settings.seed, players)


_BUILDERS = {
    "homes": _build_home_tasks,
    "meter": _build_meter_tasks,
    "trips": _build_trip_tasks,
    "people": _build_people_tasks,
}


def _convert_range(given: Any, what: str, shape: tuple[int, ...]) -> list[Any]:
    """Convert a public range to finite numbers in a shape; raise ConfigError if it is none."""
    try:
        numbers = np.asarray(given, dtype=float)
        is_right = (numbers.shape or (1,)) == shape and bool(np.isfinite(numbers).all())
        is_right &= bool((numbers > 0).all() if shape == (1,) else (np.diff(numbers) > 0).all())
    except (TypeError, ValueError):
        is_right = False
    if not is_right:
        raise ConfigError(f"`public_range` must be {what}, the lower end first, got {given!r}.")
    return [np.atleast_1d(numbers).tolist()][0]


# What came out ------------------------------------------------------------------------------------


def _list_keys(rows: pd.DataFrame) -> list[str]:
    """List the columns that name a cell."""
    return [name for name in rows.columns if name not in _ROW_COLUMNS]


def _widen(rows: pd.DataFrame) -> pd.DataFrame:
    """Give each cell one row, with a column for each statistic, in the order of the rows."""
    keys = _list_keys(rows)
    names = list(rows["statistic"].unique())
    wide = rows.pivot(index=keys, columns="statistic", values="value")[names]
    order = pd.MultiIndex.from_frame(rows[keys].drop_duplicates())
    return wide.reindex(order).rename_axis(columns=None)


def _build_parameters(
    rows: pd.DataFrame,
    families: Sequence[type[Mechanism]],
    domain: Domain,
    budget: Budget | None,
    delta: float,
) -> pd.DataFrame:
    """Build the table of parameters, a row for each mechanism and target, and each n."""
    wide = _widen(rows).reset_index()
    called = {each.name: each.get_parameter_name(domain) for each in families}
    wide["parameter_name"] = wide["mechanism"].map(called)
    wide["parameter"] = [
        row.get(row["parameter_name"], math.nan) for row in wide.to_dict(orient="records")
    ]
    guarantees = [name for name in ("epsilon_bits", "epsilon_nats", "delta") if name in wide]
    extra = set(called.values()) - set(guarantees)
    wide = wide.drop(columns=[name for name in extra if name in wide])
    # An epsilon of a coordinate is no guarantee, and none is one of a mechanism without any.
    target = next(filter(_is_target, wide.columns))
    place = wide.columns.get_loc(target) + 1
    wide.insert(place, "is_attained", wide.pop("attainable") == 1)
    reasons = {each.name: _describe_guarantee(each, domain, budget, delta) for each in families}
    wide.insert(
        place + 1,
        "why_not",
        [_describe_gap(row, reasons, budget) for row in wide.to_dict(orient="records")],
    )
    return wide


def _is_target(name: str) -> bool:
    return name.startswith(("target_error_", "budget_"))


def _describe_guarantee(
    family: type[Mechanism], domain: Domain, budget: Budget | None, delta: float
) -> str:
    """Describe why a mechanism has no parameter at a budget, whatever the budget; else nothing."""
    if budget is None:
        return ""
    guarantee = family(domain, 1.0).guarantee(delta=delta)
    if guarantee is None:
        return "it has no guarantee"
    if math.isnan(measure_budget(guarantee, budget)):
        return f"its guarantee is in {'nats' if budget == 'bits' else 'bits'}"
    return ""


def _describe_gap(row: Mapping[str, Any], reasons: Mapping[str, str], budget: str | None) -> str:
    """Describe why a mechanism does not attain a target; nothing if it does."""
    if row["is_attained"]:
        return ""
    if budget is not None:
        return reasons[row["mechanism"]] or "no parameter spends this budget"
    target = next(value for name, value in row.items() if _is_target(name))
    for name, value in row.items():
        if name.startswith("smallest_error_") and target <= value:
            return f"its smallest error is {value:.3g}"
        if name.startswith("largest_error_") and target >= value:
            return f"its largest error is {value:.3g}"
    return f"no parameter has an error within {TOLERANCE:.0%} of it"


def _build_table(
    rows: pd.DataFrame, parameters: pd.DataFrame, knows: Mapping[str, str], controls: set[str]
) -> pd.DataFrame:
    """Build the table of gains, a row for each mechanism, target and adversary, and each n."""
    wide = _widen(rows)
    keys, target = list(wide.index.names), next(filter(_is_target, wide.index.names))
    ends = {"gain": ("low", "high", "over"), "gain_over_homes": ("low", "high")}
    for statistic, names in ends.items():
        of_it = rows[rows["statistic"] == statistic].set_index(keys)
        suffix = statistic.removeprefix("gain")
        for name in names if len(of_it) else ():
            wide[name + suffix] = of_it[name].reindex(wide.index)
    wide = wide.drop(columns="gain_over_homes", errors="ignore").reset_index()
    first = ["gain", "low", "high", "over", "low_over_homes", "high_over_homes"]
    wide["knows"] = wide["adversary"].map(knows)
    wide["is_control"] = wide["adversary"].isin(controls)
    wide["equal"] = target
    found = ["parameter", "epsilon_bits", "epsilon_nats", "delta"]
    shared = [name for name in keys if name in parameters]
    wide = wide.merge(
        parameters[[*shared, *(name for name in found if name in parameters)]], "left", shared
    )
    if target.startswith("budget_"):
        wide.loc[wide["mechanism"] == Identity.name, target] = math.inf
    order = ["equal", *keys, "knows", "is_control", *(name for name in first if name in wide)]
    return wide[[*order, *(name for name in wide.columns if name not in order)]]


def _compute_data_digest(source: Homes | Path) -> str:
    """Compute the digest of the data: of a file's bytes, or of an array's numbers."""
    if isinstance(source, Path):
        return compute_file_sha256(source)
    return hashlib.sha256(source.convert_to_wh()[0].tobytes()).hexdigest()


# What is drawn ------------------------------------------------------------------------------------


def _require_figure_packages() -> None:
    """Raise ConfigError if what draws figures is not installed."""
    if missing := [name for each, name in _FIGURE_PACKAGES.items() if not find_spec(each)]:
        raise ConfigError(
            f"the figure needs {', '.join(missing)}: python -m pip install {' '.join(missing)}. "
            "The table does not."
        )
