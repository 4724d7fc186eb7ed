"""Laplace perturbation: a query's answer plus Laplace noise (``prrelation``, Theorem 1)."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import floats, is_number, keeps_container, python_number
from noiseless.mechanisms.guarantees import NatsOfDifferentialPrivacy

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LaplaceMechanism:
    """Adds Laplace noise to each number of an answer.

    Attributes
    ----------
    sensitivity : float
        Largest change of the answer in the 1-norm when one record changes, in the answer's unit.
    epsilon_nats : float
        Budget of the whole answer.

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

    def __post_init__(self) -> None:
        require_positive("sensitivity", self.sensitivity)
        require_positive("epsilon_nats", self.epsilon_nats)

    @property
    def scale(self) -> float:
        """Scale of the noise, the mean of its absolute value, in the answer's unit."""
        return self.sensitivity / self.epsilon_nats

    def guarantee(self) -> NatsOfDifferentialPrivacy:
        """What one person is guaranteed for the complete answer."""
        return NatsOfDifferentialPrivacy(self.epsilon_nats)

    @keeps_container
    def release(self, answer: ArrayLike, rng: np.random.Generator | int) -> Floats:
        """Noisy answers, of the shape of ``answer``; a Series or DataFrame where it is one.

        Parameters
        ----------
        answer : array_like
            Numbers; any shape.
        rng : Generator or int
            Where the noise comes from; an int is the seed of a new generator.
        """
        answer, rng = floats(answer, "the answers"), np.random.default_rng(rng)
        return answer + rng.laplace(scale=self.scale, size=answer.shape)


def require_positive(name: str, value: float) -> None:
    """Refuse a parameter that is not a positive, finite number.

    Raises
    ------
    ConfigError
        Names the parameter and its value.
    """
    value = python_number(value)
    if not (is_number(value) and math.isfinite(value) and value > 0):
        raise ConfigError(f"{name} is {value}, but it must be a number larger than 0.")
