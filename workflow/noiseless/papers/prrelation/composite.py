"""Whether a value lies above a threshold, which ``prrelation`` leaves open (Section 7).

1. :func:`composite_table`: every test of a rounded answer against the best one with a threshold,
   and every prior against the paper's binary case.
2. :func:`uniform_table`: what epsilon means for a value that is uniform beforehand.
3. :func:`answer_order_table`: whether one order of the answers serves every prior, in fractions.

:func:`composite_tables` makes all of them.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final

import numpy as np
import pandas as pd
from scipy.special import ndtr

from noiseless.accounting.composite import Above
from noiseless.accounting.epsilon import MECHANISMS, FScore, Posterior, odds_against, risk
from noiseless.mechanisms.containers import Floats
from noiseless.tables import Rows, as_table

_EPSILONS: Final = (0.5, 1.0, 3.0)
_NOISES: Final = {"laplace": ("laplace", None), "gaussian": ("gaussian_analytic", 1e-5)}
_VALUES: Final = (0.0, 1 / 3, 2 / 3, 1.0)
_PARTS: Final = 3  # of the weights of the values
_EDGES: Final = 401  # between the bins of an answer
_ROUNDING: Final = 1e-9


def composite_tables() -> dict[str, pd.DataFrame]:
    """Return all tables of this module.

    Returns
    -------
    dict
        ``composite``, ``composite_uniform`` and ``composite_orders``.
    """
    return {
        "composite": composite_table(),
        "composite_uniform": uniform_table(),
        "composite_orders": answer_order_table(),
    }


@as_table("noise", "epsilon_nats")
def composite_table() -> Rows:
    """Tests for a value above a threshold: all of them, and those with one threshold.

    The values are thirds of the range, with all weights in thirds, and the thresholds lie
    between them.  Tests look at the bin of the answer, whose probabilities are exact.

    Returns
    -------
    DataFrame
        Cells (noise, epsilon_nats); Gaussian noise is calibrated to a delta of 1e-5.  Statistics:
        ``priors``, with a threshold each; ``falls``, neighbouring bins of which the higher one is
        less likely for a value above; ``gained``, priors under which another test recalls more than
        one with a threshold of the same false alarm rate; ``beaten``, those under which a test has
        a larger F1 than :func:`~noiseless.accounting.epsilon.risk` says; ``above_ends`` and
        ``below_ends``, those whose best F1 is above, and below, that of the two ends of the range
        with the same weight above the threshold; ``below_floor``, those where it is below that of
        accepting always.
    """
    for (noise, (mechanism, delta)), epsilon in itertools.product(_NOISES.items(), _EPSILONS):
        counts = dict.fromkeys(
            ("priors", "falls", "gained", "beaten", "above_ends", "below_ends", "below_floor"), 0
        )
        for hypothesis in _hypotheses():
            best_f1 = functools.partial(
                risk, FScore(beta=1), epsilon_nats=epsilon, mechanism=mechanism, delta=delta
            )
            best = best_f1(hypothesis=hypothesis).high
            ends = best_f1(prior=hypothesis.prior).high
            above, below = _bins(hypothesis, noise, _distance(mechanism, epsilon, delta))
            detected, alarms, gain = _free_tests(above, below)
            weight = hypothesis.prior
            scores = 2 * weight * detected / (weight * detected + (1 - weight) * alarms + weight)
            counts["priors"] += 1
            counts["falls"] += _falls(above, below)
            counts["gained"] += gain > _ROUNDING
            counts["beaten"] += scores.max() > best + _ROUNDING
            counts["above_ends"] += best > ends + _ROUNDING
            counts["below_ends"] += best < ends - _ROUNDING
            counts["below_floor"] += best < 2 * weight / (1 + weight) - _ROUNDING
        yield {"noise": noise, "epsilon_nats": epsilon, **counts}


def _hypotheses() -> Iterator[Above]:
    """All weights of the values, and all thresholds between them that leave something open."""
    for cuts in itertools.combinations(range(_PARTS + len(_VALUES) - 1), len(_VALUES) - 1):
        ends = np.array((-1, *cuts, _PARTS + len(_VALUES) - 1))
        weights = np.diff(ends) - 1
        for at, threshold in enumerate(_VALUES[:-1], 1):
            if weights[:at].any() and weights[at:].any():
                yield Above(threshold, low=0.0, high=1.0, values=_VALUES, weights=weights)


def _distance(mechanism: str, epsilon_nats: float, delta: float | None) -> float:
    """The length of the range in scales of the noise."""
    return MECHANISMS[mechanism].distance(epsilon_nats, delta or 0.0)


def _bins(hypothesis: Above, noise: str, distance: float) -> tuple[Floats, Floats]:
    """The probability of each bin of the answer, for a value above and for one that is not."""
    values, weights = hypothesis.points
    edges = np.linspace(-6.0, distance + 6.0, _EDGES)[:, None] - values * distance
    tails = np.exp(-np.abs(edges)) / 2
    tails = np.where(edges >= 0, tails, 1 - tails) if noise == "laplace" else ndtr(-edges)
    exceeded = np.vstack((np.ones(len(values)), tails, np.zeros(len(values))))
    bins = exceeded[:-1] - exceeded[1:]
    sides = (values > hypothesis.threshold, values <= hypothesis.threshold)
    above, below = (bins[:, side] @ weights[side] / weights[side].sum() for side in sides)
    return above, below


def _free_tests(above: Floats, below: Floats) -> tuple[Floats, Floats, float]:
    """Rates of the best of all tests, and what they recall more than those with one threshold."""
    order = np.argsort(-above / np.maximum(below, 1e-300), kind="stable")
    free, one = (
        [np.append(0.0, np.cumsum(bins[each])) for bins in (above, below)]
        for each in (order, np.arange(len(above))[::-1])
    )
    gain = np.interp(one[1], free[1], free[0]) - one[0]
    return free[0], free[1], float(gain.max())


def _falls(above: Floats, below: Floats) -> int:
    """How often a bin is less likely, for a value above, than the bin under it."""
    kept = (above > 1e-13) & (below > 1e-13)  # what is left of others is rounding
    ratio = above[kept] / below[kept]
    return int((np.diff(ratio) < -_ROUNDING * ratio[1:]).sum())


@as_table("share", "epsilon_nats")
def uniform_table() -> Rows:
    """What a Laplace answer tells of a value of which all of the range is as likely.

    Returns
    -------
    DataFrame
        Cells (share, epsilon_nats), with the share of the range below the threshold.  Statistics:
        ``factor_nats``, by which an answer changes the odds for a value above at most;
        ``formula_nats``, log((e^epsilon - e^(k epsilon)) k/((1 - k)(e^(k epsilon) - 1))) for the
        share k; ``f1``, the best; ``f1_ends``, that of the two ends of the range.
    """
    for share, epsilon in itertools.product((0.1, 0.25, 0.5, 0.75, 0.9), (0.1, 1.0, 2.0, 4.0, 8.0)):
        hypothesis = Above(share, low=0.0, high=1.0)
        after = risk(Posterior(), epsilon_nats=epsilon, hypothesis=hypothesis).high
        score = FScore(beta=1)
        rise = math.expm1((1 - share) * epsilon) * math.exp(share * epsilon)
        yield {
            "share": share,
            "epsilon_nats": epsilon,
            "factor_nats": math.log(odds_against(hypothesis.prior) / odds_against(after)),
            "formula_nats": math.log(rise * share / ((1 - share) * math.expm1(share * epsilon))),
            "f1": risk(score, epsilon_nats=epsilon, hypothesis=hypothesis).high,
            "f1_ends": risk(score, epsilon_nats=epsilon, prior=hypothesis.prior).high,
        }


# What one answer says of a value, up to a constant: the log of the noise's density, at scale 1.
_LOGS: Final[dict[str, Callable[[Fraction], Fraction]]] = {
    "laplace": lambda z: -abs(z),
    "gaussian": lambda z: -z * z / 2,
    "staircase": lambda z: Fraction(-math.floor(abs(z) + Fraction(1, 2))),  # in powers of two
}
_ORDERS: Final[dict[str, tuple[str, int, Fraction, tuple[int, ...]]]] = {
    # Noise, answers, what the query says of a value above, and of values that are not.
    "one Laplace answer": ("laplace", 1, Fraction(2), (0, 1)),
    "one Gaussian answer": ("gaussian", 1, Fraction(2), (0, 1)),
    "two Gaussian answers": ("gaussian", 2, Fraction(2), (0, 1)),
    "two Laplace answers": ("laplace", 2, Fraction(2), (0, 1)),
    "one staircase answer": ("staircase", 1, Fraction(1, 2), (0,)),
    "a query that falls": ("laplace", 1, Fraction(1), (0, 2)),
}


@as_table("setting")
def answer_order_table() -> Rows:
    """Whether one order of the answers, by their sum, serves every prior; in fractions.

    One value lies above the threshold, and one or two do not, of which each prior has one.

    Returns
    -------
    DataFrame
        Cells (setting,).  Statistics: ``pairs`` of answers, at halves from -2 to 4, once for each
        prior; ``falls``, those of which the one with the larger sum has the smaller likelihood
        ratio; ``reversed``, pairs of answers that two priors order in opposite ways.
    """
    grid = [Fraction(k, 2) for k in range(-4, 9)]
    for setting, (noise, answers, above, below) in _ORDERS.items():
        log = _LOGS[noise]
        found = []  # of each tuple of answers: their sum, and the log ratio under each prior
        for given in itertools.product(grid, repeat=answers):
            found.append(
                (sum(given), [sum(log(y - above) - log(y - other) for y in given)
                              for other in below])
            )  # fmt: skip
        counts = {"pairs": 0, "falls": 0, "reversed": 0}
        for (one, its), (other, others) in itertools.combinations(found, 2):
            signs = [(a > b) - (a < b) for a, b in zip(its, others, strict=True)]
            up = (one > other) - (one < other)
            counts["pairs"] += len(signs)
            counts["falls"] += sum(sign * up < 0 for sign in signs)
            counts["reversed"] += 1 in signs and -1 in signs
        yield {"setting": setting, **counts}
