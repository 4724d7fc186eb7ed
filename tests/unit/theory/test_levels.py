"""How many levels are private, against placing intervals and running the quantizer."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noiseless.errors import ConfigError
from noiseless.mechanisms.families.quantizer import (
    Quantizer,
    compute_printed_levels,
    count_touched_bins,
)
from noiseless.mechanisms.interface import Domain
from noiseless.papers.noiseless.guarantees import enumerate_touched_bins
from noiseless.theory.levels import (
    compute_exact_levels,
    compute_indistinguishable_levels,
    count_differing_reports,
)

shares = st.fractions("1/12", 1, max_denominator=12)


@given(st.integers(1, 40), shares)
def test_touched_bins_against_placing_the_interval_everywhere(levels, share):
    formula = count_touched_bins(levels, output_range=1, sensitivity=share)
    assert formula == enumerate_touched_bins(levels, share)


def test_counterexample_to_theorem_8_with_the_quantizer_itself():
    """Two homes, one bit: the printed rule gives four levels, and one home reaches three."""
    printed = compute_printed_levels(1, output_range=(0, 1), sensitivity=Fraction(1, 2))
    assert printed == 4
    data, other = np.array([0, 0.5, 1]), 0
    assert (
        len(set(Quantizer(Domain((0,), (1,)), printed).find_bins((data + other) / 2))) == 3 > 2**1
    )
    assert compute_exact_levels(1, output_range=(0, 1), sensitivity=Fraction(1, 2)) == 2


@pytest.mark.parametrize("people", [2, 3, 5])
@pytest.mark.parametrize("epsilon_bits", [1, 2, 3])
def test_exact_levels_run_on_averages_of_lattice_data(people, epsilon_bits):
    """The quantizer on averages of data on a lattice: allowed at the exact number, and no more."""
    public = {"output_range": (0.0, 1.0), "sensitivity": 1 / people}
    exact = compute_exact_levels(epsilon_bits, **public)

    def most_values(levels):
        # Steps that hit every edge and the middle between edges.
        steps = 2 * levels
        data = np.arange(steps + 1)
        others = np.arange((people - 1) * steps + 1)
        averages = (data[:, None] + others[None, :]) / (people * steps)
        index = Quantizer(Domain((0,), (1,)), levels).find_bins(averages)
        return max(len(set(column)) for column in index.T)

    assert most_values(exact) <= 2**epsilon_bits
    assert most_values(exact + 1) > 2**epsilon_bits


@given(st.floats(0.5, 7), shares)
def test_exact_levels_are_allowed_and_the_next_is_not(epsilon_bits, share):
    exact = compute_exact_levels(epsilon_bits, output_range=(0, 1), sensitivity=share)
    # A float just below log2 of a whole number means that number.
    allowed = math.floor(2**epsilon_bits * (1 + 1e-12))
    assert count_touched_bins(exact, output_range=1, sensitivity=share) <= allowed
    assert count_touched_bins(exact + 1, output_range=1, sensitivity=share) > allowed


def test_exact_levels_of_floats_are_those_of_the_numbers_meant():
    for n in range(1, 60):
        as_float = compute_exact_levels(2, output_range=(0.0, 4.7), sensitivity=4.7 / n)
        assert as_float == compute_exact_levels(2, output_range=(0, 1), sensitivity=Fraction(1, n))
        assert as_float == max(4, 3 * n)


@pytest.mark.parametrize(
    ("epsilon_bits", "output_range", "sensitivity", "says"),
    [
        (0, (0, 1), 1, "epsilon is 0"),
        (1, (0, 1), 0, "sensitivity is 0"),
        (1, (0, 1), -1, "sensitivity is -1"),
        (1, (0, 1), 2, "shorter than the sensitivity 2"),
        (1, (1, 1), 1, "shorter than the sensitivity"),
    ],
)
def test_exact_levels_refuse_bad_input(epsilon_bits, output_range, sensitivity, says):
    with pytest.raises(ConfigError, match=says):
        compute_exact_levels(epsilon_bits, output_range=output_range, sensitivity=sensitivity)


@given(st.integers(1, 25), shares)
def test_reports_that_differ_against_a_lattice_of_starts(levels, share):
    """Starts on 120ths of a bin hit every turn of shares up to twelfths, and points between."""
    width = levels * share
    starts = [Fraction(k, 24) for k in range(math.floor(24 * width) + 1)]
    # The last bin is closed.
    ranges = {
        frozenset(
            min(levels - 1, report)
            for report in range(math.floor(u), math.floor(u + levels - width) + 1)
        )
        for u in starts
    }
    assert count_differing_reports(levels, share) == max(
        len(a ^ b) for a, b in itertools.product(ranges, ranges)
    )


@given(people=st.integers(2, 12), epsilon_bits=st.integers(1, 4))
@settings(max_examples=30)
def test_indistinguishable_levels_are_exact(people, epsilon_bits):
    exact = compute_indistinguishable_levels(epsilon_bits, people)
    share = Fraction(1, people)
    for levels in range(1, exact + 1):
        assert count_differing_reports(levels, share) <= 2**epsilon_bits
    assert count_differing_reports(exact + 1, share) > 2**epsilon_bits


def test_what_theorem_8_costs_is_one_output_or_two():
    """Placing one person's interval everywhere, over the levels that the printed rule grants."""
    excess = {True: set(), False: set()}
    for epsilon, people in itertools.product([Fraction(k, 4) for k in range(4, 13)], range(2, 8)):
        share = Fraction(1, people)
        levels = compute_printed_levels(epsilon, output_range=(0, 1), sensitivity=share)
        lefts = {Fraction(k, levels) for k in range(levels)}
        lefts |= {left - share for left in lefts} | {
            left - share + Fraction(1, 10**6) for left in lefts
        }
        most = max(
            min(math.floor((left + share) * levels), levels - 1) - math.floor(left * levels) + 1
            for left in lefts
            if 0 <= left <= 1 - share
        )
        excess[epsilon.denominator == 1].add(most - math.floor(2 ** float(epsilon)))
    assert excess[True] == {1}
    assert max(excess[False]) == 2
    assert min(excess[False]) >= 0
