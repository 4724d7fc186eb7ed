"""The factorial hidden Markov model, against brute force over all paths of states."""

import functools
import itertools
import operator
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from noiseless.adversaries import factorial_hmm
from noiseless.adversaries.factorial_hmm import FactorialHMM

RANGE_W = (0.0, 1000.0)


def toy_model() -> FactorialHMM:
    """An appliance of two states, one of three, and two levels of the rest."""
    return FactorialHMM(
        means_w=(np.array([0.0, 100.0]), np.array([5.0, 60.0, 300.0]), np.array([50.0, 90.0])),
        variances_w2=(np.array([1.0, 400.0]), np.array([4.0, 9.0, 100.0]), np.array([100.0, 50.0])),
        transitions=(
            np.array([[0.9, 0.1], [0.3, 0.7]]),
            np.array([[0.8, 0.15, 0.05], [0.3, 0.6, 0.1], [0.2, 0.2, 0.6]]),
            np.array([[0.95, 0.05], [0.4, 0.6]]),
        ),
        initial=(np.array([0.7, 0.3]), np.array([0.6, 0.3, 0.1]), np.array([0.8, 0.2])),
        range_w=RANGE_W,
    )


def brute_force(model: FactorialHMM, low, high):
    """Posterior of one stretch by the sum over every path of joint states."""
    joint = list(itertools.product(*(range(len(mean)) for mean in model.means_w)))

    def emission(state, low_w, high_w):
        mean = sum(m[s] for m, s in zip(model.means_w, state, strict=True))
        variance = sum(v[s] for v, s in zip(model.variances_w2, state, strict=True))
        spread = np.sqrt(variance + factorial_hmm._MODEL_ERROR_W**2)
        stray, span = factorial_hmm._OUTLIER_SHARE, RANGE_W[1] - RANGE_W[0]
        if low_w == high_w:
            return (1 - stray) * norm.pdf(low_w, mean, spread) + stray / span
        inside = norm.cdf(high_w, mean, spread) - norm.cdf(low_w, mean, spread)
        width = min(high_w, RANGE_W[1]) - max(low_w, RANGE_W[0])
        return (1 - stray) * inside + stray * width / span

    on, power, total = np.zeros((len(low), 2)), np.zeros((len(low), 2)), 0.0
    for path in itertools.product(joint, repeat=len(low)):
        weight = np.prod([p[s] for p, s in zip(model.initial, path[0], strict=True)])
        for a, b in itertools.pairwise(path):
            weight *= np.prod([t[i, j] for t, i, j in zip(model.transitions, a, b, strict=True)])
        for state, low_w, high_w in zip(path, low, high, strict=True):
            weight *= emission(state, low_w, high_w)
        total += weight
        for t, state in enumerate(path):
            for chain in range(2):
                on[t, chain] += weight * (state[chain] > 0)
                power[t, chain] += weight * model.means_w[chain][state[chain]]
    return on / total, power / total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("low", "high"),
    [
        ([0, 250, 125], [125, 375, 250]),
        ([-np.inf, 500, -np.inf], [125, np.inf, 125]),
        ([151.5, 60.0, 412.0], [151.5, 60.0, 412.0]),
        ([990.0], [1000.0]),  # nothing in the model draws as much: the stray share decides
    ],
)
def test_posterior_equals_the_sum_over_all_paths(low, high):
    model, low, high = toy_model(), np.array(low, float), np.array(high, float)
    follows = np.arange(len(low)) > 0
    expected = brute_force(model, low, high)
    for ours, theirs in zip(
        model.compute_posterior(low, high, follows=follows), expected, strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


def in_order(values):
    """A sum that rounds after each addition; Python's own does not since 3.12."""
    return functools.reduce(operator.add, values)


def test_a_step_and_the_marginals_sum_over_states_in_their_order():
    """To the last bit, against a loop over joint states."""
    rng = np.random.default_rng(3)
    dimensions = np.array([2, 3, 4])
    joint = list(itertools.product(*map(range, dimensions)))
    matrices = rng.random((3, 4, 4))
    vector = rng.random(len(joint))
    forward = vector / in_order(vector.tolist())
    share = dict(zip(joint, (forward / in_order(forward.tolist())).tolist(), strict=True))
    expected = dict(zip(joint, vector.tolist(), strict=True))
    for chain, states in enumerate(dimensions):
        before = expected
        expected = {
            state: in_order(
                before[*state[:chain], i, *state[chain + 1 :]] * matrices[chain, i, state[chain]]
                for i in range(states)
            )
            for state in joint
        }
    stepped = vector.copy()
    factorial_hmm._apply_transitions(stepped, matrices, dimensions)
    np.testing.assert_array_equal(stepped, [expected[state] for state in joint])
    marginals = factorial_hmm._compute_marginals(
        np.ones((1, len(joint))), np.zeros(1, dtype=int), vector, matrices, matrices, dimensions
    )
    for chain in range(2):
        for k in range(dimensions[chain]):
            told = in_order(share[state] for state in joint if state[chain] == k)
            assert marginals[0, chain, k] == told


def test_a_gap_cuts_the_chain():
    model = toy_model()
    low = np.array([0.0, 125, 375, 125, 0])
    high = low + 125
    follows = np.array([False, True, False, True, True])
    both, _ = model.compute_posterior(low, high, follows=follows)
    for part in (slice(0, 2), slice(2, 5)):
        alone, _ = model.compute_posterior(low[part], high[part], follows=follows[part])
        np.testing.assert_allclose(both[part], alone)


def test_narrow_cells_tend_to_the_density():
    model, mains = toy_model(), np.array([151.5, 60.0, 412.0, 95.0])
    follows = np.arange(4) > 0
    exact, _ = model.compute_posterior(mains, mains, follows=follows)
    for width, closeness in ((1.0, 1e-3), (1e-3, 1e-9)):
        cells, _ = model.compute_posterior(mains - width / 2, mains + width / 2, follows=follows)
        np.testing.assert_allclose(cells, exact, atol=closeness)


def test_hmm_with_noise_is_one_whose_rest_varies_as_much_more():
    model = toy_model()
    mains, follows = np.array([151.5, 60.0, 412.0, 95.0]), np.arange(4) > 0
    noisier = replace(
        model, variances_w2=(*model.variances_w2[:-1], model.variances_w2[-1] + 70.0**2)
    )
    ours = model.compute_posterior(mains, mains, follows=follows, noise_w=70.0)
    theirs = noisier.compute_posterior(mains, mains, follows=follows)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)
    without = model.compute_posterior(mains, mains, follows=follows)
    assert np.abs(ours[0] - without[0]).max() > 0.01


