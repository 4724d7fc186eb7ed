"""Privacy losses of other libraries: against the closed forms that they stand for."""

import math

import numpy as np
import opendp.prelude as dp
import pytest
from scipy.stats import norm

from noiseless.accounting.epsilon import (
    Accuracy,
    Advantage,
    FScore,
    Posterior,
    TruePositives,
    build_risk_table,
    choose_epsilon,
    risk,
)
from noiseless.accounting.exchange import ProfileLoss, build_peer_loss
from noiseless.accounting.privacy_loss import (
    LaplaceLoss,
    NormalLoss,
    build_laplace_loss,
    build_worst_loss,
)
from noiseless.errors import ConfigError
from opendp_space import SPACE

MEASURES = [FScore(), Advantage(), TruePositives(0.05), Accuracy(), Posterior(tail=0.01)]


def laplace(scale=1.0):
    return dp.m.make_laplace(*SPACE, scale=scale)


def gaussian(scale=1.0):
    return dp.m.make_gaussian(*SPACE, scale=scale)


@pytest.mark.parametrize(
    "curve", [LaplaceLoss(0.8), NormalLoss(1.3), build_worst_loss(0.4, 1e-6, 5)]
)
@pytest.mark.parametrize("measure", MEASURES)
def test_a_profile_says_what_the_curve_says(curve, measure):
    """From above, and hardly more: a profile holds all that a symmetric pair has."""
    profile = ProfileLoss(lambda epsilon: curve.compute_delta(epsilon).high)
    for odds in (0.5, 1.0, 3.0):
        exact, found = measure.evaluate(curve, odds), measure.evaluate(profile, odds)
        assert found.high >= exact.high - 1e-9
        if not isinstance(measure, Posterior):  # Markov's inequality, which is not tight
            assert found.high <= exact.high + 1e-5
        assert found.low <= exact.low + 1e-12


def test_the_largest_loss_of_a_profile_is_found():
    profile = ProfileLoss(
        lambda epsilon: LaplaceLoss(0.8).compute_delta(epsilon).high, max_nats=0.8
    )
    assert (
        profile.compute_loss_quantile(0.0).high == profile.compute_loss_quantile(1e-9).high == 0.8
    )
    normal = ProfileLoss(lambda epsilon: NormalLoss(1.0).compute_delta(epsilon).high)
    assert normal.compute_loss_quantile(0.0).high == math.inf
    for tail in (0.3, 0.01, 1e-6):
        exact = 0.5 + norm.isf(tail)
        assert exact <= normal.compute_loss_quantile(tail).high <= exact + 1.5
    assert normal.profile(60.0) == 0  # too small for a float, and still no bound of the loss
    nothing = ProfileLoss(lambda epsilon: max(0.0, -math.expm1(epsilon)))  # the loss is always 0
    assert nothing.compute_loss_quantile(0.5).high == 0.0


@pytest.mark.parametrize("measure", MEASURES[:4])
def test_an_opendp_measurement_of_pure_privacy_is_accepted(measure):
    """As any mechanism of its epsilon, which is not less than Laplace noise itself."""
    epsilon = laplace(2.0).map(3.0)
    found = risk(measure, mechanism=laplace(2.0), d_in=3.0, answers=4)
    assert found.high == measure.evaluate(build_worst_loss(epsilon, answers=4), 1.0).high
    assert found.low == pytest.approx(measure.evaluate(LaplaceLoss(0.0), 1.0).high, rel=1e-12)
    own = measure.evaluate(build_laplace_loss(1.5, 4), 1.0)
    assert found.high >= own.low


def test_opendp_measurements_are_taken_by_what_they_measure():
    """Zero-concentrated, a profile, and epsilon with delta: looser, and never below the truth."""
    exact = risk(Advantage(), epsilon_nats=1.0, mechanism="gaussian_analytic", delta=0.12693674)
    assert exact.high == pytest.approx(2 * norm.cdf(0.5) - 1, abs=1e-6)  # a sigma of 1
    concentrated = gaussian(1.0)
    profile = dp.c.make_zCDP_to_approxDP(concentrated)
    fixed = dp.c.make_fix_delta(profile, 1e-5)
    found = [
        risk(Advantage(), mechanism=each, d_in=1.0).high for each in (concentrated, profile, fixed)
    ]
    assert all(each >= exact.high for each in found)
    assert found[0] < 0.6
    assert found[0] == pytest.approx(found[1], abs=0.02)
    two = risk(Advantage(), mechanism=concentrated, d_in=1.0, answers=2).high
    assert two == pytest.approx(
        risk(Advantage(), mechanism=gaussian(math.sqrt(0.5)), d_in=1.0).high
    )


class Distribution:
    """What dp-accounting's privacy loss distributions answer, of Laplace noise."""

    def __init__(self, answers=1):
        self.answers = answers

    def get_delta_for_epsilon(self, epsilon):
        return np.float64(build_laplace_loss(0.5, self.answers).compute_delta(epsilon).high)

    def get_epsilon_for_delta(self, delta):
        assert delta == 0
        return 0.5 * self.answers

    def self_compose(self, answers):
        return Distribution(self.answers * answers)


def test_the_risk_of_a_privacy_loss_distribution_is_that_of_its_epsilon():
    for answers in (1, 6):
        found = risk(Advantage(), mechanism=Distribution(), answers=answers)
        exact = risk(Advantage(), epsilon_nats=0.5, answers=answers)
        assert found.high == pytest.approx(exact.high, abs=1e-12)
        assert found.low == 0
        most = risk(Posterior(), mechanism=Distribution(), answers=answers)
        assert most.high == pytest.approx(1 / (1 + math.exp(-0.5 * answers)), abs=1e-12)


