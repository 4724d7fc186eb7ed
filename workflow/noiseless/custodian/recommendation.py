"""A custodian's recommendation: found on one half of the homes, tested on the other.

A custodian is about to publish the mean of n homes, day after day, rounded to a multiple of a step
in kWh; or weekly means, or means of four weeks.

1. :func:`frontier` plays, within some homes, the games of every n, rounding and period.  It says
   for each release how wrong the mean becomes, how often it is a constant, and what the best
   adversary gains of a single published value and of all of them.
2. :func:`recommended` chooses one release of a frontier: the rounding by the error alone; then, by
   the gain, the finest time and the fewest homes.  A release that is constant is never chosen.
3. :func:`tables` cuts the homes in two, finds a release on one half and plays it on the other
   half, which had no part in the choice; and again, with other halves.

What an interval covers.  The adversary's gain in an equally large set of homes that were not used
to choose the release: the other half, if homes are cut at random.  The other half tests it, and it
is what matters to a custodian who will publish means of similar homes.  Its width comes from a
jackknife that strikes out one group of homes at a time.  By the inequality of Efron and Stein the
jackknife's variance is not too small on average, whatever the shape of the gain; the gain within
other homes varies as well, so that the variance of the difference is twice as large.

The choice.  It is made among all n and all periods, so each interval holds with the confidence
divided among them (Bonferroni): then any choice among them is valid.  A release is *certain* if an
upper end is at most the gain that is allowed.  Numbers of homes are gone through from the largest
to the smallest, and the first that is not certain ends the list, so that no correction for their
number is needed (a fixed sequence of tests); the periods divide the confidence.

The best of several adversaries.  The gain of the best is itself a number that a set of homes has,
on this half as on the other: the jackknife takes the best anew without each group, and what is
compared on the other half is the best one there.  Nothing is left to correct for.

References
----------
B. Efron, C. Stein, "The jackknife estimate of variance", Ann. Stat. 9, 1981.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit
from tqdm import tqdm

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.normal_homes import Population
from noiseless.errors import ConfigError
from noiseless.games.comparison import calibrated
from noiseless.games.homes import Homes, publish
from noiseless.games.informed import EXACT
from noiseless.games.membership import (
    WH_PER_KWH,
    energy_matrix,
    membership_adversaries,
    public_maximum_wh,
)
from noiseless.games.rounding import (
    Draw,
    NoisySeries,
    RoundedMean,
    group_numbers,
    largest_n,
    pair_gains_of,
    periods_of,
    plan_games,
    single_value_gains,
    totals_of,
)
from noiseless.mechanisms.interface import Identity
from noiseless.seeds import generator
from noiseless.statistics import CONFIDENCE, Estimate
from noiseless.statistics import rows as rows_of

log = logging.getLogger(__name__)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

OUTSIDER, INSIDER = "outsider", "insider"
ONE, ALL = "one", "all"  # how many of the published values the adversary sees
MOST_CONSTANT = 0.05  # share of draws in which a release may be a constant and be recommended
FEWEST_PERIODS = 12  # least number of published means, for "again and again"
YEAR_DAYS = 365
EXPOSED_SHARE = 0.1  # of homes, those that are found most easily
_MECHANISM_COLUMNS = [
    *("mechanism", "adversary", "n", "days_per_value"),
    *("statistic", "value", "low", "high", "over"),
]
_FEWEST_GROUPS = 5
_MOST_HOMES = 1000  # taken at random: more would only take longer


@dataclass(frozen=True)
class Settings:
    """What :func:`tables` is told; see there."""

    n: tuple[int, ...]
    rounding_kwh: tuple[float, ...]
    days_per_value: tuple[int, ...]
    gain: float
    largest_error_share: float
    draws: int
    candidates: int
    groups: int


@dataclass(frozen=True)
class Half:
    """Homes that play, and others that tell the adversaries what homes are like.

    Attributes
    ----------
    plays_wh, tells_wh : ndarray of int, shape (homes, T)
        Daily readings.
    """

    plays_wh: Ints
    tells_wh: Ints


@dataclass(frozen=True)
class Played:
    """What came of one release.

    Attributes
    ----------
    gains : dict of ndarray, shape (draws, 1 + groups)
        Mean gain over the pairs of each draw, with all homes and without each group, by what is
        seen and the adversary.
    exposed : dict of float
        Mean gain of the most exposed homes, by adversary, where all values are seen.
    """

    gains: Mapping[tuple[str, str], Floats]
    exposed: Mapping[str, float]


def recommendation_tables(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    n: Sequence[int],
    rounding_kwh: Sequence[float],
    days_per_value: Sequence[int],
    gain: float,
    largest_error_share: float,
    draws: int,
    candidates: int,
    groups: int,
    splits: int,
    public_range_kwh: float,
    tolerance: float,
    skip_impossible: bool = False,
) -> dict[str, pd.DataFrame]:
    """Frontier, tests on homes held back, and other mechanisms at the same error.

    Parameters
    ----------
    readings : DataFrame
        Prepared table, as for :func:`noiseless.games.membership.energy_matrix`.
    dataset, seed
        Coordinates of the random streams.
    n : sequence of int
        Numbers of homes in a mean that are tried; what half of the homes are too few for is not.
    rounding_kwh : sequence of float
        Steps, in kWh a day, that are tried.  They are public, and not taken from the readings.
    days_per_value : sequence of int
        Days that one published value is the mean of: 1, 7, 28.
    gain : float
        Largest advantage of the best outsider, over all values of a year, that is good enough.
    largest_error_share : float
        Largest error of a published mean that is useful, as a share of the mean.
    draws, candidates : int
        Draws of the other homes, and candidates at most in each.
    groups : int
        Number of groups of homes, for the jackknife.
    splits : int
        Times that the homes are cut in two, a half that finds and a half that tests.
    public_range_kwh, tolerance
        The public range and tolerance of the other mechanisms, as for
        :func:`noiseless.papers.beyond.comparison_homes.comparison_tables`.
    skip_impossible : bool
        Whether homes that are too few for any n lead to tables without a frontier; an error if not.

    Returns
    -------
    dict of DataFrame
        ``frontier``: of the first half, cells (n, rounding_kwh, days_per_value).  Statistics:
        ``gain_one`` and ``gain_all``, of the best outsider who sees one published value and all of
        a year, with intervals over homes; ``sure_all``, the upper end of the latter in a fixed
        sequence; ``insider_one`` and ``insider_all``, likewise;
        ``exposed_all``, the mean gain of the tenth of the homes that are found most easily (homes
        chosen on some draws, counted on others); ``error_kwh``, ``error_share``,
        ``constant_error_kwh``, ``constant_share``, ``useful`` (1 where the error is small enough
        and the release is no constant), ``chosen`` and ``values`` (published in that time).
        The column ``adversary`` names the best one.
        ``splits``: cells (split), in each of which the release was found on one half.  Statistics:
        ``exists``, ``certain`` (``sure_all`` is at most the gain), ``n``, ``rounding_kwh``,
        ``days_per_value``; ``found`` with its interval, ``held_back``, the gain on the other half,
        and ``inside``, whether it lies in the interval, likewise ``found_one``, ``held_back_one``
        and ``inside_one``; ``error_kwh`` and ``error_share`` on the other half, ``exposed``,
        ``constant_share``.
        ``mechanisms``: cells (mechanism), each set to the error of the chosen release (of the
        release with the most homes where none is).  Statistics: ``gain_all``, ``insider_all``,
        ``error_kwh``.  Without a row where there is no frontier.
        ``facts``: ``homes``, ``days``, ``smallest_n``, ``largest_n``, ``possible``.

    Raises
    ------
    ConfigError
        If there are fewer than three homes, or too few for any n and nothing may be skipped.
    """
    energy = energy_matrix(readings, resolution="days")[:, :YEAR_DAYS]
    if len(energy) > _MOST_HOMES:
        chosen = generator(seed, "recommendation", dataset, "homes").permutation(len(energy))
        energy = energy[np.sort(chosen[:_MOST_HOMES])]
    homes, days = energy.shape
    half = homes // 2
    groups = min(groups, half)
    tried = tuple(size for size in n if size <= largest_n(half, groups)) if half >= 4 else ()
    periods = tuple(
        length for length in days_per_value if days // length >= min(FEWEST_PERIODS, days)
    )
    if homes < 3:
        raise ConfigError(
            f"{dataset}: a game needs three homes or more, two candidates and one that is in the "
            f"mean with either of them, but there are {homes}."
        )
    if not tried and not skip_impossible:
        raise ConfigError(
            f"beyond.recommendation.n is {list(n)}, but half of the {homes} homes allow at most "
            f"{max(largest_n(half, groups), 0)}. Give a smaller n."
        )
    facts = rows_of(
        {},
        homes=homes,
        days=days,
        possible=float(bool(tried)),
        smallest_n=min(tried, default=math.nan),
        largest_n=max(tried, default=math.nan),
    )
    settings = Settings(
        tried,
        tuple(rounding_kwh),
        periods,
        gain,
        largest_error_share,
        draws,
        candidates,
        groups,
    )
    if not tried:
        few = _few_homes(energy, settings, dataset=dataset, seed=seed)
        return {
            "frontier": few,
            "splits": pd.DataFrame(rows_of({"split": 0}, exists=0.0)),
            "mechanisms": pd.DataFrame(columns=_MECHANISM_COLUMNS),
            "facts": pd.DataFrame(facts),
        }
    rows, first, first_half, choice = [], None, None, None
    for number in tqdm(range(splits), desc=f"recommendation, {dataset}", unit="split"):
        order = generator(seed, "recommendation", dataset, "halves", number).permutation(homes)
        parts = energy[order[:half]], energy[order[half : 2 * half]]
        finds, tests = Half(*parts), Half(*parts[::-1])
        key = (dataset, "split", number)
        found = frontier(finds, settings, key=key, seed=seed, brief=number > 0)
        cell = recommended(found, settings)
        rows += _split_rows(number, found, cell, tests, settings, key=key, seed=seed)
        if first is None:
            first, first_half, choice = found, finds, cell
    table = first.assign(chosen=0.0)
    if choice is not None:
        table.loc[choice, "chosen"] = 1.0
    return {
        "frontier": _tidy(table),
        "splits": pd.DataFrame(rows),
        "mechanisms": _mechanisms(
            first_half,
            first.loc[choice if choice is not None else _most_private(first)],
            settings,
            dataset=dataset,
            seed=seed,
            public_range_kwh=public_range_kwh,
            tolerance=tolerance,
        ),
        "facts": pd.DataFrame(facts),
    }


# --- The frontier -----------------------------------------------------------------------------


def frontier(
    half: Half,
    settings: Settings,
    *,
    key: Sequence[str | int],
    seed: int,
    brief: bool = False,
) -> pd.DataFrame:
    """Error and risk of every release, within the homes of a half.

    Parameters
    ----------
    half : Half
    settings : Settings
    key : sequence
        Coordinates of the random streams.
    seed : int
    brief : bool
        Whether to play no more than the choice needs: one rounding of each n and period, and no
        fewer homes than the first that are not enough.

    Returns
    -------
    DataFrame
        A row for each n, rounding and period, with the columns of :func:`tables`'s ``frontier``,
        and ``_low`` and ``_high`` where there is an interval.
    """
    miss = (1 - CONFIDENCE) / (len(settings.n) * len(settings.days_per_value))
    rows: list[dict[str, object]] = []
    for days in settings.days_per_value:
        plays, tells = (periods_of(each, days) for each in (half.plays_wh, half.tells_wh))
        populations = _populations(tells, settings)
        for n in sorted(settings.n, reverse=True):
            games = _Games.draw(plays, n, settings, days=days, key=key, seed=seed)
            errors = {step: games.errors(step) for step in settings.rounding_kwh}
            steps = [step for step, each in errors.items() if _is_useful(each, settings)]
            for step in [max(steps, default=settings.rounding_kwh[0])] if brief else errors:
                played = _play(games, populations, step)
                cell = {"n": n, "rounding_kwh": step, "days_per_value": days}
                rows.append({**cell, **_row(played, errors[step], settings, miss)})
            if brief and rows[-1]["gain_all"] > settings.gain:
                break
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class Errors:
    """How wrong a release makes a mean, and what it says.

    Attributes
    ----------
    error_kwh, constant_error_kwh, mean_kwh : float
        Root mean square error of a published value, that of publishing the mean of all periods
        each time, and the mean of a day.
    constant_share : float
        Share of the draws in which all values are the same.
    count : int
        Values that are published.
    """

    error_kwh: float
    constant_error_kwh: float
    mean_kwh: float
    constant_share: float
    count: int

    @property
    def error_share(self) -> float:
        """The error as a share of the mean."""
        return self.error_kwh / self.mean_kwh if self.mean_kwh else math.inf


@dataclass(frozen=True)
class _Games:
    """The games of one n and period: the draws, and what was to be published in each.

    Attributes
    ----------
    plays_wh : ndarray of int, shape (homes, T)
    n, days : int
    plan : list of list of Draw
        As of :func:`noiseless.games.rounding.plan_games`.
    totals_wh : list of ndarray
        Sums of the first variant of each draw.
    """

    plays_wh: Ints
    n: int
    days: int
    plan: list[list[Draw]]
    totals_wh: list[Ints]

    @classmethod
    def draw(
        cls,
        plays_wh: Ints,
        n: int,
        settings: Settings,
        *,
        days: int,
        key: Sequence[str | int],
        seed: int,
    ) -> "_Games":
        rng = generator(seed, "recommendation", *key, "games", "n", n, "days", days)
        plan = plan_games(
            rng,
            homes=len(plays_wh),
            n=n,
            draws=settings.draws,
            groups=settings.groups,
            candidates=settings.candidates,
        )
        return cls(plays_wh, n, days, plan, [totals_of(plays_wh, first) for first, *_ in plan])

    def release(self, rounding_kwh: float) -> RoundedMean:
        """That of a rounding, of sums over the days of a period."""
        return RoundedMean(self.n, round(rounding_kwh * WH_PER_KWH) * self.days)

    def errors(self, rounding_kwh: float) -> Errors:
        release = self.release(rounding_kwh)
        unit = self.n * self.days * WH_PER_KWH
        found = []
        for total in self.totals_wh:
            k = release.publish(total).k
            off = (release.step_wh * self.n * k - total) / unit
            same = (k == k[:, :1]).all(axis=1).mean()
            found.append(((off**2).mean(), (total / unit).var(axis=1).mean(), same))
        square, spread, same = np.mean(found, axis=0)
        return Errors(
            error_kwh=math.sqrt(square),
            constant_error_kwh=math.sqrt(spread),
            mean_kwh=float(np.mean([total.mean() for total in self.totals_wh])) / unit,
            constant_share=float(same),
            count=self.plays_wh.shape[1],
        )


def _is_useful(errors: Errors, settings: Settings) -> bool:
    """Whether the error is small enough, and the release is no constant and says more than one."""
    return (
        errors.error_share <= settings.largest_error_share
        and errors.constant_share <= MOST_CONSTANT
        and errors.error_kwh < errors.constant_error_kwh
    )


def _play(games: _Games, populations: Sequence[Population | None], rounding_kwh: float) -> Played:
    """All games against one rounding, in as many variants of each draw as there are populations."""
    release = games.release(rounding_kwh)
    variants = len(populations)
    outsiders = [each and release.seen_with(each) for each in populations]
    players = _players()
    found: dict[tuple[str, str], Floats] = {}
    risks: dict[str, Floats] = {}
    for number, draws in enumerate(games.plan):
        for variant, (draw, population) in enumerate(
            zip(draws[:variants], populations, strict=True)
        ):
            x = games.plays_wh[draw.candidates]
            total = totals_of(games.plays_wh, draw) if variant else games.totals_wh[number]
            k = release.publish(total).k
            gains = {ALL: pair_gains_of(x, k, release, outsiders[variant], players)}
            gains[ONE] = single_value_gains(x, k, release, population)
            for seen, of_adversaries in gains.items():
                for name, gain in of_adversaries.items():
                    empty = np.zeros((len(games.plan), variants))
                    found.setdefault((seen, name), empty)[number, variant] = gain.mean()
            for name, gain in gains[ALL].items() if not variant else ():
                empty = np.full((len(games.plan), len(games.plays_wh)), np.nan)
                risks.setdefault(name, empty)[number, draw.candidates] = gain
    return Played(found, {name: _exposed(risk) for name, risk in risks.items()})


def _populations(tells_wh: Ints, settings: Settings) -> list[Population]:
    """What homes are like, from all homes that tell and without each group of them."""
    told = group_numbers(len(tells_wh), settings.groups)
    return [Population.estimate(tells_wh[told != number]) for number in range(-1, settings.groups)]


def _players() -> list[Adversary]:
    """Those who need sums alone, and see what is published."""
    return [
        adversary()
        for adversary in membership_adversaries(trained=False)
        if not (adversary.is_control or adversary.sees_series)
    ]


def _exposed(risk: Floats) -> float:
    """Mean gain of the most exposed homes: chosen on every other draw, counted on the others.

    Parameters
    ----------
    risk : ndarray, shape (draws, homes)
        What is gained of a home in each draw; NaN where it is no candidate.
    """
    count = max(1, round(EXPOSED_SHARE * risk.shape[1]))
    found = []
    for chooses, counts in ((risk[::2], risk[1::2]), (risk[1::2], risk[::2])):
        first, second = _means(chooses), _means(counts)
        usable = np.flatnonzero(~np.isnan(first) & ~np.isnan(second))
        chosen = usable[np.argsort(-first[usable], kind="stable")][:count]
        if len(chosen):
            found.append(second[chosen].mean())
    return float(np.mean(found)) if found else math.nan


def _means(risk: Floats) -> Floats:
    """Means of the columns without NaN; NaN where a column has nothing else."""
    there = ~np.isnan(risk)
    count = there.sum(axis=0)
    total = np.where(there, risk, 0).sum(axis=0)
    return np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)


def _row(played: Played, errors: Errors, settings: Settings, miss: float) -> dict[str, object]:
    """The columns of one release."""
    row: dict[str, object] = {}
    # Of one end, and for each period once: numbers of homes are gone through in a fixed order.
    end = 2 * (1 - CONFIDENCE) / len(settings.days_per_value)
    for seen in (ONE, ALL):
        name, best = best_outsider(played, seen, miss)
        row |= _columns(f"gain_{seen}", best)
        row |= _columns(f"insider_{seen}", _interval(played.gains[seen, EXACT], miss))
        if seen == ALL:
            row["adversary"], row["exposed_all"] = name, played.exposed[name]
            row["sure_all"] = best_outsider(played, seen, end)[1].high
    return {
        **row,
        "error_kwh": errors.error_kwh,
        "error_share": errors.error_share,
        "constant_error_kwh": errors.constant_error_kwh,
        "constant_share": errors.constant_share,
        "useful": float(_is_useful(errors, settings)),
        "values": errors.count,
    }


def _columns(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def best_outsider(played: Played, seen: str, miss: float) -> tuple[str, Estimate]:
    """The best of those who know no other home, and the interval of what the best gains.

    Parameters
    ----------
    played : Played
    seen : str
        ``one`` or ``all`` values.
    miss : float
        Probability with which the interval misses the gain of the best within other homes.
    """
    names = [name for view, name in played.gains if view == seen and name != EXACT]
    gains = [played.gains[seen, name] for name in names]
    means = np.stack([each.mean(axis=0) for each in gains])
    best = int(means[:, 0].argmax())
    return names[best], _interval(gains[best], miss, without=means[:, 1:].max(axis=0))


def _interval(gains: Floats, miss: float, *, without: Floats | None = None) -> Estimate:
    """A gain, and where it lies within as many other homes.

    Parameters
    ----------
    gains : ndarray, shape (draws, 1 + groups)
        As of :class:`Played`.
    miss : float
        Split evenly between the ends.
    without : ndarray, shape (groups,), optional
        The gain without each group, where it is not that of one adversary.
    """
    draws, groups = gains.shape[0], gains.shape[1] - 1
    value = float(gains[:, 0].mean())
    if groups < _FEWEST_GROUPS or draws < 2:
        return Estimate(value, math.nan, math.nan, "homes")
    without = gains[:, 1:].mean(axis=0) if without is None else without
    variance = (groups - 1) / groups * float(((without - without.mean()) ** 2).sum())
    variance += float(gains[:, 0].var(ddof=1)) / draws
    # Within other homes, the gain varies as much again.
    margin = float(stdtrit(groups - 1, 1 - miss / 2)) * math.sqrt(2 * variance)
    return Estimate(value, max(value - margin, -1.0), min(value + margin, 1.0), "homes")


# --- The choice -------------------------------------------------------------------------------


def recommended(found: pd.DataFrame, settings: Settings) -> int | None:
    """The row of a frontier that is recommended; None where nothing is good enough.

    1. Of each n and period, the coarsest rounding that is useful: the gain has no say in it.
    2. Of each period, the fewest homes for which the gain is at most what is allowed, and so it is
       for all larger numbers of homes.
    3. The finest period of these; of those that are certain (whose upper end is at most the gain),
       if there are any.
    """
    useful = found[found["useful"] == 1]
    useful = useful.sort_values("rounding_kwh").groupby(["n", "days_per_value"]).tail(1)
    for column in ("sure_all", "gain_all"):
        for _, group in useful.sort_values("n", ascending=False).groupby("days_per_value"):
            if group["n"].iloc[0] != max(settings.n):
                continue
            enough = np.logical_and.accumulate(group[column].to_numpy() <= settings.gain)
            if enough.any():
                return int(group.index[int(enough.sum()) - 1])
    return None


def _most_private(found: pd.DataFrame) -> int:
    """The release with the most homes, of those that are useful if there are any."""
    order = found.sort_values(["useful", "n", "days_per_value", "rounding_kwh"])
    return int(order.index[-1])


def _split_rows(
    number: int,
    found: pd.DataFrame,
    cell: int | None,
    tests: Half,
    settings: Settings,
    *,
    key: Sequence[str | int],
    seed: int,
) -> list[dict[str, object]]:
    """What was found on one half, and what came of it on the other."""
    if cell is None:
        return rows_of({"split": number}, exists=0.0)
    row = found.loc[cell]
    days, n = int(row["days_per_value"]), int(row["n"])
    plays, tells = (periods_of(each, days) for each in (tests.plays_wh, tests.tells_wh))
    rounding_kwh = float(row["rounding_kwh"])
    games = _Games.draw(plays, n, settings, days=days, key=(*key, "held back"), seed=seed)
    errors = games.errors(rounding_kwh)
    population = Population.estimate(tells)
    played = _play(games, [population], rounding_kwh)
    statistics: dict[str, Estimate | float] = {
        "exists": 1.0,
        "certain": float(row["sure_all"] <= settings.gain),
        **{name: float(row[name]) for name in ("n", "rounding_kwh", "days_per_value")},
    }
    for seen, ending in ((ALL, ""), (ONE, "_one")):
        low, high = (row[f"gain_{seen}_{end}"] for end in ("low", "high"))
        name, held_back = best_outsider(played, seen, 1.0)
        statistics |= {
            f"found{ending}": Estimate(row[f"gain_{seen}"], low, high, "homes"),
            f"held_back{ending}": held_back.value,
            f"inside{ending}": float(low <= held_back.value <= high),
        }
        if seen == ALL:
            statistics["exposed"] = played.exposed[name]
            statistics["insider"] = float(played.gains[ALL, EXACT][:, 0].mean())
    return rows_of(
        {"split": number},
        **statistics,
        error_kwh=errors.error_kwh,
        error_share=errors.error_share,
        constant_share=errors.constant_share,
    )


def _tidy(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each statistic of each release."""
    cell = ["n", "rounding_kwh", "days_per_value", "adversary"]
    estimates = [f"{who}_{seen}" for who in ("gain", "insider") for seen in (ONE, ALL)]
    plain = [
        *(
            "sure_all",
            "exposed_all",
            "error_kwh",
            "error_share",
            "constant_error_kwh",
            "constant_share",
        ),
        *("useful", "values", "chosen"),
    ]
    rows = []
    for row in table.to_dict("records"):
        found = {
            name: Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"], "homes")
            for name in estimates
        }
        rows += rows_of(
            {name: row[name] for name in cell}, **found, **{name: row[name] for name in plain}
        )
    return pd.DataFrame(rows)


