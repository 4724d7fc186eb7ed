"""The membership game: which of two candidates is in the aggregate.

A game: two candidates are drawn from the homes, a fair coin makes one of them a member, and n - 1
other homes join (``noiseless``, Section V.A).  The curator releases the mean of the n readings at
each time.  An adversary who knows the true readings of both candidates guesses the member.

1. :func:`energy_matrix` makes whole Wh per home and reading from a prepared table, and
   :func:`public_maximum_wh` the public range.
2. :func:`draw_games` draws the games of one n, once for all releases: what differs between two
   cells of equal n is the release, and not the luck of the draw.  :func:`draw_in_groups` draws
   them within disjoint groups of homes, which an interval over homes needs.
3. :class:`PublishedSeries` is what is published, by whichever mechanism;
   :class:`AggregateRelease` publishes quantized means, :func:`release_for` those of a budget.
4. :func:`observe` sums what the adversaries look at, for any published series.
5. :func:`play` does all of this for quantized means of many games.  Its compiled kernel is the fast
   path of the plain one (``compiled=False``), and gives the same whole numbers.

Meters count whole Wh, so all readings here are integers, and so are the sums that adversaries
compare: guesses do not depend on the order of an addition.  Games are played one after the other
within compiled code, or some at a time; memory holds the homes' readings and a few sums per game,
never games x readings.
"""

import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.adversaries import members  # whose modules are loaded by name
from noiseless.adversaries.compiled import IS_COMPILED, copy_into, njit
from noiseless.adversaries.evidence import Evidence, RawSeries, Training, is_peak
from noiseless.adversaries.interface import Adversary, Game
from noiseless.adversaries.labels import MEMBERSHIP_ADVERSARIES
from noiseless.adversaries.registry import adversaries_of
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.quantizer import Quantizer, levels_from_budget, local_levels

log = logging.getLogger(__name__)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

WH_PER_KWH = 1000
HALF_HOURS_A_DAY = 48
LARGEST_SUM = 2**62
MEMBERSHIP = Game("prefer", members.__name__, MEMBERSHIP_ADVERSARIES)
MOST_GROUPS, FEWEST_GROUPS = 50, 5
_GAMES_AT_ONCE = 500
_READINGS_AT_ONCE = 1024
_SHUFFLED_AT_ONCE = 50_000  # numbers that fit into the processor's cache


# --- Readings ---------------------------------------------------------------------------------


def energy_matrix(
    readings: pd.DataFrame, *, resolution: str, week_start: str | None = None
) -> Ints:
    """Whole Wh of each home at each time.

    Parameters
    ----------
    readings : DataFrame
        Prepared table with ``home``, ``time`` and ``energy_kwh``: half-hours or days, the same
        times for every home.
    resolution : str
        ``half-hours`` or ``days``; half-hours are summed to days.
    week_start : str, optional
        First day of the week to keep; the whole period without it.

    Returns
    -------
    ndarray of int, shape (homes, T)

    Raises
    ------
    DataError
        If the homes do not share their times, or half-hours are wanted of daily readings, or the
        week is not in the data.
    """
    times = pd.DatetimeIndex(readings["time"].unique()).sort_values()
    homes = readings["home"].nunique()
    if not _is_row_after_row(readings, homes, times):
        readings = readings.sort_values(["home", "time"], kind="stable")
        if not _is_row_after_row(readings, homes, times):
            raise DataError("the homes of the prepared table do not all have the same times.")
    energy = readings["energy_kwh"].to_numpy().reshape(homes, len(times))
    wh = np.rint(energy * WH_PER_KWH).astype(np.int64)
    daily = len(times) == times.normalize().nunique()
    if resolution == "half-hours" and daily:
        raise DataError(
            "the readings are daily, so there are no half-hours. Set "
            "`noiseless.membership.resolution` to days, or leave this dataset out."
        )
    if week_start is not None:
        first = pd.Timestamp(week_start)
        chosen = (times >= first) & (times < first + pd.Timedelta(days=7))
        if times[chosen].normalize().nunique() < 7:
            raise DataError(f"the readings do not hold the week from {week_start}.")
        wh, times = wh[:, chosen], times[chosen]
    if resolution == "days" and not daily:
        starts = np.flatnonzero(~times.normalize().duplicated())
        wh = np.add.reduceat(wh, starts, axis=1)
    return wh


