"""The choice of epsilon for a bound: exact fractions, searches, and bad input."""

import numpy as np
import pytest

from noiseless.accounting.epsilon import FScore, choose_epsilon
from noiseless.adversaries.likelihood_ratio import (
    SideKnowledge,
    compute_f_score,
    compute_gaussian_test_rates,
    maximise_laplace_f_score,
)
from noiseless.mechanisms.families.gaussian import compute_analytic_sigma
from noiseless.papers.prrelation import curves
from noiseless.papers.prrelation.choice import (
    build_choice_table,
    build_meaning_table,
    list_bounds,
)
from prrelation_settings import KNOWLEDGE
from wide_table import wide


@pytest.mark.parametrize("known", KNOWLEDGE.values())
@pytest.mark.parametrize("bound", [0.83, 0.9, 0.97])
def test_chosen_noise_leaves_exactly_the_bound_to_the_best_threshold(bound, known):
    odds = curves.SideKnowledge(**known).odds_against
    choice = choose_epsilon(FScore(1), bound, prior=SideKnowledge(**known).probability)
    assert maximise_laplace_f_score(
        choice.epsilon_nats, beta=1, odds_against=odds
    ) == pytest.approx(bound)
    assert choice.noise == pytest.approx(1 / choice.epsilon_nats)
    for mechanism, calibrate in (
        ("gaussian_classical", curves.compute_classical_sigma),
        ("gaussian_analytic", compute_analytic_sigma),
    ):
        choice = choose_epsilon(
            FScore(1),
            bound,
            mechanism=mechanism,
            delta=1e-5,
            prior=SideKnowledge(**known).probability,
        )
        sigma = calibrate(sensitivity=1, epsilon_nats=choice.epsilon_nats, delta=1e-5)
        assert sigma == pytest.approx(choice.noise, rel=1e-9)
        ratios = np.linspace(-30, 30, 200_001)
        every = compute_f_score(
            *compute_gaussian_test_rates(ratios, 1 / sigma), beta=1, odds_against=odds
        )
        assert every.max() == pytest.approx(bound, abs=1e-8)


def test_bounds_are_those_of_table1_and_of_a_logarithmic_axis_in_order():
    more = [0.56 * (0.99 / 0.56) ** share for share in (0, 0.25, 0.5, 0.75, 1)]
    printed = [0.55, 0.58, 0.62, 0.67, 0.76, 0.83, 0.9, 0.95]
    assert list_bounds(5) == pytest.approx(sorted([*printed, *more]), rel=1e-14)


def test_choice_table_has_an_epsilon_wherever_the_bound_is_kept():
    table = build_choice_table(beta=[1], f_score=[0.6, 0.9], deltas=[1e-5], knowledge=KNOWLEDGE)
    rows = wide(table, ["mechanism", "delta", "knowledge", "beta", "f_score"])
    assert len(rows) == 3 * 2 * 2
    assert (rows["kept"] == rows["epsilon_nats"].notna()).all()
    assert set(rows.index[rows["kept"] == 1].get_level_values("f_score")) == {0.9}
    epsilon_nats = rows["epsilon_nats"].xs(0.9, level="f_score")
    assert (
        epsilon_nats.xs("time", level="knowledge") < epsilon_nats.xs("none", level="knowledge")
    ).all()


def test_meaning_lies_between_its_two_numbers_and_grows_with_epsilon_and_answers():
    table = build_meaning_table(
        epsilon_nats=[0.1, 0.5], answers=[1, 10], prior=[0.01, 0.5], delta=1e-5
    )
    cell = ["mechanism", "delta", "answers", "prior", "epsilon_nats"]
    assert len(table) == 5 * 2 * 2 * 2 * 6
    measured = table[table["statistic"] != "epsilon_total_nats"]
    assert (measured["low"] <= measured["value"]).all()
    assert (measured["value"] == measured["high"]).all()
    rows = wide(table, cell)
    for level in ("epsilon_nats", "answers", "prior"):
        less, more = (rows.xs(each, level=level) for each in sorted(table[level].unique()))
        assert (more["posterior"] >= less["posterior"]).all()
    worst = rows.xs("any", level="mechanism").droplevel("delta")
    laplace = rows.xs("laplace", level="mechanism").droplevel("delta")
    assert (worst["advantage"] >= laplace["advantage"] - 1e-9).all()
    ten = laplace.loc[(10, 0.5)]["epsilon_total_nats"]
    assert ten.tolist() == [1.0, 5.0]
