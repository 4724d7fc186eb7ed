"""Laplace and Gaussian noise: their distributions, and bad input."""

import math

import numpy as np
import pytest
from scipy import stats

from noiseless.errors import ConfigError
from noiseless.mechanisms.families.gaussian import (
    GaussianMechanism,
    compute_analytic_sigma,
    compute_classical_sigma,
    compute_printed_sigma,
)
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.interface import UNBOUNDED_DOMAIN, Domain


@pytest.mark.parametrize(
    ("mechanism", "distribution"),
    [
        (LaplaceMechanism(UNBOUNDED_DOMAIN, 4.0), stats.laplace(scale=4.0)),
        (GaussianMechanism(UNBOUNDED_DOMAIN, 3.0), stats.norm(scale=3.0)),
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
    with pytest.raises(ConfigError, match=r"scale of Laplace noise is .* larger than 0"):
        LaplaceMechanism(UNBOUNDED_DOMAIN, value)
    with pytest.raises(ConfigError, match=r"epsilon_nats is .* larger than 0"):
        LaplaceMechanism.from_budget(Domain((0,), (1,)), epsilon_nats=value)
    with pytest.raises(ConfigError, match="sigma is"):
        GaussianMechanism(UNBOUNDED_DOMAIN, value)
    for calibrate in (compute_classical_sigma, compute_printed_sigma, compute_analytic_sigma):
        with pytest.raises(ConfigError, match="epsilon_nats is"):
            calibrate(sensitivity=1, epsilon_nats=value, delta=0.1)


def test_a_budget_needs_a_range():
    for family, more in ((LaplaceMechanism, {}), (GaussianMechanism, {"delta": 0.1})):
        with pytest.raises(ConfigError, match=r"sensitivity.* is inf"):
            family.from_budget(UNBOUNDED_DOMAIN, epsilon_nats=1.0, **more)
        mean = family.from_budget(Domain((2,), (7,), people=10), epsilon_nats=0.5, **more)
        assert mean.guarantee(delta=0.1).epsilon_nats == pytest.approx(0.5)
