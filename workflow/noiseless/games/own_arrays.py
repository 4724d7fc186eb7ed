"""Membership game on a user's array of readings (``noiseless``, Section V.A).

:func:`play_membership_game` draws games between the homes of an array, publishes the mean of each
group by a quantizer of a budget or by any mechanism, lets the adversaries guess, and estimates
their advantages.  From :data:`MIN_SPLIT_HOMES` homes on, half of them are held out for adversaries
who learn.  :func:`play_released_membership_game` plays on means that are already published.
:mod:`noiseless.games.membership` contains the steps.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from noiseless.adversaries.interface import Adversary, can_answer
from noiseless.adversaries.labels import LEARNED, drop_controls
from noiseless.adversaries.registry import load_adversaries, load_adversary, wrap_adversary
from noiseless.arrays import Bools, Floats, Ints
from noiseless.errors import ConfigError, DataError
from noiseless.games.homes import MeanReader
from noiseless.games.membership import (
    MEMBERSHIP,
    WH_PER_KWH,
    Batch,
    Games,
    MeanRelease,
    PublishedSeries,
    draw_games,
    play,
)
from noiseless.games.outcome import Outcome
from noiseless.games.releases import (
    MechanismRelease,
    QuantizedMeanRelease,
    build_reading_domain,
    build_releases,
)
from noiseless.mechanisms.containers import (
    convert_to_array,
    convert_to_floats,
    require_kind,
    require_list,
    require_number,
    require_whole,
)
from noiseless.mechanisms.interface import Mechanism, check_played_domain
from noiseless.mechanisms.registry import wrap_mechanism
from noiseless.reading.tidy_homes import count_identical
from noiseless.seeds import make_generator
from noiseless.statistics import NO_INTERVAL

MAX_GAMES = 10_000_000  # more fit into no memory, nor change a number that is shown
MIN_SPLIT_HOMES = 40  # from so many on, half of the homes are held out for adversaries who learn


@dataclass(frozen=True, eq=False)
class Homes:
    """Readings of homes, and what is certain of them that would be an error otherwise.

    Attributes
    ----------
    readings_wh : array_like or DataFrame of int, shape (homes, T)
        Whole Wh of each home (row) at each time (column), 0 or larger.  Names of a DataFrame's rows
        and columns differ.
    in_wh : bool
        Whether the readings are certainly in Wh.  If False, it is an error if no reading reaches
        1,000 Wh, because the readings could be whole kWh.
    allow_identical : bool
        Whether homes may have identical readings at all times, such as homes whose meters rest.  If
        False, they are an error, because an adversary cannot distinguish the copies of a home that
        is given twice, so that the advantage is too small.

    Examples
    --------
    >>> import noiseless
    >>> quiet = noiseless.Homes([[400, 0], [0, 0], [0, 0]], in_wh=True, allow_identical=True)
    >>> game = {"epsilon_bits": 2, "maximum_wh": 500, "adversaries": ["mse"], "rng": 1}
    >>> int(noiseless.play_membership_game(quiet, n=2, **game).loc["mse", "identical"])
    2
    """

    readings_wh: ArrayLike
    in_wh: bool = False
    allow_identical: bool = False

    def convert_to_wh(self) -> tuple[Ints, int]:
        """Convert them to whole Wh, shape (homes, T), and count the homes with identical ones.

        Raises
        ------
        DataError
            If they are not whole, negative or missing, or may be in kWh; if a name occurs twice; or
            if homes have identical readings.
        """
        readings = self.readings_wh
        if isinstance(readings, pd.DataFrame):
            _require_different_names(readings)
        energy = _convert_to_wh(readings)
        if not self.in_wh and energy.max() < WH_PER_KWH:
            raise DataError(
                f"no reading reaches {WH_PER_KWH:,} Wh: the largest is {energy.max()}. Are they in "
                "Wh? If they are in kWh, give `np.rint(1000 * readings_kwh).astype(int)`; if they "
                "are in Wh, give `Homes(readings_wh, in_wh=True)`."
            )
        names = readings.index if isinstance(readings, pd.DataFrame) else range(len(energy))
        return energy, count_identical(names, energy, allow_identical=self.allow_identical)


def play_membership_game(
    readings_wh: ArrayLike | Homes,
    *,
    n: int,
    epsilon_bits: float | None = None,
    mechanism: Mechanism | None = None,
    maximum_wh: int | None = None,
    games: int = 2_000,
    rng: np.random.Generator | int | None = None,
    adversaries: Sequence[str | type[Adversary]] | None = None,
    known_wh: ArrayLike | Homes | None = None,
    **moved: Any,
) -> pd.DataFrame:
    """Play the membership game on readings, and estimate the advantage of each adversary.

    Parameters
    ----------
    readings_wh : array_like or DataFrame of int, shape (homes, T); or Homes
        Whole Wh of each home (row) at each time (column), 0 or larger; n + 1 homes or more.  Names
        of a DataFrame's rows and columns differ.  As :class:`Homes`, if all readings are small, or
        homes have identical ones.
    n : int
        Homes in the mean, 2 or more.
    epsilon_bits : float
        Budget of each published mean, in bits, for as many levels of a quantizer as Theorem 8
        grants it; ``math.inf`` publishes the exact mean.  The theorem grants too many: a home can
        choose among one or two outputs more than the budget allows (5 in place of 4 for n = 4 and
        2 bits, which is 2.32).  To play a release that keeps the budget, give a ``mechanism`` of
        :func:`~noiseless.theory.levels.compute_exact_levels` instead.
    mechanism : Mechanism
        Any mechanism on kWh, also one of your own, whose domain is that of the game:
        ``Domain((0.0,), (x_max_kwh,), "kwh", people=n)``.  It is given the mean of the n homes, or,
        if it ``is_local``, each home's readings; it must then draw random numbers from ``rng``
        alone, and not write into its values.
    maximum_wh : int
        Upper end of the public range of a reading, in Wh; larger readings are clipped to it.  By
        default that of the mechanism's domain; where that has none, nothing is clipped.
    games : int
        Number of games.
    rng : Generator or int, optional
        Source of the games, the noise and the coins; an int is a seed.  None: draw a seed.
    adversaries : sequence of str or type, optional
        Names (``correlation``, ``mse``, ``peaks`` and ``pair``, who know the two homes alone;
        ``pair_known``, ``learned``, ``normal`` and ``combined``, who know other homes;
        ``control``), or subclasses of :class:`~noiseless.adversaries.interface.Adversary`.  None:
        all of these, and those of active plugins.
    known_wh : array_like of int, shape (homes, T), or Homes, optional
        Readings of other homes, for adversaries who learn.  None: half of the homes are held out
        for them and do not play, if there are :data:`MIN_SPLIT_HOMES` homes or more, a game of
        n + 1 homes fits into half of them, and one of the adversaries learns.
    **moved : object
        ``in_wh`` and ``allow_identical``, which are of :class:`Homes`: an error that says so.

    Returns
    -------
    DataFrame
        One row for each adversary, its name the index.  ``advantage`` is 2 P(correct) - 1, from 0
        (a coin) to 1; ``low`` and ``high`` are its 95 % interval ``over`` games between these homes
        (Wilson's); ``homes`` is how many of them play, the same games for all; ``known`` how many
        other homes the adversary knows; ``not_played`` says why an adversary did not play, whose
        numbers are missing then, and is empty otherwise; ``identical`` is how many homes have the
        readings of another one; ``levels`` of the quantizer of a budget, infinite for the exact
        mean, missing for a mechanism.

    Raises
    ------
    ConfigError
        If a parameter is out of its range; if the mechanism's domain has another unit, range or
        number of people than the game; if an adversary is unknown, or none of those that are named
        can play; or if a mechanism or an adversary breaks its contract.
    DataError
        If the readings are not whole, negative, missing, or too few, or may be in kWh; if a name
        occurs twice; or if homes have identical readings.

    Examples
    --------
    >>> import numpy as np
    >>> readings_wh = np.random.default_rng(1).integers(0, 20_000, size=(40, 30))
    >>> found = play_membership_game(
    ...     readings_wh, n=2, epsilon_bits=4, maximum_wh=20_000, games=500, rng=1)
    >>> found.loc[["correlation", "pair", "pair_known"], ["homes", "known"]].values.tolist()
    [[20, 0], [20, 0], [20, 20]]
    >>> bool(found.loc["correlation", "advantage"] > 0.9), bool(found.loc["control", "low"] < 0)
    (True, True)

    Laplace noise of a scale of 5 kWh on each mean:

    >>> from noiseless import Domain, LaplaceMechanism
    >>> mean_of_two = Domain((0.0,), (20.0,), "kwh", people=2)
    >>> noisy = play_membership_game(
    ...     readings_wh, n=2, mechanism=LaplaceMechanism(mean_of_two, 5.0), games=500, rng=1)
    >>> bool(noisy.loc["correlation", "high"] < found.loc["correlation", "low"])
    True
    """
    _refuse_moved(moved)
    energy, identical = _take_homes(readings_wh).convert_to_wh()
    seed = _get_seed(rng)
    n, games = require_whole("n", n, 2), require_whole("games", games, 1, MAX_GAMES)
    maximum = None if maximum_wh is None else require_whole("maximum_wh", maximum_wh, 1)
    if (epsilon_bits is None) == (mechanism is None):
        raise ConfigError(
            "exactly one of `epsilon_bits` and `mechanism` must be given, got "
            f"{epsilon_bits} and {mechanism}."
        )
    stream = partial(make_generator, seed, "membership of arrays")
    named = _resolve_adversaries(adversaries)
    known, why_none = None, ""
    if known_wh is not None:
        known, _ = _take_homes(known_wh).convert_to_wh()
    elif any(each.is_trained for each in named):
        energy, known, why_none = _split_homes(energy, n, stream("halves"))
    players, not_played = _select_players(named, why_none, must_play=adversaries is not None)
    levels = math.nan
    release: MechanismRelease | QuantizedMeanRelease
    if mechanism is not None:
        measured = energy if known is None else known
        release = _build_mechanism_release(mechanism, n, maximum, measured, seed)
    else:
        release, levels = _build_budget_release(epsilon_bits, n, maximum, energy)
    drawn = draw_games(stream("n", n), homes=len(energy), n=n, games=games)
    lessons = None
    if known is not None:
        known = np.minimum(known, release.maximum_wh)
        lessons = known, draw_games(stream("training", "n", n), homes=len(known), n=n, games=games)
    found = _estimate_advantages(players, energy, drawn, release, seed, lessons)
    found = _add_absent(found, named, not_played)
    return found.assign(identical=identical, levels=levels)


def _split_homes(
    energy_wh: Ints, n: int, rng: np.random.Generator
) -> tuple[Ints, Ints | None, str]:
    """Split homes into those that play and those that are known; say why, if none are known."""
    homes = len(energy_wh)
    if homes < MIN_SPLIT_HOMES or n + 1 > homes // 2:
        why = (
            f"it learns from other homes, and half of these {homes} are held out for it only from "
            f"{MIN_SPLIT_HOMES} on, and if n + 1 are at most half of them"
        )
        return energy_wh, None, why
    playing, known = np.array_split(rng.permutation(homes), 2)
    return energy_wh[playing], energy_wh[known], ""


def _select_players(
    named: Sequence[type[Adversary]], why_none: str, *, must_play: bool
) -> tuple[list[type[Adversary]], dict[str, str]]:
    """Select the adversaries that can play; return the reasons of the others by name.

    ``why_none`` says why there are no homes to learn from, and is empty if there are.  If one of
    them ``must_play``, it is an error that none can.
    """
    lacks_homes = {each.name: why_none for each in named if each.is_trained and why_none}
    lacks_extras = {
        each.name: "it needs scikit-learn: install noiseless[learn]"
        for each in named
        if each.name == LEARNED and not find_spec("sklearn")
    }
    reasons = {**lacks_extras, **lacks_homes}
    players = [each for each in named if each.name not in reasons]
    if must_play and not players:
        [(name, reason), *_] = reasons.items()
        raise ConfigError(
            f"the adversary {name!r} cannot play, and no other was named: {reason}. Give more "
            "homes, or the readings of others as `known_wh` of `play_membership_game`."
        )
    return players, reasons


def _add_absent(
    found: pd.DataFrame, named: Sequence[type[Adversary]], not_played: Mapping[str, str]
) -> pd.DataFrame:
    """Add rows without numbers for the adversaries that did not play, in the order of all."""
    found = found.reindex([each.name for each in named]).rename_axis("adversary")
    found["over"] = found["over"].fillna(NO_INTERVAL)
    found[["homes", "known"]] = found[["homes", "known"]].fillna(0).astype(int)
    return found.assign(not_played=[not_played.get(name, "") for name in found.index])


def play_released_membership_game(
    readings_wh: ArrayLike | Homes,
    released_wh: ArrayLike,
    members: ArrayLike,
    *,
    games: int = 2_000,
    rng: np.random.Generator | int | None = None,
    adversaries: Sequence[str | type[Adversary]] | None = None,
    **moved: Any,
) -> pd.DataFrame:
    """Play the membership game on published means, and estimate each adversary's advantage.

    Each game draws one candidate from the homes in a mean and one from all others.  The homes in
    the means are fixed: if they happen to be large, an adversary who always names the larger
    candidate gains without seeing the mean, which the control shows.

    Parameters
    ----------
    readings_wh : array_like or DataFrame of int, shape (homes, T); or Homes
        See :func:`play_membership_game`.
    released_wh : array_like, shape (T,) or (series, T)
        Published means of the readings of some homes, in Wh, however they were made.
    members : array_like of bool, shape (homes,) or (series, homes)
        Which homes are in each of these means; as many in each.
    games, rng, adversaries
        See :func:`play_membership_game`; adversaries who learn do not play, and their rows say so.
    **moved : object
        See :func:`play_membership_game`.

    Returns
    -------
    DataFrame
        As :func:`play_membership_game`, without ``levels``.

    Raises
    ------
    ConfigError
        See :func:`play_membership_game`.
    DataError
        See :func:`play_membership_game`; or if the published means do not fit the readings.

    Examples
    --------
    >>> import numpy as np
    >>> readings_wh = np.random.default_rng(1).integers(0, 20_000, size=(40, 30))
    >>> in_mean = np.arange(40) < 4
    >>> published_wh = readings_wh[in_mean].mean(axis=0).round(-3)
    >>> found = play_released_membership_game(readings_wh, published_wh, in_mean, games=500, rng=1)
    >>> bool(found.loc["correlation", "advantage"] > 0.5)
    True
    """
    _refuse_moved(moved)
    energy, identical = _take_homes(readings_wh).convert_to_wh()
    seed = _get_seed(rng)
    named = _resolve_adversaries(adversaries)
    why_none = "it learns from other homes, which a game on published means does not hold out"
    players, not_played = _select_players(named, why_none, must_play=adversaries is not None)
    kwh, is_member = _check_published(released_wh, members, energy)
    rng = make_generator(seed, "membership of arrays", "released")
    row, drawn = _draw_released_games(rng, is_member, require_whole("games", games, 1, MAX_GAMES))
    release = _GivenMeans(int(is_member[0].sum()), kwh, row)
    found = _estimate_advantages(players, energy, drawn, release, seed)
    return _add_absent(found, named, not_played).assign(identical=identical)


def bound_advantage(found: pd.DataFrame) -> float:
    """Compute the largest advantage that the intervals of a game leave possible.

    An adversary who is mostly wrong can reverse its guesses, so both ends of an interval count.  A
    release passes a test of this number if it does for every adversary, so that no correction for
    the number of adversaries is needed.

    Parameters
    ----------
    found : DataFrame
        Result of :func:`play_membership_game`; controls, who see no release, and adversaries that
        did not play are left out.

    Raises
    ------
    ConfigError
        If it is no such table.

    Examples
    --------
    >>> import pandas as pd
    >>> bound_advantage(pd.DataFrame({"low": [-0.3, -0.1, 0.5], "high": [-0.1, 0.2, 0.9]},
    ...                                index=["mse", "peaks", "control"]))
    0.3
    """
    what = "the table that play_membership_game returns, with columns `low` and `high`"
    require_kind("found", found, pd.DataFrame, what)
    if not {"low", "high"} <= {*found.columns}:
        raise ConfigError(f"`found` must be {what}, got the columns {list(found.columns)!r:.80}.")
    seeing = found.loc[drop_controls(found.index)]
    return float(max(seeing["high"].max(), -seeing["low"].min()))


def _estimate_advantages(
    players: Sequence[type[Adversary]],
    energy_wh: Ints,
    games: Games,
    release: MeanRelease,
    seed: int,
    known: tuple[Ints, Games] | None = None,
) -> pd.DataFrame:
    """Play games against a release, and build the table of each adversary's advantage."""
    stream = partial(make_generator, seed, "membership of arrays")
    noise = partial(stream, "noise")
    [preferred] = play(players, energy_wh, games, [release], known=known, stream=noise)
    rows, known_homes = {}, 0 if known is None else len(known[0])
    is_trained = {each.name: each.is_trained for each in players}
    for name, preference in preferred.items():
        advantage = Outcome.draw(stream("coin", name), games, name, preference).advantage
        rows[name] = {
            "advantage": advantage.value,
            "low": advantage.low,
            "high": advantage.high,
            "over": advantage.over,
            "homes": len(energy_wh),
            "known": known_homes if is_trained[name] else 0,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("adversary")


def _build_budget_release(
    epsilon_bits: float | None, n: int, maximum_wh: int | None, energy_wh: Ints
) -> tuple[QuantizedMeanRelease, float]:
    """Build the quantized release of a budget (bits), and return it with its number of levels."""
    if maximum_wh is None:
        raise ConfigError(
            "`maximum_wh` must be given for a budget, got None. Give the upper end of the public "
            "range of a reading."
        )
    budget = float(require_number("epsilon_bits", epsilon_bits, above=0))
    (release,) = build_releases(
        [budget], n=n, maximum_wh=maximum_wh, quantizer_rule="n_2^eps", energy_wh=energy_wh
    )
    return release, release.levels or math.inf


def _build_mechanism_release(
    mechanism: Mechanism, n: int, maximum_wh: int | None, energy_wh: Ints, seed: int
) -> MechanismRelease:
    """Build the release of a mechanism for the mean of n readings; errors are measured on homes."""
    if not isinstance(mechanism, Mechanism):
        raise ConfigError(
            f"`mechanism` must be an instance of noiseless.Mechanism, got {mechanism!r}. Give "
            "LaplaceMechanism(domain, scale) or YourOwn(domain, parameter)."
        )
    mechanism, high_kwh = wrap_mechanism(mechanism), mechanism.domain.high[0]
    played_kwh = high_kwh if maximum_wh is None else maximum_wh / WH_PER_KWH
    check_played_domain(mechanism, build_reading_domain(n, played_kwh))
    if maximum_wh is None:
        is_bounded = math.isfinite(high_kwh)
        maximum_wh = round(high_kwh * WH_PER_KWH) if is_bounded else int(energy_wh.max())
    clipped = np.minimum(energy_wh, maximum_wh)
    reader = MeanReader(clipped, n, partial(make_generator, seed, "arrays"))
    return MechanismRelease(mechanism, n, maximum_wh, reader.describe_release(mechanism))


@dataclass(frozen=True)
class _GivenMeans:
    """Release of means that are already published: a row of ``kwh`` for each game."""

    n: int
    kwh: Floats
    row: Ints

    published_as: ClassVar[Mapping[str, float]] = {}  # the mechanism is unknown

    def publish_batch(self, batch: Batch) -> PublishedSeries:
        some = self.row[batch.first_game : batch.first_game + len(batch.games.member)]
        return PublishedSeries.round_means(self.kwh[some], 1 / self.n, 0.0)


def _check_published(
    released_wh: ArrayLike, members: ArrayLike | None, energy_wh: Ints
) -> tuple[Floats, Bools]:
    """Check published means and their members; return kWh (series, T) and bool (series, homes)."""
    homes, readings = energy_wh.shape
    wh = np.atleast_2d(convert_to_floats(released_wh, "the released means"))
    is_member = np.atleast_2d(convert_to_array([] if members is None else members, "the members"))
    if wh.shape[1:] != (readings,) or not np.isfinite(wh).all():
        raise DataError(
            f"`released_wh` must have {readings} finite numbers in each series, one for each time "
            f"of the readings, got the shape {wh.shape}. Give complete series."
        )
    if is_member.shape != (len(wh), homes) or is_member.dtype != bool:
        raise DataError(
            f"`members` must be bool of shape {(len(wh), homes)} (series, homes), got "
            f"{is_member.dtype} of {is_member.shape}. Give True for each home in the mean."
        )
    counts = np.unique(is_member.sum(axis=1))
    if len(counts) > 1 or not 1 <= counts[0] < homes:
        raise DataError(
            "`members` must have equally many homes in each series, at least 1 and fewer than all "
            f"{homes}, got {', '.join(map(str, counts))}."
        )
    return wh / WH_PER_KWH, is_member


def _draw_released_games(
    rng: np.random.Generator, is_member: Bools, games: int
) -> tuple[Ints, Games]:
    """Draw games between a member of a published mean and another home.

    Returns the number of each game's mean, shape (G,), and the games.
    """
    row, member = rng.integers(0, len(is_member), games), rng.integers(0, 2, games)
    # The largest of random numbers among the members, and among the others, is uniform.
    drawn = rng.random((2, games, is_member.shape[1]))
    inside = is_member[row]
    homes = np.where([inside, ~inside], drawn, -1.0).argmax(axis=2)
    candidates = np.where(member[:, None] == 0, homes.T, homes.T[:, ::-1])
    in_mean = np.nonzero(is_member)[1].reshape(len(is_member), -1)[row]
    others = in_mean[in_mean != homes[0][:, None]].reshape(games, -1)
    return row, Games(candidates, member, others)


def _get_seed(rng: np.random.Generator | int | None) -> int:
    """Return the seed for a caller's ``rng`` argument."""
    if rng is None or isinstance(rng, np.random.Generator):
        return int(np.random.default_rng(rng).integers(2**62))
    return require_whole("rng", rng, 0)


def _take_homes(readings_wh: ArrayLike | Homes) -> Homes:
    """Return readings as homes of which nothing is certain, unless they are some."""
    return readings_wh if isinstance(readings_wh, Homes) else Homes(readings_wh)


def _refuse_moved(names: Iterable[str]) -> None:
    """Refuse parameters that are of :class:`Homes` now, and those that there never were."""
    for name in names:
        if name not in ("in_wh", "allow_identical"):
            raise TypeError(f"the membership game got an unexpected keyword argument {name!r}")
        raise ConfigError(
            f"`{name}` is said of the readings now: give `Homes(readings_wh, {name}=True)` in "
            "place of the readings (noiseless.Homes)."
        )


def _require_different_names(table: pd.DataFrame) -> None:
    """Raise DataError if a name of a row or column occurs twice."""
    for names, what, remedy in (
        (table.index, "home", "`reset_index(drop=True)` if they are different homes"),
        (table.columns, "time", "drop the copy"),
    ):
        if repeated := names[names.duplicated()].tolist():
            raise DataError(
                f"each {what} must occur once in the readings, got {repeated[0]!r} twice "
                f"({len(repeated)} such names). Give each {what} once ({remedy})."
            )


def _convert_to_wh(readings_wh: ArrayLike) -> Ints:
    """Convert readings to whole Wh, shape (homes, T); raise DataError if they are not whole."""
    try:
        readings = convert_to_array(readings_wh, "the readings")
    except DataError as error:
        raise DataError(
            f"{error} Homes are rows and times are columns, in whole Wh. (`pivot` converts a long "
            "table.)"
        ) from None
    if readings.ndim != 2 or not readings.size:
        raise DataError(
            f"the readings must be a table, got the shape {readings.shape}. Give homes as rows and "
            "times as columns."
        )
    if not np.isfinite(readings).all():
        home, time = np.argwhere(~np.isfinite(readings))[0]
        raise DataError(
            f"the reading of row {home}, column {time} is missing: give homes that are complete."
        )
    whole = np.rint(readings)
    if (whole != readings).any():
        home, time = np.argwhere(whole != readings)[0]
        raise DataError(
            f"the reading of row {home}, column {time} is not a whole number of Wh. If the "
            "readings are in kWh, give `np.rint(1000 * readings_kwh).astype(int)`."
        )
    if (whole < 0).any():
        home, time = np.argwhere(whole < 0)[0]
        raise DataError(
            f"the reading of row {home}, column {time} is negative. Give the energy that each home "
            "used, without the energy that it fed into the grid."
        )
    return whole.astype(np.int64)


def _resolve_adversaries(
    adversaries: Sequence[str | type[Adversary]] | None,
) -> list[type[Adversary]]:
    """Resolve names and classes to checked classes; None: all, those of active plugins last."""
    if adversaries is None:
        return load_adversaries(MEMBERSHIP)
    what = "a list of names and classes of adversaries"
    adversaries = require_list("adversaries", adversaries, what)
    resolved = [_resolve_adversary(each) for each in adversaries]
    if not resolved:
        raise ConfigError("`adversaries` must name one or more, got none. Leave it out for all.")
    names = [each.name for each in resolved]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise ConfigError(
            f"each adversary must be named once in `adversaries`, got {min(repeated)!r} twice."
        )
    return resolved


def _resolve_adversary(adversary: str | type[Adversary]) -> type[Adversary]:
    if isinstance(adversary, str):
        player = load_adversary(MEMBERSHIP, adversary)
    elif isinstance(adversary, type) and issubclass(adversary, Adversary):
        player = adversary
    else:
        raise ConfigError(
            "`adversaries` must contain names or subclasses of noiseless.Adversary, got "
            f"{adversary!r}."
        )
    is_own = player not in load_adversaries(MEMBERSHIP)
    name = getattr(player, "name", None)
    if not isinstance(name, str):
        raise ConfigError(
            f"the adversary {player.__name__} must have a text as `name`, got {name!r}. Set it."
        )
    if not can_answer(player, MEMBERSHIP.question):
        raise ConfigError(
            f"the adversary {name!r} must define `prefer`, the question of this game. Define it."
        )
    return wrap_adversary(player) if is_own else player
