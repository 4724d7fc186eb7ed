"""Hypothesis tests without and with probabilities (``nsht``, Sections 2 to 4).

1. :func:`build_examples_table`: Examples 1 and 2.
2. :func:`build_tests_table`: Theorems 1 and 2, and the claims of their proof, on every policy,
   hypothesis and test over small universes, with discrete and with continuous reports.
3. :func:`build_le_cam_table`: Theorem 3 and its proof for all pairs of densities on small grids.
4. :func:`build_order_table`: whether more privacy means fewer reports that prove a hypothesis
   (Section 5), for all pairs of policies on small universes.

Tables 2 and 3 also hold random cases over larger universes.  All numbers are exact.
"""

import itertools
import math
import operator
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.seeds import draw_different, make_generator
from noiseless.tables import Rows, returns_table, tidy
from noiseless.theory.enumeration import StatementCounts, StatementSides
from noiseless.theory.finite import Relation
from noiseless.theory.hypotheses import (
    ReportRanges,
    draw_policies,
    enumerate_interval_tests,
    enumerate_policies,
    enumerate_tests,
    find_correct_reports,
    is_consistent,
)
from noiseless.theory.intervals import IntervalUnion

Weights = tuple[int, ...]
_WEIGHTS = (0, 1, 2)
_PRIORS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
_EDGES = (
    Fraction(0),
    Fraction(1),
    Fraction(3),
    Fraction(9, 2),
)  # possible ends of intervals of continuous reports
_MAX_PIECES = 3  # number of pieces that the data of continuous reports are cut into
_MAX_ORDER_OUTCOMES = 5  # size of the smallest universe with a counterexample to the order
_MAX_REPORTS = 6  # number of reports of a random policy, whose 2^6 tests are all tried


def build_hypothesis_tables(
    *, tests: Mapping[str, Any], densities: Mapping[str, Any], seed: int
) -> dict[str, pd.DataFrame]:
    """Build the tables ``examples``, ``tests``, ``le_cam`` and ``order`` of this module, by name.

    Parameters
    ----------
    tests, densities : mapping of str to value
        Arguments of :func:`build_tests_table` and of :func:`build_le_cam_table`, but for the seed.
    seed : int
        Seed of the configuration.

    Returns
    -------
    dict of str to DataFrame
    """
    return {
        "examples": build_examples_table(),
        "tests": build_tests_table(**tests, seed=seed),
        "le_cam": build_le_cam_table(**densities, seed=seed),
        "order": build_order_table(),
    }


def build_examples_table() -> pd.DataFrame:
    """Compute the sizes of the ranges that Examples 1 and 2 print, as a table of one cell.

    Returns
    -------
    DataFrame
        One cell.  Statistics of Example 1: ``dice_values``, ``dice_pairs``, ``dice_given_even``,
        ``dice_given_odd``, sizes of ranges.  In Example 2, for an error of 10 and of 20 cm:
        ``certain_*_cm``, size of [Y|p0] symmetric difference [Y|p1]; ``reports_*_cm``, size of
        [Y]; ``scaled_performance_*_nats``, P(T) - h0(Y) of a consistent test.
    """
    dice = Relation.from_outcomes(range(1, 7), (value % 2 == 0 for value in range(1, 7)))
    facts: dict[str, float | Fraction] = {
        "dice_values": len(dice.x_range),
        "dice_pairs": len(dice.pairs),
        "dice_given_even": len(dice.x_given_y[True]),
        "dice_given_odd": len(dice.x_given_y[False]),
    }
    for error_cm in (10, 20):
        error = IntervalUnion.from_intervals((-error_cm, error_cm))
        short = IntervalUnion.from_intervals((100, 150)) + error
        tall = IntervalUnion.from_intervals((150, 250)) + error
        certain, reports = (short ^ tall).measure, (short | tall).measure
        facts |= {
            f"certain_{error_cm}_cm": certain,
            f"reports_{error_cm}_cm": reports,
            f"scaled_performance_{error_cm}_nats": math.log(certain / reports),
        }
    return tidy(pd.DataFrame([facts]), [])


