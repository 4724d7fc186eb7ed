"""Curves and f-scores: exact identities, and the printed steps that hold."""

import pytest

from noiseless.adversaries.likelihood_ratio import SideKnowledge
from noiseless.papers.prrelation import curves
from prrelation_settings import BUDGETS, KNOWLEDGE
from wide_table import wide


def test_curves_and_f_scores_hold_what_the_adversary_module_says():
    table = curves.build_curve_table(**BUDGETS, knowledge=KNOWLEDGE, points=31)
    counts = table[table["statistic"] == "recall"].groupby(["mechanism", "knowledge"]).size() / 31
    assert counts.to_dict() == {
        ("laplace", "none"): 3,
        ("laplace", "time"): 3,
        ("gaussian_classical", "none"): 4,
        ("gaussian_analytic", "none"): 4,
        ("gaussian_printed", "none"): 4,
    }
    rates = wide(table, ["mechanism", "knowledge", "epsilon_nats", "delta", "false_alarm"])
    assert rates["recall"].between(0, 1).all()
    assert (rates.loc[("laplace", "time"), "precision_gain"] > 0).all()
    scores = curves.build_f_score_table(
        epsilon_nats=[0.1, 2.0], beta=[1.0, 2.0], delta=1e-5, knowledge=KNOWLEDGE
    )
    assert (scores.loc[scores["statistic"] == "search_minus_f_score", "value"].abs() < 1e-12).all()
    printed = scores[scores["statistic"] == "printed_minus_f_score"].set_index(
        ["knowledge", "beta", "epsilon_nats"]
    )["value"]
    assert (printed["none"].abs() < 1e-12).all()
    assert printed["time", 1.0, 2.0] < -0.1


def test_thresholds_show_which_printed_steps_hold():
    table = wide(
        curves.build_threshold_table(epsilon_nats=[0.1, 2.0], false_alarm=[0.01, 0.3, 0.5, 0.8]),
        ["epsilon_nats", "false_alarm"],
    )
    for name in ("false_alarm_excess", "recall_excess"):
        assert table[name].abs().max() < 1e-12, name
    assert (table.loc[0.1, "recall_printed"] < 0).any()
    # The printed formula for psi of 1 and more is right there: it differs below, where psi is 0.
    above = table[table["threshold"] >= 1]
    assert above["threshold"].between(1, 2).any()
    assert above["recall_printed"].tolist() == pytest.approx(above["recall"].tolist())


def test_the_last_coefficient_is_taken_away_first():
    known = SideKnowledge(rho_p=0.2, rho_c=0.1, rho_t=0.1)
    steps = [known]
    for _ in range(3):
        steps.append(curves.drop_last_coefficient(steps[-1]))
    assert [(each.rho_p, each.rho_c, each.rho_t) for each in steps] == [
        (0.2, 0.1, 0.1),
        (0.2, 0.1, 0.0),
        (0.2, 0.0, 0.0),
        (0.0, 0.0, 0.0),
    ]
    assert curves.drop_last_coefficient(steps[-1]) == steps[-1]
