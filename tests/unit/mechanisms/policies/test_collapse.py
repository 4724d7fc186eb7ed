"""The policy as printed, a record at a time."""

import math

import numpy as np
from hypothesis import example, given

from bodies import BMI, BOX, RECORDS, RHOS, assert_released
from noiseless.mechanisms.policies.collapse import CollapseBlurring


def plain(x: float, g: float, step: float) -> float:
    """Equation 11, a record at a time."""
    return g if abs(x - g) <= step else x


@given(RECORDS, RHOS)
@example([(math.nextafter(200, 0), 149.0)], 2**-7)  # below the end, as its distance is not
def test_release_equals_a_plain_loop(records, rho):
    assert_released(CollapseBlurring, plain, records, rho)


def test_ties_belong_to_the_definitions_side():
    """At 200 cm the threshold is 120 kg exactly; the band holds its two edges."""
    records = np.array([[120.0, 200], [110, 200], [130, 200], [109.999, 200], [130.001, 200]])
    blurring = CollapseBlurring(BMI, BOX, 0.1)
    np.testing.assert_array_equal(blurring.is_p0(records), [True, False, True, False, True])
    np.testing.assert_array_equal(blurring.is_in_band(records), [True, True, True, False, False])
    assert blurring.stretched == 0
    np.testing.assert_array_equal(
        blurring.release(records)[:, 0], [120, 120, 120, 109.999, 130.001]
    )
