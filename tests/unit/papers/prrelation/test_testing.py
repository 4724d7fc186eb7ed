"""Which test is best, against linear programs, closed forms and a root search."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq, linprog
from scipy.stats import laplace

from noiseless.papers.prrelation import testing
from noiseless.papers.prrelation.section_3 import tests
from noiseless.papers.prrelation.section_5 import correlated
from noiseless.seeds import make_generator


def values(table, *keys):
    return table.set_index([*keys, "statistic"])["value"]


def test_the_likelihood_ratio_test_is_the_solution_of_the_linear_program():
    rng = make_generator(1, "test_testing", "linear program")
    for _ in range(20):
        present, absent = (
            testing.enumerate_distributions(4, 9)[k]
            for k in rng.integers(0, len(testing.enumerate_distributions(4, 9)), 2)
        )
        recall = float(rng.uniform(0.05, 0.95))
        found = linprog(
            [float(q) for q in absent],
            A_eq=[[float(p) for p in present]],
            b_eq=[recall],
            bounds=(0, 1),
        )
        own = testing.compute_min_false_alarm(recall, present, absent)
        assert float(own) == pytest.approx(found.fun, abs=1e-9)


def test_no_test_is_better_and_many_are_worse():
    made = tests.function(outputs=2, parts=4, prior_parts=5, mechanism_parts=3)
    assert len(made["independent"]) == 3 * 3 * (3**2 - 1)
    for cases in made.values():
        for each in cases:  # rates once more, by a plain loop
            recall, alarm = (
                sum(p * share for p, share in zip(shares, each.test, strict=True))
                for shares in (each.present, each.absent)
            )
            assert each.precision == recall / (recall + each.odds * alarm)
            assert each.precision <= each.best
        assert 0 < sum(each.precision < each.best for each in cases) < len(cases)


def test_the_rule_has_the_power_of_the_laplace_trade_off():
    """Recall at a false alarm rate, in three pieces."""
    table = testing.build_rule_table(epsilon_nats=[0.5, 2], false_alarm=[0.01, 0.2, 0.8], bins=50)
    found = values(table[table["noise"] == "laplace"], "epsilon_nats", "false_alarm")
    for budget, alpha in itertools.product((0.5, 2.0), (0.01, 0.2, 0.8)):
        e = math.exp(-budget)
        if alpha < e / 2:
            power = alpha / e
        else:
            power = 1 - e / (4 * alpha) if alpha <= 0.5 else 1 - e * (1 - alpha)
        psi = laplace.isf(alpha) / budget
        recall = laplace.sf((psi - 1) * budget)
        assert recall == pytest.approx(power, rel=1e-12)
        assert found[budget, alpha, "best_excess"] == pytest.approx(0, abs=1e-12)
        assert found[budget, alpha, "worst_excess"] < -1e-3
        assert found[budget, alpha, "integral_excess"] == pytest.approx(0, abs=1e-12)
        printed = 1 - math.exp(-psi * budget) / 2 if psi < 0 else math.exp(psi * budget) / 2
        assert found[budget, alpha, "printed_excess"] == pytest.approx(printed - alpha)
        assert found[budget, alpha, "complement_excess"] == pytest.approx(1 - 2 * alpha)


def test_the_epsilon_of_a_realistic_adversary_agrees_with_a_root_search():
    """An adversary who accepts answers in an interval; epsilon by bisection, not by quantiles."""
    budget, low, high = 1.5, 0.25, 1.0
    recall, false_alarm = (
        laplace.sf((low - d) * budget) - laplace.sf((high - d) * budget) for d in (1, 0)
    )

    def excess(epsilon):
        return laplace.sf(laplace.isf(recall) + epsilon) - false_alarm

    root = brentq(excess, -5, 5)
    bound = laplace.isf(false_alarm) - laplace.isf(recall)
    assert root == pytest.approx(bound, abs=1e-9)
    found = values(testing.build_realistic_table(epsilon_nats=[budget], points=13), "epsilon_nats")
    assert found[budget, "above"] == 0
    assert found[budget, "below"] > found[budget, "adversaries"] / 2
    assert found[budget, "largest_bound_nats"] == pytest.approx(budget)


def test_odds_of_equation_20_agree_with_arrays():
    """Every joint distribution once more, in floating-point numbers."""
    parts = 9
    joint = np.array(
        [c for c in itertools.product(range(1, parts), repeat=4) if sum(c) == parts], dtype=float
    ).reshape(-1, 2, 2)  # value, correlated record
    before = joint.sum(axis=2, keepdims=True) / parts
    given = joint / joint.sum(axis=1, keepdims=True)
    rho_p = 1 - before.min(axis=(1, 2)) / before.max(axis=(1, 2))
    rho_c = 1 - (before / given).min(axis=(1, 2))
    printed = 1 - rho_p - rho_c * (2 - rho_p)
    largest = (given / (1 - given)).max(axis=(1, 2))
    found = correlated.function(parts=parts)
    assert len(found) == len(joint)
    assert sum(each.odds_against <= 0 for each in found) == (printed <= 1e-12).sum()
    wrong = [each for each in found if each.odds_against != each.smallest_odds_against]
    assert len(wrong) == (np.abs(printed * largest - 1) > 1e-9).sum()
    assert not any(each.raises_likelier for each in wrong)