def test_the_least_noise_of_another_library_is_found():
    chosen = choose_epsilon(FScore(), 0.9, mechanism=laplace, d_in=1.0)
    own = choose_epsilon(FScore(), 0.9, mechanism="any")
    assert chosen.epsilon_nats == pytest.approx(own.epsilon_nats, rel=1e-6)
    assert chosen.noise == pytest.approx(1 / own.epsilon_nats, rel=1e-6)
    normal = choose_epsilon(Advantage(), 0.2, mechanism=gaussian, d_in=1.0)
    assert normal.is_feasible
    assert normal.epsilon_nats == math.inf
    assert risk(Advantage(), mechanism=gaussian(normal.noise), d_in=1.0).high <= 0.2
    assert risk(Advantage(), mechanism=gaussian(0.99 * normal.noise), d_in=1.0).high > 0.2


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"mechanism": laplace()}, "must be given for an OpenDP measurement, .* got None"),
        (
            {"mechanism": Distribution(), "d_in": 1.0},
            "for an OpenDP measurement, and for nothing else, got 1.0",
        ),
        ({"mechanism": laplace(), "d_in": 1.0, "epsilon_nats": 1.0}, "Leave epsilon_nats out"),
        ({"mechanism": laplace(), "d_in": 1.0, "delta": 0.1}, "Leave delta out"),
        ({"mechanism": 3}, "got int"),
        ({"mechanism": lambda epsilon: 0.0, "answers": 2}, "Compose the answers in the library"),
        ({}, "`epsilon_nats` must be given"),
        ({"epsilon_nats": 1.0, "d_in": 1.0}, "`d_in` must not"),
    ],
)
def test_what_does_not_go_together(asked, said):
    with pytest.raises(ConfigError, match=said):
        risk(Advantage(), **asked)


def test_choose_epsilon_refuses_arguments_that_do_not_fit_together():
    with pytest.raises(
        ConfigError, match="a function from an amount of noise to a mechanism, got int"
    ):
        choose_epsilon(Advantage(), 0.2, mechanism=3)
    with pytest.raises(ConfigError, match="`d_in` must be None"):
        choose_epsilon(Advantage(), 0.2, d_in=1.0)
    with pytest.raises(ConfigError, match="Leave delta out"):
        choose_epsilon(Advantage(), 0.2, mechanism=laplace, d_in=1.0, delta=0.1)


def test_an_unknown_measure_of_privacy_is_refused():
    class Other:
        output_measure = "RenyiDivergence"

        def map(self, d_in):
            return d_in

    with pytest.raises(ConfigError, match="got RenyiDivergence"):
        build_peer_loss(Other(), d_in=1.0)


def test_a_table_for_a_slider():
    measures = {"F-score": FScore(), "advantage": Advantage()}
    table = build_risk_table(measures, epsilon_nats=[0.1, 1.0, 3.0], answers=2, prior=0.3)
    assert len(table) == 6
    for row in table.itertuples():
        measure = measures[row.measure]
        found = risk(measure, epsilon_nats=row.epsilon_nats, answers=2, prior=0.3)
        assert (row.low, row.high) == (found.low, found.high)
        assert f"{row.high:.3g} at most" in row.says
    assert set(table.loc[table["measure"] == "advantage", "floor"]) == {0.0}
    with pytest.raises(ConfigError, match="`measures` must have one or more"):
        build_risk_table({}, epsilon_nats=[1.0])


UPPER_GUARANTEES = {
    "pure": (laplace(1.0), LaplaceLoss(1.0)),
    "zero-concentrated": (gaussian(1.0), NormalLoss(1.0)),
    "profile": (dp.c.make_zCDP_to_approxDP(gaussian(1.0)), NormalLoss(1.0)),
    "one delta": (
        dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(gaussian(1.0)), delta=1e-6),
        NormalLoss(1.0),
    ),
}


@pytest.mark.parametrize("name", UPPER_GUARANTEES)
@pytest.mark.parametrize("prior", [0.5, 0.05])
@pytest.mark.parametrize("measure", MEASURES)
def test_an_upper_guarantee_leaves_the_truth_between_its_ends(name, prior, measure):
    """The lower end is the risk from who sees nothing, whatever the guarantee is."""
    measurement, truth = UPPER_GUARANTEES[name]
    found = risk(measure, mechanism=measurement, d_in=1.0, prior=prior)
    exact = measure.evaluate(truth, (1 - prior) / prior)
    unseen = measure.evaluate(LaplaceLoss(0.0), (1 - prior) / prior)
    assert found.low <= exact.low * (1 + 1e-12)
    assert exact.high <= found.high * (1 + 1e-12)
    assert found.low == pytest.approx(unseen.low, rel=1e-9)


@pytest.mark.parametrize("delta", [math.nan, -1e-9])
def test_a_profile_that_is_no_delta_is_refused(delta):
    for measure in MEASURES:
        with pytest.raises(ConfigError, match="the privacy profile is"):
            risk(measure, mechanism=lambda epsilon: delta)
    with pytest.raises(ConfigError, match="largest loss"):
        ProfileLoss(lambda epsilon: 0.0, max_nats=math.nan)
