"""Membership game against adversaries who know the mechanism, and some or all other homes.

The games are those of :mod:`noiseless.games.membership`.  What the adversaries know goes from
nothing but the candidates (the paper's three) over statistics of other homes, and k of the n - 1
other homes, to all of them, which is the adversary of the paper's guarantees.

1. :func:`split_homes` cuts the homes in two.  Games are played within a half
   (:func:`draw_half_games`), and an adversary who knows statistics of other homes estimates them on
   the other half.
2. :func:`collect_informed_preferences` asks all adversaries in the same games and of the same
   releases, over windows of T consecutive days, from whose reports they infer together.
3. :func:`estimate_advantages` estimates the advantage of each adversary.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.adversaries.inputs.membership import RawSeries
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.known_others import find_distinguishable_pairs
from noiseless.adversaries.labels import COMBINED, EXACT, NORMAL, PAIR_KNOWN
from noiseless.adversaries.membership.combined import WIDE_CELL_SD, choose_terms
from noiseless.adversaries.normal_homes import N_FACTORS, NormalHomeModel, PublishedSum
from noiseless.adversaries.pair_difference import compare_pair
from noiseless.arrays import Floats, Ints
from noiseless.errors import ConfigError
from noiseless.games.membership import (
    WH_PER_KWH,
    Batch,
    Games,
    PublishedSeries,
    collect_preferences,
    concatenate_games,
    draw_games,
    iterate_batches,
    load_membership_adversaries,
)
from noiseless.games.outcome import Outcome
from noiseless.games.releases import QuantizedMeanRelease, build_published_sum
from noiseless.seeds import make_generator
from noiseless.statistics import Estimate, build_rows, estimate_paired_mean, estimate_proportion

# An adversary by its name and the number of other homes that it knows.
AdversaryKey = tuple[str, int]


def split_homes(homes: int, *, dataset: str, seed: int) -> list[Ints]:
    """Split the homes into two random halves, the halves that the learned adversary has as well.

    Parameters
    ----------
    homes : int
        Numbered from 0; four or more.
    dataset, seed
        Name of the dataset and seed of the configuration, which key the random stream.
    """
    order = make_generator(seed, "membership", dataset, "halves").permutation(homes)
    return np.array_split(order, 2)


def draw_half_games(
    halves: Sequence[Ints], *, n: int, games: int, dataset: str, seed: int
) -> Games:
    """Draw games of n homes within either half of the homes, half of the games in each.

    Raises
    ------
    ConfigError
        If half of the homes are fewer than n + 1.
    """
    homes, drawn = sum(map(len, halves)), []
    if homes // 2 < n + 1:
        raise ConfigError(
            f"a game of n = {n} within half of the homes needs {2 * n + 2} homes, but there are "
            f"{homes} (the adversaries learn about homes from the other half). Give smaller `n`, "
            "or more homes."
        )
    for side, half in enumerate(halves):
        rng = make_generator(seed, "adversaries", dataset, "games", side, "n", n)
        size = (games + 1 - side) // 2
        drawn.append(draw_games(rng, homes=len(half), n=n, games=size).replace_homes(half))
    return concatenate_games(drawn)


def collect_informed_preferences(
    energy_wh: Ints,
    games: Games,
    releases: Sequence[QuantizedMeanRelease],
    *,
    windows: Ints,
    days: int,
    halves: Sequence[Ints],
    populations: Sequence[NormalHomeModel],
    known: Sequence[int],
) -> list[dict[AdversaryKey, Floats]]:
    """Play games against several releases; return the preferences of all adversaries.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        Readings, clipped to the public range of the releases.
    games : Games
        Each within one of the halves.
    releases : sequence of QuantizedMeanRelease
        With one n.
    windows : ndarray of int, shape (G,)
        Number of each game's window of consecutive readings, from 0.
    days : int
        Readings in a window.
    halves : sequence of ndarray of int
        The homes of either half.
    populations : sequence of HomeStatistics
        Statistics of homes that the adversaries of games within either half know.
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
    count = energy_wh.shape[1] // days
    # Each window of a home counts as a home of its own, so that games index windows.
    of_windows = energy_wh[:, : count * days].reshape(-1, days)
    played = replace(
        games,
        candidates=count * games.candidates + windows[:, None],
        others=count * games.others + windows[:, None],
    )
    side = np.isin(games.candidates[:, 0], halves[1]).astype(np.int64)

    means_wh = np.stack([each.mean_wh[: count * days] for each in populations]).reshape(
        len(halves), count, days
    )

    # The short windows of a batch of games are looked up once for all releases, so the latest
    # entries are enough; a long window comes again in later batches.
    cached = lru_cache(len(halves) if days <= N_FACTORS else None)

    @cached
    def get_population(half: int, window: int | tuple[int, ...]) -> NormalHomeModel:
        """Return the population of games within a half, in one window or several."""
        return populations[half].select_window(days * np.array(window), days)

    @cached
    def sum_published(
        number: int, k: int, half: int, window: int | tuple[int, ...]
    ) -> PublishedSum:
        """Build what release ``number`` publishes of n homes, k of which are known."""
        return build_published_sum(releases[number], get_population(half, window), known=k)

    def group_games(batch: slice) -> Iterator[tuple[Ints, int, int | tuple[int, ...]]]:
        """Group games by half and window: short windows together, a long window by itself."""
        for half in np.unique(side[batch]).tolist():
            indices = np.flatnonzero(side[batch] == half)
            windows_of_half = windows[batch][indices]
            if days <= N_FACTORS:
                yield indices, half, tuple(windows_of_half.tolist())
            else:
                for window in np.unique(windows_of_half).tolist():
                    yield indices[windows_of_half == window], half, window

    def ask_informed_adversaries(
        number: int, batch: Batch, series: PublishedSeries
    ) -> dict[AdversaryKey, Floats]:
        """Compute the preferences, shape (G,), of the adversaries who know other homes."""
        release, x, member = releases[number], batch.readings_wh, batch.games.member
        preferences: dict[AdversaryKey, Floats] = {}
        of_batch = slice(batch.first_game, batch.first_game + len(x))
        for k in known:
            preferences[NORMAL, k] = ratios = np.zeros(len(x))
            from_known = release.n * series.wh - batch.compute_others_wh(release.maximum_wh, k)
            for indices, *case in group_games(of_batch):
                ratios[indices] = sum_published(number, k, *case).compute_game_ratios(
                    from_known[indices], x[indices]
                )
        if 0 in known:
            usual_wh = means_wh[side[of_batch], windows[of_batch]]
            preferences |= _compare_with_known_mean(
                RawSeries(series.kwh, x / WH_PER_KWH, release.n),
                series.step_wh,
                usual_wh / WH_PER_KWH,
                populations=populations,
                normal=preferences[NORMAL, 0],
            )
        others_wh = batch.compute_others_wh(release.maximum_wh, release.n - 1)
        differ = find_distinguishable_pairs(release.publish_totals(others_wh[:, None] + x).k)[
            :, 0, 1
        ]
        preferences[EXACT, release.n - 1] = np.where(differ, 1.0 - 2 * member, 0.0)
        return preferences

    adversaries = load_membership_adversaries(trained=False)
    fitted: dict[AdversaryKey, Adversary] = {(each.name, 0): each() for each in adversaries}
    by_series = any(each.sees_series for each in adversaries)
    game_batches = iterate_batches(of_windows, played, with_series=by_series)
    return collect_preferences(
        [fitted] * len(releases), releases, game_batches, beside=ask_informed_adversaries
    )


