"""The membership game, "who is in the aggregate?" (``noiseless``, Section V.A, Figures 2 and 3).

A game: two candidates are drawn from the homes, a fair coin makes one of them a member, and n - 1
other homes join.  The curator releases the mean of the n readings at each time, quantized.  An
adversary who knows the true readings of both candidates guesses the member.

1. :func:`energy_matrix` makes whole Wh per home and reading from a prepared table.
2. :func:`draw_games` draws the games of one n, once for all budgets and choices: what differs
   between two cells of equal n is the release, and not the luck of the draw.
3. :func:`release_for` is the quantizer of a budget; :func:`play` runs all games against it.
4. :func:`advantage_table`, :func:`choices_table` and :func:`learned_table` are the results.

Meters count whole Wh, so all readings here are integers, and so are the sums that adversaries
compare: guesses do not depend on the order of an addition.  Games are played one after the other
within compiled code; memory holds the homes' readings and a few sums per game, never games x
readings.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numba
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from noiseless.adversaries.membership import ADVERSARIES, Evidence, Learned, guess, is_peak
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.quantizer import Quantizer, levels_from_budget, local_levels
from noiseless.seeds import generator
from noiseless.statistics import rows as rows_of
from noiseless.statistics import wilson

Ints = NDArray[np.int64]

_WH_PER_KWH = 1000
_LARGEST_SUM = 2**62
_GAMES_AT_ONCE = 500  # in the features of the learned adversary

RANGES = ("maximum", "percentile_99.9", "round")
QUANTIZER_RULES = ("n_2^eps", "2^eps")
PEAKS = ("strict", "tolerant")


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
    readings = readings.sort_values(["home", "time"], kind="stable")
    homes = readings["home"].nunique()
    if (
        len(readings) != homes * len(times)
        or (readings["time"].to_numpy().reshape(homes, -1) != times.to_numpy()).any()
    ):
        raise DataError("the homes of the prepared table do not all have the same times.")
    energy = readings["energy_kwh"].to_numpy().reshape(homes, len(times))
    wh = np.rint(energy * _WH_PER_KWH).astype(np.int64)
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


def public_maximum_wh(energy_wh: Ints, choice: str | float) -> int:
    """Upper end x_max of the public range [0, x_max], in Wh.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
    choice : str or float
        ``maximum``: of all readings; ``percentile_99.9``: of all readings, rounded up (larger
        readings are clipped before they are averaged); ``round``: the smallest of 1, 2, 5, 10,
        20, ... kWh (or 0.1, 0.2, ...) that no reading exceeds; or a number of kWh.

    Raises
    ------
    DataError
        If a reading is above the number that was given, or all readings are zero.
    """
    maximum = int(energy_wh.max())
    if maximum == 0:
        raise DataError("all readings are zero, so there is nothing to release.")
    match choice:
        case "maximum":
            return maximum
        case "percentile_99.9":
            return max(1, math.ceil(np.percentile(energy_wh, 99.9)))
        case "round":
            steps = (digit * 10**power for power in itertools.count() for digit in (1, 2, 5))
            return next(step for step in steps if step >= maximum)
        case number:
            given = round(Fraction(str(number)) * _WH_PER_KWH)
            if given < maximum:
                raise DataError(
                    f"a reading of {maximum / _WH_PER_KWH} kWh is above the public range "
                    f"[0, {number}] kWh. Widen `noiseless.membership.public_range`."
                )
            return given


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
    everyone = np.tile(np.arange(homes, dtype=np.int16 if homes <= 2**15 else np.int32), (games, 1))
    drawn = rng.permuted(everyone, axis=1, out=everyone)[:, : n + 1].astype(np.int64)
    member = rng.integers(0, 2, games)
    return Games(candidates=drawn[:, :2], member=member, others=drawn[:, 2:])


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
        Of the quantizer; None for the exact mean.
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

    def output_kwh(self, mean_kwh: NDArray[np.float64]) -> NDArray[np.float64]:
        """The published values of some means, in kWh."""
        if self.levels is None:
            return mean_kwh
        return Quantizer(0, self.maximum_wh / _WH_PER_KWH, self.levels).release(mean_kwh)


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


def play(
    energy_wh: Ints,
    games: Games,
    releases: Sequence[AggregateRelease],
    *,
    strict_peaks: bool = True,
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
        As for :func:`noiseless.adversaries.membership.is_peak`.

    Returns
    -------
    list of Evidence, one for each release

    Raises
    ------
    DataError
        If readings are so large that sums of their products would not fit into 64 bits.
    """
    n, maximum = releases[0].n, releases[0].maximum_wh
    t, largest = energy_wh.shape[1], int(energy_wh.max())
    counts = np.array([release.levels or 0 for release in releases])
    step_count = max(n * largest, int(counts.max()))
    if max(t * step_count**2, int(counts.max()) * n * largest) > _LARGEST_SUM:
        raise DataError(
            f"a reading of {largest / _WH_PER_KWH} kWh is too large for sums over {t} readings "
            f"and n = {n} homes to stay exact in whole Wh."
        )
    sums = _sums(
        np.minimum(energy_wh, maximum).astype(np.int32),
        energy_wh.astype(np.int32),
        is_peak(energy_wh, strict=strict_peaks),
        games.members,
        np.ascontiguousarray(games.candidates),  # one layout, compiled once
        counts,
        n * maximum,
        strict_peaks,
    )
    sum_x, sum_xx = energy_wh.sum(axis=1), (energy_wh**2).sum(axis=1)
    return [
        Evidence(
            readings=t,
            step_wh=release.step_wh,
            offset_wh=release.offset_wh,
            first=each[:, 0],
            sum_k=each[:, 1],
            sum_kk=each[:, 2],
            sum_x=sum_x[games.candidates],
            sum_xx=sum_xx[games.candidates],
            sum_xk=each[:, 3:5],
            common_peaks=each[:, 5:7],
        )
        for release, each in zip(releases, sums, strict=True)
    ]


