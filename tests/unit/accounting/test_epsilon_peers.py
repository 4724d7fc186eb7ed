"""What an epsilon means, beside two libraries that can answer some of the same questions.

They need packages that are not in the project's environment; `make peers` installs them, and runs
these tests.
"""

import math

import numpy as np
import pytest

from noiseless.accounting.epsilon import Advantage, TruePositives, choose_epsilon, risk
from noiseless.accounting.privacy_loss import build_discrete_gaussian_loss
from noiseless.mechanisms.families.gaussian import compute_analytic_sigma

pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
riskcal = pytest.importorskip("riskcal")

STEP = 1e-4


def distribution(mechanism: str, epsilon_nats: float, answers: int):
    """Of dp-accounting, which rounds losses up to multiples of a step."""
    match mechanism:
        case "laplace":
            one = pld.from_laplace_mechanism(1 / epsilon_nats, value_discretization_interval=STEP)
        case "gaussian_analytic":
            sigma = compute_analytic_sigma(sensitivity=1, epsilon_nats=epsilon_nats, delta=1e-5)
            one = pld.from_gaussian_mechanism(sigma, value_discretization_interval=STEP)
        case "discrete_laplace":
            one = pld.from_discrete_laplace_mechanism(
                epsilon_nats, value_discretization_interval=STEP
            )
        case "any":
            one = pld.from_privacy_parameters(
                pld.common.DifferentialPrivacyParameters(epsilon_nats, 1e-5),
                value_discretization_interval=STEP,
            )
    return one.self_compose(answers) if answers > 1 else one


CASES = [
    ("laplace", 1, 1.0, None),
    ("laplace", 10, 0.3, None),
    ("laplace", 50, 0.1, None),
    ("gaussian_analytic", 1, 1.0, 1e-5),
    ("gaussian_analytic", 10, 1.0, 1e-5),
    ("discrete_laplace", 1, 0.7, None),
    ("discrete_laplace", 10, 0.2, None),
    ("any", 5, 0.5, 1e-5),
]


@pytest.mark.parametrize(("mechanism", "answers", "epsilon_nats", "delta"), CASES)
def test_risk_agrees_with_dp_accounting_and_riskcal(mechanism, answers, epsilon_nats, delta):
    theirs = distribution(mechanism, epsilon_nats, answers)
    asked = {"mechanism": mechanism, "answers": answers, "delta": delta}
    # They round each loss up by less than a step; the loss of several answers by less than this.
    allowed = answers * STEP + 1e-6
    advantage = risk(Advantage(), epsilon_nats=epsilon_nats, **asked)
    for value in (
        theirs.get_delta_for_epsilon(0.0),
        riskcal.analysis.get_advantage_from_pld(theirs),
    ):
        assert advantage.low - 1e-6 <= value <= advantage.high + allowed
    for alarm in (0.01, 0.1, 0.5):
        found = risk(TruePositives(alarm), epsilon_nats=epsilon_nats, **asked)
        log_ratios = np.linspace(0, answers * epsilon_nats + 1, 2001)
        deltas = np.array(theirs.get_delta_for_epsilon(log_ratios))
        envelope = float((deltas + np.exp(log_ratios) * alarm).min())
        assert found.low - 1e-6 <= envelope + 1e-12
        if alarm < 0.1:
            assert envelope <= found.high + allowed + 1e-3
        # Of a single answer of two outputs riskcal 1.5.1 says 0.668 where it is 0.020.
        if (mechanism, answers) != ("discrete_laplace", 1):
            value = 1 - float(riskcal.analysis.get_beta_from_pld(theirs, alpha=alarm))
            assert found.low - 1e-4 <= value <= found.high + allowed


def test_discrete_gaussian_noise_agrees_with_dp_accounting():
    theirs = pld.from_discrete_gaussian_mechanism(2.5, value_discretization_interval=STEP)
    for answers in (1, 8):
        composed = theirs.self_compose(answers) if answers > 1 else theirs
        curve = build_discrete_gaussian_loss(2.5, answers)
        for epsilon_nats in (0.0, 0.5, 1.5):
            value = composed.get_delta_for_epsilon(epsilon_nats)
            found = curve.compute_delta(epsilon_nats)
            assert found.low - 1e-6 <= value <= found.high + answers * STEP


def test_the_noise_for_an_advantage_agrees_with_riskcal():
    for bound in (0.05, 0.2, 0.5):
        ours = choose_epsilon(Advantage(), bound, mechanism="gaussian_analytic", delta=1e-5)
        assert riskcal.analysis.get_advantage_from_gdp(1 / ours.noise) == pytest.approx(bound)
        worst = choose_epsilon(Advantage(), bound, mechanism="any")
        theirs = riskcal.analysis.get_advantage_from_adp(worst.epsilon_nats, 0.0)
        assert theirs == pytest.approx(bound, abs=1e-8)
        assert math.isnan(worst.noise)
