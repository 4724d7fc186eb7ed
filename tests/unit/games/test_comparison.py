"""The rows that come of calibrations and of games."""

import logging
import math

import numpy as np
import pytest

from noiseless.games import comparison
from noiseless.games.comparison import (
    build_calibration_rows,
    estimate_gain,
    iterate_calibrations,
)
from noiseless.mechanisms.calibration import ErrorCurve, calibrate
from noiseless.mechanisms.interface import Domain, NatsOfDifferentialPrivacy


def test_gap_has_no_parameter_and_no_guarantee():
    mechanism = ErrorCurve(
        "bit", "epsilon", "epsilon_nats", lambda epsilon_nats: 2 + 1 / epsilon_nats, 2.0
    )
    gap, met = calibrate(mechanism, [1, 4], tolerance=0.1)
    names = {
        each["statistic"]: each["value"]
        for each in build_calibration_rows(gap, None, {"mechanism": "bit"}, unit="m")
    }
    assert names == {"attainable": 0, "smallest_error_m": 2, "largest_error_m": math.inf}
    guarantee = NatsOfDifferentialPrivacy(2.0, delta=0.1)
    names = [each["statistic"] for each in build_calibration_rows(met, guarantee, {}, unit="m")]
    assert names[-3:] == ["expected_error_m", "epsilon_nats", "delta"]


def test_the_interval_of_wins_is_that_of_wilsons_formula():
    """Wilson's interval for 6 of 10, from its textbook formula."""
    correct = np.array([True] * 6 + [False] * 4)
    found = estimate_gain(correct, chance=0.5)
    z = 1.959963984540054
    middle = (6 + z**2 / 2) / (10 + z**2)
    half = z / (10 + z**2) * math.sqrt(6 * 4 / 10 + z**2 / 4)
    won = found["won_share"]
    assert (won.value, won.low, won.high) == pytest.approx((0.6, middle - half, middle + half))
    gain = found["gain"]
    assert (gain.value, gain.low) == pytest.approx((0.2, 2 * won.low - 1))
    all_won = estimate_gain(np.ones(5, bool), chance=0.2)["gain"]
    assert all_won.value == 1


class Waiting:
    """A task in whose error measurements some mechanisms take a second by the clock."""

    domain, error_unit = Domain((0.0,), (1.0,), "kwh"), "kwh"

    def __init__(self):
        self.now = 0.0

    def measure_error(self, mechanism):
        self.now += 1.0 if mechanism.name == "laplace" else 0.1
        return 1 / mechanism.parameter if mechanism.kind != "scale" else mechanism.parameter


def test_a_slow_mechanism_is_named_once_and_each_has_a_line(monkeypatch, caplog):
    task = Waiting()
    monkeypatch.setattr(comparison, "perf_counter", lambda: task.now)
    with caplog.at_level(logging.INFO):
        found = list(iterate_calibrations(task, [0.25, 0.5], tolerance=0.1))
    slow = [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]
    assert len(slow) == 1
    assert slow[0].startswith("slow: 'laplace' takes 1.0 s a release")
    lines = [each.getMessage() for each in caplog.records if each.levelname == "INFO"]
    names = dict.fromkeys(family.name for family, _ in found)
    assert [line.partition(":")[0] for line in lines] == list(names)
    assert all("calibrated to 2 errors in" in line for line in lines)
