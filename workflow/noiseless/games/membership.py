"""Membership game: the adversary guesses which of two candidates is in the aggregate.

A game: two candidates are drawn from the homes, a fair coin makes one of them a member, and n - 1
other homes join (``noiseless``, Section V.A).  The curator publishes the mean of the n readings at
each time.  An adversary who knows the true readings of both candidates guesses the member.

1. :func:`build_energy_matrix` builds an array of whole Wh per home and reading from a prepared
   table, and
   :func:`compute_public_maximum_wh` computes the public range.
2. :func:`draw_games` draws the games of one n, once for all releases, so that two cells of equal n
   differ in the release only.
3. :func:`iterate_batches` cuts the games into objects of :class:`Batch` with the sums of the
   members, from which releases (:mod:`noiseless.games.releases`) publish.
4. :func:`observe` computes the adversaries' view, sums over a published series.
5. :func:`collect_preferences` computes the view for every batch and release, and collects the
   preferences of fitted adversaries; :func:`play` fits them first.  What they come to is an
   :class:`~noiseless.games.outcome.Outcome`.

Meters count whole Wh, so all readings here are integers, and so are the sums that adversaries
compare: guesses do not depend on the order of an addition.  Games are played in batches; memory
holds the homes' readings and a few sums per game, never games x readings.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Protocol, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.adversaries import membership  # whose modules are loaded by name
from noiseless.adversaries.inputs.membership import MembershipView, RawSeries, Training
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.registry import Game, load_adversaries
from noiseless.arrays import Bools, Floats, Ints
from noiseless.compiled import compile_njit
from noiseless.errors import ConfigError, DataError, TooSmallError
from noiseless.mechanisms.interface import CommonRandomNumbers
from noiseless.statistics import Estimate, estimate_home_mean

log = logging.getLogger(__name__)

K = TypeVar("K")  # key of an adversary

WH_PER_KWH = 1000
READINGS_A_DAY = {"days": 1, "hours": 24, "half-hours": 48}
MAX_SUM = 2**62
MEMBERSHIP = Game("prefer", membership.__name__)
_GAMES_AT_ONCE = 500
_READINGS_AT_ONCE = 200_000  # numbers that fit into the processor's cache
_REPORTS_AT_ONCE = 1 << 22  # number of homes' reports by a local mechanism in memory
_SHUFFLED_AT_ONCE = 50_000  # numbers that fit into the processor's cache


# --- Readings ---------------------------------------------------------------------------------


def build_energy_matrix(
    readings: pd.DataFrame, *, resolution: str, week_start: str | None = None
) -> Ints:
    """Build the array of readings (whole Wh), shape (homes, T), from a prepared table.

    It has ``home``, ``time`` and ``energy_kwh``.  The resolution is ``days``, ``hours`` or
    ``half-hours``; finer readings are summed to days.  One week is kept, or the whole period
    without ``week_start``.  Homes that do not share their times, or have another resolution, and a
    week that is not there are a DataError.
    """
    times = pd.DatetimeIndex(readings["time"].unique()).sort_values()
    homes = readings["home"].nunique()
    if not _is_sorted_by_home(readings, homes, times):
        readings = readings.sort_values(["home", "time"], kind="stable")
        if not _is_sorted_by_home(readings, homes, times):
            raise DataError(
                "all homes of the prepared table must have the same times. Prepare the data again."
            )
    energy = readings["energy_kwh"].to_numpy().reshape(homes, len(times))
    wh = np.rint(energy * WH_PER_KWH).astype(np.int64)
    a_day = len(times) / times.normalize().nunique()
    if resolution != "days" and a_day != READINGS_A_DAY[resolution]:
        raise DataError(
            f"the readings must be {resolution}, {READINGS_A_DAY[resolution]} a day, to be played "
            f"as such, got {a_day:g} a day. Play them by days, or at the resolution that they have."
        )
    if week_start is not None:
        first = pd.Timestamp(week_start)
        chosen = (times >= first) & (times < first + np.timedelta64(7, "D"))
        if times[chosen].normalize().nunique() < 7:
            raise DataError(
                f"the readings must contain the seven days from {week_start}. Choose another week."
            )
        wh, times = wh[:, chosen], times[chosen]
    if resolution == "days" and a_day > 1:
        starts = np.flatnonzero(~times.normalize().duplicated())
        wh = np.add.reduceat(wh, starts, axis=1)
    return wh


def _is_sorted_by_home(readings: pd.DataFrame, homes: int, times: pd.DatetimeIndex) -> bool:
    """Return whether the rows are sorted by home and time, with all times for each home."""
    if len(readings) != homes * len(times) or not readings["home"].is_monotonic_increasing:
        return False
    home = readings["home"].to_numpy().reshape(homes, -1)
    same_times = readings["time"].to_numpy().reshape(homes, -1) == times.to_numpy()
    return bool((home[:, 0] == home[:, -1]).all() and same_times.all())


def compute_public_maximum_wh(public_range_kwh: float, *, resolution: str = "days") -> int:
    """Compute the upper end x_max of the public range [0, x_max] of a reading, in Wh.

    The readings are not used, because a range that depends on them would publish a part of them.
    Larger ones are clipped before they are averaged.  The range given is that of a day's reading;
    that of a half-hour is a 48th of it, and one below 1 Wh a ConfigError.
    """
    maximum = round(Fraction(str(public_range_kwh)) * WH_PER_KWH / READINGS_A_DAY[resolution])
    if maximum < 1:
        raise ConfigError(
            f"`public_range_kwh` must be at least 1 Wh for each reading, got {public_range_kwh} "
            "kWh a day. Widen it for this set of homes."
        )
    return maximum


# --- Games ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Games:
    """Set of G games with n members each; homes are numbered from 0.

    Of the two candidates, shape (G, 2), ``member`` is in the aggregate, 0 or 1; ``others``, shape
    (G, n - 1), are in it as well, none of them a candidate.  Games of a different ``part`` share no
    home: each is between the homes of one half, for example.
    """

    candidates: Ints
    member: Ints
    others: Ints
    part: Ints | None = None

    @cached_property
    def homes(self) -> Ints:
        """The homes of each game, candidates first, shape (G, n + 1)."""
        return np.concatenate([self.candidates, self.others], axis=1)

    def estimate_over_homes(self, gain: NDArray, *, least: float = -1.0) -> Estimate:
        """Estimate the mean of a gain from ``least`` to 1 per game, with an interval over homes."""
        return estimate_home_mean(gain, self.homes, part=self.part, least=least)

    def replace_homes(self, homes: Ints) -> "Games":
        """Return equal games in which home number i is replaced by ``homes[i]``."""
        return replace(self, candidates=homes[self.candidates], others=homes[self.others])

    @property
    def members(self) -> Ints:
        """Homes in the aggregate, shape (G, n)."""
        chosen = np.take_along_axis(self.candidates, self.member[:, None], axis=1)
        return np.concatenate([chosen, self.others], axis=1)

    def __getitem__(self, some: slice | Ints) -> "Games":
        """Return some of the games."""
        part = None if self.part is None else self.part[some]
        return Games(self.candidates[some], self.member[some], self.others[some], part)


def filter_possible_n(n: Sequence[int], *, homes: int, key: str, who: str) -> list[int]:
    """Return the numbers of homes per mean that leave at least one other home.

    The other numbers are skipped, with a message, so that any set of homes can play; if none is
    left, it is a TooSmallError.  The message has ``key``, the place of ``n`` in the configuration
    or experiment, and ``who`` can play, with ``{}`` for their number.
    """
    why = f"{who.format(homes)}, and a game of n homes needs n + 1"
    return _filter_possible(n, homes - 1, key, why, "Give a smaller n (2 or more), or more homes.")


def filter_possible_cells(
    cells: Sequence[Mapping[str, float]], *, homes: int, key: str, who: str
) -> list[Mapping[str, float]]:
    """Keep the cells, mappings with a key ``n``, whose n passes :func:`filter_possible_n`."""
    sizes = list(dict.fromkeys(int(cell["n"]) for cell in cells))
    kept = filter_possible_n(sizes, homes=homes, key=key, who=who)
    return [cell for cell in cells if cell["n"] in kept]


def filter_possible_days(days: Sequence[int], *, readings: int, key: str) -> list[int]:
    """Return the numbers of daily reports that the readings suffice for.

    If other numbers are skipped, with a message that has ``key``, their place in the configuration,
    all days that there are come last in their place; if none is left, it is a TooSmallError.
    """
    why = f"the readings have {readings} days"
    kept = _filter_possible(
        days, readings, key, why, "Give a smaller number of days, or more readings."
    )
    return kept if len(kept) == len(days) or readings in kept else [*kept, readings]


def _filter_possible(
    numbers: Sequence[int], most: int, key: str, why: str, remedy: str
) -> list[int]:
    """Return the numbers that are at most ``most``, and log the others."""
    kept = [each for each in numbers if each <= most]
    if not kept:
        raise TooSmallError(f"{key} is {list(numbers)}, but {why}. {remedy}")
    if skipped := [each for each in numbers if each > most]:
        log.warning("%s: skipping %s, because %s.", key, ", ".join(map(str, skipped)), why)
    return kept


def draw_games(rng: np.random.Generator, *, homes: int, n: int, games: int) -> Games:
    """Draw games between homes 0, 1, ..., uniformly and without repetition within a game.

    Fewer than n + 1 homes are a ConfigError.
    """
    if homes < n + 1:
        raise ConfigError(
            f"`n` must be at most {homes - 1}, as a game of n homes needs n + 1 and there are "
            f"{homes}, got {n}. Give smaller `n`, or more homes."
        )
    drawn = np.empty((games, n + 1), dtype=np.int64)
    # Batches need less memory than games x homes, and NumPy draws equal numbers for any size.
    at_once = max(1, _SHUFFLED_AT_ONCE // homes)
    for some in np.split(drawn, range(at_once, games, at_once)):
        everyone = np.tile(np.arange(homes), (len(some), 1))
        some[:] = rng.permuted(everyone, axis=1, out=everyone)[:, : n + 1]
    member = rng.integers(0, 2, games)
    return Games(candidates=drawn[:, :2], member=member, others=drawn[:, 2:])


def concatenate_games(parts: Sequence[Games]) -> Games:
    """Concatenate sets of games with equal n that share no home."""
    return Games(
        np.concatenate([each.candidates for each in parts]),
        np.concatenate([each.member for each in parts]),
        np.concatenate([each.others for each in parts]),
        np.repeat(np.arange(len(parts)), [len(each.member) for each in parts]),
    )


# --- What is published ------------------------------------------------------------------------


@dataclass(frozen=True)
class PublishedSeries:
    """Series of published means (Wh), ``offset_wh + step_wh * k``, with k of shape (G, T)."""

    k: Ints
    step_wh: float
    offset_wh: float

    @classmethod
    def round_means(cls, means_kwh: Floats, step_wh: float, offset_wh: float) -> "PublishedSeries":
        """Round means (kWh), shape (G, T), to the nearest series with a given step."""
        k = np.rint((means_kwh * WH_PER_KWH - offset_wh) / step_wh).astype(np.int64)
        return cls(k, step_wh, offset_wh)

    @property
    def wh(self) -> Floats:
        """Published means in Wh, shape (G, T)."""
        return np.asarray(self.offset_wh + self.step_wh * self.k, dtype=np.float64)

    @cached_property
    def kwh(self) -> Floats:
        """Published means in kWh, shape (G, T)."""
        return self.wh / WH_PER_KWH


@dataclass(frozen=True)
class Batch:
    """Batch of games, before anything is published, with the random numbers of each mechanism.

    ``with_series``: an adversary needs the readings themselves.  ``first_game`` is the number of
    the batch's first game among all games.
    """

    games: Games
    homes: "HomeFeatures"
    noise: CommonRandomNumbers
    with_series: bool
    first_game: int
    _sums: dict[tuple[int, int | None], Ints] = field(default_factory=dict)

    @cached_property
    def members(self) -> Ints:
        """Homes in the aggregate, shape (G, n)."""
        return self.games.members

    @property
    def readings_wh(self) -> Ints:
        """True readings of the candidates, shape (G, 2, T)."""
        return self.homes.readings_wh[self.games.candidates].astype(np.int64)

    @cached_property
    def readings_kwh(self) -> Floats:
        """True readings of the candidates, shape (G, 2, T), converted once for all releases."""
        return self.homes.readings_wh[self.games.candidates] / WH_PER_KWH

    def compute_totals_wh(self, maximum_wh: int) -> Ints:
        """Compute the sums (Wh), shape (G, T), of the members' clipped readings."""
        return self._sum_wh(maximum_wh, None)

    def compute_others_wh(self, maximum_wh: int, known: int) -> Ints:
        """Compute the sums (Wh), shape (G, T), over the first ``known`` other homes."""
        return self._sum_wh(maximum_wh, known)

    def _sum_wh(self, maximum_wh: int, known: int | None) -> Ints:
        # Ranges above the largest reading clip nothing, so that all of them have equal sums.
        maximum_wh = min(maximum_wh, self.homes.largest_wh)
        if (maximum_wh, known) not in self._sums:
            homes = self.members if known is None else self.games.others[:, :known]
            # Sums of n readings that fit into 32 bits take half of the cache.
            fits = self.members.shape[1] * self.homes.largest_wh < 2**31
            self._sums[maximum_wh, known] = sum_members_wh(
                self.homes.readings_wh, homes, maximum_wh, dtype=np.int32 if fits else np.int64
            )
        return self._sums[maximum_wh, known]

    def build_views(self, series: PublishedSeries) -> list[MembershipView]:
        """Build the view from the games' published means, one for each meaning of a peak."""
        raw = None
        if self.with_series:
            raw = RawSeries(series.kwh, self.readings_kwh, self.members.shape[1])
        return observe(series, self.homes, self.games.candidates, raw=raw)


