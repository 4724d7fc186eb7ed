"""Who is in the aggregate, for each budget (``noiseless``, Section V.A, Figures 2 and 3).

1. :func:`advantage_table` plays the membership game (:mod:`noiseless.games.membership`) for each n
   and budget.
2. :func:`choices_table` moves what the paper leaves open.
3. :func:`learned_table` sets a trained adversary beside the paper's.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.adversaries.membership import Evidence, Training, guess
from noiseless.games.membership import (
    WH_PER_KWH,
    AggregateRelease,
    Games,
    Ints,
    PublishedSeries,
    contest,
    draw_games,
    energy_matrix,
    membership_adversaries,
    observations,
    possible_n,
    preferences,
    public_maximum_wh,
    release_for,
    totals_wh,
)
from noiseless.seeds import generator
from noiseless.statistics import rows as rows_of
from noiseless.statistics import wilson

RANGES = ("maximum", "percentile_99.9", "round")
QUANTIZER_RULES = ("n_2^eps", "2^eps")
PEAKS = ("strict", "tolerant")
# Those of Section V.A: what is said of the strongest is about them, whoever else plays.
PAPERS_ADVERSARIES = ("correlation", "mse", "peaks")


def advantage_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    n: Sequence[int],
    epsilon_bits: Sequence[float],
    resolution: str,
    public_range: str | float,
    quantizer_rule: str,
    peaks: str,
    skip_impossible: bool = False,
) -> pd.DataFrame:
    """Advantage of each adversary for each n and budget (Figure 3).

    Parameters
    ----------
    readings : DataFrame
        Prepared table, as for :func:`~noiseless.games.membership.energy_matrix`.
    dataset : str
        Its name, a coordinate of the random streams.
    seed : int
        Seed of the configuration.
    games : int
        For each n; the same ones for all budgets.
    n : sequence of int
        Homes in an aggregate, each 2 or more.
    epsilon_bits : sequence of float
        Budgets in bits; the exact mean (infinite) is added.
    resolution, public_range, quantizer_rule, peaks
        As for :func:`~noiseless.games.membership.energy_matrix`,
        :func:`~noiseless.games.membership.public_maximum_wh` and
        :func:`~noiseless.games.membership.release_for`; ``strict`` or ``tolerant``.
    skip_impossible : bool
        Whether an n that there are too few homes for is skipped, with a message.

    Returns
    -------
    DataFrame
        Cells (adversary, n, epsilon_bits).  Statistics: ``advantage``, 2 P(correct) - 1 with its
        95 % interval in ``low`` and ``high`` (Wilson's, over games between these homes);
        ``absolute_advantage``, the paper's 2 |P(correct) - 1/2|, which is biased upward by
        about 0.8 / sqrt(games) where there is no advantage; ``coin_share``, the share of games
        that a coin decided; ``levels``; ``bin_kwh``, the width of a bin;
        ``advantage_minus_exact``, less the advantage in the same games when the mean is
        released as it is; ``games``; ``homes``.
    """
    energy = energy_matrix(readings, resolution=resolution)
    if skip_impossible:
        n = possible_n(n, homes=len(energy), key="noiseless.membership.n", who="there are {} homes")
    maximum = public_maximum_wh(energy, public_range)
    budgets = [*map(float, epsilon_bits), math.inf]
    adversaries = membership_adversaries(trained=False)
    rows = []
    for size in tqdm(n, desc=f"membership games, {dataset}", unit="n"):
        played = _games(seed, dataset, energy, size, games)
        releases = [
            release_for(e, n=size, maximum_wh=maximum, quantizer_rule=quantizer_rule)
            for e in budgets
        ]
        found = preferences(adversaries, energy, played, releases, strict_peaks=peaks == "strict")
        exact: dict[str, float] = {}
        # The exact mean comes first, for the others to be compared with.
        for budget, release, preferred in reversed(
            list(zip(budgets, releases, found, strict=True))
        ):
            for name, preference in preferred.items():
                cell = {"adversary": name, "n": size, "epsilon_bits": budget}
                coin = _coin(seed, dataset, name, size, budget, games)
                statistics = _statistics(cell, preference, coin, played.member)
                advantage = statistics[0]["value"]
                rows += statistics
                rows += rows_of(
                    cell,
                    advantage_minus_exact=advantage - exact.setdefault(name, advantage),
                    levels=release.levels or math.inf,
                    bin_kwh=release.step_wh / WH_PER_KWH if release.levels else 0.0,
                    games=games,
                    homes=len(energy),
                )
    return pd.DataFrame(rows)


def choices_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    cells: Sequence[Mapping[str, float]],
    almost_zero: float,
    resolutions: Sequence[str],
    week_start: str,
) -> pd.DataFrame:
    """The advantage under every combination of the choices that the paper leaves open.

    Parameters
    ----------
    readings, dataset, seed, games
        As for :func:`advantage_table`; the games are the same.
    cells : sequence of dict
        ``n`` and ``epsilon_bits`` of each cell.
    almost_zero : float
        The largest absolute advantage that counts as almost zero.
    resolutions : sequence of str
        Of ``days`` and ``half-hours``, those that the readings have.
    week_start : str
        First day of the week that stands against the whole year.

    Returns
    -------
    DataFrame
        Cells (n, epsilon_bits, public_range, quantizer_rule, resolution, period, peaks, adversary).
        Statistics as for :func:`advantage_table` without the facts; for the adversary
        ``strongest``, ``largest_absolute_advantage`` of the paper's three, and
        ``almost_zero``, whether none of the three is further than that from zero (1 or 0), and
        ``games``.
    """
    adversaries = membership_adversaries(trained=False)
    periods = {"year": None, "week": week_start}
    rows = []
    cases = list(itertools.product(resolutions, periods, RANGES, QUANTIZER_RULES, cells))
    matrices: dict[tuple[str, str], Ints] = {}
    for resolution, period, range_, rule, cell in tqdm(cases, desc=f"choices, {dataset}"):
        if (resolution, period) not in matrices:
            matrices[resolution, period] = energy_matrix(
                readings, resolution=resolution, week_start=periods[period]
            )
        energy, n, budget = (
            matrices[resolution, period],
            int(cell["n"]),
            float(cell["epsilon_bits"]),
        )
        # The public range is a matter of the whole year, also where a week is published.
        year = matrices[resolution, "year"]
        release = release_for(
            budget, n=n, maximum_wh=public_maximum_wh(year, range_), quantizer_rule=rule
        )
        played = _games(seed, dataset, energy, n, games)
        for peaks in PEAKS:
            [preferred] = preferences(
                adversaries, energy, played, [release], strict_peaks=peaks == "strict"
            )
            choice = {
                **{"n": n, "epsilon_bits": budget, "public_range": range_, "quantizer_rule": rule},
                **{"resolution": resolution, "period": period, "peaks": peaks},
            }
            signed = []
            for adversary in adversaries:
                name = adversary.name
                coin = _coin(seed, dataset, name, n, budget, games)
                found = _statistics(
                    {**choice, "adversary": name}, preferred[name], coin, played.member
                )
                rows += found
                signed += [found[0]["value"]] if name in PAPERS_ADVERSARIES else []
            rows += rows_of(
                {**choice, "adversary": "strongest"},
                largest_absolute_advantage=max(map(abs, signed)),
                almost_zero=float(max(map(abs, signed)) <= almost_zero),
                games=games,
            )
    return pd.DataFrame(rows)


def learned_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    n: Sequence[int],
    epsilon_bits: Sequence[float],
    resolution: str,
    public_range: str | float,
    quantizer_rule: str,
    skip_impossible: bool = False,
) -> pd.DataFrame:
    """The learned adversary beside the others, on the same games between homes new to it.

    Half of the homes, drawn at random, play the games that it is trained on, and the other half
    those that all are tested on.

    Parameters
    ----------
    readings, dataset, seed, resolution, public_range, quantizer_rule
        As for :func:`advantage_table`.
    games : int
        To train on, and as many to be tested on, for each n.
    n, epsilon_bits, skip_impossible
        As for :func:`advantage_table`; half of the homes must be enough for the largest n.

    Returns
    -------
    DataFrame
        Cells (adversary, n, epsilon_bits), the adversary ``learned`` among them.  Statistics:
        ``advantage`` with interval, ``absolute_advantage``, ``coin_share``, ``games``, ``homes``.
    """
    energy = energy_matrix(readings, resolution=resolution)
    maximum = public_maximum_wh(energy, public_range)
    budgets = [*map(float, epsilon_bits), math.inf]
    order = generator(seed, "membership", dataset, "halves").permutation(len(energy))
    known, unknown = np.array_split(energy[order], 2)
    if skip_impossible:
        n = possible_n(
            n,
            homes=len(unknown),
            key="noiseless.membership.learned.n",
            who="half of the homes, {}, play against the learned adversary",
        )
    rows = []
    for size in tqdm(n, desc=f"learned adversary, {dataset}", unit="n"):
        training = _games(seed, dataset, known, size, games, "training")
        testing = _games(seed, dataset, unknown, size, games, "testing")
        releases = [
            release_for(e, n=size, maximum_wh=maximum, quantizer_rule=quantizer_rule)
            for e in budgets
        ]
        for budget, release in zip(budgets, releases, strict=True):
            preferred = contest(
                membership_adversaries(trained=True),
                (evidence for evidence, _ in _observed(unknown, testing, release)),
                Training(known / WH_PER_KWH, partial(_observed, known, training, release)),
            )
            for name, preference in preferred.items():
                cell = {"adversary": name, "n": size, "epsilon_bits": budget}
                coin = _coin(seed, dataset, name, size, budget, games)
                rows += _statistics(cell, preference, coin, testing.member)
                rows += rows_of(cell, games=games, homes=len(unknown))
    return pd.DataFrame(rows)


def _observed(
    energy_wh: Ints, games: Games, release: AggregateRelease
) -> Iterator[tuple[Evidence, Ints]]:
    """Evidence and members of all games, some at a time."""
    clipped = np.minimum(energy_wh, release.maximum_wh)

    def publish(some: Games, _: int) -> PublishedSeries:
        return release.publish(totals_wh(clipped, some.members))

    for evidence, some in observations(energy_wh, games, publish):
        yield evidence, some.member


def _games(
    seed: int, dataset: str, energy: Ints, n: int, games: int, purpose: str = "games"
) -> Games:
    rng = generator(seed, "membership", dataset, purpose, "n", n)
    return draw_games(rng, homes=len(energy), n=n, games=games)


def _coin(seed: int, dataset: str, adversary: str, n: int, epsilon_bits: float, games: int) -> Ints:
    coordinates = ("membership", dataset, "coin", adversary, "n", n, "epsilon", epsilon_bits)
    return generator(seed, *coordinates).integers(0, 2, games)


def _statistics(
    cell: Mapping[str, object], preference: np.ndarray, coin: Ints, member: Ints
) -> list[dict[str, object]]:
    """Rows of one adversary in one cell."""
    correct = int((guess(preference, coin) == member).sum())
    advantage = wilson(correct, len(member)).against_coin()
    return rows_of(
        cell,
        advantage=advantage,
        absolute_advantage=abs(advantage.value),
        coin_share=(preference == 0).mean(),
    )
