"""Shares of slabs, and radii, against convolutions and numerical search."""

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
    compute_enclosing_radius_squared,
    compute_min_slab_share,
    compute_slab_radius_squared,
    compute_slab_shares,
)


@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_the_share_of_a_sum_agrees_with_convolved_densities(people):
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
    below = itertools.accumulate(compute_slab_shares(people, 12), initial=Fraction(0))
    for total, found in zip(np.linspace(0, people, 13), below, strict=True):
        expected = sum(
            piece.integ(lbnd=k)(min(max(total, k), k + 1)) for k, piece in enumerate(pieces)
        )
        assert float(found) == pytest.approx(expected, abs=1e-9)


def test_smallest_slab_is_the_corner():
    for people, levels in ((1, 3), (2, 4), (3, 6), (5, 7)):
        corner = Fraction(people, levels) ** people / math.factorial(people)
        assert compute_min_slab_share(people, levels) == corner
    assert compute_min_slab_share(2, 4) == Fraction(1, 8)


@pytest.mark.parametrize(("people", "low", "high"), [(2, 0, "1/2"), (3, "1/2", 1), (3, "3/2", 2)])
def test_the_radius_agrees_with_a_search_over_all_centres_and_vertices(people, low, high):
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
    exact = compute_slab_radius_squared(people, Fraction(low), Fraction(high))
    assert float(exact) == pytest.approx(on_diagonal.fun, abs=1e-8)
    random = np.random.default_rng(1)
    nearby = on_diagonal.x + random.normal(0, 0.1, (2000, people))
    assert min(map(worst, nearby)) >= float(exact) - 1e-12


@pytest.mark.parametrize("people", [1, 2, 3])
def test_no_centre_on_the_diagonal_is_better_whatever_the_slab(people):
    """In fractions, over all slabs between quarters and centres at sixtieths.

    From one centre to the next no squared distance changes by more than people / 30.
    """
    quarters = [Fraction(k, 4) for k in range(4 * people + 1)]
    corners = list(itertools.product((0, 1), repeat=people - 1))
    for low, high in itertools.combinations_with_replacement(quarters, 2):
        sums = {
            (sum(corner) + last, sum(corner) + last**2)
            for corner in corners
            for last in (0, 1, low - sum(corner), high - sum(corner))
            if 0 <= last <= 1 and low <= sum(corner) + last <= high
        }
        found = min(
            max(t - 2 * c * s + people * c * c for s, t in sums)
            for c in (Fraction(k, 60) for k in range(61))
        )
        exact = compute_slab_radius_squared(people, low, high)
        assert exact <= found
        assert exact == pytest.approx(found, abs=people / 60)


def test_the_radius_of_the_corner_agrees_with_its_formula():
    for people, levels in ((2, 5), (3, 20), (5, 20)):
        edge = Fraction(people, levels)
        expected = edge**2 * (1 - Fraction(1, people))
        assert compute_slab_radius_squared(people, 0, edge) == expected


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=6))
def test_the_enclosing_disk_agrees_with_a_search_over_centres(points):
    """The worst distance is convex in the centre: walk downhill in ever smaller steps."""
    exact = max(
        compute_enclosing_radius_squared(three)
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
