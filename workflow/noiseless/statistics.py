"""Estimates with intervals, and the rows of tables that hold them.

1. :class:`Estimate` is a number with an interval, and the unit that the interval samples: what
   would be drawn anew in a repetition (games, homes, days, runs, trainings), with all else fixed.
   Tables have this unit in the column ``over``.
2. :func:`estimate_proportion` and :func:`estimate_exact_proportion` are intervals of a probability,
   :func:`estimate_paired_mean` of a mean difference, :func:`estimate_home_mean` of a mean whose
   trials share homes, :func:`estimate_group_mean` of one that groups of homes have,
   :func:`estimate_run_median` of a median, and
   :func:`estimate_f_score` of an F-score.
3. :func:`build_rows` builds the rows of a tidy table from statistics; :func:`get_sampled_unit`
   returns the unit that the intervals of such rows sample.
"""

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy  # it imports its submodules lazily, and most users of this module need none
from numpy.typing import ArrayLike, NDArray

from noiseless.arrays import Floats, Ints
from noiseless.errors import ConfigError

CONFIDENCE = 0.95
SAMPLED_UNITS = (
    *("games", "homes", "days", "runs", "trainings", "days and trainings"),
    *("answers", "reports", "trips", "draws"),
)
_PLACES = 200  # of the law of a variance, each as likely as the others
NO_INTERVAL = "-"  # entry of the column ``over`` for a number without an interval


@dataclass(frozen=True)
class Estimate:
    """Estimated number with its interval, and the unit that the interval samples.

    The ends are NaN where the sample is too small for an interval.  ``over`` is one of
    :data:`SAMPLED_UNITS`: the interval tells how far the value would move if these were drawn anew
    and all else stayed fixed.
    """

    value: float
    low: float
    high: float
    over: str

    def __post_init__(self) -> None:
        if self.over not in SAMPLED_UNITS:
            raise ConfigError(
                f"`over` of an estimate must be one of {', '.join(SAMPLED_UNITS)}, got "
                f"{self.over!r}."
            )

    def scale(self, factor: float, shift: float = 0.0) -> "Estimate":
        """Return the estimate of ``factor * x + shift``; a negative factor swaps the ends."""
        ends = sorted((factor * self.low + shift, factor * self.high + shift))
        return replace(self, value=factor * self.value + shift, low=ends[0], high=ends[1])

    def convert_to_advantage(self) -> "Estimate":
        """Return the estimate of the advantage 2 p - 1, where p is the probability to be right."""
        return self.scale(2, -1)


def estimate_proportion(
    hits: int, trials: int, *, over: str = "games", confidence: float = CONFIDENCE
) -> Estimate:
    """Estimate a probability with Wilson's score interval, right on average over its values.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J. Am.
    Stat.  Assoc. 22, 1927.
    """
    z, share = float(scipy.special.ndtri((1 + confidence) / 2)), hits / trials
    width = 2 * (trials + z**2)
    middle = (2 * trials * share + z**2) / width
    half = z / width * math.sqrt(4 * trials * share * (1 - share) + z**2)
    low = 0.0 if hits == 0 else middle - half
    high = 1.0 if hits == trials else middle + half
    return Estimate(share, low, high, over)


def estimate_exact_proportion(
    hits: int, trials: int, *, miss: float, over: str = "games"
) -> Estimate:
    """Estimate a probability with Clopper and Pearson's exact interval.

    The interval misses the true one with a probability of ``miss`` at most, split evenly between
    its ends; no trial leaves [0, 1], and no value.

    C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case
    of the binomial", Biometrika 26, 1934.
    """
    quantile = scipy.special.betaincinv
    low = 0.0 if hits == 0 else float(quantile(hits, trials - hits + 1, miss / 2))
    high = 1.0 if hits == trials else float(quantile(hits + 1, trials - hits, 1 - miss / 2))
    return Estimate(hits / trials if trials else math.nan, low, high, over)


