"""Pearson's correlation, from sums of whole numbers."""

import numpy as np

from noiseless.adversaries.membership.correlation import Correlation
from noiseless.games.membership import PublishedSeries, observe_readings
from noiseless.seeds import make_generator


def test_preference_is_the_difference_of_pearsons_coefficients():
    rng = make_generator(1, "correlation")
    k, x = rng.integers(-9, 9, (20, 12)), rng.integers(0, 5000, (20, 2, 12))
    found = Correlation().prefer(observe_readings(PublishedSeries(k, 250.0, 125.0), x))
    expected = [
        np.corrcoef(mine, zero)[0, 1] - np.corrcoef(mine, one)[0, 1]
        for mine, (zero, one) in zip(k, x, strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_a_constant_correlates_with_nothing():
    """Whichever of the three series it is; and a rounding error is no preference."""
    rising, falling, constant = np.arange(6), np.arange(6)[::-1], np.full(6, 7)
    for k, *pair in ((constant, rising, falling), (rising, constant, falling)):
        for x in (pair, pair[::-1]):
            view = observe_readings(PublishedSeries(k[None], 1.0, 0.0), np.array([x]))
            assert Correlation().prefer(view) == 0


def test_rounding_errors_are_no_preference():
    """Of candidates whose readings are the same but for the unit and the level."""
    rng = make_generator(1, "ties")
    k, x = rng.integers(-9, 9, (50, 12)), rng.integers(0, 5000, (50, 12))
    pairs = np.stack([x, 7 * x + 13], axis=1)
    found = Correlation().prefer(observe_readings(PublishedSeries(k, 1.0, 0.0), pairs))
    assert (found == 0).all()
