"""What definitions say as printed, and as they must mean."""

import itertools

import networkx as nx
import pytest

from noiseless.papers.deterministic.definitions import (
    CORNER,
    HALF_RANGES,
    PRINTED,
    build_definitions_table,
    build_level_sets_table,
    build_range_table,
    find_reachable,
)
from noiseless.theory.enumeration import enumerate_relations


@pytest.fixture(scope="module")
def table():
    found = build_definitions_table()
    return found.groupby(["statement", "statistic"])["value"].sum()


def test_steps_lead_where_a_graph_says():
    """Against components of the graph of X's and Y's values, whose edges are the points."""
    for relation in enumerate_relations(3, 3):
        pairs = sorted(relation.pairs)
        graph = nx.Graph([(("x", x), ("y", y)) for x, y in pairs])
        linked = find_reachable(pairs)
        for one, other in itertools.product(pairs, repeat=2):
            assert linked[one, other] == nx.has_path(graph, ("x", one[0]), ("x", other[0]))


def test_ranges_that_fall_apart_have_no_partition_as_printed(table):
    apart = sum(
        nx.number_connected_components(nx.Graph([(("x", x), ("y", y)) for x, y in each.pairs])) > 1
        for sizes in ((2, 2), (2, 3), (3, 2), (3, 3))
        for each in enumerate_relations(*sizes)
    )
    assert table["II.2, printed", "violations"] == apart == 74
    assert table["II.2, whole", "cases"] == table["II.2, printed", "cases"] - apart
    for mended in ("II.2, mended", "partition, one", "partition, components"):
        assert table[mended, "violations"] == 0
        assert table[mended, "equalities"] == table["II.2, printed", "cases"]


def test_corners_alone_have_no_report_by_equation_21(table):
    query, ends, _ = PRINTED["21"]
    side = range(-CORNER, CORNER + 1)
    without = [(x1, x2) for x1 in side for x2 in side if not 0 <= query(x1, x2) < ends[-1]]
    assert without == [(-2, -2), (-2, 2), (2, -2), (2, 2)]
    assert table["21", "violations"] == len(without)
    for whole in ("20", "20 once", "21 once", "21, closed", "21, closed once"):
        assert table[whole, "violations"] == 0


def test_mended_definitions_hold_and_the_printed_ones_break(table):
    # With q > 1 bins each of the 33 points has all q symbols.
    assert table["values, printed", "violations"] == 7 * 33
    for mended in ("values, mended", "values, defined, mended", "values, one set", "I*, mended"):
        assert table[mended, "violations"] == 0
    # Of the sequences that do not decrease, those with a value that occurs twice.
    repeated = [
        each
        for cells in range(1, 5)
        for each in itertools.product(range(4), repeat=cells)
        if list(each) == sorted(each) and len(set(each)) < cells
    ]
    assert table["I*, printed", "violations"] == len(repeated)


def test_a_line_needs_ever_more_values():
    found = build_range_table().pivot_table(index="half_range", columns="statistic", values="value")
    # Intervals of length 2, each of which holds 9 of the 8 L + 1 points of the lattice.
    assert found["fewest_values"].tolist() == [-(-(8 * half + 1) // 9) for half in HALF_RANGES]
    assert found["optimal_levels"].tolist() == list(HALF_RANGES)


def test_an_ellipse_is_whole_in_the_plane_and_cut_by_the_square():
    found = build_level_sets_table(lattice=401)
    pieces = found[found["query"] == "quadratic"].set_index(["domain", "region"])["value"]
    assert set(pieces["plane"]) == {1}
    assert [pieces["square", k] for k in (1, 4, 5, 8, 9, 12)] == [1, 1, 2, 2, 4, 4]
