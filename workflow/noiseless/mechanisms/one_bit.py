"""The one-bit mechanism: report one end of a public interval, at random (``knowledge``, Eq. 5).

A value y of [a, b] is reported as b with probability

``(e^eps - 1) / (e^eps + 1) * (y - a) / (b - a) + 1 / (e^eps + 1)``

and as a otherwise, so that no report is more than e^eps times as likely under one value as under
another.  From many reports the mean of the values can be estimated.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noiseless.errors import ConfigError, DataError


@dataclass(frozen=True)
class OneBitMechanism:
    """One-bit reports of values in a public interval.

    Attributes
    ----------
    low, high : float
        Ends a and b of the interval.
    epsilon_nats : float
        Privacy guarantee of one report, larger than 0.

    Raises
    ------
    ConfigError
        If the interval is empty, or epsilon is not a positive number.
    """

    low: float
    high: float
    epsilon_nats: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ConfigError(f"[{self.low}, {self.high}] is not an interval of responses.")
        if not (math.isfinite(self.epsilon_nats) and self.epsilon_nats > 0):
            raise ConfigError(f"epsilon is {self.epsilon_nats}, but it must be larger than 0.")

    def probability_high(self, values: ArrayLike) -> NDArray[np.float64]:
        """Probability that each value is reported as ``high`` (Equation 5).

        Raises
        ------
        DataError
            If a value lies outside the interval; names the first one.
        """
        values = np.asarray(values, dtype=float)
        # Rounding of a sum of products may leave the interval by a hair.
        slack = 1e-9 * (self.high - self.low)
        inside = (values >= self.low - slack) & (values <= self.high + slack)  # False for NaN
        if not inside.all():
            raise DataError(
                f"the response {values[~inside].ravel()[0]} is outside [{self.low}, {self.high}]. "
                "Widen the interval, or truncate the response."
            )
        share = np.clip((values - self.low) / (self.high - self.low), 0, 1)
        return (np.expm1(self.epsilon_nats) * share + 1) / (np.exp(self.epsilon_nats) + 1)

    def release(self, values: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Reports of the values: 1 for ``high``, 0 for ``low``; in their shape."""
        probability = self.probability_high(values)
        return (rng.random(probability.shape) < probability).astype(np.int64)

    def unbiased(self, reports: ArrayLike) -> NDArray[np.float64]:
        """Unbiased estimate of each value from its own report (0 or 1), beyond the interval."""
        share = (np.multiply(math.exp(self.epsilon_nats) + 1, reports) - 1) / math.expm1(
            self.epsilon_nats
        )
        return self.low + (self.high - self.low) * share

    def mean_estimate(self, reports: ArrayLike) -> float:
        """Unbiased estimate of the mean of the values from their reports (0 and 1)."""
        return self.low + (self.high - self.low) * self._debiased_share(reports)

    def printed_mean_estimate(self, reports: ArrayLike) -> float:
        """The estimator as the paper prints it, with b in place of (b - a).

        Biased by a times the share of the values' mean in the interval, unless a = 0.
        """
        return self.low + self.high * self._debiased_share(reports)

    def mean_standard_error(self, reports: ArrayLike) -> float:
        """Standard error of :meth:`mean_estimate`, from the spread of the reports."""
        reports = np.asarray(reports, dtype=float)
        share = reports.mean()
        stretch = (self.high - self.low) / math.tanh(self.epsilon_nats / 2)
        return stretch * math.sqrt(share * (1 - share) / reports.size)

    def _debiased_share(self, reports: ArrayLike) -> float:
        share = float(np.mean(np.asarray(reports, dtype=float)))
        return ((math.exp(self.epsilon_nats) + 1) * share - 1) / math.expm1(self.epsilon_nats)
