"""Privacy accounting against dp-accounting, riskcal and OpenDP.

Each peer does the same task with its default settings.  dp-accounting, which riskcal builds upon,
gives upper bounds from losses on a grid of :data:`STEP`; this project's numbers have bounds on both
sides.
"""

import math

import dp_accounting.pld.privacy_loss_distribution as pld
import numpy as np
import opendp.prelude as dp
import riskcal
from comparison import Comparison
from peers import DP_ACCOUNTING, OPENDP, RISKCAL

from noiseless.accounting.baselines import count_optimal_queries, count_zcdp_queries
from noiseless.accounting.epsilon import Advantage, TruePositives, choose_epsilon
from noiseless.accounting.privacy_loss import build_laplace_loss
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.interface import Domain
from opendp_space import count_filter_queries

EPSILON_NATS, ANSWERS, FALSE_ALARM = 0.1, 50, 0.01
BUDGET_NATS, DELTA = 5.0, 1e-5
STEP = 1e-4  # dp-accounting's default
THRESHOLDS_NATS = (0.0, 0.5, 1.0, 2.0, 3.0)
NUMBERS, SCALE = 20_000, 2.0


def compose_laplace():
    one = pld.from_laplace_mechanism(1 / EPSILON_NATS, value_discretization_interval=STEP)
    return one.self_compose(ANSWERS)


def lie_within(theirs, ours):
    """Upper bounds that connect the dots exceed a probability by the square of the step at most."""
    for value, bounds in zip(theirs, ours, strict=True):
        assert bounds.low - 1e-9 <= value <= bounds.high + ANSWERS * STEP**2, (value, bounds)


def comparisons():
    yield from compare_composition()
    yield from compare_risks()
    yield from compare_with_opendp()


def compare_composition():
    def ours():
        curve = build_laplace_loss(EPSILON_NATS, ANSWERS)
        return [curve.compute_delta(threshold) for threshold in THRESHOLDS_NATS]

    yield Comparison(
        name=f"deltas of {ANSWERS} Laplace answers at 5 epsilons, both bounds; dp-accounting",
        baseline=lambda: compose_laplace().get_delta_for_epsilon(THRESHOLDS_NATS),
        ours=ours,
        agree=lie_within,
        peer=DP_ACCOUNTING,
    )

    def with_distributions():
        one = pld.from_randomized_response(
            2 / (1 + math.exp(EPSILON_NATS)), 2, value_discretization_interval=STEP
        )
        accepted, beyond = 1, 256
        while beyond - accepted > 1:
            middle = (accepted + beyond) // 2
            if one.self_compose(middle).get_delta_for_epsilon(BUDGET_NATS) <= DELTA:
                accepted = middle
            else:
                beyond = middle
        return accepted

    def nearly_equal(theirs, own):
        assert own - 1 <= theirs <= own, (theirs, own)  # it rounds losses up

    yield Comparison(
        name=f"queries of {EPSILON_NATS} nats within ({BUDGET_NATS:g}, 1e-5); dp-accounting",
        baseline=with_distributions,
        ours=lambda: count_optimal_queries(EPSILON_NATS, BUDGET_NATS, DELTA),
        agree=nearly_equal,
        peer=DP_ACCOUNTING,
    )


def compare_risks():
    def with_riskcal():
        composed = compose_laplace()
        beta = riskcal.analysis.get_beta_from_pld(composed, alpha=FALSE_ALARM)
        return riskcal.analysis.get_advantage_from_pld(composed), 1 - float(beta)

    def ours():
        curve = build_laplace_loss(EPSILON_NATS, ANSWERS)
        return [each.evaluate(curve, 1.0) for each in (Advantage(), TruePositives(FALSE_ALARM))]

    yield Comparison(
        name=f"advantage and true positives of {ANSWERS} Laplace answers, both bounds; riskcal",
        baseline=with_riskcal,
        ours=ours,
        agree=lie_within,
        peer=RISKCAL,
    )

    bound, answers = 0.1, 10

    def calibrate():
        return riskcal.calibration.find_noise_multiplier_for_advantage_dpsgd(
            advantage=bound, sample_rate=1.0, num_steps=answers
        )

    def choose():
        asked = {"mechanism": "gaussian_analytic", "answers": answers, "delta": DELTA}
        return choose_epsilon(Advantage(), bound, **asked).noise

    yield Comparison(
        name=f"noise of {answers} Gaussian answers for an advantage of {bound}; riskcal",
        baseline=calibrate,
        ours=choose,
        # It stops within 1e-3 of the advantage, which falls nearly as 1 / noise.
        agree=lambda theirs, own: np.testing.assert_allclose(theirs, own, rtol=1e-3 / bound),
        peer=RISKCAL,
    )


def compare_with_opendp():
    def nearly_equal(theirs, own):
        assert own - 1 <= theirs <= own, (theirs, own)  # it rounds sums up

    yield Comparison(
        name=f"queries of {EPSILON_NATS} nats in a zCDP filter of ({BUDGET_NATS:g}, 1e-5); OpenDP",
        baseline=lambda: count_filter_queries(EPSILON_NATS, BUDGET_NATS, DELTA),
        ours=lambda: count_zcdp_queries(EPSILON_NATS, BUDGET_NATS, DELTA),
        agree=nearly_equal,
        peer=OPENDP,
    )

    values, rng = np.zeros(NUMBERS), np.random.default_rng(1)
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
    theirs = dp.m.make_laplace(*space, scale=SCALE)
    own = LaplaceMechanism(Domain((0.0,), (1.0,)), SCALE)

    def are_alike(one, other):
        """Check the guarantees, and the mean distance from the values, which is the scale."""
        guarantee = own.compute_guarantee(1.0).epsilon_nats
        np.testing.assert_allclose(theirs.map(d_in=1.0), guarantee, rtol=1e-9)
        for noise in (one, other):
            error = abs(np.abs(noise).mean() / SCALE - 1)
            assert error < 6 / math.sqrt(NUMBERS), error  # six standard errors

    yield Comparison(
        name=f"Laplace noise on {NUMBERS:,} numbers, floating-point; OpenDP, exact",
        baseline=lambda: np.array(theirs(values.tolist())),
        ours=lambda: own.release(values[:, None], rng=rng),
        agree=are_alike,
        peer=OPENDP,
    )
