"""Loss curves of answers about whether a person's value lies above a threshold.

The paper ``prrelation`` asks whether a record has one of two values, and leaves the question of
values above and below a threshold to future work (Section 7).  The adversary knows all other
records.  The noiseless answer rises in proportion to the value (a sum, a mean), or takes the given
``values``, which may come from any query that does not fall with the person's value.

1. :class:`ThresholdHypothesis` is the hypothesis, with the adversary's prior knowledge.
2. :class:`ThresholdLoss` is the loss curve of one Laplace answer, or of several Gaussian answers.

Both noises have a log-concave density, so that the likelihood ratio of the two hypotheses does not
fall with the answer, whatever the prior is (``docs/proofs/prrelation.md``, "Values above a
threshold").  So the best test of every prior has one threshold, and each rate is one integral.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, logsumexp, ndtr

from noiseless.accounting.privacy_loss import LaplaceLoss, LossCurve, NumberBounds
from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import convert_to_floats, is_number


@dataclass(frozen=True, eq=False)
class ThresholdHypothesis:
    """Hypothesis that a person's value lies above a threshold (``prrelation``, Section 7).

    Attributes
    ----------
    threshold : float
        Threshold, in the unit of the values; a value equal to it does not lie above it.
    low, high : float
        Ends of the public range of values; their distance is the sensitivity.
    values : sequence of float, optional
        Possible values.  None: uniformly distributed over the range.
    weights : sequence of float, optional
        Probabilities of ``values``, up to a factor.  None: equal probabilities.

    Raises
    ------
    ConfigError
        If the threshold lies outside of the range, a value does, the weights do not fit, or all
        of the weight lies on one side of the threshold.

    Examples
    --------
    Of two values, the ends of the range, this is the binary case:

    >>> ThresholdHypothesis(0.5, low=0.0, high=1.0, values=(0.0, 1.0), weights=(3, 1)).prior
    0.25
    >>> ThresholdHypothesis(80.0, low=0.0, high=200.0).prior
    0.6
    """

    threshold: float
    low: float
    high: float
    values: Sequence[float] | Floats | None = None
    weights: Sequence[float] | Floats | None = None

    def __post_init__(self) -> None:
        numbers = (self.threshold, self.low, self.high)
        if not all(is_number(each) and math.isfinite(each) for each in numbers):
            raise ConfigError(
                f"`threshold`, `low` and `high` must be finite numbers, got {numbers}."
            )
        if not self.low <= self.threshold < self.high:
            raise ConfigError(
                f"`threshold` must lie in the range from {self.low} to {self.high}, below its "
                f"upper end, got {self.threshold}."
            )
        if self.values is None:
            if self.weights is not None:
                raise ConfigError(
                    "`weights` must come with `values`, got none. Give values=..., too."
                )
            if self.threshold == self.low:
                raise ConfigError(
                    f"`threshold` must be above {self.low}, the lower end of the range, got "
                    f"{self.threshold}. Raise it, because every value lies above it."
                )
            return
        values, weights = self.points
        if not len(values) or not ((self.low <= values) & (values <= self.high)).all():
            raise ConfigError(
                f"`values` must be one or more numbers in the range from {self.low} to "
                f"{self.high}. Widen the range, or leave out values outside of it."
            )
        if len(weights) != len(values) or not ((weights >= 0) & np.isfinite(weights)).all():
            raise ConfigError(
                f"`weights` must be {len(values)} numbers of at least 0, one for each value."
            )
        above = weights[values > self.threshold].sum()
        if above == 0 or above == weights.sum():
            raise ConfigError(
                f"`threshold` must lie between values with positive weights, got {self.threshold}, "
                "which has all of them on one side. Move it."
            )

    @cached_property
    def points(self) -> tuple[Floats, Floats]:
        """Possible values and their weights, each of shape (n,), if ``values`` is given."""
        values = np.atleast_1d(convert_to_floats(self.values, "the values"))
        weights = (
            np.ones(len(values))
            if self.weights is None
            else np.atleast_1d(convert_to_floats(self.weights, "weights"))
        )
        return values, weights

    @property
    def prior(self) -> float:
        """Probability, before the answers, of a value above the threshold."""
        if self.values is None:
            return (self.high - self.threshold) / (self.high - self.low)
        values, weights = self.points
        return float(weights[values > self.threshold].sum() / weights.sum())

    def build_curve(self, mechanism: str, distance: float, answers: int) -> LossCurve:
        """Build the loss curve of one Laplace answer, or any number of Gaussian ones.

        Parameters
        ----------
        mechanism : str
            ``laplace``, ``gaussian_analytic`` or ``gaussian_classical``.
        distance : float
            The length of the range in units of the noise.
        answers : int
            Number of answers.

        Raises
        ------
        ConfigError
            If the mechanism, or the number of its answers, is another one.
        """
        if mechanism == "laplace" and answers == 1:
            return ThresholdLoss(self, LaplaceNoise(), distance)
        if mechanism in ("gaussian_analytic", "gaussian_classical"):
            # The sum of several Gaussian answers is sufficient: it has the loss of all of them.
            return ThresholdLoss(self, NormalNoise(), distance * math.sqrt(answers))
        raise ConfigError(
            "`mechanism` must be one answer of mechanism='laplace', or any number of a Gaussian "
            f"one, for a threshold, got {mechanism!r} and {answers} answers. Leave the hypothesis "
            "out: the risk of the two ends of the range is no smaller."
        )

    def build_blind_curve(self) -> LossCurve:
        """Build the loss curve without any answer."""
        return LaplaceLoss(0.0)

    def build_noiseless_curve(self, mechanism: str) -> None:
        """Return None: a noiseless answer decides, so that no bound below 1 is kept."""
        return None


class Noise(Protocol):
    """Noise Z of scale 1 with an even, log-concave density f."""

    def compute_log_density(self, u: Floats) -> Floats:
        """Return log f(u)."""
        ...

    def compute_tail(self, u: Floats) -> Floats:
        """Return P(Z > u)."""
        ...

    def compute_log_tail(self, u: Floats) -> Floats:
        """Return log P(Z > u)."""
        ...

    def compute_mean_excess(self, u: Floats) -> Floats:
        """Return E max(Z - u, 0), the integral of the tail from u up."""
        ...

    has_finite_loss: bool


class LaplaceNoise(Noise):
    """Laplace noise, of density e^-|u|/2."""

    has_finite_loss = True

    def compute_log_density(self, u: Floats) -> Floats:
        """Return log f(u) of Laplace noise."""
        return -np.abs(u) - math.log(2)

    def compute_tail(self, u: Floats) -> Floats:
        """Return P(Z > u) of Laplace noise."""
        half = np.exp(-np.abs(u)) / 2
        return np.where(u >= 0, half, 1 - half)

    def compute_log_tail(self, u: Floats) -> Floats:
        """Return log P(Z > u) of Laplace noise."""
        half = np.exp(-np.abs(u)) / 2
        return np.where(u >= 0, -np.abs(u) - math.log(2), np.log1p(-half))

    def compute_mean_excess(self, u: Floats) -> Floats:
        """Return E max(Z - u, 0) of Laplace noise."""
        return np.maximum(-u, 0) + np.exp(-np.abs(u)) / 2


class NormalNoise(Noise):
    """Standard normal noise."""

    has_finite_loss = False

    def compute_log_density(self, u: Floats) -> Floats:
        """Return log f(u) of normal noise."""
        return -np.square(u) / 2 - math.log(2 * math.pi) / 2

    def compute_tail(self, u: Floats) -> Floats:
        """Return P(Z > u) of normal noise."""
        return ndtr(-u)

    def compute_log_tail(self, u: Floats) -> Floats:
        """Return log P(Z > u) of normal noise."""
        return log_ndtr(-u)

    def compute_mean_excess(self, u: Floats) -> Floats:
        """Return E max(Z - u, 0) of normal noise."""
        return np.exp(self.compute_log_density(u)) - u * ndtr(-u)


_MAX_NOISE: Final = (
    38.0  # scales of the noise beyond which normal noise has probability 0 in floats
)


class ThresholdLoss(LossCurve):
    """Privacy loss of a noisy answer about whether a value lies above a threshold (D) or not (D').

    The likelihood ratio of such an answer does not fall with the answer.  ``distance`` is the
    length of the range in scales of the noise, positive.
    """

    def __init__(self, hypothesis: ThresholdHypothesis, noise: Noise, distance: float) -> None:
        scale = distance / (hypothesis.high - hypothesis.low)
        self._noise, self._ends = noise, (-_MAX_NOISE, distance + _MAX_NOISE)
        cut = (hypothesis.threshold - hypothesis.low) * scale
        self._sides: tuple[_Side, _Side]
        if hypothesis.values is None:
            self._sides = (_UniformValues(noise, cut, distance), _UniformValues(noise, 0.0, cut))
        else:
            values, weights = hypothesis.points
            at = (values - hypothesis.low) * scale
            sides = (values > hypothesis.threshold, values <= hypothesis.threshold)
            above, below = (_WeightedValues(noise, at[side], weights[side]) for side in sides)
            self._sides = (above, below)

    def compute_rates(self, threshold: float) -> tuple[float, float]:
        """Compute the probabilities, under D and under D', that an answer exceeds a threshold.

        It is in scales of the noise above the answer for a value at the low end of the range.
        """
        above, below = self._sides
        return above.compute_tail(threshold), below.compute_tail(threshold)

    def compute_log_ratio(self, answer: float) -> float:
        """Compute log(density under D / density under D') of an answer, in nats."""
        above, below = self._sides
        return above.compute_log_density(answer) - below.compute_log_density(answer)

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Compute the largest ``P_D(S) - e^log_ratio P_D'(S)`` over sets S of answers."""
        low, high = self._ends
        if self.compute_log_ratio(low) >= log_ratio:
            value = -math.expm1(log_ratio)  # every answer counts
        elif self.compute_log_ratio(high) <= log_ratio:
            value = 0.0
        else:
            recall, alarms = self.compute_rates(
                brentq(
                    lambda answer: self.compute_log_ratio(answer) - log_ratio, low, high, xtol=1e-13
                )
            )
            value = max(recall - math.exp(log_ratio) * alarms, -math.expm1(log_ratio), 0.0)
        return NumberBounds(value, value)

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Compute the largest P_D(S) over sets S with P_D'(S) at most ``false_alarm``."""
        recall = self.compute_rates(self._find_threshold(1, false_alarm))[0]
        return NumberBounds(recall, recall)

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the loss (nats) that answers under D exceed with probability ``tail``.

        Infinite for normal noise and a tail of 0.
        """
        if tail == 0 and not self._noise.has_finite_loss:
            return NumberBounds(math.inf, math.inf)
        loss = self.compute_log_ratio(self._ends[1] if tail == 0 else self._find_threshold(0, tail))
        return NumberBounds(loss, loss)

    def _find_threshold(self, side: int, share: float) -> float:
        """Find the threshold that answers under D (0) or D' (1) exceed with a probability."""
        low, high = self._ends
        while self.compute_rates(low)[side] <= share:
            low -= _MAX_NOISE
        while self.compute_rates(high)[side] >= share:
            high += _MAX_NOISE
        return brentq(lambda each: self.compute_rates(each)[side] - share, low, high, xtol=1e-13)


class _Side(Protocol):
    """Distribution of the values on one side of the threshold, in scales of the noise."""

    def compute_tail(self, threshold: float) -> float:
        """Compute the probability that an answer exceeds a threshold."""
        ...

    def compute_log_density(self, answer: float) -> float:
        """Compute the logarithm of the density of an answer."""
        ...


class _WeightedValues(_Side):
    """Finitely many values with weights."""

    def __init__(self, noise: Noise, values: Floats, weights: Floats) -> None:
        kept = weights > 0
        self._noise, self._values = noise, values[kept]
        self._shares = weights[kept] / weights.sum()

    def compute_tail(self, threshold: float) -> float:
        return float(self._shares @ self._noise.compute_tail(threshold - self._values))

    def compute_log_density(self, answer: float) -> float:
        return float(
            logsumexp(self._noise.compute_log_density(answer - self._values), b=self._shares)
        )


class _UniformValues(_Side):
    """Uniform distribution between two ends, in closed form by the noise's integrals."""

    def __init__(self, noise: Noise, low: float, high: float) -> None:
        self._noise, self._low, self._high = noise, low, high

    def compute_tail(self, threshold: float) -> float:
        ends = np.array([threshold - self._high, threshold - self._low])
        more, less = self._noise.compute_mean_excess(ends)
        return float(more - less) / (self._high - self._low)

    def compute_log_density(self, answer: float) -> float:
        # Compute the probability between two ends from the tail in which it is small.
        near, far = answer - self._high, answer - self._low
        if near + far < 0:
            near, far = -far, -near
        more, less = self._noise.compute_log_tail(np.array([near, far]))
        return float(more + np.log(-np.expm1(less - more))) - math.log(self._high - self._low)