def _is_row_after_row(readings: pd.DataFrame, homes: int, times: pd.DatetimeIndex) -> bool:
    """Whether one home follows the other, and each has all times in their order."""
    if len(readings) != homes * len(times) or not readings["home"].is_monotonic_increasing:
        return False
    home = readings["home"].to_numpy().reshape(homes, -1)
    same_times = readings["time"].to_numpy().reshape(homes, -1) == times.to_numpy()
    return bool((home[:, 0] == home[:, -1]).all() and same_times.all())


def public_maximum_wh(public_range_kwh: float, *, resolution: str = "days") -> int:
    """Upper end x_max of the public range [0, x_max] of a reading, in Wh.

    Nothing of the readings is asked: whatever the range took from them, it would publish.

    Parameters
    ----------
    public_range_kwh : float
        The public range of a day's reading, larger than 0.  Larger readings are clipped before they
        are averaged.
    resolution : str
        See :func:`energy_matrix`; the range of a half-hour is a 48th of a day's.

    Raises
    ------
    ConfigError
        If that is less than 1 Wh.
    """
    readings_a_day = HALF_HOURS_A_DAY if resolution == "half-hours" else 1
    maximum = round(Fraction(str(public_range_kwh)) * WH_PER_KWH / readings_a_day)
    if maximum < 1:
        raise ConfigError(
            f"a public range of {public_range_kwh} kWh a day leaves less than 1 Wh for a reading. "
            "Widen `noiseless.membership.public_range_kwh`."
        )
    return maximum


# --- Games ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Games:
    """G games of n members each; homes are numbered from 0.

    Attributes
    ----------
    candidates : ndarray of int, shape (G, 2)
        Two distinct homes.
    member : ndarray of int, shape (G,)
        Which of them is in the aggregate, 0 or 1.
    others : ndarray of int, shape (G, n - 1)
        Distinct homes that are in it as well, none of them a candidate.
    """

    candidates: Ints
    member: Ints
    others: Ints

    @property
    def members(self) -> Ints:
        """All n homes in the aggregate, shape (G, n)."""
        chosen = np.take_along_axis(self.candidates, self.member[:, None], axis=1)
        return np.concatenate([chosen, self.others], axis=1)

    def __getitem__(self, some: slice | Ints) -> "Games":
        """Some of the games."""
        return Games(self.candidates[some], self.member[some], self.others[some])

    def batches(self, size: int) -> Iterator["Games"]:
        """All games in their order, ``size`` of them at a time."""
        for start in range(0, len(self.member), size):
            yield self[start : start + size]


def possible_n(n: Sequence[int], *, homes: int, key: str, who: str) -> list[int]:
    """Those of some numbers of homes in an aggregate that leave another home to compare with.

    For homes that the configuration was not written for: the others are skipped, with a message.

    Parameters
    ----------
    n : sequence of int
    homes : int
        Number of homes that may play.
    key : str
        Where the configuration gives ``n``.
    who : str
        Who may play, for the message, with ``{}`` for their number.

    Raises
    ------
    ConfigError
        If none is left.
    """
    kept, skipped = [size for size in n if size < homes], [size for size in n if size >= homes]
    why = f"{who.format(homes)}, and a game of n homes needs n + 1"
    if not kept:
        raise ConfigError(
            f"{key} is {list(n)}, but {why}. Give a smaller n (2 or more), or more homes."
        )
    if skipped:
        log.warning("%s: skipped: %s, for %s.", key, ", ".join(map(str, skipped)), why)
    return kept


