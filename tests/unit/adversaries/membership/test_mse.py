"""The mean square error, from sums of whole numbers."""

import numpy as np

from noiseless.adversaries.membership.mse import MeanSquareError
from noiseless.games.membership import PublishedSeries, observe_readings
from noiseless.seeds import make_generator


def test_preference_is_the_difference_of_square_errors():
    rng = make_generator(1, "mse")
    x = rng.integers(0, 5000, (20, 2, 12))
    series = PublishedSeries(rng.integers(0, 20, (20, 12)), 250.0, 125.0)
    y = 125 + 250 * series.k
    errors = ((y[:, None] - x) ** 2).sum(axis=2)
    found = MeanSquareError().prefer(observe_readings(series, x))
    np.testing.assert_allclose(found, errors[:, 1] - errors[:, 0], rtol=1e-9)


def test_equal_distances_are_a_tie():
    """One above and one below the output, where floats do not cancel."""
    k = np.array([[3, 1, 4, 1]])
    x = np.stack([3 * k - 7, 3 * k + 7], axis=1)
    third = PublishedSeries(k, 3.0 + 1e-13, 0.0)
    assert MeanSquareError().prefer(observe_readings(third, x)) == 0
