"""Tests, their stochastic parallel, and indistinguishability (``nsht``, Sections 2 to 4 and 6).

1. :func:`examples_table`: Examples 1 and 2.
2. :func:`tests_table`: Theorems 1 and 2 on every policy, hypothesis and test over small universes.
3. :func:`le_cam_table`: Theorem 3 and its proof for all pairs of densities on small grids.
4. :func:`linear_queries_table`: Theorem 5 for all linear queries with small coefficients.
5. :func:`indistinguishability_table`: levels (Figure 7) and leakage (Figure 8) of the averaging
   query.
"""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pandas as pd

from noiseless.tables import tidy
from noiseless.theory.enumeration import Exact, all_maps, tally
from noiseless.theory.finite import Relation
from noiseless.theory.geometry import smallest_slab_share
from noiseless.theory.hypotheses import ReportRanges, all_tests, correct_reports, is_consistent
from noiseless.theory.intervals import IntervalUnion
from noiseless.theory.levels import indistinguishable_levels, reports_that_differ

Cases = Counter[tuple[Exact, Exact]]
_WEIGHTS = (0, 1, 2)
_PRIORS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


def examples_table() -> pd.DataFrame:
    """Examples 1 and 2.

    Returns
    -------
    DataFrame
        One cell.  Statistics of Example 1: ``dice_values``, ``dice_pairs``, ``dice_given_even``,
        ``dice_given_odd``, sizes of ranges.  Of Example 2, for an error of 10 and of 20 cm:
        ``certain_*_cm``, size of [Y|p0] symmetric difference [Y|p1]; ``reports_*_cm``, size of
        [Y]; ``scaled_performance_*_nats``, P(T) - h0(Y) of a consistent test.
    """
    dice = Relation.of(range(1, 7), (value % 2 == 0 for value in range(1, 7)))
    facts = {
        "dice_values": len(dice.x_range),
        "dice_pairs": len(dice.pairs),
        "dice_given_even": len(dice.x_given_y[True]),
        "dice_given_odd": len(dice.x_given_y[False]),
    }
    for error_cm in (10, 20):
        error = IntervalUnion.of((-error_cm, error_cm))
        short = IntervalUnion.of((100, 150)) + error
        tall = IntervalUnion.of((150, 250)) + error
        certain, reports = (short ^ tall).measure, (short | tall).measure
        facts |= {
            f"certain_{error_cm}_cm": certain,
            f"reports_{error_cm}_cm": reports,
            f"scaled_performance_{error_cm}_nats": math.log(certain / reports),
        }
    return tidy(pd.DataFrame([facts]), [])


def tests_table(*, largest_universe: int) -> pd.DataFrame:
    """Count the tests that break Theorems 1 and 2.

    Parameters
    ----------
    largest_universe : int
        Number of outcomes of the largest universe, at least 2.

    Returns
    -------
    DataFrame
        Cells (statement, outcomes).  Statistics: those of
        :func:`noiseless.theory.enumeration.tally`.
    """
    rows = []
    for outcomes in range(2, largest_universe + 1):
        optimal: Cases = Counter()
        bounded: Cases = Counter()
        for reports in all_maps(outcomes):
            tests = list(all_tests(reports))
            for hypotheses in itertools.product((True, False), repeat=outcomes):
                if len(set(hypotheses)) < 2:
                    continue
                ranges = ReportRanges.of(reports, hypotheses)
                performances = [len(correct_reports(reports, hypotheses, t)) for t in tests]
                bounded.update((each, len(ranges.p0 ^ ranges.p1)) for each in performances)
                best = max(performances)
                optimal.update(
                    (best, performance)
                    for test, performance in zip(tests, performances, strict=True)
                    if is_consistent(test, ranges)
                )
        rows += [
            {"statement": statement, "outcomes": outcomes, **tally(cases)}
            for statement, cases in (
                ("Theorem 1: a consistent test is optimal", optimal),
                ("Theorem 2", bounded),
            )
        ]
    return tidy(pd.DataFrame(rows), ["statement", "outcomes"])


def le_cam_table(*, cells: Sequence[int]) -> pd.DataFrame:
    """Theorem 3, and what its proof says of the probability of an error.

    The two densities of Y are constant on each of some equal cells of [0, 1], with all weights 0,
    1, 2; the best test is found by trying them all.

    Parameters
    ----------
    cells : sequence of int
        Numbers of cells.

    Returns
    -------
    DataFrame
        Cells (statement, cells).  Statistics: those of
        :func:`noiseless.theory.enumeration.tally`.
    """
    rows = []
    for count in cells:
        counted: dict[str, Cases] = {}
        weights = [w for w in itertools.product(_WEIGHTS, repeat=count) if any(w)]
        densities = [[Fraction(x * count, sum(w)) for x in w] for w in weights]
        for p0, p1 in itertools.product(densities, repeat=2):
            for statement, left, right in _le_cam_facts(p0, p1):
                counted.setdefault(statement, Counter())[left, right] += 1
        rows += [
            {"statement": statement, "cells": count, **tally(cases)}
            for statement, cases in counted.items()
        ]
    # Probabilities have no levels to take one away from.
    return tidy(pd.DataFrame(rows).drop(columns="violations_if_one_less"), ["statement", "cells"])


