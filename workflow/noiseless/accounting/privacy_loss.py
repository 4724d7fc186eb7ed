"""Privacy loss curves: how well the outputs of several answers distinguish neighbouring datasets.

1. The *privacy loss* of outputs is the logarithm of how much likelier they are under D (the record
   is there, or has its first value) than under D'.  The losses of independent answers add up.
2. A *loss curve* determines an adversary's success: for each threshold ``log_ratio``, it gives the
   largest ``P_D(S) - e^log_ratio P_D'(S)`` over all sets S of outputs
   (:meth:`LossCurve.compute_delta`). At an epsilon of at least 0 it is the smallest delta for which
   the answers are (epsilon, delta)-private.
3. :class:`NormalLoss` (any number of Gaussian answers) and :class:`LaplaceLoss` (one Laplace
   answer) have closed forms.  :class:`LatticeLoss` holds the losses of all others as multiples of a
   step; where they are not, it holds them rounded up and rounded down, and gives bounds from both
   sides (Koskela, Jälkö, Honkela, "Computing tight differential privacy guarantees using FFT",
   AISTATS 2020).

Every pair of outputs here is symmetric: D and D' swapped have the same curve.  A pair that bounds
each of several answers bounds them together even if a later question depends on earlier outputs
(Zhu, Dong, Wang, "Optimal accounting of differential privacy via characteristic function",
AISTATS 2022, Theorem 10).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import check_positive, convert_to_python, is_number
from noiseless.mechanisms.families.gaussian import compute_gaussian_delta

# Largest error, by rounding in a Fourier transform, of every number from a lattice.
ROUNDING = 1e-10
MAX_ANSWERS = 10_000
# A loss above this number of nats is rounded up to infinity, and rounded down to this number.
_MAX_LOSS_NATS = 300.0
_MAX_EPSILON_NATS = 1e100
_MAX_VALUES = 2**25  # of noise, each with a probability
_N_CELLS = 2**18


@dataclass(frozen=True)
class NumberBounds:
    """Certified bounds of a number, equal where it is known."""

    low: float
    high: float


class LossCurve(Protocol):
    """Success of the best adversary who distinguishes D from D', at every threshold."""

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Compute the largest ``P_D(S) - e^log_ratio P_D'(S)`` over sets S of outputs."""
        ...

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Compute the largest P_D(S) over sets S with P_D'(S) at most ``false_alarm``."""
        ...

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the loss (nats) that outputs under D exceed with probability ``tail`` at most."""
        ...

    def compute_f_score(self, beta: float, odds_against: float) -> NumberBounds:
        """Compute the largest F-score of any test for D, at odds P(D')/P(D).

        A test beats F if ``(1 + beta^2 - F) recall - F odds_against false_alarm`` exceeds
        ``F beta^2``, and the largest such difference is a value of the curve.
        """
        weight = beta**2
        floor = (1 + weight) / (1 + odds_against + weight)

        def find_best_score(end: str) -> float:
            def compute_excess(score: float) -> float:
                rest = 1 + weight - score
                delta = self.compute_delta(math.log(score * odds_against / rest))
                return rest * getattr(delta, end) - score * weight

            if compute_excess(floor) <= 0:
                return floor
            return (
                1.0
                if compute_excess(1.0) >= 0
                else brentq(compute_excess, floor, 1.0, xtol=1e-15, rtol=1e-14)
            )

        high = find_best_score("high")
        at = self.compute_delta(math.log(high * odds_against / (1 + weight - high)))
        # If the ends of the curve are equal at this point, it is the root for both ends.
        return NumberBounds(high if at.low == at.high else find_best_score("low"), high)

    @property
    def upper(self) -> "LossCurve":
        """Curve with the upper bounds only, for curves whose lower bounds are expensive."""
        return self


def _build_exact(value: float) -> NumberBounds:
    """Return bounds of a number that is known exactly."""
    return NumberBounds(value, value)


@dataclass(frozen=True)
class NormalLoss(LossCurve):
    """Loss curve of Gaussian answers, whose loss is normally distributed.

    ``mu`` is the distance of the noiseless answers under D and D' in standard deviations of the
    noise; of ``k`` answers, the root of the sum of squares.
    """

    mu: float

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Compute the largest ``P_D(S) - e^log_ratio P_D'(S)`` of Gaussian answers."""
        return _build_exact(float(compute_gaussian_delta(log_ratio, self.mu)))

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Compute the true positive rate at ``false_alarm`` for Gaussian answers."""
        return _build_exact(float(ndtr(ndtri(false_alarm) + self.mu)))

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the loss (nats) that is exceeded with probability ``tail``; infinite for 0."""
        return _build_exact(self.mu**2 / 2 - self.mu * float(ndtri(tail)))


@dataclass(frozen=True)
class LaplaceLoss(LossCurve):
    """Loss curve of one Laplace answer: losses in [-epsilon, epsilon], with mass at both ends."""

    epsilon_nats: float

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Compute the largest ``P_D(S) - e^log_ratio P_D'(S)`` of one Laplace answer."""
        if log_ratio >= self.epsilon_nats:
            return _build_exact(0.0)
        if log_ratio <= -self.epsilon_nats:
            return _build_exact(-math.expm1(log_ratio))
        return _build_exact(-math.expm1((log_ratio - self.epsilon_nats) / 2))

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Compute the true positive rate at ``false_alarm`` for one Laplace answer."""
        even = math.exp(-self.epsilon_nats)
        if false_alarm <= even / 2:
            return _build_exact(false_alarm / even)
        if false_alarm <= 0.5:
            return _build_exact(1 - even / (4 * false_alarm))
        return _build_exact(1 - even * (1 - false_alarm))

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the loss (nats) that is exceeded with probability ``tail`` at most."""
        if tail < 0.5:
            return _build_exact(self.epsilon_nats)
        # P_D(L > l) = 1 - e^((l - epsilon) / 2) / 2 within the ends.
        within = self.epsilon_nats + 2 * math.log(2 * (1 - tail))
        return _build_exact(max(within, -self.epsilon_nats))


@dataclass(frozen=True)
class LossMasses:
    """Distribution under D of increasing losses (nats), and of outputs that D' never gives."""

    losses: Floats
    chances: Floats
    infinite: float = 0.0


class LatticeLoss(LossCurve):
    """Loss curve of losses that are multiples of a step, exactly or rounded up and down.

    The two functions compute the losses rounded down and rounded up when a result needs them, since
    they may take Fourier transforms of a million numbers.
    """

    def __init__(
        self, low: Callable[[], "_RoundedLosses"], high: Callable[[], "_RoundedLosses"]
    ) -> None:
        self._low, self._high = cache(low), cache(high)

    @property
    def upper(self) -> "LatticeLoss":
        """Curve with the upper bounds only, which spares the computation of the lower ones."""
        return LatticeLoss(self._high, self._high)

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Bound the largest ``P_D(S) - e^log_ratio P_D'(S)`` from rounded losses."""
        high = self._high()
        if high.infinite == 0 and abs(log_ratio) >= high.compute_loss_quantile(0.0):
            return _build_exact(max(0.0, -math.expm1(log_ratio)))
        return self._bound_number(lambda end: end.widen(end.compute_delta(log_ratio)))

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Bound the true positive rate at ``false_alarm`` from rounded losses."""
        return self._bound_number(
            lambda end: end.widen(end.compute_true_positive_rate(false_alarm))
        )

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Bound the loss (nats) that is exceeded with probability ``tail`` at most.

        A tail that is positive and too small for the rounding of a Fourier transform is a
        ConfigError.
        """
        if 0 < tail < 100 * ROUNDING:
            raise ConfigError(
                f"`tail` must be 0 or at least {100 * ROUNDING:g}, which rounding cannot hide, got "
                f"{tail}. Give 0 for the largest loss of all."
            )
        return self._bound_number(lambda end: end.compute_loss_quantile(tail))

    def _bound_number(self, number: Callable[["_RoundedLosses"], float]) -> NumberBounds:
        """Bound a number by its values for both roundings; computed once if they are equal."""
        high = number(self._high())
        return NumberBounds(high if self._low() is self._high() else number(self._low()), high)


class _RoundedLosses:
    """Losses of at least 0, rounded in one direction; negative losses follow by symmetry."""

    def __init__(self, masses: LossMasses, *, upper: bool) -> None:
        self._all, self._upper = masses, upper
        kept = masses.losses >= 0
        losses, chances = masses.losses[kept], masses.chances[kept]
        infinite = masses.infinite
        beyond = losses > _MAX_LOSS_NATS
        if beyond.any():
            more = float(chances[beyond].sum())
            losses, chances = losses[~beyond], chances[~beyond]
            if upper:
                infinite += more
            else:
                losses, chances = np.append(losses, _MAX_LOSS_NATS), np.append(chances, more)
        self._losses, self._chances, self.infinite = losses, chances, infinite
        # The probability of all larger losses, under D and under D'.
        self._above = _sum_later_values(chances)
        self._above_other = _sum_later_values(chances * np.exp(-losses))

    def widen(self, probability: float) -> float:
        """Move a probability outwards by the largest error of rounding."""
        if self._upper:
            return min(probability + ROUNDING, 1.0)
        return max(probability - ROUNDING, 0.0)

    def compute_delta(self, log_ratio: float) -> float:
        if log_ratio < 0:
            return 1 - math.exp(log_ratio) * (1 - self.compute_delta(-log_ratio))
        start = int(np.searchsorted(self._losses, log_ratio, side="right"))
        gains = -np.expm1(log_ratio - self._losses[start:])
        return float(self._chances[start:] @ gains) + self.infinite

    @cached_property
    def _breakpoints(self) -> tuple[Floats, Floats, Floats]:
        """Delta at 0 and at each loss t, and the values e^t and e^-t."""
        at = np.concatenate([[0.0], self._losses])
        deltas = np.concatenate(
            [
                [self.compute_delta(0.0)],
                self._above + self.infinite - np.exp(self._losses) * self._above_other,
            ]
        )
        return deltas, np.exp(at), np.exp(-at)

    def compute_true_positive_rate(self, false_alarm: float) -> float:
        # The least of delta(t) + e^t false_alarm over all t: a convex function of e^t, with its
        # corners at the losses, at their negatives, and at 0.
        deltas, ratios, inverses = self._breakpoints
        positive = deltas + ratios * false_alarm
        negative = 1 - inverses * (1 - deltas - false_alarm)
        return float(min(positive.min(), negative.min(), 1.0))

    def compute_loss_quantile(self, tail: float) -> float:
        if tail > 0:
            # Rounding can hide that a probability exceeds the tail, so move the tail outwards.
            tail += -ROUNDING if self._upper else ROUNDING
        if self._all.infinite > tail:
            return math.inf
        if tail == 0:
            return float(self._all.losses[-1])
        above = _sum_later_values(self._all.chances) + self._all.infinite
        return float(self._all.losses[int(np.argmax(above <= tail))])


def _sum_later_values(values: Floats) -> Floats:
    """Compute for each place the sum of all later values."""
    return np.append(np.cumsum(values[::-1])[::-1][1:], 0.0)


def _build_lattice_loss(
    low: Callable[[], LossMasses], high: Callable[[], LossMasses]
) -> LatticeLoss:
    """Build a lattice loss from functions that compute its masses on demand."""
    return LatticeLoss(
        lambda: _RoundedLosses(low(), upper=False), lambda: _RoundedLosses(high(), upper=True)
    )


@np.errstate(under="ignore")
def build_laplace_loss(epsilon_nats: float, answers: int = 1) -> LossCurve:
    """Build the loss curve of 1 to 10,000 Laplace answers with independent noise."""
    epsilon_nats = require_epsilon("epsilon_nats", epsilon_nats)
    answers = require_answers(answers)
    if answers == 1:
        return LaplaceLoss(epsilon_nats)
    cells = max(_N_CELLS // answers, 64)
    losses = epsilon_nats * (2 * np.arange(cells + 1) / cells - 1)
    # P_D(L <= l) is e^((l - epsilon) / 2) / 2 below epsilon, and 1 there.
    below = np.exp((losses - epsilon_nats) / 2) / 2
    between = np.diff(below)
    up = np.concatenate([[below[0]], between])
    up[-1] += 0.5
    down = np.concatenate([between, [0.5]])
    down[0] += below[0]
    step = 2 * epsilon_nats / cells
    return _build_lattice_loss(
        lambda: _compose_losses(down, -epsilon_nats, step, answers),
        lambda: _compose_losses(up, -epsilon_nats, step, answers),
    )


def build_worst_loss(epsilon_nats: float, delta: float = 0.0, answers: int = 1) -> LossCurve:
    """Build the loss curve of 1 to 10,000 answers of the worst (epsilon, delta)-private mechanism.

    With a probability of delta it gives its data away; else it answers by randomized response
    (Kairouz, Oh, Viswanath, "The composition theorem for differential privacy", Theorem 3.3).  The
    discrete Laplace (geometric) mechanism of a count has the same loss, with a delta of 0.
    """
    epsilon_nats = require_epsilon("epsilon_nats", epsilon_nats)
    answers = require_answers(answers)
    if not 0 <= delta < 1:
        raise ConfigError(f"`delta` must be at least 0 and less than 1, got {delta}.")
    true = 1 / (1 + math.exp(-epsilon_nats))
    masses = _compose_losses(np.array([1 - true, true]), -epsilon_nats, 2 * epsilon_nats, answers)
    kept = (1 - delta) ** answers
    masses = LossMasses(
        masses.losses, masses.chances * kept, -math.expm1(answers * math.log1p(-delta))
    )
    return _build_lattice_loss(lambda: masses, lambda: masses)


@np.errstate(under="ignore")
def build_discrete_gaussian_loss(sigma: float, answers: int = 1) -> LossCurve:
    """Build the loss curve of counts with discrete Gaussian noise, each of which changes by 1.

    P(z) is proportional to e^(-z^2 / (2 sigma^2)) on the integers (C. Canonne, G. Kamath, T.
    Steinke, "The discrete Gaussian for differential privacy", 2020).  A sigma with too many values
    is a ConfigError.
    """
    check_positive("sigma", sigma)
    answers = require_answers(answers)
    # Less than 1e-30 of the noise, and of the sum of all noise, lies beyond these limits.  The
    # circular transform adds residues modulo ``size``, which is large enough to keep them distinct.
    reach, reach_of_sum = (math.ceil(12 * sigma * root) + 1 for root in (1, math.sqrt(answers)))
    size = _compute_fast_size(2 * reach_of_sum + 1)
    if size > _MAX_VALUES:
        raise ConfigError(
            f"sigma is {sigma:.4g}, but the sum of {answers} such noises has more than "
            f"{_MAX_VALUES:,} values, which is more than is computed with. Give a larger epsilon, "
            "or fewer answers."
        )
    noise = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 * (noise / sigma) ** 2)
    chances = np.zeros(size)
    np.add.at(chances, noise % size, weights / weights.sum())
    chances = np.fft.irfft(np.fft.rfft(chances) ** answers, size)
    noise = np.arange(-reach_of_sum, reach_of_sum + 1)
    # No loss is the largest: the noise that was cut off counts as infinite.
    masses = LossMasses(np.add(noise, answers / 2) / sigma**2, chances[noise], answers * 1e-30)
    return _build_lattice_loss(lambda: masses, lambda: masses)


def require_answers(answers: int) -> int:
    """Return a number of answers, from 1 to 10,000, as a Python integer, or raise ConfigError."""
    number = convert_to_python(answers)
    if not (is_number(number) and 1 <= number <= MAX_ANSWERS and number == int(number)):
        raise ConfigError(
            f"`answers` must be a whole number from 1 to {MAX_ANSWERS:,}, got {answers!r}."
        )
    return int(number)


def require_epsilon(name: str, value: float) -> float:
    """Return an epsilon (nats), positive and no more than 1e100, or raise ConfigError."""
    check_positive(name, value)
    value = float(value)
    if value > _MAX_EPSILON_NATS:
        raise ConfigError(
            f"{name} is {value:g}, but at most {_MAX_EPSILON_NATS:g} nats can be summed. An answer "
            "of 1,000 nats gives its data away already."
        )
    return value


@np.errstate(under="ignore")
def _compose_losses(chances: Floats, first: float, step: float, answers: int) -> LossMasses:
    """Compose the losses of several answers, each with losses ``first + i * step``."""
    if answers > 1:
        size = answers * (len(chances) - 1) + 1
        transform = np.fft.rfft(chances, _compute_fast_size(size))
        chances = np.fft.irfft(transform**answers, _compute_fast_size(size))[:size]
    return LossMasses(answers * first + np.multiply(step, np.arange(len(chances))), chances)


def _compute_fast_size(size: int) -> int:
    """Compute the smallest power of two that is at least ``size``."""
    return 1 << (size - 1).bit_length()