def _compare_with_known_mean(
    raw: RawSeries,
    step_wh: float,
    mean_kwh: Floats,
    *,
    populations: Sequence[NormalHomeModel],
    normal: Floats,
) -> dict[AdversaryKey, Floats]:
    """Compute the preferences of ``pair_known`` and ``combined``, who know no member.

    ``mean_kwh``, shape (G, T), is what the known homes use in the window of each game, and
    ``normal`` the ratios of the adversary of that name.
    """
    pair_known = compare_pair(raw, step_wh, mean_kwh)
    # All games of a release are asked alike, by the half whose sum varies less.
    sd_wh = min(
        float(np.sqrt((raw.n - 1) * np.diagonal(each.covariance_wh2).mean()))
        for each in populations
    )
    chosen = choose_terms(
        mean_kwh.shape[1],
        known=min(each.homes for each in populations),
        is_wide=raw.n * step_wh > WIDE_CELL_SD * sd_wh,
    )
    by_name = {NORMAL: normal, PAIR_KNOWN: pair_known}
    return {
        (PAIR_KNOWN, 0): pair_known,
        (COMBINED, 0): np.sum([by_name[name] for name in chosen], axis=0),
    }


def estimate_advantages(
    energy_wh: Ints,
    releases: Mapping[int, Sequence[tuple[Mapping[str, float], QuantizedMeanRelease]]],
    *,
    dataset: str,
    seed: int,
    games: int,
    days: Sequence[int],
    known_shares: Sequence[float],
) -> pd.DataFrame:
    """Estimate the advantage of each adversary against several releases for each n.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        Daily readings.
    releases : mapping
        For each n, releases, each with the columns that name it; readings are clipped to the
        range of each.
    dataset : str
        Name of the dataset, a coordinate of the random streams.
    seed : int
        Seed of the configuration.
    games : int
        Number of games for each n, two or more; its releases and numbers of days share them.
    days : sequence of int
        Numbers T of consecutive reports.  The year is cut into windows of T days, and each game
        draws one.
    known_shares : sequence of float
        Shares of the n - 1 other homes that ``normal`` knows, below 1, rounded down
        to whole homes.

    Returns
    -------
    DataFrame
        As :func:`noiseless.papers.beyond.adversaries.build_advantage_table`, with the columns of
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
    halves = split_homes(len(energy_wh), dataset=dataset, seed=seed)

    @cache
    def estimate_populations(maximum_wh: int) -> list[NormalHomeModel]:
        """Estimate the population of either half of the homes from the other half."""
        clipped = np.minimum(energy_wh, maximum_wh)
        return [NormalHomeModel.estimate(clipped[half]) for half in reversed(halves)]

    rows = []
    cases = [(n, t) for n in releases for t in days]
    for n, t in tqdm(cases, desc=f"adversaries who know, {dataset}", unit="cell"):
        drawn = draw_half_games(halves, n=n, games=games, dataset=dataset, seed=seed)
        rng = make_generator(seed, "adversaries", dataset, "windows", "n", n, "days", t)
        windows = rng.integers(0, energy_wh.shape[1] // t, len(drawn.member))
        preferences_by_release: dict[int, dict[AdversaryKey, Floats]] = {}
        for maximum in dict.fromkeys(release.maximum_wh for _, release in releases[n]):
            clipped = np.minimum(energy_wh, maximum)
            indices = [k for k, (_, each) in enumerate(releases[n]) if each.maximum_wh == maximum]
            played = collect_informed_preferences(
                clipped,
                drawn,
                [releases[n][k][1] for k in indices],
                windows=windows,
                days=t,
                halves=halves,
                populations=estimate_populations(maximum),
                known=sorted({int(share * (n - 1)) for share in known_shares}),
            )
            preferences_by_release |= dict(zip(indices, played, strict=True))
        for k, (label, release) in enumerate(releases[n]):
            cell = {"n": n, **label, "days": t}
            levels = float(release.levels or math.inf)
            coordinates = (dataset, "coin", "n", n, "levels", levels, "days", t)
            rows += _build_rows(cell, preferences_by_release[k], drawn, seed, coordinates)
            rows += build_rows(
                {"adversary": "any", "known": 0, **cell},
                levels=levels,
                bin_kwh=release.step_wh / WH_PER_KWH if release.levels else 0.0,
                games=games,
                homes=len(energy_wh),
            )
    return pd.DataFrame(rows)


def _build_rows(
    cell: Mapping[str, float],
    preferences: Mapping[AdversaryKey, Floats],
    games: Games,
    seed: int,
    coordinates: tuple[str | int | float, ...],
) -> list[dict[str, object]]:
    """Build the rows of all adversaries in one cell from their preferences."""
    outcomes = {
        who: Outcome.draw(
            make_generator(seed, "adversaries", *who, *coordinates), games, who[0], preference
        )
        for who, preference in preferences.items()
    }
    differ = next(preference != 0 for (name, _), preference in preferences.items() if name == EXACT)
    rows = []
    for (name, known), outcome in outcomes.items():
        statistics: dict[str, Estimate | float] = {
            "advantage": outcome.advantage,
            "advantage_over_homes": outcome.advantage_over_homes,
        }
        if name == EXACT:
            closed_form = estimate_proportion(int(differ.sum()), len(differ))
            statistics["closed_form"] = closed_form
            statistics["closed_form_over_homes"] = games.estimate_over_homes(differ, least=0.0)
        else:
            statistics["behind_exact"] = estimate_paired_mean(differ - outcome.gain)
        if smaller_known := [k for other, k in outcomes if other == name and k < known]:
            less = outcomes[name, max(smaller_known)]
            statistics["gain_of_knowing"] = outcome.estimate_lead(less)
        statistics["coin_share"] = outcome.coin_share
        rows += build_rows({"adversary": name, "known": known, **cell}, **statistics)
    return rows
