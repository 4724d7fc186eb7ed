"""The membership game against adversaries who know the mechanism, and some or all other homes.

The games are those of :mod:`noiseless.games.membership`.  What the adversaries know goes from
nothing but the candidates (the paper's three) over statistics of other homes, and k of the n - 1
other homes, to all of them, which is the adversary of the paper's guarantees.

1. :func:`halves_of` cuts the homes in two.  Games are played within a half
   (:func:`draw_in_halves`), and for an interval over homes within disjoint groups of the homes of
   either half (:func:`draw_in_groups_of_halves`); an adversary who knows statistics of other homes
   has them from the other half.
2. :func:`play` runs all adversaries on the same games and the same releases, over windows of
   consecutive days: what T reports together tell.
3. :func:`advantages` says what each of them gains.

Readings are whole Wh, and cells are compared in whole numbers.  Memory holds some hundred games at
a time.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from noiseless.adversaries.compiled import njit
from noiseless.adversaries.known_others import consistent
from noiseless.adversaries.membership.evidence import guess
from noiseless.adversaries.normal_homes import SHORT, Population, PublishedSum
from noiseless.errors import ConfigError, DataError
from noiseless.games.membership import (
    FEWEST_GROUPS,
    LARGEST_SUM,
    WH_PER_KWH,
    Games,
    concatenate_games,
    draw_games,
    draw_in_groups,
    membership_adversaries,
    observe,
    preference_of,
    watched,
)
from noiseless.games.releases import AggregateRelease
from noiseless.seeds import generator
from noiseless.statistics import Estimate, paired_mean, wilson
from noiseless.statistics import rows as rows_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_READINGS_AT_ONCE = 23_500  # arrays of games x readings that fit into the processor's cache

EXACT, NORMAL = "exact", "normal"

# An adversary by its name and the number of other homes that it knows.
Who = tuple[str, int]


@dataclass(frozen=True)
class HalfOfHomes:
    """Half of the homes, and what homes of the other half are like.

    Attributes
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        Readings, clipped to the public range.
    population : Population
        Estimated from the other half.
    """

    energy_wh: Ints
    population: Population


def halves_of(energy_wh: Ints, *, maximum_wh: int, dataset: str, seed: int) -> list[HalfOfHomes]:
    """Two halves of the homes, at random; those of the learned adversary.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        Four homes or more.
    maximum_wh : int
        Upper end of the public range.
    dataset, seed
        Coordinates of the random stream.
    """
    order = generator(seed, "membership", dataset, "halves").permutation(len(energy_wh))
    one, other = np.array_split(np.minimum(energy_wh, maximum_wh)[order], 2)
    return [
        HalfOfHomes(plays, Population.estimate(tells))
        for plays, tells in ((one, other), (other, one))
    ]


def draw_in_halves(
    halves: Sequence[HalfOfHomes], *, n: int, games: int, dataset: str, seed: int
) -> list[Games]:
    """Games of n homes within either half of the homes, half of the games in each.

    Raises
    ------
    ConfigError
        If half of the homes are fewer than n + 1.
    """
    homes = sum(len(half.energy_wh) for half in halves)
    if homes // 2 < n + 1:
        raise ConfigError(
            f"a game of n = {n} within half of the homes needs {2 * n + 2} homes, but there are "
            f"{homes} (the other half tells the adversaries what homes are like). Give smaller "
            "`n`, or more homes."
        )
    return [
        draw_games(
            generator(seed, "adversaries", dataset, "games", side, "n", n),
            homes=len(half.energy_wh),
            n=n,
            games=(games + 1 - side) // 2,
        )
        for side, half in enumerate(halves)
    ]


def draw_in_groups_of_halves(
    halves: Sequence[HalfOfHomes], *, n: int, games: int, dataset: str, seed: int
) -> list[Games]:
    """Games within disjoint groups of the homes of either half, half of the games in each.

    Returns
    -------
    list of Games
        For each half; empty where both together have fewer than
        :data:`~noiseless.games.membership.FEWEST_GROUPS` groups of n + 1.
    """
    sizes = [len(half.energy_wh) for half in halves]
    if sum(size // (n + 1) for size in sizes) < FEWEST_GROUPS:
        return []
    return [
        draw_in_groups(
            generator(seed, "adversaries", dataset, "groups", side, "n", n),
            homes=size,
            n=n,
            games=(games + 1 - side) // 2,
            fewest=1,
        )
        for side, size in enumerate(sizes)
    ]


def play(
    half: HalfOfHomes,
    games: Games,
    releases: Sequence[AggregateRelease],
    *,
    starts: Ints,
    days: int,
    known: Sequence[int],
) -> list[dict[Who, Floats]]:
    """Preferences of all adversaries in games within a half, for each of several releases.

    Parameters
    ----------
    half : HalfOfHomes
    games : Games
        At least one.
    releases : sequence of AggregateRelease
        With one n and one public range.
    starts : ndarray of int, shape (G,)
        First reading of each game's window.
    days : int
        Readings in a window, T.
    known : sequence of int
        Numbers k of other homes that ``normal`` knows, each below n - 1.

    Returns
    -------
    list of dict, one for each release
        Preference, shape (G,), by adversary and number of known homes; positive for candidate 0,
        negative for candidate 1, 0 for none.  The exact adversary, who knows n - 1, is among them.

    Raises
    ------
    DataError
        If sums of products of readings would not fit into 64 bits.
    """
    n, maximum = releases[0].n, releases[0].maximum_wh
    most_levels = max(release.levels or 0 for release in releases)
    largest = max(n * maximum, most_levels)
    if max(days * largest**2, most_levels * n * maximum) > LARGEST_SUM:
        blamed = f"a public range up to {maximum / WH_PER_KWH} kWh is too wide"
        if most_levels > n * maximum:
            blamed = f"an epsilon that allows {most_levels} levels is too large"
        raise DataError(
            f"{blamed} for sums over {days} readings and n = {n} homes to stay exact in whole Wh."
        )
    some_games = max(1, _READINGS_AT_ONCE // days)
    window = cache(partial(half.population.window, readings=days))

    @cache
    def seen(start: int, unknown: int, noise_wh2: float, cell_wh: float) -> PublishedSum:
        """What a window's sums tell, which is prepared once, and not for every batch."""
        return PublishedSum(window(start), unknown, noise_wh2, cell_wh)

    parts = [
        _play_some(
            half,
            games[some],
            releases,
            starts=starts[some],
            days=days,
            known=known,
            seen=seen,
        )
        for some in np.split(np.arange(len(starts)), range(some_games, len(starts), some_games))
    ]
    return [
        {who: np.concatenate([part[who] for part in same_release]) for who in same_release[0]}
        for same_release in zip(*parts, strict=True)
    ]