class MeanRelease(Protocol):
    """Interface of a release of the mean of n readings (:mod:`noiseless.games.releases`)."""

    @property
    def n(self) -> int:
        """Number of homes in the aggregate."""

    @property
    def published_as(self) -> Mapping[str, float]:
        """Noise or cell width of a published mean (kWh), as arguments of :class:`Training`."""

    def publish_batch(self, batch: Batch) -> PublishedSeries:
        """Publish the means of a batch of games."""


def sum_members_wh(
    energy_wh: Ints, members: Ints, maximum_wh: int | None = None, *, dtype: Any = None
) -> Ints:
    """Compute sums (Wh), shape (G, T), of readings (homes, T) over members (G, n).

    Readings are clipped to ``maximum_wh`` as they are added: a copy of all homes for each public
    range would be most of the memory of many homes.  ``dtype`` of the sums is that of the readings
    by default.
    """
    kind = energy_wh.dtype.type
    top = np.iinfo(kind).max if maximum_wh is None else min(maximum_wh, np.iinfo(kind).max)
    totals = np.zeros((len(members), energy_wh.shape[1]), dtype=dtype or kind)
    _add_members(np.ascontiguousarray(energy_wh), np.ascontiguousarray(members), kind(top), totals)
    return totals


@compile_njit(cache=True, nogil=True)
def _add_members(energy_wh, members, maximum_wh, totals):  # noqa: ANN001, ANN202
    """Add the members' clipped readings to ``totals``, shape (G, T), in place."""
    for g in range(len(members)):
        total = totals[g]
        for home in members[g]:
            total += np.minimum(energy_wh[home], maximum_wh)


