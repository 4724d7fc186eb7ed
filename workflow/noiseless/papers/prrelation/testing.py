"""Optimal tests, and bounds of epsilon from tests (``prrelation``, Sections 3, 4.1, and 5).

1. :func:`compute_min_false_alarm`: the likelihood-ratio test of Theorem 2 and Corollary 1, and
   small mechanisms to try it on.
2. :func:`build_rule_table`: Theorems 3 and 6, against the most powerful test of the binned answer;
   and the steps of their proofs as they are printed.
3. :func:`build_realistic_table`: the lower bound of epsilon from an adversary who is not the best
   (Section 5.3.1).
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
from scipy.special import ndtr

from noiseless.adversaries.likelihood_ratio import (
    Rates,
    compute_gaussian_rates,
    compute_gaussian_threshold,
    compute_laplace_rates,
    compute_laplace_threshold,
)
from noiseless.arrays import Floats
from noiseless.papers.prrelation.curves import EPSILONS_NATS, FALSE_ALARM
from noiseless.tables import Rows, returns_table

Shares = tuple[Fraction, ...]


# Theorem 2 and Corollary 1 ------------------------------------------------------------------------


def compute_min_false_alarm(recall: Fraction, present: Shares, absent: Shares) -> Fraction:
    """Compute the false alarm rate of the likelihood-ratio test with a given recall.

    ``present`` and ``absent`` are the positive probabilities of each output under h1 and h0.
    """
    false_alarm, missing = Fraction(0), recall
    for p, q in sorted(
        zip(present, absent, strict=True), key=lambda pair: pair[0] / pair[1], reverse=True
    ):
        share = min(Fraction(1), missing / p)
        false_alarm += share * q
        missing -= share * p
    return false_alarm


def enumerate_independent_cases(
    outputs: int, parts: int
) -> Iterator[tuple[Shares, Shares, Fraction]]:
    """Yield the outputs' probabilities under h0 and under h1, and the odds P(h0)/P(h1) = 1."""
    for absent, present in itertools.product(enumerate_distributions(outputs, parts), repeat=2):
        yield absent, present, Fraction(1)


def enumerate_correlated_cases(
    outputs: int, prior_parts: int, mechanism_parts: int
) -> Iterator[tuple[Shares, Shares, Fraction]]:
    """Yield the outputs' probabilities under h0 and h1, and P(h0)/P(h1), for correlated records.

    Hypothesis h1 is that the first record is 1; the second record is drawn given the first.
    """
    for joint in enumerate_distributions(4, prior_parts):
        first = (joint[0] + joint[1], joint[2] + joint[3])
        for chances in itertools.product(
            enumerate_distributions(outputs, mechanism_parts), repeat=4
        ):
            absent, present = (
                tuple(
                    (joint[2 * value] * one + joint[2 * value + 1] * two) / first[value]
                    for one, two in zip(chances[2 * value], chances[2 * value + 1], strict=True)
                )
                for value in (0, 1)
            )
            yield absent, present, first[0] / first[1]


def enumerate_distributions(length: int, parts: int) -> list[Shares]:
    """Enumerate the distributions on ``length`` outcomes in positive multiples of 1/parts."""
    return [
        tuple(Fraction(weight, parts) for weight in weights)
        for weights in enumerate_weights(length, parts)
    ]


def enumerate_weights(length: int, total: int) -> list[tuple[int, ...]]:
    """Enumerate the positive whole weights with a sum."""
    return [
        tuple(b - a for a, b in itertools.pairwise((0, *cut, total)))
        for cut in itertools.combinations(range(1, total), length - 1)
    ]


# Theorem 3 ----------------------------------------------------------------------------------------


