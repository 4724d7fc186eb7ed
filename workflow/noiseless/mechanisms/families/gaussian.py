"""Gaussian perturbation: a query's answer plus normal noise (``prrelation``, Section 4.3).

1. :class:`GaussianMechanism` adds the noise.
2. :func:`compute_classical_sigma` and :func:`compute_analytic_sigma` calibrate it to (epsilon,
   delta);
   :func:`compute_printed_sigma` is the formula as the paper prints it.
3. :func:`compute_gaussian_delta` and :func:`compute_gaussian_epsilon` are the exact guarantee of a
   noise.

Distances between two answers are measured in standard deviations, ``mu = sensitivity / sigma``:
nothing else about a Gaussian mechanism matters to its guarantee or to an adversary.

References
----------
.. [1] C. Dwork, A. Roth, "The algorithmic foundations of differential privacy", 2014, Theorem A.1.
.. [2] B. Balle, Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy", ICML
   2018, Theorem 8.
"""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from noiseless.arrays import Floats
from noiseless.mechanisms.containers import check_positive, require_number
from noiseless.mechanisms.guarantees import NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import (
    Domain,
    NoisyMechanism,
    check_domain,
    compute_differences,
    sum_coordinates,
)


@dataclass(frozen=True)
class GaussianMechanism(NoisyMechanism):
    """Gaussian mechanism: normal noise is added to each number of an answer.

    Attributes
    ----------
    domain : Domain
        Public range of the answer, into which it is clipped.
    sigma : float
        Standard deviation of the noise, in the answer's unit.

    Raises
    ------
    ConfigError
        If the domain is none, or sigma is not positive and finite.

    Notes
    -----
    For experiments, as :class:`~noiseless.mechanisms.families.laplace.LaplaceMechanism`.

    Examples
    --------
    >>> incomes = Domain((0.0,), (5.0,), "income", people=100)
    >>> mechanism = GaussianMechanism.from_budget(incomes, epsilon_nats=0.5, delta=1e-6)
    >>> round(mechanism.sigma, 3)
    0.403
    >>> mechanism.release([2.31, 1.98], rng=1).shape
    (2,)
    """

    domain: Domain
    sigma: float

    name = "gaussian"
    label = "Gaussian noise"
    colour, marker, order = "green", "^", 4
    kind, parameter_called, smallest = "scale", "sigma_{unit}", 0.0
    parameter_is = "sigma"

    def __post_init__(self) -> None:
        check_domain(self.name, self.domain)
        check_positive("sigma", self.sigma)

    @classmethod
    def from_budget(cls, domain: Domain, *, epsilon_nats: float, delta: float) -> Self:
        """Create the mechanism with the least (epsilon, delta)-private noise for a domain.

        See :func:`compute_analytic_sigma`.
        """
        check_domain(cls.name, domain)
        sensitivity = domain.sensitivity_l2
        sigma = compute_analytic_sigma(
            sensitivity=sensitivity, epsilon_nats=epsilon_nats, delta=delta
        )
        return cls(domain, sigma)

    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats]:
        """Draw standard normal noise of a shape."""
        return (rng.normal(size=shape),)

    def release_given(self, values: Floats, *noise: Floats) -> Floats:
        """Compute the clipped values plus sigma times the noise."""
        return self.domain.clip(values) + self.sigma * noise[0]

    def variance(self, values: Floats) -> float:
        """Return the variance of the noise, sigma^2."""
        return self.sigma**2

    def mean_distance(self, values: Floats) -> float:
        """Return the mean length of the noise of a place, sqrt(pi/2) sigma (Rayleigh)."""
        return math.sqrt(math.pi / 2) * self.sigma

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Compute minus the squared distance of outputs and values over 2 sigma^2."""
        return -sum_coordinates(compute_differences(values, outputs) ** 2, self.domain) / (
            2 * self.sigma**2
        )

    def guarantee(self, *, delta: float = 0.0) -> NatsOfDifferentialPrivacy:
        """Return the guarantee to one person, with the sensitivity of the domain."""
        return self.compute_guarantee(self.domain.sensitivity_l2, delta=delta)

    def compute_guarantee(self, sensitivity: float, *, delta: float) -> NatsOfDifferentialPrivacy:
        """Return the guarantee to one person for an answer of a given sensitivity.

        Parameters
        ----------
        sensitivity : float
            Largest change of the answer in the 2-norm when one record changes.
        delta : float
            Between 0 and 1.

        Returns
        -------
        NatsOfDifferentialPrivacy
            With the smallest epsilon that holds at this delta (:func:`compute_gaussian_epsilon`).
        """
        check_positive("sensitivity", sensitivity)
        epsilon_nats = compute_gaussian_epsilon(sensitivity / self.sigma, delta=delta)
        return NatsOfDifferentialPrivacy(epsilon_nats, delta)


def compute_classical_sigma(*, sensitivity: float, epsilon_nats: float, delta: float) -> float:
    """Compute the classical standard deviation sqrt(2 log(1.25/delta)) sensitivity/epsilon.

    It is proven to give (epsilon, delta)-privacy for epsilon below 1 alone [1]_.  Larger ones are
    accepted, because the paper uses them; :func:`compute_gaussian_delta` computes the delta that
    they give.  The sensitivity is the largest change of the answer in the 2-norm when one record
    changes.
    """
    _check_budget(sensitivity, epsilon_nats, delta)
    return float(np.sqrt(2 * np.log(1.25 / delta))) * sensitivity / epsilon_nats


def compute_printed_sigma(*, sensitivity: float, epsilon_nats: float, delta: float) -> float:
    """Compute sigma as ``prrelation`` prints it: sqrt(2 log(1.25/delta) sensitivity/epsilon).

    The root is drawn over sensitivity and epsilon, too (Section 4.3, Eq. 29).  Parameters and
    errors are those of :func:`compute_classical_sigma`.
    """
    _check_budget(sensitivity, epsilon_nats, delta)
    return float(np.sqrt(2 * np.log(1.25 / delta) * sensitivity / epsilon_nats))


def compute_analytic_sigma(*, sensitivity: float, epsilon_nats: float, delta: float) -> float:
    """Compute the smallest standard deviation that gives (epsilon, delta)-privacy [2]_.

    Parameters and errors are those of :func:`compute_classical_sigma`.
    """
    _check_budget(sensitivity, epsilon_nats, delta)
    low, high = 1.0, 1.0
    while compute_gaussian_delta(epsilon_nats, low) > delta:
        low /= 2
    while compute_gaussian_delta(epsilon_nats, high) <= delta:
        high *= 2
    mu = brentq(
        lambda mu: compute_gaussian_delta(epsilon_nats, mu) - delta,
        low,
        high,
        xtol=1e-300,
        rtol=1e-14,
    )
    return sensitivity / mu


@np.errstate(under="ignore", over="ignore")
def compute_gaussian_delta(epsilon_nats: ArrayLike, mu: ArrayLike) -> Floats:
    """Compute the smallest delta for which the mechanism is (epsilon, delta)-private [2]_.

    ``mu`` is the sensitivity in standard deviations of the noise, and the delta Phi(mu/2 -
    epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
    """
    # Searches call this a million times with floats, for which arrays would be slower.
    if not (isinstance(epsilon_nats, float) and isinstance(mu, float) and mu):
        epsilon_nats, mu = np.asarray(epsilon_nats, dtype=float), np.asarray(mu, dtype=float)
    return ndtr(mu / 2 - epsilon_nats / mu) - np.exp(
        epsilon_nats + log_ndtr(-mu / 2 - epsilon_nats / mu)
    )


def compute_gaussian_epsilon(mu: float, *, delta: float) -> float:
    """Compute the smallest (epsilon, delta)-private epsilon (nats); 0 for large noise.

    It is infinite where it is above the largest float.  ``mu`` is the sensitivity in standard
    deviations.
    """
    _check_budget(mu, 1.0, delta)
    if compute_gaussian_delta(0.0, mu) <= delta:
        return 0.0
    high = 1.0
    while compute_gaussian_delta(high, mu) > delta:
        high *= 2
        if math.isinf(high):
            return high  # above the largest float
    return brentq(
        lambda epsilon_nats: compute_gaussian_delta(epsilon_nats, mu) - delta, 0.0, high, rtol=1e-14
    )


def _check_budget(sensitivity: float, epsilon_nats: float, delta: float) -> None:
    """Check that sensitivity, epsilon and delta are in their ranges."""
    check_positive("sensitivity", sensitivity)
    check_positive("epsilon_nats", epsilon_nats)
    require_number("delta", delta, above=0, below=1)


MECHANISM = GaussianMechanism
