"""Calibration: roots and gaps that are known, and the rows that come of it."""

import math

import numpy as np
import pytest

from noiseless.errors import ConfigError
from noiseless.experiments.beyond.comparison import (
    Mechanism,
    calibrate,
    calibration_rows,
    one_bit_variance,
    win_rows,
)
from noiseless.mechanisms.one_bit import OneBitMechanism


def parameters(mechanism, targets, tolerance=0.1):
    return [each.parameter for each in calibrate(mechanism, targets, tolerance=tolerance)]


def test_scale_with_a_floor():
    """hypot(3, x) is 5 at 4; 3 is its floor, which no positive scale makes."""
    mechanism = Mechanism("noise", "scale", "scale_m", lambda scale: math.hypot(3, scale))
    found = calibrate(mechanism, [2, 3, 5, 3e9], tolerance=0.1)
    assert [each.is_attainable for each in found] == [False, False, True, True]
    assert found[2].parameter == pytest.approx(4, rel=1e-9)
    assert found[2].expected_error == pytest.approx(5, rel=1e-9)
    assert found[3].parameter == pytest.approx(3e9, rel=1e-9)
    assert {(each.smallest_error, each.largest_error) for each in found} == {(3.0, math.inf)}
    assert math.isnan(found[0].expected_error)


def test_epsilon_whose_error_never_falls_below_that_of_infinity():
    mechanism = Mechanism(
        "bit", "epsilon", "epsilon_nats", lambda epsilon_nats: 2 + 1 / epsilon_nats
    )
    assert parameters(mechanism, [1.9, 2, 2.001, 4, 1002]) == pytest.approx(
        [math.nan, math.nan, 1000, 0.5, 0.001], rel=1e-6, nan_ok=True
    )
    assert mechanism.smallest_error == 2


def test_levels_take_the_nearest_error_and_leave_gaps():
    """Errors fall on the whole only: five levels are better here than six to nine."""
    errors = {1: 40.0, 2: 15.0, 3: 8.0, 4: 4.0, 5: 0.9, 6: 2.0, 7: 1.9, 8: 1.7, 9: 1.5}
    mechanism = Mechanism("quantizer", "levels", "levels", lambda q: errors.get(q, 10 / q))
    targets = [100, 40, 20, 15.5, 2.04, 0.9, 0.1]
    found = calibrate(mechanism, targets, tolerance=0.1)
    assert [each.parameter for each in found] == pytest.approx(
        [math.nan, 1, math.nan, 2, 6, 5, 100], nan_ok=True
    )
    assert {each.largest_error for each in found} == {40}
    assert parameters(mechanism, targets, 0.01)[3:5] == pytest.approx([math.nan] * 2, nan_ok=True)


def test_many_levels_meet_their_target_closely():
    mechanism = Mechanism("quantizer", "levels", "levels", lambda q: 1000 / q)
    for calibration in calibrate(mechanism, [0.0123, 0.5, 3], tolerance=0.01):
        assert calibration.expected_error == pytest.approx(calibration.target, rel=0.006)
        assert calibration.parameter == int(calibration.parameter)


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_targets_and_tolerance_must_be_positive(value):
    mechanism = Mechanism("noise", "scale", "scale_m", lambda scale: scale)
    with pytest.raises(ConfigError, match="target error is"):
        calibrate(mechanism, [1, value], tolerance=0.1)
    with pytest.raises(ConfigError, match="tolerance is"):
        calibrate(mechanism, [1], tolerance=value)


def test_gap_has_no_parameter_and_no_budget():
    mechanism = Mechanism(
        "bit", "epsilon", "epsilon_nats", lambda epsilon_nats: 2 + 1 / epsilon_nats
    )
    gap, met = calibrate(mechanism, [1, 4], tolerance=0.1)
    names = {
        each["statistic"]: each["value"]
        for each in calibration_rows(gap, {}, {"mechanism": "bit"}, unit="m")
    }
    assert names == {"attainable": 0, "smallest_error_m": 2, "largest_error_m": math.inf}
    names = [each["statistic"] for each in calibration_rows(met, {"delta": 0.1}, {}, unit="m")]
    assert names[-3:] == ["expected_error_m", "epsilon_nats", "delta"]


@pytest.mark.parametrize("epsilon_nats", [0.2, 1.0, 6.0])
def test_variance_of_one_bit_by_both_reports(epsilon_nats):
    """Over the two reports of each value: sum of probability times squared distance."""
    values = np.array([2.0, 2.5, 4.0, 7.0])
    mechanism = OneBitMechanism(2, 7, epsilon_nats)
    high = mechanism.probability_high(values)
    estimates = mechanism.unbiased([0, 1])
    mean = (1 - high) * estimates[0] + high * estimates[1]
    np.testing.assert_allclose(mean, values)
    brute = (1 - high) * (estimates[0] - values) ** 2 + high * (estimates[1] - values) ** 2
    variance = one_bit_variance((values - 2) / 5, width=5, epsilon_nats=epsilon_nats)
    assert variance == pytest.approx(brute.mean(), rel=1e-12)
    assert mechanism.mean_estimate([0, 1, 1]) == pytest.approx(mechanism.unbiased([0, 1, 1]).mean())


def test_variance_of_one_bit_without_a_random_bit():
    """With infinite epsilon an end of the interval is still drawn: share (1 - share)."""
    assert one_bit_variance(np.array([0.1]), width=10, epsilon_nats=math.inf) == pytest.approx(9)


def test_wins_by_hand():
    """Wilson's interval for 6 of 10, from its textbook formula."""
    correct = np.array([True] * 6 + [False] * 4)
    rows = {each["statistic"]: each for each in win_rows({}, correct, chance=0.5, facts={"a": 3})}
    z = 1.959963984540054
    middle = (6 + z**2 / 2) / (10 + z**2)
    half = z / (10 + z**2) * math.sqrt(6 * 4 / 10 + z**2 / 4)
    won = rows["won_share"]
    assert (won["value"], won["low"], won["high"]) == pytest.approx(
        (0.6, middle - half, middle + half)
    )
    gain = rows["gain"]
    assert (gain["value"], gain["low"]) == pytest.approx((0.2, 2 * won["low"] - 1))
    assert rows["a"]["value"] == 3
    all_won = win_rows({}, np.ones(5, bool), chance=0.2, facts={})[0]
    assert all_won["value"] == 1
