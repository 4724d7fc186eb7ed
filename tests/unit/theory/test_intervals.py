"""Unions of intervals and boxes, and maps on an interval, against lattices."""

import dataclasses
import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.theory.intervals import BoxUnion, IntervalUnion, PiecewiseMap

ends = st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted).map(tuple)
unions = st.lists(ends, min_size=1, max_size=4).map(
    lambda parts: IntervalUnion.from_intervals(*parts)
)


def unit_cells(union):
    """Which of the unit cells [k, k + 1] a union with whole ends holds."""
    return {k for low, high in union.parts for k in range(int(low), int(high))}


def test_unions_of_boxes_are_values_that_cannot_be_changed():
    union = BoxUnion.from_boxes(((0, 1), (2, 3)))
    assert (
        len({union, BoxUnion.from_boxes(((0, 1), (2, 3))), BoxUnion.from_boxes(((0, 1), (2, 4)))})
        == 2
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        union.boxes = ()


@given(unions, unions)
def test_set_operations_agree_with_whole_cells(one, other):
    a, b = unit_cells(one), unit_cells(other)
    for result, expected in (
        (one | other, a | b),
        (one & other, a & b),
        (one - other, a - b),
        (one ^ other, a ^ b),
    ):
        assert unit_cells(result) == expected
        assert result.measure == len(expected)
        assert all(x[1] < y[0] for x, y in itertools.pairwise(result.parts))
    assert unit_cells(one + other) == {
        k for x in one.parts for y in other.parts for k in range(int(x[0] + y[0]), int(x[1] + y[1]))
    }


@given(unions)
def test_unbiased_radius_against_every_estimate_in_the_set(union):
    """Twelfths are fine enough: the best estimate is a middle of two ends, or an end."""
    low, high = union.parts[0][0], union.parts[-1][1]
    estimates = [
        point
        for point in (Fraction(k, 12) for k in range(12 * 12 + 1))
        if any(a <= point <= b for a, b in union.parts)
    ]
    assert union.unbiased_radius == min(max(p - low, high - p) for p in estimates)


small = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(sorted).map(tuple)
box_unions = st.lists(st.tuples(small, small, small), max_size=3).map(
    lambda boxes: BoxUnion.from_boxes(*boxes)
)


def unit_cubes(union):
    return {
        cube
        for box in union.boxes
        for cube in itertools.product(*(range(int(low), int(high)) for low, high in box))
    }


@given(box_unions, box_unions)
def test_the_measure_of_boxes_is_a_count_of_unit_cubes(one, other):
    assert one.measure == len(unit_cubes(one))
    both = BoxUnion.from_boxes(*one.boxes, *other.boxes)
    assert both.measure == len(unit_cubes(one) | unit_cubes(other))


def test_interval_with_its_ends_swapped():
    with pytest.raises(ValueError, match="not an interval"):
        IntervalUnion.from_intervals((1, 0))
    with pytest.raises(ValueError, match="not an interval"):
        BoxUnion.from_boxes([(0, 1), (1, 0)])
    with pytest.raises(ValueError, match="different numbers of coordinates"):
        BoxUnion.from_boxes([(0, 1)], [(0, 1), (0, 1)])


def test_piecewise_map_that_is_constant():
    steps = PiecewiseMap(
        (
            (Fraction(0), Fraction(1, 4), Fraction(1)),
            (Fraction(1, 4), Fraction(3, 4), Fraction(2)),
            (Fraction(3, 4), Fraction(1), Fraction(1)),
        )
    )
    assert steps.domain.measure == 1
    assert steps.maximin_count == 2
    assert steps.compute_max_conditional("sup") == steps.smallest_conditional == Fraction(1, 2)
    assert steps.compute_max_conditional("ess sup") == 0
    # The report 1 leaves two ends open; an estimate among them is off by up to 3/4.
    assert steps.compute_error_bounds() == (Fraction(1, 4), Fraction(3, 4))