@returns_table("statement", "universe")
def build_tests_table(
    *, largest_universe: int, random_universes: Sequence[int], random_maps: int, seed: int
) -> Rows:
    """Count the tests that break Theorems 1 and 2, and the policies that break their proof.

    Continuous reports: the data are cut into up to three pieces of unit length, and each piece
    goes, stretched, to an interval of reports and to one hypothesis.  Every choice of intervals
    with ends 0, 1, 3 and 9/2 is tried, and every test that is constant between these.  (Ends of
    intervals are left aside, being a set of measure zero.)

    Parameters
    ----------
    largest_universe : int
        Number of outcomes of the largest universe whose every policy and hypothesis is tried, at
        least 2.
    random_universes : sequence of int
        Numbers of outcomes of larger universes, on each of which ``random_maps`` random policies
        with up to six reports are tried, each with a random hypothesis.
    random_maps : int
        Number of random policies on each larger universe.
    seed : int
        The seed of the random policies.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`, over all tests; for ``Claims 1 to 3``
        and ``Equation 14`` of Appendix 9, over all policies, with the number of reports or of tests
        on the left, and the number of them for which the statement holds on the right.
    """
    universes = {
        f"all of {outcomes} outcomes": enumerate_policies(outcomes)
        for outcomes in range(2, largest_universe + 1)
    }
    universes |= {
        f"{random_maps} random, {outcomes} outcomes": draw_policies(
            outcomes, random_maps, reports=_MAX_REPORTS, seed=seed
        )
        for outcomes in random_universes
    }
    tallies = StatementCounts()
    for universe, policies in universes.items():
        for reports, hypotheses in policies:
            tallies.count(_evaluate_tests(reports, hypotheses), universe)
    for pieces in range(2, _MAX_PIECES + 1):
        tallies.count(_evaluate_continuous_tests(pieces), f"continuous, {pieces} pieces")
    yield from tallies.iterate_rows()


def _evaluate_tests(reports: Sequence[int], hypotheses: Sequence[bool]) -> StatementSides:
    """Yield (statement, left, right) for each statement about the tests of one policy."""
    ranges = ReportRanges.from_outcomes(reports, hypotheses)
    tests = list(enumerate_tests(reports))
    correct = [find_correct_reports(reports, hypotheses, test) for test in tests]
    consistent = [is_consistent(test, ranges) for test in tests]
    decided = ranges.p0 ^ ranges.p1
    best = max(map(len, correct))
    for proven in itertools.compress(correct, consistent):
        yield "Theorem 1: a consistent test is optimal", best, len(proven)
    for proven in correct:
        yield "Theorem 2", len(proven), len(decided)
    yield "Claims 1 to 3", len(set(reports)), _count_claimed_reports(reports, hypotheses, ranges)
    # No test is correct elsewhere, and a consistent one is correct at all of these reports.
    confirmed = sum(
        proven == decided if agrees else proven <= decided
        for proven, agrees in zip(correct, consistent, strict=True)
    )
    yield "Equation 14", len(tests), confirmed
    errors = [_count_errors(reports, hypotheses, test) for test in tests]
    agree = sum(
        (len(proven) == best) == (n_errors == min(errors))
        for proven, n_errors in zip(correct, errors, strict=True)
    )
    yield "Section 3: fewest errors", len(tests), agree


def _count_errors(
    reports: Sequence[int], hypotheses: Sequence[bool], test: Mapping[Hashable, bool]
) -> int:
    """Count the reports for which a test errs: some of their data lack its hypothesis."""
    outcomes = list(zip(reports, hypotheses, strict=True))
    return sum(
        any(hypothesis != answer for given, hypothesis in outcomes if given == report)
        for report, answer in test.items()
    )


