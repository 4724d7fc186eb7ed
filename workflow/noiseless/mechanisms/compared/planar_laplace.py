"""Planar Laplace noise on places (geo-indistinguishability)."""

import numpy as np

from noiseless.mechanisms.interface import Domain, Floats, Mechanism, NatsOfDifferentialPrivacy
from noiseless.mechanisms.planar_laplace import PlanarLaplaceMechanism


class PlanarLaplaceRelease(Mechanism):
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

    def release(self, values: Floats, rng: np.random.Generator) -> Floats:
        """Noisy places."""
        return PlanarLaplaceMechanism(self.parameter).release(self.domain.clip(values), rng)

    def mean_distance(self, values: Floats) -> float:
        """The distance is Gamma distributed, with shape 2."""
        return 2 / self.parameter

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Falls with the distance."""
        away = values - outputs
        return -self.parameter * np.hypot(away[..., 0], away[..., 1])

    def guarantee(self, *, delta: float) -> NatsOfDifferentialPrivacy:
        """Between any two values of the domain."""
        width, height = self.domain.width
        longest = self.domain.values * float(np.hypot(width, height))
        return NatsOfDifferentialPrivacy(longest * self.parameter)


MECHANISM = PlanarLaplaceRelease
