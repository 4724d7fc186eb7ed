"""Input and output of adversaries of the appliance game: training, releases and guesses.

1. :class:`ApplianceTraining` is the days that it knows, with the true power of every appliance; it
   is fitted to them once (:meth:`noiseless.adversaries.interface.Adversary.fit`).
2. :class:`MeterReports` is a release: of those days, and of the days in question, of which it knows
   nothing else but the times.
3. :class:`Guess` is its answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from noiseless.arrays import Bools, Floats, Ints

ON_W = 10.0  # NILMTK's threshold, in both scores and for all five appliances


def is_consecutive(slot: Ints) -> Bools:
    """Return whether each bin is the next in time after the bin before it, shape (n,)."""
    return np.append(False, np.diff(slot) == 1)


MEAN = "mean"  # what the tables call the mean over the appliances that have a score
# And that over those which are on in some bins of the test and off in others: of one that is
# always on, "always on" misses nothing, whatever a meter says, and it draws every mean towards 1.
MEAN_SWITCHED = "mean of switched"


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
    slot: Ints
    day: Ints
    mains_w: Floats
    power_w: Floats
    is_on: dict[str, Bools]
    reading_w: Floats
    reading_bin: Ints

    @property
    def follows(self) -> Bools:
        """Whether each bin is the next in time after the bin before it, shape (n,)."""
        return is_consecutive(self.slot)

    @property
    def power_when_on_w(self) -> Floats:
        """Mean power of each appliance while it is on, shape (appliances,)."""
        is_on = self.is_on["losses"]
        return (self.power_w * is_on).sum(axis=0) / np.maximum(1, is_on.sum(axis=0))

    def select_bins(self, rows: Bools) -> "Recording":
        """Select the bins where ``rows`` is True."""
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
    """Released mains of n bins, and the interval that each of them lies in.

    Attributes
    ----------
    value_w : ndarray, shape (n,)
        The released mains in each bin.
    low_w, high_w : ndarray, shape (n,)
        Ends of the interval of the mains in each bin, for an adversary who knows the quantizer.
        They are equal where nothing is quantized, and infinite where a reading lies in an outermost
        cell, because values beyond the public range are clipped into it.
    noise_w : float
        Standard deviation of noise in the released values; 0 for a quantizer.
    """

    value_w: Floats
    low_w: Floats
    high_w: Floats
    noise_w: float = 0.0

    def hide_values(self) -> "MeterRelease":
        """Return as many reports with all values NaN, for controls."""
        nothing = np.full(len(self.value_w), np.nan)
        return MeterRelease(nothing, nothing, nothing)


@dataclass(frozen=True)
class MeterReports:
    """Release of the training days, and release of the test days.

    Attributes
    ----------
    known, asked : MeterRelease
        Releases of the training days and of the test days.
    slot, day : ndarray of int, shape (n,)
        Times of the test bins, as in :class:`Recording`.
    stream : float
        Key of the random stream of adversaries that draw random numbers for this release.
    """

    known: MeterRelease
    asked: MeterRelease
    slot: Ints
    day: Ints
    stream: float = 0.0

    @property
    def follows(self) -> Bools:
        """Whether each test bin is the next in time after the bin before it, shape (n,)."""
        return is_consecutive(self.slot)

    def hide_values(self) -> "MeterReports":
        """Return reports of these times with all values NaN, for controls."""
        return replace(self, known=self.known.hide_values(), asked=self.asked.hide_values())


@dataclass(frozen=True)
class ApplianceTraining:
    """Training data of an adversary: days with true power, and its settings.

    Attributes
    ----------
    recording : Recording
        Earlier days of the home, with the true power of every appliance.
    range_w : tuple of float
        Public range of the mains.
    settings : mapping
        Settings of adversaries in the configuration, by the name of the adversary.
    rng : callable
        Creates a random generator from the key of a stream: the adversary's name, then any others.
    number : int
        Number of the training, if there are several with different random numbers.
    """

    recording: Recording
    range_w: tuple[float, float]
    settings: Mapping[str, Mapping[str, int]]
    rng: Callable[..., np.random.Generator]
    number: int = 0


@dataclass(frozen=True)
class Guess:
    """Guessed state and power of each appliance in each bin of time.

    Attributes
    ----------
    is_on : ndarray of bool, shape (n, appliances)
    power_w : ndarray, shape (n, appliances)
        Its power in watts.
    """

    is_on: Bools
    power_w: Floats
