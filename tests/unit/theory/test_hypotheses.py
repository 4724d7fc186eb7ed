"""Leakage of private policies: exact ratios against their definitions."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.theory.hypotheses import (
    ReportRanges,
    draw_policies,
    enumerate_interval_tests,
    enumerate_policies,
    exceeds_printed_leakage_bound,
)
from noiseless.theory.intervals import IntervalUnion


def test_three_outcomes_leak_more_than_the_printed_proposition_1_allows():
    """Three outcomes: reports 0 and 1 under p1, report 0 under p0.

    Priv = log(2/1), so epsilon = 1; L0(Y; H) = log(2/1), above -log(1 - 1/e) = log 1.58.
    """
    ranges = ReportRanges.from_outcomes([0, 0, 1], [True, False, False])
    assert ranges.exp_privacy == 2
    assert ranges.exp_leakage == 2
    assert exceeds_printed_leakage_bound(Fraction(2), Fraction(1))
    assert exceeds_printed_leakage_bound(Fraction(2), Fraction(1), shift=1)
    assert ranges.exp_leakage == (1 + Fraction(1)) / 1


def test_certain_reports_alone_and_none_have_known_privacy():
    assert ReportRanges.from_outcomes([0, 1], [True, False]).exp_privacy == 1
    assert ReportRanges.from_outcomes([0, 0], [True, False]).exp_privacy is None


def test_hypothesis_without_outcome_is_refused():
    with pytest.raises(ValueError, match="each hypothesis"):
        ReportRanges.from_outcomes([0, 1], [True, True])


@given(st.fractions(1, 40), st.fractions("1/50", 30), st.integers(0, 1))
def test_comparison_with_an_exponential_agrees_with_floats_away_from_the_tie(
    exp_leakage, epsilon, shift
):
    bound = -math.log(-math.expm1(-float(epsilon + shift)))
    if abs(math.log(exp_leakage) - bound) > 1e-9:
        expected = math.log(exp_leakage) > bound
        assert exceeds_printed_leakage_bound(exp_leakage, epsilon, shift) == expected


@pytest.mark.parametrize("outcomes", [2, 3, 4])
def test_all_policies_are_every_map_up_to_names_with_every_hypothesis(outcomes):
    def renamed(reports):
        return tuple(reports.index(report) for report in reports)

    found = [(renamed(reports), hypotheses) for reports, hypotheses in enumerate_policies(outcomes)]
    maps = {renamed(each) for each in itertools.product(range(outcomes), repeat=outcomes)}
    sides = [*itertools.product((True, False), repeat=outcomes)][1:-1]
    assert sorted(found) == sorted(itertools.product(maps, sides))


def test_random_policies_use_all_their_freedom():
    policies = list(draw_policies(7, 300, reports=4, seed=1))
    assert len(policies) == 300
    assert all(len(reports) == len(hypotheses) == 7 for reports, hypotheses in policies)
    assert {len(set(reports)) for reports, _ in policies} == {1, 2, 3, 4}
    assert {sum(hypotheses) for _, hypotheses in policies} == {1, 2, 3, 4, 5, 6}


def test_tests_of_intervals_are_those_computed_by_hand():
    """Reports 0 to 2 and 1 to 4: a piece of 1 proves the first, one of 2 the second."""
    p0, p1 = IntervalUnion.from_intervals((0, 2)), IntervalUnion.from_intervals((1, 4))
    found = list(enumerate_interval_tests(p0, p1, [0, 1, 2, 4]))
    assert sorted(length for length, _ in found) == [0, 0, 1, 1, 2, 2, 3, 3]
    # Of the piece between both answers are consistent.
    assert sorted(length for length, agrees in found if agrees) == [3, 3]
    assert (p0 ^ p1).measure == 3
    points = IntervalUnion.from_intervals((1, 1)), IntervalUnion.from_intervals((2, 2))
    assert list(enumerate_interval_tests(*points, [1, 2])) == [(0, True)] * 2