def _play_some(
    half: HalfOfHomes,
    games: Games,
    releases: Sequence[AggregateRelease],
    *,
    starts: Ints,
    days: int,
    known: Sequence[int],
    seen: Callable[[int, int, float, float], PublishedSum],
) -> list[dict[Who, Floats]]:
    """:func:`play` for so few games that all their readings fit into memory."""

    def sums_of(homes: Ints) -> Ints:
        sums = np.zeros((len(starts), days), dtype=np.int64)
        _add_windows(half.energy_wh, np.ascontiguousarray(homes), starts, sums)
        return sums

    x = np.stack([sums_of(homes) for homes in games.candidates.T[..., None]], axis=1)
    others, sums_of_known = sums_of(games.others[:, :0]), {}
    for k, end in itertools.pairwise([*sorted({0, *known}), releases[0].n - 1]):
        sums_of_known[k] = others
        others = others + sums_of(games.others[:, k:end])
    total = others + x[np.arange(len(x)), games.member]
    adversaries = membership_adversaries(trained=False)
    by_series = any(each.sees_series for each in adversaries)
    # Short windows, of which there are many, at once.
    windows = [
        (starts == start, partial(seen, start))
        for start in (np.unique(starts) if days > SHORT else [])
    ] or [(slice(None), partial(PublishedSum, half.population.window(starts, days)))]
    candidates, results = watched(x), []
    for release in releases:
        series = release.publish(total)
        evidence = observe(series, candidates, n=release.n if by_series else None)
        found: dict[Who, Floats] = {
            (each.name, 0): preference_of(each(), evidence) for each in adversaries
        }
        published = release.n * (release.offset_wh + release.step_wh * series.k)
        for k in known:
            found[NORMAL, k] = ratios = np.zeros(len(x))
            for mine, seen_in in windows:
                sums = seen_in(release.n - 1 - k, 0.0, release.n * release.step_wh)
                away = (published - sums_of_known[k])[mine]
                ratios[mine] = sums.game_ratios(away, x[mine])
        possible = consistent(series.k, release.publish(others[:, None] + x).k)
        found[EXACT, release.n - 1] = possible[:, 0].astype(float) - possible[:, 1]
        results.append(found)
    return results


