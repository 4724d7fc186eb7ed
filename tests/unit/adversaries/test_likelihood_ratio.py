"""The Neyman-Pearson adversary against densities, brute force and exact identities."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from noiseless.adversaries.likelihood_ratio import (
    SideKnowledge,
    compute_f_score,
    compute_floor_f_score,
    compute_gaussian_rates,
    compute_gaussian_test_rates,
    compute_gaussian_threshold,
    compute_laplace_rates,
    compute_laplace_test_rates,
    compute_laplace_threshold,
    compute_precision,
    find_laplace_epsilon,
    maximise_f_score,
    maximise_laplace_f_score,
    search_f_score,
)
from noiseless.errors import ConfigError

epsilons = st.floats(0.01, 8)
betas = st.floats(0.2, 4)
odds = st.floats(0.05, 1)
alphas = st.floats(0.001, 0.999)
FAMILIES = [
    (stats.laplace, compute_laplace_threshold, compute_laplace_rates, compute_laplace_test_rates),
    (stats.norm, compute_gaussian_threshold, compute_gaussian_rates, compute_gaussian_test_rates),
]


@pytest.mark.parametrize(("noise", "threshold", "rates", "_"), FAMILIES)
@given(alphas, epsilons)
def test_threshold_has_its_false_alarm_rate_by_the_noises_own_tail(
    noise, threshold, rates, _, alpha, distance
):
    psi = float(threshold(alpha, distance))
    assert noise.sf(psi * distance) == pytest.approx(alpha, rel=1e-9)
    recall, false_alarm = rates(psi, distance)
    assert float(false_alarm) == pytest.approx(alpha, rel=1e-9)
    assert float(recall) == pytest.approx(noise.sf((psi - 1) * distance), rel=1e-9)


@pytest.mark.parametrize(("noise", "_", "__", "test"), FAMILIES)
@pytest.mark.parametrize("distance", [0.1, 1.0, 3.0])
def test_likelihood_ratio_test_run_on_answers(noise, _, __, test, distance):
    """The adversary computes two densities for each answer, and knows no formula."""
    rng = np.random.default_rng(11)
    for centre, which in ((distance, 0), (0.0, 1)):
        answers = centre + noise.rvs(size=40_000, random_state=rng)
        ratio = noise.logpdf(answers - distance) - noise.logpdf(answers)
        for least in (-0.7 * distance, 0.0, 0.5 * distance):
            rate = float(test(least, distance)[which])
            counted = (ratio >= least).mean()
            assert abs(counted - rate) < 5 * math.sqrt(rate * (1 - rate) / len(answers)) + 1e-4


def test_laplace_ratio_beyond_its_range_accepts_all_or_nothing():
    recall, false_alarm = compute_laplace_test_rates(np.array([-1.001, -1.0, 1.0, 1.001]), 1.0)
    np.testing.assert_allclose(recall, [1, 1, 0.5, 0])
    np.testing.assert_allclose(false_alarm, [1, 1, math.exp(-1) / 2, 0])


@settings(deadline=None)
@given(epsilons, betas, odds)
def test_closed_form_equals_ratio_tests_and_search(epsilon_nats, beta, against):
    kwargs = {"beta": beta, "odds_against": against}
    closed = float(maximise_laplace_f_score(epsilon_nats, **kwargs))
    by_ratio = float(
        maximise_f_score(lambda ratio: compute_laplace_test_rates(ratio, epsilon_nats), **kwargs)
    )
    searched = search_f_score(
        lambda psi: compute_laplace_rates(psi, epsilon_nats), reach=40 / epsilon_nats, **kwargs
    )
    assert by_ratio == pytest.approx(closed, abs=1e-12)
    assert searched == pytest.approx(closed, abs=1e-12)


@settings(deadline=None)
@given(st.floats(0.05, 8), betas, odds)
def test_gaussian_best_f_score_is_the_best_threshold(mu, beta, against):
    kwargs = {"beta": beta, "odds_against": against}
    best = float(maximise_f_score(lambda ratio: compute_gaussian_test_rates(ratio, mu), **kwargs))
    psi = np.linspace(-40 / mu, 1 + 40 / mu, 40_001)
    every = compute_f_score(*compute_gaussian_rates(psi, mu), **kwargs)
    assert every.max() <= best + 1e-12
    assert best == pytest.approx(every.max(), abs=1e-4)
    assert best >= compute_floor_f_score(**kwargs)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.integers(1, 20), min_size=5, max_size=5),
       st.lists(st.integers(1, 20), min_size=5, max_size=5), betas, odds)  # fmt: skip
def test_no_set_of_answers_beats_the_best_ratio_test(with_record, without, beta, against):
    """Theorem 2, by brute force: all 31 tests of a mechanism with five answers."""
    p, q = (np.array(each) / sum(each) for each in (with_record, without))

    def test(ratio):
        accepted = np.log(p / q) >= ratio - 1e-12
        return np.asarray((p * accepted).sum()), np.asarray((q * accepted).sum())

    subsets = (np.arange(1, 32)[:, None] >> np.arange(5)) & 1
    every = compute_f_score(subsets @ p, subsets @ q, beta=beta, odds_against=against)
    best = float(maximise_f_score(test, beta=beta, odds_against=against))
    assert best == pytest.approx(every.max(), abs=1e-12)


@given(epsilons, betas, odds)
def test_epsilon_is_the_inverse_of_the_f_score(epsilon_nats, beta, against):
    turning = math.log(1 + beta**2 / against)
    bound = maximise_laplace_f_score(epsilon_nats, beta=beta, odds_against=against)
    found = float(find_laplace_epsilon(bound, beta=beta, odds_against=against))
    assert found == pytest.approx(max(epsilon_nats, turning), rel=1e-6)


def test_bounds_at_the_edges_of_what_can_be_kept():
    assert find_laplace_epsilon(2 / 3, beta=1) == pytest.approx(math.log(2))
    assert np.isnan(find_laplace_epsilon(0.66, beta=1))
    assert find_laplace_epsilon(1, beta=1) == math.inf
    assert find_laplace_epsilon(1.5, beta=1) == math.inf


@given(alphas, epsilons, odds, betas)
def test_f_score_is_the_harmonic_mean_and_precision_is_bayes(alpha, epsilon_nats, against, beta):
    recall, false_alarm = compute_laplace_rates(
        compute_laplace_threshold(alpha, epsilon_nats), epsilon_nats
    )
    present = 1 / (1 + against)
    bayes = present * recall / (present * recall + (1 - present) * false_alarm)
    exact = compute_precision(recall, false_alarm, against)
    assert float(exact) == pytest.approx(float(bayes), rel=1e-12)
    harmonic = 1 / ((1 / exact + beta**2 / recall) / (1 + beta**2))
    score = compute_f_score(recall, false_alarm, beta=beta, odds_against=against)
    assert float(score) == pytest.approx(float(harmonic), rel=1e-12)
    # No "yes" to a Laplace answer is ever surer than this.
    assert float(exact) <= 1 / (1 + against * math.exp(-epsilon_nats)) + 1e-12


@given(st.floats(0, 0.9), st.floats(0, 0.3), st.floats(0, 0.3))
def test_side_knowledge_multiplies_the_likelier_values_probability(rho_p, rho_c, rho_t):
    prior = 1 / (2 - rho_p)  # P(d_i1) where P(d_i2) = (1 - rho_p) P(d_i1)
    probability = prior / (1 - rho_c) / (1 - rho_t)
    if probability >= 1:
        with pytest.raises(ConfigError, match="cannot be true together"):
            SideKnowledge(rho_p, rho_c, rho_t)
        return
    if probability > 1 - 1e-9:
        return
    known = SideKnowledge(rho_p, rho_c, rho_t)
    assert known.probability == pytest.approx(probability)
    assert known.odds_against == pytest.approx(1 / probability - 1, rel=1e-6)
    printed = 1 - rho_p - (2 - rho_p) * (rho_c + rho_t * (1 - rho_c))
    assert known.odds_against == pytest.approx(printed, abs=1e-12)


@pytest.mark.parametrize("name", ["rho_p", "rho_c", "rho_t"])
@pytest.mark.parametrize("value", [-0.1, 1, math.nan])
def test_coefficients_lie_between_zero_and_one(name, value):
    with pytest.raises(ConfigError, match=rf"`{name}` must be a number of at least 0 and below 1"):
        SideKnowledge(**{name: value})
