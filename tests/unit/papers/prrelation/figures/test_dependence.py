"""What dependence does to an epsilon, as it is drawn."""

import numpy as np

from drawn import points, shown
from noiseless.figures.style import use_style
from noiseless.papers.prrelation.dependence import build_dependence_table
from noiseless.papers.prrelation.figures.dependence import plot_dependence
from overlaps import find_overlaps


def test_the_figure_has_the_lines_of_its_table():
    table = build_dependence_table(points=2)
    with use_style():
        figure = plot_dependence(table)
        assert not find_overlaps(figure)
    for axis, panel in zip(figure.axes, ("f_score", "epsilon", "household", "worth"), strict=True):
        drawn = [each for each in shown(axis).values() if len(each) > 2 or panel != "worth"]
        for line in table[table["panel"] == panel]["line"].unique():
            wanted = points(table, "x", statistic="value", panel=panel, line=line)
            assert any(np.array_equal(each, wanted, equal_nan=True) for each in drawn), (
                panel,
                line,
            )
