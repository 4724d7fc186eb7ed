"""A value above a threshold: against free tests, quadrature, the two ends, and by hand."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy.stats import laplace, norm

from noiseless.accounting.composite import (
    LaplaceNoise,
    NormalNoise,
    ThresholdHypothesis,
    ThresholdLoss,
)
from noiseless.accounting.epsilon import (
    Accuracy,
    Advantage,
    FScore,
    Posterior,
    TruePositives,
    risk,
)
from noiseless.errors import ConfigError
from noiseless.seeds import make_generator

NOISES = {"laplace": (LaplaceNoise(), laplace), "gaussian": (NormalNoise(), norm)}
MEASURES = (
    FScore(beta=0.5), FScore(beta=1), FScore(beta=2), Advantage(), Accuracy(),
    TruePositives(0.01), TruePositives(0.3), TruePositives(0.8), Posterior(), Posterior(0.3),
)  # fmt: skip


@settings(max_examples=60)
@given(
    measure=st.sampled_from(MEASURES),
    prior=st.floats(0.01, 0.99),
    epsilon_nats=st.floats(0.05, 8),
    answers=st.integers(1, 9),
)
def test_the_two_ends_are_the_binary_case(measure, prior, epsilon_nats, answers):
    ends = ThresholdHypothesis(5.0, low=-3.0, high=7.0, values=(-3, 7), weights=(1 - prior, prior))
    gaussian = {"mechanism": "gaussian_analytic", "delta": 1e-6, "answers": answers}
    for asked in ({}, gaussian):
        ours = risk(measure, epsilon_nats=epsilon_nats, hypothesis=ends, **asked)
        theirs = risk(measure, epsilon_nats=epsilon_nats, prior=prior, **asked)
        assert ours.high == pytest.approx(theirs.high, abs=1e-9)
        assert asked or ours.low == ours.high


def densities(hypothesis, law, distance, answers):
    """Densities of the answers under both hypotheses: value by value, or averaged by scipy."""

    def shift(value):
        return (value - hypothesis.low) / (hypothesis.high - hypothesis.low) * distance

    if hypothesis.values is None:
        cut = shift(hypothesis.threshold)
        below = law.cdf(answers) - law.cdf(answers - cut)
        above = law.cdf(answers - cut) - law.cdf(answers - distance)
        return above / (distance - cut), below / cut
    values, weights = hypothesis.points
    side = values > hypothesis.threshold
    each = law.pdf(answers[:, None] - shift(values))
    return [each[:, part] @ weights[part] / weights[part].sum() for part in (side, ~side)]


@pytest.mark.parametrize("noise", NOISES)
def test_curves_equal_the_best_set_of_answers(noise):
    """The integral of the positive part, which knows nothing of thresholds."""
    ours, law = NOISES[noise]
    rng = make_generator(8, "composite", noise)
    checked = 0
    for trial in range(12):
        values = np.sort(rng.uniform(0, 10, size=6))
        values = None if trial % 3 == 0 else tuple(values)
        weights = None if values is None else tuple(rng.dirichlet(np.ones(6)))
        hypothesis = ThresholdHypothesis(5.0, low=0.0, high=10.0, values=values, weights=weights)
        distance = float(rng.uniform(0.2, 6))
        curve = ThresholdLoss(hypothesis, ours, distance)
        answers = np.linspace(-30, distance + 30, 40_001)
        above, below = densities(hypothesis, law, distance, answers)
        for log_ratio in (-2.0, -0.3, 0.0, 0.4, 1.5):
            best = integrate.simpson(np.maximum(above - math.exp(log_ratio) * below, 0), x=answers)
            delta = curve.compute_delta(log_ratio)
            assert delta.low == delta.high == pytest.approx(best, abs=3e-6)
            checked += best > max(0.0, 1 - math.exp(log_ratio)) + 1e-3
    assert checked > 30


def test_rates_and_ratios_of_an_even_value_equal_those_of_many():
    for noise, threshold, distance in itertools.product(
        (LaplaceNoise(), NormalNoise()), (0.1, 0.5, 0.8), (0.2, 3.0)
    ):
        even = ThresholdLoss(ThresholdHypothesis(threshold, low=0.0, high=1.0), noise, distance)
        many = tuple((np.arange(100_000) + 0.5) / 100_000)
        points = ThresholdLoss(
            ThresholdHypothesis(threshold, low=0.0, high=1.0, values=many), noise, distance
        )
        for answer in (-20.0, -2.0, 0.0, 0.3 * distance, distance, 4.0, 20.0):
            assert even.compute_rates(answer) == pytest.approx(
                points.compute_rates(answer), rel=1e-8, abs=1e-14
            )
            assert even.compute_log_ratio(answer) == pytest.approx(
                points.compute_log_ratio(answer), abs=1e-7
            )


def test_an_even_value_cut_in_the_middle_has_half_of_epsilon():
    for epsilon in (0.01, 1.0, 5.0, 30.0):
        after = risk(
            Posterior(), epsilon_nats=epsilon, hypothesis=ThresholdHypothesis(50, low=0, high=100)
        ).high
        assert math.log(after) - math.log1p(-after) == pytest.approx(epsilon / 2, rel=1e-6)


def test_accepting_always_is_best_up_to_twice_the_turning_point():
    """At even odds: log 2 for the two ends, twice that for an even value cut in the middle."""
    middle = ThresholdHypothesis(0.5, low=0.0, high=1.0)
    for epsilon, is_best in ((2 * math.log(2) - 1e-3, True), (2 * math.log(2) + 0.05, False)):
        best = risk(FScore(beta=1), epsilon_nats=epsilon, hypothesis=middle).high
        assert (best == pytest.approx(2 / 3, abs=1e-12)) is is_best


def test_a_value_at_the_threshold_does_not_lie_above_it():
    at = ThresholdHypothesis(0.5, low=0.0, high=1.0, values=(0.0, 0.5, 1.0))
    assert at.prior == pytest.approx(1 / 3)
    assert ThresholdHypothesis(
        0.49, low=0.0, high=1.0, values=(0.0, 0.5, 1.0)
    ).prior == pytest.approx(2 / 3)


def test_values_without_weight_change_nothing():
    with_them = ThresholdHypothesis(1, low=0, high=3, values=(0, 1, 2, 3), weights=(2, 0, 1, 0))
    without = ThresholdHypothesis(1, low=0, high=3, values=(0, 2), weights=(2, 1))
    for measure in MEASURES:
        ours, theirs = (
            risk(measure, epsilon_nats=1.3, hypothesis=each) for each in (with_them, without)
        )
        assert ours == theirs


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"threshold": 3, "low": 0, "high": 2}, "got 3"),
        ({"threshold": 2, "low": 0, "high": 2}, "below its upper end"),
        ({"threshold": 0, "low": 0, "high": 2}, "Raise it"),
        ({"threshold": math.nan, "low": 0, "high": 2}, "finite"),
        ({"threshold": 1, "low": 0, "high": 2, "weights": (1,)}, "must come with `values`"),
        ({"threshold": 1, "low": 0, "high": 2, "values": (0, 3)}, "range from 0 to 2"),
        ({"threshold": 1, "low": 0, "high": 2, "values": ()}, "one or more numbers"),
        ({"threshold": 1, "low": 0, "high": 2, "values": (0, 2), "weights": (1,)}, "2 numbers"),
        ({"threshold": 1, "low": 0, "high": 2, "values": (0, 2), "weights": (1, -1)}, "at least 0"),
        (
            {"threshold": 1, "low": 0, "high": 2, "values": (0, 1)},
            "got 1, which has all of them on one side",
        ),
        ({"threshold": 1, "low": 0, "high": 2, "values": (0, 2), "weights": (0, 1)}, "one side"),
    ],
)
def test_hypotheses_that_make_no_sense_are_refused(given, says):
    with pytest.raises(ConfigError, match=says):
        ThresholdHypothesis(**given)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"prior": 0.3}, "`prior` must be None for a hypothesis, .* got 0.3"),
        ({"answers": 2}, "and 2 answers"),
        ({"mechanism": "any"}, "got 'any'"),
        ({"mechanism": "discrete_laplace"}, "discrete_laplace"),
    ],
)
def test_what_goes_with_no_hypothesis_is_refused(given, says):
    with pytest.raises(ConfigError, match=says):
        risk(
            FScore(beta=1),
            **{
                "epsilon_nats": 1.0,
                "hypothesis": ThresholdHypothesis(0.5, low=0.0, high=1.0),
                **given,
            },
        )


def test_a_hypothesis_beside_a_mechanism_of_another_library_is_refused():
    with pytest.raises(ConfigError, match="must be a name for a hypothesis"):
        risk(
            Advantage(),
            mechanism=lambda epsilon: 0.0,
            hypothesis=ThresholdHypothesis(0.5, low=0.0, high=1.0),
        )


def test_no_prior_is_worse_than_the_two_ends_but_for_a_posterior_with_a_tail():
    rng = make_generator(8, "composite", "ends")
    larger = 0
    for _ in range(40):
        weights = rng.dirichlet(np.ones(5))
        values = np.concatenate(([0.0], np.sort(rng.uniform(0, 1, size=3)), [1.0]))
        inside = ThresholdHypothesis(
            float(values[2]), low=0.0, high=1.0, values=values, weights=weights
        )
        epsilon = float(np.exp(rng.uniform(-1, 2)))
        for measure in MEASURES:
            ours = risk(measure, epsilon_nats=epsilon, hypothesis=inside).high
            ends = risk(measure, epsilon_nats=epsilon, prior=inside.prior).high
            if measure != Posterior(0.3):
                assert ours <= ends + 1e-9
        tail = Posterior(0.99)
        larger += (
            risk(tail, epsilon_nats=epsilon, hypothesis=inside).high
            > risk(tail, epsilon_nats=epsilon, prior=inside.prior).high + 1e-6
        )
    assert larger > 20
