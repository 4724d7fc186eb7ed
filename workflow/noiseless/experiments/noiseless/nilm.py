"""What a quantized meter still says about a home's appliances (``noiseless``, Figure 4).

1. :func:`recording` bins the readings of REDD and keeps those bins that all meters have.
2. :func:`release` is the mechanism: the mains through a quantizer with floor(2^eps) levels on a
   public range (local noiseless privacy, Definition 2), before or after they are averaged in bins.
3. :func:`attack_tables` trains adversaries on the days before the split, and lets each say from the
   release of the later days which appliance is on.  The paper's is combinatorial optimisation
   through NILMTK, in two editions, because the paper does not say which it had: ``co`` is NILMTK
   as it is; ``co_vampire`` adds the smallest value that it sees (the "vampire power") to every sum
   of states, as older versions did.  Stronger ones are a factorial hidden Markov model that knows
   the quantizer (``hmm``) and a classifier that learned from released data (``learned``).  Three
   controls see no release: always on, always off, and on at random as often as in training.
4. :func:`choices_table` moves what the paper leaves open, one choice at a time, and says how far
   the paper's own adversary moves with it.

Two f-scores, both of NILMTK.  ``losses`` (``nilmtk.losses.f1score``): an appliance is on in a bin
if its mean power is 10 W or more.  ``metrics`` (``nilmtk.metrics.f1_score``): if every reading in
the bin is at 10 W or more, because NILMTK averages booleans and truncates them.  (NILMTK averages
the latter over stretches without a gap, weighted by length; here all bins count together.)  Where
readings are no finer than bins, the two are the same.

Intervals are percentile intervals (95 %) of a bootstrap over days: whole days of the test period
are drawn with replacement, the same draws for all adversaries and budgets.  A dozen days make a
dozen blocks: the intervals are rough, and know nothing of other homes.
"""

import logging
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
from noiseless.datasets.redd import MAINS
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.quantizer import Quantizer, local_levels
from noiseless.seeds import generator
from noiseless.tables import tidy

log = logging.getLogger(__name__)

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
        As the readers of :mod:`noiseless.datasets.redd` return it.
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
    day = _local_day(np.arange(first, first + length) * period_s)
    complete = np.all([count > 0 for count in counts.values()], axis=0)
    complete &= (day >= _day_number(first_day, -math.inf)) & (
        day <= _day_number(last_day, math.inf)
    )
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


def _local_day(time_s: NDArray[np.int64]) -> NDArray[np.int64]:
    local = pd.to_datetime(time_s, unit="s", utc=True).tz_convert(TIME_ZONE).tz_localize(None)
    return local.to_numpy().astype("datetime64[D]").astype(np.int64)


def _day_number(day: str | None, otherwise: float) -> float:
    return otherwise if day is None else int(np.datetime64(day, "D").astype(np.int64))


def split(whole: Recording, train_before: str) -> tuple[Recording, Recording]:
    """Training data, before a local day, and test data, from it on.

    Raises
    ------
    DataError
        If there are fewer than two days of either: thresholds are chosen, and intervals drawn,
        by days.
    """
    is_training = whole.day < _day_number(train_before, math.inf)
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