def _count_claimed_reports(
    reports: Sequence[int], hypotheses: Sequence[bool], ranges: ReportRanges
) -> int:
    """Count the reports whose data have exactly the hypotheses of Appendix 9, Claims 1 to 3."""
    claimed = {
        **{report: {True, False} for report in ranges.p0 & ranges.p1},
        **{report: {True} for report in ranges.p0 - ranges.p1},
        **{report: {False} for report in ranges.p1 - ranges.p0},
    }
    observed: dict[int, set[bool]] = {}
    for report, is_p0 in zip(reports, hypotheses, strict=True):
        observed.setdefault(report, set()).add(is_p0)
    return sum(
        claimed.get(report) == hypotheses_of_report
        for report, hypotheses_of_report in observed.items()
    )


def _evaluate_continuous_tests(pieces: int) -> StatementSides:
    """Yield (statement, left, right) of Theorems 1 and 2 for all tests on real reports.

    Lengths of intervals take the place of numbers of reports.  The length at which a test is
    correct is the sum over the intervals between two ends that Definition 1 calls correct; the
    bound is the measure of a symmetric difference of unions of intervals.
    """
    images = list(itertools.combinations(_EDGES, 2))
    for chosen in itertools.product(images, repeat=pieces):
        for hypotheses in itertools.product((True, False), repeat=pieces):
            if len(set(hypotheses)) < 2:
                continue
            p0 = IntervalUnion.from_intervals(*itertools.compress(chosen, hypotheses))
            p1 = IntervalUnion.from_intervals(
                *itertools.compress(chosen, map(operator.not_, hypotheses))
            )
            tests = list(enumerate_interval_tests(p0, p1, _EDGES))
            decided, best = (p0 ^ p1).measure, max(correct for correct, _ in tests)
            for correct, agrees in tests:
                if agrees:
                    yield "Theorem 1, continuous", best, correct
                yield "Theorem 2, continuous", correct, decided


@returns_table("statement", "universe")
def build_order_table() -> Rows:
    """Count the pairs of policies of which the more private one proves more (Section 5).

    All pairs of policies for equal data and hypotheses with finite and different Priv are tried,
    on universes of up to five outcomes.  A case holds the number of reports that prove a
    hypothesis, for the policy with the larger Priv and for the other policy.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`.  Statements: ``any reports``, of all
        pairs; ``reports of the same size``, of pairs with equal numbers of reports; ``no more
        reports``, of pairs whose more private policy has at most as many reports as the other one.
    """
    tallies = StatementCounts()
    for outcomes in range(3, _MAX_ORDER_OUTCOMES + 1):
        any_reports, same_size, no_more = (
            tallies[statement, f"all of {outcomes} outcomes"]
            for statement in ("any reports", "reports of the same size", "no more reports")
        )
        by_hypothesis: dict[tuple[bool, ...], Counter[tuple[Fraction, int, int]]] = {}
        for reports, hypotheses in enumerate_policies(outcomes):
            ranges = ReportRanges.from_outcomes(reports, hypotheses)
            if ranges.exp_privacy is not None:
                sizes = (ranges.exp_privacy, len(ranges.p0 ^ ranges.p1), len(set(reports)))
                by_hypothesis.setdefault(hypotheses, Counter())[sizes] += 1
        for sizes_count in by_hypothesis.values():
            for one, other in itertools.combinations(sorted(sizes_count), 2):
                (private, proven, reported), (less, others, most) = other, one
                if private == less:
                    continue
                number = sizes_count[one] * sizes_count[other]
                any_reports[proven, others] += number
                if reported == most:
                    same_size[proven, others] += number
                if reported <= most:
                    no_more[proven, others] += number
    yield from tallies.iterate_rows()


