"""Game of detecting which appliances are on, from the reports of a meter.

1. :func:`build_recording` bins the readings of a home and keeps those bins that all meters have;
   :func:`split_by_day` cuts it into the days that adversaries train on and those they are tested
   on.
2. :func:`release` quantizes the mains, before or after they are averaged in bins.
   :class:`MeterGame` says which days, bins, settings and draws a game has.
3. :func:`load_appliance_adversaries` loads the adversaries; :func:`fit_adversaries` fits them to
   the days before the split, and :func:`ask_guess` asks one for its guess about the later days.
4. :class:`BootstrapScorer` scores the guesses.

Two f-scores, both of NILMTK.  ``losses`` (``nilmtk.losses.f1score``): an appliance is on in a bin
if its mean power is 10 W or more.  ``metrics`` (``nilmtk.metrics.f1_score``): if every reading in
the bin is at 10 W or more, because NILMTK averages booleans and truncates them.  (NILMTK averages
``metrics`` over stretches without a gap, weighted by length; here all bins count together.)  Where
readings are no finer than bins, the two are the same.  An appliance that is never on in the test
has no score, neither there nor in a mean or an interval.

Intervals are percentile intervals (95 %) of a bootstrap over days: complete days of the test period
are drawn with replacement, the same draws for all adversaries and releases.  Where an adversary was
trained several times, with other random numbers, each draw also takes another training, and the
value is the mean over trainings.  A dozen days make a dozen blocks: the intervals are rough, and
do not cover other homes.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.adversaries import appliances as players  # whose modules are loaded by name
from noiseless.adversaries.inputs.appliances import (
    MEAN,
    MEAN_SWITCHED,
    ON_W,
    ApplianceTraining,
    Guess,
    MeterRelease,
    MeterReports,
    Recording,
)
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.registry import Game, load_adversaries
from noiseless.arrays import Bools, Floats, Ints
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.mechanisms.interface import Domain, Identity, check_played_domain
from noiseless.seeds import make_generator
from noiseless.statistics import NO_INTERVAL

APPLIANCES = Game("states", players.__name__)

TIME_ZONE = "US/Eastern"  # of the homes of REDD
_COVERAGE_PERCENT = 95


@dataclass(frozen=True)
class MeterGame:
    """What a home's meter reports, on which days, and how its adversaries are trained and scored.

    Values outside the public range of the mains are moved to its ends, and counted.  ``period_s``
    is the width of a bin, and ``days`` the first and last local day (:func:`build_recording`),
    ``train_before`` the first one of the test data (:func:`split_by_day`).  ``hmm`` has
    ``on_states`` and ``other_states`` of :meth:`FactorialHMM.fit`, ``learned`` has ``radius`` and
    ``trees`` of :meth:`WindowClassifier.fit`; ``draws`` is the number of the bootstrap's.
    """

    mains_range_w: Sequence[float]
    period_s: int
    days: Sequence[str]
    train_before: str
    hmm: Mapping[str, int]
    learned: Mapping[str, int]
    draws: int

    @property
    def settings(self) -> dict[str, Mapping[str, int]]:
        """Settings of adversaries, by their names."""
        return {"hmm": self.hmm, "learned": self.learned}

    def split_recording(
        self, readings: pd.DataFrame, *, mains: str, others: Collection[str]
    ) -> tuple[Recording, Recording]:
        """Bin a home's readings, and split them into the days of training and of the test.

        Parameters and errors are those of :func:`build_recording` and :func:`split_by_day`.
        """
        first_day, last_day = self.days
        whole = build_recording(
            readings,
            mains=mains,
            others=others,
            period_s=self.period_s,
            first_day=first_day,
            last_day=last_day,
        )
        return split_by_day(whole, self.train_before)


def build_recording(
    redd: pd.DataFrame,
    *,
    mains: str,
    others: Collection[str],
    period_s: int,
    first_day: str | None = None,
    last_day: str | None = None,
    time_zone: str = TIME_ZONE,
) -> Recording:
    """Build a recording from a home's readings, averaged in bins that all meters have.

    ``redd`` has the columns ``meter``, ``time_s`` and ``power_w``.  ``mains`` is the meter of all
    appliances together, and ``others`` are not looked at.  Bins begin at multiples of ``period_s``
    in Unix time; the first and last local day, as 2011-04-18, are kept.  A meter that is read far
    less often than once in a bin is a ConfigError, no bin with a reading of every meter a
    DataError.
    """
    redd = redd[~redd["meter"].isin(others)]
    meters = dict(iter(redd.groupby("meter", sort=False)))
    usual_s = {name: float(group["time_s"].diff().median()) for name, group in meters.items()}
    slowest = max(usual_s, key=usual_s.__getitem__)
    if usual_s[slowest] > 1.5 * period_s:
        raise ConfigError(
            f"bins of {period_s} s are too short: the data has a reading of {slowest} every "
            f"{usual_s[slowest]:g} s. Set noiseless.nilm.period_s (`period_s` of a comparison) to "
            "that or more."
        )
    slots = {name: group["time_s"].to_numpy() // period_s for name, group in meters.items()}
    first = min(slot.min() for slot in slots.values())
    length = max(slot.max() for slot in slots.values()) - first + 1
    counts = {name: np.bincount(slot - first, minlength=length) for name, slot in slots.items()}
    day = compute_local_day(np.arange(first, first + length) * period_s, time_zone)
    complete = np.all([count > 0 for count in counts.values()], axis=0)
    if first_day is not None:
        complete &= day >= parse_day(first_day)
    if last_day is not None:
        complete &= day <= parse_day(last_day)
    if not complete.any():
        raise DataError("at no time do the mains and all appliances have a reading.")

    def sum_bins(name: str, weights: NDArray[Any]) -> Floats:
        found = np.bincount(slots[name] - first, weights=weights, minlength=length)[complete]
        return np.asarray(found, dtype=np.float64)

    appliances = tuple(name for name in meters if name != mains)
    watts = {name: group["power_w"].to_numpy() for name, group in meters.items()}
    mean = {name: sum_bins(name, watts[name]) / counts[name][complete] for name in meters}
    power = np.stack([mean[name] for name in appliances], axis=1)
    above = [sum_bins(name, watts[name] >= ON_W) for name in appliances]
    every = np.stack(
        [on == counts[name][complete] for name, on in zip(appliances, above, strict=True)], axis=1
    )
    row = np.cumsum(complete) - 1
    kept = complete[slots[mains] - first]
    return Recording(
        appliances=appliances,
        period_s=period_s,
        slot=np.flatnonzero(complete) + first,
        day=day[complete],
        mains_w=mean[mains],
        power_w=power,
        is_on={"losses": power >= ON_W, "metrics": every},
        reading_w=watts[mains][kept],
        reading_bin=row[slots[mains][kept] - first],
    )


def compute_local_day(time_s: Ints, time_zone: str = TIME_ZONE) -> Ints:
    """Compute the local calendar day of Unix times (s), in days since 1970."""
    local = pd.to_datetime(time_s, unit="s", utc=True).tz_convert(time_zone).tz_localize(None)
    return local.to_numpy().astype("datetime64[D]").astype(np.int64)


def parse_day(day: str) -> int:
    """Parse a day such as 2011-04-18 to days since 1970."""
    return int(np.datetime64(day, "D").astype(np.int64))


def split_by_day(whole: Recording, train_before: str) -> tuple[Recording, Recording]:
    """Split a recording into training data, before a local day, and test data, from it on.

    Fewer than two days of either are a DataError: thresholds are chosen, and intervals drawn, by
    days.
    """
    is_training = whole.day < parse_day(train_before)
    parts = whole.select_bins(is_training), whole.select_bins(~is_training)
    for name, part in zip(("before", "from"), parts, strict=True):
        if len(np.unique(part.day)) < 2:
            raise DataError(
                f"there is less than two days of data {name} {train_before}: both training and "
                "test need more. See `train_before` of the recording in the configuration."
            )
    return parts


def release(part: Recording, mechanism: Quantizer | Identity, *, quantize: str) -> MeterRelease:
    """Release the mains (W) of a recording by a mechanism of one meter, as means in bins.

    Quantized ``before``: each reading is quantized, and the released readings are averaged in bins;
    ``after``: the means of the bins are quantized.
    """
    low, high = mechanism.domain.low, mechanism.domain.high
    check_played_domain(mechanism, Domain(low, high, "w"))
    if isinstance(mechanism, Identity):
        return MeterRelease(part.mains_w, part.mains_w, part.mains_w)
    if quantize == "after":
        index, bins = mechanism.find_bins(part.mains_w), np.arange(len(part.mains_w))
    else:
        index, bins = mechanism.find_bins(part.reading_w), part.reading_bin
    count = np.bincount(bins)

    def average_values(values: Floats) -> Floats:
        return np.bincount(bins, weights=values[index]) / count

    # The outermost cells also hold what was clipped into them.
    inner = mechanism.edges[1:-1]
    return MeterRelease(
        value_w=average_values(mechanism.midpoints),
        low_w=average_values(np.append(-math.inf, inner)),
        high_w=average_values(np.append(inner, math.inf)),
    )


# What the adversaries say ------------------------------------------------------------------------


def load_appliance_adversaries(names: Iterable[str] | None = None) -> list[type[Adversary]]:
    """Load the adversaries of appliances of some names, by default all; plugins' come last."""
    loaded = load_adversaries(APPLIANCES)
    wanted = list(APPLIANCES.names if names is None else names)
    if unknown := [name for name in wanted if name not in APPLIANCES.names]:
        raise ConfigError(
            f"no adversary who tells appliances is called {unknown[0]!r}: known are "
            f"{', '.join(APPLIANCES.names)}."
        )
    return [each for each in loaded if each.name in wanted or each.name not in APPLIANCES.names]


