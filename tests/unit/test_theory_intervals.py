"""Unions of intervals, maps on an interval, and radii, against lattices and numerical search."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from scipy.optimize import minimize_scalar

from noiseless.theory.geometry import (
    enclosing_radius_squared,
    slab_radius_squared,
    slab_shares,
    smallest_slab_share,
)
from noiseless.theory.intervals import BoxUnion, IntervalUnion, PiecewiseMap
from noiseless.theory.stochastic import (
    guessing_gain,
    least_absolute_error,
    least_squared_error,
    maximal_leakage,
)

ends = st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted).map(tuple)
unions = st.lists(ends, min_size=1, max_size=4).map(lambda parts: IntervalUnion.of(*parts))


def unit_cells(union):
    """Which of the unit cells [k, k + 1] a union with whole ends holds."""
    return {k for low, high in union.parts for k in range(int(low), int(high))}


@given(unions, unions)
def test_set_operations_on_whole_cells(one, other):
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
    lambda boxes: BoxUnion.of(*boxes)
)


def unit_cubes(union):
    return {
        cube
        for box in union.boxes
        for cube in itertools.product(*(range(int(low), int(high)) for low, high in box))
    }


@given(box_unions, box_unions)
def test_boxes_on_unit_cubes(one, other):
    assert one.measure == len(unit_cubes(one))
    assert (one | other).measure == len(unit_cubes(one) | unit_cubes(other))
    assert (one & other).measure == len(unit_cubes(one) & unit_cubes(other))
    middle = one.given(1, Fraction(5, 2))
    assert unit_cubes(middle) == {(x, z) for x, y, z in unit_cubes(one) if y == 2}


def test_interval_with_its_ends_swapped():
    with pytest.raises(ValueError, match="not an interval"):
        IntervalUnion.of((1, 0))
    with pytest.raises(ValueError, match="not an interval"):
        BoxUnion.of([(0, 1), (1, 0)])
    with pytest.raises(ValueError, match="different numbers of coordinates"):
        BoxUnion.of([(0, 1)], [(0, 1), (0, 1)])


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
    assert steps.largest_conditional("sup") == steps.smallest_conditional == Fraction(1, 2)
    assert steps.largest_conditional("ess sup") == 0
    # The report 1 leaves two ends open; an estimate among them is off by up to 3/4.
    assert steps.errors() == (Fraction(1, 4), Fraction(3, 4))


@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_share_of_a_sum_by_convolving_densities(people):
    """The density of the sum, piece by piece in exact polynomials on unit intervals."""
    pieces = [Polynomial([1.0])]
    for _ in range(people - 1):
        cumulated = [piece.integ(lbnd=k) for k, piece in enumerate(pieces)]
        shifted = Polynomial([-1.0, 1.0])
        grown = []
        for k in range(len(pieces) + 1):
            upper = cumulated[k] if k < len(pieces) else Polynomial([0.0])
            lower = Polynomial([0.0])
            if k > 0:
                lower = pieces[k - 1].integ(lbnd=k - 1)(k) - cumulated[k - 1](shifted)
            grown.append(upper + lower)
        pieces = grown
    below = itertools.accumulate(slab_shares(people, 12), initial=Fraction(0))
    for total, found in zip(np.linspace(0, people, 13), below, strict=True):
        expected = sum(
            piece.integ(lbnd=k)(min(max(total, k), k + 1)) for k, piece in enumerate(pieces)
        )
        assert float(found) == pytest.approx(expected, abs=1e-9)


def test_smallest_slab_is_the_corner():
    for people, levels in ((1, 3), (2, 4), (3, 6), (5, 7)):
        corner = Fraction(people, levels) ** people / math.factorial(people)
        assert smallest_slab_share(people, levels) == corner
    assert smallest_slab_share(2, 4) == Fraction(1, 8)


@pytest.mark.parametrize(("people", "low", "high"), [(2, 0, "1/2"), (3, "1/2", 1), (3, "3/2", 2)])
def test_radius_against_a_search_over_all_centres_and_vertices(people, low, high):
    """Vertices by intersecting every edge of the cube; centres on the diagonal and off it."""
    low, high = float(Fraction(low)), float(Fraction(high))
    points = []
    for corner in itertools.product((0.0, 1.0), repeat=people):
        if low <= sum(corner) <= high:
            points.append(corner)
        for i in range(people):
            rest = sum(corner) - corner[i]
            for face in (low, high):
                if 0 <= face - rest <= 1:
                    points.append((*corner[:i], face - rest, *corner[i + 1 :]))
    points = np.array(points)

    def worst(centre):
        return ((points - centre) ** 2).sum(axis=1).max()

    on_diagonal = minimize_scalar(worst, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    exact = slab_radius_squared(people, Fraction(low), Fraction(high))
    assert float(exact) == pytest.approx(on_diagonal.fun, abs=1e-8)
    random = np.random.default_rng(1)
    nearby = on_diagonal.x + random.normal(0, 0.1, (2000, people))
    assert min(map(worst, nearby)) >= float(exact) - 1e-12


def test_radius_of_the_corner_by_its_formula():
    for people, levels in ((2, 5), (3, 20), (5, 20)):
        edge = Fraction(people, levels)
        expected = edge**2 * (1 - Fraction(1, people))
        assert slab_radius_squared(people, 0, edge) == expected


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=6))
def test_enclosing_disk_against_a_search_over_centres(points):
    """The worst distance is convex in the centre: walk downhill in ever smaller steps."""
    exact = max(
        enclosing_radius_squared(three)
        for three in itertools.combinations_with_replacement(points, 3)
    )
    corners = np.array(points, dtype=float)

    def worst(centre):
        return ((corners - centre) ** 2).sum(axis=1).max()

    # Step towards the farthest point, a k-th of the way (Badoiu and Clarkson).
    centre = corners.mean(axis=0)
    for k in range(1, 400):
        farthest = corners[((corners - centre) ** 2).sum(axis=1).argmax()]
        centre = centre + (farthest - centre) / (k + 1)
    assert float(exact) - 1e-9 <= worst(centre) <= float(exact) * 1.02 + 0.05


def lattice_error(weights, reports, power):
    """The best estimate of each report, on a fine lattice of data and estimates."""
    points = 600
    x = (np.arange(points) + 0.5) / points
    cell = (x * len(weights)).astype(int)
    prior = np.array(weights)[cell] / np.array(weights)[cell].sum()
    reported = np.array(reports)[cell]
    estimates = np.linspace(0, 1, 201)
    return sum(
        (np.abs(x - estimates[:, None]) ** power * prior * (reported == each)).sum(axis=1).min()
        for each in set(reports)
    )


@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 3, 2), (3, 1, 3)])
@pytest.mark.parametrize("reports", [(0, 0, 0), (0, 1, 0), (0, 1, 2)])
def test_estimation_errors_on_a_lattice(weights, reports):
    squared = float(least_squared_error(weights, reports))
    absolute = float(least_absolute_error(weights, reports))
    assert squared == pytest.approx(lattice_error(weights, reports, 2), abs=2e-5)
    assert absolute == pytest.approx(lattice_error(weights, reports, 1), abs=1e-4)


def test_leakage_by_hand():
    assert guessing_gain([1, 1, 1], [0, 0, 1]) == 2
    assert guessing_gain([3, 1, 1], [0, 0, 1]) == Fraction(4, 3)
    half = Fraction(1, 2)
    assert maximal_leakage([[half, half], [half, half]]) == 1
    assert maximal_leakage([[1, 0], [half, half]]) == Fraction(3, 2)
    assert math.log2(maximal_leakage([[1, 0], [0, 1]])) == 1
