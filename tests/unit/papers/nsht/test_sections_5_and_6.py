"""Privacy, leakage and indistinguishability, by second routes: plain loops, floats, by hand."""

import itertools
import math
from fractions import Fraction

import pytest

from noiseless.papers.nsht import appendix, cases, section_5, section_6
from noiseless.statements.registry import Run, Sizes
from noiseless.theory.hypotheses import ReportRanges, enumerate_policies

SMOKE = Run(Sizes.SMOKE, seed=1, overrides={"leaks": {"random": ()}})


def test_the_order_of_policies_agrees_with_all_pairs():
    """Both policies of a pair in both orders, by plain loops."""
    pairs = larger = 0
    for outcomes in (3, 4, 5):
        policies = {}
        for reports, side in enumerate_policies(outcomes):
            policies.setdefault(side, []).append(ReportRanges.from_outcomes(reports, side))
        for found in policies.values():
            for one, other in itertools.permutations(found, 2):
                if one.exp_privacy is None or other.exp_privacy is None:
                    continue
                if one.exp_privacy > other.exp_privacy:
                    pairs += 1
                    larger += len(one.p0 ^ one.p1) > len(other.p0 ^ other.p1)
    finding = section_5.sec5_order.check(section_5.pairs.load(SMOKE))
    assert (finding.cases, finding.failed) == (pairs, larger)
    assert (finding.example.left, finding.example.right) == (3, 2)
    assert finding.example.numbers["exp Priv, more private"] == "4/3"


def test_leakage_agrees_with_a_loop_over_floats():
    private = above = above_bits = one = attained = 0
    for outcomes in (2, 3, 4, 5):
        for reports in itertools.product(range(outcomes), repeat=outcomes):
            if list(dict.fromkeys(reports)) != list(range(len(set(reports)))):
                continue  # the same map with other names
            for side in itertools.product((0, 1), repeat=outcomes):
                y = [{r for r, s in zip(reports, side, strict=True) if s == k} for k in (0, 1)]
                decided, everything = len(y[0] ^ y[1]), len(y[0] | y[1])
                if len(set(side)) < 2 or decided in (0, everything):
                    continue
                private += 1
                priv = math.log(everything / decided)
                leakage = math.log(everything / min(map(len, y)))
                above += leakage > -math.log(1 - math.exp(1 - math.exp(priv)))
                above_bits += leakage > -math.log(1 - math.exp(-priv / math.log(2)))
                attained += abs(leakage + math.log(1 - math.exp(-priv))) < 1e-12
                one += priv > 1
    leaks = cases.leaks.load(SMOKE)
    printed, corrected = section_5.prop1.check(leaks), section_5.prop1_priv.check(leaks)
    assert (printed.cases, printed.failed) == (private, above)
    assert section_5.prop1_bits.check(leaks).failed == above_bits
    assert (corrected.failed, corrected.sharp) == (0, attained)
    assert appendix.appendix13_one.check(leaks).cases == one


def test_one_report_is_most_private_for_numbers_and_no_number_for_lengths():
    assert section_5.sec5_nothing.check().failed == 0
    assert section_5.sec5_nothing_continuous.check().failed == 3


def test_the_printed_policy_changes_twice_what_is_printed():
    assert section_5.sec5_width.check().found == pytest.approx([2] * 4, abs=1e-9)
    assert section_5.sec5_width_side.check().found == pytest.approx([1] * 8, abs=1e-9)


def test_the_budget_on_a_narrowing_range_agrees_with_a_sum_over_its_width():
    rho, step = 100.0, 1e-4
    width = (min(1 / rho, 1 / ((k + 0.5) * step) ** 2) for k in range(400_000))  # up to x2 = 40
    band = 4 * sum(width) * step + 4 / 40
    found = section_5.remark1_unbounded.check().found
    assert found[6 + 1] == pytest.approx(rho / (8 / band - 1), rel=1e-3)


def test_answers_differ_by_twice_the_smaller_of_the_move_and_the_others_part():
    found = {}
    for each in section_6.answers.load(SMOKE):
        key = each.query, each.people, each.unit
        found[key] = max(found.get(key, 0), each.difference)
    for (query, count, unit), difference in found.items():
        share = {"average": Fraction(1, count), "sum": 1, "one height": 0}[query]
        moved = share * section_6.RANGES[unit]
        assert difference == 2 * min(moved, (count - 1) * moved)


def test_searched_reports_are_those_by_hand():
    # With one level nothing differs; with two, a person with half of the range gives the output a
    # length of one bin, which begins below the edge, in both bins, or on it, in the upper one.
    assert set(section_6._search_differing_reports(1, 1, 2).values()) == {0}
    assert section_6._search_differing_reports(2, 1, 2) == {
        Fraction(k, 4): 0 if k == 0 else 1 for k in range(5)
    }