def test_a_release_of_one_level_says_nothing_but_the_chain_itself():
    """The posterior is then the chain's own distribution, at each time."""
    model = toy_model()
    low, high = np.full(6, -np.inf), np.full(6, np.inf)
    on, _ = model.compute_posterior(low, high, follows=np.arange(6) > 0)
    for chain in range(2):
        share = model.initial[chain]
        for t in range(6):
            assert on[t, chain] == pytest.approx(share[1:].sum())
            share = share @ model.transitions[chain]


def test_fit_finds_the_states_that_made_the_data():
    rng = np.random.default_rng(5)
    is_on = np.repeat(rng.random(300) < 0.3, 10)
    power = np.where(is_on, rng.normal(200, 3, 3000), 4.0)[:, None]
    mains = power[:, 0] + np.repeat(rng.choice([60.0, 400.0], 150), 20)
    model = FactorialHMM.fit(
        power,
        mains,
        follows=np.arange(3000) > 0,
        on_w=10,
        on_states=1,
        other_states=2,
        range_w=RANGE_W,
        rng=rng,
    )
    np.testing.assert_allclose(model.means_w[0], [4, 200], atol=1)
    np.testing.assert_allclose(model.means_w[1], [60, 400], atol=1)
    changes = np.mean(is_on[1:][~is_on[:-1]])
    assert model.transitions[0][0, 1] == pytest.approx(changes, abs=1e-3)
    for matrix in (*model.transitions, *(each[None] for each in model.initial)):
        np.testing.assert_allclose(matrix.sum(axis=1), 1)
    on, watts = model.compute_posterior(mains, mains, follows=np.arange(3000) > 0)
    assert np.mean((on[:, 0] > 0.5) == is_on) > 0.99
    assert watts[is_on, 0].mean() == pytest.approx(200, abs=5)


def test_an_appliance_that_is_never_on_in_training_gets_a_state_all_the_same():
    rng = np.random.default_rng(5)
    model = FactorialHMM.fit(
        np.zeros((50, 1)),
        rng.normal(100, 5, 50),
        follows=np.arange(50) > 0,
        on_w=10,
        on_states=2,
        other_states=1,
        range_w=RANGE_W,
        rng=rng,
    )
    on, _ = model.compute_posterior(np.zeros(3), np.full(3, 500.0), follows=np.arange(3) > 0)
    assert ((on > 0) & (on < 0.2)).all()
