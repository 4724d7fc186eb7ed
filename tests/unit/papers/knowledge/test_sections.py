"""Statements of knowledge: counter-examples that the checks find, by hand."""

import math
from fractions import Fraction

import pytest

from noiseless.accounting.filters import BayesianFilter
from noiseless.accounting.queries import TableQuery
from noiseless.accounting.rational import build_domain
from noiseless.papers.knowledge import (
    appendix,
    cases,
    section_1,
    section_2,
    section_3,
    section_4,
    section_6,
)
from noiseless.papers.knowledge.health import CHECKUP, PEOPLE
from noiseless.statements.registry import Run, Sizes, load_sections

RUN = Run(Sizes.SMOKE, 2019)


def fractions(text):
    return [Fraction(each) for each in str(text).split()]


def test_a_full_odometer_accepts_the_counter_example():
    """With the project's filter, at the budget that the first answer reaches."""
    example = section_4.sec4_2_full.check(section_4.pairs.load(RUN)).example
    first, then = (fractions(each) for each in example.numbers.values())
    privacy_filter = BayesianFilter(math.log(max(first) / min(first)), build_domain(len(first)))
    rows = [
        TableQuery((tuple(float(1 - each) for each in ones), tuple(map(float, ones))))
        for ones in (first, then)
    ]
    privacy_filter.record(rows[0], 1)
    assert rows[1].epsilon_nats > 0.05
    assert privacy_filter.accepts(rows[1])


def test_an_odometer_that_does_not_fall_is_a_pair_of_likelihoods():
    example = section_4.sec4_2_decrease.check(section_4.pairs.load(RUN)).example
    first, then = (fractions(each) for each in example.numbers.values())
    losses = []
    for row in (then, [1 - each for each in then]):
        after = [p * q for p, q in zip(first, row, strict=True)]
        losses.append(max(after) / min(after))
    assert Fraction(str(example.left)) in losses
    assert Fraction(str(example.left)) >= Fraction(str(example.right)) == max(first) / min(first)


def test_a_negative_gain_leaks_more_than_the_loss():
    example = section_3.thm3_3_gain.check(section_3.bit_gains.load(RUN)).example
    prior, gains, chances = (fractions(each) for each in example.numbers.values())
    before = sum(g * w for g, w in zip(gains, prior, strict=True)) / sum(prior)
    joint = [p * w for p, w in zip(chances, prior, strict=True)]
    after = sum(g * w for g, w in zip(gains, joint, strict=True)) / sum(joint)
    assert after / before == Fraction(str(example.left)) > max(chances) / min(chances)
    assert min(gains) < 0


def test_equation_26_leaves_the_first_query_out():
    found = appendix.eq26_index.check()
    assert (found.failed, found.example.numbers) == (6, {"n": 5, "query": 1})
    groups = [range(i + 1, i + 11) for i in range(1, 12, 10)]
    assert [each for each in range(1, 12) if not any(each in group for group in groups)] == [1]
    assert groups[1].start == 12  # of eleven queries


def test_examples_by_hand():
    assert cases.compute_loss_of_example_1() == 1
    assert section_2.sec2_2_die.check().found[0] == pytest.approx((1 / 6 + 1 / 4) / 2)
    # Pr(1|x) = 0.2 (x/10)^i + 0.4: the answers 1, 0, 1 at x = 2.
    assert section_3.ex2_table_right().found[2] == pytest.approx(0.44 * 0.592 * 0.4016)
    assert section_3.ex3_trace.check().found == pytest.approx((1.5, 1.375 / 1.2, 1.5, 2.25))


def test_a_belief_in_the_true_value_by_floating_point():
    """400 answers, 240 of them true: odds of (3/2)^80 to each other value."""
    odds = 1.5 ** (240 - 160)
    least = 1e-9 * odds / (1e-9 * odds + 6)
    assert section_1.fn1_prior.check().found[0] == pytest.approx(least, rel=1e-9)
    assert section_1.fn1_prior_any.check().found == (0,)


def test_the_rounding_of_table_1_explains_a_tenth_of_what_is_printed_of_diabetes():
    def logit(p):
        return math.log(p / (1 - p))

    for person, printed, share in zip(PEOPLE, (0.094, 0.24), (0.074, 0.198), strict=True):
        *coefficients, intercept = CHECKUP["regressions"]["diabetes"]
        exact = sum(c * x for c, x in zip(coefficients, person, strict=True)) + intercept
        assert logit(share) == pytest.approx(exact, abs=0.01)
        rounding = 0.005 + 0.00005 * sum(x for c, x in zip(coefficients, person, strict=True) if c)
        assert logit(printed) - exact > 15 * rounding
    assert section_6.sec6_3_diabetes_parameters().holds


def test_the_printed_numbers_that_figures_draw_are_those_of_the_statements():
    """As many as were read in the paper; each is what its statement is held against."""
    statements = [each for each in load_sections("knowledge").statements if each.draws]
    assert sum(len(each.draws) for each in statements) == 25
