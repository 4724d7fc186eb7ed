"""Calibration: roots and gaps that are known."""

import math

import pytest

from noiseless.errors import ConfigError
from noiseless.mechanisms.calibration import ErrorCurve, calibrate


def parameters(mechanism, targets, tolerance=0.1):
    return [each.parameter for each in calibrate(mechanism, targets, tolerance=tolerance)]


def test_an_error_below_the_floor_is_not_attainable():
    """hypot(3, x) is 5 at 4; 3 is its floor, which no positive scale makes."""
    mechanism = ErrorCurve("noise", "scale", "scale_m", lambda scale: math.hypot(3, scale), 3.0)
    found = calibrate(mechanism, [2, 3, 5, 3e9], tolerance=0.1)
    assert [each.is_attainable for each in found] == [False, False, True, True]
    assert found[2].parameter == pytest.approx(4, rel=1e-9)
    assert found[2].expected_error == pytest.approx(5, rel=1e-9)
    assert found[3].parameter == pytest.approx(3e9, rel=1e-9)
    assert {(each.smallest_error, each.largest_error) for each in found} == {(3.0, math.inf)}
    assert math.isnan(found[0].expected_error)


def test_epsilon_whose_error_never_falls_below_that_of_infinity():
    mechanism = ErrorCurve(
        "bit", "epsilon", "epsilon_nats", lambda epsilon_nats: 2 + 1 / epsilon_nats, 2.0
    )
    assert parameters(mechanism, [1.9, 2, 2.001, 4, 1002]) == pytest.approx(
        [math.nan, math.nan, 1000, 0.5, 0.001], rel=1e-6, nan_ok=True
    )


def test_levels_take_the_nearest_error_and_leave_gaps():
    """Errors fall on the whole only: five levels are better here than six to nine."""
    errors = {1: 40.0, 2: 15.0, 3: 8.0, 4: 4.0, 5: 0.9, 6: 2.0, 7: 1.9, 8: 1.7, 9: 1.5}
    mechanism = ErrorCurve("quantizer", "levels", "levels", lambda q: errors.get(q, 10 / q), 0.0)
    targets = [100, 40, 20, 15.5, 2.04, 0.9, 0.1]
    found = calibrate(mechanism, targets, tolerance=0.1)
    assert [each.parameter for each in found] == pytest.approx(
        [math.nan, 1, math.nan, 2, 6, 5, 100], nan_ok=True
    )
    assert {(each.smallest_error, each.largest_error) for each in found} == {(0.0, 40.0)}
    assert parameters(mechanism, targets, 0.01)[3:5] == pytest.approx([math.nan] * 2, nan_ok=True)


def test_many_levels_meet_their_target_closely():
    mechanism = ErrorCurve("quantizer", "levels", "levels", lambda q: 1000 / q, 0.0)
    for calibration in calibrate(mechanism, [0.0123, 0.5, 3], tolerance=0.01):
        assert calibration.expected_error == pytest.approx(calibration.target, rel=0.006)
        assert calibration.parameter == int(calibration.parameter)


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_targets_and_tolerance_must_be_positive(value):
    mechanism = ErrorCurve("noise", "scale", "scale_m", lambda scale: scale, 0.0)
    with pytest.raises(ConfigError, match="target error is"):
        calibrate(mechanism, [1, value], tolerance=0.1)
    with pytest.raises(ConfigError, match="tolerance is"):
        calibrate(mechanism, [1], tolerance=value)


def test_an_error_that_does_not_rise_to_the_target_is_a_gap():
    curve = ErrorCurve("noise", "scale", "scale_m", lambda scale: scale / (1 + scale), 0.0)
    assert parameters(curve, [0.5, 2]) == pytest.approx([1, math.nan], nan_ok=True)


def test_an_error_that_stops_rising_leaves_a_gap_above():
    """A reader of noise alone takes the usual value, and errs by no more than 3."""
    for kind in ("scale", "epsilon"):
        rises = kind == "scale"

        def error(x, rises=rises):
            return 3 * x / math.hypot(1, x) if rises else 3 / math.hypot(1, x)

        curve = ErrorCurve("read", kind, "parameter", error, 0.0)
        below, above = calibrate(curve, [2.0, 3.5], tolerance=0.1)
        assert below.expected_error == pytest.approx(2)
        assert not above.is_attainable
        assert below.largest_error == above.largest_error == pytest.approx(3)
