"""Number of homes from which on a published mean hides one of them.

The curator publishes the mean of n homes for each of T readings; an adversary who knows the
readings of two candidates says which of them is in it.  Its advantage is 2 P(correct) - 1.

1. Formulas of normal homes, which need no data (docs/proofs/noiseless.md, "How many homes hide
   one"): :func:`compute_normal_advantage`, for homes that are alike, and
   :func:`bound_mean_advantage`, which no adversary exceeds who knows no reading of another member.
2. :class:`HomeSample` predicts what an adversary gains from the mean of homes like those of a
   sample.  The adversary weighs the difference of the candidates by the spectra of homes and of
   what is common to them.  Its score is a sum over independent homes, so by the central limit
   theorem only the mean and the variance of the homes' scores matter; homes need not be normal, nor
   alike.
3. :func:`compute_homes_needed` solves the prediction for n.

What is common to homes (weather, weekends) hides a home from an adversary who does not know it.
Knowing it is easy: the mean of any other homes in the same days shows it.  ``known`` is the number
of homes that the adversary has it from, 0 or infinity.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, stdtr

from noiseless.arrays import Floats
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import (
    convert_to_floats,
    convert_to_python,
    is_number,
    require_whole,
)
from noiseless.seeds import make_generator
from noiseless.statistics import CONFIDENCE, compute_moving_means

MIN_HOMES, MIN_READINGS = 10, 4
MAX_HOMES_PER_MEAN = 2**24  # largest n that is searched
_MIN_ADVANTAGE = 1e-9  # of a smaller one, rounding leaves no digit
_MAX_CELL_KWH = 1e9
_HALF_WIDTH = 5  # frequencies on each side in the mean of a periodogram
_DAYS_ASIDE = 7  # readings on each side in the mean of a variance
_MAX_PAIRS, _MIN_PAIRS = 300, 60
_PRODUCTS = 4 * 10**8  # homes x readings x pairs of one prediction
_RESAMPLED = 200
_WINDOWS = 12  # at most, of which a prediction is the mean


def compute_normal_advantage(n: int, readings: int, *, known: float = math.inf) -> float:
    """Compute the advantage of the best test between two drawn homes, all normal and alike.

    The test knows mean and covariance of homes, and what is common to them from ``known`` homes
    that are not in the mean, and from the candidates; of the common part it knows nothing else.
    No spectrum enters: the advantage is P(abs(t) <= sqrt(T / 2a)), with t of Student's
    distribution of T degrees of freedom, and a = (n - 1) (1 + (n - 1) / (known + 2)).  Source:
    docs/proofs/noiseless.md, "How many homes hide one", Theorem A and its corollary.

    Parameters
    ----------
    n : int
        Homes in the mean, 2 or more.
    readings : int
        Number T of published exact means, 1 or more.
    known : float
        Number of other homes whose readings the adversary has, 0 or more; infinite: it knows the
        common part.

    Raises
    ------
    ConfigError
        If a parameter is out of its range.

    Examples
    --------
    >>> [round(compute_normal_advantage(128, 365, known=known), 3) for known in (0, math.inf)]
    [0.119, 0.769]
    """
    n, readings = require_whole("n", n, 2), require_whole("readings", readings, 1)
    known = _require_known(known)
    unknown = (n - 1) * (1 + (n - 1) / (known + 2))
    return float(2 * stdtr(readings, math.sqrt(readings / (2 * unknown))) - 1)


def bound_mean_advantage(n: int, readings: int) -> float:
    """Bound the advantage of any adversary who knows no reading of another member, from above.

    It may know all else: law of the homes, common part, mechanism.  The bound holds for candidates
    of any law with the covariance of a home, for any function of the mean, exact or not, if the sum
    of the others is normal.  Source: docs/proofs/noiseless.md, "How many homes hide one", Theorem
    C.

    Parameters
    ----------
    n, readings : int
        See :func:`compute_normal_advantage`.

    Raises
    ------
    ConfigError
        If a parameter is out of its range.

    Examples
    --------
    >>> round(bound_mean_advantage(128, 365), 3), round(bound_mean_advantage(46_000, 365), 3)
    (0.769, 0.05)
    """
    n, readings = require_whole("n", n, 2), require_whole("readings", readings, 1)
    return float(2 * ndtr(math.sqrt(readings / (2 * (n - 1)))) - 1)


@dataclass(frozen=True)
class HomesNeeded:
    """Smallest number of homes in a mean with a predicted advantage below a value.

    ``value`` has a 95 % interval over homes (a bootstrap), and is infinite if no number up to
    :data:`MAX_HOMES_PER_MEAN` suffices.  From ``bound`` homes on, no adversary reaches the
    advantage who knows no reading of another member, if the others' sum is normal
    (:func:`bound_mean_advantage`). ``homes`` and ``readings`` are those of the sample and of a
    release: means of more homes than the sample has were never played.
    """

    value: float
    low: float
    high: float
    bound: int
    homes: int
    readings: int


class HomeSample:
    """Sample of homes, which predicts the advantage against the mean of homes like them.

    ``cell_kwh`` is the width of the bins of the published *sum*, 0 for none: x_max / 2^epsilon for
    n 2^epsilon levels of the mean, for every n.  Bins are treated as uniform error, which is right
    up to two standard deviations of the sum; with bins, readings are clipped to the public range
    ``range_kwh``. ``seed`` is that of the pairs and of the bootstrap.
    """

    def __init__(
        self,
        readings_kwh: ArrayLike,
        *,
        cell_kwh: float = 0.0,
        range_kwh: float = math.inf,
        seed: int = 0,
    ) -> None:
        x = _check_readings(readings_kwh)
        cell_kwh = convert_to_python(cell_kwh)
        if not is_number(cell_kwh) or not 0 <= cell_kwh <= _MAX_CELL_KWH:
            raise ConfigError(f"`cell_kwh` must be from 0 to {_MAX_CELL_KWH:g}, got {cell_kwh!r}.")
        self.homes, self.readings = x.shape
        self._cell_kwh = float(cell_kwh)
        self._error = self._cell_kwh**2 / 12
        if self._cell_kwh:
            x = np.minimum(x, range_kwh)
        self._variance_kwh2 = float(x.var(axis=0, ddof=1).mean())
        rng = make_generator(require_whole("seed", seed, 0), "homes needed")
        pairs = min(_MAX_PAIRS, max(_MIN_PAIRS, _PRODUCTS // x.size))
        first = rng.integers(0, self.homes, pairs)
        self._pairs = first, (first + rng.integers(1, self.homes, pairs)) % self.homes
        # Each home counts once; then, resampled, as often as it was drawn.
        resampled = rng.multinomial(
            self.homes, np.full(self.homes, 1 / self.homes), size=_RESAMPLED
        )
        self._counts = np.vstack([np.ones(self.homes), resampled]).astype(np.float64)
        # Changes from reading to reading, relative to how much homes change at that time of the
        # year: the level of the others is not known, and slow movements would spread to all
        # frequencies.
        changes = np.diff(x, axis=1)
        spread = np.sqrt(compute_moving_means(changes.var(axis=0)[None], _DAYS_ASIDE)[0])
        self._spread = np.maximum(spread, 1e-9 * max(float(spread.max()), 1e-9))
        self._changes = changes / self._spread

    @cached_property
    def _spectra(self) -> tuple[Floats, Floats]:
        """Spectra (scaled) of a home about the homes' mean, and of the mean itself."""
        found = np.fft.rfft(self._changes, axis=1) / math.sqrt(self._changes.shape[1])
        mean = found.mean(axis=0)
        own = (np.abs(found - mean) ** 2).sum(axis=0) / (self.homes - 1)
        own = compute_moving_means(own[None], min(_HALF_WIDTH, 1 + len(own) // 8))[0]
        own = np.maximum(own, 1e-12 * max(float(own.max()), 1e-12))
        common = np.maximum(np.abs(mean) ** 2 - own / self.homes, 0.0)
        return own, common

    def predict(self, n: int, *, known: float = 0.0) -> Floats:
        """Predict the advantage, shape (1 + resampled,): of the sample, then of the bootstrap.

        ``n`` may be more than the homes of the sample; the adversary knows what is common from the
        mean of ``known`` other homes.
        """
        n, known = require_whole("n", n, 2), _require_known(known)
        if math.isinf(known) and not self._error:
            distance = self._distances_of_two / math.sqrt(n - 1)
            offset = np.zeros_like(distance)
        else:
            distance, offset = self._compare_pairs(n, known)
        each = ndtr(distance / 2 + offset) + ndtr(distance / 2 - offset) - 1
        first, second = self._pairs
        counts = self._counts[:, first] * self._counts[:, second]
        return np.asarray((each * counts).sum(axis=1) / counts.sum(axis=1))

    def compute_bin_in_sd(self, n: int) -> float:
        """Compute the width of a bin in standard deviations of the sum of n - 1 other homes."""
        spread_kwh = math.sqrt((n - 1) * self._variance_kwh2)
        return self._cell_kwh / spread_kwh if spread_kwh else math.inf

    @cached_property
    def _distances_of_two(self) -> Floats:
        """Distances for means of two exact readings whose common part is known."""
        return self._compare_pairs(2, math.inf)[0]

    def _compare_pairs(self, n: int, known: float) -> tuple[Floats, Floats]:
        """Compute how far apart the scores of two candidates are, and how far off their middle is.

        Both in standard deviations of the score, shape (1 + resampled, pairs).
        """
        own, common = self._spectra
        m, x, (first, second) = n - 1, self._changes, self._pairs
        u, size = x[first] - x[second], x.shape[1]
        if math.isinf(known):
            gain, shared = np.ones_like(own), np.zeros_like(own)
        elif known == 0:
            gain, shared = np.zeros_like(own), m**2 * common
        else:
            gain = common / (common + own / known)
            shared = m**2 * gain * own / known
        # The error of a bin is white in kWh, and its changes are those of white noise.
        white = self._error * float((1 / self._spread**2).mean())
        change = 2 - 2 * np.cos(2 * math.pi * np.arange(len(own)) / size)
        noise = m * own + shared + white * change
        weights = np.fft.irfft(np.fft.rfft(u, axis=1) / noise, size, axis=1)
        filtered = np.fft.irfft(np.fft.rfft(weights, axis=1) * gain, size, axis=1)
        signal = (weights * u).sum(axis=1)
        offset = m * (weights - filtered) @ x.mean(axis=0)
        variance = self._estimate_variance(x @ weights.T) * m
        if known and not math.isinf(known):
            variance = variance + m**2 / known * self._estimate_variance(x @ filtered.T)
        of_readings = np.diff(weights / self._spread, axis=1, prepend=0.0, append=0.0)
        variance = variance + self._error * (of_readings**2).sum(axis=1)
        sd = np.sqrt(np.maximum(variance, 1e-300))
        return signal / sd, offset / sd

    def _estimate_variance(self, scores: Floats) -> Floats:
        """Estimate the variance of homes' scores but the candidates', shape (1 + resampled, P)."""
        first, second = self._pairs
        number = np.arange(len(first))
        scores = scores - scores.mean(axis=0)
        moments = []
        for power in (np.ones_like(scores), scores, scores**2):
            total = self._counts @ power
            for home in (first, second):
                total = total - self._counts[:, home] * power[home, number]
            moments.append(total)
        size, mean, square = moments[0], moments[1] / moments[0], moments[2] / moments[0]
        return np.asarray((square - mean**2) * size / np.maximum(size - 1, 1))


def compute_homes_needed(
    readings_kwh: ArrayLike,
    advantage: float,
    *,
    readings: int | None = None,
    known: float = 0.0,
    cell_kwh: float = 0.0,
    seed: int = 0,
) -> HomesNeeded:
    """Compute the smallest n for which the predicted advantage is below a value.

    This is a prediction of what one adversary finds (``pair`` or ``pair_known`` of the membership
    game, at their best).  It is not a promise:

    - who knows readings of members gains more, and who knows all others is hidden from by no n;
    - other homes and other days differ from those of the sample;
    - means of more homes than the sample has were never played;
    - bins wider than two standard deviations of the others' sum tell less than is predicted.

    ``bound`` holds against any adversary who knows no reading of another member, if the others' sum
    is normal.

    Parameters
    ----------
    readings_kwh : array_like, shape (homes, T)
        Readings of :data:`MIN_HOMES` homes or more at :data:`MIN_READINGS` times or more.
    advantage : float
        1e-9 or larger, and below 1.
    readings : int, optional
        Number of consecutive readings whose means are published, :data:`MIN_READINGS` to T; the
        prediction is averaged over windows of that length.  None: T.
    known : float
        Number of other homes that the adversary knows what is common from; 0: none; infinite: it
        knows it.
    cell_kwh : float
        See :class:`HomeSample`.
    seed : int
        Seed of the pairs and of the bootstrap.

    Raises
    ------
    ConfigError
        If a parameter is out of its range.
    DataError
        See :class:`HomeSample`.

    Examples
    --------
    >>> drawn_kwh = np.random.default_rng(1).gamma(2.0, 5.0, size=(60, 90))
    >>> found = compute_homes_needed(drawn_kwh, 0.2, known=math.inf)
    >>> bool(500 < found.low <= found.value <= found.high < 800), found.bound
    (True, 703)
    """
    advantage = convert_to_python(advantage)
    if not is_number(advantage) or not _MIN_ADVANTAGE <= advantage < 1:
        raise ConfigError(
            f"`advantage` must be at least {_MIN_ADVANTAGE:g} and below 1, got {advantage!r}."
        )
    advantage = float(advantage)
    x = _check_readings(readings_kwh)
    homes, times = x.shape
    length = require_whole("readings", times if readings is None else readings, 1)
    if not MIN_READINGS <= length <= times:
        raise ConfigError(
            f"`readings` must be {MIN_READINGS} to {times}, which are there, got {length}."
        )
    first = np.linspace(0, times - length, min(times // length, _WINDOWS)).astype(int)
    samples = [
        HomeSample(x[:, start : start + length], cell_kwh=cell_kwh, seed=seed) for start in first
    ]

    def predict(n: int) -> Floats:
        return np.mean([each.predict(n, known=known) for each in samples], axis=0)

    n, before = 2, predict(2)
    needed = np.where(before < advantage, 2.0, math.inf)
    while n < MAX_HOMES_PER_MEAN and np.isinf(needed).any():
        after = predict(2 * n)
        crossed = np.isinf(needed) & (after < advantage)
        # Between two sizes, the advantage is a power of n.
        logs = [np.log(np.maximum(each[crossed], 1e-9)) for each in (before, after)]
        share = (logs[0] - math.log(advantage)) / np.maximum(logs[0] - logs[1], 1e-12)
        needed[crossed] = np.ceil(n * 2 ** np.clip(share, 0, 1))
        n, before = 2 * n, after
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(needed[1:], [tail, 1 - tail], method="nearest")
    value = float(needed[0])
    ends = min(float(low), value), max(float(high), value)
    # The smallest mean whose bound is at most the advantage (Theorem C).
    bound = max(2, 1 + math.ceil(length / (2 * ndtri((1 + advantage) / 2) ** 2)))
    return HomesNeeded(value, *ends, bound, homes, length)


def _check_readings(readings_kwh: ArrayLike) -> Floats:
    """Convert readings to an array, shape (homes, T); raise DataError if they are too few."""
    x = convert_to_floats(readings_kwh, "the readings", is_complete=True)
    if x.ndim != 2 or x.shape[0] < MIN_HOMES or x.shape[1] < MIN_READINGS:
        raise DataError(
            f"the readings must be an array of {MIN_HOMES} homes or more (rows) and "
            f"{MIN_READINGS} times or more (columns), got the shape {x.shape}."
        )
    if not np.isfinite(x).all():
        raise DataError("the readings must be finite. Leave out the homes of the others.")
    return x


def _require_known(known: Any) -> float:
    """Convert a number of known homes; raise ConfigError if it is none."""
    known = convert_to_python(known)
    if not is_number(known) or not known >= 0:
        raise ConfigError(f"`known` must be a number of homes, 0 or more, got {known!r}.")
    return float(known)
