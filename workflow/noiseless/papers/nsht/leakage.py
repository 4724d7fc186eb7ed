"""Bounds of leakage by epsilon-privacy (``nsht``, Proposition 1, Appendix 13, Figure 6).

1. :func:`build_bound_table`: the printed bounds, the corrected bound, and the leakage of a family
   of policies.
2. :func:`build_enumeration_table`: every policy on small universes, and random policies on larger
   ones, checked in exact fractions.

Both tables hold two readings of "epsilon-private".  Definition 3 says Priv >= log(1 + epsilon);
with Priv >= epsilon in nats (columns ``*_priv``) Proposition 1 is right.  The enumeration has two
more readings: Priv >= epsilon in bits (``*_bits``), as Equation 10 measures discrete reports, and
Priv >= 1 + epsilon in nats (``*_one``), with which Appendix 13 is right.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from noiseless.tables import Rows, returns_table, tidy
from noiseless.theory.hypotheses import (
    Policy,
    ReportRanges,
    draw_policies,
    enumerate_policies,
    exceeds_printed_leakage_bound,
)
from noiseless.theory.intervals import IntervalUnion

BUDGETS = (0.01, 10)  # lowest and highest budget epsilon of Figure 6


def build_bound_table(*, epsilon: Sequence[float]) -> pd.DataFrame:
    """Compute the printed and the corrected upper bound of L0(Y; H) for each budget (Figure 6).

    Returns
    -------
    DataFrame
        Cells (epsilon,).  Statistics, in nats: ``printed`` (Proposition 1), ``appendix`` (as its
        proof ends), ``corrected``, log((1 + epsilon) / epsilon), and ``printed_minus_corrected``;
        ``leakage`` of a policy that is just epsilon-private, ``printed_minus_leakage`` and
        ``corrected_minus_leakage``, for Definition 3 as printed; ``leakage_priv`` and
        ``printed_minus_leakage_priv`` for Priv >= epsilon.
    """
    budgets = np.asarray(epsilon, dtype=float)
    printed = -np.log(-np.expm1(-budgets))
    corrected = np.log1p(1 / budgets)
    leakage = np.array([_compute_policy_leakage(1 + each) for each in budgets])
    leakage_priv = np.array([_compute_policy_leakage(np.exp(each)) for each in budgets])
    bounds = {
        "epsilon": budgets,
        "printed": printed,
        "appendix": -np.log(-np.expm1(-budgets - 1)),
        "corrected": corrected,
        "printed_minus_corrected": printed - corrected,
        "leakage": leakage,
        "printed_minus_leakage": printed - leakage,
        "corrected_minus_leakage": corrected - leakage,
        "leakage_priv": leakage_priv,
        "printed_minus_leakage_priv": printed - leakage_priv,
    }
    return tidy(pd.DataFrame(bounds), ["epsilon"])


def _compute_policy_leakage(exp_privacy: float) -> float:
    """Compute L0(Y;H) in nats of a policy with the given ``exp Priv``.

    With t = ``exp_privacy``, any report in [0, t] is possible under p1, and any report in
    [0, t - 1] is possible under p0, too.  Reports above t - 1, of measure 1, prove p1.
    """
    t = Fraction(exp_privacy)
    under_p0, under_p1 = (
        IntervalUnion.from_intervals((0, t - 1)),
        IntervalUnion.from_intervals((0, t)),
    )
    assert (under_p0 | under_p1).measure / (under_p0 ^ under_p1).measure == t
    smaller = min(under_p0.measure, under_p1.measure)
    return float(np.log(float((under_p0 | under_p1).measure / smaller)))


@returns_table("universe")
def build_enumeration_table(
    *, largest_universe: int, random_universes: Sequence[int], random_maps: int, seed: int
) -> Rows:
    """Check the bounds on every policy and hypothesis over universes of 2, 3, ... outcomes.

    The budget of a policy is the largest that its privacy earns, ``exp Priv - 1``.

    Parameters
    ----------
    largest_universe : int
        Number of outcomes of the largest universe whose every case is tried, at least 2.
    random_universes : sequence of int
        Numbers of outcomes of larger universes, on each of which ``random_maps`` random policies
        are tried, each with a random hypothesis.
    random_maps : int
        Number of random policies on each larger universe.
    seed : int
        The seed of the random policies.

    Returns
    -------
    DataFrame
        Cells (universe,).  Statistics: ``cases``; ``private_cases``, cases with a finite, positive
        budget; ``above_printed``, ``above_appendix`` and ``above_corrected``, the private cases
        that break each bound; ``at_corrected``, the private cases that attain the corrected bound;
        and ``above_appendix_priv``, as ``above_appendix`` with the budget Priv in place of
        exp Priv - 1.  With the budget Priv, the corrected bound is that of Proposition 1.
        ``above_printed_bits``, as ``above_printed`` with the largest 64th of a bit up to Priv as
        the budget; ``private_cases_one``, cases with Priv > 1 nat, of which
        ``above_appendix_one`` break, and ``at_appendix_one`` attain, the bound of the appendix with
        the budget Priv - 1.
    """
    for outcomes in range(2, largest_universe + 1):
        yield {
            "universe": f"all of {outcomes} outcomes",
            **_count_policies(enumerate_policies(outcomes)),
        }
    for outcomes in random_universes:
        drawn = draw_policies(outcomes, random_maps, reports=outcomes, seed=seed)
        yield {"universe": f"{random_maps} random, {outcomes} outcomes", **_count_policies(drawn)}


def _count_policies(policies: Iterable[Policy]) -> dict[str, int]:
    """Count the policies whose leakage exceeds or attains each bound, by statistic."""
    ranges = (ReportRanges.from_outcomes(*policy) for policy in policies)
    classes = Counter((each.exp_leakage, each.exp_privacy) for each in ranges)
    # Every statistic needs a number, even on a universe without a private policy.
    names = _compare_with_bounds(Fraction(1), Fraction(2))
    counts = {"cases": classes.total(), "private_cases": 0, **dict.fromkeys(names, 0)}
    for (exp_leakage, exp_privacy), number in classes.items():
        if exp_privacy is None or exp_privacy == 1:
            continue
        counts["private_cases"] += number
        for name, holds in _compare_with_bounds(exp_leakage, exp_privacy).items():
            counts[name] += number * holds
    return counts


def _compare_with_bounds(exp_leakage: Fraction, exp_privacy: Fraction) -> dict[str, bool]:
    """Compare the leakage of a policy with each bound; return whether the statistic counts it."""
    epsilon = exp_privacy - 1
    corrected = exp_privacy / epsilon
    # The float may stand for e, as no fraction of small whole numbers lies between the two.
    more_than_one_nat = exp_privacy > Fraction(math.e)
    # The budget is Priv - 1, to which Appendix 13 adds 1: exp of the sum is exp Priv.
    above_one = exceeds_printed_leakage_bound(exp_leakage, Fraction(0), factor=exp_privacy)
    return {
        "above_printed": exceeds_printed_leakage_bound(exp_leakage, epsilon),
        "above_appendix": exceeds_printed_leakage_bound(exp_leakage, epsilon, shift=1),
        "above_corrected": exp_leakage > corrected,
        "at_corrected": exp_leakage == corrected,
        "above_appendix_priv": exceeds_printed_leakage_bound(
            exp_leakage, Fraction(0), shift=1, factor=exp_privacy
        ),
        "above_printed_bits": exceeds_printed_leakage_bound(
            exp_leakage, _round_down_log2(exp_privacy)
        ),
        "private_cases_one": more_than_one_nat,
        "above_appendix_one": more_than_one_nat and above_one,
        "at_appendix_one": more_than_one_nat and exp_leakage == corrected,
    }


def _round_down_log2(value: Fraction) -> Fraction:
    """Compute the binary logarithm of a value of at least 1, rounded down to a multiple of 1/64."""
    return Fraction((value.numerator**64 // value.denominator**64).bit_length() - 1, 64)
