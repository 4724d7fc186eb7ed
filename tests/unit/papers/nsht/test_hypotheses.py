"""Tests of hypotheses: densities in plain fractions, and the paper's examples."""

import itertools
import math
from fractions import Fraction

import pytest

from noiseless.papers.nsht import hypotheses


def test_densities_that_do_not_overlap_leave_no_error():
    """Two densities that do not overlap: the best test is always right."""
    facts = hypotheses._evaluate_le_cam((1, 0, 0), (0, 1, 1))
    # Densities 3 and 3/2 on disjoint supports: nu = 1, no error; epsilon = 3/2 and a symmetric
    # difference of 1.
    assert ("Appendix 11: P(error) >= 1 - nu", 0, 0) in facts
    assert facts.count(("Theorem 3", Fraction(3, 4), 1)) == 3
    assert ("Theorem 3, sharper, for equal priors", Fraction(7, 8), 1) in facts


def test_the_papers_examples_have_the_values_computed_by_hand():
    facts = hypotheses.build_examples_table().set_index("statistic")["value"]
    assert facts["certain_10_cm"] == facts["certain_20_cm"] == 150
    assert (facts["reports_10_cm"], facts["reports_20_cm"]) == (170, 190)
    assert facts["scaled_performance_20_nats"] == pytest.approx(math.log(150) - math.log(190))


def test_statements_on_densities_hold_in_plain_fractions():
    """Every statement again, from densities and their integrals."""
    for p0, p1 in hypotheses._draw_density_pairs(5, 10, seed=2):
        f0, f1 = ([Fraction(5 * w, sum(p)) for w in p] for p in (p0, p1))
        floor = min(density for density in (*f0, *f1) if density)
        apart = Fraction(sum((a > 0) != (b > 0) for a, b in zip(f0, f1, strict=True)), 5)
        nu = sum(abs(a - b) for a, b in zip(f0, f1, strict=True)) / 10
        rights = [
            (
                sum(a for a, yes in zip(f0, test, strict=True) if yes) / 5,
                sum(b for b, yes in zip(f1, test, strict=True) if not yes) / 5,
            )
            for test in itertools.product((True, False), repeat=5)
        ]
        facts = hypotheses._evaluate_le_cam(p0, p1)
        for quarters in (1, 2, 3):
            prior = Fraction(quarters, 4)
            best = max(prior * a + (1 - prior) * b for a, b in rights)
            assert ("Theorem 3", floor * apart / 2, best) in facts
        even = max(a + b for a, b in rights) / 2
        assert ("Appendix 11: P(error) >= 1 - nu", 1 - nu, 1 - even) in facts
        assert ("sum of both errors >= 1 - nu", 1 - nu, 2 - 2 * even) in facts


def test_continuous_tests_agree_with_sampled_reports():
    """A test's length where it is correct, from many reports and the data behind each."""
    facts = set(hypotheses._evaluate_continuous_tests(2))
    assert {name for name, *_ in facts} == {"Theorem 1, continuous", "Theorem 2, continuous"}
    # p0 goes to [0, 3], p1 to [1, 4.5]: reports below 1 prove p0, those above 3 prove p1.
    samples = [4.5 * (k + 0.5) / 9000 for k in range(9000)]
    decided = sum((y <= 3) != (y >= 1) for y in samples) * 4.5 / 9000
    assert decided == pytest.approx(2.5)
    assert ("Theorem 2, continuous", Fraction(5, 2), Fraction(5, 2)) in facts
    assert ("Theorem 2, continuous", Fraction(5, 2), Fraction(3, 2)) not in facts


def test_more_privacy_goes_with_a_larger_set_in_an_example():
    """Five outcomes, the last of p1: two reports that prove all, and four of which three prove."""
    p1_last = (True, True, True, True, False)
    told = hypotheses.ReportRanges.from_outcomes((0, 0, 0, 0, 1), p1_last)
    mixed = hypotheses.ReportRanges.from_outcomes((0, 1, 2, 3, 0), p1_last)
    assert (told.exp_privacy, mixed.exp_privacy) == (1, Fraction(4, 3))
    assert (len(told.p0 ^ told.p1), len(mixed.p0 ^ mixed.p1)) == (2, 3)


def test_the_order_of_policies_agrees_with_all_pairs():
    """Both policies of a pair in both orders, by plain loops."""
    pairs = larger = 0
    for outcomes in (4, 5):
        policies = {}
        for reports, side in hypotheses.enumerate_policies(outcomes):
            policies.setdefault(side, []).append(
                hypotheses.ReportRanges.from_outcomes(reports, side)
            )
        for found in policies.values():
            for one, other in itertools.permutations(found, 2):
                if one.exp_privacy is None or other.exp_privacy is None:
                    continue
                if one.exp_privacy > other.exp_privacy:
                    pairs += 1
                    larger += len(one.p0 ^ one.p1) > len(other.p0 ^ other.p1)
    assert (pairs, larger) == (25_632, 160)
    table = hypotheses.build_order_table()
    any_reports = table[
        (table["statement"] == "any reports") & (table["universe"] != "all of 3 outcomes")
    ]
    sums = any_reports.groupby("statistic")["value"].sum()
    assert (sums["cases"], sums["violations"]) == (pairs, larger)