def fit_adversaries(
    adversaries: Iterable[type[Adversary]],
    known: Recording,
    *,
    range_w: Sequence[float],
    settings: Mapping[str, Mapping[str, int]],
    seed: int,
    number: int = 0,
) -> list[Adversary]:
    """Fit adversaries to the days before the split.

    ``settings`` are of some adversaries, by name; ``number`` is that of the training, for
    adversaries that draw random numbers in it.
    """
    training = ApplianceTraining(
        recording=known,
        range_w=(float(range_w[0]), float(range_w[1])),
        settings=settings,
        rng=partial(make_generator, seed, "nilm"),
        number=number,
    )
    return [each().fit(training) for each in adversaries]


def build_reports(
    test: Recording, seen: Mapping[str, MeterRelease], *, stream: float = 0.0
) -> MeterReports:
    """Build the reports that adversaries see of a release of the days ``train`` and ``test``.

    Of the test days, adversaries see only the times.
    """
    return MeterReports(seen["train"], seen["test"], test.slot, test.day, stream)


def ask_guess(adversary: Adversary, reports: MeterReports, *, appliances: int) -> Guess:
    """Ask a fitted adversary for its guess; a control is shown no value.

    A ConfigError if it is not, for each bin and appliance, whether the appliance is on and its
    power.
    """
    said = adversary.states(reports.hide_values() if adversary.is_control else reports)
    shape = (len(reports.slot), appliances)
    if not (
        isinstance(said, Guess)
        and np.shape(said.is_on) == np.shape(said.power_w) == shape
        and np.asarray(said.is_on).dtype == bool
        and np.isfinite(said.power_w).all()
    ):
        raise ConfigError(
            f"the adversary {adversary.name!r} must answer `states` with a Guess of two arrays of "
            f"the shape {shape} (bins, appliances): booleans, and finite numbers of watts."
        )
    return said