# --- Few homes, other mechanisms --------------------------------------------------------------


def _few_homes(energy: Ints, settings: Settings, *, dataset: str, seed: int) -> pd.DataFrame:
    """What can be said of homes that are too few to be cut in two: all but one in the mean.

    No home is left to tell what homes are like, so ``normal`` does not play, and there is no
    interval.
    """
    n = len(energy) - 1
    few = replace(settings, n=(n,), groups=0)
    rows = []
    for days in settings.days_per_value:
        plays = periods_of(energy, days)
        games = _Games.draw(plays, n, few, days=days, key=(dataset, "few"), seed=seed)
        for step in settings.rounding_kwh:
            played = _play(games, [None], step)
            cell = {"n": n, "rounding_kwh": step, "days_per_value": days, "chosen": 0.0}
            rows.append({**cell, **_row(played, games.errors(step), few, 1 - CONFIDENCE)})
    return _tidy(pd.DataFrame(rows))


def _mechanisms(
    half: Half,
    chosen: pd.Series,
    settings: Settings,
    *,
    dataset: str,
    seed: int,
    public_range_kwh: float,
    tolerance: float,
) -> pd.DataFrame:
    """Every mechanism at the error of the chosen release, with its n and period."""
    n, days = int(chosen["n"]), int(chosen["days_per_value"])
    plays, tells = (
        # The mean of a day, so that the public range of a day holds.
        np.rint(periods_of(each, days) / days).astype(np.int64)
        for each in (half.plays_wh, half.tells_wh)
    )
    maximum = public_maximum_wh(public_range_kwh)
    plays = np.minimum(plays, maximum)
    target = float(chosen["error_kwh"])
    key = ("recommendation", dataset, "mechanisms")
    task = Homes(np.minimum(tells, maximum), plays, maximum, n, 200, 1, key, seed)
    releases = [Identity(task.domain, 0.0)]
    for family, calibration in calibrated(task, [target], tolerance=tolerance):
        if calibration.is_attainable:
            releases.append(family(task.domain, calibration.parameter))
    population = Population.estimate(tells)
    players = _players()
    rng = generator(seed, *key, "games")
    plan = plan_games(
        rng,
        homes=len(plays),
        n=n,
        draws=settings.draws,
        groups=0,
        candidates=settings.candidates,
    )
    rows = []
    for mechanism in releases:
        noise = generator(seed, *key, "noise", mechanism.name)
        gains: dict[str, list[float]] = {}
        squares = []
        for (draw,) in plan:
            members = np.column_stack(
                [draw.candidates, np.tile(draw.others, (len(draw.candidates), 1))]
            )
            series = publish(mechanism, plays, members, noise)
            true_kwh = plays[members].sum(axis=1) / (n * WH_PER_KWH)
            off = series.kwh - true_kwh
            read_kwh = task.read(mechanism, series.kwh)
            squares.append(float(((read_kwh - true_kwh) ** 2).mean()))
            step = NoisySeries(
                n, series.step_wh, series.offset_wh, float((off * n * WH_PER_KWH).var())
            )
            x = plays[draw.candidates]
            seen = step.seen_with(population)
            for name, gain in pair_gains_of(x, series.k, step, seen, players).items():
                gains.setdefault(name, []).append(float(gain.mean()))
        means = {name: float(np.mean(values)) for name, values in gains.items() if name != EXACT}
        best = max(means, key=means.get)
        rows += rows_of(
            {"mechanism": mechanism.name, "adversary": best, "n": n, "days_per_value": days},
            gain_all=means[best],
            error_kwh=math.sqrt(np.mean(squares)),
            target_error_kwh=target,
        )
    return pd.DataFrame(rows, columns=_MECHANISM_COLUMNS)
