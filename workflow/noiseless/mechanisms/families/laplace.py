"""Laplace perturbation: a query's answer plus Laplace noise (``prrelation``, Theorem 1)."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from noiseless.mechanisms.containers import Floats, require_positive
from noiseless.mechanisms.guarantees import NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import UNBOUNDED, Domain, NoisyMechanism, summed

# Mean of the length of a vector of two independent Laplace variables of scale 1: in polar
# coordinates the integral over a quarter of the plane is that of 2 / (cos + sin)^3.
LAPLACE_LENGTH = 1 + math.log(1 + math.sqrt(2)) / math.sqrt(2)


@dataclass(frozen=True)
class LaplaceMechanism(NoisyMechanism):
    """Adds Laplace noise to each number of an answer.

    Attributes
    ----------
    sensitivity : float
        Largest change of the answer in the 1-norm when one record changes, in the answer's unit.
    epsilon_nats : float
        Budget of the whole answer.
    domain : Domain, optional
        Public range of the answer, into which it is clipped; by default all numbers.

    Raises
    ------
    ConfigError
        If either is not positive and finite.

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

    >>> mechanism = LaplaceMechanism(sensitivity=5 / 100, epsilon_nats=0.5)
    >>> mechanism.scale, mechanism.guarantee()
    (0.1, NatsOfDifferentialPrivacy(epsilon_nats=0.5, delta=0.0))
    >>> mechanism.release([2.31], rng=1).round(2)
    array([2.31])
    """

    sensitivity: float
    epsilon_nats: float
    domain: Domain = UNBOUNDED

    name = "laplace"
    label = "Laplace noise"
    colour, marker, order = "orange", "s", 3
    kind, parameter_called, smallest = "scale", "scale_{unit}", 0.0
    parameter_is = "scale"

    def __post_init__(self) -> None:
        require_positive("sensitivity", self.sensitivity)
        require_positive("epsilon_nats", self.epsilon_nats)

    @property
    def scale(self) -> float:
        """Scale of the noise, the mean of its absolute value, in the answer's unit."""
        return self.sensitivity / self.epsilon_nats

    @classmethod
    def on(cls, domain: Domain, parameter: float) -> Self:
        """With a scale of the noise, in the unit of the values."""
        return cls(domain.sensitivity_l1, domain.sensitivity_l1 / parameter, domain)

    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats]:
        """Laplace noise of scale 1."""
        return (rng.laplace(size=shape),)

    def release_given(self, values: Floats, *noise: Floats) -> Floats:
        """Noisy values."""
        return self.domain.clip(values) + self.scale * noise[0]

    def variance(self, values: Floats) -> float:
        """Twice the square of the scale."""
        return 2 * self.scale**2

    def mean_distance(self, values: Floats) -> float:
        """The mean length of two independent Laplace variables."""
        return LAPLACE_LENGTH * self.scale

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Falls with the distance along the coordinates."""
        return -summed(np.abs(values - outputs), self.domain) / self.scale

    def guarantee(self, *, delta: float = 0.0) -> NatsOfDifferentialPrivacy:
        """What one person is guaranteed for the complete answer, for every delta."""
        return NatsOfDifferentialPrivacy(self.epsilon_nats)


MECHANISM = LaplaceMechanism
