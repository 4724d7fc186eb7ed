"""Planar Laplace noise: a place reported as a random place near it (geo-indistinguishability).

The density of the report at distance r from the place is ``eps^2 / (2 pi) exp(-eps r)``, so that
no report is more than ``exp(eps d)`` times as likely from one place as from another at distance d.

1. :func:`radius_quantile` inverts the distribution of the distance,
   ``1 - (1 + eps r) exp(-eps r)``.
2. :func:`draw_polar` draws a direction and a distance, and :class:`PlanarLaplaceMechanism` moves a
   place by them.

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

from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import floats, keeps_container
from noiseless.mechanisms.guarantees import NatsOfDifferentialPrivacy
from noiseless.mechanisms.laplace import Floats, require_positive

_NEAR = 1e-6


def radius_quantile(probability: ArrayLike) -> Floats:
    """Distance, times epsilon, that a report keeps within with each probability [1]_.

    Parameters
    ----------
    probability : array_like
        From 0 on and below 1; any shape.

    Returns
    -------
    ndarray
        ``-W((p - 1) / e) - 1`` on the branch -1 of Lambert's function; near its branch point, for
        probabilities below a millionth, the first terms of its series in sqrt(2 p).

    Raises
    ------
    ConfigError
        If a probability is outside.
    """
    probability = np.asarray(probability, dtype=float)
    if not ((probability >= 0) & (probability < 1)).all():
        raise ConfigError("the probability of a distance lies between 0 and 1, without 1.")
    # So near to the branch point scipy's function returns another branch, or NaN.
    is_near = probability < _NEAR
    radius = -lambertw((np.where(is_near, _NEAR, probability) - 1) / math.e, k=-1).real - 1
    root = np.sqrt(2 * probability)
    series = root * (1 + root * (1 / 3 + root * (11 / 72 + root * 43 / 540)))
    return np.where(is_near, series, radius)


def draw_polar(shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Distances of reports times epsilon, of some shape (...), and unit vectors, shape (..., 2)."""
    angle = rng.uniform(0, 2 * math.pi, shape)
    radius = radius_quantile(rng.random(shape))
    return radius, np.stack([np.cos(angle), np.sin(angle)], axis=-1)


@dataclass(frozen=True)
class PlanarLaplaceMechanism:
    """Planar Laplace noise on places of a plane.

    Attributes
    ----------
    epsilon_per_m : float
        Budget of a place for each metre between two places that shall look alike, in nats.

    Raises
    ------
    ConfigError
        If it is not positive and finite.

    Notes
    -----
    For experiments, as :class:`~noiseless.mechanisms.laplace.LaplaceMechanism`.

    Examples
    --------
    Places within 200 m of each other look alike up to one nat:

    >>> mechanism = PlanarLaplaceMechanism(1 / 200)
    >>> mechanism.mean_distance_m, mechanism.guarantee(distance_m=200).epsilon_nats
    (400.0, 1.0)
    >>> mechanism.release([[0.0, 0.0], [1000.0, 500.0]], rng=1).shape
    (2, 2)
    """

    epsilon_per_m: float

    def __post_init__(self) -> None:
        require_positive("epsilon_per_m", self.epsilon_per_m)

    @property
    def mean_distance_m(self) -> float:
        """Mean distance of a report from its place: the distance is Gamma distributed, shape 2."""
        return 2 / self.epsilon_per_m

    def guarantee(self, *, distance_m: float) -> NatsOfDifferentialPrivacy:
        """How alike two places of a distance in metres look."""
        require_positive("distance_m", distance_m)
        return NatsOfDifferentialPrivacy(self.epsilon_per_m * distance_m)

    @keeps_container
    def release(self, places_m: ArrayLike, rng: np.random.Generator | int) -> Floats:
        """Reports of places.

        Parameters
        ----------
        places_m : array_like, shape (..., 2)
            Places on a plane, in metres.
        rng : Generator or int
            Where the noise comes from; an int is the seed of a new generator.

        Returns
        -------
        ndarray, shape (..., 2); a DataFrame where ``places_m`` is one

        Raises
        ------
        DataError
            If the places do not have two coordinates.
        """
        places, rng = floats(places_m, "the places"), np.random.default_rng(rng)
        if places.shape[-1:] != (2,):
            raise DataError(
                f"places of shape {places.shape} are not pairs of coordinates in metres: give "
                "(n, 2)."
            )
        return self.moved(places, *draw_polar(places.shape[:-1], rng))

    def moved(self, places_m: Floats, radius: Floats, direction: Floats) -> Floats:
        """Places moved by what :func:`draw_polar` drew, shape (..., 2)."""
        return places_m + (radius / self.epsilon_per_m)[..., None] * direction
