"""The one-bit mechanism: report one end of a public interval, at random (``knowledge``, Eq. 5).

A value y of [a, b] is reported as b with probability

``(e^eps - 1) / (e^eps + 1) * (y - a) / (b - a) + 1 / (e^eps + 1)``

and as a otherwise, so that no report is more than e^eps times as likely under one value as under
another.  From many reports the mean of the values can be estimated.

At the two ends of the interval this is randomized response.

There are two samplers.  :meth:`OneBitMechanism.report` serves simulations: it draws from a keyed
stream, and compares a 53-bit number with a rounded probability.  :meth:`OneBitMechanism.draw`
serves people: it draws from the operating system, and its ratio of probabilities is never above
e^eps.  :meth:`OneBitMechanism.release` is the unbiased estimate from such a report, in the unit of
the values.
"""

import math
import secrets
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from noiseless.arrays import Floats, Ints
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import (
    convert_to_floats,
    convert_to_python,
    create_generator,
    is_number,
    preserve_container,
)
from noiseless.mechanisms.guarantees import NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import Domain, NoisyMechanism, check_domain, sum_coordinates

MAX_EPSILON_NATS = 30.0
"""Largest epsilon of a report, in nats.

:meth:`OneBitMechanism.report` compares a 53-bit number with a probability.  The smaller
probability of a report, 1 / (e^eps + 1), is then a multiple of 2^-53.  Up to epsilon = 30 the ratio
of two probabilities exceeds e^eps by less than 0.3 %; below 36 it can be twice that, and from
37.5 on one of the reports is impossible: the other one then has an unlimited loss.  From
710 on e^eps is no double.
"""

SAMPLER_BITS = 128
"""Bits of the random integer behind :meth:`OneBitMechanism.draw`."""

# Decimal's exponential is correctly rounded; the margin of one in 10^58 is fifty times its error.
_DECIMALS = Context(prec=60)
_MARGIN = Fraction(1, 10**58)