def compute_batch_size(n: int, readings: int) -> int:
    """Compute how many games of n homes fit into memory with all their readings."""
    return max(1, _REPORTS_AT_ONCE // (n * readings))


def iterate_batches(
    energy_wh: Ints,
    games: Games,
    *,
    stream: Callable[[int, str], np.random.Generator] | None = None,
    with_series: bool = False,
    strict_peaks: Sequence[bool] = (True,),
) -> Iterator[Batch]:
    """Iterate over games in batches.

    ``stream`` gives a generator of random numbers from the number of a batch's first game and the
    name of a mechanism; without it, random mechanisms are an error.  There is a view for each of
    ``strict_peaks``, the meanings of a peak (:func:`compute_home_features`).
    """
    n, t = 1 + games.others.shape[1], energy_wh.shape[1]
    homes = compute_home_features(energy_wh, strict_peaks)
    size = max(1, min(_GAMES_AT_ONCE, _READINGS_AT_ONCE // t, compute_batch_size(n, t)))
    for start in range(0, len(games.member), size):
        noise = CommonRandomNumbers(partial(stream or _refuse_random_mechanism, start))
        yield Batch(games[start : start + size], homes, noise, with_series, start)


def _refuse_random_mechanism(start: int, mechanism: str) -> np.random.Generator:
    raise ConfigError(
        f"`stream` must be given for a random mechanism, got none for {mechanism!r}. Give `rng`."
    )


# --- What is seen -----------------------------------------------------------------------------

# For each game of a draw: the row that is published, and the places of its two candidates.
Pairing = tuple[Ints, Ints]
_ONE_GAME: Pairing = (np.array([0]), np.array([[0, 1]]))


def build_all_pairs(candidates: int) -> Pairing:
    """Build the games of all pairs of M candidates, shape (M x M,); the first is the member."""
    every = np.arange(candidates)
    member = np.repeat(every, candidates)
    return member, np.column_stack([member, np.tile(every, candidates)])


@dataclass(frozen=True)
class HomeFeatures:
    """Features of homes that adversaries know before anything is published.

    ``readings_wh``, shape (homes, T), are in 32 bits where they fit; ``sums`` are of them and of
    their squares, shape (homes, 2).  ``are_strict`` are P meanings of a peak, and ``peaks``, shape
    (P, homes, T), which readings are peaks.
    """

    readings_wh: Ints
    sums: Ints
    largest_wh: int
    are_strict: Bools
    peaks: Bools


def compute_home_features(
    readings_wh: Ints, strict_peaks: Sequence[bool] = (True,)
) -> HomeFeatures:
    """Compute the features of homes from readings (Wh), shape (homes, T).

    A strict peak is above both its neighbours.  Another is not below either, and above one of them,
    so that both ends of a plateau count.  The first and the last reading have one neighbour only
    and are never peaks.
    """
    largest = int(readings_wh.max(initial=0))
    kind: Any = np.int32 if largest < 2**31 else np.int64
    x = np.ascontiguousarray(readings_wh, dtype=kind)
    strict = np.array(strict_peaks)
    sums = np.empty((len(x), 2), dtype=np.int64)
    peaks = np.zeros((len(strict), *x.shape), dtype=np.bool_)
    _fill_home_features(x, strict, sums, peaks)
    return HomeFeatures(x, sums, largest, strict, peaks)


def observe(
    series: PublishedSeries,
    homes: HomeFeatures,
    candidates: Ints,
    *,
    raw: RawSeries | None = None,
    pairing: Pairing = _ONE_GAME,
) -> list[MembershipView]:
    """Compute what adversaries see of published means, one view for each meaning of a peak.

    The series has the shape (G, T), with two candidates for each game; or (D, R, T) for draws with
    several rows each, and M candidates, (D, M), or (1, M) if they are the same in all draws, which
    play the games of ``pairing`` in its order.  ``raw`` is for adversaries who see the readings.
    Readings too large, or steps too many, for sums of products to fit into 64 bits are a DataError.
    """
    k = np.ascontiguousarray(series.k if series.k.ndim == 3 else series.k[:, None])
    draws, _, t = k.shape
    x, largest = homes.readings_wh, homes.largest_wh
    columns = np.empty((9 + 2 * len(homes.are_strict), draws * len(pairing[0])), dtype=np.int64)
    features = x, homes.sums, homes.peaks, homes.are_strict
    steps = int(_fill_view_sums(k, *features, np.ascontiguousarray(candidates), *pairing, columns))
    if t * max(steps, largest) ** 2 > MAX_SUM:
        cause = f"a reading of {largest / WH_PER_KWH} kWh is too large"
        remedy = "Correct the reading, or play fewer days."
        if steps > largest:
            cause, remedy = f"a release in {steps} steps is too fine", "Release fewer levels."
        raise DataError(f"{cause} for exact sums over {t} readings in whole Wh. {remedy}")
    return [
        MembershipView(
            n_readings=t,
            step_wh=series.step_wh,
            offset_wh=series.offset_wh,
            first_bin=columns[0],
            sum_bins=columns[1],
            sum_squared_bins=columns[2],
            sum_readings_wh=columns[3:5].T,
            sum_squared_readings=columns[5:7].T,
            sum_products=columns[7:9].T,
            common_peaks=columns[first : first + 2].T,
            series=raw,
        )
        for first in range(9, len(columns), 2)
    ]


def observe_readings(
    series: PublishedSeries,
    readings_wh: Ints,
    *,
    strict_peaks: bool = True,
    n: int | None = None,
    pairing: Pairing = _ONE_GAME,
) -> MembershipView:
    """Compute the view from published means and the candidates' readings.

    The readings have the shape (G, 2, T), (D, M, T) or (1, M, T); see :func:`observe`.  With ``n``,
    the number of homes in the aggregate, the view contains the readings themselves.
    """
    candidates = np.arange(readings_wh[..., 0].size).reshape(readings_wh.shape[:2])
    homes = compute_home_features(readings_wh.reshape(candidates.size, -1), [strict_peaks])
    raw = RawSeries(series.kwh, readings_wh / WH_PER_KWH, n) if n else None
    [view] = observe(series, homes, candidates, raw=raw, pairing=pairing)
    return view


def _concatenate_views(parts: Sequence[MembershipView]) -> MembershipView:
    """Concatenate the view of batches of games, without raw series."""
    names = (
        "first_bin",
        "sum_bins",
        "sum_squared_bins",
        "sum_readings_wh",
        "sum_squared_readings",
        "sum_products",
        "common_peaks",
    )
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(each, name) for each in parts]) for name in names
    }
    return replace(parts[0], **columns, series=None)


