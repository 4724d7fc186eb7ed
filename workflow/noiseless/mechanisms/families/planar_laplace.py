"""Planar Laplace noise: a place reported as a random place near it (geo-indistinguishability).

The density of the report at distance r from the place is ``eps^2 / (2 pi) exp(-eps r)``, so that
no report is more than ``exp(eps d)`` times as likely from one place as from another at distance d.

1. :func:`compute_radius_quantile` inverts the distribution of the distance,
   ``1 - (1 + eps r) exp(-eps r)``.
2. :class:`PlanarLaplaceMechanism` draws a direction and a distance, and moves a place by them.

References
----------
.. [1] M. E. Andres, N. E. Bordenabe, K. Chatzikokolakis, C. Palamidessi, "Geo-indistinguishability:
   differential privacy for location-based systems", CCS 2013, Section 4.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import lambertw

from noiseless.arrays import Floats
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import check_positive
from noiseless.mechanisms.guarantees import NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import (
    Domain,
    NoisyMechanism,
    add_last_axis,
    check_domain,
    compute_differences,
)

PLANE = Domain((-math.inf, -math.inf), (math.inf, math.inf), "m")
"""All places, none of which is clipped."""

_BRANCH_POINT_MARGIN = 1e-6


def compute_radius_quantile(probability: ArrayLike) -> Floats:
    """Compute the quantile of the distance of a report from its place, times epsilon [1]_.

    It is ``-W((p - 1) / e) - 1`` on the branch -1 of Lambert's function; near its branch point, for
    probabilities below a millionth, the first terms of its series in sqrt(2 p).
    """
    probability = np.asarray(probability, dtype=float)
    if not ((probability >= 0) & (probability < 1)).all():
        raise ConfigError("`probability` must be at least 0 and below 1, in each element.")
    # This close to the branch point, scipy's function returns another branch or NaN.
    is_near = probability < _BRANCH_POINT_MARGIN
    radius = (
        -lambertw((np.where(is_near, _BRANCH_POINT_MARGIN, probability) - 1) / math.e, k=-1).real
        - 1
    )
    root = np.sqrt(2 * probability)
    series = root * (1 + root * (1 / 3 + root * (11 / 72 + root * 43 / 540)))
    return np.where(is_near, series, radius)


@dataclass(frozen=True)
class PlanarLaplaceMechanism(NoisyMechanism):
    """Planar Laplace mechanism: noise of a random direction and distance on places of a plane.

    Attributes
    ----------
    domain : Domain
        Public box of the places, into which they are clipped; :data:`PLANE` clips none.
    epsilon_per_m : float
        Budget of a place for each metre between two places that shall look alike, in nats.

    Raises
    ------
    ConfigError
        If the domain is not one of places, or epsilon is not positive and finite.

    Notes
    -----
    For experiments, as :class:`~noiseless.mechanisms.families.laplace.LaplaceMechanism`.

    Examples
    --------
    Places within 200 m of each other look alike up to one nat:

    >>> mechanism = PlanarLaplaceMechanism(Domain((0, 0), (9_000, 7_000), "m"), 1 / 200)
    >>> mechanism.mean_distance_m, mechanism.compute_guarantee_within(200).epsilon_nats
    (400.0, 1.0)
    >>> mechanism.release([[0.0, 0.0], [1000.0, 500.0]], rng=1).shape
    (2, 2)
    """

    domain: Domain
    epsilon_per_m: float

    name = "planar_laplace"
    label = "planar Laplace noise"
    colour, marker, order = "red", "D", 2
    kind, parameter_called, smallest = "epsilon", "epsilon_per_{unit}", 0.0
    parameter_is = "epsilon_per_m"

    def __post_init__(self) -> None:
        check_domain(self.name, self.domain)
        if not self.is_for(self.domain):
            raise ConfigError(
                f"the domain of planar Laplace noise must have 2 coordinates, got "
                f"{self.domain.coordinates}. Give Domain((0.0, 0.0), (9_000.0, 7_000.0), 'm')."
            )
        check_positive("epsilon_per_m", self.epsilon_per_m)

    @property
    def mean_distance_m(self) -> float:
        """Mean distance of a report from its place in metres: that of a Gamma variable, shape 2."""
        return 2 / self.epsilon_per_m

    @classmethod
    def is_for(cls, domain: Domain) -> bool:
        """Return whether the domain has two coordinates."""
        return domain.coordinates == 2

    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw distances times epsilon, shape (...), and unit vectors, shape (..., 2).

        Raises
        ------
        DataError
            If the places do not have two coordinates.
        """
        if shape[-1:] != (2,):
            raise DataError(
                f"places must be pairs of coordinates in metres, shape (n, 2), got {shape}."
            )
        angle = rng.uniform(0, 2 * math.pi, shape[:-1])
        radius = compute_radius_quantile(rng.random(shape[:-1]))
        return radius, np.stack([np.cos(angle), np.sin(angle)], axis=-1)

    def release_given(self, values: Floats, *noise: Floats) -> Floats:
        """Compute the clipped places moved by the distance over epsilon in the direction."""
        radius, direction = noise
        return self.domain.clip(values) + (radius / self.epsilon_per_m)[..., None] * direction

    def mean_distance(self, values: Floats) -> float:
        """Return :attr:`mean_distance_m`, which does not depend on the places."""
        return self.mean_distance_m

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Compute minus epsilon times the distance of outputs and values."""
        return -self.epsilon_per_m * np.sqrt(
            add_last_axis(compute_differences(values, outputs) ** 2)
        )

    def guarantee(self, *, delta: float = 0.0) -> NatsOfDifferentialPrivacy:
        """Return the pure guarantee to a person who may be anywhere in the domain."""
        width, height = self.domain.width
        return self.compute_guarantee_within(self.domain.values * float(np.hypot(width, height)))

    def compute_guarantee_within(self, distance_m: float) -> NatsOfDifferentialPrivacy:
        """Return the pure guarantee between two places at a given distance.

        Parameters
        ----------
        distance_m : float
            Their distance in metres, larger than 0.
        """
        check_positive("distance_m", distance_m)
        return NatsOfDifferentialPrivacy(distance_m * self.epsilon_per_m)


MECHANISM = PlanarLaplaceMechanism
