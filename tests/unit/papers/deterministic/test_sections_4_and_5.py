"""Policies, examples and releases, by second routes: by hand, and broken by mutations."""

import itertools
import math
from fractions import Fraction

import pytest

from noiseless.papers.deterministic import (
    bins,
    groupings,
    heights,
    k_anonymity,
    ours,
    searches,
    section_4,
    two_outputs,
)
from noiseless.statements.registry import Run, Sizes
from noiseless.theory.enumeration import enumerate_maps

SMOKE = Run(Sizes.SMOKE, seed=2)


def add_a_level(monkeypatch, module):
    levels = module.compute_min_levels
    monkeypatch.setattr(module, "compute_min_levels", lambda *a, **k: levels(*a, **k) + 1)


def test_a_quantizer_with_a_level_too_many_is_caught(monkeypatch):
    add_a_level(monkeypatch, searches)
    assert not section_4.thm4_2.check(searches.output_policies.function(5)).holds
    assert not section_4.thm4_1.check(searches.sloped_policies.function(2)).holds


def test_policies_of_the_accuracy_of_another_are_caught(monkeypatch):
    """Mutations of the search: bins that are a part too long, and a region too many."""
    cuts, regions = searches.find_best_cuts, groupings.bound_regions_from_sides
    monkeypatch.setattr(searches, "find_best_cuts", lambda v, longest: cuts(v, longest=longest - 1))
    monkeypatch.setattr(groupings, "bound_regions_from_sides", lambda *a: regions(*a) + 1)
    assert not section_4.thm4_3_p1.check(searches.bins.function(4), []).holds
    assert not ours.two_outputs_least.check(groupings.plane_groupings.function(((2, 2),))).holds


@pytest.mark.parametrize("count", [1, 2])
def test_a_slope_has_more_parts_than_the_best_constant_policy(count):
    """By one for some policies and, of two cells, with room for others."""
    sloped = [each for each in searches.sloped_policies.function(count) if each.slopes]
    assert all(each.fewest < each.parts for each in sloped)
    assert any(each.fewest + 1 == each.parts for each in sloped)
    assert any(each.fewest + 1 < each.parts for each in sloped) == (count > 1)


def test_policies_of_data_with_the_same_output_keep_the_bound():
    """Two cells of output 0 and one of 1: an error of a cell lets one report be enough."""
    assert (0, 0, 1) in set(searches.enumerate_cell_outputs(3))
    assert (0, 1, 2) not in set(searches.enumerate_cell_outputs(3))  # that is Theorem IV.2
    found = {(each.outputs, each.error): each for each in searches.data_policies.function(3)}
    # Each output needs a report of its own, and two cells of the same output have one or two.
    assert found[(0, 0, 1), 1 / 2].reports == {2: 1, 3: 1}
    assert found[(0, 0, 1), 1].reports == {1: 1, 2: 3, 3: 1}


def test_a_line_needs_ever_more_values():
    """Intervals of length 2, each of which holds 9 of the 8 L + 1 points of the lattice."""
    for half in (1, 2, 4, 8, 16, 32, 64):
        assert searches.count_values_of_line(half) == -(-(8 * half + 1) // 9)


def test_corners_alone_have_no_report_by_equation_21():
    without = [
        (x1, x2)
        for x1, x2 in itertools.product(range(-2, 3), repeat=2)
        if not 0 <= x1**2 + 2 * x2**2 < 12
    ]
    missing = [
        tuple(case.values())
        for reports, case in bins.count_reports(bins.EQUATION_21, closed=False)
        if reports != 1
    ]
    assert missing == without == [(-2, -2), (-2, 2), (2, -2), (2, 2)]


def test_printed_definitions_break_as_often_as_counted():
    # With q > 1 bins each of the 33 points has all q symbols.
    assert section_4.sec4_symbols.check().failed == 7 * 33
    # Of the sequences that do not decrease, those with a value that occurs twice.
    repeated = [
        each
        for cells in range(1, 5)
        for each in itertools.product(range(4), repeat=cells)
        if list(each) == sorted(each) and len(set(each)) < cells
    ]
    found = section_4.sec4_count_symbols.check(searches.symbols.load(SMOKE))
    assert found.failed == len(repeated)


def test_equal_bins_have_the_volumes_of_a_fine_sum():
    """Volumes 3 and 1, of 3 bins: the last holds two thirds of the second cell."""
    assert searches._compute_min_equal_bin((3, 1), 2) == 1
    assert searches._compute_min_equal_bin((3, 1), 3) == Fraction(2, 3)
    assert searches._compute_min_equal_bin((3, 1), 1) == 4


def test_distances_of_heights_are_those_computed_by_hand():
    assert heights.Heights(2, 10).error == pytest.approx(150 * math.sqrt(2) / 10)
    assert heights.Heights(3, 10).error == pytest.approx(150 * math.sqrt(6) / 10)
    assert heights.Heights(1, 10).error == pytest.approx(7.5)
    assert heights.Heights(2, 20).reach == 15  # 235 and 250 have the mean 242.5
    assert heights.Heights(5, 2).reach == 150  # 100 cm is the least height
    assert heights.Heights(2, 10).excess == 0 != heights.Heights(3, 10).excess


def test_regions_of_two_outputs_are_those_counted_by_hand():
    pairs = two_outputs.pairs_of_quantizers.function(sides=[[1, 1], [2, 1]], accuracy=[1, 4])
    found = {(*map(int, each.sides), int(each.gamma)): each for each in pairs}
    assert (found[1, 1, 1].regions, found[1, 1, 1].bound) == (1, 1)
    # Boxes of 1/4 by 1/3 or so: 3 by 3, and never fewer than 1 / (2.598 / 16).
    assert (found[1, 1, 4].regions, found[1, 1, 4].bound) == (9, 7)
    # Two by one does not fit into a disk of radius 1.
    assert (found[2, 1, 1].regions, found[2, 1, 1].bound) == (2, 2)
    assert ours.two_outputs_error.check([found[1, 1, 4]]).found[0] == pytest.approx(
        4 * math.sqrt(2) / 6
    )


def test_no_pair_of_quantizers_has_fewer_regions_than_the_best(monkeypatch):
    """Every pair of up to 20 levels each; and a pair that is not the best is noticed."""
    [best] = two_outputs.pairs_of_quantizers.function(sides=[[2, 1]], accuracy=[3])
    accurate = [
        one * two
        for one, two in itertools.product(range(1, 21), repeat=2)
        if math.hypot(2 / one, 1 / two) / 2 <= 1 / 3
    ]
    assert best.regions == min(accurate)
    assert ours.two_outputs_best.check([best]).holds
    worse = two_outputs.find_optimal_grid
    monkeypatch.setattr(two_outputs, "find_optimal_grid", lambda gamma, **k: worse(2 * gamma, **k))
    assert not ours.two_outputs_best.check(
        two_outputs.pairs_of_quantizers.function(sides=[[2, 1]], accuracy=[3])
    ).holds


def test_the_proof_of_proposition_5_1_loses_k_anonymity():
    """12 of the 16 ways to divide three, four or five rows into classes of two or more."""
    rows = [
        classes
        for size in (3, 4, 5)
        for classes in enumerate_maps(size)
        if k_anonymity.compute_anonymity(classes) >= 2
    ]
    lost = [
        each
        for each in rows
        if k_anonymity.compute_anonymity(k_anonymity.build_proof_release(each, 2)) < 2
    ]
    assert (len(lost), len(rows)) == (12, 16)
