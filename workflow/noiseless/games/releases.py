"""Releases of the mean of n homes by a curator, in the membership game.

1. :class:`QuantizedMeanRelease` publishes quantized means, computed in whole numbers, or the exact
   mean; :func:`build_release` builds the release of a budget.
2. :class:`MechanismRelease` publishes by any mechanism (:func:`publish_means`): a central mechanism
   receives the mean of the n homes; a local mechanism releases each home's reading, and the mean
   of the released readings is published.

Where outputs have no grid of their own, the published mean is rounded so that the sum of the n
readings stays in whole Wh.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noiseless.adversaries.normal_homes import NormalHomeModel, PublishedSum
from noiseless.arrays import Floats, Ints
from noiseless.compiled import compile_njit
from noiseless.errors import ConfigError, DataError
from noiseless.games.membership import (
    MAX_SUM,
    WH_PER_KWH,
    Batch,
    PublishedSeries,
    compute_batch_size,
    sum_members_wh,
)
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.families.quantizer import (
    Quantizer,
    compute_local_levels,
    compute_printed_levels,
)
from noiseless.mechanisms.interface import (
    CommonRandomNumbers,
    Domain,
    Mechanism,
    check_played_domain,
)


@dataclass(frozen=True)
class QuantizedMeanRelease:
    """Release of the mean of n readings on [0, x_max], in levels or (None) exact.

    Readings above x_max are clipped to it before they are averaged.
    """

    n: int
    maximum_wh: int
    levels: int | None

    @property
    def step_wh(self) -> float:
        """Width of a bin (Wh); 1/n Wh for the exact mean."""
        return self.maximum_wh / self.levels if self.levels else 1 / self.n

    @property
    def offset_wh(self) -> float:
        """Mid-point of bin 0, in Wh."""
        return self.step_wh / 2 if self.levels else 0.0

    @property
    def published_as(self) -> Mapping[str, float]:
        """Cell width of the mean (kWh), for adversaries who know the mechanism."""
        return {"cell_kwh": self.step_wh / WH_PER_KWH}

    def publish_batch(self, batch: Batch) -> PublishedSeries:
        """Publish the means of a batch of games."""
        return self.publish_totals(batch.compute_totals_wh(self.maximum_wh))

    def publish_totals(self, total_wh: Ints) -> PublishedSeries:
        """Publish the means of sums (Wh) of n readings, quantized if there are levels.

        Bin k holds the means from k x_max / levels, the last one closed, so with the sum S it is
        floor(S levels / (n x_max)): whole numbers throughout.  Too many levels for the products to
        fit into 64 bits are a DataError.
        """
        if self.levels is None:
            return PublishedSeries(total_wh, self.step_wh, self.offset_wh)
        if self.levels * self.n * self.maximum_wh > MAX_SUM:
            raise DataError(
                f"the budget must allow fewer than {self.levels} levels for exact sums of n = "
                f"{self.n} homes in whole Wh. Give a smaller epsilon."
            )
        k = np.empty(total_wh.shape, total_wh.dtype if self.levels < 2**31 else np.int64)
        _fill_bins(total_wh.ravel(), self.levels, self.n * self.maximum_wh, k.ravel())
        return PublishedSeries(k, self.step_wh, self.offset_wh)

    def compute_output_kwh(self, mean_kwh: Floats) -> Floats:
        """Compute the published values (kWh) of means (kWh)."""
        if self.levels is None:
            return mean_kwh
        readings = Domain((0.0,), (self.maximum_wh / WH_PER_KWH,), "kwh")
        return Quantizer(readings, self.levels, clip=False).release(mean_kwh)


def build_release(
    epsilon_bits: float, *, n: int, maximum_wh: int, quantizer_rule: str = "n_2^eps"
) -> QuantizedMeanRelease:
    """Build the release of a budget (bits), infinite for no quantizer, of n homes.

    By the rule ``n_2^eps``, Theorem 8 as printed, with the sensitivity x_max / n of an average,
    which lets a home choose among one or two outputs more than the budget allows; ``2^eps``: as if
    one home alone reported.
    """
    if math.isinf(epsilon_bits):
        return QuantizedMeanRelease(n, maximum_wh, None)
    if quantizer_rule == "2^eps":
        return QuantizedMeanRelease(n, maximum_wh, compute_local_levels(epsilon_bits))
    sensitivity = Fraction(maximum_wh, n)
    count = compute_printed_levels(
        epsilon_bits, output_range=(0, maximum_wh), sensitivity=sensitivity
    )
    return QuantizedMeanRelease(n, maximum_wh, count)


def build_releases(
    budgets: Sequence[float], *, n: int, maximum_wh: int, quantizer_rule: str, energy_wh: Ints
) -> list[QuantizedMeanRelease]:
    """Build the releases of several budgets (bits); that of the exact mean clips nothing."""
    largest = max(maximum_wh, int(energy_wh.max()))
    return [
        build_release(
            budget,
            n=n,
            maximum_wh=largest if math.isinf(budget) else maximum_wh,
            quantizer_rule=quantizer_rule,
        )
        for budget in budgets
    ]


def build_published_sum(
    release: QuantizedMeanRelease, population: NormalHomeModel, *, known: int = 0
) -> PublishedSum:
    """Build the published sum for an adversary who knows the population and some members."""
    cell_wh = float(release.n * release.step_wh)
    return PublishedSum(population, release.n - 1 - known, cell_wh=cell_wh)


@dataclass(frozen=True)
class MechanismRelease:
    """Release of the mean of n readings, clipped to the public range, by a mechanism (kWh).

    ``published_as`` has noise or cells of a published mean, for adversaries who know the mechanism
    (:class:`~noiseless.adversaries.inputs.membership.Training`).  A mechanism for another unit,
    range or number of people is a ConfigError
    (:func:`~noiseless.mechanisms.interface.check_played_domain`).
    """

    mechanism: Mechanism
    n: int
    maximum_wh: int
    published_as: Mapping[str, float]

    def __post_init__(self) -> None:
        high_kwh = self.maximum_wh / WH_PER_KWH
        if not math.isfinite(self.mechanism.domain.high[0]):
            high_kwh = math.inf  # nothing is clipped
        check_played_domain(self.mechanism, build_reading_domain(self.n, high_kwh))

    def publish_batch(self, batch: Batch) -> PublishedSeries:
        """Publish the means of a batch of games."""
        mean_kwh = batch.compute_totals_wh(self.maximum_wh) / (self.n * WH_PER_KWH)
        energy, members = batch.homes.readings_wh, batch.members
        return _publish_known_means(
            self.mechanism, energy, members, mean_kwh, batch.noise, self.maximum_wh
        )


def build_reading_domain(n: int, high_kwh: float) -> Domain:
    """Build the domain of a reading on [0, high_kwh], whose mean over n homes is published."""
    return Domain((0.0,), (high_kwh,), "kwh", people=n)


def publish_means(
    mechanism: Mechanism, energy_wh: Ints, members: Ints, rng: np.random.Generator
) -> PublishedSeries:
    """Publish means of n homes, members (G, n), by a mechanism (kWh), shape (G, T).

    Readings lie within the public range.  A mechanism for another unit or number of people, or that
    releases other values than finite numbers in the shape of its input, is a ConfigError.
    """
    n = members.shape[1]
    check_played_domain(mechanism, build_reading_domain(n, mechanism.domain.high[0]))
    # The members are split to limit memory; all parts draw from one random stream.
    at_once = compute_batch_size(n, energy_wh.shape[1]) if mechanism.is_local else len(members)
    parts = [
        _publish_known_means(
            mechanism,
            energy_wh,
            homes,
            sum_members_wh(energy_wh, homes) / (n * WH_PER_KWH),
            CommonRandomNumbers(lambda _: rng),
        )
        for homes in np.split(members, range(at_once, len(members), at_once))
    ]
    return PublishedSeries(
        np.concatenate([part.k for part in parts]), parts[0].step_wh, parts[0].offset_wh
    )


def _publish_known_means(
    mechanism: Mechanism,
    energy_wh: Ints,
    members: Ints,
    mean_kwh: Floats,
    noise: CommonRandomNumbers,
    maximum_wh: int = MAX_SUM,
) -> PublishedSeries:
    """Publish means whose true values are known and whose noise may be drawn already.

    Homes that release readings of their own clip them to ``maximum_wh``.
    """
    n = members.shape[1]
    maximum_wh = min(maximum_wh, int(np.iinfo(energy_wh.dtype).max))
    offset_wh, step_wh = 0.0, 1 / n
    if mechanism.grid is not None:
        offset_wh, step_wh = (WH_PER_KWH * each for each in mechanism.grid)
        step_wh = step_wh / n if mechanism.is_local else step_wh
    if isinstance(mechanism, OneBitMechanism):
        # Compute each home's probabilities once and count the upper outputs: no mean is rounded.
        (uniform,) = noise.get_noise(mechanism, (*members.shape, energy_wh.shape[1]))
        k = np.zeros(mean_kwh.shape, dtype=np.int64)
        clipped_kwh = np.minimum(energy_wh, maximum_wh) / WH_PER_KWH
        _count_high(mechanism.compute_probability_high(clipped_kwh), members, uniform, k)
        return PublishedSeries(k, step_wh, offset_wh)
    if mechanism.is_local:
        released = noise.release(
            mechanism, np.minimum(energy_wh[members], maximum_wh) / WH_PER_KWH
        ).mean(axis=1)
    else:
        released = noise.release(mechanism, mean_kwh)
    if released.shape != mean_kwh.shape or not np.isfinite(released).all():
        raise ConfigError(
            f"the mechanism {mechanism.name!r} must release finite numbers in the shape of its "
            f"input, {mean_kwh.shape} in the mean, got the shape {released.shape}."
        )
    return PublishedSeries.round_means(released, step_wh, offset_wh)


@compile_njit(cache=True, nogil=True)
def _count_high(probability, members, uniform, count):  # noqa: ANN001, ANN202
    """Count the members of each game and reading whose number is below their probability.

    Fills ``count``, shape (G, T).
    """
    for g in range(len(members)):
        of_game = count[g]
        for j in range(members.shape[1]):
            of_home, drawn = probability[members[g, j]], uniform[g, j]
            for t in range(len(of_game)):
                of_game[t] += drawn[t] < of_home[t]


@compile_njit(cache=True, nogil=True)
def _fill_bins(total, levels, divisor, k):  # noqa: ANN001, ANN202
    """Fill ``k`` with the bins of sums, ``total * levels // divisor``, at most levels - 1.

    The quotient of two whole numbers below 2**53 is never rounded up to the next whole number.
    """
    last = levels - 1
    if levels * divisor < 2**53:
        for i in range(len(k)):
            k[i] = min(np.floor(np.float64(total[i]) * levels / divisor), np.float64(last))
    else:
        for i in range(len(k)):
            k[i] = min(np.int64(total[i]) * levels // divisor, last)
