"""What knowing the odds is worth: against counted tests, and the paper's closed forms."""

import math

import numpy as np
import pytest

from noiseless.adversaries.likelihood_ratio import (
    SideKnowledge,
    compute_believed_f_score,
    compute_f_score,
    compute_laplace_rates,
    maximise_laplace_f_score,
)
from noiseless.papers.prrelation import knowledge
from noiseless.papers.prrelation.curves import KNOWLEDGE

PRIOR = {"prior": {"rho_p": 0.2}}


def values(table, *index):
    return table.set_index([*index, "statistic"])["value"]


def test_the_numbers_of_the_proof_are_those_computed():
    table = knowledge.build_worth_table(epsilon_nats=[0.5, 1, 2, 5], beta=[1], knowledge=PRIOR)
    found = values(table, "sensitive", "epsilon_nats")
    for epsilon, even, uninformed, informed, share in (
        (0.5, 0.6667, 0.7143, 0.7143, 0),
        (1, 0.7098, 0.7374, 0.7382, 0.029),
        (2, 0.8191, 0.8370, 0.8377, 0.037),
        (5, 0.9590, 0.9631, 0.9633, 0.049),
    ):
        at = found["likelier", epsilon]
        assert at["even"] == pytest.approx(even, abs=5e-5)
        assert at["uninformed"] == pytest.approx(uninformed, abs=5e-5)
        assert at["informed"] == pytest.approx(informed, abs=5e-5)
        assert at["knowledge_share"] == pytest.approx(share, abs=5e-4)
    assert found["rarer", 1, "informed"] == pytest.approx(0.6789, abs=5e-5)


def test_the_share_is_largest_just_above_log_2():
    above = math.log(2) * (1 + 1e-9)
    table = knowledge.build_worth_table(
        epsilon_nats=[above, *np.geomspace(0.01, 10, 400)], beta=[1], knowledge=PRIOR
    )
    shares = table[(table["statistic"] == "knowledge_share")]
    at = shares.loc[shares["value"].idxmax()]
    assert at["epsilon_nats"] == above
    assert at["value"] == pytest.approx((1 / 1.4 - 1.5 / 2.15) / (1 / 1.4 - 2 / 3), rel=1e-6)


@pytest.mark.parametrize("odds", [0.3, 0.8, 1.7])
@pytest.mark.parametrize("believed", [0.4, 1.0, 2.5])
def test_the_test_of_a_belief_is_found_by_looking(odds, believed):
    """Of a fine grid of thresholds, the best one for the belief, rated at the true odds."""
    psi = np.linspace(-30, 31, 2_000_001)
    rates = compute_laplace_rates(psi, 1.5)
    best = compute_f_score(*rates, beta=1, odds_against=believed).argmax()
    looked = compute_f_score(*(rate[best] for rate in rates), beta=1, odds_against=odds)
    found = compute_believed_f_score(1.5, beta=1, odds_against=odds, believed_odds_against=believed)
    assert found == pytest.approx(looked, abs=1e-4)
    assert found <= maximise_laplace_f_score(1.5, beta=1, odds_against=odds) + 1e-12


def test_at_equal_recall_knowledge_is_worth_nothing_and_the_world_something():
    table = knowledge.build_equal_recall_table(epsilon_nats=[0.1, 1, 4], recalls=5, knowledge=PRIOR)
    assert len(table) == 2 * 3 * 5 * 2
    gains = table.groupby(["sensitive", "statistic"])["value"]
    for sensitive in knowledge.ODDS_POWERS:
        assert abs(gains.get_group((sensitive, "knowledge_gain"))).max() < 1e-12
    assert gains.get_group(("likelier", "world_gain")).min() > 0
    assert gains.get_group(("rarer", "world_gain")).max() < 0


def test_precision_for_the_rarer_value_falls_by_what_the_formula_says():
    """1/(1 + t) - 1/(1 + w t) is largest at t = 1/sqrt(w): (sqrt(w) - 1)/(sqrt(w) + 1)."""
    table = knowledge.build_equal_recall_table(epsilon_nats=np.geomspace(0.01, 10, 31), recalls=5)
    rarer = table[(table["sensitive"] == "rarer") & (table["statistic"] == "world_gain")]
    for name, worst in rarer.groupby("knowledge")["value"].min().items():
        root = np.sqrt(1 / SideKnowledge(**KNOWLEDGE[name]).odds_against)
        assert worst == pytest.approx(-(root - 1) / (root + 1), abs=1e-4)
        assert worst >= -(root - 1) / (root + 1) - 1e-12
