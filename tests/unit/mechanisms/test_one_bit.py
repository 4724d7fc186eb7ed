"""The one-bit mechanism against exact fractions, and its estimators against their expectation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.one_bit import OneBitMechanism
from noiseless.seeds import generator


def test_probabilities_in_exact_fractions():
    """With e^eps = 3 they are rational: 1/4 at the lower end, 3/4 at the upper."""
    mechanism = OneBitMechanism(2, 6, math.log(3))
    values = [Fraction(2), Fraction(3), Fraction(4), Fraction(6)]
    exact = [Fraction(2, 4) * (y - 2) / 4 + Fraction(1, 4) for y in values]
    probabilities = mechanism.probability_high([float(y) for y in values])
    np.testing.assert_allclose(probabilities, [float(p) for p in exact], rtol=1e-14)


@given(
    low=st.floats(-1e3, 1e3),
    width=st.floats(0.1, 1e3),
    epsilon_nats=st.floats(0.01, 8),
    share=st.floats(0, 1),
)
def test_expected_estimate_is_the_value_and_the_printed_one_is_biased(
    low, width, epsilon_nats, share
):
    mechanism = OneBitMechanism(low, low + width, epsilon_nats)
    value = min(low + share * width, mechanism.high)
    probability = float(mechanism.probability_high(value))

    def expected(estimate):
        return (1 - probability) * estimate([0]) + probability * estimate([1])

    scale = (abs(low) + width) / math.tanh(epsilon_nats / 2)
    assert expected(mechanism.mean_estimate) == pytest.approx(value, abs=1e-9 * scale)
    printed = low + mechanism.high * (value - low) / (mechanism.high - low)
    assert expected(mechanism.printed_mean_estimate) == pytest.approx(printed, abs=1e-9 * scale)


@given(epsilon_nats=st.floats(0.01, 8), first=st.floats(0, 1), second=st.floats(0, 1))
def test_no_report_is_more_than_exp_epsilon_times_as_likely(epsilon_nats, first, second):
    high = OneBitMechanism(0, 1, epsilon_nats).probability_high([first, second])
    for probability in (high, 1 - high):
        assert probability[0] <= math.exp(epsilon_nats) * probability[1] * (1 + 1e-12)


def test_reports_follow_the_probabilities_and_the_error_is_stated():
    mechanism = OneBitMechanism(-1, 3, 1.0)
    values = np.repeat([-1.0, 0.5, 3.0], 20_000)
    reports = mechanism.release(values, generator(1, "one bit"))
    assert set(np.unique(reports)) == {0, 1}
    error = mechanism.mean_estimate(reports) - values.mean()
    assert abs(error) < 4 * mechanism.mean_standard_error(reports)
    assert abs(mechanism.printed_mean_estimate(reports) - values.mean()) > 0.3


@pytest.mark.parametrize("bad", [(1, 1, 1), (2, 1, 1), (0, math.inf, 1), (0, 1, 0), (0, 1, -1)])
def test_bad_parameters(bad):
    with pytest.raises(ConfigError):
        OneBitMechanism(*bad)


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan])
def test_value_outside_the_interval(value):
    with pytest.raises(DataError, match=r"outside \[0, 1\]"):
        OneBitMechanism(0, 1, 1).probability_high([0.5, value])
