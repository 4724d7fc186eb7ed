"""Which appliance is on, from what a meter reports.

1. :func:`recording` bins the readings of a home and keeps those bins that all meters have;
   :func:`split` cuts it into the days that adversaries train on and those they are tested on.
2. :func:`release` is a quantized meter: the mains through a quantizer, before or after they are
   averaged in bins.
3. ``guess_...`` is what each adversary says of the test data, :func:`controls` what those say who
   see no report.
4. :class:`Scorer` scores the guesses.

Two f-scores, both of NILMTK.  ``losses`` (``nilmtk.losses.f1score``): an appliance is on in a bin
if its mean power is 10 W or more.  ``metrics`` (``nilmtk.metrics.f1_score``): if every reading in
the bin is at 10 W or more, because NILMTK averages booleans and truncates them.  (NILMTK averages
the latter over stretches without a gap, weighted by length; here all bins count together.)  Where
readings are no finer than bins, the two are the same.

Intervals are percentile intervals (95 %) of a bootstrap over days: complete days of the test period
are drawn with replacement, the same draws for all adversaries and releases.  Where an adversary was
trained several times, with other random numbers, each draw also takes another training, and the
value is the mean over trainings.  A dozen days make a dozen blocks: the intervals are rough, and
know nothing of other homes.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.adversaries.combinatorial import CombinatorialOptimisation
from noiseless.adversaries.factorial_hmm import FactorialHMM
from noiseless.adversaries.on_off import best_threshold
from noiseless.adversaries.window_classifier import WindowClassifier
from noiseless.datasets.redd import MAINS, RIVALS
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.quantizer import Quantizer
from noiseless.seeds import generator

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ON_W = 10.0  # NILMTK's threshold, in both scores and for all five appliances
TIME_ZONE = "US/Eastern"  # of the homes of REDD
MEAN = "mean"  # what the tables call the mean over the appliances
_COVERAGE = 95


@dataclass(frozen=True)
class Recording:
    """Bins of time for which the mains and all appliances have a reading.

    Attributes
    ----------
    appliances : tuple of str
    period_s : int
        Length of a bin.
    slot : ndarray of int, shape (n,)
        Place of each bin in time, increasing; neighbours in time have consecutive numbers.
    day : ndarray of int, shape (n,)
        Local calendar day of each bin, in days since 1970.
    mains_w : ndarray, shape (n,)
        Mean of the mains in each bin.
    power_w : ndarray, shape (n, appliances)
        Mean power of the appliances.
    is_on : dict of str to ndarray of bool, shape (n, appliances)
        By score, ``losses`` or ``metrics``, whether each appliance counts as on.
    reading_w, reading_bin : ndarray, shape (readings,)
        The readings of the mains themselves, and the row of the bin that each lies in.
    """

    appliances: tuple[str, ...]
    period_s: int
    slot: NDArray[np.int64]
    day: NDArray[np.int64]
    mains_w: Floats
    power_w: Floats
    is_on: dict[str, Bools]
    reading_w: Floats
    reading_bin: NDArray[np.int64]

    @property
    def follows(self) -> Bools:
        """Whether each bin is the next in time after the one before it, shape (n,)."""
        return np.append(False, np.diff(self.slot) == 1)

    def part(self, rows: Bools) -> "Recording":
        """The bins in ``rows`` alone."""
        kept = rows[self.reading_bin]
        return replace(
            self,
            slot=self.slot[rows],
            day=self.day[rows],
            mains_w=self.mains_w[rows],
            power_w=self.power_w[rows],
            is_on={score: is_on[rows] for score, is_on in self.is_on.items()},
            reading_w=self.reading_w[kept],
            reading_bin=(np.cumsum(rows) - 1)[self.reading_bin[kept]],
        )


@dataclass(frozen=True)
class MeterRelease:
    """What the adversary sees.

    Attributes
    ----------
    value_w : ndarray, shape (n,)
        The released mains in each bin.
    low_w, high_w : ndarray, shape (n,)
        What whoever knows the quantizer can say: the mains in this bin lie between these; equal
        where nothing is quantized, infinite where a reading lies in an outermost cell, because
        values beyond the public range are clipped into it.
    noise_w : float
        Standard deviation of noise in the released values; 0 for a quantizer.
    """

    value_w: Floats
    low_w: Floats
    high_w: Floats
    noise_w: float = 0.0


@dataclass(frozen=True)
class Guess:
    """What an adversary says of each bin: is it on, and the power, both (n, appliances)."""

    is_on: Bools
    power_w: Floats


def recording(
    redd: pd.DataFrame,
    *,
    period_s: int,
    first_day: str | None = None,
    last_day: str | None = None,
) -> Recording:
    """Bin the readings of a home.

    Parameters
    ----------
    redd : DataFrame
        As the readers of :mod:`noiseless.datasets.redd` return it; other appliances than the
        paper's are not looked at.
    period_s : int
        Length of a bin in seconds; bins begin at multiples of it in Unix time.
    first_day, last_day : str, optional
        First and last local day to keep, as 2011-04-18; all days by default.

    Raises
    ------
    ConfigError
        If a meter is read far less often than once in a bin.
    DataError
        If no bin has a reading of every meter.
    """
    redd = redd[~redd["meter"].isin(RIVALS.values())]
    meters = dict(iter(redd.groupby("meter", sort=False)))
    usual_s = {name: float(group["time_s"].diff().median()) for name, group in meters.items()}
    slowest = max(usual_s, key=usual_s.get)
    if usual_s[slowest] > 1.5 * period_s:
        raise ConfigError(
            f"bins of {period_s} s are too short: the data has a reading of {slowest} every "
            f"{usual_s[slowest]:g} s. Set noiseless.nilm.period_s to that or more."
        )
    slots = {name: group["time_s"].to_numpy() // period_s for name, group in meters.items()}
    first = min(slot.min() for slot in slots.values())
    length = max(slot.max() for slot in slots.values()) - first + 1
    counts = {name: np.bincount(slot - first, minlength=length) for name, slot in slots.items()}
    day = local_day(np.arange(first, first + length) * period_s)
    complete = np.all([count > 0 for count in counts.values()], axis=0)
    if first_day is not None:
        complete &= day >= day_number(first_day)
    if last_day is not None:
        complete &= day <= day_number(last_day)
    if not complete.any():
        raise DataError("at no time do the mains and all appliances have a reading.")

    def sums(name: str, weights: NDArray[Any]) -> Floats:
        return np.bincount(slots[name] - first, weights=weights, minlength=length)[complete]

    appliances = tuple(name for name in meters if name != MAINS)
    watts = {name: group["power_w"].to_numpy() for name, group in meters.items()}
    mean = {name: sums(name, watts[name]) / counts[name][complete] for name in meters}
    power = np.stack([mean[name] for name in appliances], axis=1)
    above = [sums(name, watts[name] >= ON_W) for name in appliances]
    every = np.stack(
        [on == counts[name][complete] for name, on in zip(appliances, above, strict=True)], axis=1
    )
    row = np.cumsum(complete) - 1
    kept = complete[slots[MAINS] - first]
    return Recording(
        appliances=appliances,
        period_s=period_s,
        slot=np.flatnonzero(complete) + first,
        day=day[complete],
        mains_w=mean[MAINS],
        power_w=power,
        is_on={"losses": power >= ON_W, "metrics": every},
        reading_w=watts[MAINS][kept],
        reading_bin=row[slots[MAINS][kept] - first],
    )


def local_day(time_s: NDArray[np.int64]) -> NDArray[np.int64]:
    """Local calendar day of Unix times, in days since 1970."""
    local = pd.to_datetime(time_s, unit="s", utc=True).tz_convert(TIME_ZONE).tz_localize(None)
    return local.to_numpy().astype("datetime64[D]").astype(np.int64)


def day_number(day: str) -> int:
    """A day such as 2011-04-18, in days since 1970."""
    return int(np.datetime64(day, "D").astype(np.int64))


def split(whole: Recording, train_before: str) -> tuple[Recording, Recording]:
    """Training data, before a local day, and test data, from it on.

    Raises
    ------
    DataError
        If there are fewer than two days of either: thresholds are chosen, and intervals drawn,
        by days.
    """
    is_training = whole.day < day_number(train_before)
    parts = whole.part(is_training), whole.part(~is_training)
    for name, part in zip(("before", "from"), parts, strict=True):
        if len(np.unique(part.day)) < 2:
            raise DataError(
                f"there is less than two days of data {name} {train_before}: both training and "
                "test need more. See noiseless.nilm.train_before."
            )
    return parts


def release(part: Recording, quantizer: Quantizer | None, *, quantize: str) -> MeterRelease:
    """Released mains.

    Parameters
    ----------
    part : Recording
    quantizer : Quantizer or None
        None releases the mains as they are.
    quantize : str
        ``before``: each reading is quantized, and the released readings are averaged in bins;
        ``after``: the means of the bins are quantized.
    """
    if quantizer is None:
        return MeterRelease(part.mains_w, part.mains_w, part.mains_w)
    if quantize == "after":
        index, bins = quantizer.index(part.mains_w), np.arange(len(part.mains_w))
    else:
        index, bins = quantizer.index(part.reading_w), part.reading_bin
    count = np.bincount(bins)

    def mean(values: Floats) -> Floats:
        return np.bincount(bins, weights=values[index]) / count

    # The outermost cells also hold what was clipped into them.
    inner = quantizer.edges[1:-1]
    return MeterRelease(
        value_w=mean(quantizer.midpoints),
        low_w=mean(np.append(-math.inf, inner)),
        high_w=mean(np.append(inner, math.inf)),
    )


def train_combinatorial(
    train: Recording, seed: int, training: int = 0
) -> CombinatorialOptimisation:
    """NILMTK's adversary, trained once for all budgets; ``training`` numbers its random numbers."""
    power = dict(zip(train.appliances, train.power_w.T, strict=True))
    return CombinatorialOptimisation(power, rng=generator(seed, "nilm", "co", training))


