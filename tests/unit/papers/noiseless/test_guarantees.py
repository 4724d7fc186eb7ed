"""Levels of Theorem 8: formulas against counts."""

from noiseless.papers.noiseless import guarantees


def test_quantizer_with_a_level_too_many_is_caught(monkeypatch):
    exact = guarantees.compute_exact_levels
    monkeypatch.setattr(guarantees, "compute_exact_levels", lambda *a, **k: exact(*a, **k) + 1)
    table = guarantees.build_levels_table(people=[2, 4], epsilon_bits=[1, 2, 3])
    assert (table.loc[table["statistic"] == "excess_exact", "value"] == 1).all()


def test_levels_table_counts_what_the_formula_says():
    table = guarantees.build_levels_table(people=[1, 2, 3, 8], epsilon_bits=[1, 1.5, 2, 4])
    wide = table.pivot(index=["people", "epsilon_bits"], columns="statistic", values="value")
    for name in ("printed", "exact"):
        assert (wide[f"values_{name}"] == wide[f"values_{name}_counted"]).all()
    assert (wide["excess_exact"] <= 0).all()
    assert (wide["excess_one_more"] >= 1).all()
    assert (wide.loc[1, "excess_printed"] <= 0).all()
    assert wide.loc[(2, 1.0), "excess_printed"] == 1
