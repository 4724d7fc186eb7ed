"""Privacy losses that other libraries know, as curves that a risk can be read from.

:func:`peer_loss` takes an OpenDP measurement, a privacy loss distribution of dp-accounting, or a
privacy profile as a function, and imports none of these libraries.  Each gives upper bounds of
delta, so that a risk is known from above alone: its lower end is that of reading nothing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scipy.optimize import minimize_scalar

from noiseless.accounting.baselines import zcdp_delta
from noiseless.accounting.privacy_loss import Between, LossCurve, require_answers, worst_loss
from noiseless.errors import ConfigError

_LARGEST_NATS = 60.0  # thresholds that are tried
_STEPS = 80  # of a bisection


@dataclass(frozen=True)
class ProfileLoss(LossCurve):
    """Answers of which a privacy profile is known: an upper bound of delta for each epsilon.

    Attributes
    ----------
    profile : callable
        From an epsilon in nats, at least 0, to a delta, for both directions of a pair of
        neighbouring datasets; it does not rise.
    most_nats : float
        A loss that no output exceeds, where one is known.  A profile of 0 is none: it may have been
        too small for a floating-point number.

    Notes
    -----
    For every epsilon, ``P_D(S) <= e^epsilon P_D'(S) + delta(epsilon)``, and the same with D and D'
    swapped.  Each number below follows from one of these; which one is chosen numerically, and all
    are valid.
    """

    profile: Callable[[float], float]
    most_nats: float = math.inf

    def delta(self, log_ratio: float) -> Between:
        """See :class:`~noiseless.accounting.privacy_loss.LossCurve`."""
        least = max(0.0, -math.expm1(log_ratio))
        if log_ratio >= 0:
            most = self.profile(log_ratio)
        else:  # of the complement of S, with D and D' swapped
            most = least + math.exp(log_ratio) * self.profile(-log_ratio)
        return Between(least, min(1.0, max(least, most)))

    def true_positives(self, false_alarm: float) -> Between:
        """See :class:`~noiseless.accounting.privacy_loss.LossCurve`."""

        def bound(log_ratio: float) -> float:
            return self.delta(log_ratio).high + math.exp(log_ratio) * false_alarm

        found = minimize_scalar(bound, bounds=(-_LARGEST_NATS, _LARGEST_NATS), method="bounded")
        most = min(1.0, bound(float(found.x)), bound(0.0))
        return Between(false_alarm, max(false_alarm, most))

    def largest_loss(self, tail: float) -> Between:
        """See :class:`~noiseless.accounting.privacy_loss.LossCurve`.

        If the loss exceeds l with a probability of p, then ``delta(epsilon) >= p (1 - e^(epsilon -
        l))`` for every epsilon below l.
        """
        if tail == 0 or self.profile(_LARGEST_NATS) > tail:
            return Between(0.0, self.most_nats)
        low, high = 0.0, _LARGEST_NATS
        if self.profile(0.0) <= tail:
            high = 0.0
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.profile(middle) <= tail else (middle, high)

        def bound(epsilon_nats: float) -> float:
            share = self.profile(epsilon_nats) / tail
            return epsilon_nats - math.log1p(-share) if share < 1 else math.inf

        found = minimize_scalar(bound, bounds=(high, high + 10), method="bounded")
        known = (bound(float(found.x)), bound(high), bound(_LARGEST_NATS), self.most_nats)
        return Between(0.0, min(known))


def peer_loss(source: Any, *, d_in: float | None = None, answers: int = 1) -> LossCurve:
    """The curve of a mechanism of another library.

    Parameters
    ----------
    source : OpenDP measurement, dp-accounting privacy loss distribution, or callable
        A callable is a privacy profile, from an epsilon in nats to a delta.
    d_in : float, optional
        For an OpenDP measurement alone: the largest distance of neighbouring datasets, or of a
        query's answers to them.
    answers : int
        How many independent answers, each by ``source``.  The answers of a profile, and of an
        OpenDP measurement that has one, are not composed here: compose them there.

    Returns
    -------
    LossCurve

    Raises
    ------
    ConfigError
        If the source is none of these, ``d_in`` is missing or superfluous, or answers cannot be
        composed.
    """
    require_answers(answers)
    is_measurement = hasattr(source, "output_measure") and hasattr(source, "map")
    if is_measurement != (d_in is not None):
        raise ConfigError(
            "d_in goes with an OpenDP measurement, and is needed there: the largest distance of "
            "neighbouring datasets, or of the query's answers to them."
        )
    if is_measurement:
        return _of_measurement(source, d_in, answers)
    if hasattr(source, "get_delta_for_epsilon"):
        composed = source.self_compose(answers) if answers > 1 else source
        return ProfileLoss(
            lambda epsilon: float(composed.get_delta_for_epsilon(epsilon)),
            most_nats=float(composed.get_epsilon_for_delta(0.0)),
        )
    if callable(source):
        _require_one(answers, "a privacy profile")
        return ProfileLoss(lambda epsilon: float(source(epsilon)))
    raise ConfigError(
        f"{type(source).__name__} is no mechanism: give the name of one, an OpenDP measurement, a "
        "privacy loss distribution of dp-accounting, or a function from epsilon to delta."
    )


def _of_measurement(measurement: Any, d_in: float | None, answers: int) -> LossCurve:
    """The curve of an OpenDP measurement, by what it measures privacy in."""
    name, mapped = str(measurement.output_measure), measurement.map(d_in)
    match name:
        case "MaxDivergence":
            return worst_loss(mapped, answers=answers)
        case "Approximate(MaxDivergence)":
            epsilon_nats, delta = mapped
            return worst_loss(epsilon_nats, delta, answers)
        case "ZeroConcentratedDivergence":
            rho = answers * mapped
            return ProfileLoss(lambda epsilon: zcdp_delta(rho, epsilon))
        case "SmoothedMaxDivergence":
            _require_one(answers, "a measurement with a privacy profile")
            return ProfileLoss(lambda epsilon: float(mapped.delta(epsilon=epsilon)))
        case _:
            raise ConfigError(
                f"the measurement's privacy is a {name}, which is not known here: convert it in "
                "OpenDP to MaxDivergence, Approximate(MaxDivergence), ZeroConcentratedDivergence "
                "or SmoothedMaxDivergence."
            )


def _require_one(answers: int, what: str) -> None:
    """An error for more than one answer to a loss that is composed already."""
    if answers != 1:
        raise ConfigError(
            f"{what} is of all answers together: compose them where it comes from, and leave "
            f"answers at 1 (it is {answers})."
        )