# What the adversaries and the controls say ------------------------------------------------------


def guess_combinatorial(
    co: CombinatorialOptimisation, seen: MeterRelease, *, vampire: bool
) -> Guess:
    """What NILMTK says; with ``vampire``, of sums to which the smallest value seen is added."""
    # To take it off the mains is to add it to every sum.
    power = co.disaggregate(seen.value_w - (seen.value_w.min() if vampire else 0.0))
    return Guess(power >= ON_W, power)


def guess_hmm(
    model: FactorialHMM, train: Recording, test: Recording, seen: Mapping[str, MeterRelease]
) -> Guess:
    """What the hidden Markov model says of the test data.

    Thresholds are those with the best f-score on the training data, released alike.
    """
    known, _ = _posterior(model, train, seen["train"])
    columns = zip(known.T, train.is_on["losses"].T, strict=True)
    thresholds = [best_threshold(*column) for column in columns]
    on, power = _posterior(model, test, seen["test"])
    return Guess(on >= thresholds, power)


def _posterior(model: FactorialHMM, part: Recording, seen: MeterRelease) -> tuple[Floats, Floats]:
    return model.posterior(seen.low_w, seen.high_w, follows=part.follows, noise_w=seen.noise_w)


def guess_learned(
    train: Recording,
    test: Recording,
    seen: Mapping[str, MeterRelease],
    *,
    seed: int,
    epsilon_bits: float,
    radius: int,
    trees: int,
) -> Guess:
    """What a classifier of windows says, trained on the training data as they are released."""
    classifier = WindowClassifier.fit(
        seen["train"].value_w,
        train.is_on["losses"],
        slot=train.slot,
        day=train.day,
        radius=radius,
        trees=trees,
        rng=generator(seed, "nilm", "learned", epsilon_bits),
    )
    is_on = classifier.is_on(seen["test"].value_w, slot=test.slot)
    return Guess(is_on, is_on * _mean_power_when_on(train))


