"""Everybody else is rounded."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bodies import BMI, BOX
from noiseless.mechanisms.policies.round import RoundBlurring
from noiseless.mechanisms.policies.stretch import StretchBlurring


@given(st.floats(0.01, 0.5), st.floats(10, 190))
def test_others_go_to_the_middle_of_their_step(rho, weight):
    """At 180 cm the threshold is 97.2 kg; steps of 2/rho begin at either edge of the band."""
    g, half = 97.2, 1 / rho
    if abs(weight - g) > half:
        side = math.copysign(1, weight - g)
        edges = [g + side * half * (1 + 2 * k) for k in range(200)]
        middle = min((edge + side * half for edge in edges), key=lambda at: abs(at - weight))
        ((report, _),) = RoundBlurring(BMI, BOX, rho).release([(weight, 180.0)])
        assert abs(report - weight) <= half * (1 + 1e-9)
        if abs(abs(middle - weight) - half) > 1e-6:
            assert abs(report - min(max(middle, 0), 200)) < 1e-9


def test_rounding_everybody_else_leaves_few_reports_and_the_same_people_identified():
    records = np.column_stack([np.linspace(0, 200, 4001), np.full(4001, 180.0)])
    rounded, stretched = (policy(BMI, BOX, 0.1) for policy in (RoundBlurring, StretchBlurring))
    reports = rounded.release(records)
    decided = rounded.is_decided(reports)
    np.testing.assert_array_equal(decided, stretched.is_decided(stretched.release(records)))
    assert len(np.unique(reports[decided, 0].round(9))) <= 11
    np.testing.assert_array_equal(rounded.is_p0(reports)[decided], rounded.is_p0(records)[decided])