@compile_njit(cache=True, nogil=True)
def _fill_home_features(x, strict, sums, peaks):  # noqa: ANN001, ANN202
    """Fill ``sums`` and ``peaks`` of :func:`compute_home_features`."""
    for home in range(len(x)):
        own, sum_readings, sum_squared_readings = x[home], np.int64(0), np.int64(0)
        for t in range(len(own)):
            sum_readings += own[t]
            sum_squared_readings += np.int64(own[t]) * np.int64(own[t])
        sums[home, 0], sums[home, 1] = sum_readings, sum_squared_readings
        for p in range(len(strict)):
            _mark_peaks(own, strict[p], peaks[p, home])


@compile_njit(cache=True, nogil=True)
def _fill_view_sums(k, x, sums, peaks, strict, candidates, row, pair, found):  # noqa: ANN001, ANN202
    """Fill ``found`` with the sums of :func:`observe`, a game in each column.

    Returns the largest distance of a published step from the first one of its series.
    """
    draws, rows, readings = k.shape
    m, meanings, games = candidates.shape[1], len(strict), len(row)
    peak = np.zeros((meanings, readings), dtype=np.bool_)
    of_rows = np.empty((rows, 2), dtype=np.int64)
    of_both = np.empty((rows, m, 1 + meanings), dtype=np.int64)
    largest = np.int64(0)
    for d in range(draws):
        who = candidates[d if len(candidates) > 1 else 0]
        for r in range(rows):
            published, sum_bins, sum_squared_bins = k[d, r], np.int64(0), np.int64(0)
            first = lowest = highest = published[0]
            for t in range(readings):
                lowest, highest = min(lowest, published[t]), max(highest, published[t])
                step = np.int64(published[t]) - np.int64(first)
                sum_bins += step
                sum_squared_bins += step * step
            largest = max(largest, highest - first, first - lowest)
            of_rows[r, 0], of_rows[r, 1] = sum_bins, sum_squared_bins
            for p in range(meanings):
                _mark_peaks(published, strict[p], peak[p])
            for c in range(m):
                own, sum_product = x[who[c]], np.int64(0)
                for t in range(readings):
                    sum_product += np.int64(own[t]) * (np.int64(published[t]) - np.int64(first))
                of_both[r, c, 0] = sum_product
                for p in range(meanings):
                    mine, marked, common = peak[p], peaks[p, who[c]], np.int32(0)
                    for t in range(readings):
                        common = np.int32(common + np.int32(mine[t] & marked[t]))
                    of_both[r, c, 1 + p] = common
        for g in range(games):
            r, column = row[g], d * games + g
            found[0, column] = k[d, r, 0]
            found[1, column], found[2, column] = of_rows[r, 0], of_rows[r, 1]
            for c in range(2):
                place = pair[g, c]
                home = who[place]
                found[3 + c, column], found[5 + c, column] = sums[home, 0], sums[home, 1]
                found[7 + c, column] = of_both[r, place, 0]
                for p in range(meanings):
                    found[9 + 2 * p + c, column] = of_both[r, place, 1 + p]
    return largest