def estimate_paired_mean(difference: ArrayLike, *, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the mean difference within pairs of games, with a normal interval."""
    difference = np.asarray(difference, dtype=float)
    value = float(difference.mean())
    deviations = float(-scipy.special.ndtri((1 - confidence) / 2))
    margin = deviations * float(difference.std()) / math.sqrt(len(difference))
    return Estimate(value, value - margin, value + margin, "games")


def estimate_group_mean(
    value: float, groups: ArrayLike, *, over: str = "homes", confidence: float = CONFIDENCE
) -> Estimate:
    """Estimate a mean of gains from the means of independent groups, in Wilson's form.

    Trials that share homes are not independent, and an interval that takes them for it is too
    narrow.  Groups of trials that share none are, if the homes are: the means of B groups give the
    variance of their mean without any model of what the trials share.

    ``value`` is the mean over all trials, in [-1, 1]; the groups rest on as many trials together,
    or fewer.  The ends are NaN for fewer than two groups, and lie in [-1, 1] otherwise.
    """
    means = np.asarray(groups, dtype=float)
    if len(means) < 2:
        return Estimate(value, math.nan, math.nan, over)
    middle, variance = float(means.mean()), float(means.var(ddof=1)) / len(means)
    trials = (1 - middle**2) / variance if variance else math.inf
    low, high = _bound_mean(value, trials, len(means) - 1, -1.0, confidence)
    return Estimate(value, low, high, over)


def estimate_home_mean(
    trials: ArrayLike,
    homes: Ints,
    *,
    part: Ints | None = None,
    least: float = -1.0,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Estimate a mean of trials that share homes, with an interval over homes, by a jackknife.

    Leaving out all trials of a home shows how much the mean owes to it.  The squares of these
    changes, less what the draw of the trials adds to each, sum to the variance of the mean if homes
    were drawn anew, or to more (Efron and Stein, 1981).  Of few trials that is a difference of two
    large numbers: how far it may be off is known, and counts (:func:`_find_variance`).  The
    interval has Wilson's form with as many trials as have this variance, and Student's quantile
    with as many degrees of freedom as there are disjoint trials: the changes of few homes are few,
    and skewed.  Counted on drawn homes (:mod:`noiseless.papers.noiseless.coverage`), one of 95 %
    holds the mean in 93 % and more of the sets.

    A trial is in [least, 1], and its k ``homes``, shape (G, k), are all different; trials of
    different parts share no home, by design.  The ends lie in [least, 1], and are NaN where a part
    has fewer than 2 k homes.

    B. Efron, C. Stein, "The jackknife estimate of variance", Ann. Stat. 9, 1981. G. C. Tiao, W.
    Y. Tan, "Bayesian analysis of random-effect models in the analysis of variance.  I. Posterior
    distribution of variance-components", Biometrika 52, 1965.
    """
    gains, each_home = np.asarray(trials, dtype=float), np.asarray(homes)
    value, count, size = float(gains.mean()), *each_home.shape
    parts = np.zeros(count, dtype=np.int64) if part is None else part
    between = squared_error = drawn = disjoint = 0.0
    for one in np.unique(parts):
        chosen = parts == one
        found = _compute_home_variance(gains[chosen], each_home[chosen])
        if found is None:
            return Estimate(value, math.nan, math.nan, "homes")
        weight = float(chosen.mean()) ** 2
        between += weight * found.between
        squared_error += weight**2 * found.error**2
        drawn += weight * found.drawn
        disjoint += found.homes / size
    variance = _find_variance(between, math.sqrt(squared_error), drawn)
    share, spread = (value - least) / (1 - least), variance / (1 - least) ** 2
    independent = min(count, share * (1 - share) / spread) if spread else count
    low, high = _bound_mean(value, independent, disjoint, least, confidence)
    return Estimate(value, low, high, "homes")


class _HomeVariance(NamedTuple):
    """The parts of the variance of a mean of trials that share homes.

    ``between`` is an unbiased estimate of what homes add, with its standard ``error``, and
    ``drawn`` what the draw of the trials adds.
    """

    between: float
    error: float
    drawn: float
    homes: int


def _compute_home_variance(gains: NDArray, homes: NDArray) -> _HomeVariance | None:
    """Compute the variance of a mean over homes; None if these are too few."""
    count, size = homes.shape
    times = np.bincount(homes.ravel())
    held = times > 0
    if held.sum() < 2 * size:
        return None
    sums = np.bincount(homes.ravel(), weights=np.repeat(gains, size))[held]
    times, number = times[held], int(held.sum())
    noise = float(gains.var())
    changes = (sums - times * gains.mean()) / (count - times)
    drawn = noise * times / (count * (count - times))  # what the draw of the trials adds
    # Trials that share no home would make each change a normal number of this variance.
    scale = (number - 1) / number
    between = scale * float((changes**2 - drawn).sum())
    error = scale * math.sqrt(2 * float((drawn**2).sum()))
    return _HomeVariance(between, error, noise / count, number)


def _find_variance(between: float, error: float, drawn: float) -> float:
    """Find the variance of a mean, ``drawn`` and what homes add, of a noisy estimate of the latter.

    The mean of what the variance V may be, given the estimate's normal error, if V >= ``drawn`` has
    the density 1/V beforehand (Tiao and Tan, 1965): it is the harmonic mean of the normal law's
    part above ``drawn``.  Without an error it is the sum, and never below ``drawn``.
    """
    if not error:
        return drawn + max(between, 0.0)
    above = (np.arange(_PLACES) + 0.5) / _PLACES
    tails = np.log(above) + float(scipy.special.log_ndtr(between / error))
    may_add = between - error * scipy.special.ndtri_exp(tails)
    return float(1 / np.mean(1 / (drawn + may_add)))


def _bound_mean(
    value: float, trials: float, freedom: float, least: float, confidence: float
) -> tuple[float, float]:
    """Bound a mean in [least, 1] by Wilson's interval of so many independent trials."""
    quantile = float(scipy.special.stdtrit(freedom, (1 + confidence) / 2))
    share, weight = (value - least) / (1 - least), quantile**2 / trials
    middle = (share + weight / 2) / (1 + weight)
    half = math.sqrt(weight * share * (1 - share) + weight**2 / 4) / (1 + weight)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    # The ends of what cannot be exceeded are exact, as Wilson's are.
    ends = (0.0 if value == least else low, 1.0 if value == 1 else high)
    return (least + (1 - least) * ends[0], least + (1 - least) * ends[1])


def estimate_run_median(values: ArrayLike, *, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the median of n runs; the interval covers the median of n *other* runs.

    Whatever the distribution, the number of n runs that lie below the j-th smallest of n others is
    beta-binomial, so two order statistics of the runs are the ends (ties only add to it).  They are
    NaN where the runs are too few.
    """
    ordered = np.sort(np.asarray(values, dtype=float))
    rank = _compute_lower_rank(len(ordered), confidence)
    ends = (float(ordered[rank - 1]), float(ordered[-rank])) if rank else (math.nan, math.nan)
    return Estimate(float(np.median(ordered)), *ends, "runs")


@functools.cache
def _compute_lower_rank(n: int, confidence: float) -> int:
    """Compute the rank, among n runs, of the lower end of a median's interval; 0 for too few."""
    middle = (n + 1) // 2
    others = scipy.stats.betabinom(n, middle, n - middle + 1)
    fewer_below = others.cdf(np.arange(n))  # P(fewer than 1, 2, ..., n of the other runs)
    return int((fewer_below <= (1 - confidence) / 2).sum())


def estimate_f_score(
    hits: int, alarms: int, present: int, answers: int, *, beta: float, miss: float
) -> Estimate:
    """Estimate an F-score from counts, with the normal interval of a ratio of means.

    ``hits`` and ``alarms`` are the accepted answers of D and of D'; ``present`` are the answers of
    D, and ``answers`` all.  The interval misses the true F-score with a probability of about
    ``miss``.
    """
    weight = beta**2
    denominator = hits + alarms + weight * present
    value = (1 + weight) * hits / denominator
    # Squared terms of numerator - F denominator, one per answer; the terms have mean 0.
    squares = (
        hits * ((1 + weight) * (1 - value)) ** 2
        + alarms * value**2
        + (present - hits) * (weight * value) ** 2
    )
    width = float(-scipy.special.ndtri(miss / 2) * np.sqrt(squares) / denominator)
    return Estimate(value, value - width, value + width, "answers")


def build_rows(
    cell: Mapping[str, object], /, **statistics: Estimate | float | NDArray[np.generic]
) -> list[dict[str, object]]:
    """Build rows of a tidy table from the key columns and the statistics of one key.

    A row has the key columns, ``statistic``, ``value``, ``low``, ``high`` and ``over``, the unit
    that the interval samples; NaN and :data:`NO_INTERVAL` for a number that is not estimated.
    """
    table = []
    for name, value in statistics.items():
        if isinstance(value, Estimate):
            ends = {"value": value.value, "low": value.low, "high": value.high, "over": value.over}
        else:
            ends = {"value": float(value), "low": math.nan, "high": math.nan, "over": NO_INTERVAL}
        table.append({**cell, "statistic": name, **ends})
    return table


def get_sampled_unit(rows: pd.DataFrame) -> str:
    """Return the unit that the intervals of a table's rows sample, such as "games".

    No interval, or several units, are a ConfigError.
    """
    units = sorted(set(rows["over"]) - {NO_INTERVAL})
    if len(units) != 1:
        raise ConfigError(
            f"rows of one figure must have one unit in the column `over`, got {units or 'none'}."
        )
    return units[0]


def compute_moving_means(rows: Floats, aside: int) -> Floats:
    """Average each row over places on each side, mirrored at its ends.

    Shorter rows take all places but one.
    """
    aside = min(aside, rows.shape[1] - 1)
    return np.asarray(scipy.ndimage.uniform_filter1d(rows, 2 * aside + 1, axis=1, mode="mirror"))
