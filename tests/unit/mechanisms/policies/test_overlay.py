"""Both sides laid over each other, a record at a time."""

import math

import numpy as np
import pytest
from hypothesis import example, given

from bodies import RECORDS, RHOS, assert_released
from noiseless.mechanisms.blurring import (
    PolynomialThreshold,
    PublicRange,
)
from noiseless.mechanisms.policies.overlay import OverlayBlurring


def plain(x: float, g: float, step: float) -> float:
    """Both sides of the band of 2/rho, moved or squeezed onto that of 1/rho."""
    if not 0 < g <= 200:
        return x
    low, high = max(0, g - step), min(200, g + step)
    bottom, top = max(0, g - 2 * step), min(200, g + 2 * step)
    if g <= x < top:
        return low + (x - g) / (top - g) * (high - low)
    if bottom <= x < g:
        return low + (x - bottom) / (g - bottom) * (high - low)
    # The upper end of the range, if it is nearer than 2/rho.
    return max(low, x - step) if x == top and top - step < high else x


@given(RECORDS, RHOS)
@example([(math.nextafter(200, 0), 149.0)], 2**-7)  # below the end, as its distance is not
def test_release_equals_a_plain_loop(records, rho):
    assert_released(OverlayBlurring, plain, records, rho)


def test_where_the_range_is_short_the_point_is_in_it():
    blurring = OverlayBlurring(PolynomialThreshold((3,), 10), PublicRange((0.1, 0), (0.3, 1)), 0.1)
    records = np.array([[x, 0.5] for x in (0.1, 0.17, 0.2, 0.3)])
    reports = blurring.release(records)
    assert (reports[:, 0] == reports[0, 0]).all()
    assert reports[0, 0] == pytest.approx(0.1)
    assert reports[0, 0] >= 0.1
    assert not blurring.is_decided(reports).any()
