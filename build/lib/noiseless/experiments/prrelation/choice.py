"""How to choose epsilon: the largest one that keeps an adversary's F-score (``prrelation``).

1. :func:`choose_epsilon` answers for one custodian: a bound on the F-score, what the adversary
   knows beforehand, and a mechanism.
2. :func:`table1` is the paper's Table 1, :func:`choice_table` the same for every mechanism and
   side knowledge.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from noiseless.adversaries.likelihood_ratio import (
    SideKnowledge,
    floor_f_score,
    gaussian_test,
    laplace_best_f_score,
    laplace_epsilon,
)
from noiseless.errors import ConfigError
from noiseless.mechanisms.gaussian import gaussian_epsilon
from noiseless.mechanisms.laplace import require_positive
from noiseless.tables import tidy

MECHANISMS = ("laplace", "gaussian_classical", "gaussian_analytic")


@dataclass(frozen=True)
class EpsilonChoice:
    """An answer to "how large may epsilon be?".

    Attributes
    ----------
    epsilon_nats : float
        The largest that keeps the bound; infinite where any does, NaN where none does.
    noise : float
        Smallest noise that keeps the bound, for a sensitivity of 1: the scale (Laplace) or the
        standard deviation (Gaussian).  NaN where no noise does.
    why : str
        For a reader: what sets the answer.
    """

    epsilon_nats: float
    noise: float
    why: str

    @property
    def feasible(self) -> bool:
        """Whether some epsilon keeps the bound."""
        return not math.isnan(self.epsilon_nats)


def choose_epsilon(
    *,
    beta: float,
    f_bound: float,
    mechanism: str = "laplace",
    rho_p: float = 0.0,
    rho_c: float = 0.0,
    rho_t: float = 0.0,
    delta: float | None = None,
) -> EpsilonChoice:
    """The largest epsilon for which no test of the answer has an F-score above a bound.

    Parameters
    ----------
    beta : float
        How much recall counts beside precision, positive; below 1, precision counts more.
    f_bound : float
        The largest F-score the adversary may have, positive.
    mechanism : str
        ``laplace``, ``gaussian_classical`` or ``gaussian_analytic``.
    rho_p, rho_c, rho_t : float
        What the adversary knows beforehand, see
        :class:`~noiseless.adversaries.likelihood_ratio.SideKnowledge`.
    delta : float, optional
        For the Gaussian mechanisms, and for them alone.

    Returns
    -------
    EpsilonChoice

    Raises
    ------
    ConfigError
        If a parameter is outside its range, or delta and mechanism do not go together.

    Notes
    -----
    Normal noise is set by the bound alone: both calibrations need the same standard deviation, and
    call it by different epsilons.  The classical formula is proven for epsilon < 1 alone; above,
    its epsilon is only a name for the noise, and ``why`` says so.

    Examples
    --------
    >>> choose_epsilon(beta=1, f_bound=0.9).epsilon  # doctest: +ELLIPSIS
    3.208...
    """
    require_positive("beta", beta)
    require_positive("f_bound", f_bound)
    if mechanism not in MECHANISMS:
        raise ConfigError(
            f"there is no mechanism {mechanism!r}; there are {', '.join(MECHANISMS)}."
        )
    if (delta is None) != (mechanism == "laplace"):
        need = "no delta" if mechanism == "laplace" else "a delta"
        raise ConfigError(f"{mechanism} takes {need}, but delta is {delta}.")
    if delta is not None and not 0 < delta < 1:
        raise ConfigError(f"delta is {delta}, but it must lie between 0 and 1.")
    known = SideKnowledge(rho_p, rho_c, rho_t)
    floor = float(floor_f_score(beta=beta, odds_against=known.odds_against))
    if f_bound >= 1:
        return EpsilonChoice(
            math.inf, 0.0, "No F-score is above 1, so every epsilon keeps the bound."
        )
    if f_bound < floor:
        return EpsilonChoice(
            math.nan,
            math.nan,
            f"The adversary has an F-score of {floor:.4f} by always accepting, without any answer. "
            "No noise can lower that: raise the bound or weigh recall less.",
        )
    if mechanism == "laplace":
        epsilon_nats = float(laplace_epsilon(f_bound, beta=beta, odds_against=known.odds_against))
        return EpsilonChoice(
            epsilon_nats, 1 / epsilon_nats, "The best test of a Laplace answer has this F-score."
        )
    mu = _largest_mu(f_bound, beta, known.odds_against, floor)
    if mu == 0:
        return EpsilonChoice(
            math.nan,
            math.nan,
            f"The bound is the F-score of always accepting, {floor:.4f}. The likelihood ratio of "
            "normal noise has no bound, so each noise leaves a little more than that.",
        )
    if mechanism == "gaussian_analytic":
        epsilon_nats = gaussian_epsilon(mu, delta=delta)
        why = f"This standard deviation is exactly ({epsilon_nats:.4g}, {delta:g})-private."
        if epsilon_nats == 0:
            why = f"This standard deviation is (0, {delta:g})-private: delta alone covers it."
        return EpsilonChoice(epsilon_nats, 1 / mu, why)
    epsilon_nats = mu * math.sqrt(2 * math.log(1.25 / delta))
    why = "The classical formula gives this standard deviation."
    if epsilon_nats >= 1:
        why += " It is proven for epsilon < 1 alone: take the analytic one's epsilon as guarantee."
    return EpsilonChoice(epsilon_nats, 1 / mu, why)


def _largest_mu(f_bound: float, beta: float, odds_against: float, floor: float) -> float:
    """Largest distance, in standard deviations, whose best F-score keeps the bound; 0 for none.

    Where the best F-score is the bound, its test has the likelihood ratio that Dinkelbach's method
    gives for the bound (see :func:`~noiseless.adversaries.likelihood_ratio.best_f_score`).
    """
    # Nearer to the floor, the gain over always accepting is less than the numbers hold.
    if f_bound <= floor * (1 + 1e-12):
        return 0.0
    weight = beta**2
    log_ratio = math.log(f_bound * odds_against / (1 + weight - f_bound))

    def excess(mu: float) -> float:
        recall, alarm = gaussian_test(log_ratio, mu)
        return float((1 + weight - f_bound) * recall - f_bound * (odds_against * alarm + weight))

    low, high = 1e-3, 1.0
    while excess(high) <= 0:
        high *= 2
    return brentq(excess, low, high, rtol=1e-13)


def table1(*, beta: Sequence[float], f_score: Sequence[float]) -> pd.DataFrame:
    """The largest epsilon for each weight and bound (Table 1), for Laplace noise.

    Returns
    -------
    DataFrame
        Cells (beta, f_score).  Statistics: ``epsilon_nats``, where the bound can be kept, and
        ``f_score_at_epsilon_minus_bound``, by Eq. 12; ``kept``, whether some epsilon keeps the
        bound; ``floor``, the smallest bound that can be kept; ``turning_point``, the epsilon up
        to which the F-score stays there, and ``f_score_at_turning_point_minus_floor``.
    """
    rows = []
    for each, bound in itertools.product(map(float, beta), map(float, f_score)):
        epsilon_nats = float(laplace_epsilon(bound, beta=each))
        rows.append(
            {
                "beta": each,
                "f_score": bound,
                "epsilon_nats": epsilon_nats,
                "f_score_at_epsilon_minus_bound": float(
                    laplace_best_f_score(epsilon_nats, beta=each)
                )
                - bound,
                "kept": not math.isnan(epsilon_nats),
                "floor": float(floor_f_score(beta=each)),
                "turning_point": np.log1p(each**2),
                "f_score_at_turning_point_minus_floor": float(
                    laplace_best_f_score(np.log1p(each**2), beta=each) - floor_f_score(beta=each)
                ),
            }
        )
    return tidy(pd.DataFrame(rows), ["beta", "f_score"]).dropna(ignore_index=True)


def choice_table(
    *,
    beta: Sequence[float],
    f_score: Sequence[float],
    deltas: Sequence[float],
    knowledge: Mapping[str, Mapping[str, float]],
) -> pd.DataFrame:
    """The largest epsilon for each mechanism, side knowledge, weight and bound.

    Returns
    -------
    DataFrame
        Cells (mechanism, delta, knowledge, beta, f_score); delta is 0 for Laplace.  Statistics:
        ``kept``, whether some epsilon keeps the bound; where it is, ``epsilon_nats`` and ``noise``
        (see :class:`EpsilonChoice`); ``floor``, the smallest bound that can be kept.
    """
    rows = []
    mechanisms = [("laplace", 0.0), *itertools.product(MECHANISMS[1:], map(float, deltas))]
    for (mechanism, delta), (name, coefficients), each, bound in itertools.product(
        mechanisms, knowledge.items(), map(float, beta), map(float, f_score)
    ):
        choice = choose_epsilon(
            beta=each, f_bound=bound, mechanism=mechanism, delta=delta or None, **coefficients
        )
        odds = SideKnowledge(**coefficients).odds_against
        rows.append(
            {
                "mechanism": mechanism,
                "delta": delta,
                "knowledge": name,
                "beta": each,
                "f_score": bound,
                "kept": choice.feasible,
                "epsilon_nats": choice.epsilon_nats,
                "noise": choice.noise,
                "floor": float(floor_f_score(beta=each, odds_against=odds)),
            }
        )
    cell = ["mechanism", "delta", "knowledge", "beta", "f_score"]
    return tidy(pd.DataFrame(rows), cell).dropna(ignore_index=True)