@returns_table("noise", "epsilon_nats", "false_alarm", with_nan=False)
def build_rule_table(
    *,
    bins: int,
    epsilon_nats: Sequence[float] = EPSILONS_NATS,
    false_alarm: Sequence[float] = FALSE_ALARM,
) -> Rows:
    """Compare Theorems 3 and 6 with all tests of a binned answer, and check printed steps.

    The answer is rounded to bins with ``bins`` edges. For ``gaussian`` the epsilon is the distance
    of the two answers in standard deviations. Statistics: ``best_excess``, recall of the most
    powerful test of the binned answer minus that of the threshold; ``worst_excess``, recall of the
    least powerful test minus that of the threshold; ``complement_excess``, 1 minus the integral
    from the threshold up, minus alpha; ``integral_excess``, the integral minus alpha. For
    ``laplace`` also ``printed_excess``, the closed form printed for P_FA minus alpha.
    """
    for budget, alpha in itertools.product(map(float, epsilon_nats), map(float, false_alarm)):
        psi = float(compute_laplace_threshold(alpha, budget))
        recall = float(compute_laplace_rates(psi, budget)[0])
        best, worst = _compute_extreme_recalls(psi, alpha, budget, bins, compute_laplace_rates)
        printed = (1 - np.exp(-psi * budget) / 2) if psi < 0 else np.exp(psi * budget) / 2
        integral = float(compute_laplace_rates(psi, budget)[1])
        cell = {"noise": "laplace", "epsilon_nats": budget, "false_alarm": alpha}
        yield {
            **cell,
            "best_excess": best - recall,
            "worst_excess": worst - recall,
            "printed_excess": printed - alpha,
            "complement_excess": 1 - integral - alpha,
            "integral_excess": integral - alpha,
        }
        psi = float(compute_gaussian_threshold(alpha, budget))
        recall = float(compute_gaussian_rates(psi, budget)[0])
        best, worst = _compute_extreme_recalls(psi, alpha, budget, bins, compute_gaussian_rates)
        integral = float(ndtr(-psi * budget))
        yield {
            **cell,
            "noise": "gaussian",
            "best_excess": best - recall,
            "worst_excess": worst - recall,
            "complement_excess": 1 - integral - alpha,
            "integral_excess": integral - alpha,
        }


def _compute_extreme_recalls(
    psi: float,
    alpha: float,
    epsilon_nats: float,
    bins: int,
    compute_rates: Callable[[Floats, float], Rates],
) -> tuple[float, float]:
    """Compute recall of the most and of the least powerful test with false alarm rate alpha.

    All tests look at the answer's bin, and may accept one bin at random.  The threshold ``psi`` is
    an edge of the bins, so the test with this threshold is one of them.
    """
    edges = np.sort(np.append(np.linspace(-0.5, 1.5, bins), psi))
    above = compute_rates(edges, epsilon_nats)
    present, absent = (-np.diff(np.concatenate(([1.0], rates, [0.0]))) for rates in above)
    filled = absent > 0
    present, absent = present[filled], absent[filled]
    order = np.argsort(-present / absent, kind="stable")
    recalls = []
    for each in (order, order[::-1]):
        before = np.concatenate(([0.0], np.cumsum(absent[each])[:-1]))
        share = np.clip((alpha - before) / absent[each], 0, 1)
        recalls.append(float(share @ present[each]))
    return recalls[0], recalls[1]


# Section 5.3.1 ------------------------------------------------------------------------------------


@returns_table("epsilon_nats")
def build_realistic_table(*, points: int, epsilon_nats: Sequence[float] = EPSILONS_NATS) -> Rows:
    """Compare the epsilon that Section 5.3.1 infers from weaker adversaries with the true one.

    The adversaries accept Laplace answers in an interval, or outside of one, and some toss a coin
    instead in half of the cases; ends of intervals are ``points`` positions from -1 to 2. The best
    adversary's precision at a recall r and epsilon is that at the false alarm rate of the threshold
    with recall r, which can be solved for epsilon: with s(p) the value that Laplace noise of scale
    1 exceeds with probability p, epsilon is s(a) - s(r) for a recall r and a false alarm rate a.
    Statistics: ``adversaries``; ``below`` and ``above``, adversaries whose bound is below, and
    above, epsilon by more than 1e-9; ``largest_bound_nats``.
    """
    low, high = np.array(list(itertools.combinations(np.linspace(-1, 2, points), 2))).T
    for budget in map(float, epsilon_nats):
        at_low, at_high = compute_laplace_rates(low, budget), compute_laplace_rates(high, budget)
        inside = [one - two for one, two in zip(at_low, at_high, strict=True)]
        tests = [inside, [1 - rate for rate in inside], at_low]
        recall, false_alarm = (
            np.concatenate([np.concatenate((each[k], each[k] / 2 + 0.25)) for each in tests])
            for k in (0, 1)
        )
        bound = compute_laplace_threshold(false_alarm, 1.0) - compute_laplace_threshold(recall, 1.0)
        yield {
            "epsilon_nats": budget,
            "adversaries": len(bound),
            "below": (bound < budget - 1e-9).sum(),
            "above": (bound > budget + 1e-9).sum(),
            "largest_bound_nats": bound.max(),
        }
