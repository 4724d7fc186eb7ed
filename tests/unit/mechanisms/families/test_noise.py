"""Laplace and Gaussian noise: their distributions, and bad input."""

import math

import numpy as np
import pytest
from scipy import stats

from noiseless.errors import ConfigError
from noiseless.mechanisms.families.gaussian import (
    GaussianMechanism,
    analytic_sigma,
    classical_sigma,
    printed_sigma,
)
from noiseless.mechanisms.families.laplace import LaplaceMechanism


@pytest.mark.parametrize(
    ("mechanism", "distribution"),
    [
        (LaplaceMechanism(2.0, 0.5), stats.laplace(scale=4.0)),
        (GaussianMechanism(3.0), stats.norm(scale=3.0)),
    ],
)
def test_noise_has_its_distribution_and_the_answers_shape(mechanism, distribution):
    answers = np.array([[10.0], [-7.0]]) * np.ones((1, 20_000))
    released = mechanism.release(answers, np.random.default_rng(5))
    assert released.shape == answers.shape
    assert stats.kstest((released - answers).ravel(), distribution.cdf).pvalue > 1e-3
    again = mechanism.release(answers, np.random.default_rng(5))
    np.testing.assert_array_equal(released, again)


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_parameters_must_be_positive(value):
    with pytest.raises(ConfigError, match=r"epsilon_nats is .* larger than 0"):
        LaplaceMechanism(1.0, value)
    with pytest.raises(ConfigError, match="sensitivity is"):
        LaplaceMechanism(value, 1.0)
    with pytest.raises(ConfigError, match="sigma is"):
        GaussianMechanism(value)
    for calibrate in (classical_sigma, printed_sigma, analytic_sigma):
        with pytest.raises(ConfigError, match="epsilon_nats is"):
            calibrate(sensitivity=1, epsilon_nats=value, delta=0.1)
