"""A custodian's recommendation: the finest release that is shown to be safe, and what it costs.

A custodian is about to publish the mean of n homes, day after day, rounded to a multiple of a step
in kWh; or weekly means, or means of longer periods.

1. :class:`Halves` cuts the homes in two at random, many times.  One half of a cut plays the games,
   the other half tells the adversaries what homes are like, and the reverse.
2. :func:`interval` says how far a gain or an error would be from this in as many other homes.
3. :func:`recommended` goes from the safest release to finer ones, and stops where the upper end of
   the interval is above what is allowed.
4. :func:`recommendation_tables` writes what was recommended, and what else was tried.

The interval.  The halves of a cut are two samples of homes, so half of the squared difference of
their gains is, on average, the variance of the gain within a half, whatever its shape.  The mean
over both halves varies by half as much at most, and that within as many other homes likewise: the
variance of their difference is at most that of one half.  The luck of the draws is part of it.

The choice.  Periods are gone through from the longest to the shortest, with the most homes, then
numbers of homes from the most to the fewest.  The first release that is not *certain* (whose upper
end is above what is allowed) ends either sequence, so that no correction for the number of releases
is needed.  An upper end is too low with 2.5 %, and there are two sequences: 5 % in all.

Less data.  With fewer homes, intervals are wider and either sequence ends sooner.  Where nothing is
certain, only the safest release of all that were to be tried is named, or none if homes are too few
to try it: advice on less data is not laxer.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product, takewhile
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit
from tqdm import tqdm

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.labels import EXACT
from noiseless.adversaries.normal_homes import Population, PublishedSum
from noiseless.errors import ConfigError
from noiseless.games.comparison import calibrated
from noiseless.games.homes import Homes, publish
from noiseless.games.membership import (
    WH_PER_KWH,
    energy_matrix,
    membership_adversaries,
    public_maximum_wh,
)
from noiseless.games.pairs import (
    Draw,
    pair_gains_of,
    periods_of,
    plan_games,
    single_value_gains,
    totals_of,
)
from noiseless.games.releases import RoundedMean, sum_seen
from noiseless.mechanisms.interface import Identity, Mechanism
from noiseless.seeds import generator
from noiseless.statistics import CONFIDENCE, Estimate
from noiseless.statistics import rows as rows_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ONE, ALL = "one", "all"  # how many of the published values the adversary sees
MOST_CONSTANT = 0.05  # share of draws in which a release may be a constant and be recommended
FEWEST_PERIODS = 4  # least number of published means, for "again and again"
YEAR_DAYS = 365
TENTHS = 10
_MECHANISM_COLUMNS = [
    *("mechanism", "adversary", "n", "days_per_value"),
    *("statistic", "value", "low", "high", "over"),
]
_FEWEST_CUTS = 5
_FEWEST_HOMES = 3
_MOST_HOMES = 1000  # taken at random: more would only take longer


@dataclass(frozen=True)
class Settings:
    """What is tried, and what is good enough.

    Attributes
    ----------
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
        Draws of the other homes in a half, and candidates at most in each.
    splits : int
        Times that the homes are cut in two.
    """

    n: Sequence[int]
    rounding_kwh: Sequence[float]
    days_per_value: Sequence[int]
    gain: float
    largest_error_share: float
    draws: int
    candidates: int
    splits: int


class Release(NamedTuple):
    """The mean of n homes over a number of days, rounded to a step in kWh a day."""

    n: int
    rounding_kwh: float
    days_per_value: int

    @property
    def rule(self) -> RoundedMean:
        """The rounding of sums over the days of a period."""
        return RoundedMean(self.n, round(self.rounding_kwh * WH_PER_KWH) * self.days_per_value)


@dataclass(frozen=True)
class Played:
    """What came of one release, in some of the halves.

    Attributes
    ----------
    gains : dict of ndarray, shape (halves,)
        Mean gain over the games in each half, by what is seen and the adversary.
    risks : dict of ndarray, shape (2, homes)
        Mean gain of each home in every other draw, and in the others, by adversary, where all
        values are seen; NaN of a home that was no candidate.
    """

    gains: Mapping[tuple[str, str], Floats]
    risks: Mapping[str, Floats]

    def best_outsider(self, seen: str) -> str:
        """The name of the best of those who know no other home, of ``one`` or ``all`` values."""
        names = [name for view, name in self.gains if view == seen and name != EXACT]
        return max(names, key=lambda name: self.gains[seen, name].mean())

    def gain(self, seen: str) -> Floats:
        """What that one gains, shape (halves,)."""
        return self.gains[seen, self.best_outsider(seen)]


def recommendation_tables(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    public_range_kwh: float,
    tolerance: float,
    skip_impossible: bool = False,
    **limits: Any,
) -> dict[str, pd.DataFrame]:
    """What is recommended, what else was tried, and other mechanisms at the same error.

    Parameters
    ----------
    readings : DataFrame
        Prepared table, as for :func:`noiseless.games.membership.energy_matrix`.
    dataset, seed
        Coordinates of the random streams.
    public_range_kwh, tolerance
        The public range and tolerance of the other mechanisms, as for
        :func:`noiseless.papers.beyond.comparison_homes.comparison_tables`.
    skip_impossible : bool
        Whether homes that are too few for any n lead to tables without a recommendation; an error
        if not.
    **limits
        The fields of :class:`Settings`.

    Returns
    -------
    dict of DataFrame
        ``frontier``: cells (n, rounding_kwh, days_per_value).  Statistics: ``gain_all``, of the
        best outsider who sees all values of a year, and ``insider_all``; ``error_share`` and
        ``error_kwh``, ``constant_error_kwh``, ``constant_share``, ``useful`` (1 where the error is
        small enough and the release is no constant), ``chosen`` and ``values`` (published in that
        time).  The releases that the choice looked at have intervals over homes, and were played in
        all cuts; the others in the first.  The column ``adversary`` names the best outsider.
        ``splits``: cells (split, half), each half of a cut with the release that is described: the
        one that is chosen, or else the safest.  Statistics: ``gain_one`` and ``insider_one`` of one
        published value, ``gain_all``, ``insider_all``, ``error_kwh``, ``error_share``,
        ``constant_share``.
        ``exposed``: of that release, the gain of the best outsider in each tenth of the homes
        (``tenth``, 1 of those that are found least), and of the home that is found most (0).  Which
        homes are in a tenth is decided on one half of the draws, and they are counted on the other.
        ``mechanisms``: cells (mechanism), each set to the error of that release.  Statistics:
        ``gain_all``, ``error_kwh``.  Without a row where homes are too few.
        ``facts``: ``homes``, ``days``, ``known_homes`` (whose statistics an outsider has),
        ``smallest_n``, ``largest_n``, ``possible``, ``certain``.

    Raises
    ------
    ConfigError
        If there are fewer than three homes, or too few for any n and nothing may be skipped.
    """
    settings = Settings(**limits)
    energy = energy_matrix(readings, resolution="days")[:, :YEAR_DAYS]
    if len(energy) > _MOST_HOMES:
        order = generator(seed, "recommendation", dataset, "homes").permutation(len(energy))
        energy = energy[np.sort(order[:_MOST_HOMES])]
    homes, days = energy.shape
    if homes < _FEWEST_HOMES:
        raise ConfigError(
            f"{dataset}: a game needs three homes or more, two candidates and one that is in the "
            f"mean with either of them, but there are {homes}."
        )
    sizes = [n for n in settings.n if n < homes // 2]
    if not sizes and not skip_impossible:
        raise ConfigError(
            f"beyond.recommendation.n is {list(settings.n)}, but half of the {homes} homes allow "
            f"at most {homes // 2 - 1}. Give a smaller n."
        )
    tried = replace(
        settings,
        n=sizes or [homes - 1],
        days_per_value=[
            each for each in settings.days_per_value if days // each >= min(FEWEST_PERIODS, days)
        ],
    )
    key = ("recommendation", dataset)
    halves = Halves.cut(energy, tried, key, seed)
    cell = recommended(tried.n, tried.days_per_value, halves.is_certain) if sizes else None
    safest = max(tried.n), max(tried.days_per_value)
    subject = halves.best_rounding(*(cell or safest))
    # Without certainty, nothing less than the safest release of all is named.
    is_chosen = subject is not None and bool(sizes)
    is_chosen &= cell is not None or safest[0] == max(settings.n)
    release = subject or Release(safest[0], min(tried.rounding_kwh), safest[1])
    facts = {
        "homes": homes,
        "days": days,
        "known_homes": len(halves.sides[0][1]),
        "possible": float(bool(sizes)),
        "certain": float(cell is not None),
        "smallest_n": min(sizes, default=math.nan),
        "largest_n": max(sizes, default=math.nan),
    }
    others = _mechanisms(halves, release, public_range_kwh, tolerance) if sizes else []
    return {
        "frontier": _frontier(halves, release if is_chosen else None),
        "splits": _splits(halves, release),
        "exposed": _exposed(halves, release),
        "mechanisms": pd.DataFrame(others, columns=_MECHANISM_COLUMNS),
        "facts": pd.DataFrame(rows_of({}, **facts)),
    }


# --- The games --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Halves:
    """Homes that are cut in two, many times, and what was played in the halves.

    Attributes
    ----------
    energy_wh : ndarray of int, shape (homes, days)
    settings : Settings
    sides : list of (ndarray of int, ndarray of int)
        Numbers of the homes that play, and of those that tell; the sides of a cut follow each
        other.
    key, seed
        Key and seed of the random streams.
    """

    energy_wh: Ints
    settings: Settings
    sides: list[tuple[Ints, Ints]]
    key: tuple[str | int, ...]
    seed: int
    _played: dict[Release, Played] = field(default_factory=dict)
    _errors: dict[Release, dict[str, Floats]] = field(default_factory=dict)

    @classmethod
    def cut(
        cls, energy_wh: Ints, settings: Settings, key: tuple[str | int, ...], seed: int
    ) -> "Halves":
        """Cut homes in two as often as the settings say; of an odd number, one is idle.

        Of homes that are too few for any n, all play, and none tells what homes are like.
        """
        everyone = np.arange(len(energy_wh))
        half, sides = len(energy_wh) // 2, []
        if max(settings.n) >= half:
            return cls(energy_wh, settings, [(everyone, everyone[:0])], key, seed)
        for number in range(settings.splits):
            order = generator(seed, *key, "halves", number).permutation(everyone)
            first, second = order[:half], order[half : 2 * half]
            sides += [(first, second), (second, first)]
        return cls(energy_wh, settings, sides, key, seed)

    def is_certain(self, n: int, days: int) -> bool:
        """Whether the best rounding leaves the best outsider what is allowed, for other homes."""
        release = self.best_rounding(n, days)
        return release is not None and self.gain(release).high <= self.settings.gain

    def best_rounding(self, n: int, days: int) -> Release | None:
        """The finest rounding whose gain is not certainly above that of the coarsest useful one.

        None where no rounding is useful.
        """
        releases = [Release(n, step, days) for step in sorted(self.settings.rounding_kwh)]
        useful = [release for release in releases if self.is_useful(release)]
        if not useful:
            return None
        coarsest = self.gain(useful[-1])
        return next(each for each in useful if not self.gain(each).low > coarsest.high)

    def is_useful(self, release: Release) -> bool:
        """Whether the error is small enough, for other homes too, and the release no constant."""
        errors = self.errors(release)
        share = interval(errors["error_share"])
        return (
            (share.value if math.isnan(share.high) else share.high)
            <= self.settings.largest_error_share
            and errors["constant_share"].mean() <= MOST_CONSTANT
            and errors["error_kwh"].mean() < errors["constant_error_kwh"].mean()
        )

    def gain(self, release: Release) -> Estimate:
        """Gain of the best outsider in all cuts."""
        return interval(self.played(release).gain(ALL), most=1.0)

    def played(self, release: Release) -> Played:
        """All games against a release."""
        if release not in self._played:
            self._played[release] = self.play(release, len(self.sides))
        return self._played[release]

    def played_before(self, release: Release) -> Played:
        """What was played; the games of the first cut alone of what the choice did not look at."""
        return self._played.get(release) or self.play(release, min(2, len(self.sides)))

    def errors(self, release: Release) -> dict[str, Floats]:
        """How wrong a release makes a mean in each half, and what it says.

        Returns
        -------
        dict of ndarray, shape (halves,)
            ``error_kwh``, the root mean square error of a published value, in kWh a day;
            ``error_share``, as a share of the mean; ``constant_error_kwh``, that of publishing the
            mean of all periods each time; ``constant_share``, of the candidates for whom all values
            are the same.
        """
        if release not in self._errors:
            found = [self._errors_in(release, side) for side in range(len(self.sides))]
            self._errors[release] = {name: np.array([f[name] for f in found]) for name in found[0]}
        return self._errors[release]

    def _errors_in(self, release: Release, side: int) -> dict[str, float]:
        """Errors of the first draw of a half."""
        sums = self.sums[release.days_per_value][self.sides[side][0]]
        total = totals_of(sums, self.draws(release.n, side)[0])
        k, unit = release.rule.publish(total).k, release.n * release.days_per_value * WH_PER_KWH
        off = (release.rule.step_wh * release.n * k - total) / unit
        error, mean = math.sqrt((off**2).mean()), total.mean() / unit
        return {
            "error_kwh": error,
            "error_share": error / mean if mean else math.inf,
            "constant_error_kwh": math.sqrt((total / unit).var(axis=1).mean()),
            "constant_share": float((k == k[:, :1]).all(axis=1).mean()),
        }

    def draws(self, n: int, side: int) -> list[Draw]:
        """The draws of a half, the same for each rounding and period."""
        return plan_games(
            generator(self.seed, *self.key, "games", n, side),
            homes=len(self.sides[side][0]),
            n=n,
            draws=self.settings.draws,
            candidates=self.settings.candidates,
        )

    @cached_property
    def sums(self) -> dict[int, Ints]:
        """Readings of all homes, summed over periods, by the days of a period."""
        return {days: periods_of(self.energy_wh, days) for days in self.settings.days_per_value}

    @cached_property
    def _populations(self) -> dict[int, list[Population | None]]:
        """What the homes that tell say of such sums, by side."""
        return {
            days: [
                Population.estimate(sums[tells]) if len(tells) else None for _, tells in self.sides
            ]
            for days, sums in self.sums.items()
        }

    def play(self, release: Release, sides: int) -> Played:
        """The games of a release in the first ``sides`` halves."""
        players = outsiders()
        found: dict[tuple[str, str], Floats] = {}
        total: dict[str, Floats] = {}
        count = np.zeros((2, len(self.energy_wh)))
        words = f"means of {release.n} homes over {release.days_per_value} days"
        for side in tqdm(range(sides), desc=words, unit="half", disable=sides <= 2):
            sums = self.sums[release.days_per_value][self.sides[side][0]]
            population = self._populations[release.days_per_value][side]
            outsider = population and sum_seen(release.rule, population)
            for number, draw in enumerate(self.draws(release.n, side)):
                x = sums[draw.candidates]
                series = release.rule.publish(totals_of(sums, draw))
                gains = {
                    ALL: pair_gains_of(x, series, outsider, players),
                    ONE: single_value_gains(x, series, release.n, population),
                }
                cell = number % 2, self.sides[side][0][draw.candidates]
                count[cell] += 1
                for seen, of_adversaries in gains.items():
                    for name, gain in of_adversaries.items():
                        mean = found.setdefault((seen, name), np.zeros(sides))
                        mean[side] += gain.mean() / self.settings.draws
                for name, gain in gains[ALL].items():
                    total.setdefault(name, np.zeros_like(count))[cell] += gain
        count[count == 0] = np.nan
        return Played(found, {name: each / count for name, each in total.items()})


def outsiders() -> list[Adversary]:
    """Those who need sums alone, see what is published, and know no home."""
    return [
        adversary()
        for adversary in membership_adversaries(trained=False)
        if not (adversary.is_control or adversary.sees_series)
    ]


def interval(values: Floats, *, most: float = math.inf) -> Estimate:
    """The mean over halves, and where it would lie for as many other homes.

    Parameters
    ----------
    values : ndarray, shape (2 cuts,)
        A number of each half, the two halves of a cut next to each other.
    most : float
        Largest absolute value that there is.

    Returns
    -------
    Estimate
        No ends with fewer than five cuts, and none where a half has no number (a share of a mean
        of 0).
    """
    value = float(values.mean())
    if len(values) < 2 * _FEWEST_CUTS or not np.isfinite(values).all():
        return Estimate(value, math.nan, math.nan, "homes")
    differences = values[::2] - values[1::2]
    margin = float(stdtrit(len(differences), (1 + CONFIDENCE) / 2))
    margin *= math.sqrt((differences**2).mean() / 2)
    return Estimate(value, max(value - margin, -most), min(value + margin, most), "homes")


# --- The choice -------------------------------------------------------------------------------


def recommended(
    sizes: Sequence[int], periods: Sequence[int], is_certain: Callable[[int, int], bool]
) -> tuple[int, int] | None:
    """Number of homes and days of a period of the finest release on a path of certain ones.

    Parameters
    ----------
    sizes, periods : sequence of int
        What may be chosen from, in any order.
    is_certain : callable
        Whether a number of homes and a period are certain.

    Returns
    -------
    (int, int) or None
        1. With the most homes, the finest period that is certain, as all longer ones are.
        2. In this period, the fewest homes that are certain, as all larger numbers are.
        None where the longest period with the most homes is not.
    """
    most, *fewer = sorted(sizes, reverse=True)
    longest_first = sorted(periods, reverse=True)
    certain = list(takewhile(lambda days: is_certain(most, days), longest_first))
    if not certain:
        return None
    finest = certain[-1]
    return [most, *takewhile(lambda n: is_certain(n, finest), fewer)][-1], finest


# --- The tables -------------------------------------------------------------------------------


def _frontier(halves: Halves, chosen: Release | None) -> pd.DataFrame:
    """What every release costs and risks."""
    tried, rows = halves.settings, []
    sizes = sorted(tried.n, reverse=True)
    for days, n, step in product(tried.days_per_value, sizes, tried.rounding_kwh):
        release = Release(n, step, days)
        played, errors = halves.played_before(release), halves.errors(release)
        means = {name: each.mean() for name, each in errors.items()}
        rows += rows_of(
            {**release._asdict(), "adversary": played.best_outsider(ALL)},
            gain_all=interval(played.gain(ALL), most=1.0),
            insider_all=interval(played.gains[ALL, EXACT], most=1.0),
            **means | {"error_share": interval(errors["error_share"])},
            useful=float(halves.is_useful(release)),
            chosen=float(release == chosen),
            values=halves.sums[days].shape[1],
        )
    return pd.DataFrame(rows)


def _splits(halves: Halves, release: Release) -> pd.DataFrame:
    """What came of a release in each half."""
    played = halves.played(release)
    found = {f"insider_{seen}": played.gains[seen, EXACT] for seen in (ONE, ALL)}
    found |= {f"gain_{seen}": played.gain(seen) for seen in (ONE, ALL)} | halves.errors(release)
    rows = []
    for side in range(len(halves.sides)):
        cell = {"split": side // 2, "half": side % 2, **release._asdict()}
        rows += rows_of(cell, **{name: each[side] for name, each in found.items()})
    return pd.DataFrame(rows)


def _exposed(halves: Halves, release: Release) -> pd.DataFrame:
    """Gains of each tenth of the homes, and of the home that is found most."""
    played = halves.played(release)
    risks = played.risks[played.best_outsider(ALL)]
    counted = risks[:, ~np.isnan(risks).any(axis=0)]  # in either half of the draws
    gains = exposed_gains(counted) if counted.size else np.empty(0)
    table = pd.DataFrame({"tenth": np.arange(len(gains)), "statistic": "gain", "value": gains})
    table = table.dropna(ignore_index=True)  # of fewer than ten homes
    return pd.DataFrame(release._asdict(), index=table.index).join(table)


def exposed_gains(risks: Floats) -> Floats:
    """Mean gain of the home that is found most, and of each tenth of the homes.

    Parameters
    ----------
    risks : ndarray, shape (2, homes)
        Gains of each home in one half of the draws and in the other.

    Returns
    -------
    ndarray, shape (11,)
        Homes are put in order by one half of the draws and counted on the other half, and the
        reverse.  Number 0 is the home that is found most; 1 to 10 are tenths, from the least found.
    """
    found = []
    for chooses, counts in (risks, risks[::-1]):
        ordered = counts[np.argsort(chooses, kind="stable")]
        tenths = np.array_split(ordered, TENTHS)
        found.append([ordered[-1], *(each.mean() if len(each) else math.nan for each in tenths)])
    return np.mean(found, axis=0)


def _mechanisms(
    halves: Halves, release: Release, public_range_kwh: float, tolerance: float
) -> list[dict[str, object]]:
    """Every mechanism at the error of a release, with its n and period, in the first half."""
    n, days = release.n, release.days_per_value
    plays, tells = (
        # The mean of a day, so that the public range of a day holds.
        np.rint(periods_of(halves.energy_wh[side], days) / days).astype(np.int64)
        for side in halves.sides[0]
    )
    maximum = public_maximum_wh(public_range_kwh)
    plays = np.minimum(plays, maximum)
    target = float(halves.errors(release)["error_kwh"].mean())
    key, seed = (*halves.key, "mechanisms"), halves.seed
    task = Homes(np.minimum(tells, maximum), plays, maximum, n, 200, 1, key, seed)
    mechanisms: list[Mechanism] = [Identity(task.domain)]
    # Where the release changes nothing, only no mechanism has its error.
    targets = [target] if target > 0 else []
    for family, calibration in calibrated(task, targets, tolerance=tolerance):
        if calibration.is_attainable:
            mechanisms.append(family.on(task.domain, calibration.parameter))
    population = Population.estimate(tells)
    players, draws = outsiders(), halves.draws(n, 0)
    rows = []
    for mechanism in mechanisms:
        noise = generator(seed, *key, "noise", mechanism.name)
        gains: dict[str, list[float]] = {}
        squares = []
        for draw in draws:
            members = np.column_stack(
                [draw.candidates, np.tile(draw.others, (len(draw.candidates), 1))]
            )
            series = publish(mechanism, plays, members, noise)
            true_kwh = plays[members].sum(axis=1) / (n * WH_PER_KWH)
            off = series.kwh - true_kwh
            read_kwh = task.reader.read(series.kwh, **task.reader.published_as(mechanism))
            squares.append(float(((read_kwh - true_kwh) ** 2).mean()))
            x, noise_wh2 = plays[draw.candidates], float((off * n * WH_PER_KWH).var())
            outsider = PublishedSum(population, n - 1, noise_wh2=noise_wh2)
            for name, gain in pair_gains_of(x, series, outsider, players).items():
                gains.setdefault(name, []).append(float(gain.mean()))
        means = {name: float(np.mean(values)) for name, values in gains.items() if name != EXACT}
        best = max(means, key=lambda name: means[name])
        rows += rows_of(
            {"mechanism": mechanism.name, "adversary": best, "n": n, "days_per_value": days},
            gain_all=means[best],
            error_kwh=math.sqrt(np.mean(squares)),
            target_error_kwh=target,
        )
    return rows
