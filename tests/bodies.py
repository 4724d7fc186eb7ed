"""Weights and heights against a body mass index of 30, for the tests of blurring policies."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from noiseless.mechanisms.blurring import PublicRange
from noiseless.papers.nsht.blurring import build_bmi_threshold

BOX = PublicRange((0, 0), (200, 250))
BMI = build_bmi_threshold(30)
WEIGHTS, HEIGHTS, RHOS = st.floats(0, 200), st.floats(0, 250), st.floats(0.006, 20)
RECORDS = st.lists(st.tuples(WEIGHTS, HEIGHTS), min_size=1, max_size=20)


def assert_released(policy, loop, records, rho):
    """A policy reports what a function of a weight, its threshold and a step says."""
    expected = [(loop(x, 3 * height**2 / 1000, 1 / rho), height) for x, height in records]
    released = policy(BMI, BOX, rho).release(records)
    np.testing.assert_allclose(released, expected, rtol=1e-12, atol=1e-9)


def survey(weights, heights=None):
    """Respondents with these weights (kg), at 200 cm unless heights are given."""
    heights = [200] * len(weights) if heights is None else heights
    columns = {"weight_kg": weights, "height_cm": heights}
    return pd.DataFrame({name: pd.array(each, dtype="Int64") for name, each in columns.items()})
