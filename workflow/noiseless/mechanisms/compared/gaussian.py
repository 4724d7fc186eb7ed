"""Normal noise on each coordinate."""

import math

import numpy as np

from noiseless.mechanisms.gaussian import GaussianMechanism, gaussian_epsilon
from noiseless.mechanisms.interface import (
    Domain,
    Floats,
    NatsOfDifferentialPrivacy,
    NoisyMechanism,
    summed,
)


class GaussianRelease(NoisyMechanism):
    """Values with normal noise; its parameter is the standard deviation of the noise."""

    name = "gaussian"
    kind = "scale"

    @classmethod
    def parameter_name(cls, domain: Domain) -> str:
        """The standard deviation, in the unit of the values."""
        return f"sigma_{domain.unit}"

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats]:
        """Standard normal noise."""
        return (rng.normal(size=shape),)

    def release_given(self, values: Floats, *drawn: Floats) -> Floats:
        """Noisy values."""
        (noise,) = drawn
        return self.domain.clip(values) + GaussianMechanism(self.parameter).sigma * noise

    def variance(self, values: Floats) -> float:
        """The square of the standard deviation."""
        return self.parameter**2

    def mean_distance(self, values: Floats) -> float:
        """The mean of Rayleigh's distribution."""
        return math.sqrt(math.pi / 2) * self.parameter

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Falls with the square of the distance."""
        return -summed((values - outputs) ** 2, self.domain) / (2 * self.parameter**2)

    def guarantee(self, *, delta: float) -> NatsOfDifferentialPrivacy:
        """The smallest epsilon with this delta."""
        mu = self.domain.sensitivity_l2 / self.parameter
        return NatsOfDifferentialPrivacy(gaussian_epsilon(mu, delta=delta), delta)


MECHANISM = GaussianRelease
