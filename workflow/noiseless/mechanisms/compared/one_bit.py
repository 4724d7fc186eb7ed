"""One random bit of each coordinate of each person's value."""

import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

from noiseless.mechanisms.interface import (
    Domain,
    Floats,
    NatsOfDifferentialPrivacy,
    TwoValuedMechanism,
    by_coordinate,
    coordinate,
    summed,
)
from noiseless.mechanisms.one_bit import OneBitMechanism


class OneBitRelease(TwoValuedMechanism):
    """Unbiased estimates of values from one random bit each; its parameter is a bit's epsilon."""

    name = "one_bit"
    kind = "epsilon"
    is_local = True

    @classmethod
    def parameter_name(cls, domain: Domain) -> str:
        """Epsilon, of a coordinate where a person has several."""
        several = domain.values * domain.coordinates > 1
        return "epsilon_per_coordinate" if several else "epsilon_nats"

    def _bit(self, axis: int) -> OneBitMechanism:
        return OneBitMechanism(self.domain.low[axis], self.domain.high[axis], self.parameter)

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats, ...]:
        """Uniform numbers from [0, 1), for each coordinate."""
        shape = shape if self.domain.coordinates == 1 else shape[:-1]
        return tuple(rng.random(shape) for _ in range(self.domain.coordinates))

    def release_given(self, values: Floats, *drawn: Floats) -> Floats:
        """Unbiased estimates, beyond the ends of the range."""

        def estimates(axis: int, part: Floats) -> Floats:
            bit = self._bit(axis)
            return bit.unbiased(drawn[axis] < bit.probability_high(part))

        return by_coordinate(self.domain.clip(values), self.domain, estimates)

    def probability_high(self, values: Floats) -> Floats:
        """Probability of the estimate above the range."""
        return self._bit(0).probability_high(self.domain.clip(values))

    @property
    def grid(self) -> tuple[float, float]:
        """The estimates of the two bits."""
        low, high = self._bit(0).unbiased([0, 1])
        return float(low), float(high - low)

    def variance(self, values: Floats) -> float:
        """Mean variance of the estimates of single values."""
        width = self.domain.width[0]
        shares = self.domain.shares(self.domain.clip(values))
        return one_bit_variance(shares, width=width, epsilon_nats=self.parameter)

    def mean_distance(self, values: Floats) -> float:
        """The mean over the four reports of a place."""
        # Not through the mechanism, so that epsilon may be infinite.
        tangent, shares = math.tanh(self.parameter / 2), self.domain.shares(values)
        total = 0.0
        for bits in product((0, 1), repeat=self.domain.coordinates):
            side = 2 * np.array(bits) - 1
            estimate = self.domain.low + (0.5 + side / (2 * tangent)) * self.domain.width
            probability = (0.5 + side * tangent * (shares - 0.5)).prod(axis=-1)
            total += float((probability * np.hypot(*(estimate - values).T)).mean())
        return total

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Logarithm of the probability of the bits."""

        def bits(axis: int, part: Floats) -> Floats:
            high = self._bit(axis).probability_high(part)
            reported = coordinate(outputs, axis, self.domain)
            middle = (self.domain.low[axis] + self.domain.high[axis]) / 2
            return np.log(np.where(reported > middle, high, 1 - high))

        return summed(by_coordinate(values, self.domain, bits), self.domain)

    def guarantee(self, *, delta: float) -> NatsOfDifferentialPrivacy:
        """Epsilon of all bits of a person."""
        bits = self.domain.values * self.domain.coordinates
        return NatsOfDifferentialPrivacy(bits * self.parameter)


def one_bit_variance(shares: NDArray[np.float64], *, width: float, epsilon_nats: float) -> float:
    """Mean variance of the unbiased estimates of single values from their one-bit reports.

    Parameters
    ----------
    shares : ndarray
        Places of the values in the public interval, 0 at its lower end and 1 at its upper.
    width : float
        Length of the interval.
    epsilon_nats : float
        The epsilon of one report; may be infinite, where the report is still one of two ends.

    Returns
    -------
    float
        width^2 (1 / (4 tanh(epsilon / 2)^2) - mean (share - 1/2)^2), in the square of its unit.
    """
    tangent = math.tanh(epsilon_nats / 2)
    return width**2 * (0.25 / tangent**2 - float(np.mean((shares - 0.5) ** 2)))


MECHANISM = OneBitRelease