def draw_games(rng: np.random.Generator, *, homes: int, n: int, games: int) -> Games:
    """Draw games between homes 0, 1, ..., uniformly and without repetition within a game.

    Raises
    ------
    ConfigError
        If there are fewer than n + 1 homes.
    """
    if homes < n + 1:
        raise ConfigError(
            f"a game of n = {n} needs {n + 1} homes, but there are {homes}. Give smaller `n`, or "
            "more homes."
        )
    drawn = np.empty((games, n + 1), dtype=np.int64)
    # Some games at a time, which NumPy shuffles in the same order: memory holds no games x homes.
    at_once = max(1, _SHUFFLED_AT_ONCE // homes)
    for some in np.split(drawn, range(at_once, games, at_once)):
        everyone = np.tile(np.arange(homes), (len(some), 1))
        some[:] = rng.permuted(everyone, axis=1, out=everyone)[:, : n + 1]
    member = rng.integers(0, 2, games)
    return Games(candidates=drawn[:, :2], member=member, others=drawn[:, 2:])


@dataclass(frozen=True)
class GroupedGames:
    """Games within disjoint groups of homes.

    Attributes
    ----------
    games : Games
        No two of different groups share a home.
    group : ndarray of int, shape (G,)
        Number of the group that each game is played in, from 0.
    """

    games: Games
    group: Ints


def draw_in_groups(
    rng: np.random.Generator, *, homes: int, n: int, games: int, fewest: int = FEWEST_GROUPS
) -> GroupedGames | None:
    """Cut the homes at random into disjoint groups, and draw games within each.

    A game within a group is a game between homes drawn at random, as any other is; games of
    different groups are independent if homes are, which games that share homes are not.

    Parameters
    ----------
    rng : Generator
    homes, n : int
        See :func:`draw_games`.
    games : int
        Number of games of all groups together; rounded up so that all have the same number.
    fewest : int
        Groups that an interval needs of these homes.

    Returns
    -------
    GroupedGames or None
        As many groups of n + 1 homes or more as there are, at most :data:`MOST_GROUPS`; None where
        that is less than the fewest.
    """
    number = min(homes // (n + 1), MOST_GROUPS)
    if number < fewest:
        return None
    size = math.ceil(games / number)
    drawn = []
    for group in np.array_split(rng.permutation(homes), number):
        played = draw_games(rng, homes=len(group), n=n, games=size)
        drawn.append(Games(group[played.candidates], played.member, group[played.others]))
    return GroupedGames(concatenate_games(drawn), np.repeat(np.arange(number), size))


def concatenate_games(parts: Sequence[Games]) -> Games:
    """All games of several sets of one n, in their order."""
    return Games(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("candidates", "member", "others")
        )
    )


def totals_wh(energy_wh: Ints, members: Ints) -> Ints:
    """Sums of the members' readings, shape (G, T), for readings (homes, T) and members (G, n)."""
    totals = np.zeros((len(members), energy_wh.shape[1]), dtype=np.int64)
    _add_members(np.ascontiguousarray(energy_wh), np.ascontiguousarray(members), totals)
    return totals


@dataclass(frozen=True)
class PublishedSeries:
    """Published means, ``offset_wh + step_wh * k``.

    Attributes
    ----------
    k : ndarray of int, shape (G, T)
    step_wh, offset_wh : float
    """

    k: Ints
    step_wh: float
    offset_wh: float

    @classmethod
    def nearest(cls, means_kwh: Floats, step_wh: float, offset_wh: float) -> "PublishedSeries":
        """The series that is nearest to some means, shape (G, T)."""
        k = np.empty(means_kwh.shape, dtype=np.int64)
        _nearest_steps(np.ascontiguousarray(means_kwh).ravel(), step_wh, offset_wh, k.ravel())
        return cls(k, step_wh, offset_wh)

    @cached_property
    def kwh(self) -> Floats:
        """The published means in kWh."""
        return _in_kwh(np.ascontiguousarray(self.k), self.step_wh, self.offset_wh)


@dataclass(frozen=True)
class AggregateRelease:
    """What the curator publishes of a mean of n readings on [0, x_max].

    Attributes
    ----------
    n : int
        Homes in the aggregate.
    maximum_wh : int
        x_max; larger readings are clipped to it before they are averaged.
    levels : int or None
        The levels of the quantizer; None for the exact mean.
    """

    n: int
    maximum_wh: int
    levels: int | None

    @property
    def step_wh(self) -> float:
        """Width of a bin; of the exact mean, one n-th of a Wh."""
        return self.maximum_wh / self.levels if self.levels else 1 / self.n

    @property
    def offset_wh(self) -> float:
        """Mid-point of bin 0."""
        return self.step_wh / 2 if self.levels else 0.0

    def publish(self, total_wh: Ints) -> PublishedSeries:
        """The published means of sums of n readings; the sums themselves without a quantizer.

        Bin k holds the means from k x_max / levels, the last one closed, so with the sum S it is
        floor(S levels / (n x_max)): whole numbers throughout.
        """
        if self.levels is None:
            return PublishedSeries(total_wh, self.step_wh, self.offset_wh)
        k = total_wh * self.levels // (self.n * self.maximum_wh)
        return PublishedSeries(np.minimum(k, self.levels - 1), self.step_wh, self.offset_wh)

    def output_kwh(self, mean_kwh: NDArray[np.float64]) -> NDArray[np.float64]:
        """The published values of some means, in kWh."""
        if self.levels is None:
            return mean_kwh
        return Quantizer(0, self.maximum_wh / WH_PER_KWH, self.levels).release(mean_kwh)


def release_for(
    epsilon_bits: float, *, n: int, maximum_wh: int, quantizer_rule: str = "n_2^eps"
) -> AggregateRelease:
    """The release of a budget.

    Parameters
    ----------
    epsilon_bits : float
        In bits; infinite for no quantizer.
    n : int
        Homes in the aggregate.
    maximum_wh : int
        x_max of the public range.
    quantizer_rule : str
        ``n_2^eps``: Theorem 8, with the sensitivity x_max / n of an average; ``2^eps``: as if one
        home alone reported.
    """
    if math.isinf(epsilon_bits):
        return AggregateRelease(n, maximum_wh, None)
    if quantizer_rule == "2^eps":
        return AggregateRelease(n, maximum_wh, local_levels(epsilon_bits))
    sensitivity = Fraction(maximum_wh, n)
    count = levels_from_budget(epsilon_bits, output_range=(0, maximum_wh), sensitivity=sensitivity)
    return AggregateRelease(n, maximum_wh, count)


def releases_for(
    budgets: Sequence[float], *, n: int, maximum_wh: int, quantizer_rule: str, energy_wh: Ints
) -> list[AggregateRelease]:
    """The releases of some budgets; the exact mean, which needs no range, clips nothing.

    Parameters
    ----------
    budgets : sequence of float
        In bits; infinite for the exact mean.
    n, maximum_wh, quantizer_rule
        See :func:`release_for`.
    energy_wh : ndarray of int, shape (homes, T)
        Readings.
    """
    largest = max(maximum_wh, int(energy_wh.max()))
    return [
        release_for(
            budget,
            n=n,
            maximum_wh=largest if math.isinf(budget) else maximum_wh,
            quantizer_rule=quantizer_rule,
        )
        for budget in budgets
    ]


@dataclass(frozen=True)
class Candidates:
    """The candidates of G games, whatever is published of them.

    Attributes
    ----------
    readings_wh : ndarray of int, shape (G, 2, T)
        Their true readings.
    peaks : ndarray of bool, shape (G, 2, T)
        The local maxima of these.
    """

    readings_wh: Ints
    peaks: NDArray[np.bool_]

    @cached_property
    def readings_kwh(self) -> Floats:
        """Their true readings in kWh."""
        return self.readings_wh / WH_PER_KWH

    @cached_property
    def sums(self) -> tuple[Ints, Ints]:
        """Sums of their readings and of the squares of these, shape (G, 2) each."""
        x = self.readings_wh
        return x.sum(axis=2), np.einsum("gct,gct->gc", x, x)


def observe(
    series: PublishedSeries,
    candidates: Candidates,
    *,
    strict_peaks: bool = True,
    n: int | None = None,
    compiled: bool = True,
) -> Evidence:
    """What the adversaries of the game read from published means.

    Parameters
    ----------
    series : PublishedSeries
        The series of G games and T readings.
    candidates : Candidates
        The candidates of these games.
    strict_peaks : bool
        Whether those of the output are strict.
    n : int, optional
        Homes in the aggregate; with it, the evidence holds the raw series, too.
    compiled : bool
        Whether to take the fast path, where numba compiles it; the evidence is the same.
    """
    first, x = series.k[:, 0], candidates.readings_wh
    sum_x, sum_xx = candidates.sums
    if compiled and IS_COMPILED:
        sums = np.empty((len(x), 6), dtype=np.int64)
        _observe(np.ascontiguousarray(series.k), x, candidates.peaks, strict_peaks, sums)
    else:
        k = series.k - first[:, None]
        common = is_peak(k, strict=strict_peaks)[:, None] & candidates.peaks
        sums = np.column_stack(
            [
                k.sum(axis=1),
                (k * k).sum(axis=1),
                np.einsum("gct,gt->gc", x, k),
                common.sum(axis=2),
            ]
        )
    return Evidence(
        readings=x.shape[2],
        step_wh=series.step_wh,
        offset_wh=series.offset_wh,
        first=first,
        sum_k=sums[:, 0],
        sum_kk=sums[:, 1],
        sum_x=sum_x,
        sum_xx=sum_xx,
        sum_xk=sums[:, 2:4],
        common_peaks=sums[:, 4:],
        series=RawSeries(series.kwh, candidates.readings_kwh, n) if n else None,
    )


def play(
    energy_wh: Ints,
    games: Games,
    releases: Sequence[AggregateRelease],
    *,
    strict_peaks: bool = True,
    compiled: bool = True,
) -> list[Evidence]:
    """Run games against each of several releases with one public range.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        True readings.
    games : Games
    releases : sequence of AggregateRelease
        With the same n and maximum_wh.
    strict_peaks : bool
        See :func:`noiseless.adversaries.evidence.is_peak`.
    compiled : bool
        Whether to take the fast path, where numba compiles it; the evidence is the same.

    Returns
    -------
    list of Evidence, one for each release

    Raises
    ------
    DataError
        If readings are so large, or levels so many, that sums of products would not fit into 64
        bits.
    """
    (found,) = play_with_peaks(
        energy_wh, games, releases, strict_peaks=[strict_peaks], compiled=compiled
    )
    return found


def play_with_peaks(
    energy_wh: Ints,
    games: Games,
    releases: Sequence[AggregateRelease],
    *,
    strict_peaks: Sequence[bool],
    compiled: bool = True,
) -> list[list[Evidence]]:
    """:func:`play` once for several meanings of a peak, which is all that the evidence differs in.

    Returns
    -------
    list of list of Evidence
        For each of ``strict_peaks``, one for each release.
    """
    n, maximum = releases[0].n, releases[0].maximum_wh
    t, largest = energy_wh.shape[1], int(energy_wh.max())
    counts = np.array([release.levels or 0 for release in releases])
    most_levels = int(counts.max())
    step_count = max(n * largest, most_levels)
    if max(t * step_count**2, most_levels * n * largest) > LARGEST_SUM:
        blamed = f"a reading of {largest / WH_PER_KWH} kWh is too large"
        if most_levels > n * largest:
            blamed = f"an epsilon that allows {most_levels} levels is too large"
        raise DataError(
            f"{blamed} for sums over {t} readings and n = {n} homes to stay exact in whole Wh."
        )
    fits = step_count < 2**31 and (most_levels + 1) * n * max(largest, maximum) < 2**53
    if not (compiled and IS_COMPILED and fits):
        return [
            _play_plainly(energy_wh, games, releases, strict_peaks=strict)
            for strict in strict_peaks
        ]
    most_steps = np.where(counts > 0, counts, n * largest)
    sums = _sums(
        # One layout, compiled once, with a home's readings beside one another.
        np.minimum(energy_wh, maximum).astype(np.int32, order="C"),
        energy_wh.astype(np.int32, order="C"),
        np.stack([is_peak(energy_wh, strict=strict) for strict in strict_peaks]),
        games.members,
        np.ascontiguousarray(games.candidates),
        counts,
        n * maximum,
        np.array(strict_peaks),
        most_steps * np.maximum(most_steps, largest) < 2**31 // _READINGS_AT_ONCE,
    )
    sum_x, sum_xx = energy_wh.sum(axis=1), (energy_wh**2).sum(axis=1)
    return [
        [
            Evidence(
                readings=t,
                step_wh=release.step_wh,
                offset_wh=release.offset_wh,
                first=summed[:, 0],
                sum_k=summed[:, 1],
                sum_kk=summed[:, 2],
                sum_x=sum_x[games.candidates],
                sum_xx=sum_xx[games.candidates],
                sum_xk=summed[:, 3:5],
                common_peaks=summed[:, 5 + 2 * number : 7 + 2 * number],
            )
            for release, summed in zip(releases, sums, strict=True)
        ]
        for number in range(len(strict_peaks))
    ]


@dataclass(frozen=True)
class Batch:
    """Some of the games, before anything is released.

    Attributes
    ----------
    member : ndarray of int, shape (G,)
        Which candidate is a member.
    candidates : Candidates
    totals_wh : mapping of int to ndarray of int, shape (G, T)
        Sums of the members' readings, clipped to the upper end of each public range.
    strict_peaks : bool
        See :func:`observe`.
    """

    member: Ints
    candidates: Candidates
    totals_wh: Mapping[int, Ints]
    strict_peaks: bool

    def evidence(self, release: AggregateRelease) -> Evidence:
        """What the adversaries read from a release, the raw series with it."""
        series = release.publish(self.totals_wh[release.maximum_wh])
        return observe(series, self.candidates, strict_peaks=self.strict_peaks, n=release.n)


def batches(
    energy_wh: Ints,
    games: Games,
    releases: Sequence[AggregateRelease],
    *,
    strict_peaks: bool = True,
) -> Iterator[Batch]:
    """All games, some at a time, for each of several releases.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        True readings.
    games : Games
    releases : sequence of AggregateRelease
        Those that evidence will be asked for.
    strict_peaks : bool
        See :func:`observe`.
    """
    peaks = is_peak(energy_wh, strict=strict_peaks)
    clipped = {each.maximum_wh: np.minimum(energy_wh, each.maximum_wh) for each in releases}
    for some in games.batches(_GAMES_AT_ONCE):
        members = some.members
        yield Batch(
            some.member,
            Candidates(energy_wh[some.candidates], peaks[some.candidates]),
            {maximum: totals_wh(readings, members) for maximum, readings in clipped.items()},
            strict_peaks,
        )


def membership_adversaries(*, trained: bool) -> list[type[Adversary]]:
    """All adversaries of the game, those of active plugins last.

    Parameters
    ----------
    trained : bool
        Whether homes are set aside for training; otherwise those who need it do not play.

    Raises
    ------
    ConfigError
        See :func:`noiseless.adversaries.registry.adversaries_of`.
    """
    return [each for each in adversaries_of(MEMBERSHIP) if trained or not each.is_trained]


def preference_of(adversary: Adversary, evidence: Evidence) -> Floats:
    """Whom an adversary prefers in each game, shape (G,).

    Raises
    ------
    ConfigError
        If it does not answer with a number for each game.
    """
    preference = np.asarray(adversary.prefer(evidence))
    shape = evidence.first.shape
    if preference.shape != shape or preference.dtype.kind not in "fiu":
        raise ConfigError(
            f"the adversary {adversary.name!r} must answer `prefer` with numbers of the shape "
            f"{shape} (games), not with {preference.dtype} of {preference.shape}."
        )
    if np.isnan(preference).any():
        raise ConfigError(
            f"the adversary {adversary.name!r} answers `prefer` with NaN, which prefers nobody: 0 "
            "leaves it to a coin."
        )
    return preference


def fit(adversaries: Iterable[type[Adversary]], training: Training | None) -> dict[str, Adversary]:
    """Adversaries by their names, after those who learn have been trained."""
    return {each.name: each().fit(training) if each.is_trained else each() for each in adversaries}


def contest(
    fitted: Sequence[Mapping[str, Adversary]], batches: Iterable[Iterable[Evidence]]
) -> list[dict[str, Floats]]:
    """Preferences of fitted adversaries against each of several releases.

    Parameters
    ----------
    fitted : sequence of mapping
        The adversaries against each release, by their names.
    batches : iterable
        All games, some at a time: for each batch, its evidence against each release.

    Returns
    -------
    list of dict, one for each release
        Preference, shape (G,), by name.
    """
    parts: list[dict[str, list[Floats]]] = [{name: [] for name in by} for by in fitted]
    for batch in batches:
        for adversaries, found, evidence in zip(fitted, parts, batch, strict=True):
            for name, adversary in adversaries.items():
                found[name].append(preference_of(adversary, evidence))
    return [{name: np.concatenate(each) for name, each in found.items()} for found in parts]


def preferences(
    adversaries: Sequence[type[Adversary]],
    energy_wh: Ints,
    games: Games,
    releases: Sequence[AggregateRelease],
    *,
    strict_peaks: bool = True,
) -> list[dict[str, Floats]]:
    """Preferences of untrained adversaries in all games, for each of several releases.

    Those who need sums alone take the compiled path.

    Parameters
    ----------
    adversaries : sequence of type
    energy_wh, games, releases, strict_peaks
        See :func:`play`.

    Returns
    -------
    list of dict, one for each release
        Preference, shape (G,), by name, in the order of the adversaries.
    """
    return [
        preferences_given(
            evidence, adversaries, energy_wh, games, release, strict_peaks=strict_peaks
        )
        for release, evidence in zip(
            releases, play(energy_wh, games, releases, strict_peaks=strict_peaks), strict=True
        )
    ]


def preferences_given(
    evidence: Evidence,
    adversaries: Sequence[type[Adversary]],
    energy_wh: Ints,
    games: Games,
    release: AggregateRelease,
    *,
    strict_peaks: bool = True,
) -> dict[str, Floats]:
    """:func:`preferences` against one release, whose evidence :func:`play` has found."""
    by_series = [each for each in adversaries if each.sees_series]
    slow: dict[str, Floats] = {}
    if by_series:
        played = batches(energy_wh, games, [release], strict_peaks=strict_peaks)
        (slow,) = contest([fit(by_series, None)], ([each.evidence(release)] for each in played))
    return {
        each.name: slow[each.name] if each.sees_series else preference_of(each(), evidence)
        for each in adversaries
    }


def _play_plainly(
    energy_wh: Ints, games: Games, releases: Sequence[AggregateRelease], *, strict_peaks: bool
) -> list[Evidence]:
    contributed = np.minimum(energy_wh, releases[0].maximum_wh)
    peaks = is_peak(energy_wh, strict=strict_peaks)
    parts: list[list[Evidence]] = [[] for _ in releases]
    for some in games.batches(_GAMES_AT_ONCE):
        total = totals_wh(contributed, some.members)
        candidates = Candidates(energy_wh[some.candidates], peaks[some.candidates])
        for release, part in zip(releases, parts, strict=True):
            published = release.publish(total)
            part.append(observe(published, candidates, strict_peaks=strict_peaks, compiled=False))
    return [concatenate(part) for part in parts]


def concatenate(parts: Sequence[Evidence]) -> Evidence:
    """The evidence of all games, from that of some at a time, of one release."""
    columns = {
        field.name: [getattr(part, field.name) for part in parts] for field in fields(parts[0])
    }
    joined: dict[str, Any] = {
        name: np.concatenate(values) if isinstance(values[0], np.ndarray) else values[0]
        for name, values in columns.items()
    }
    return Evidence(**joined)


@njit(cache=True, nogil=True)
def _nearest_steps(means_kwh, step_wh, offset_wh, k):  # noqa: ANN001, ANN202
    """:meth:`PublishedSeries.nearest`, into ``k``."""
    for i in range(len(k)):
        k[i] = np.int64(np.rint((means_kwh[i] * WH_PER_KWH - offset_wh) / step_wh))


@njit(cache=True, nogil=True)
def _in_kwh(k, step_wh, offset_wh):  # noqa: ANN001, ANN202
    """:attr:`PublishedSeries.kwh`."""
    return (offset_wh + step_wh * k) / WH_PER_KWH


@njit(cache=True, nogil=True)
def _add_members(energy_wh, members, totals):  # noqa: ANN001, ANN202
    """:func:`totals_wh`, into ``totals`` (G, T)."""
    for g in range(len(members)):
        total = totals[g]
        for home in members[g]:
            total += energy_wh[home]


@njit(cache=True, nogil=True)
def _observe(k, x, peaks, strict, sums):  # noqa: ANN001, ANN202
    """The six sums of :func:`observe` for each game, shape (G, 6), into ``sums``."""
    readings = k.shape[1]
    steps = np.empty(readings, dtype=np.int64)
    for g in range(len(k)):
        published, found = k[g], sums[g]
        first = published[0]
        sum_k = sum_kk = np.int64(0)
        for t in range(readings):
            step = published[t] - first
            steps[t] = step
            sum_k += step
            sum_kk += step * step
        found[0], found[1] = sum_k, sum_kk
        of_zero, of_one = peaks[g, 0, 1:-1], peaks[g, 1, 1:-1]
        found[4], found[5] = _common_peaks(published, strict, of_zero, of_one)
        for c in range(2):
            of_candidate = x[g, c]
            sum_xk = np.int64(0)
            for t in range(readings):
                sum_xk += of_candidate[t] * steps[t]
            found[2 + c] = sum_xk


@njit(cache=True, nogil=True)
def _sums(contributed, readings, peaks, members, candidates, levels, divisor, strict, narrow):  # noqa: ANN001, ANN202
    """Sums of :class:`Evidence` for each release and game, shape (releases, G, 5 + 2 P).

    Of the published steps, and of the peaks that they share with either candidate's readings, for
    each of P meanings of a peak.  ``narrow`` says for each release whether sums of products over
    :data:`_READINGS_AT_ONCE` fit into 32 bits.  Loops are over 32 bits, so
    that the compiler takes several readings at once.
    """
    games, t = members.shape[0], readings.shape[1]
    out = np.zeros((len(levels), games, 5 + 2 * len(strict)), dtype=np.int64)
    totals = np.empty(_READINGS_AT_ONCE + 2, dtype=np.int32)
    steps = np.empty(_READINGS_AT_ONCE + 2, dtype=np.int32)
    # Some readings of all homes stay in the cache, while all games are played on them.
    for start in range(0, t, _READINGS_AT_ONCE):
        stop = min(start + _READINGS_AT_ONCE, t)
        # With the neighbours, which say whether a reading is a peak.
        low, high = max(start - 1, 0), min(stop + 1, t)
        for g in range(games):
            zero, one = candidates[g]
            total, k = totals[: high - low], steps[: high - low]
            total[:] = 0
            for home in members[g]:
                row = contributed[home][low:high]
                for i in range(len(row)):
                    total[i] += row[i]
            x0, x1 = readings[zero][start:stop], readings[one][start:stop]
            for e in range(len(levels)):
                found = out[e, g]
                _publish(total, levels[e], divisor, k)
                if start == 0:
                    found[0] = k[0]
                own = k[start - low : stop - low]
                if narrow[e]:
                    _add_narrow(own, np.int32(found[0]), x0, x1, found)
                else:
                    _add_wide(own, found[0], x0, x1, found)
                for p in range(len(strict)):
                    of_zero, of_one = peaks[p, zero], peaks[p, one]
                    common = _common_peaks(
                        k, strict[p], of_zero[low + 1 : high - 1], of_one[low + 1 : high - 1]
                    )
                    found[5 + 2 * p] += common[0]
                    found[6 + 2 * p] += common[1]
    return out


@njit(cache=True, nogil=True)
def _add_wide(k, first, x0, x1, found):  # noqa: ANN001, ANN202
    """Add sums over steps from the first one, and over their products, to a game's."""
    sum_k = sum_kk = sum_x0k = sum_x1k = np.int64(0)
    for i in range(len(k)):
        step = np.int64(np.int32(k[i] - first))
        sum_k += step
        sum_kk += step * step
        sum_x0k += step * np.int64(x0[i])
        sum_x1k += step * np.int64(x1[i])
    found[1] += sum_k
    found[2] += sum_kk
    found[3] += sum_x0k
    found[4] += sum_x1k


@njit(cache=True, nogil=True)
def _add_narrow(k, first, x0, x1, found):  # noqa: ANN001, ANN202
    """:func:`_add_wide` where every sum fits into 32 bits."""
    sum_k = sum_kk = sum_x0k = sum_x1k = np.int32(0)
    for i in range(len(k)):
        step = np.int32(k[i] - first)
        sum_k = np.int32(sum_k + step)
        sum_kk = np.int32(sum_kk + np.int32(step * step))
        sum_x0k = np.int32(sum_x0k + np.int32(step * x0[i]))
        sum_x1k = np.int32(sum_x1k + np.int32(step * x1[i]))
    found[1] += sum_k
    found[2] += sum_kk
    found[3] += sum_x0k
    found[4] += sum_x1k


@njit(cache=True, nogil=True)
def _publish(total, levels, divisor, k):  # noqa: ANN001, ANN202
    """Steps of sums, into ``k``; the sums themselves for 0 levels.

    Bin k holds the means from k x_max / levels, so with the sum S of n readings it is
    floor(S levels / (n x_max)), the last one closed: whole numbers throughout, here as floats that
    hold them exactly, and the same bin as that of the Quantizer.
    """
    if levels == 0:
        copy_into(k, total)
        return
    guess, size, last = levels / divisor, float(divisor), levels - 1.0
    for i in range(len(total)):
        wh = float(total[i])
        # The guess may miss the whole quotient by one; the remainder tells.
        quotient = np.floor(wh * guess)
        remainder = wh * levels - quotient * size
        quotient += (1.0 if remainder >= size else 0.0) - (1.0 if remainder < 0 else 0.0)
        k[i] = np.int32(min(quotient, last))


@njit(cache=True, nogil=True)
def _common_peaks(k, strict, of_zero, of_one):  # noqa: ANN001, ANN202
    """Numbers of readings at which steps have a peak, and either candidate as well.

    Steps come with a neighbour on either side, peaks of candidates without.
    """
    before, own, after = k[:-2], k[1:-1], k[2:]
    with_zero = with_one = np.int32(0)
    for i in range(len(own)):
        rises, falls = own[i] > before[i], own[i] > after[i]
        if strict:
            peak = rises & falls
        else:
            peak = ((own[i] >= before[i]) & falls) | (rises & (own[i] >= after[i]))
        with_zero = np.int32(with_zero + (peak & of_zero[i]))
        with_one = np.int32(with_one + (peak & of_one[i]))
    return with_zero, with_one
