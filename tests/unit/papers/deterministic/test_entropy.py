"""Entropies of deterministic: extrema of step functions, coverings by brute force."""

import itertools
import math
from fractions import Fraction

import pytest

from noiseless.papers.deterministic import entropy
from noiseless.theory.intervals import IntervalUnion


def test_essential_extrema_follow_their_definition():
    """inf{b : mu(f > b) = 0}, for b among many numbers."""
    levels = [(1.0, Fraction(1, 2)), (3.0, Fraction(0)), (2.0, Fraction(1, 4))]
    numbers = [k / 8 for k in range(-80, 80)]
    null = [b for b in numbers if sum(measure for value, measure in levels if value > b) == 0]
    assert entropy.compute_supremum(levels, "essential") == min(null) == 2
    assert entropy.compute_supremum(levels, "plain") == 3
    assert (
        entropy.compute_infimum(levels, "essential")
        == entropy.compute_infimum(levels, "plain")
        == 1
    )
    only_null = [(3.0, Fraction(0))]
    assert entropy.compute_supremum(only_null, "essential") == -math.inf
    assert entropy.compute_infimum(only_null, "essential") == math.inf


def test_the_example_agrees_with_a_lattice_of_data():
    """Example II.1 on 1000 data; suprema over the reports that occur."""
    data = [(k + 0.5) / 1000 for k in range(1000)]
    report = {x: x if x < 0.5 else 1.0 for x in data}
    left_open = {y: [x for x in data if report[x] == y] for y in set(report.values())}
    shares = [len(held) / 1000 for held in left_open.values()]
    errors = [max(abs(x - sum(held) / len(held)) for x in held) for held in left_open.values()]
    plain = entropy.compute_extrema("plain")
    assert plain["h0_nats"] == pytest.approx(math.log(max(shares)))
    assert plain["d_max"] == pytest.approx(max(errors), abs=0.001)
    assert plain["d_min"] == 1 / 8
    assert plain["d_min_example"] == min(errors) == 0
    assert plain["error_of_reports"] == 1
    # Half of the data have a report of their own, and half have the report 1: none is negligible.
    assert entropy.compute_extrema("data") == plain
    printed = entropy.compute_extrema("essential")
    assert [printed[name] for name in ("h0_nats", "d_max", "d_min_example")] == [-math.inf] * 3
    assert (printed["d_min"], printed["error_of_reports"]) == (math.inf, 0)


def test_coverings_are_the_least_of_every_choice_of_sets():
    """Sets that begin at a lattice point: no fewer cover the ends of all parts and all between."""
    for is_held in itertools.product((False, True), repeat=5):
        cells = [(k, k + 1) for k, is_in in enumerate(is_held) if is_in]
        if not cells:
            continue
        for diameter in (1, 2, 3):
            held = IntervalUnion.from_intervals(*cells)
            # Points of a lattice of 1/4 inside, and sets that begin at whole numbers or before.
            points = {Fraction(4 * a + j, 4) for a, _ in cells for j in range(5)}
            starts = range(-1, 6)
            fewest = next(
                count
                for count in range(1, 6)
                if any(
                    all(any(s <= x <= s + diameter for s in sets) for x in points)
                    for sets in itertools.combinations(starts, count)
                )
            )
            assert entropy.count_covering_sets(held, Fraction(diameter)) == fewest


def test_ten_short_intervals_need_ten_sets():
    """Ten intervals of length 0.01 at distances of 1, and a point."""
    intervals = IntervalUnion.from_intervals(*((k, k + Fraction(1, 100)) for k in range(10)))
    assert entropy.count_covering_sets(intervals, Fraction(1, 5)) == 10
    assert entropy.count_covering_sets(IntervalUnion.from_intervals((3, 3)), Fraction(1)) == 1


def test_joint_entropy_is_minus_infinity_and_not_zero():
    assert {entropy.compute_joint_entropies(levels) for levels in (1, 2, 5)} == {(-math.inf,) * 2}