def controls(train: Recording, test: Recording, seed: int) -> dict[str, Guess]:
    """Guessers that see no release, only the training data."""
    shape = (len(test.slot), len(test.appliances))
    share = train.is_on["losses"].mean(axis=0)
    by_chance = generator(seed, "nilm", "chance").random(shape) < share
    guesses = {
        "always_on": np.ones(shape, dtype=bool),
        "always_off": np.zeros(shape, dtype=bool),
        "chance": by_chance,
    }
    power = _mean_power_when_on(train)
    return {name: Guess(is_on, is_on * power) for name, is_on in guesses.items()}


def _mean_power_when_on(train: Recording) -> Floats:
    is_on = train.is_on["losses"]
    return (train.power_w * is_on).sum(axis=0) / np.maximum(1, is_on.sum(axis=0))


# Scores -----------------------------------------------------------------------------------------


def f_scores(counts: NDArray[Any]) -> Floats:
    """F-score 2 TP / (2 TP + FP + FN) from counts (..., 3) of TP, FP, FN; 0 where all are 0."""
    counts = np.asarray(counts, dtype=float)
    bottom = 2 * counts[..., 0] + counts[..., 1] + counts[..., 2]
    return np.divide(2 * counts[..., 0], bottom, out=np.zeros_like(bottom), where=bottom > 0)