@dataclass(frozen=True)
class OneBitMechanism(NoisyMechanism):
    """One-bit mechanism: randomized one-bit reports of values in a public interval.

    Attributes
    ----------
    domain : Domain
        The interval [a, b]; of several coordinates, each is reported by a bit.
    epsilon_nats : float
        Privacy guarantee of one report, in nats: larger than 0, at most :data:`MAX_EPSILON_NATS`.
    clip : bool
        Whether a value outside the interval is moved to its nearer end; else it is an error.

    Raises
    ------
    ConfigError
        If the domain is none, or not bounded, or epsilon is out of its range.

    Examples
    --------
    Each person reports one bit about a value in [0, 10]; the mean comes from all bits.

    >>> mechanism = OneBitMechanism(Domain((0.0,), (10.0,), "answer"), epsilon_nats=1.0)
    >>> reports = mechanism.report([2.0, 9.0, 4.0] * 20_000, rng=1)
    >>> round(mechanism.estimate_mean(reports), 1), mechanism.guarantee().epsilon_nats
    (5.0, 1.0)
    """

    domain: Domain
    epsilon_nats: float
    clip: bool = field(default=True, kw_only=True)

    name = "one_bit"
    label = "one random bit of each person"
    colour, marker, order = "purple", "v", 5
    kind = "epsilon"
    parameter_is = "epsilon_nats"
    is_local = True

    def __post_init__(self) -> None:
        check_domain(self.name, self.domain)
        for low, high in zip(self.domain.low, self.domain.high, strict=True):
            if not math.isfinite(high - low):
                raise ConfigError(
                    f"the domain of one-bit reports must be bounded, got [{low}, {high}]. Give "
                    "finite ends."
                )
        if not is_number(convert_to_python(self.epsilon_nats)):
            raise ConfigError(f"`epsilon_nats` must be a number, got {self.epsilon_nats!r}.")
        if not 0 < self.epsilon_nats <= MAX_EPSILON_NATS:
            raise ConfigError(
                f"epsilon is {self.epsilon_nats}, but it must be larger than 0 and at most "
                f"{MAX_EPSILON_NATS:g}: beyond, a random number of 53 bits cannot keep both "
                "reports possible. Choose another one."
            )

    @property
    def low(self) -> float:
        """End a of the interval, of its first coordinate."""
        return self.domain.low[0]

    @property
    def high(self) -> float:
        """End b of the interval, of its first coordinate."""
        return self.domain.high[0]

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        """Lower and upper ends of the domain, as arrays of shape () or (d,)."""
        return np.squeeze(self.domain.low), np.squeeze(self.domain.high)

    @classmethod
    def get_finest_parameter(cls, domain: Domain) -> float:
        """Return infinity: the error in the limit of epsilon is known."""
        return math.inf

    @classmethod
    def create_limited(cls, domain: Domain, parameter: float) -> "OneBitMechanism":
        """Create the mechanism, also with an epsilon above the limit, to compute its error."""
        return (cls if parameter <= MAX_EPSILON_NATS else _UnlimitedOneBit)(domain, parameter)

    @classmethod
    def get_parameter_name(cls, domain: Domain) -> str:
        """Return ``epsilon_per_coordinate`` where a person has several, else ``epsilon_nats``."""
        several = domain.values * domain.coordinates > 1
        return "epsilon_per_coordinate" if several else "epsilon_nats"

    @np.errstate(under="ignore")
    def compute_probability_high(self, values: ArrayLike) -> Floats:
        """Compute the probability that each value is reported as ``high`` (Equation 5).

        Raises
        ------
        DataError
            If a value lies outside the interval; names the place of the first one, not the value.
        """
        low, high = self._ends
        numbers = convert_to_floats(values)
        numbers = np.clip(numbers, low, high) if self.clip else numbers
        # Rounding of a sum of products may leave the interval by a hair.
        slack = 1e-9 * (high - low)
        inside = (numbers >= low - slack) & (numbers <= high + slack)  # False for NaN
        if not inside.all():
            # The values are private: the message must not hold one.
            raise DataError(
                f"response {int(np.argmin(inside))} of {inside.size}, counted from 0, is outside "
                f"[{self.low}, {self.high}]. Widen the interval, or truncate the response."
            )
        share = np.clip((numbers - low) / (high - low), 0, 1)
        rise, total = self._exponentials
        return (rise * share + 1) / total

    @cached_property
    def _exponentials(self) -> tuple[float, float]:
        """Pair e^eps - 1 and e^eps + 1."""
        return float(np.expm1(self.epsilon_nats)), float(np.exp(self.epsilon_nats)) + 1

    def guarantee(self, *, delta: float = 0.0) -> NatsOfDifferentialPrivacy:
        """Return the pure guarantee of all bits of one person together."""
        bits = self.domain.values * self.domain.coordinates
        return NatsOfDifferentialPrivacy(bits * self.epsilon_nats)

    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats]:
        """Draw uniform numbers from [0, 1), one coordinate after the other."""
        if self.domain.coordinates == 1:
            return (rng.random(shape),)
        return (np.stack([rng.random(shape[:-1]) for _ in self.domain.low], axis=-1),)

    def release_given(self, values: Floats, *noise: Floats) -> Floats:
        """Compute unbiased estimates of values from their bits; they leave the range."""
        return self.estimate_values(noise[0] < self.compute_probability_high(values))

    @property
    def grid(self) -> tuple[float, float]:
        """``(offset, step)`` of the two estimates: that of bit 0, and the distance of bit 1's."""
        low, high = self.estimate_values([0, 1])
        return float(low), float(high - low)

    def variance(self, values: Floats) -> float:
        """Return the mean variance of the estimates of single values.

        Returns
        -------
        float
            width^2 (1 / (4 tanh(epsilon / 2)^2) - mean (share - 1/2)^2), with the share of a value
            in the interval, in the square of its unit.
        """
        shares, tangent = self.domain.scale_to_unit(self.domain.clip(values)), self._tangent
        spread = float(np.mean((shares - 0.5) ** 2))
        return self.domain.width[0] ** 2 * (0.25 / tangent**2 - spread)

    def mean_distance(self, values: Floats) -> float:
        """Return the mean length of the error over the four possible reports of a place."""
        domain, tangent, shares = self.domain, self._tangent, self.domain.scale_to_unit(values)
        total = 0.0
        for bits in product((0, 1), repeat=domain.coordinates):
            side = 2 * np.array(bits) - 1
            estimate = domain.low + (0.5 + side / (2 * tangent)) * domain.width
            probability = (0.5 + side * tangent * (shares - 0.5)).prod(axis=-1)
            total += float((probability * np.hypot(*(estimate - values).T)).mean())
        return total

    @property
    def _tangent(self) -> float:
        """Difference of the two bits' probabilities at an end of the interval, tanh(eps/2)."""
        return math.tanh(self.epsilon_nats / 2)

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Compute the logarithm of the probability of the reported bits."""
        high, (start, stop) = self.compute_probability_high(values), self._ends
        outputs = convert_to_floats(outputs, "the outputs")
        bits = np.log(np.where(outputs > (start + stop) / 2, high, 1 - high))
        return sum_coordinates(bits, self.domain)

    @preserve_container
    def report(self, values: ArrayLike, rng: np.random.Generator | int | None = None) -> Ints:
        """Report values at random: 1 for ``high``, 0 for ``low``; in their shape and container.

        An int in place of ``rng`` is the seed of a new generator.

        For simulations.  The ratio of probabilities exceeds e^eps by rounding
        (:data:`MAX_EPSILON_NATS`), and the stream of ``rng`` is reproducible.
        """
        probability, rng = self.compute_probability_high(values), create_generator(rng)
        return (rng.random(probability.shape) < probability).astype(np.int64)

    def report_one(self, value: float, rng: np.random.Generator) -> int:
        """Report one value at random, 1 or 0, as :meth:`report` does, but faster.

        Raises
        ------
        DataError
            If the value lies outside the interval, as in :meth:`compute_probability_high`.
        """
        if not self.low <= value <= self.high:
            return int(self.report(value, rng))
        rise, total = self._exponentials
        share = (value - self.low) / (self.high - self.low)
        return int(rng.random() < (rise * share + 1) / total)

    def compute_draw_threshold(self, share: Fraction) -> int:
        """Compute how many of the 2^128 random integers :meth:`draw` reports as ``high``.

        Parameters
        ----------
        share : Fraction
            Place of the value in the interval, (y - a) / (b - a), between 0 and 1.

        Notes
        -----
        At ``share`` 0 it is 2^128 / (e^eps + 1), rounded up with a certified bound of e^eps, but at
        most half of them; at 1 it is 2^128 less that; between them it is the straight line, rounded
        down.  Hence

        - no report is more than e^eps times as likely under one value as under another, exactly;
        - each probability differs from Equation 5 by less than 2^-126, and its logarithm by less
          than 2^-82 (the smaller probability is at least 2^-43.3).

        Raises
        ------
        DataError
            If the share is not between 0 and 1.
        """
        if not 0 <= share <= 1:
            raise DataError(
                "`share`, the place of a value in its interval, must be between 0 and 1."
            )
        total = 1 << SAMPLER_BITS
        exponential = Fraction(_DECIMALS.exp(Decimal(float(self.epsilon_nats)))) * (1 - _MARGIN)
        least = min(math.ceil(total / (exponential + 1)), total // 2)
        return least + math.floor(share * (total - 2 * least))

    def draw(self, share: Fraction) -> int:
        """Draw one report, 1 for ``high`` or 0 for ``low``, from the system's random generator.

        Parameters
        ----------
        share : Fraction
            Place of the value in the interval, between 0 and 1; see :meth:`compute_draw_threshold`
            for the guarantee.
        """
        return int(secrets.randbits(SAMPLER_BITS) < self.compute_draw_threshold(share))

    def estimate_values(self, reports: ArrayLike) -> Floats:
        """Estimate each value from its own report (0 or 1), without bias; not clipped."""
        bits = _convert_reports(reports)
        share = ((math.exp(self.epsilon_nats) + 1) * bits - 1) / math.expm1(self.epsilon_nats)
        low, high = self._ends
        return low + (high - low) * share

    def estimate_mean(self, reports: ArrayLike) -> float:
        """Estimate the mean of the values from their reports (0 and 1), without bias."""
        return self.low + (self.high - self.low) * self._debias_share(reports)

    def estimate_mean_as_printed(self, reports: ArrayLike) -> float:
        """Estimate the mean as the paper prints it, with b in place of (b - a).

        Biased by a times the share of the values' mean in the interval, unless a = 0.
        """
        return self.low + self.high * self._debias_share(reports)

    def estimate_standard_error(self, reports: ArrayLike) -> float:
        """Estimate the standard error of :meth:`estimate_mean` from the spread of the reports."""
        reports = _convert_reports(reports)
        share = reports.mean()
        stretch = (self.high - self.low) / math.tanh(self.epsilon_nats / 2)
        return stretch * math.sqrt(share * (1 - share) / reports.size)

    def _debias_share(self, reports: ArrayLike) -> float:
        """Estimate the mean position of the values in the interval (0 to 1) from their bits."""
        share = float(np.mean(_convert_reports(reports)))
        return ((math.exp(self.epsilon_nats) + 1) * share - 1) / math.expm1(self.epsilon_nats)


def _convert_reports(reports: ArrayLike) -> Floats:
    """Convert reports of one bit to floats; raise DataError if one is neither 0 nor 1."""
    bits = convert_to_floats(reports, "the reports")
    is_bit = (bits == 0) | (bits == 1)
    if not is_bit.all():
        raise DataError(
            f"report {int(np.argmin(is_bit))} of {is_bit.size}, counted from 0, is neither 0 nor "
            "1. Give the bits that were reported."
        )
    return bits


class _UnlimitedOneBit(OneBitMechanism):
    """One-bit mechanism with an epsilon above the limit, only to compute its error."""

    def __post_init__(self) -> None:
        pass

    @np.errstate(under="ignore")
    def compute_probability_high(self, values: ArrayLike) -> Floats:
        """Raise the error of :class:`OneBitMechanism` for an epsilon above the limit."""
        return OneBitMechanism(self.domain, self.epsilon_nats).compute_probability_high(values)


MECHANISM = OneBitMechanism
