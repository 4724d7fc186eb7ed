"""Laplace noise on each coordinate."""

import math

import numpy as np

from noiseless.mechanisms.interface import (
    Domain,
    Floats,
    NatsOfDifferentialPrivacy,
    NoisyMechanism,
    summed,
)
from noiseless.mechanisms.laplace import LaplaceMechanism

# Mean of the length of a vector of two independent Laplace variables of scale 1: in polar
# coordinates the integral over a quarter of the plane is that of 2 / (cos + sin)^3.
LAPLACE_LENGTH = 1 + math.log(1 + math.sqrt(2)) / math.sqrt(2)


class LaplaceRelease(NoisyMechanism):
    """Values with Laplace noise; its parameter is the scale of the noise."""

    name = "laplace"
    kind = "scale"

    @classmethod
    def parameter_name(cls, domain: Domain) -> str:
        """The scale, in the unit of the values."""
        return f"scale_{domain.unit}"

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats]:
        """Laplace noise of scale 1."""
        return (rng.laplace(size=shape),)

    def release_given(self, values: Floats, *drawn: Floats) -> Floats:
        """Noisy values."""
        sensitivity, (noise,) = self.domain.sensitivity_l1, drawn
        mechanism = LaplaceMechanism(sensitivity, sensitivity / self.parameter)
        return self.domain.clip(values) + mechanism.scale * noise

    def variance(self, values: Floats) -> float:
        """Twice the square of the scale."""
        return 2 * self.parameter**2

    def mean_distance(self, values: Floats) -> float:
        """The mean length of two independent Laplace variables."""
        return LAPLACE_LENGTH * self.parameter

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Falls with the distance along the coordinates."""
        return -summed(np.abs(values - outputs), self.domain) / self.parameter

    def guarantee(self, *, delta: float) -> NatsOfDifferentialPrivacy:
        """The sensitivity in the 1-norm, in scales."""
        return NatsOfDifferentialPrivacy(self.domain.sensitivity_l1 / self.parameter)


MECHANISM = LaplaceRelease