def outcomes(truth: Bools, guess: Bools) -> NDArray[np.int64]:
    """TP, FP and FN of each appliance, shape (appliances, 3)."""
    return np.stack([(truth & guess), (~truth & guess), (truth & ~guess)], axis=2).sum(axis=0)


class Scorer:
    """Scores guesses on the test data, all with the same bootstrap draws."""

    def __init__(self, test: Recording, *, draws: int, rng: np.random.Generator) -> None:
        self._test = test
        _, day = np.unique(test.day, return_inverse=True)
        self._day_starts = np.flatnonzero(np.append(True, np.diff(day) > 0))
        days = len(self._day_starts)
        self._weights = np.vstack([np.ones(days), rng.multinomial(days, [1 / days] * days, draws)])
        always_on = np.ones(test.power_w.shape, dtype=bool)
        self._control = {score: self._samples(score, always_on) for score in test.is_on}

    def _samples(self, score: str, is_on: Bools) -> Floats:
        """F-scores, the whole test data first and then each draw: (draws + 1, appliances + 1)."""
        truth = self._test.is_on[score]
        outcomes = np.stack([truth & is_on, ~truth & is_on, truth & ~is_on], axis=2)
        daily = np.add.reduceat(outcomes.astype(np.int64), self._day_starts, axis=0)
        scores = f_scores(np.tensordot(self._weights, daily, axes=1))
        return np.column_stack([scores, scores.mean(axis=1)])

    def rows(
        self,
        *guesses: Guess,
        adversary: str,
        epsilon_bits: float,
        unquantized: Sequence[Guess] | None = None,
    ) -> pd.DataFrame:
        """Rows of the table of attacks for one adversary and release.

        Parameters
        ----------
        *guesses : Guess
            One for each training of the adversary.
        adversary, epsilon_bits
            The cell.
        unquantized : sequence of Guess, optional
            What the same trainings say of the mains without a quantizer, for the share of its score
            that the adversary keeps.
        """
        samples: dict[str, Floats] = {}
        for score, control in self._control.items():
            scores = self._of_trainings(score, guesses)
            samples[f"f_score_{score}"] = scores
            samples[f"gain_{score}"] = scores - control
            if unquantized is not None:
                before = self._of_trainings(score, unquantized)
                samples[f"share_kept_{score}"] = np.divide(
                    scores, before, out=np.full_like(scores, np.nan), where=before > 0
                )
        tail = (100 - _COVERAGE) / 2
        frames = []
        for statistic, each in samples.items():
            low, high = np.percentile(each[1:], [tail, 100 - tail], axis=0)
            frames.append(self._frame(statistic, each[0], low, high))
        hours = self._test.period_s / 3600
        power_w = np.mean([guess.power_w for guess in guesses], axis=0)
        difference_w = (power_w - self._test.power_w).sum(axis=0)
        error = np.abs(difference_w) * hours / 1000
        error = np.append(error, error.mean())
        nothing = np.full(len(error), np.nan)
        frames.append(self._frame("energy_error_kwh", error, nothing, nothing))
        table = pd.concat(frames, ignore_index=True)
        table.insert(0, "adversary", adversary)
        table.insert(2, "epsilon_bits", epsilon_bits)
        return table

    def _of_trainings(self, score: str, guesses: Sequence[Guess]) -> Floats:
        """As :meth:`_samples`: the mean over trainings first, then each draw of its training."""
        each = np.stack([self._samples(score, guess.is_on) for guess in guesses])
        draws = np.arange(each.shape[1] - 1)
        drawn = each[draws % len(guesses), draws + 1]
        return np.concatenate([each[:, :1].mean(axis=0), drawn])

    def _frame(self, statistic: str, value: Floats, low: Floats, high: Floats) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "appliance": [*self._test.appliances, MEAN],
                "statistic": statistic,
                "value": value,
                "low": low,
                "high": high,
            }
        )
