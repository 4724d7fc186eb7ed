"""The container comes back, and numbers of any kind are taken."""

import functools

import numpy as np
import pandas as pd
import pytest

import noiseless as nl

NOISE = [
    nl.LaplaceMechanism(nl.Domain((0,), (10,)), 1.0),
    nl.GaussianMechanism(nl.Domain((0,), (10,)), 1.0),
    nl.OneBitMechanism(nl.Domain((0,), (10,)), 1.0),
]


@pytest.mark.parametrize(
    "release",
    [nl.Quantizer(nl.Domain((0,), (np.float64(10),)), np.int64(4)).release]
    + [functools.partial(mechanism.release, rng=1) for mechanism in NOISE],
)
def test_the_same_container_comes_back(release):
    values = [1.0, 2.5, 9.0]
    expected = release(np.array(values))
    assert isinstance(expected, np.ndarray)
    np.testing.assert_array_equal(release(values), expected)
    series = pd.Series(values, index=["a", "b", "c"], name="kwh")
    pd.testing.assert_series_equal(
        release(series), pd.Series(expected, index=series.index, name="kwh")
    )
    frame = release(series.to_frame())
    assert list(frame.index) == ["a", "b", "c"]
    assert list(frame.columns) == ["kwh"]
    np.testing.assert_array_equal(frame["kwh"], expected)


def test_noise_takes_a_generator_or_a_seed():
    for mechanism in NOISE:
        np.testing.assert_array_equal(
            mechanism.release([1.0] * 9, np.random.default_rng(7)), mechanism.release([1.0] * 9, 7)
        )
