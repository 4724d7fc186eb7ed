"""Entropies, information and processing, by second routes: graphs, cells one by one, by hand."""

import itertools
import math
from fractions import Fraction

import networkx as nx

from noiseless.papers.deterministic import groupings, information, section_2
from noiseless.papers.deterministic.groupings import Grid
from noiseless.statements.registry import Run, Sizes
from noiseless.theory.enumeration import enumerate_relations

SMOKE = Run(Sizes.SMOKE, seed=2)


def test_balls_of_cells_nearly_attain_the_bounds():
    """Counted cell by cell; and pi at 3 would be caught in two dimensions, 2.1 in three."""
    found = {
        (case["dimensions"], case["radius"]): sides for sides, case in groupings.balls.load(SMOKE)
    }
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
        sides = groupings.compare_with_ball(len(cells), 4 * max(corners), dimensions)
        assert found[dimensions, radius] == sides
    assert all(left <= right for left, right in found.values())
    in_plane, in_space = ([each for (n, _), each in found.items() if n == m] for m in (2, 3))
    assert any(3.14 / 3 * left > right for left, right in in_plane)
    assert any((3.14 / 2.1) ** 2 * left > right for left, right in in_space)


def test_unit_balls_agree_with_the_gamma_function():
    for dimensions in range(1, 7):
        volume = math.pi ** (dimensions / 2) / math.gamma(dimensions / 2 + 1)
        assert volume * 0.999 < float(groupings.bound_unit_ball(dimensions)) <= volume * (1 + 1e-12)


def test_groups_of_cells_have_the_sizes_of_a_plain_loop():
    """Of an L of three cells: corners 2 and 2 apart, and the disk over its diagonal."""
    grid = Grid((2, 3))
    group = tuple(grid.cells.index(cell) for cell in ((0, 0), (1, 0), (0, 1)))
    corners = {(x + i, y + j) for x, y in ((0, 0), (1, 0), (0, 1)) for i in (0, 1) for j in (0, 1)}
    assert set(grid.list_corners(group)) == corners
    assert grid.compute_diameter_squared(group) == 8  # (0, 2) to (2, 0)
    assert grid.compute_radius_squared(group) == 2
    assert grid.compute_radius_squared((0, 1)) == Fraction(5, 4)
    assert len(list(grid.enumerate_groupings())) == 203  # Bell's number


def test_the_line_of_the_proof_is_right_on_a_line():
    found = groupings.cell_unions.load(SMOKE)
    assert len(found) == 2**6 + 2**4 + 2**6 + 2**9 - 4
    on_line = [each for each in found if each.dimensions == 1]
    assert section_2.thm2_1_proof.check(on_line).holds
    assert not section_2.thm2_1_proof.check(found).holds


def test_steps_lead_where_a_graph_says():
    """Against components of the graph of X's and Y's values, whose edges are the points."""
    apart = 0
    for sizes in ((2, 2), (2, 3), (3, 2), (3, 3)):
        for relation in enumerate_relations(*sizes):
            pairs = sorted(relation.pairs)
            graph = nx.Graph([(("x", x), ("y", y)) for x, y in pairs])
            linked = information.find_reachable(pairs)
            for one, other in itertools.product(pairs, repeat=2):
                assert linked[one, other] == nx.has_path(graph, ("x", one[0]), ("x", other[0]))
            apart += nx.number_connected_components(graph) > 1
    assert section_2.def2_2.check(information.partitions.load(SMOKE)).failed == apart == 74


def test_information_of_a_processing_is_that_counted_by_hand():
    """X of 4 values, f joins the last two, g the first two of f's three."""
    [found] = [
        each
        for each in information.processings.load(SMOKE)
        if tuple(each.reports) == (0, 1, 2, 2) and tuple(each.processed) == (0, 0, 1, 1)
    ]
    assert found.before == (4, 3)
    assert found.after == (2, 2)
    assert found.of_answer == (3, 2)


def test_essential_and_other_suprema_are_told_apart():
    first = section_2.extrema.check()
    assert first.found == (-math.inf, -math.inf, -math.inf, math.inf, 0)
    for check in (section_2.extrema_plain, section_2.extrema_data.check):
        assert check().holds
