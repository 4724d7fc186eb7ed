"""Guarantees of the noiseless paper: plain loops, mutations, and formulas against counts."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from enumerations import GUARANTEES, sums_by_statement
from noiseless.papers.noiseless import guarantees
from noiseless.theory.finite import Relation


def test_budget_one_value_too_small_is_caught(monkeypatch):
    """A mutation of the code itself, not of the bound."""
    monkeypatch.setattr(
        guarantees,
        "compute_exp2_epsilon",
        lambda sizes, outputs, true=guarantees.compute_exp2_epsilon: max(
            1, true(sizes, outputs) - 1
        ),
    )
    pairs_alone = {**GUARANTEES, "universes": [], "random_universes": []}
    table = sums_by_statement(guarantees.build_theorem_table(**pairs_alone))
    assert table.loc["Theorem 6", "violations"] > 0


def test_quantizer_with_a_level_too_many_is_caught(monkeypatch):
    exact = guarantees.compute_exact_levels
    monkeypatch.setattr(guarantees, "compute_exact_levels", lambda *a, **k: exact(*a, **k) + 1)
    table = guarantees.build_levels_table(people=[2, 4], epsilon_bits=[1, 2, 3])
    assert (table.loc[table["statistic"] == "excess_exact", "value"] == 1).all()


def test_theorems_1_and_3_hold_as_plain_loops_count(guarantee_tallies):
    """All functions of a 2 x 2 and a 2 x 3 universe, in floats, with names of outputs as well."""
    cases = tests = 0
    for sizes in ((2, 2), (2, 3)):
        data = list(itertools.product(*map(range, sizes)))
        for outputs in itertools.product(range(len(data)), repeat=len(data)):
            if list(dict.fromkeys(outputs)) != list(range(len(set(outputs)))):
                continue
            f = dict(zip(data, outputs, strict=True))
            lines = [[f[x, y] for x in range(sizes[0])] for y in range(sizes[1])]
            lines += [[f[x, y] for y in range(sizes[1])] for x in range(sizes[0])]
            epsilon_bits = max(math.log2(len(set(line))) for line in lines)
            for line in lines:
                cases += 1
                assert math.log2(len(set(line))) <= epsilon_bits
                for one, other in itertools.combinations(line, 2):
                    for _ in itertools.product((0, 1), repeat=len({one, other})):
                        tests += 1
    random = guarantees.build_theorem_table(**{**GUARANTEES, "universes": []})
    random = sums_by_statement(random)
    for statement, expected in (("Theorem 1: L0(Y;Xi) <= epsilon", cases), ("Theorem 3", tests)):
        found = guarantee_tallies.loc[statement, "cases"] - random.loc[statement, "cases"]
        assert found == expected


def test_tests_and_letters_are_as_many_as_counted_by_hand():
    """Two outcomes with reports of their own: a test can be right at both."""
    facts = list(guarantees._enumerate_test_facts(2))
    assert ("Proposition 3", 2, 2) in facts
    assert all(left <= right for _, left, right in facts)
    identity = Relation.from_outcomes((0, 1), (0, 1))
    assert guarantees.compute_pair_leakage(identity) == 4
    assert [
        guarantees.compute_whole_bits(Fraction(each)) for each in (1, 2, 8, 3, Fraction(3, 2))
    ] == [
        *(0, 1, 3),
        *(None, None),
    ]


def test_leakage_is_not_the_same_in_both_directions():
    """Y tells X where it is b; X never tells Y."""
    relation = Relation(frozenset([(0, "a"), (1, "a"), (0, "b")]))
    assert relation.leakage == relation.transposed.leakage == 2
    wide = Relation(frozenset([(0, "a"), (1, "a"), (2, "a"), (0, "b")]))
    assert (wide.leakage, wide.transposed.leakage) == (3, 2)


def estimation(**settings):
    table = guarantees.build_estimation_table(
        **{"cells": [2, 3], "other_widths": [1, 0.1, 0.01], "shares_left": [1, 0.25], **settings}
    )
    return table.pivot(
        index=["statement", "moment", "other_width", "share_left"],
        columns="statistic",
        values="value",
    )


def test_the_mended_bounds_of_the_estimation_error_hold_and_are_attained():
    counts = estimation()
    true = ["sharp", "appendix", "conditional_range"]
    assert (counts.loc[true, "violations"] == 0).all()
    assert (counts.loc["sharp", "equalities"] > 0).all()
    assert (counts.loc["sharp", "violations_if_halved"] > 0).all()
    # Without the absolute value; and with a joint density that a thin range makes large.
    printed = counts.loc[("printed", 1, 1.0, 1.0)]
    assert printed["violations"] == printed["cases"]
    violations = counts["violations"]
    assert violations["absolute", 1, 1.0, 1.0] == 0
    assert violations["printed", 2, 1.0, 1.0] == 0
    assert violations["printed", 2, 0.01, 1.0] > 0
    assert violations["absolute", 1, 0.01, 1.0] > 0
    # With the length of all data, where the others' leave a quarter open.
    assert (violations["conditional"].xs(1.0, level="share_left") == 0).all()
    assert (violations["conditional"].xs(0.25, level="share_left") > 0).all()


def test_a_neighbour_within_a_distance_agrees_with_an_integral():
    """X1 within 1/8 of X2, in steps of a fine grid, under a constant output."""
    share, cells, weights = 0.25, 2, (1, 1)
    points = (np.arange(4000) + 0.5) / 4000 * share - share / 2
    error = np.mean(points**2)
    exact = guarantees.least_squared_error(weights, (0,) * cells) * Fraction(1, 16)
    assert float(exact) == pytest.approx(error, rel=1e-6)
    assert float(exact) == pytest.approx((share / 2) ** 2 / 3)
    # Equation 17 with the conditional density 1/share, all data's length 1, and epsilon near 0.
    assert 1 / share / 2**6 > error


def test_bounds_of_theorem_4_agree_with_their_formula():
    table = guarantees.build_bound_table(epsilon_bits=[1, 2])
    wide = table.pivot(index=["moment", "epsilon_bits"], columns="statistic", values="value")
    assert wide.loc[(2, 1.0)].to_dict() == {"printed": 2**-3 / 2**6, "sharp": 2**-2 / 12}
    assert (wide["sharp"] > 2 * wide["printed"]).all()


def test_levels_table_counts_what_the_formula_says():
    table = guarantees.build_levels_table(people=[1, 2, 3, 8], epsilon_bits=[1, 1.5, 2, 4])
    wide = table.pivot(index=["people", "epsilon_bits"], columns="statistic", values="value")
    for name in ("printed", "exact"):
        assert (wide[f"values_{name}"] == wide[f"values_{name}_counted"]).all()
    assert (wide["excess_exact"] <= 0).all()
    assert (wide["excess_one_more"] >= 1).all()
    assert (wide.loc[1, "excess_printed"] <= 0).all()
    assert wide.loc[(2, 1.0), "excess_printed"] == 1
