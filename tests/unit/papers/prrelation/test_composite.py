"""Values above a threshold: the experiment's own steps, by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.prrelation import composite


def test_the_best_test_may_be_no_threshold():
    # Three bins; the middle one has the largest ratio, so that a threshold is not best.
    above, below = np.array([0.2, 0.6, 0.2]), np.array([0.4, 0.2, 0.4])
    detected, alarms, gain = composite._find_best_tests(above, below)
    np.testing.assert_allclose(detected, [0, 0.6, 0.8, 1])
    np.testing.assert_allclose(alarms, [0, 0.2, 0.6, 1])
    # With the threshold between the last two bins: alarms 0.4, detected 0.2 against 0.7.
    assert gain == pytest.approx(0.5)
    assert composite._count_falls(above, below) == 1


def test_orders_of_answers_are_those_computed_by_hand():
    table = composite.build_answer_order_table().pivot(
        index="setting", columns="statistic", values="value"
    )
    assert (table.loc[["one Laplace answer", "one Gaussian answer", "two Gaussian answers"],
                      ["falls", "reversed"]] == 0).all(axis=None)  # fmt: skip
    assert (table.loc[["two Laplace answers", "one staircase answer", "a query that falls"],
                      "falls"] > 0).all()  # fmt: skip

    def log_ratio(answers, below):
        return sum(abs(y - below) - abs(y - 2) for y in answers)

    one, other = (Fraction(3), Fraction(0)), (Fraction(3, 2), Fraction(7, 5))
    assert log_ratio(one, 1) == 0
    assert log_ratio(other, 1) == Fraction(-1, 5)
    assert log_ratio(one, 0) == 0
    assert log_ratio(other, 0) == Fraction(9, 5)


def test_the_ratio_of_laplace_densities_rises_and_falls_again():
    def density(z):
        return math.exp(-abs(z)) / 2

    ratios = [density(y - 1) / ((density(y) + density(y - 2)) / 2) for y in (-5.0, 1.0, 7.0)]
    assert ratios == pytest.approx([0.648, 2.718, 0.648], abs=1e-3)


def test_uniform_values_reach_the_formula():
    table = composite.build_uniform_table().pivot_table(
        index=["share", "epsilon_nats"], columns="statistic", values="value"
    )
    np.testing.assert_allclose(table["factor_nats"], table["formula_nats"], rtol=1e-9)
    assert (table["f1"] <= table["f1_ends"] + 1e-12).all()
    # From a draft that searched 6,001 thresholds of its own.
    assert table.loc[(0.5, 8.0), ["f1", "f1_ends"]].tolist() == pytest.approx(
        [0.8782, 0.9908], abs=1e-4
    )
