"""The enumeration of the theorems is one that a mutation of the code breaks."""

from enumerations import THEOREMS, sums_by_statement
from noiseless.experiments.deterministic import theorems


def test_optimal_quantizer_with_a_level_too_many_is_caught(monkeypatch):
    levels = theorems.levels_for_accuracy
    monkeypatch.setattr(theorems, "levels_for_accuracy", lambda *a, **k: levels(*a, **k) + 1)
    cases = theorems._policies(5, [0.5, 1, 1.5])
    assert any(left > right for left, right in cases)


def test_policies_of_the_accuracy_of_another_are_caught(monkeypatch):
    """Mutations of the search: bins that are a part too long, and a region too many."""
    cuts, regions = theorems.best_cuts, theorems.least_regions
    monkeypatch.setattr(theorems, "best_cuts", lambda v, longest: cuts(v, longest=longest - 1))
    monkeypatch.setattr(theorems, "least_regions", lambda *a: regions(*a) + 1)
    table = sums_by_statement(theorems.theorems_table(**THEOREMS))
    assert table.loc["Theorem IV.3, P1: bins are best", "violations"] > 0
    assert table.loc["Two outputs: fewest regions", "violations"] > 0


def test_a_level_too_many_breaks_theorem_4_1(monkeypatch):
    levels = theorems.levels_for_accuracy
    monkeypatch.setattr(theorems, "levels_for_accuracy", lambda *a, **k: levels(*a, **k) + 1)
    cases = theorems._sloped_policies(2)["Theorem IV.1: constant pieces are optimal"]
    assert any(left > right for left, right in cases)


def test_parts_of_a_slope_grow_with_the_points_at_which_it_is_looked_at(monkeypatch):
    for samples in (2, 5):
        monkeypatch.setattr(theorems, "_SAMPLES", samples)
        cases = theorems._sloped_policies(1)["Theorem IV.1: parts of a slope"]
        assert cases
        assert set(cases) == {(samples, samples)}