@njit(cache=True, nogil=True)
def _add_windows(energy_wh, homes, starts, sums):  # noqa: ANN001, ANN202
    """Readings of homes (G, k) in windows that begin at ``starts``, added to ``sums`` (G, T)."""
    for g in range(len(homes)):
        of_game = sums[g]
        for home in homes[g]:
            of_game += energy_wh[home, starts[g] : starts[g] + len(of_game)]


def advantages(
    energy_wh: Ints,
    releases: Mapping[int, Sequence[tuple[Mapping[str, float], AggregateRelease]]],
    *,
    dataset: str,
    seed: int,
    games: int,
    days: Sequence[int],
    known_shares: Sequence[float],
) -> pd.DataFrame:
    """Advantage of each adversary against some releases.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        Daily readings.
    releases : mapping
        For each n, releases, each with the columns that name it; readings are clipped to the
        range of each.
    dataset : str
        Its name, a coordinate of the random streams.
    seed : int
        Seed of the configuration.
    games : int
        Two or more for each n; the same ones for all its releases and numbers of days.
    days : sequence of int
        Numbers T of consecutive reports.  The year is cut into windows of T days, and each game
        draws one.
    known_shares : sequence of float
        Shares of the n - 1 other homes that ``normal`` knows, below 1, rounded down
        to whole homes.

    Returns
    -------
    DataFrame
        As :func:`noiseless.papers.beyond.adversaries.advantage_table`, with the columns of
        the releases in place of ``epsilon_bits``.

    Raises
    ------
    ConfigError
        If there are fewer readings than days in a window, or too few homes.
    """
    if max(days) > energy_wh.shape[1]:
        raise ConfigError(
            f"{max(days)} daily reports need as many days, but the readings have "
            f"{energy_wh.shape[1]}. Give smaller `days`."
        )
    ranges = dict.fromkeys(each.maximum_wh for some in releases.values() for _, each in some)
    halves = {
        maximum: halves_of(energy_wh, maximum_wh=maximum, dataset=dataset, seed=seed)
        for maximum in ranges
    }
    rows = []
    cases = [(n, t) for n in releases for t in days]
    for n, t in tqdm(cases, desc=f"adversaries who know, {dataset}", unit="cell"):
        # The homes of a half are the same for all ranges.
        drawing = {"n": n, "games": games, "dataset": dataset, "seed": seed}
        between = draw_in_halves(next(iter(halves.values())), **drawing)
        within = draw_in_groups_of_halves(next(iter(halves.values())), **drawing)
        # Games within groups come last, so that the others do not depend on whether there are any.
        parts = [*enumerate(between), *enumerate(within)]
        both = concatenate_games([some for _, some in parts])
        rng = generator(seed, "adversaries", dataset, "windows", "n", n, "days", t)
        starts = [
            t * rng.integers(0, energy_wh.shape[1] // t, len(some.member)) for _, some in parts
        ]
        found = _preferences(
            halves,
            parts,
            [release for _, release in releases[n]],
            starts=starts,
            days=t,
            known=sorted({int(share * (n - 1)) for share in known_shares}),
        )
        for (label, release), preferences in zip(releases[n], found, strict=True):
            cell = {"n": n, **label, "days": t}
            levels = float(release.levels or math.inf)
            coordinates = (dataset, "coin", "n", n, "levels", levels, "days", t)
            rows += _rows(cell, preferences, both, seed, coordinates)
            rows += rows_of(
                {"adversary": "any", "known": 0, **cell},
                levels=levels,
                bin_kwh=release.step_wh / WH_PER_KWH if release.levels else 0.0,
                games=games,
                homes=len(energy_wh),
            )
    return pd.DataFrame(rows)


def _preferences(
    halves: Mapping[int, Sequence[HalfOfHomes]],
    parts: Sequence[tuple[int, Games]],
    releases: Sequence[AggregateRelease],
    *,
    starts: Sequence[Ints],
    days: int,
    known: Sequence[int],
) -> list[dict[Who, Floats]]:
    """:func:`play` for releases of several ranges, and games of either half, one after the other.

    Parameters
    ----------
    halves : mapping
        By the upper end of the public range.
    parts : sequence of (int, Games)
        The half that some games are played in, and these games.
    releases, starts, days, known
        See :func:`play`, the starts for each of the parts.
    """
    found: dict[int, dict[Who, Floats]] = {}
    for maximum, sides in halves.items():
        mine = [k for k, release in enumerate(releases) if release.maximum_wh == maximum]
        if not mine:
            continue
        played = [
            play(
                sides[side],
                some,
                [releases[k] for k in mine],
                starts=start,
                days=days,
                known=known,
            )
            for (side, some), start in zip(parts, starts, strict=True)
        ]
        for k, *same in zip(mine, *played, strict=True):
            found[k] = {who: np.concatenate([part[who] for part in same]) for who in same[0]}
    return [found[k] for k in range(len(releases))]


def _rows(
    cell: Mapping[str, float],
    preferences: Mapping[Who, Floats],
    games: Games,
    seed: int,
    coordinates: tuple[str | int | float, ...],
) -> list[dict[str, object]]:
    """Rows of all adversaries in one cell."""
    between = games.between
    gains = {}  # 1 for a game won, -1 for a game lost
    for who, preference in preferences.items():
        coin = generator(seed, "adversaries", *who, *coordinates).integers(0, 2, len(games.member))
        gains[who] = np.where(guess(preference, coin) == games.member, 1, -1)
    differ = next(preference != 0 for (name, _), preference in preferences.items() if name == EXACT)
    rows = []
    for (name, known), preference in preferences.items():
        gain = gains[name, known][between]
        advantage = wilson(int((gain == 1).sum()), len(gain)).against_coin()
        found: dict[str, Estimate | float] = {
            "advantage": advantage,
            "advantage_over_homes": games.over_homes(advantage.value, gains[name, known]),
        }
        if name == EXACT:
            closed_form = wilson(int(differ[between].sum()), len(gain))
            found["closed_form"] = closed_form
            found["closed_form_over_homes"] = games.over_homes(closed_form.value, differ)
        else:
            found["behind_exact"] = paired_mean(differ[between] - gain)
        fewer = [k for other, k in gains if other == name and k < known]
        if fewer:
            found["gain_of_knowing"] = paired_mean(gain - gains[name, max(fewer)][between])
        found["coin_share"] = (preference[between] == 0).mean()
        rows += rows_of({"adversary": name, "known": known, **cell}, **found)
    return rows