@numba.njit(cache=True, nogil=True)
def _sums(contributed, readings, peaks, members, candidates, levels, divisor, strict):  # noqa: ANN001, ANN202
    """Sums of :class:`Evidence` for each release and game, shape (releases, G, 7).

    Bin k holds the means from k x_max / levels, so with the sum S of n readings it is
    floor(S levels / (n x_max)), the last one closed: whole numbers throughout, and the same bin
    as that of the Quantizer.
    """
    games, t = members.shape[0], readings.shape[1]
    out = np.empty((len(levels), games, 7), dtype=np.int64)
    total = np.empty(t, dtype=np.int64)
    k = np.empty(t, dtype=np.int64)
    for g in range(games):
        total[:] = 0
        for home in members[g]:
            row = contributed[home]
            for i in range(t):
                total[i] += row[i]
        zero, one = candidates[g]
        x0, x1, peak0, peak1 = readings[zero], readings[one], peaks[zero], peaks[one]
        for e in range(len(levels)):
            if levels[e] == 0:
                k[:] = total
            else:
                count = levels[e]
                guess = count / divisor
                for i in range(t):
                    # The float may miss the whole quotient by one; the remainder tells.
                    quotient = np.int64(total[i] * guess)
                    remainder = total[i] * count - quotient * divisor
                    quotient += np.int64(remainder >= divisor) - np.int64(remainder < 0)
                    k[i] = min(quotient, count - 1)
            first = k[0]
            sum_k = sum_kk = sum_x0k = sum_x1k = 0
            for i in range(t):
                step = k[i] - first
                sum_k += step
                sum_kk += step * step
                sum_x0k += step * x0[i]
                sum_x1k += step * x1[i]
            both0 = both1 = 0
            for i in range(1, t - 1):
                left, right = k[i] - k[i - 1], k[i] - k[i + 1]
                if strict:
                    peak = (left > 0) & (right > 0)
                else:
                    peak = (left >= 0) & (right >= 0) & (left + right > 0)
                both0 += peak & peak0[i]
                both1 += peak & peak1[i]
            out[e, g] = (first, sum_k, sum_kk, sum_x0k, sum_x1k, both0, both1)
    return out


