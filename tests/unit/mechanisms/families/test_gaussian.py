"""The Gaussian mechanism against a peer library, its own definition, and bad input."""

import math

import opendp.prelude as dp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from noiseless.errors import ConfigError
from noiseless.mechanisms.families.gaussian import (
    compute_analytic_sigma,
    compute_classical_sigma,
    compute_gaussian_delta,
    compute_gaussian_epsilon,
    compute_printed_sigma,
)
from opendp_space import SPACE


@pytest.mark.parametrize("delta", [1e-6, 1e-2])
@pytest.mark.parametrize("epsilon_nats", [0.1, 1.0, 5.0])
def test_analytic_gaussian_is_no_larger_than_what_opendp_proves(epsilon_nats, delta):
    """OpenDP goes through concentrated privacy, which is a little loose, and never below exact."""
    sigma = compute_analytic_sigma(sensitivity=2.0, epsilon_nats=epsilon_nats, delta=delta)
    gaussian = dp.m.make_gaussian(*SPACE, scale=sigma)
    proven = dp.c.make_zCDP_to_approxDP(gaussian).map(d_in=2.0).epsilon(delta)
    assert epsilon_nats <= proven * (1 + 1e-9)
    assert proven <= 1.35 * epsilon_nats + 0.01


@settings(deadline=None, max_examples=40)
@given(st.floats(0.01, 8), st.floats(0.02, 8))
def test_exact_delta_is_the_integral_of_its_definition(epsilon_nats, mu):
    """delta(epsilon) = integral of max(0, p - e^epsilon q) over the answers."""
    cross = mu / 2 + epsilon_nats / mu  # where p = e^epsilon q, for p centred at mu and q at 0
    value, _ = integrate.quad(
        lambda x: stats.norm.pdf(x, mu) - math.exp(epsilon_nats) * stats.norm.pdf(x),
        cross,
        cross + 40,
    )
    assert float(compute_gaussian_delta(epsilon_nats, mu)) == pytest.approx(value, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(st.floats(0.01, 20), st.floats(1e-8, 0.4), st.floats(0.1, 10))
def test_analytic_sigma_is_exactly_private_and_scales_with_the_sensitivity(
    epsilon_nats, delta, sensitivity
):
    sigma = compute_analytic_sigma(sensitivity=sensitivity, epsilon_nats=epsilon_nats, delta=delta)
    mu = sensitivity / sigma
    assert float(compute_gaussian_delta(epsilon_nats, mu)) == pytest.approx(delta, rel=1e-6)
    assert compute_gaussian_epsilon(mu, delta=delta) == pytest.approx(epsilon_nats, rel=1e-6)
    assert sigma == pytest.approx(
        sensitivity * compute_analytic_sigma(sensitivity=1, epsilon_nats=epsilon_nats, delta=delta),
        rel=1e-12,
    )


@pytest.mark.parametrize("delta", [1e-7, 1e-3, 0.1])
@pytest.mark.parametrize("epsilon_nats", [0.01, 0.3, 0.99])
def test_classical_sigma_keeps_its_promise_below_one(epsilon_nats, delta):
    sigma = compute_classical_sigma(sensitivity=1, epsilon_nats=epsilon_nats, delta=delta)
    assert compute_gaussian_delta(epsilon_nats, 1 / sigma) <= delta
    assert sigma >= compute_analytic_sigma(sensitivity=1, epsilon_nats=epsilon_nats, delta=delta)


def test_classical_and_printed_sigma_break_their_promises_where_the_ledger_says_so():
    classical = compute_classical_sigma(sensitivity=1, epsilon_nats=10, delta=1e-5)
    assert compute_gaussian_delta(10, 1 / classical) > 1e-5
    printed = compute_printed_sigma(sensitivity=1, epsilon_nats=0.01, delta=1e-5)
    assert compute_gaussian_delta(0.01, 1 / printed) > 100 * 1e-5
    # Grams instead of kilograms must not change what the adversary sees; as printed, they do.
    kilograms, grams = (
        each / compute_printed_sigma(sensitivity=each, epsilon_nats=1, delta=1e-5)
        for each in (1, 1000)
    )
    assert grams > 30 * kilograms


def test_enough_noise_needs_no_epsilon():
    assert compute_gaussian_epsilon(1e-3, delta=0.01) == 0


@pytest.mark.parametrize("delta", [0, 1, -0.1, math.nan])
def test_delta_must_be_a_probability(delta):
    with pytest.raises(ConfigError, match="`delta` must be a number above 0 and below 1"):
        compute_analytic_sigma(sensitivity=1, epsilon_nats=1, delta=delta)
    with pytest.raises(ConfigError, match="`delta` must be"):
        compute_gaussian_epsilon(1.0, delta=delta)
