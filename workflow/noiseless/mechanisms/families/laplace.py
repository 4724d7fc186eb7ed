"""Laplace perturbation: a query's answer plus Laplace noise (``prrelation``, Theorem 1)."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from noiseless.arrays import Floats
from noiseless.mechanisms.containers import check_positive
from noiseless.mechanisms.guarantees import NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import (
    Domain,
    NoisyMechanism,
    check_domain,
    compute_differences,
    sum_coordinates,
)

# Mean of the length of a vector of two independent Laplace variables of scale 1: in polar
# coordinates the integral over a quarter of the plane is that of 2 / (cos + sin)^3.
MEAN_LAPLACE_LENGTH = 1 + math.log(1 + math.sqrt(2)) / math.sqrt(2)


@dataclass(frozen=True)
class LaplaceMechanism(NoisyMechanism):
    """Laplace mechanism: Laplace noise is added to each number of an answer.

    Attributes
    ----------
    domain : Domain
        Public range of the answer, into which it is clipped.
    scale : float
        Scale of the noise, the mean of its absolute value, in the answer's unit.

    Raises
    ------
    ConfigError
        If the domain is none, or the scale is not positive and finite.

    Notes
    -----
    For experiments.  Floating-point noise has gaps that betray the answer to an adversary who sees
    all its digits (Mironov, CCS 2012); a real release needs a library that closes them.

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim, A. Smith, "Calibrating noise to sensitivity in private data
    analysis", TCC 2006.

    Examples
    --------
    The mean of a hundred incomes on a scale from 0 to 5, with half a nat:

    >>> incomes = Domain((0.0,), (5.0,), "income", people=100)
    >>> mechanism = LaplaceMechanism.from_budget(incomes, epsilon_nats=0.5)
    >>> mechanism.scale, mechanism.guarantee()
    (0.1, NatsOfDifferentialPrivacy(epsilon_nats=0.5, delta=0.0))
    >>> mechanism.release([2.31], rng=1).round(2)
    array([2.31])
    """

    domain: Domain
    scale: float

    name = "laplace"
    label = "Laplace noise"
    colour, marker, order = "orange", "s", 3
    kind, parameter_called, smallest = "scale", "scale_{unit}", 0.0
    parameter_is = "scale"

    def __post_init__(self) -> None:
        check_domain(self.name, self.domain)
        check_positive("the scale of Laplace noise", self.scale)

    @classmethod
    def from_budget(cls, domain: Domain, *, epsilon_nats: float) -> Self:
        """Create the mechanism whose noise gives a budget on a bounded domain."""
        check_domain(cls.name, domain)
        check_positive("epsilon_nats", epsilon_nats)
        check_positive("the sensitivity of the domain", domain.sensitivity_l1)
        return cls(domain, domain.sensitivity_l1 / epsilon_nats)

    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats]:
        """Draw Laplace noise of scale 1 of a shape."""
        return (rng.laplace(size=shape),)

    def release_given(self, values: Floats, *noise: Floats) -> Floats:
        """Compute the clipped values plus the scale times the noise."""
        return self.domain.clip(values) + self.scale * noise[0]

    def variance(self, values: Floats) -> float:
        """Return the variance of the noise, 2 scale^2."""
        return 2 * self.scale**2

    def mean_distance(self, values: Floats) -> float:
        """Return the mean length of a vector of two independent Laplace variables."""
        return MEAN_LAPLACE_LENGTH * self.scale

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Compute minus the 1-norm distance of outputs and values over the scale."""
        return (
            -sum_coordinates(np.abs(compute_differences(values, outputs)), self.domain) / self.scale
        )

    def guarantee(self, *, delta: float = 0.0) -> NatsOfDifferentialPrivacy:
        """Return the pure guarantee to one person, with the sensitivity of the domain."""
        return self.compute_guarantee(self.domain.sensitivity_l1)

    def compute_guarantee(self, sensitivity: float) -> NatsOfDifferentialPrivacy:
        """Return the pure guarantee to one person for an answer of a given sensitivity.

        Parameters
        ----------
        sensitivity : float
            Largest change of the answer in the 1-norm when one record changes.
        """
        check_positive("the sensitivity of an answer", sensitivity)
        return NatsOfDifferentialPrivacy(sensitivity / self.scale)


MECHANISM = LaplaceMechanism