# --- Results ----------------------------------------------------------------------------------


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
) -> pd.DataFrame:
    """Advantage of each adversary for each n and budget (Figure 3).

    Parameters
    ----------
    readings : DataFrame
        Prepared table, as for :func:`energy_matrix`.
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
        As for :func:`energy_matrix`, :func:`public_maximum_wh` and :func:`release_for`; ``strict``
        or ``tolerant``.

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
    maximum = public_maximum_wh(energy, public_range)
    budgets = [*map(float, epsilon_bits), math.inf]
    rows = []
    for size in tqdm(n, desc=f"membership games, {dataset}", unit="n"):
        played = _games(seed, dataset, energy, size, games)
        releases = [
            release_for(e, n=size, maximum_wh=maximum, quantizer_rule=quantizer_rule)
            for e in budgets
        ]
        found = play(energy, played, releases, strict_peaks=peaks == "strict")
        exact: dict[str, float] = {}
        # The exact mean comes first, for the others to be compared with.
        for budget, release, evidence in reversed(list(zip(budgets, releases, found, strict=True))):
            for name, adversary in ADVERSARIES.items():
                cell = {"adversary": name, "n": size, "epsilon_bits": budget}
                coin = _coin(seed, dataset, name, size, budget, games)
                statistics = _statistics(cell, adversary(evidence), coin, played.member)
                advantage = statistics[0]["value"]
                rows += statistics
                rows += rows_of(
                    cell,
                    advantage_minus_exact=advantage - exact.setdefault(name, advantage),
                    levels=release.levels or math.inf,
                    bin_kwh=release.step_wh / _WH_PER_KWH if release.levels else 0.0,
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
        ``strongest``, ``largest_absolute_advantage`` of the three, and
        ``almost_zero``, whether none of the three is further than that from zero (1 or 0), and
        ``games``.
    """
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
            [evidence] = play(energy, played, [release], strict_peaks=peaks == "strict")
            choice = {
                **{"n": n, "epsilon_bits": budget, "public_range": range_, "quantizer_rule": rule},
                **{"resolution": resolution, "period": period, "peaks": peaks},
            }
            signed = []
            for name, adversary in ADVERSARIES.items():
                coin = _coin(seed, dataset, name, n, budget, games)
                found = _statistics(
                    {**choice, "adversary": name}, adversary(evidence), coin, played.member
                )
                rows += found
                signed += [found[0]["value"]] if name != "control" else []
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
    n, epsilon_bits : sequence
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
    rows = []
    for size in tqdm(n, desc=f"learned adversary, {dataset}", unit="n"):
        training = _games(seed, dataset, known, size, games, "training")
        testing = _games(seed, dataset, unknown, size, games, "testing")
        releases = [
            release_for(e, n=size, maximum_wh=maximum, quantizer_rule=quantizer_rule)
            for e in budgets
        ]
        found = play(unknown, testing, releases)
        learned = Learned(known / _WH_PER_KWH)
        seen = _features(learned, known, training, releases)
        unseen = _features(learned, unknown, testing, releases)
        for budget, evidence, before, now in zip(budgets, found, seen, unseen, strict=True):
            learned.fit(before, training.member)
            preferences = {name: adversary(evidence) for name, adversary in ADVERSARIES.items()}
            preferences["learned"] = learned.preference(now)
            for name, preference in preferences.items():
                cell = {"adversary": name, "n": size, "epsilon_bits": budget}
                coin = _coin(seed, dataset, name, size, budget, games)
                rows += _statistics(cell, preference, coin, testing.member)
                rows += rows_of(cell, games=games, homes=len(unknown))
    return pd.DataFrame(rows)


def _features(
    learned: Learned, energy_wh: Ints, games: Games, releases: Sequence[AggregateRelease]
) -> list[NDArray[np.float64]]:
    """Features of all games for each release, computed for some games at a time."""
    parts: list[list[NDArray[np.float64]]] = [[] for _ in releases]
    members, n = games.members, releases[0].n
    contributed = np.minimum(energy_wh, releases[0].maximum_wh)
    for start in range(0, len(members), _GAMES_AT_ONCE):
        chosen = slice(start, start + _GAMES_AT_ONCE)
        total = sum(contributed[homes] for homes in members[chosen].T)
        candidates = energy_wh[games.candidates[chosen]] / _WH_PER_KWH
        for release, part in zip(releases, parts, strict=True):
            output = release.output_kwh(total / (n * _WH_PER_KWH))
            part.append(learned.features(output, candidates, n=n))
    return [np.concatenate(part) for part in parts]


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
