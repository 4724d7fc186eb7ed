"""Tests with and without probabilities, by second routes: plain fractions, samples, by hand."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.nsht import cases, section_3, section_4
from noiseless.statements.registry import Run, Sizes, load_sections
from noiseless.statements.running import run_statement

SMOKE = Run(Sizes.SMOKE, seed=2)


def test_densities_that_do_not_overlap_leave_no_error():
    """Densities 3 and 3/2 on disjoint supports: nu = 1, no error, epsilon = 3/2."""
    pair = section_4.Densities((1, 0, 0), (0, 1, 1))
    assert (pair.floor, pair.apart, pair.variation) == (Fraction(3, 2), 1, 1)
    assert set(pair.success.values()) == {1}


def test_densities_agree_with_plain_fractions():
    """Every quantity again, from densities and their integrals."""
    for pair in section_4._draw_densities(5, 10, seed=2):
        f0, f1 = ([Fraction(5 * w, sum(p)) for w in p] for p in (pair.p0, pair.p1))
        assert pair.floor == min(density for density in (*f0, *f1) if density)
        assert pair.variation == sum(abs(a - b) for a, b in zip(f0, f1, strict=True)) / 10
        rights = [
            (
                sum(a for a, yes in zip(f0, test, strict=True) if yes) / 5,
                sum(b for b, yes in zip(f1, test, strict=True) if not yes) / 5,
            )
            for test in itertools.product((True, False), repeat=5)
        ]
        for prior, success in pair.success.items():
            assert success == max(prior * a + (1 - prior) * b for a, b in rights)
        assert pair.least_errors == 2 - max(a + b for a, b in rights)


def test_lengths_agree_with_sampled_reports():
    """p0 goes to [0, 3], p1 to [1, 4.5]: reports below 1 prove p0, those above 3 prove p1."""
    samples = [4.5 * (k + 0.5) / 9000 for k in range(9000)]
    decided = sum((y <= 3) != (y >= 1) for y in samples) * 4.5 / 9000
    found = {(each.p0.parts, each.p1.parts): each for each in cases.interval_policies.load(SMOKE)}
    policy = found[((0, 3),), ((1, Fraction(9, 2)),)]
    assert policy.proving == policy.most_correct == pytest.approx(decided) == Fraction(5, 2)


def test_rates_are_those_of_sums_of_larger_weights():
    """Of two densities the best test is right with a probability of half the sum of the larger."""
    weights = [each for each in itertools.product((0, 1, 2), repeat=4) if any(each)]
    densities = [np.array(each) / sum(each) for each in weights]
    least = dict.fromkeys(np.arange(5) / 4, math.inf)
    for p0, p1 in itertools.product(densities, repeat=2):
        apart = ((p0 > 0) != (p1 > 0)).mean()
        least[apart] = min(least[apart], np.maximum(p0, p1).sum() / 2)
    rates = section_4.best_rates.load(SMOKE)
    assert {float(size): float(each["right"]) for size, each in rates.items()} == pytest.approx(
        least
    )
    assert {each["true positive"] for each in rates.values()} == {1}
    # Theorem 3, with a density of 1/2 or more where it is not zero.
    assert all(each["right"] >= size / 4 for size, each in rates.items())


def test_one_point_of_example_2_is_not_a_report_of_p1():
    p0, p1 = section_3._list_reports(4)
    assert len(p0 | p1) == 170 * 4 + 1
    assert 140 in p0 - p1
    assert section_3.ex2_interval.check().failed == 4


def test_random_cases_alone_could_fail_and_follow_the_seed():
    sizes = {"policies": {"largest": 1}, "leaks": {"largest": 1}, "densities": {"cells": ()}}
    runs = [Run(Sizes.SMOKE, seed, overrides=sizes) for seed in (5, 5, 6)]
    names = set(sizes)
    for statement in load_sections("nsht").statements:
        if statement.over and {getattr(each, "name", "") for each in statement.over} <= names:
            one, again, other = (run_statement(statement, run).printed for run in runs)
            assert one == again
            assert one != other
            assert not (one.holds and one.is_vacuous), statement.id