@returns_table("statement", "universe")
def build_le_cam_table(
    *, cells: Sequence[int], random_cells: Sequence[int], random_pairs: int, seed: int
) -> Rows:
    """Count the pairs of densities that break Theorem 3 or a bound of its proof.

    The two densities of Y are constant on each of some equal cells of [0, 1]; the best test is
    found by trying them all.

    Parameters
    ----------
    cells : sequence of int
        Numbers of cells; all pairs of densities with weights 0, 1, 2 are tried.
    random_cells : sequence of int
        Larger numbers of cells, for each of which ``random_pairs`` random pairs of densities with
        weights 0 to 9 are tried.
    random_pairs : int
        Number of random pairs for each larger number of cells.
    seed : int
        The seed of the random densities.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`.
    """
    universes: dict[str, Iterable[tuple[Weights, Weights]]] = {}
    for count in cells:
        densities = [each for each in itertools.product(_WEIGHTS, repeat=count) if any(each)]
        universes[f"all on {count} cells"] = itertools.product(densities, densities)
    for count in random_cells:
        universes[f"{random_pairs} random, {count} cells"] = _draw_density_pairs(
            count, random_pairs, seed
        )
    tallies = StatementCounts()
    for universe, pairs in universes.items():
        for p0, p1 in pairs:
            tallies.count(_evaluate_le_cam(p0, p1), universe)
    yield from tallies.iterate_rows(whole=False)


def _draw_density_pairs(count: int, pairs: int, seed: int) -> Iterator[tuple[Weights, Weights]]:
    """Draw different pairs of densities as weights of cells, from level ones to uneven ones.

    Their supports are disjoint to equal.
    """
    random = make_generator(seed, "densities", count)

    def draw() -> tuple[Weights, Weights]:
        """Draw a pair."""
        largest, common = random.integers(1, 10), random.random()
        weights = random.integers(1, largest, (2, count), endpoint=True)
        of_p0 = random.random(count) < 0.5
        of_both = random.random(count) < common
        first, second = random.choice(count, 2, replace=False)
        of_p0[[first, second]] = True, False  # neither density is zero everywhere
        weights *= np.stack([of_p0 | of_both, ~of_p0 | of_both])
        return tuple(weights[0].tolist()), tuple(weights[1].tolist())

    yield from draw_different(draw, pairs)


@cache
def _enumerate_answers(count: int) -> NDArray[np.int64]:
    """Enumerate all tests on ``count`` cells, shape (2^count, count): 1 for p0, 0 for p1."""
    return np.array(list(itertools.product((1, 0), repeat=count)), dtype=np.int64)


def _evaluate_le_cam(p0: Weights, p1: Weights) -> list[tuple[str, Fraction, Fraction]]:
    """Evaluate both sides of each statement ``left <= right`` about two densities.

    Parameters
    ----------
    p0, p1 : tuple of int
        Weights of equal cells of [0, 1], proportional to the densities.
    """
    cells, total0, total1 = len(p0), sum(p0), sum(p1)
    floor = min(
        Fraction(weight * cells, total)
        for weights, total in ((p0, total0), (p1, total1))
        for weight in weights
        if weight
    )
    apart = Fraction(sum((a > 0) != (b > 0) for a, b in zip(p0, p1, strict=True)), cells)
    whole = total0 * total1
    differences = sum(abs(a * total1 - b * total0) for a, b in zip(p0, p1, strict=True))
    variation = Fraction(differences, 2 * whole)
    # Probability of the answer p0 under p0, and of the answer p1 under p1, for every test, in
    # whole numbers of 1 / (total0 total1).
    right0 = _enumerate_answers(cells) @ np.array(p0) * total1
    right1 = (1 - _enumerate_answers(cells)) @ np.array(p1) * total0
    success = {
        prior: Fraction(
            int((prior.numerator * right0 + (prior.denominator - prior.numerator) * right1).max()),
            prior.denominator * whole,
        )
        for prior in _PRIORS
    }
    even = success[Fraction(1, 2)]
    bound = floor * apart / 2
    return [
        *(("Theorem 3", bound, success[prior]) for prior in _PRIORS),
        ("Theorem 3, sharper, for equal priors", Fraction(1, 2) + bound / 2, even),
        ("nu >= epsilon/2 of the symmetric difference", bound, variation),
        *(("P(success) >= nu", variation, success[prior]) for prior in _PRIORS),
        ("Appendix 11: P(error) >= 1 - nu", 1 - variation, 1 - even),
        ("P(error) >= (1 - nu)/2, equal priors", (1 - variation) / 2, 1 - even),
        (
            "sum of both errors >= 1 - nu",
            1 - variation,
            2 - Fraction(int((right0 + right1).max()), whole),
        ),
    ]
