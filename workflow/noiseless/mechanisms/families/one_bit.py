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
from numpy.typing import ArrayLike, NDArray

from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import Floats, keeps_container
from noiseless.mechanisms.guarantees import NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import UNBOUNDED, Domain, NoisyMechanism, summed

LARGEST_EPSILON = 30.0
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
    """One-bit reports of values in a public interval.

    Attributes
    ----------
    low, high : float
        Ends a and b of the interval.
    epsilon_nats : float
        Privacy guarantee of one report, in nats: larger than 0, at most :data:`LARGEST_EPSILON`.
    clip : bool
        Whether a value outside the interval is moved to its nearer end; else it is an error.
    domain : Domain, optional
        The same interval, and whose it is; by default one value of a person.  One of several
        coordinates, each of which is reported by a bit, has the ends above in the first of them.

    Raises
    ------
    ConfigError
        If the interval is empty or infinite, or epsilon is out of its range.

    Examples
    --------
    Each person reports one bit about a value in [0, 10]; the mean comes from all bits.

    >>> mechanism = OneBitMechanism(0, 10, epsilon_nats=1.0)
    >>> reports = mechanism.report([2.0, 9.0, 4.0] * 20_000, rng=1)
    >>> round(mechanism.mean_estimate(reports), 1), mechanism.guarantee().epsilon_nats
    (5.0, 1.0)
    """

    low: float
    high: float
    epsilon_nats: float
    clip: bool = False
    domain: Domain = field(default=UNBOUNDED, repr=False, kw_only=True)

    name = "one_bit"
    label = "one random bit of each person"
    colour, marker, order = "purple", "v", 5
    kind = "epsilon"
    parameter_is = "epsilon_nats"
    is_local = True

    def __post_init__(self) -> None:
        if not (self.low < self.high and math.isfinite(self.high - self.low)):
            raise ConfigError(f"[{self.low}, {self.high}] is not an interval of responses.")
        if not 0 < self.epsilon_nats <= LARGEST_EPSILON:
            raise ConfigError(
                f"epsilon is {self.epsilon_nats}, but it must be larger than 0 and at most "
                f"{LARGEST_EPSILON:g}: beyond, a random number of 53 bits cannot keep both reports "
                "possible. Choose a smaller one."
            )
        if self.domain is UNBOUNDED:
            object.__setattr__(self, "domain", Domain((self.low,), (self.high,)))

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        """Ends of the domain."""
        return np.squeeze(self.domain.low), np.squeeze(self.domain.high)

    @classmethod
    def on(cls, domain: Domain, parameter: float) -> "OneBitMechanism":
        """With an epsilon of a bit, one for each coordinate."""
        made = cls if 0 < parameter <= LARGEST_EPSILON else _InLimit
        return made(domain.low[0], domain.high[0], parameter, clip=True, domain=domain)

    @classmethod
    def parameter_name(cls, domain: Domain) -> str:
        """Epsilon, of a coordinate where a person has several."""
        several = domain.values * domain.coordinates > 1
        return "epsilon_per_coordinate" if several else "epsilon_nats"

    def probability_high(self, values: ArrayLike) -> Floats:
        """Probability that each value is reported as ``high`` (Equation 5).

        Raises
        ------
        DataError
            If a value lies outside the interval; names the place of the first one, not the value.
        """
        low, high = self._ends
        given: Floats = np.asarray(values, dtype=float)
        given = np.clip(given, low, high) if self.clip else given
        # Rounding of a sum of products may leave the interval by a hair.
        slack = 1e-9 * (high - low)
        inside = (given >= low - slack) & (given <= high + slack)  # False for NaN
        if not inside.all():
            # The values are private: the message must not hold one.
            raise DataError(
                f"response {int(np.argmin(inside))} of {inside.size}, counted from 0, is outside "
                f"[{self.low}, {self.high}]. Widen the interval, or truncate the response."
            )
        share = np.clip((given - low) / (high - low), 0, 1)
        rise, total = self._exponentials
        return (rise * share + 1) / total

    @cached_property
    def _exponentials(self) -> tuple[float, float]:
        """e^eps - 1 and e^eps + 1."""
        return float(np.expm1(self.epsilon_nats)), float(np.exp(self.epsilon_nats)) + 1

    def guarantee(self, *, delta: float = 0.0) -> NatsOfDifferentialPrivacy:
        """What one person is guaranteed for all of their bits, for every delta."""
        bits = self.domain.values * self.domain.coordinates
        return NatsOfDifferentialPrivacy(bits * self.epsilon_nats)

    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats]:
        """Uniform numbers from [0, 1), those of each coordinate at once."""
        if self.domain.coordinates == 1:
            return (rng.random(shape),)
        return (np.stack([rng.random(shape[:-1]) for _ in self.domain.low], axis=-1),)

    def release_given(self, values: Floats, *noise: Floats) -> Floats:
        """Unbiased estimates, beyond the ends of the range."""
        return self.unbiased(noise[0] < self.probability_high(values))

    @property
    def grid(self) -> tuple[float, float]:
        """The estimates of the two bits."""
        low, high = self.unbiased([0, 1])
        return float(low), float(high - low)

    def variance(self, values: Floats) -> float:
        """Mean variance of the estimates of single values.

        Returns
        -------
        float
            width^2 (1 / (4 tanh(epsilon / 2)^2) - mean (share - 1/2)^2), with the share of a value
            in the interval, in the square of its unit.
        """
        shares, tangent = self.domain.shares(self.domain.clip(values)), self._tangent
        spread = float(np.mean((shares - 0.5) ** 2))
        return self.domain.width[0] ** 2 * (0.25 / tangent**2 - spread)

    def mean_distance(self, values: Floats) -> float:
        """The mean over the four reports of a place."""
        domain, tangent, shares = self.domain, self._tangent, self.domain.shares(values)
        total = 0.0
        for bits in product((0, 1), repeat=domain.coordinates):
            side = 2 * np.array(bits) - 1
            estimate = domain.low + (0.5 + side / (2 * tangent)) * domain.width
            probability = (0.5 + side * tangent * (shares - 0.5)).prod(axis=-1)
            total += float((probability * np.hypot(*(estimate - values).T)).mean())
        return total

    @property
    def _tangent(self) -> float:
        """Probability of the likelier bit at an end, less that of the other."""
        return math.tanh(self.epsilon_nats / 2)

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Logarithm of the probability of the bits."""
        high, (start, stop) = self.probability_high(values), self._ends
        bits = np.log(np.where(outputs > (start + stop) / 2, high, 1 - high))
        return summed(bits, self.domain)

    @keeps_container
    def report(
        self, values: ArrayLike, rng: np.random.Generator | int | None = None
    ) -> NDArray[np.int64]:
        """Reports of the values: 1 for ``high``, 0 for ``low``; in their shape and container.

        An int in place of ``rng`` is the seed of a new generator.

        For simulations.  The ratio of probabilities exceeds e^eps by rounding
        (:data:`LARGEST_EPSILON`), and the stream of ``rng`` is reproducible.
        """
        probability, rng = self.probability_high(values), np.random.default_rng(rng)
        return (rng.random(probability.shape) < probability).astype(np.int64)

    def report_one(self, value: float, rng: np.random.Generator) -> int:
        """What :meth:`report` reports of one value, which is quicker without an array.

        Raises
        ------
        DataError
            If the value lies outside the interval, as in :meth:`probability_high`.
        """
        if not self.low <= value <= self.high:
            return int(self.report(value, rng))
        rise, total = self._exponentials
        share = (value - self.low) / (self.high - self.low)
        return int(rng.random() < (rise * share + 1) / total)

    def threshold(self, share: Fraction) -> int:
        """Number of the 2^128 integers of 128 bits that :meth:`draw` reports as ``high``.

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
            raise DataError("the place of a value in its interval is not between 0 and 1.")
        total = 1 << SAMPLER_BITS
        exponential = Fraction(_DECIMALS.exp(Decimal(float(self.epsilon_nats)))) * (1 - _MARGIN)
        least = min(math.ceil(total / (exponential + 1)), total // 2)
        return least + math.floor(share * (total - 2 * least))

    def draw(self, share: Fraction) -> int:
        """One report, 1 for ``high`` or 0 for ``low``, from the operating system's generator.

        Parameters
        ----------
        share : Fraction
            Place of the value in the interval, between 0 and 1; :meth:`threshold` says what is
            guaranteed.
        """
        return int(secrets.randbits(SAMPLER_BITS) < self.threshold(share))

    def unbiased(self, reports: ArrayLike) -> NDArray[np.float64]:
        """Unbiased estimate of each value from its own report (0 or 1), beyond the interval."""
        share = (np.multiply(math.exp(self.epsilon_nats) + 1, reports) - 1) / math.expm1(
            self.epsilon_nats
        )
        low, high = self._ends
        return low + (high - low) * share

    def mean_estimate(self, reports: ArrayLike) -> float:
        """Unbiased estimate of the mean of the values from their reports (0 and 1)."""
        return self.low + (self.high - self.low) * self._debiased_share(reports)

    def printed_mean_estimate(self, reports: ArrayLike) -> float:
        """The estimator as the paper prints it, with b in place of (b - a).

        Biased by a times the share of the values' mean in the interval, unless a = 0.
        """
        return self.low + self.high * self._debiased_share(reports)

    def mean_standard_error(self, reports: ArrayLike) -> float:
        """Standard error of :meth:`mean_estimate`, from the spread of the reports."""
        reports = np.asarray(reports, dtype=float)
        share = reports.mean()
        stretch = (self.high - self.low) / math.tanh(self.epsilon_nats / 2)
        return stretch * math.sqrt(share * (1 - share) / reports.size)

    def _debiased_share(self, reports: ArrayLike) -> float:
        """Unbiased estimate of the share, from a mean of bits."""
        share = float(np.mean(np.asarray(reports, dtype=float)))
        return ((math.exp(self.epsilon_nats) + 1) * share - 1) / math.expm1(self.epsilon_nats)


class _InLimit(OneBitMechanism):
    """One bit with an epsilon beyond the allowed ones, only to compute its error."""

    def __post_init__(self) -> None:
        pass

    def probability_high(self, values: ArrayLike) -> Floats:
        """Refused, as by :class:`OneBitMechanism`."""
        return OneBitMechanism(self.low, self.high, self.epsilon_nats).probability_high(values)


MECHANISM = OneBitMechanism
