"""Figures 7 and 8 of ``nsht``."""

import numpy as np

from drawn import points, shown, tidy
from noiseless.papers.nsht.figures import indistinguishability

BUDGETS, PEOPLE = [0.5, 2, 4, 8, 16, 32], [1, 2, 3, 5, 8, 13, 21]


def unnamed(axis):
    """Points of the lines that no legend names."""
    return [
        list(map(tuple, line.get_xydata().tolist()))
        for line in axis.lines
        if line.get_label().startswith("_")
    ]


def test_the_figure_shows_levels_for_four_numbers_of_people():
    table = tidy("levels_exact", "levels_printed", people=PEOPLE, epsilon_bits=BUDGETS)
    (axis,) = indistinguishability.plot_fig7(table).axes
    some = [1, 3, 8, 21]
    for n in some:
        expected = points(table, "epsilon_bits", statistic="levels_printed", people=n)
        assert shown(axis)[f"n = {n}"] == expected
    assert unnamed(axis) == [
        points(table, "epsilon_bits", statistic="levels_exact", people=n) for n in some
    ]


def test_the_figure_shows_the_leakage_of_all_and_of_one():
    names = ("leakage_nats", "leakage_per_person_nats", "leakage_of_one_nats")
    table = tidy(*names, people=PEOPLE, epsilon_bits=BUDGETS)
    left, right, *_ = indistinguishability.plot_fig8(table).axes
    grid = left.collections[0].get_array().reshape(len(BUDGETS), len(PEOPLE))
    all_together = table[table["statistic"] == "leakage_nats"]["value"].to_numpy()
    np.testing.assert_array_equal(grid.T.ravel(), all_together)
    assert [text.get_text() for text in left.get_yticklabels()][:2] == ["0.5", "2"]
    # People stand at their logarithms, each within its field.
    places = np.log2(PEOPLE)
    assert left.get_xticks().tolist() == places.tolist()
    edges = left.collections[0].get_coordinates()[0, :, 0]
    np.testing.assert_allclose(edges[1:-1], (places[1:] + places[:-1]) / 2)
    # The first and the last field reach as far on either side of their place.
    ends = [places[0] - edges[0], edges[-1] - places[-1]]
    np.testing.assert_allclose(ends, [edges[1] - places[0], places[-1] - edges[-2]])
    for budget in (2, 4, 8, 16):
        where = {"epsilon_bits": budget, "statistic": "leakage_per_person_nats"}
        assert shown(right)[rf"$\varepsilon$ = {budget}"] == points(table, "people", **where)
    assert unnamed(right)[3] == points(
        table, "people", epsilon_bits=16, statistic="leakage_of_one_nats"
    )
    assert right.get_ylim()[1] > table["value"].max() / 2
