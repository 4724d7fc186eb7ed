"""Risks of a person at a given epsilon, and the largest epsilon that keeps a bound on a risk.

1. A *measure* rates the best possible adversary, who knows every record but one:
   :class:`FScore` (``prrelation``), :class:`Advantage`, :class:`TruePositives`,
   :class:`Accuracy` and :class:`Posterior`.
2. :func:`risk` goes from an epsilon to the value of a measure, :func:`choose_epsilon` from a bound
   on the measure to the largest epsilon that keeps it.  Both take a number of answers and the
   adversary's prior.
3. :data:`MECHANISMS` contains the mechanisms by name; mechanisms of other libraries are accepted
   through :mod:`noiseless.accounting.exchange`.
4. :func:`build_risk_table` computes the risks of a range of epsilons, with a sentence for each.

All numbers are for the worst case, two noiseless answers that differ by the sensitivity.  What an
adversary infers about a person from the other people in the data is covered where it knows a law of
them, ``hypothesis=RecordHypothesis(law)`` (:mod:`noiseless.accounting.joint`).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

import pandas as pd
from scipy.optimize import brentq

from noiseless.accounting.composite import ThresholdHypothesis
from noiseless.accounting.exchange import build_peer_loss
from noiseless.accounting.joint import RecordHypothesis
from noiseless.accounting.privacy_loss import (
    LaplaceLoss,
    LossCurve,
    NormalLoss,
    NumberBounds,
    build_discrete_gaussian_loss,
    build_laplace_loss,
    build_worst_loss,
    require_answers,
    require_epsilon,
)
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import (
    check_positive,
    convert_to_python,
    is_number,
    require_kind,
    require_list,
    require_number,
)
from noiseless.mechanisms.families.gaussian import (
    compute_analytic_sigma,
    compute_classical_sigma,
    compute_gaussian_epsilon,
)

# Measures -----------------------------------------------------------------------------------------


@runtime_checkable
class Measure(Protocol):
    """Rating of an adversary, a number in [0, 1] that does not fall with epsilon."""

    def evaluate(self, curve: LossCurve, odds_against: float) -> NumberBounds:
        """Compute bounds of the measure for the best adversary, from the answers' loss curve.

        ``odds_against`` are P(D')/P(D) before the answers.
        """
        ...


@dataclass(frozen=True)
class FScore:
    """Largest F-score of any test for D (``prrelation``, Section 3.2).

    Attributes
    ----------
    beta : float
        Weight of recall against precision, positive; below 1, precision counts more.

    Raises
    ------
    ConfigError
        If beta is not positive.

    Examples
    --------
    With one nat, no test for a person has a larger F-score than 0.71; always yes has 2/3.

    >>> round(risk(FScore(beta=1), epsilon_nats=1.0).high, 3)
    0.71
    """

    beta: float = 1.0

    def __post_init__(self) -> None:
        check_positive("beta", self.beta)

    def evaluate(self, curve: LossCurve, odds_against: float) -> NumberBounds:
        """Compute bounds of the largest F-score of any test for D."""
        return curve.compute_f_score(self.beta, odds_against)


@dataclass(frozen=True)
class Advantage:
    """Largest difference of true and false positive rate, 2 P(correct) - 1 in a two-candidate game.

    It is the total variation distance of the outputs under D and D', and does not depend on the
    prior.

    Examples
    --------
    >>> round(risk(Advantage(), epsilon_nats=1.0).high, 3)
    0.393
    """

    def evaluate(self, curve: LossCurve, odds_against: float) -> NumberBounds:
        """Bound, from a loss curve, the largest difference of true and false positive rate."""
        return curve.compute_delta(0.0)


@dataclass(frozen=True)
class TruePositives:
    """Largest true positive rate of a test that names a share ``false_alarm`` of absent records.

    It does not depend on the prior.
    """

    false_alarm: float

    def __post_init__(self) -> None:
        _require_open_unit_interval("false_alarm", self.false_alarm)

    def evaluate(self, curve: LossCurve, odds_against: float) -> NumberBounds:
        """Compute bounds of the largest true positive rate at ``false_alarm``."""
        return curve.compute_true_positive_rate(self.false_alarm)


@dataclass(frozen=True)
class Accuracy:
    """Probability that the best guess between D and D' is correct."""

    def evaluate(self, curve: LossCurve, odds_against: float) -> NumberBounds:
        """Compute bounds of the probability that the best guess is correct."""
        prior = 1 / (1 + odds_against)
        delta = curve.compute_delta(math.log(odds_against))
        return NumberBounds(1 - prior + prior * delta.low, 1 - prior + prior * delta.high)


@dataclass(frozen=True)
class Posterior:
    """Probability that the adversary assigns to D after the answers, if D is true.

    It may be larger with a probability of ``tail``.  Normal noise has no largest loss, so that its
    posterior at a tail of 0 is 1.
    """

    tail: float = 0.0

    def __post_init__(self) -> None:
        if self.tail != 0:
            _require_open_unit_interval("tail", self.tail)

    def evaluate(self, curve: LossCurve, odds_against: float) -> NumberBounds:
        """Compute bounds of the posterior of D, exceeded with probability ``tail`` at most."""
        loss = curve.compute_loss_quantile(self.tail)
        low, high = (1 / (1 + odds_against * math.exp(-each)) for each in (loss.low, loss.high))
        return NumberBounds(low, high)


# Mechanisms ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _NoiseModel:
    """Noise model of a mechanism: conversions between epsilon and distance, and the loss curve.

    ``distance`` is the sensitivity in units of the noise, from epsilon and delta, and ``epsilon``
    its inverse; ``curve`` is that of a number of answers, from distance and delta.  ``delta_rule``
    is ``no``, ``yes`` or ``maybe``; ``noise`` names the parameter 1/distance, and is empty if there
    is none.
    """

    delta_rule: str
    distance: Callable[[float, float], float]
    epsilon: Callable[[float, float], float]
    curve: Callable[[float, float, int], LossCurve]
    noise: str


def _compute_discrete_delta(epsilon_nats: float, distance: float) -> float:
    """Compute the delta of the discrete Gaussian mechanism at an epsilon (nats), rounded up."""
    return build_discrete_gaussian_loss(1 / distance).upper.compute_delta(epsilon_nats).high


def _find_discrete_epsilon(distance: float, delta: float) -> float:
    """Find the epsilon (nats) of the discrete Gaussian mechanism at a delta."""
    if _compute_discrete_delta(0.0, distance) <= delta:
        return 0.0
    high = 1.0
    while _compute_discrete_delta(high, distance) > delta:
        high *= 2
    return brentq(
        lambda epsilon_nats: _compute_discrete_delta(epsilon_nats, distance) - delta, 0.0, high
    )


def _find_discrete_distance(epsilon_nats: float, delta: float) -> float:
    """Find the largest distance at which discrete Gaussian noise is (epsilon, delta)-private.

    The relative tolerance is 1e-9, because the delta rises in steps.
    """
    return _find_max_distance(
        lambda distance: _compute_discrete_delta(epsilon_nats, distance) <= delta,
        1e-9,
        _MIN_DISTANCE,
    )


def _return_distance(distance: float, delta: float) -> float:
    """Return the distance, which equals epsilon for these mechanisms."""
    return distance


def _build_gaussian(
    sigma: Callable[..., float], epsilon: Callable[[float, float], float]
) -> _NoiseModel:
    """Build the mechanism of Gaussian noise with a calibration ``sigma``.

    Several answers have the loss of a single answer at a larger distance.
    """
    return _NoiseModel(
        delta_rule="yes",
        distance=lambda epsilon_nats, delta: (
            1 / sigma(sensitivity=1.0, epsilon_nats=epsilon_nats, delta=delta)
        ),
        epsilon=epsilon,
        curve=lambda distance, delta, answers: NormalLoss(distance * math.sqrt(answers)),
        noise="standard deviation",
    )


MECHANISMS: Final = {
    "laplace": _NoiseModel(
        "no",
        _return_distance,
        _return_distance,
        lambda distance, delta, n: build_laplace_loss(distance, n),
        "scale",
    ),
    "gaussian_classical": _build_gaussian(
        compute_classical_sigma,
        lambda distance, delta: distance * math.sqrt(2 * math.log(1.25 / delta)),
    ),
    "gaussian_analytic": _build_gaussian(
        compute_analytic_sigma,
        lambda distance, delta: compute_gaussian_epsilon(distance, delta=delta),
    ),
    "discrete_laplace": _NoiseModel(
        "no", _return_distance, _return_distance, build_worst_loss, "scale"
    ),
    "discrete_gaussian": _NoiseModel(
        "yes",
        _find_discrete_distance,
        _find_discrete_epsilon,
        lambda distance, delta, n: build_discrete_gaussian_loss(1 / distance, n),
        "sigma",
    ),
    "any": _NoiseModel("maybe", _return_distance, _return_distance, build_worst_loss, ""),
}
"""Mechanisms by name: continuous noise (``laplace``, and ``gaussian_`` by two calibrations), noise
of a count that changes by 1 (``discrete_``), and the worst mechanism that epsilon and delta allow
(``any``, randomized response)."""


# Questions ----------------------------------------------------------------------------------------

Hypothesis = ThresholdHypothesis | RecordHypothesis


def risk(
    measure: Measure,
    *,
    epsilon_nats: float | None = None,
    mechanism: Any = "laplace",
    answers: int = 1,
    delta: float | None = None,
    prior: float | tuple[float, float] | None = None,
    hypothesis: Hypothesis | None = None,
    d_in: float | None = None,
    believed_prior: None = None,
) -> NumberBounds:
    """Compute bounds of a measure for the best adversary who sees answers of one epsilon (nats).

    Parameters
    ----------
    measure : Measure
        Measure of the adversary's success.
    epsilon_nats : float, optional
        The epsilon of each answer, positive; for a mechanism by name.
    mechanism : str, or a mechanism of another library
        One of :data:`MECHANISMS`; or an OpenDP measurement, a privacy loss distribution of
        dp-accounting, or a function from epsilon to delta
        (:func:`~noiseless.accounting.exchange.build_peer_loss`); with a hypothesis about a record
        also a mapping from each noiseless answer to the probabilities of the outputs.
    answers : int
        Number of answers, each with independent noise; a later question may depend on earlier
        answers.
    delta : float, optional
        The delta of each answer; for Gaussian noise, and for ``any`` if wanted.
    prior : float or pair of float
        Probability of D before the answers.  A pair is an interval of priors; the risk is the
        largest one in it.  None: 0.5, or the prior of the hypothesis.
    hypothesis : ThresholdHypothesis or RecordHypothesis, optional
        In place of two values of a record whose odds alone are known: that a person's value lies
        above a threshold (``prrelation``, Section 7), or that a record has a value, by an adversary
        who knows how records depend on each other (Section 5).  For one Laplace answer, or any
        number of Gaussian ones; of a record also for one answer of ``discrete_laplace`` or ``any``.
        It determines the prior.
    d_in : float, optional
        For an OpenDP measurement alone: the largest distance of neighbouring datasets.
    believed_prior : None
        Has left; an error says so.

    Returns
    -------
    Between
        The measure lies between the two numbers: they are equal where there is a closed form.

    Raises
    ------
    ConfigError
        If a parameter is out of its range, or parameters do not go together.

    Notes
    -----
    Every measure is largest at an end of an interval of priors: the F-score and the posterior rise
    with the prior, the accuracy is the largest of functions that are linear in it, and the others
    do not depend on it.

    Without a hypothesis D and D' are the two ends of the range.  This is the worst of all priors
    with equal weight above the threshold: with a hypothesis no measure is larger, except for a
    posterior with a tail.  Several Laplace answers have no order that is best for every prior
    (``docs/proofs/prrelation.md``, "Values above a threshold").

    Examples
    --------
    One of a household of three, all of whom have the same bit:

    >>> from noiseless.theory.laws import ExchangeableLaw
    >>> member = RecordHypothesis(ExchangeableLaw.build_copies(3, chance=0.5))
    >>> round(risk(FScore(beta=1), epsilon_nats=1.0, hypothesis=member).high, 4)
    0.8891

    Posterior after ten answers of an adversary with a prior of 1 %:

    >>> after = risk(Posterior(), epsilon_nats=0.1, answers=10, prior=0.01)
    >>> round(after.high, 4)
    0.0267

    A weight that is uniformly distributed from 0 to 200 kg: whether it is above 100 kg changes the
    log-odds by half of epsilon.

    >>> heavy = ThresholdHypothesis(100.0, low=0.0, high=200.0)
    >>> found = risk(Posterior(), epsilon_nats=2.0, hypothesis=heavy).high
    >>> round(math.log(found / (1 - found)), 12)
    1.0
    >>> round(risk(FScore(beta=1), epsilon_nats=2.0, hypothesis=heavy).high, 4)
    0.7009
    >>> round(risk(FScore(beta=1), epsilon_nats=2.0).high, 4)
    0.8191
    """
    _require_measure(measure)
    if believed_prior is not None:
        raise ConfigError(
            "`believed_prior` has left: knowing the prior is worth 0.001 of F1. Leave it out."
        )
    prior = _get_prior(prior, hypothesis)
    if isinstance(mechanism, str):
        if epsilon_nats is None or d_in is not None:
            raise ConfigError(
                f"`epsilon_nats` must be given, and `d_in` must not, for mechanism={mechanism!r}, "
                f"got {epsilon_nats} and {d_in}. Call risk(..., epsilon_nats=1.0)."
            )
        noise, delta = _get_mechanism(mechanism, delta)
        distance = noise.distance(require_epsilon("epsilon_nats", epsilon_nats), delta)
        curve = _build_curve(
            hypothesis, mechanism, noise, distance, delta, require_answers(answers)
        )
    else:
        _refuse_parameters(epsilon_nats=epsilon_nats, delta=delta)
        if hypothesis is None:
            curve = build_peer_loss(mechanism, d_in=d_in, answers=answers)
        elif isinstance(hypothesis, RecordHypothesis) and isinstance(mechanism, Mapping):
            if answers != 1 or d_in is not None:
                raise ConfigError("`answers` must be 1, and `d_in` None, for outputs of your own.")
            curve = hypothesis.build_output_curve(mechanism)
        else:
            raise ConfigError(
                "`mechanism` must be a name for a hypothesis (about a record also a mapping from "
                f"noiseless answers to probabilities), got {type(mechanism).__name__}."
            )
    return _maximise_over_priors(measure, curve, prior)


def _get_prior(
    prior: float | tuple[float, float] | None, hypothesis: Hypothesis | None
) -> float | tuple[float, float]:
    """Return the prior: of the hypothesis, which has one of its own, or as given, or even odds."""
    if hypothesis is None:
        return 0.5 if prior is None else prior
    if not isinstance(hypothesis, Hypothesis):
        raise ConfigError(
            f"`hypothesis` must be a ThresholdHypothesis or a RecordHypothesis, got {hypothesis!r}."
        )
    if prior is not None:
        raise ConfigError(
            "`prior` must be None for a hypothesis, which has a prior of its own, got "
            f"{prior}. Leave prior out."
        )
    return hypothesis.prior


def _build_curve(
    hypothesis: Hypothesis | None,
    mechanism: str,
    noise: _NoiseModel,
    distance: float,
    delta: float,
    answers: int,
) -> LossCurve:
    """Build the loss curve of answers of a mechanism by name; parameters are already checked."""
    if hypothesis is None:
        return noise.curve(distance, delta, answers)
    if mechanism == "any" and delta:
        raise ConfigError(
            f"`delta` must be None for mechanism='any' and a hypothesis, got {delta}. Leave it out."
        )
    return hypothesis.build_curve(mechanism, distance, answers)


def _maximise_over_priors(
    measure: Measure, curve: LossCurve, prior: float | tuple[float, float]
) -> NumberBounds:
    """Compute bounds of a measure; for an interval of priors, of the largest value in it.

    The largest value is at an end of the interval.
    """
    ends = prior if isinstance(prior, tuple) else (prior,)
    numbers = [convert_to_python(end) for end in ends]
    if isinstance(prior, tuple) and (
        len(prior) != 2 or not all(map(is_number, numbers)) or not numbers[0] <= numbers[1]
    ):
        raise ConfigError(
            "`prior` must be one number or two ends of an interval, the lower one first, got "
            f"{prior}."
        )
    values = [measure.evaluate(curve, compute_odds_against(end)) for end in ends]
    return NumberBounds(max(each.low for each in values), max(each.high for each in values))


def build_loss_curve(
    epsilon_nats: float, *, mechanism: str = "laplace", answers: int = 1, delta: float | None = None
) -> LossCurve:
    """Build the loss curve of answers of one epsilon, from which measures are computed.

    Parameters and errors are those of :func:`risk`.
    """
    noise, delta = _get_mechanism(mechanism, delta)
    epsilon_nats = require_epsilon("epsilon_nats", epsilon_nats)
    answers = require_answers(answers)
    return noise.curve(noise.distance(epsilon_nats, delta), delta, answers)


@dataclass(frozen=True)
class EpsilonChoice:
    """Largest epsilon that keeps a bound on a measure, with its noise and an explanation.

    Attributes
    ----------
    epsilon_nats : float
        Largest epsilon of each answer that keeps the bound; infinite where every epsilon does, NaN
        where none does.
    noise : float
        Noise that keeps the bound, for a sensitivity of 1: the scale (Laplace) or the
        standard deviation (Gaussian; sigma, if discrete).  NaN where no noise does, or where the
        mechanism is any.
    floor : float
        Measure of an adversary who sees no answer; no noise keeps a bound below it.
    explanation : str
        Explanation of the answer in one or two sentences.
    """

    epsilon_nats: float
    noise: float
    floor: float
    explanation: str

    @property
    def is_feasible(self) -> bool:
        """True if some epsilon keeps the bound."""
        return not math.isnan(self.epsilon_nats)


def choose_epsilon(
    measure: Measure,
    bound: float,
    *,
    mechanism: str | Callable[[float], Any] = "laplace",
    answers: int = 1,
    delta: float | None = None,
    prior: float | tuple[float, float] | None = None,
    hypothesis: Hypothesis | None = None,
    d_in: float | None = None,
) -> EpsilonChoice:
    """Find the largest epsilon (nats) per answer at which no adversary exceeds a bound.

    Parameters
    ----------
    measure : Measure
        Measure of the adversary's success.
    bound : float
        Largest value that the measure may have, larger than 0 and at most 1.
    mechanism : str or callable
        One of :data:`MECHANISMS`; or a function from an amount of noise, such as a scale, to a
        mechanism of another library as :func:`risk` takes it, more private for more noise.
    answers, delta, prior, d_in
        See :func:`risk`.
    hypothesis : ThresholdHypothesis or RecordHypothesis, optional
        See :func:`risk`; for a mechanism by name.

    Returns
    -------
    EpsilonChoice
        ``noise`` is the least of a callable that keeps the bound, and ``epsilon_nats`` the largest
        loss of an answer with it, infinite where there is none.
        Where the risk is known between two numbers, the larger one keeps the bound.

    Raises
    ------
    ConfigError
        If a parameter is out of its range, or delta and mechanism do not go together.

    Notes
    -----
    The bound determines the standard deviation of normal noise: both calibrations give equal noise
    different epsilons.  The classical formula is proven for epsilon < 1 only; a larger epsilon is
    only a name for the noise, which ``why`` points out.  With discrete Gaussian noise the
    risk does not always rise with less noise: the sigma that is found keeps the bound, and epsilon
    is that of this sigma, but a smaller sigma may keep it, too.

    Examples
    --------
    >>> round(choose_epsilon(FScore(beta=1), 0.9).epsilon_nats, 3)
    3.209
    >>> round(choose_epsilon(Advantage(), 0.2, answers=10).epsilon_nats, 3)
    0.166

    The largest epsilon that keeps the bound for every prior from 30 % to 60 %:

    >>> round(choose_epsilon(FScore(beta=1), 0.9, prior=(0.3, 0.6)).epsilon_nats, 3)
    2.803

    Of one of three people who answer alike:

    >>> from noiseless.theory.laws import ExchangeableLaw
    >>> member = RecordHypothesis(ExchangeableLaw.build_copies(3, chance=0.5))
    >>> round(choose_epsilon(FScore(beta=1), 0.9, hypothesis=member).epsilon_nats, 3)
    1.07
    """
    _require_measure(measure)
    prior = _get_prior(prior, hypothesis)
    if isinstance(mechanism, str):
        if d_in is not None:
            raise ConfigError(
                f"`d_in` must be None for a mechanism by name, got {d_in}. Leave it out."
            )
        noise, delta = _get_mechanism(mechanism, delta)
    else:
        if hypothesis is not None:
            raise ConfigError("`mechanism` must be a name for a hypothesis. Give 'laplace'.")
        _refuse_parameters(delta=delta)
        noise, delta = _build_peer_mechanism(mechanism, d_in), 0.0
    check_positive("bound", bound)
    if bound > 1:
        raise ConfigError(
            f"`bound` must be at most 1, because every measure is a share, got {bound}. Give 0.9 "
            "for 90 %."
        )
    answers = require_answers(answers)
    blind = _IDENTICAL_ANSWERS if hypothesis is None else hypothesis.build_blind_curve()
    floor = _maximise_over_priors(measure, blind, prior).high
    if bound == 1:
        return EpsilonChoice(
            math.inf, 0.0, floor, "The measure is never above 1, so every epsilon keeps the bound."
        )
    if bound < floor:
        why = (
            f"The adversary reaches {floor:.4f} without any answer. No noise can lower that: raise "
            "the bound, or choose another measure."
        )
        return EpsilonChoice(math.nan, math.nan, floor, why)

    noiseless = None if hypothesis is None else hypothesis.build_noiseless_curve(str(mechanism))
    if noiseless is not None and _maximise_over_priors(measure, noiseless, prior).high <= bound:
        why = "The noiseless answer keeps the bound, and so does every epsilon."
        return EpsilonChoice(math.inf, 0.0, floor, why)

    def keeps_bound(distance: float) -> bool:
        curve = _build_curve(hypothesis, str(mechanism), noise, distance, delta, answers)
        return _maximise_over_priors(measure, curve.upper, prior).high <= bound

    # Nearer to the floor, rounding hides the adversary's gain over reading nothing.  The gain is
    # positive at every distance where the likelihood ratio of the outputs is unbounded.
    is_at_floor = bound <= floor * (1 + 1e-12)
    if floor > 0:
        smallest = _MIN_DISTANCE / max(1.0, d_in or 1.0)
    else:  # a gain over 0 is rounded relative to itself, and is less than answers times distance
        smallest = max(1e-300, min(_MIN_DISTANCE, bound / (1000 * answers)))
    hopeless = delta > 0 and is_at_floor
    distance = 0.0 if hopeless else _find_max_distance(keeps_bound, 1e-13, smallest)
    if distance == 0:
        why = (
            "Each noise leaves the adversary a little more than the bound, which is the "
            f"{floor:.4g} that it reaches without any answer."
            if is_at_floor
            else f"None was found for distances from {smallest:.1g} of the noise on, and rounding "
            f"hides what smaller ones leave the adversary above the {floor:.4g} that it reaches "
            "without any answer. Raise the bound."
        )
        return EpsilonChoice(math.nan, math.nan, floor, why)
    epsilon_nats = noise.epsilon(distance, delta)
    return EpsilonChoice(
        epsilon_nats,
        1 / distance if noise.noise else math.nan,
        floor,
        _explain_choice(str(mechanism), epsilon_nats, delta, answers),
    )


def _build_peer_mechanism(
    make_mechanism: Callable[[float], Any], d_in: float | None
) -> _NoiseModel:
    """Build a mechanism from a function that maps noise to a mechanism of another library.

    The distance is 1/noise.
    """
    if not callable(make_mechanism):
        raise ConfigError(
            "`mechanism` must be a name or a function from an amount of noise to a mechanism, got "
            f"{type(make_mechanism).__name__}. Give lambda scale: make_laplace(..., scale=scale)."
        )

    def build_curve(distance: float, delta: float, answers: int) -> LossCurve:
        try:
            mechanism = make_mechanism(1 / distance)
        except Exception as error:
            raise ConfigError(
                f"`mechanism` makes none of the noise {1 / distance:g}: {type(error).__name__}: "
                f"{error}. Give a function from an amount of noise to a mechanism."
            ) from error
        return build_peer_loss(mechanism, d_in=d_in, answers=answers)

    return _NoiseModel(
        delta_rule="no",
        distance=_return_distance,
        epsilon=lambda distance, delta: (
            build_curve(distance, delta, 1).compute_loss_quantile(0.0).high
        ),
        curve=build_curve,
        noise="noise",
    )


def _refuse_parameters(**given: float | None) -> None:
    """Refuse parameters that a mechanism of another library already determines."""
    for name, value in given.items():
        if value is not None:
            raise ConfigError(
                f"`{name}` must be None for a mechanism of another library, which determines it, "
                f"got {value}. Leave {name} out."
            )


def build_risk_table(
    measures: Mapping[str, Measure],
    *,
    epsilon_nats: Sequence[float],
    mechanism: str = "laplace",
    answers: int = 1,
    delta: float | None = None,
    prior: float | tuple[float, float] = 0.5,
) -> pd.DataFrame:
    """Build a table of the risks at several epsilons, a row for each epsilon and measure.

    Parameters
    ----------
    measures : mapping of str to Measure
        Measures by the names that the table gives them.
    epsilon_nats : sequence of float
        Epsilon of each answer, in nats; a row for each epsilon and measure.
    mechanism, answers, delta, prior
        See :func:`risk`; a mechanism by name.

    Returns
    -------
    DataFrame
        Columns ``epsilon_nats``, ``measure``, ``low``, ``high``, ``floor`` (without any answer) and
        ``says``, a sentence about the upper end.

    Raises
    ------
    ConfigError
        If a parameter is out of its range, or there is no measure.

    Examples
    --------
    >>> table = build_risk_table({"advantage": Advantage()}, epsilon_nats=[0.1, 1.0])
    >>> print(table["says"][1])
    1 nats for each answer leave a best advantage of 0.393 at most; without answers it is 0.
    """
    require_kind("measures", measures, Mapping, "a mapping from a name to a measure")
    epsilon_nats = require_list("epsilon_nats", epsilon_nats, "a list of epsilons")
    if not measures:
        raise ConfigError(
            "`measures` must have one or more entries, got none. Give {'advantage': Advantage()}."
        )
    rows = []
    for epsilon in epsilon_nats:
        curve = build_loss_curve(epsilon, mechanism=mechanism, answers=answers, delta=delta)
        for name, measure in measures.items():
            _require_measure(measure)
            bounds = _maximise_over_priors(measure, curve, prior)
            floor = _maximise_over_priors(measure, _IDENTICAL_ANSWERS, prior).high
            says = (
                f"{epsilon:.4g} nats for each answer leave a best {name} of {bounds.high:.3g} at "
                f"most; without answers it is {floor:.3g}."
            )
            rows.append((float(epsilon), name, bounds.low, bounds.high, floor, says))
    columns = ["epsilon_nats", "measure", "low", "high", "floor", "says"]
    return pd.DataFrame(rows, columns=columns)


def _require_measure(measure: Measure) -> None:
    """Raise ConfigError unless ``measure`` is an instance of a measure."""
    if isinstance(measure, type):
        raise ConfigError(
            f"`measure` must be an instance, got the class {measure.__name__}. Give "
            f"`{measure.__name__}()`."
        )
    if not isinstance(measure, Measure):
        raise ConfigError(
            f"`measure` must be a measure of risk, got {measure!r}. Give `FScore()`, `Advantage()` "
            "or another measure."
        )


def _explain_choice(mechanism: str, epsilon_nats: float, delta: float, answers: int) -> str:
    """Explain in one or two sentences what determines the chosen epsilon."""
    subject = "this answer" if answers == 1 else f"these {answers:,} answers"
    why = f"The best test of {subject} just keeps the bound."
    if mechanism == "gaussian_classical" and epsilon_nats >= 1:
        why += (
            " The classical formula is proven for epsilon < 1 alone: take the analytic one's "
            "epsilon as guarantee."
        )
    if epsilon_nats == 0:
        why += f" The noise is (0, {delta:g})-private: delta alone covers it."
    return why


_MIN_DISTANCE = 1e-9
_MAX_DISTANCE = (
    1e12  # where a bound is so near to what the noiseless answer tells that both round alike
)
_IDENTICAL_ANSWERS: Final = LaplaceLoss(0.0)  # the curve of answers that do not depend on D or D'


def _find_max_distance(
    keeps_bound: Callable[[float], bool], tolerance: float, smallest: float
) -> float:
    """Find the largest distance that keeps a bound, to a relative tolerance.

    It is 0 if none of 1, 1/4, 1/16 and so on down to ``smallest`` does.  The result is never above
    the true value.
    """
    low = 1.0
    while not keeps_bound(low):
        low /= 4
        if low < smallest:
            return 0.0
    high = 2 * low
    while keeps_bound(high):
        low, high = high, 2 * high
        if high > _MAX_DISTANCE:
            return low
    while high - low > tolerance * low:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if keeps_bound(middle) else (low, middle)
    return low


def _get_mechanism(name: str, delta: float | None) -> tuple[_NoiseModel, float]:
    """Return the mechanism of a name, and its delta (0 if it takes none)."""
    if not isinstance(name, str) or name not in MECHANISMS:
        raise ConfigError(f"`mechanism` must be one of {', '.join(MECHANISMS)}, got {name!r}.")
    mechanism = MECHANISMS[name]
    if mechanism.delta_rule == ("no" if delta is not None else "yes"):
        rule = "a number" if delta is None else "None"
        raise ConfigError(f"`delta` must be {rule} for mechanism={name!r}, got {delta}.")
    if delta is not None:
        _require_open_unit_interval("delta", delta)
    return mechanism, delta or 0.0


def compute_odds_against(prior: float) -> float:
    """Compute the odds P(D')/P(D) of a prior P(D), strictly between 0 and 1."""
    _require_open_unit_interval("prior", prior)
    if 1 / float(prior) == math.inf:
        raise ConfigError(f"`prior` must be at least 1e-308, got {prior:g}.")
    return (1 - prior) / prior


def _require_open_unit_interval(name: str, value: float) -> None:
    """Raise ConfigError unless a value lies strictly between 0 and 1."""
    require_number(name, value, above=0, below=1)