def attack_tables(
    redd: pd.DataFrame,
    *,
    epsilon_bits: Sequence[float],
    mains_range_w: Sequence[float],
    period_s: int,
    quantize: str,
    train_before: str,
    hmm: Mapping[str, int],
    learned: Mapping[str, int],
    draws: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Figure 4: every adversary against every budget, and what the release and the home are like.

    Parameters
    ----------
    redd : DataFrame
        Prepared readings of one home.
    epsilon_bits : sequence of float
        Privacy budgets in bits; the mains without a quantizer are added, as an infinite one.
    mains_range_w : sequence of two floats
        Public range of the mains.  Values outside are moved to its ends, and counted.
    period_s, quantize, train_before
        As for :func:`recording`, :func:`release` and :func:`split`.
    hmm : mapping
        ``on_states`` and ``other_states`` of :meth:`FactorialHMM.fit`.
    learned : mapping
        ``radius`` and ``trees`` of :meth:`WindowClassifier.fit`.
    draws : int
        Draws of the bootstrap.
    seed : int
        Seed of the configuration.

    Returns
    -------
    dict
        ``attacks``: cells (adversary, appliance, epsilon), the controls at epsilon 0, because they
        see nothing; ``mean`` is the mean over appliances.  Statistics ``f_score_losses``,
        ``f_score_metrics``, ``gain_losses``, ``gain_metrics`` (f-score minus that of always on),
        each with its interval, and ``energy_error_kwh`` (NILMTK's error in assigned energy over
        the test days; without interval).  ``release``: cells (epsilon), statistics ``levels``,
        ``levels_used`` (different values in the test data; bins that mix readings count as such),
        ``most_frequent_share``, ``rms_error_w`` and ``clipped_share`` of the bins' means.
        ``recording``: cells (part, meter), statistics ``bins``, ``days``, ``on_share`` and
        ``mean_power_w``.
    """
    train, test = split(recording(redd, period_s=period_s), train_before)
    score = Scorer(test, draws=draws, rng=generator(seed, "nilm", "bootstrap"))
    attacks = [
        score.rows(guess, adversary=name, epsilon_bits=0.0)
        for name, guess in controls(train, test, seed).items()
    ]
    co = train_combinatorial(train, seed)
    model = FactorialHMM.fit(
        train.power_w,
        train.mains_w,
        follows=train.follows,
        on_w=ON_W,
        range_w=tuple(mains_range_w),
        rng=generator(seed, "nilm", "hmm"),
        **hmm,
    )
    released_rows = []
    for budget in (*map(float, epsilon_bits), math.inf):
        quantizer = _quantizer(budget, mains_range_w)
        seen = {
            part: release(data, quantizer, quantize=quantize)
            for part, data in (("train", train), ("test", test))
        }
        guesses = {
            "co": guess_combinatorial(co, seen["test"], vampire=False),
            "co_vampire": guess_combinatorial(co, seen["test"], vampire=True),
            "hmm": guess_hmm(model, train, test, seen),
            "learned": guess_learned(train, test, seen, seed=seed, epsilon_bits=budget, **learned),
        }
        for name, guess in guesses.items():
            attacks.append(score.rows(guess, adversary=name, epsilon_bits=budget))
        released_rows.append(_describe_release(test, seen["test"], quantizer, budget))
        log.info("epsilon %g: done", budget)
    return {
        "attacks": pd.concat(attacks, ignore_index=True),
        "release": tidy(pd.DataFrame(released_rows), ["epsilon_bits"]),
        "recording": _describe_recording(train, test),
    }


def choices_table(
    redd: pd.DataFrame,
    *,
    epsilon_bits: Sequence[float],
    mains_range_w: Sequence[float],
    period_s: int,
    quantize: str,
    train_before: str,
    choices: Mapping[str, Any],
    seed: int,
) -> pd.DataFrame:
    """How far each choice that the paper leaves open moves combinatorial optimisation.

    Parameters
    ----------
    redd, epsilon_bits, mains_range_w, period_s, quantize, train_before, seed
        The baseline, ``co`` of :func:`attack_tables`.
    choices : mapping
        ``period_s``: other lengths of a bin (left out where the data is coarser);
        ``range_quantiles``: upper ends of the range as quantiles of the mains (1 is their
        maximum); ``days``: first and last day as the paper prints them; ``seeds``: how many
        trainings with other random numbers.

    Returns
    -------
    DataFrame
        Cells (choice, option, epsilon_bits); ``baseline`` is an option of every choice.  Statistics
        ``f_score_losses``, ``f_score_metrics`` and ``gain_losses``, means over the appliances.
        Option ``spread`` is the largest minus the smallest of the options of a choice.
    """
    base = {
        "mains_range_w": tuple(mains_range_w),
        "period_s": period_s,
        "quantize": quantize,
        "vampire": False,
        "days": (None, None),
        "training": 0,
    }
    variants = [("baseline", "baseline", base)]
    usual_s = redd.groupby("meter")["time_s"].agg(lambda time_s: time_s.diff().median()).max()
    for other in choices["period_s"]:
        if usual_s <= 1.5 * other and other != period_s:
            variants.append(("length of a bin", f"{other} s", {**base, "period_s": other}))
    # Where a bin holds one reading there is nothing to average.
    if usual_s < period_s:
        other = "after" if quantize == "before" else "before"
        variants.append(("quantize", f"{other} averaging", {**base, "quantize": other}))
    whole = recording(redd, period_s=period_s)
    for share in choices["range_quantiles"]:
        upper = float(np.ceil(np.quantile(whole.reading_w, share)))
        option = f"0 to {'maximum' if share == 1 else f'{100 * share:g} %'} ({upper:g} W)"
        variants.append(("public range", option, {**base, "mains_range_w": (0.0, upper)}))
    variants.append(("vampire power", "the smallest value", {**base, "vampire": True}))
    days = tuple(choices["days"])
    variants.append(("days", f"{days[0]} to {days[1]}", {**base, "days": days}))
    for number in range(1, choices["seeds"]):
        variants.append(("random numbers", f"training {number}", {**base, "training": number}))
    budgets = [*map(float, epsilon_bits), math.inf]
    values = {
        (choice, option): _combinatorial_means(
            redd, budgets, train_before=train_before, seed=seed, **settings
        )
        for choice, option, settings in variants
    }
    baseline = values.pop(("baseline", "baseline"))
    tables = []
    for choice in dict.fromkeys(choice for choice, _ in values):
        options = {"baseline": baseline} | {
            option: table for (each, option), table in values.items() if each == choice
        }
        stacked = np.stack([table.to_numpy() for table in options.values()])
        spread = pd.DataFrame(np.ptp(stacked, axis=0), columns=baseline.columns)
        for option, table in (*options.items(), ("spread", spread)):
            cells = pd.DataFrame({"choice": choice, "option": option, "epsilon_bits": budgets})
            tables.append(pd.concat([cells, table], axis=1))
    return tidy(pd.concat(tables, ignore_index=True), ["choice", "option", "epsilon_bits"])


def _combinatorial_means(
    redd: pd.DataFrame,
    budgets: Sequence[float],
    *,
    mains_range_w: Sequence[float],
    period_s: int,
    quantize: str,
    vampire: bool,
    days: tuple[str | None, str | None],
    train_before: str,
    seed: int,
    training: int,
) -> pd.DataFrame:
    """Mean scores of combinatorial optimisation, one row for each budget."""
    whole = recording(redd, period_s=period_s, first_day=days[0], last_day=days[1])
    train, test = split(whole, train_before)
    co = train_combinatorial(train, seed, training)
    always_on = np.ones((len(test.slot), len(test.appliances)), dtype=bool)
    rows = []
    for budget in budgets:
        seen = release(test, _quantizer(budget, mains_range_w), quantize=quantize)
        guess = guess_combinatorial(co, seen, vampire=vampire)
        scores = {
            score: f_scores(_counts(truth, guess.is_on)).mean()
            for score, truth in test.is_on.items()
        }
        control = f_scores(_counts(test.is_on["losses"], always_on)).mean()
        rows.append(
            {
                "f_score_losses": scores["losses"],
                "f_score_metrics": scores["metrics"],
                "gain_losses": scores["losses"] - control,
            }
        )
    return pd.DataFrame(rows)


def train_combinatorial(
    train: Recording, seed: int, training: int = 0
) -> CombinatorialOptimisation:
    """NILMTK's adversary, trained once for all budgets; ``training`` numbers its random numbers."""
    power = dict(zip(train.appliances, train.power_w.T, strict=True))
    return CombinatorialOptimisation(power, rng=generator(seed, "nilm", "co", training))


def _quantizer(epsilon_bits: float, mains_range_w: Sequence[float]) -> Quantizer | None:
    if math.isinf(epsilon_bits):
        return None
    return Quantizer(*mains_range_w, levels=local_levels(epsilon_bits), clip=True)


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


def _counts(truth: Bools, guess: Bools) -> NDArray[np.int64]:
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

    def rows(self, guess: Guess, *, adversary: str, epsilon_bits: float) -> pd.DataFrame:
        """Rows of the table of attacks for one guess."""
        samples = {f"f_score_{score}": self._samples(score, guess.is_on) for score in self._control}
        samples |= {
            f"gain_{score}": samples[f"f_score_{score}"] - control
            for score, control in self._control.items()
        }
        tail = (100 - _COVERAGE) / 2
        frames = []
        for statistic, each in samples.items():
            low, high = np.percentile(each[1:], [tail, 100 - tail], axis=0)
            frames.append(self._frame(statistic, each[0], low, high))
        hours = self._test.period_s / 3600
        difference_w = (guess.power_w - self._test.power_w).sum(axis=0)
        error = np.abs(difference_w) * hours / 1000
        error = np.append(error, error.mean())
        nothing = np.full(len(error), np.nan)
        frames.append(self._frame("energy_error_kwh", error, nothing, nothing))
        table = pd.concat(frames, ignore_index=True)
        table.insert(0, "adversary", adversary)
        table.insert(2, "epsilon_bits", epsilon_bits)
        return table

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


def _describe_release(
    test: Recording, seen: MeterRelease, quantizer: Quantizer | None, epsilon_bits: float
) -> dict[str, float]:
    values, counts = np.unique(seen.value_w, return_counts=True)
    return {
        "epsilon_bits": epsilon_bits,
        "levels": math.inf if quantizer is None else quantizer.levels,
        "levels_used": len(values),
        "most_frequent_share": counts.max() / counts.sum(),
        "rms_error_w": math.sqrt(np.mean((seen.value_w - test.mains_w) ** 2)),
        "clipped_share": 0.0
        if quantizer is None
        else np.mean((test.mains_w < quantizer.lower) | (test.mains_w > quantizer.upper)),
    }


def _describe_recording(train: Recording, test: Recording) -> pd.DataFrame:
    rows = []
    for name, part in (("train", train), ("test", test)):
        columns = {MAINS: part.mains_w, **dict(zip(part.appliances, part.power_w.T, strict=True))}
        for meter, watts in columns.items():
            rows.append(
                {
                    "part": name,
                    "meter": meter,
                    "bins": len(watts),
                    "days": len(np.unique(part.day)),
                    "on_share": np.mean(watts >= ON_W),
                    "mean_power_w": watts.mean(),
                }
            )
    return tidy(pd.DataFrame(rows), ["part", "meter"])
