"""Tests whether a value lies above a threshold, which ``prrelation`` leaves open (Section 7).

1. :func:`build_composite_table`: every test of a rounded answer against the best one with a
   threshold, and every prior against the paper's binary case.
2. :func:`build_uniform_table`: risks of an epsilon for a value that is uniform beforehand.
3. :func:`build_answer_order_table`: pairs of answers that different priors order in different ways,
   in fractions.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

from noiseless.accounting.composite import ThresholdHypothesis
from noiseless.accounting.epsilon import MECHANISMS, FScore, Posterior, compute_odds_against, risk
from noiseless.arrays import Floats
from noiseless.tables import Rows, returns_table

_EPSILONS: Final = (0.5, 1.0, 3.0)
_NOISES: Final = {"laplace": ("laplace", None), "gaussian": ("gaussian_analytic", 1e-5)}
_VALUES: Final = (0.0, 1 / 3, 2 / 3, 1.0)
_WEIGHT_DENOMINATOR: Final = 3  # denominator of the weights of the values
_N_EDGES: Final = 401  # number of edges between the bins of an answer
_ROUNDING: Final = 1e-9


@returns_table("noise", "epsilon_nats")
def build_composite_table() -> Rows:
    """Count, by noise and epsilon (nats), the priors for which one threshold is not the best test.

    The values are thirds of the range, with all weights in thirds, and the thresholds lie between
    them. Tests look at the bin of the answer, whose probabilities are exact. Gaussian noise is
    calibrated to a delta of 1e-5. Statistics: ``priors``, with a threshold each; ``falls``,
    neighbouring bins of which the higher one has the smaller likelihood ratio; ``gained``, priors
    under which another test recalls more than a test with one threshold at an equal false alarm
    rate; ``beaten``, priors under which a test has a larger F1 than
    :func:`~noiseless.accounting.epsilon.risk` computes; ``above_ends`` and ``below_ends``, priors
    whose best F1 is above, and below, that of the two ends of the range with an equal weight above
    the threshold; ``below_floor``, priors whose best F1 is below that of accepting always.
    """
    for (noise, (mechanism, delta)), epsilon in itertools.product(_NOISES.items(), _EPSILONS):
        counts = dict.fromkeys(
            ("priors", "falls", "gained", "beaten", "above_ends", "below_ends", "below_floor"), 0
        )
        for hypothesis in _enumerate_hypotheses():
            best_f1 = functools.partial(
                risk, FScore(beta=1), epsilon_nats=epsilon, mechanism=mechanism, delta=delta
            )
            best = best_f1(hypothesis=hypothesis).high
            ends = best_f1(prior=hypothesis.prior).high
            above, below = _compute_bin_probabilities(
                hypothesis, noise, _compute_distance(mechanism, epsilon, delta)
            )
            detected, alarms, gain = _find_best_tests(above, below)
            weight = hypothesis.prior
            scores = 2 * weight * detected / (weight * detected + (1 - weight) * alarms + weight)
            counts["priors"] += 1
            counts["falls"] += _count_falls(above, below)
            counts["gained"] += gain > _ROUNDING
            counts["beaten"] += scores.max() > best + _ROUNDING
            counts["above_ends"] += best > ends + _ROUNDING
            counts["below_ends"] += best < ends - _ROUNDING
            counts["below_floor"] += best < 2 * weight / (1 + weight) - _ROUNDING
        yield {"noise": noise, "epsilon_nats": epsilon, **counts}


def _enumerate_hypotheses() -> Iterator[ThresholdHypothesis]:
    """Enumerate the weights of the values, and the thresholds with weight on both sides."""
    for cuts in itertools.combinations(
        range(_WEIGHT_DENOMINATOR + len(_VALUES) - 1), len(_VALUES) - 1
    ):
        ends = np.array((-1, *cuts, _WEIGHT_DENOMINATOR + len(_VALUES) - 1))
        weights = np.diff(ends) - 1
        for at, threshold in enumerate(_VALUES[:-1], 1):
            if weights[:at].any() and weights[at:].any():
                yield ThresholdHypothesis(
                    threshold, low=0.0, high=1.0, values=_VALUES, weights=weights
                )


def _compute_distance(mechanism: str, epsilon_nats: float, delta: float | None) -> float:
    """Compute the length of the range in scales (Gaussian: deviations) of the noise."""
    return MECHANISMS[mechanism].distance(epsilon_nats, delta or 0.0)


def _compute_bin_probabilities(
    hypothesis: ThresholdHypothesis, noise: str, distance: float
) -> tuple[Floats, Floats]:
    """Compute each bin's probability for a value above the threshold, and for one that is not."""
    values, weights = hypothesis.points
    edges = np.linspace(-6.0, distance + 6.0, _N_EDGES)[:, None] - values * distance
    tails = np.exp(-np.abs(edges)) / 2
    tails = np.where(edges >= 0, tails, 1 - tails) if noise == "laplace" else ndtr(-edges)
    exceeded = np.vstack((np.ones(len(values)), tails, np.zeros(len(values))))
    bins = exceeded[:-1] - exceeded[1:]
    sides = (values > hypothesis.threshold, values <= hypothesis.threshold)
    above, below = (bins[:, side] @ weights[side] / weights[side].sum() for side in sides)
    return above, below