# Scores -----------------------------------------------------------------------------------------


def compute_f_scores(counts: NDArray[Any]) -> Floats:
    """Compute F-scores 2 TP / (2 TP + FP + FN) from counts (..., 3) of TP, FP and FN.

    What is never on (TP and FN are 0) has no score: NaN, whatever is said of it.
    """
    counts = np.asarray(counts, dtype=float)
    bottom = 2 * counts[..., 0] + counts[..., 1] + counts[..., 2]
    has_score = counts[..., 0] + counts[..., 2] > 0
    nothing = np.full_like(bottom, np.nan)
    return np.divide(2 * counts[..., 0], bottom, out=nothing, where=has_score)


def count_outcomes(truth: Bools, guess: Bools) -> Ints:
    """Count TP, FP and FN of each appliance, shape (appliances, 3), over the bins."""
    return np.stack([(truth & guess), (~truth & guess), (truth & ~guess)], axis=2).sum(axis=0)


class BootstrapScorer:
    """Scorer of guesses on the test data, with the same bootstrap draws for all guesses."""

    def __init__(self, test: Recording, *, draws: int, rng: np.random.Generator) -> None:
        self._test = test
        _, day = np.unique(test.day, return_inverse=True)
        self._day_starts = np.flatnonzero(np.append(True, np.diff(day) > 0))
        days = len(self._day_starts)
        self._weights = np.vstack([np.ones(days), rng.multinomial(days, [1 / days] * days, draws)])
        self._switched = {
            score: truth.any(axis=0) & ~truth.all(axis=0) for score, truth in test.is_on.items()
        }
        always_on = np.ones(test.power_w.shape, dtype=bool)
        self._control = {score: self._score_draws(score, always_on) for score in test.is_on}

    def _score_draws(self, score: str, is_on: Bools) -> Floats:
        """Compute F-scores, shape (draws + 1, appliances + 2), of all test data and of each draw.

        The last columns are the means over the appliances that have a score, and over those of them
        that are switched in the test.
        """
        truth = self._test.is_on[score]
        outcomes = np.stack([truth & is_on, ~truth & is_on, truth & ~is_on], axis=2)
        daily = np.add.reduceat(outcomes.astype(np.int64), self._day_starts, axis=0)
        scores = compute_f_scores(np.tensordot(self._weights, daily, axes=1))
        means = [_average_scores(scores), _average_scores(scores[:, self._switched[score]])]
        return np.column_stack([scores, *means])

    def build_rows(
        self,
        *guesses: Guess,
        adversary: str,
        epsilon_bits: float,
        unquantized: Sequence[Guess] | None = None,
    ) -> pd.DataFrame:
        """Build the rows of the table of attacks for one adversary and release.

        There is a guess for each training of the adversary.  ``unquantized`` are these trainings'
        guesses from the mains without a quantizer, for the share of its score that the adversary
        keeps, and for how far its gain is above half of what it was.
        """
        samples: dict[str, Floats] = {}
        for score, control in self._control.items():
            scores = self._average_trainings(score, guesses)
            samples[f"f_score_{score}"] = scores
            gain = scores - control
            samples[f"gain_{score}"] = gain
            if unquantized is not None:
                before = self._average_trainings(score, unquantized)
                samples[f"share_kept_{score}"] = np.divide(
                    scores, before, out=np.full_like(scores, np.nan), where=before > 0
                )
                samples[f"gain_above_half_{score}"] = gain - (before - control) / 2
        over = "days" if len(guesses) == 1 else "days and trainings"
        tail = (100 - _COVERAGE_PERCENT) / 2
        frames = []
        for statistic, each in samples.items():
            control = self._control[statistic.rpartition("_")[2]]
            low, high = np.transpose(
                [
                    # Draws of days on which the appliance is never on say nothing of it.
                    np.percentile(draws[has_score], [tail, 100 - tail])
                    if has_score.any()
                    else (np.nan, np.nan)
                    for draws, has_score in zip(each[1:].T, ~np.isnan(control[1:].T), strict=True)
                ]
            )
            frames.append(self._build_frame(statistic, each[0], low, high, over))
        hours = self._test.period_s / 3600
        power_w = np.mean([guess.power_w for guess in guesses], axis=0)
        difference_w = (power_w - self._test.power_w).sum(axis=0)
        error = np.abs(difference_w) * hours / 1000
        switched = error[self._switched["losses"]]
        error = np.append(error, [error.mean(), switched.mean() if len(switched) else np.nan])
        nothing = np.full(len(error), np.nan)
        frames.append(self._build_frame("energy_error_kwh", error, nothing, nothing, over))
        table = pd.concat(frames, ignore_index=True)
        table.insert(0, "adversary", adversary)
        table.insert(2, "epsilon_bits", epsilon_bits)
        return table

    def _average_trainings(self, score: str, guesses: Sequence[Guess]) -> Floats:
        """Compute F-scores over trainings, shape (draws + 1, appliances + 2).

        The first row is the mean over the trainings; each draw takes one of the trainings.
        """
        each = np.stack([self._score_draws(score, guess.is_on) for guess in guesses])
        draws = np.arange(each.shape[1] - 1)
        drawn = each[draws % len(guesses), draws + 1]
        return np.concatenate([each[:, :1].mean(axis=0), drawn])

    def _build_frame(
        self, statistic: str, value: Floats, low: Floats, high: Floats, over: str
    ) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "appliance": [*self._test.appliances, MEAN, MEAN_SWITCHED],
                "statistic": statistic,
                "value": value,
                "low": low,
                "high": high,
                "over": np.where(np.isnan(low), NO_INTERVAL, over),
            }
        )


def _average_scores(scores: Floats) -> Floats:
    """Average the scores of a draw over the appliances that have one; NaN where none has."""
    has_score = ~np.isnan(scores)
    count = has_score.sum(axis=1)
    total = np.where(has_score, scores, 0).sum(axis=1)
    return np.divide(total, count, out=np.full(len(scores), np.nan), where=count > 0)