def _le_cam_facts(
    p0: Sequence[Fraction], p1: Sequence[Fraction]
) -> list[tuple[str, Fraction, Fraction]]:
    """Statements ``left <= right`` on two densities, constant on equal cells of [0, 1]."""
    width = Fraction(1, len(p0))
    floor = min(density for density in (*p0, *p1) if density)
    apart = sum(width for a, b in zip(p0, p1, strict=True) if (a > 0) != (b > 0))
    variation = sum(abs(a - b) for a, b in zip(p0, p1, strict=True)) * width / 2
    # Probability of the answer p0 under p0, and of the answer p1 under p1, for every test.
    rights = [
        (
            sum(a for a, says_p0 in zip(p0, test, strict=True) if says_p0) * width,
            sum(b for b, says_p0 in zip(p1, test, strict=True) if not says_p0) * width,
        )
        for test in itertools.product((True, False), repeat=len(p0))
    ]
    success = {prior: max(prior * a + (1 - prior) * b for a, b in rights) for prior in _PRIORS}
    even = success[Fraction(1, 2)]
    bound = floor * apart / 2
    return [
        *(("Theorem 3", bound, success[prior]) for prior in _PRIORS),
        ("Theorem 3, sharper, for equal priors", Fraction(1, 2) + bound / 2, even),
        ("Appendix 11: P(error) >= 1 - nu", 1 - variation, 1 - even),
        ("P(error) >= (1 - nu)/2, equal priors", (1 - variation) / 2, 1 - even),
        ("sum of both errors >= 1 - nu", 1 - variation, 2 - max(a + b for a, b in rights)),
    ]


def linear_queries_table(
    *, people: Sequence[int], largest_coefficient: int, epsilon: Sequence[int]
) -> pd.DataFrame:
    """Theorem 5 for every linear query with whole coefficients, at the levels that it grants.

    Parameters
    ----------
    people : sequence of int
        Numbers of people.
    largest_coefficient : int
        Coefficients are 1, 2, ... up to this.  (Signs change nothing: they mirror a coordinate.)
    epsilon : sequence of int
        Budgets in bits.

    Returns
    -------
    DataFrame
        Cells (statement, people).  Statistics: those of
        :func:`noiseless.theory.enumeration.tally`.  Statements: ``printed``, the levels of the
        theorem; ``next``, 2^(epsilon - 1) in place of 2^(epsilon - 1) - 1.
    """
    rows = []
    for count in people:
        counted: dict[str, Cases] = {"printed": Counter(), "next": Counter()}
        coefficients = range(1, largest_coefficient + 1)
        for chosen in itertools.combinations_with_replacement(coefficients, count):
            share = Fraction(max(chosen), sum(chosen))
            for eps in epsilon:
                for statement, factor in (
                    ("printed", 2 ** (eps - 1) - 1),
                    ("next", 2 ** (eps - 1)),
                ):
                    levels = max(1, math.floor(factor / share))
                    for each in set(chosen):
                        differ = reports_that_differ(levels, Fraction(each, sum(chosen)))
                        counted[statement][differ, 2**eps] += 1
        rows += [
            {"statement": statement, "people": count, **tally(cases)}
            for statement, cases in counted.items()
        ]
    return tidy(pd.DataFrame(rows), ["statement", "people"])


def indistinguishability_table(*, people: Sequence[int], epsilon: Sequence[int]) -> pd.DataFrame:
    """Levels of the quantized average (Figure 7), and how much it leaks (Figure 8).

    Parameters
    ----------
    people : sequence of int
        Numbers of people, 2 or more.
    epsilon : sequence of int
        Budgets in bits, 1 or larger.

    Returns
    -------
    DataFrame
        Cells (people, epsilon).  Statistics: ``levels_printed`` (Theorem 5) and ``levels_exact``;
        ``differ_*``, the reports that tell two values of one person's data apart, for both and for
        ``one_more`` level than exact; ``excess_*``, those above 2^epsilon; ``leakage_nats``,
        L0(X;Y) of the printed levels, ``leakage_per_person_nats``, a share of it, and
        ``leakage_of_one_nats``, L0(Xi;Y).
    """
    rows = []
    for n, eps in itertools.product(people, epsilon):
        printed = max(1, n * (2 ** (eps - 1) - 1))
        exact = indistinguishable_levels(eps, n)
        differ = {
            name: reports_that_differ(levels, Fraction(1, n))
            for name, levels in (("printed", printed), ("exact", exact), ("one_more", exact + 1))
        }
        # A fraction whose parts may be larger than any float.
        share = smallest_slab_share(n, printed)
        leakage = math.log(share.denominator) - math.log(share.numerator)
        rows.append(
            {
                "people": n,
                "epsilon": eps,
                "levels_printed": printed,
                "levels_exact": exact,
                **{f"differ_{name}": value for name, value in differ.items()},
                **{f"excess_{name}": value - 2**eps for name, value in differ.items()},
                "leakage_nats": leakage,
                "leakage_per_person_nats": leakage / n,
                # The first report leaves each person the n/q least values of their range.
                "leakage_of_one_nats": max(0.0, math.log(printed / n)),
            }
        )
    return tidy(pd.DataFrame(rows), ["people", "epsilon"])
