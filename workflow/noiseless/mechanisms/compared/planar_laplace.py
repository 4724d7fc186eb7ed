"""Planar Laplace noise on places (geo-indistinguishability)."""

import numpy as np

from noiseless.mechanisms.interface import (
    Domain,
    Floats,
    NatsOfDifferentialPrivacy,
    NoisyMechanism,
    added,
)
from noiseless.mechanisms.planar_laplace import PlanarLaplaceMechanism, draw_polar


class PlanarLaplaceRelease(NoisyMechanism):
    """Places with planar Laplace noise; its parameter is epsilon for a unit of distance."""

    name = "planar_laplace"
    kind = "epsilon"

    @classmethod
    def is_for(cls, domain: Domain) -> bool:
        """Places of a plane."""
        return domain.coordinates == 2

    @classmethod
    def parameter_name(cls, domain: Domain) -> str:
        """Epsilon for a unit of distance."""
        return f"epsilon_per_{domain.unit}"

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Distances times epsilon, and directions."""
        return draw_polar(shape[:-1], rng)

    def release_given(self, values: Floats, *drawn: Floats) -> Floats:
        """Noisy places."""
        return PlanarLaplaceMechanism(self.parameter).moved(self.domain.clip(values), *drawn)

    def mean_distance(self, values: Floats) -> float:
        """The distance is Gamma distributed, with shape 2."""
        return 2 / self.parameter

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Falls with the distance."""
        return -self.parameter * np.sqrt(added((values - outputs) ** 2))

    def guarantee(self, *, delta: float) -> NatsOfDifferentialPrivacy:
        """Between any two values of the domain."""
        width, height = self.domain.width
        longest = self.domain.values * float(np.hypot(width, height))
        return NatsOfDifferentialPrivacy(longest * self.parameter)


MECHANISM = PlanarLaplaceRelease
