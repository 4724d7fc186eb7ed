"""Estimation errors and maximal leakage, against a lattice and by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.theory.stochastic import (
    compute_middle_error,
    guessing_gain,
    least_absolute_error,
    least_squared_error,
    maximal_leakage,
)


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
def test_estimation_errors_agree_with_a_lattice(weights, reports):
    squared = float(least_squared_error(weights, reports))
    absolute = float(least_absolute_error(weights, reports))
    assert squared == pytest.approx(lattice_error(weights, reports, 2), abs=2e-5)
    assert absolute == pytest.approx(lattice_error(weights, reports, 1), abs=1e-4)


def test_gain_and_leakage_of_small_channels_are_those_computed_by_hand():
    assert guessing_gain([1, 1, 1], [0, 0, 1]) == 2
    assert guessing_gain([3, 1, 1], [0, 0, 1]) == Fraction(4, 3)
    half = Fraction(1, 2)
    assert maximal_leakage([[half, half], [half, half]]) == 1
    assert maximal_leakage([[1, 0], [half, half]]) == Fraction(3, 2)
    assert math.log2(maximal_leakage([[1, 0], [0, 1]])) == 1


def test_the_error_of_a_middle_is_that_of_the_best_estimate_of_uniform_data():
    for lengths in ((1,), (2, 2), (1, 3), (1, 1, 2)):
        reports = [k for k, length in enumerate(lengths) for _ in range(length)]
        weights = [1] * len(reports)
        assert compute_middle_error(lengths, 1) == least_absolute_error(weights, reports)
        assert compute_middle_error(lengths, 2) == least_squared_error(weights, reports)