@compile_njit(cache=True, nogil=True)
def _mark_peaks(series, strict, peak):  # noqa: ANN001, ANN202
    """Mark in ``peak`` which readings of a series are peaks, except the first and the last."""
    for t in range(1, len(series) - 1):
        rises, falls = series[t] > series[t - 1], series[t] > series[t + 1]
        if strict:
            peak[t] = rises & falls
        else:
            no_less = (series[t] >= series[t - 1]) & (series[t] >= series[t + 1])
            peak[t] = no_less & (rises | falls)


# --- Who guesses ------------------------------------------------------------------------------


def load_membership_adversaries(*, trained: bool) -> list[type[Adversary]]:
    """Load all adversaries of the membership game, those of active plugins last.

    Without homes that are set aside for training, adversaries that need it do not play.
    """
    return [each for each in load_adversaries(MEMBERSHIP) if trained or not each.is_trained]


def ask_preference(adversary: Adversary, view: MembershipView) -> Floats:
    """Ask an adversary for its preference in each game, shape (G,).

    A ConfigError if it does not answer with a number for each, or looks at readings that it does
    not ask for.
    """
    try:
        preference = np.asarray(adversary.prefer(view))
    except (AttributeError, TypeError, ConfigError) as error:
        if view.series is None and "NoneType" in str(error):
            raise ConfigError(
                f"the adversary {adversary.name!r} looks at `view.series`, which it does not "
                "get: set `sees_series = True`."
            ) from error
        raise
    shape = view.first_bin.shape
    if preference.shape != shape or preference.dtype.kind not in "fiu":
        raise ConfigError(
            f"the adversary {adversary.name!r} must answer `prefer` with numbers of the shape "
            f"{shape} (games), not with {preference.dtype} of {preference.shape}."
        )
    if np.isnan(preference).any():
        raise ConfigError(
            f"the adversary {adversary.name!r} must answer `prefer` with numbers, got NaN. Answer "
            "0 for a random guess."
        )
    return preference