def _find_best_tests(above: Floats, below: Floats) -> tuple[Floats, Floats, float]:
    """Compute recalls and false alarm rates of the best tests, and their largest gain in recall.

    The gain is over the test with one threshold that has an equal false alarm rate.
    """
    order = np.argsort(-above / np.maximum(below, 1e-300), kind="stable")
    free, one = (
        [np.append(0.0, np.cumsum(bins[each])) for bins in (above, below)]
        for each in (order, np.arange(len(above))[::-1])
    )
    gain = np.interp(one[1], free[1], free[0]) - one[0]
    return free[0], free[1], float(gain.max())


def _count_falls(above: Floats, below: Floats) -> int:
    """Count the bins whose likelihood ratio is smaller than that of the bin below."""
    is_likely = (above > 1e-13) & (below > 1e-13)  # smaller probabilities are rounding
    ratio = above[is_likely] / below[is_likely]
    return int((np.diff(ratio) < -_ROUNDING * ratio[1:]).sum())


@returns_table("share", "epsilon_nats")
def build_uniform_table() -> Rows:
    """Compute risk measures of a Laplace answer for a value that is uniform on its range.

    ``share`` is that of the range below the threshold. Statistics: ``factor_nats``, logarithm of
    the largest factor by which an answer raises the odds; ``fall_nats``, that by which it lowers
    them, by quadrature; ``formula_nats``, log((e^epsilon - e^(k epsilon)) k/((1 - k)(e^(k epsilon)
    - 1))) for the share k; ``f1``, the best F1; ``f1_ends``, the best F1 for the two ends of the
    range.
    """
    for share, epsilon in itertools.product((0.1, 0.25, 0.5, 0.75, 0.9), (0.1, 1.0, 2.0, 4.0, 8.0)):
        hypothesis = ThresholdHypothesis(share, low=0.0, high=1.0)
        after = risk(Posterior(), epsilon_nats=epsilon, hypothesis=hypothesis).high
        score = FScore(beta=1)
        rise = math.expm1((1 - share) * epsilon) * math.exp(share * epsilon)
        yield {
            "share": share,
            "epsilon_nats": epsilon,
            "factor_nats": math.log(
                compute_odds_against(hypothesis.prior) / compute_odds_against(after)
            ),
            "fall_nats": _measure_fall(share, epsilon),
            "formula_nats": math.log(rise * share / ((1 - share) * math.expm1(share * epsilon))),
            "f1": risk(score, epsilon_nats=epsilon, hypothesis=hypothesis).high,
            "f1_ends": risk(score, epsilon_nats=epsilon, prior=hypothesis.prior).high,
        }


def _measure_fall(share: float, epsilon: float) -> float:
    """Measure by how many nats an answer far below the range lowers the odds."""
    below, above = (
        quad(lambda value: math.exp(-epsilon * value), *ends)[0] / (ends[1] - ends[0])
        for ends in ((0, share), (share, 1))
    )
    return math.log(below / above)


# Logarithm of the noise's density at scale 1, up to a constant.
_LOG_DENSITIES: Final[dict[str, Callable[[Fraction], Fraction]]] = {
    "laplace": lambda z: -abs(z),
    "gaussian": lambda z: -z * z / 2,
    "staircase": lambda z: Fraction(-math.floor(abs(z) + Fraction(1, 2))),  # in powers of two
}
_ORDER_SETTINGS: Final[dict[str, tuple[str, int, Fraction, tuple[int, ...]]]] = {
    # Noise, number of answers, result of the query for the value above and for the other values.
    "one Laplace answer": ("laplace", 1, Fraction(2), (0, 1)),
    "one Gaussian answer": ("gaussian", 1, Fraction(2), (0, 1)),
    "two Gaussian answers": ("gaussian", 2, Fraction(2), (0, 1)),
    "two Laplace answers": ("laplace", 2, Fraction(2), (0, 1)),
    "one staircase answer": ("staircase", 1, Fraction(1, 2), (0,)),
    "a query that falls": ("laplace", 1, Fraction(1), (0, 2)),
}


@returns_table("setting")
def build_answer_order_table() -> Rows:
    """Count the pairs of answers whose likelihood ratios do not follow the order of their sums.

    One value lies above the threshold. One or two values do not, and each prior has one of these.
    Numbers are exact fractions. Statistics: ``pairs`` of answers, at halves from -2 to 4, once for
    each prior; ``falls``, pairs of which the answers with the larger sum have the smaller
    likelihood ratio; ``reversed``, pairs of answers that two priors order in opposite ways.
    """
    grid = [Fraction(k, 2) for k in range(-4, 9)]
    for setting, (noise, answers, above, below) in _ORDER_SETTINGS.items():
        log = _LOG_DENSITIES[noise]
        # Sum of each tuple of answers, and its log-likelihood ratio under each prior.
        sums_and_ratios = []
        for values in itertools.product(grid, repeat=answers):
            sums_and_ratios.append(
                (sum(values), [sum(log(y - above) - log(y - other) for y in values)
                              for other in below])
            )  # fmt: skip
        counts = {"pairs": 0, "falls": 0, "reversed": 0}
        for (one, its), (other, others) in itertools.combinations(sums_and_ratios, 2):
            signs = [(a > b) - (a < b) for a, b in zip(its, others, strict=True)]
            up = (one > other) - (one < other)
            counts["pairs"] += len(signs)
            counts["falls"] += sum(sign * up < 0 for sign in signs)
            counts["reversed"] += 1 in signs and -1 in signs
        yield {"setting": setting, **counts}
