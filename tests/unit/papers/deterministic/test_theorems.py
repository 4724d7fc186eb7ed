"""The enumeration of the theorems is one that a mutation of the code breaks."""

import itertools
import math

import pytest

from enumerations import THEOREMS, sums_by_statement
from noiseless.papers.deterministic import theorems


def cases_of(statement, facts):
    """Both sides of a statement in each of its cases."""
    return [(left, right) for name, left, right in facts if name == statement]


def test_optimal_quantizer_with_a_level_too_many_is_caught(monkeypatch):
    levels = theorems.compute_min_levels
    monkeypatch.setattr(theorems, "compute_min_levels", lambda *a, **k: levels(*a, **k) + 1)
    assert any(
        left > right for _, left, right in theorems._enumerate_policy_facts(5, [0.5, 1, 1.5])
    )


def test_policies_of_the_accuracy_of_another_are_caught(monkeypatch):
    """Mutations of the search: bins that are a part too long, and a region too many."""
    cuts, regions = theorems.find_best_cuts, theorems.bound_regions_from_sides
    monkeypatch.setattr(theorems, "find_best_cuts", lambda v, longest: cuts(v, longest=longest - 1))
    monkeypatch.setattr(theorems, "bound_regions_from_sides", lambda *a: regions(*a) + 1)
    table = sums_by_statement(theorems.build_theorems_table(**THEOREMS))
    assert table.loc["Theorem IV.3, P1: bins are best", "violations"] > 0
    assert table.loc["Two outputs: fewest regions", "violations"] > 0


def test_a_level_too_many_breaks_theorem_4_1(monkeypatch):
    levels = theorems.compute_min_levels
    monkeypatch.setattr(theorems, "compute_min_levels", lambda *a, **k: levels(*a, **k) + 1)
    cases = cases_of(
        "Theorem IV.1: constant pieces are optimal", theorems._enumerate_sloped_facts(2)
    )
    assert any(left > right for left, right in cases)


@pytest.mark.parametrize("count", [1, 2])
def test_a_slope_has_more_parts_than_the_best_constant_policy(count):
    """By one for some policies and, of two cells, with room for others."""
    statement = "Theorem IV.1: a slope has more parts than the best"
    cases = cases_of(statement, theorems._enumerate_sloped_facts(count))
    assert all(left <= right for left, right in cases)
    assert any(left == right for left, right in cases)
    assert any(left < right for left, right in cases) == (count > 1)
    # One cell, error 1/2: the identity is all there is but constants, looked at in two points.
    if count == 1:
        assert (2, 2) in cases


def test_balls_of_cells_nearly_attain_the_bounds():
    """Counted cell by cell; and pi at 3 would be caught in two dimensions, 2.1 in three."""
    for dimensions, radius in ((2, 5), (3, 4)):
        cells = [
            cell
            for cell in itertools.product(range(-radius, radius), repeat=dimensions)
            if sum(max(abs(k), abs(k + 1)) ** 2 for k in cell) <= radius**2
        ]
        corners = [
            sum((k + step) ** 2 for k, step in zip(cell, steps, strict=True))
            for cell in cells
            for steps in itertools.product((0, 1), repeat=dimensions)
        ]
        case = theorems._compare_with_ball(len(cells), 4 * max(corners), dimensions)
        assert ("Theorem II.1", *case) in theorems._enumerate_ball_facts(dimensions, radius)
    in_plane, in_space = (
        theorems._enumerate_ball_facts(2, 60),
        list(theorems._enumerate_ball_facts(3, 24)),
    )
    assert all(left <= right for _, left, right in in_space)
    assert any(3.14 / 3 * left > right for _, left, right in in_plane)
    assert any((3.14 / 2.1) ** 2 * left > right for _, left, right in in_space)


def test_unit_balls_agree_with_the_gamma_function():
    for dimensions in range(1, 7):
        volume = math.pi ** (dimensions / 2) / math.gamma(dimensions / 2 + 1)
        below = float(theorems._bound_unit_ball(dimensions))
        assert below <= volume * (1 + 1e-12)
        assert below == pytest.approx(volume, rel=1e-3)


def test_policies_of_data_with_the_same_output_keep_the_bound():
    """Two cells of output 0 and one of 1: an error of a cell lets one report be enough."""
    assert (0, 0, 1) in set(theorems._enumerate_cell_outputs(3))
    assert (0, 1, 2) not in set(theorems._enumerate_cell_outputs(3))  # that is Theorem IV.2
    found = theorems._enumerate_data_policy_facts(5, [0.5, 1])
    assert all(fewest <= reports for _, fewest, reports in found)
    found = theorems._enumerate_data_policy_facts(3, [0.5])
    # Each output needs a report of its own, and there are two ways to give two cells with one.
    assert min(reports for *_, reports in found) == 2


def test_leakage_of_an_information_that_is_not_one_is_caught(monkeypatch):
    monkeypatch.setattr(theorems.Relation, "leakage", theorems.Relation.information)
    cases = cases_of("Theorem III.1 for L0", theorems._enumerate_processing_facts(4))
    assert any(left > right for left, right in cases)