def fit(
    adversaries: Iterable[type[Adversary]],
    release: MeanRelease,
    known_wh: Ints | None = None,
    known: Sequence[Batch] = (),
) -> dict[str, Adversary]:
    """Create adversaries against a release, by name, and train those that learn.

    They learn from readings of homes and from games between these; None: no training data.
    """

    def iterate_views() -> Iterator[tuple[MembershipView, Ints]]:
        for batch in known:
            [view] = batch.build_views(release.publish_batch(batch))
            yield view, batch.games.member

    training = (
        None
        if known_wh is None
        else Training(known_wh / WH_PER_KWH, iterate_views, **release.published_as)
    )
    return {each.name: each().fit(training) if each.is_trained else each() for each in adversaries}


def collect_preferences(
    fitted: Sequence[Mapping[K, Adversary]],
    releases: Sequence[MeanRelease],
    games: Iterable[Batch],
    *,
    beside: Callable[[int, Batch, PublishedSeries], Mapping[K, Floats]] = lambda *_: {},
) -> list[dict[K, Floats]]:
    """Collect the preferences of fitted adversaries in all games, against releases of equal n.

    ``fitted`` has the adversaries against each release and meaning of a peak, by their keys, and
    the result their preferences, shape (G,), in the same order.  All releases of a batch are made
    while it is in memory; ``beside`` adds further numbers for each game of a batch, from the number
    of a release, the batch and its published series.
    """
    collected: list[dict[K, list[Floats]]] = [{key: [] for key in by_key} for by_key in fitted]
    sums: list[list[MembershipView]] = [[] for _ in fitted]
    for batch in games:
        for number, release in enumerate(releases):
            series = release.publish_batch(batch)
            extra = beside(number, batch, series)
            views = batch.build_views(series)
            for place, view in enumerate(views, number * len(views)):
                adversaries = fitted[place].items()
                answers = {key: ask_preference(x, view) for key, x in adversaries if x.sees_series}
                for key, preference in {**answers, **extra}.items():
                    collected[place].setdefault(key, []).append(preference)
                sums[place].append(replace(view, series=None))
    for by_key, preferences, parts in zip(fitted, collected, sums, strict=True):
        # Adversaries that need only sums are asked once for all games.
        all_games = _concatenate_views(parts) if parts else None
        for key, adversary in by_key.items():
            if all_games and not adversary.sees_series:
                preferences[key].append(ask_preference(adversary, all_games))
    empty = [np.array([])]
    return [
        {key: np.concatenate(each or empty) for key, each in preferences.items()}
        for preferences in collected
    ]


def play(
    adversaries: Sequence[type[Adversary]],
    energy_wh: Ints,
    games: Games,
    releases: Sequence[MeanRelease],
    *,
    strict_peaks: Sequence[bool] = (True,),
    known: tuple[Ints, Games] | None = None,
    stream: Callable[[int, str], np.random.Generator] | None = None,
) -> list[dict[str, Floats]]:
    """Fit adversaries to each of several releases, and collect their preferences in all games.

    ``known`` are the readings of homes to train on, and games between these homes; ``stream`` and
    ``strict_peaks`` are those of :func:`iterate_batches`.  The result is that of
    :func:`collect_preferences`, by the names of the adversaries.
    """
    with_series = any(each.sees_series for each in adversaries)
    known_wh = None if known is None else known[0]
    cut = partial(iterate_batches, with_series=with_series, stream=stream)
    lessons = [] if known is None else list(cut(*known))
    fitted = [
        fit(adversaries, release, known_wh, lessons) for release in releases for _ in strict_peaks
    ]
    return collect_preferences(fitted, releases, cut(energy_wh, games, strict_peaks=strict_peaks))
