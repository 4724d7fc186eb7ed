"""Distances to step functions: by plain sums, and against scikit-learn."""

import math

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from noiseless.papers.deterministic.steps import (
    Fraction,
    _fit_nondecreasing,
    compute_squared_distance,
)


@pytest.mark.parametrize("steps", [1, 2, 3, 10])
@pytest.mark.parametrize("ordered", [True, False])
def test_distance_to_steps_is_that_of_a_fine_sum(steps, ordered):
    """By the midpoint rule, with scikit-learn's nearest nondecreasing values."""
    y = (np.arange(60_000) + 0.5) / 60_000
    cell = np.minimum((y * steps).astype(int), steps - 1)
    values = np.bincount(cell, weights=1 - y) / np.bincount(cell)
    if ordered:
        values = IsotonicRegression().fit_transform(np.arange(steps), values)
    squared = np.mean((1 - y - values[cell]) ** 2)
    exact = compute_squared_distance(steps, ordered=ordered)
    assert float(exact) == pytest.approx(squared, abs=1e-8)
    if ordered:
        assert math.sqrt(exact) == pytest.approx(1 / math.sqrt(12), rel=1e-12)


def test_pooled_values_of_any_order_are_scikit_learns():
    random = np.random.default_rng(5)
    for _ in range(50):
        means = random.integers(0, 9, 7)
        pooled = _fit_nondecreasing([Fraction(int(each)) for each in means])
        np.testing.assert_allclose(
            [float(each) for each in pooled], IsotonicRegression().fit_transform(range(7), means)
        )
