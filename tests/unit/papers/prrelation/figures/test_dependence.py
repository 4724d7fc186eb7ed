"""What dependence does to an epsilon, as it is drawn."""

import functools
import math

import numpy as np
import pytest

from drawn import points, shown
from noiseless.figures.style import use_style
from noiseless.papers.prrelation.dependence import build_dependence_table
from noiseless.papers.prrelation.figures.dependence import plot_dependence
from overlaps import find_overlaps


@functools.cache
def build():
    return build_dependence_table(points=3)


def test_the_figure_has_the_lines_of_its_table():
    table = build()
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


def test_copies_and_independent_hours_are_closed_forms():
    value = build().set_index(["panel", "line", "x"])["value"]
    for people in (2, 5, 20):  # copies: k epsilon; F1 of 0.8 asks for 1.7918 of one answer
        assert value["household", str(people), 1.0] == pytest.approx(math.log(6) / people)
    assert value["f_score", "printed", 0.0] == pytest.approx(2 / 3)
    assert value["epsilon", "printed", 0.0] == pytest.approx(math.log(6))
    assert math.isnan(value["epsilon", "printed", 0.96])
    assert value["epsilon", "law", 0.96] > math.log(6) / 5
