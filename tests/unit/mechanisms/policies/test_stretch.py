"""Each side of the band becomes the complete band, a record at a time."""

import math

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from bodies import BMI, BOX, RECORDS, RHOS, assert_released
from noiseless.mechanisms.blurring import (
    PolynomialThreshold,
    PublicRange,
)
from noiseless.mechanisms.policies.stretch import StretchBlurring


def plain(x: float, g: float, step: float) -> float:
    if abs(x - g) > step or not 0 < g < 200:
        return x
    low, high = max(0, g - step), min(200, g + step)
    if x == high:  # p1 does not reach the upper end
        return max(low, x - step)
    share = (x - g) / (high - g) if x >= g else (x - low) / (g - low)
    return low + share * (high - low)


@given(RECORDS, RHOS)
@example([(math.nextafter(200, 0), 149.0)], 2**-7)  # below the end, as its distance is not
def test_release_equals_a_plain_loop(records, rho):
    assert_released(StretchBlurring, plain, records, rho)


@given(st.floats(1, 249), RHOS, st.floats(0.02, 0.98))
def test_stretch_leaves_every_report_of_the_band_undecided(height, rho, share):
    """Each report inside the band has a record of either hypothesis: found by inverting."""
    threshold = 3 * height**2 / 1000
    low, high = max(0, threshold - 1 / rho), min(200, threshold + 1 / rho)
    report = low + share * (high - low)
    records = np.array(
        [
            (threshold + share * (high - threshold), height),
            (low + share * (threshold - low), height),
        ]
    )
    blurring = StretchBlurring(BMI, BOX, rho)
    np.testing.assert_array_equal(blurring.is_p0(records), [True, False])
    np.testing.assert_allclose(blurring.release(records)[:, 0], report, rtol=1e-9, atol=1e-9)


def test_threshold_outside_the_range_moves_nobody_under_stretch():
    threshold = PolynomialThreshold((-1,))
    blurring = StretchBlurring(threshold, PublicRange((0, 0), (10, 1)), 0.2)
    records = np.array([[0.0, 0.5], [3.9, 0.5]])
    np.testing.assert_array_equal(blurring.release(records), records)
    assert blurring.is_decided(records).all()


def test_a_record_on_the_threshold_is_never_proven_by_its_report():
    """Stretched to the end of the band, whatever way 1/rho rounds; found with round thresholds."""
    rng = np.random.default_rng(5)
    threshold, box = PolynomialThreshold((100,)), PublicRange((40, 0), (160, 1))
    for rho in rng.uniform(0.01, 20, 500):
        blurring = StretchBlurring(threshold, box, rho)
        ends = [100, 100 - 1 / rho, 100 + 1 / rho]
        records = np.array([[end, 0.5] for end in ends if 40 <= end <= 160])
        assert not blurring.is_decided(blurring.release(records)).any()
