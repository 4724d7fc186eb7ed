"""Guarantees of the noiseless paper: plain loops, mutations, and formulas against counts."""

import itertools
import math

from enumerations import GUARANTEES, sums_by_statement
from noiseless.experiments.noiseless import guarantees


def test_budget_one_value_too_small_is_caught(monkeypatch):
    """A mutation of the code itself, not of the bound."""
    monkeypatch.setattr(
        guarantees,
        "values_kept",
        lambda sizes, outputs, true=guarantees.values_kept: max(1, true(sizes, outputs) - 1),
    )
    pairs_alone = {**GUARANTEES, "universes": [], "random_universes": []}
    table = sums_by_statement(guarantees.guarantees_table(**pairs_alone))
    assert table.loc["Theorem 6", "violations"] > 0


def test_quantizer_with_a_level_too_many_is_caught(monkeypatch):
    exact = guarantees.exact_levels
    monkeypatch.setattr(guarantees, "exact_levels", lambda *a, **k: exact(*a, **k) + 1)
    table = guarantees.levels_table(people=[2, 4], epsilon_bits=[1, 2, 3])
    assert (table.loc[table["statistic"] == "excess_exact", "value"] == 1).all()


def test_theorems_1_and_3_by_plain_loops(guarantee_tallies):
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
    random = guarantees.guarantees_table(**{**GUARANTEES, "universes": []})
    random = sums_by_statement(random)
    for statement, expected in (("Theorem 1: L0(Y;Xi) <= epsilon", cases), ("Theorem 3", tests)):
        found = guarantee_tallies.loc[statement, "cases"] - random.loc[statement, "cases"]
        assert found == expected


def test_identical_people_break_theorem_1():
    """Two people who always have the same datum; the first one's is released."""
    assert guarantees.values_kept([2, 2], (0, 0, 1, 1)) == 2
    related = guarantees._related_cases([2, 2])
    unknown = related["Theorem 1, related individuals: others unknown"]
    assert any(left == 2 and right == 1 for left, right in unknown)


def test_estimation_error_bounds():
    table = guarantees.estimation_table(cells=[2, 3], other_widths=[1, 0.1, 0.01])
    counts = table.pivot(
        index=["statement", "moment", "other_width"], columns="statistic", values="value"
    )
    assert (counts.loc[["sharp", "conditional"], "violations"] == 0).all()
    assert (counts.loc["sharp", "equalities"] > 0).all()
    assert (counts.loc["sharp", "violations_if_halved"] > 0).all()
    # Without the absolute value; and with a joint density that a thin range makes large.
    assert counts.loc[("printed", 1, 1.0), "violations"] == counts.loc[("printed", 1, 1.0), "cases"]
    assert counts.loc[("absolute", 1, 1.0), "violations"] == 0
    assert counts.loc[("printed", 2, 1.0), "violations"] == 0
    assert counts.loc[("printed", 2, 0.01), "violations"] > 0


def test_levels_table_counts_what_the_formula_says():
    table = guarantees.levels_table(people=[1, 2, 3, 8], epsilon_bits=[1, 1.5, 2, 4])
    wide = table.pivot(index=["people", "epsilon_bits"], columns="statistic", values="value")
    for name in ("printed", "exact"):
        assert (wide[f"values_{name}"] == wide[f"values_{name}_counted"]).all()
    assert (wide["excess_exact"] <= 0).all()
    assert (wide["excess_one_more"] >= 1).all()
    assert (wide.loc[1, "excess_printed"] <= 0).all()
    assert wide.loc[(2, 1.0), "excess_printed"] == 1
