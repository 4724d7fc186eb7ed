"""Conversion of mechanisms of other libraries to loss curves.

:func:`build_peer_loss` takes an OpenDP measurement, a privacy loss distribution of dp-accounting,
or a privacy profile as a function, and imports none of these libraries.  Each gives upper bounds of
delta, so that a risk has only an upper bound: its lower end is the risk without any answer.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scipy.optimize import minimize_scalar

from noiseless.accounting.baselines import compute_zcdp_delta
from noiseless.accounting.privacy_loss import (
    LossCurve,
    NumberBounds,
    build_worst_loss,
    require_answers,
)
from noiseless.errors import ConfigError

_MAX_THRESHOLD_NATS = 60.0  # largest magnitude of the thresholds that are tried
_N_BISECTION_STEPS = 80  # number of steps of a bisection


@dataclass(frozen=True)
class ProfileLoss(LossCurve):
    """Loss curve of answers with a known privacy profile: an upper bound of delta per epsilon.

    The profile takes an epsilon in nats, at least 0, does not rise, and holds for both directions
    of a pair of neighbouring datasets: ``P_D(S) <= e^epsilon P_D'(S) + delta(epsilon)``, and the
    same with D and D' swapped.  Each number below follows from one epsilon; which one is chosen
    numerically, and all are valid.  No loss exceeds ``max_nats``, which a profile of 0 does not
    prove: its value can have been too small for a floating-point number.
    """

    profile: Callable[[float], float]
    max_nats: float = math.inf

    def __post_init__(self) -> None:
        if not self.max_nats >= 0:
            raise ConfigError(
                f"the largest loss of an output is {self.max_nats}, but it must be at least 0 nats."
            )

    def _bound_delta(self, epsilon_nats: float) -> float:
        """Return the profile's delta at an epsilon of at least 0; ConfigError if it is none."""
        delta = float(self.profile(epsilon_nats))
        if not delta >= 0:
            raise ConfigError(
                f"the privacy profile is {delta} at an epsilon of {epsilon_nats:g} nats, but a "
                "delta must be at least 0. Check the mechanism in the library that made it."
            )
        return delta

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Bound the largest ``P_D(S) - e^log_ratio P_D'(S)`` over sets S of outputs."""
        least = max(0.0, -math.expm1(log_ratio))
        if log_ratio >= 0:
            most = self._bound_delta(log_ratio)
        else:  # use the complement of S, with D and D' swapped
            most = least + math.exp(log_ratio) * self._bound_delta(-log_ratio)
        return NumberBounds(least, min(1.0, max(least, most)))

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Bound the largest P_D(S) over sets S with P_D'(S) at most ``false_alarm``."""

        def bound_rate(log_ratio: float) -> float:
            return self.compute_delta(log_ratio).high + math.exp(log_ratio) * false_alarm

        best = minimize_scalar(
            bound_rate, bounds=(-_MAX_THRESHOLD_NATS, _MAX_THRESHOLD_NATS), method="bounded"
        )
        most = min(1.0, bound_rate(float(best.x)), bound_rate(0.0))
        return NumberBounds(false_alarm, max(false_alarm, most))

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Bound the loss (nats) that outputs under D exceed with probability ``tail``.

        If the loss exceeds l with a probability of p, then ``delta(epsilon) >= p (1 - e^(epsilon -
        l))`` for every epsilon below l.
        """
        if tail == 0 or self._bound_delta(_MAX_THRESHOLD_NATS) > tail:
            return NumberBounds(0.0, self.max_nats)
        low, high = 0.0, _MAX_THRESHOLD_NATS
        if self._bound_delta(0.0) <= tail:
            high = 0.0
        for _ in range(_N_BISECTION_STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._bound_delta(middle) <= tail else (middle, high)

        def bound_loss(epsilon_nats: float) -> float:
            share = self._bound_delta(epsilon_nats) / tail
            return epsilon_nats - math.log1p(-share) if share < 1 else math.inf

        best = minimize_scalar(bound_loss, bounds=(high, high + 10), method="bounded")
        uppers = (
            bound_loss(float(best.x)),
            bound_loss(high),
            bound_loss(_MAX_THRESHOLD_NATS),
            self.max_nats,
        )
        return NumberBounds(0.0, min(uppers))


@dataclass(frozen=True)
class GuaranteedLoss(LossCurve):
    """Loss curve of answers of which only an upper guarantee is known, from that of the worst ones.

    The answers may as well tell nothing: each lower end is that of an adversary who sees none.
    """

    worst: LossCurve

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Bound the largest ``P_D(S) - e^log_ratio P_D'(S)`` over sets S of outputs."""
        least = max(0.0, -math.expm1(log_ratio))
        return NumberBounds(least, self.worst.upper.compute_delta(log_ratio).high)

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Bound the largest P_D(S) over sets S with P_D'(S) at most ``false_alarm``."""
        most = self.worst.upper.compute_true_positive_rate(false_alarm).high
        return NumberBounds(false_alarm, most)

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Bound the loss (nats) that outputs under D exceed with probability ``tail``."""
        return NumberBounds(0.0, self.worst.upper.compute_loss_quantile(tail).high)


def build_peer_loss(source: Any, *, d_in: float | None = None, answers: int = 1) -> LossCurve:
    """Build the loss curve of independent answers of a mechanism of another library.

    It is an OpenDP measurement, which needs ``d_in``, the largest distance of neighbouring datasets
    or of a query's answers to them; a privacy loss distribution of dp-accounting; or a privacy
    profile, from an epsilon in nats to a delta.  Answers of a profile, and of an OpenDP measurement
    with one, cannot be composed here: compose them in the library that made them.
    """
    answers = require_answers(answers)
    is_measurement = hasattr(source, "output_measure") and hasattr(source, "map")
    if is_measurement != (d_in is not None):
        raise ConfigError(
            f"`d_in` must be given for an OpenDP measurement, and for nothing else, got {d_in}. "
            "Give the largest distance of neighbouring datasets, or of the query's answers to them."
        )
    if is_measurement:
        return _convert_measurement(source, d_in, answers)
    if hasattr(source, "get_delta_for_epsilon"):
        composed = source.self_compose(answers) if answers > 1 else source
        return ProfileLoss(
            lambda epsilon: float(composed.get_delta_for_epsilon(epsilon)),
            max_nats=float(composed.get_epsilon_for_delta(0.0)),
        )
    if callable(source):
        _require_single_answer(answers, "a privacy profile")
        return ProfileLoss(lambda epsilon: float(source(epsilon)))
    raise ConfigError(
        "`mechanism` must be a name, an OpenDP measurement, a privacy loss distribution of "
        "dp-accounting, or a function from epsilon to delta, got "
        f"{type(source).__name__}."
    )


def _convert_measurement(measurement: Any, d_in: float | None, answers: int) -> LossCurve:
    """Build the loss curve of an OpenDP measurement, according to its privacy measure."""
    name, mapped = str(measurement.output_measure), measurement.map(d_in)
    match name:
        case "MaxDivergence":
            return GuaranteedLoss(build_worst_loss(mapped, answers=answers))
        case "Approximate(MaxDivergence)":
            epsilon_nats, delta = mapped
            return GuaranteedLoss(build_worst_loss(epsilon_nats, delta, answers))
        case "ZeroConcentratedDivergence":
            rho = answers * mapped
            return ProfileLoss(lambda epsilon: compute_zcdp_delta(rho, epsilon))
        case "SmoothedMaxDivergence":
            _require_single_answer(answers, "a measurement with a privacy profile")
            return ProfileLoss(lambda epsilon: float(mapped.delta(epsilon=epsilon)))
        case _:
            raise ConfigError(
                "the measurement's privacy measure must be MaxDivergence, "
                "Approximate(MaxDivergence), ZeroConcentratedDivergence or SmoothedMaxDivergence, "
                f"got {name}. Convert the measurement in OpenDP."
            )


def _require_single_answer(answers: int, what: str) -> None:
    """Raise ConfigError for more than one answer to a loss that is already composed."""
    if answers != 1:
        raise ConfigError(
            f"`answers` must be 1 for {what}, which covers all answers together, got {answers}. "
            "Compose the answers in the library that made them."
        )
