"""What a curator publishes of the mean of n homes, in the membership game.

1. :class:`AggregateRelease` publishes quantized means, in whole numbers throughout, or the exact
   mean; :func:`release_for` that of a budget.
2. :class:`MechanismRelease` publishes by any mechanism (:func:`publish`): a central one is given
   the mean of the n homes; of a local one, the mean of what the n homes release is published.

Where outputs have no grid of their own, the published mean is rounded so that the sum of the n
readings stays in whole Wh.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from noiseless.adversaries.compiled import njit
from noiseless.adversaries.normal_homes import Population, PublishedSum
from noiseless.errors import ConfigError, DataError
from noiseless.games.membership import (
    LARGEST_SUM,
    WH_PER_KWH,
    Batch,
    Floats,
    Ints,
    PublishedSeries,
    games_at_once,
    totals_wh,
)
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.families.quantizer import Quantizer, levels_from_budget, local_levels
from noiseless.mechanisms.interface import Mechanism, SharedNoise


@dataclass(frozen=True)
class AggregateRelease:
    """What the curator publishes of a mean of n readings on [0, x_max].

    Attributes
    ----------
    n : int
        Homes in the aggregate.
    maximum_wh : int
        x_max; larger readings are clipped to it before they are averaged.
    levels : int or None
        The levels of the quantizer; None for the exact mean.
    """

    n: int
    maximum_wh: int
    levels: int | None

    @property
    def step_wh(self) -> float:
        """Width of a bin; of the exact mean, one n-th of a Wh."""
        return self.maximum_wh / self.levels if self.levels else 1 / self.n

    @property
    def offset_wh(self) -> float:
        """Mid-point of bin 0."""
        return self.step_wh / 2 if self.levels else 0.0

    @property
    def published_as(self) -> Mapping[str, float]:
        """The width of a cell of the mean, for adversaries who know the mechanism."""
        return {"cell_kwh": self.step_wh / WH_PER_KWH}

    def of(self, batch: Batch) -> PublishedSeries:
        """The published means of some games."""
        return self.publish(batch.totals_wh(self.maximum_wh))

    def publish(self, total_wh: Ints) -> PublishedSeries:
        """The published means of sums of n readings; the sums themselves without a quantizer.

        Bin k holds the means from k x_max / levels, the last one closed, so with the sum S it is
        floor(S levels / (n x_max)): whole numbers throughout.

        Raises
        ------
        DataError
            If there are too many levels for the products to fit into 64 bits.
        """
        if self.levels is None:
            return PublishedSeries(total_wh, self.step_wh, self.offset_wh)
        if self.levels * self.n * self.maximum_wh > LARGEST_SUM:
            raise DataError(
                f"an epsilon that allows {self.levels} levels is too large for sums of n = "
                f"{self.n} homes to stay exact in whole Wh."
            )
        k = np.empty(total_wh.shape, total_wh.dtype if self.levels < 2**31 else np.int64)
        _bins(total_wh.ravel(), self.levels, self.n * self.maximum_wh, k.ravel())
        return PublishedSeries(k, self.step_wh, self.offset_wh)

    def output_kwh(self, mean_kwh: NDArray[np.float64]) -> NDArray[np.float64]:
        """The published values of some means, in kWh."""
        if self.levels is None:
            return mean_kwh
        return Quantizer(0, self.maximum_wh / WH_PER_KWH, self.levels).release(mean_kwh)


def release_for(
    epsilon_bits: float, *, n: int, maximum_wh: int, quantizer_rule: str = "n_2^eps"
) -> AggregateRelease:
    """The release of a budget.

    Parameters
    ----------
    epsilon_bits : float
        In bits; infinite for no quantizer.
    n : int
        Homes in the aggregate.
    maximum_wh : int
        x_max of the public range.
    quantizer_rule : str
        ``n_2^eps``: Theorem 8, with the sensitivity x_max / n of an average; ``2^eps``: as if one
        home alone reported.
    """
    if math.isinf(epsilon_bits):
        return AggregateRelease(n, maximum_wh, None)
    if quantizer_rule == "2^eps":
        return AggregateRelease(n, maximum_wh, local_levels(epsilon_bits))
    sensitivity = Fraction(maximum_wh, n)
    count = levels_from_budget(epsilon_bits, output_range=(0, maximum_wh), sensitivity=sensitivity)
    return AggregateRelease(n, maximum_wh, count)


def releases_for(
    budgets: Sequence[float], *, n: int, maximum_wh: int, quantizer_rule: str, energy_wh: Ints
) -> list[AggregateRelease]:
    """The releases of some budgets; the exact mean, which needs no range, clips nothing.

    Parameters
    ----------
    budgets : sequence of float
        In bits; infinite for the exact mean.
    n, maximum_wh, quantizer_rule
        See :func:`release_for`.
    energy_wh : ndarray of int, shape (homes, T)
        Readings.
    """
    largest = max(maximum_wh, int(energy_wh.max()))
    return [
        release_for(
            budget,
            n=n,
            maximum_wh=largest if math.isinf(budget) else maximum_wh,
            quantizer_rule=quantizer_rule,
        )
        for budget in budgets
    ]


def sum_seen(release: AggregateRelease, population: Population, *, known: int = 0) -> PublishedSum:
    """The published sum, to an adversary who knows what homes are like, and some of them.

    Parameters
    ----------
    release : AggregateRelease
    population : Population
    known : int
        Other homes in the mean that the adversary knows.
    """
    cell_wh = float(release.n * release.step_wh)
    return PublishedSum(population, release.n - 1 - known, cell_wh=cell_wh)


@dataclass(frozen=True)
class MechanismRelease:
    """What a mechanism publishes of a mean of n readings.

    Attributes
    ----------
    mechanism : Mechanism
        On readings or their mean, in kWh.
    n : int
        Homes in the aggregate.
    maximum_wh : int
        Upper end of the public range, to which each reading is clipped.
    published_as : mapping
        Noise or cells of a published mean, for adversaries who know the mechanism
        (:class:`~noiseless.adversaries.membership.evidence.Training`).
    """

    mechanism: Mechanism
    n: int
    maximum_wh: int
    published_as: Mapping[str, float]

    def of(self, batch: Batch) -> PublishedSeries:
        """The published means of some games."""
        mean_kwh = batch.totals_wh(self.maximum_wh) / (self.n * WH_PER_KWH)
        clipped = batch.clipped(self.maximum_wh)
        return _publish(self.mechanism, clipped, batch.members, mean_kwh, batch.noise)


def publish(
    mechanism: Mechanism, energy_wh: Ints, members: Ints, rng: np.random.Generator
) -> PublishedSeries:
    """Means of n homes as a mechanism publishes them.

    Parameters
    ----------
    mechanism : Mechanism
        On readings or their mean, in kWh.
    energy_wh : ndarray of int, shape (homes, T)
        Readings, within the public range.
    members : ndarray of int, shape (G, n)
        The homes of each mean.
    rng : numpy.random.Generator
    """
    n = members.shape[1]
    # One stream for all, cut where memory asks for it.
    at_once = games_at_once(n, energy_wh.shape[1]) if mechanism.is_local else len(members)
    parts = [
        _publish(
            mechanism,
            energy_wh,
            homes,
            totals_wh(energy_wh, homes) / (n * WH_PER_KWH),
            SharedNoise(lambda _: rng),
        )
        for homes in np.split(members, range(at_once, len(members), at_once))
    ]
    return PublishedSeries(
        np.concatenate([part.k for part in parts]), parts[0].step_wh, parts[0].offset_wh
    )


def _publish(
    mechanism: Mechanism, energy_wh: Ints, members: Ints, mean_kwh: Floats, noise: SharedNoise
) -> PublishedSeries:
    """:func:`publish` of games whose true means are known, and whose noise may have been drawn."""
    n = members.shape[1]
    offset_wh, step_wh = 0.0, 1 / n
    if mechanism.grid is not None:
        offset_wh, step_wh = (WH_PER_KWH * each for each in mechanism.grid)
        step_wh = step_wh / n if mechanism.is_local else step_wh
    if isinstance(mechanism, OneBitMechanism):
        # Each home's probabilities once, and the upper numbers counted: no mean is rounded.
        (uniform,) = noise.drawn(mechanism, (*members.shape, energy_wh.shape[1]))
        k = np.zeros(mean_kwh.shape, dtype=np.int64)
        _count_high(mechanism.probability_high(energy_wh / WH_PER_KWH), members, uniform, k)
        return PublishedSeries(k, step_wh, offset_wh)
    if mechanism.is_local:
        released = noise.release(mechanism, energy_wh[members] / WH_PER_KWH).mean(axis=1)
    else:
        released = noise.release(mechanism, mean_kwh)
    if released.shape != mean_kwh.shape or not np.isfinite(released).all():
        raise ConfigError(
            f"the mechanism {mechanism.name!r} must release finite numbers in the shape of the "
            "values that it is given."
        )
    return PublishedSeries.nearest(released, step_wh, offset_wh)


@njit(cache=True, nogil=True)
def _count_high(probability, members, uniform, count):  # noqa: ANN001, ANN202
    """Members of each game, at each reading, whose number is below their home's probability."""
    for g in range(len(members)):
        of_game = count[g]
        for j in range(members.shape[1]):
            of_home, drawn = probability[members[g, j]], uniform[g, j]
            for t in range(len(of_game)):
                of_game[t] += drawn[t] < of_home[t]


@njit(cache=True, nogil=True)
def _bins(total, levels, divisor, k):  # noqa: ANN001, ANN202
    """Bins of sums, into ``k``: whole quotients of ``total * levels`` and ``divisor``.

    The quotient of two whole numbers below 2**53 is never rounded up to the next whole number.
    """
    last = levels - 1
    if levels * divisor < 2**53:
        for i in range(len(k)):
            k[i] = min(np.floor(np.float64(total[i]) * levels / divisor), np.float64(last))
    else:
        for i in range(len(k)):
            k[i] = min(np.int64(total[i]) * levels // divisor, last)
