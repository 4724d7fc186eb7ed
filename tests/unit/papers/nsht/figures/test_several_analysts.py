"""Figure of several analysts."""

import pytest

from drawn import alike, tidy
from noiseless.papers.nsht.figures.several_analysts import plot_several_analysts


def test_the_figure_has_a_bar_for_each_group_and_way():
    ways, groups = ["chain", "overlay", "collapse", "collapse_split"], ["1", "2", "1 and 2"]
    table = alike(tidy("undecided", "people", releases=ways, seen=groups), "people")
    (axis,) = plot_several_analysts(table).axes
    handles, labels = axis.get_legend_handles_labels()
    assert [bars.get_label() for bars in handles] == labels
    for bars, way in zip(handles, ways[::-1], strict=True):
        mine = table[(table["releases"] == way) & (table["statistic"] == "undecided")]
        assert [bar.get_height() for bar in bars] == mine["value"].tolist()
    for place in range(3):
        middles = [bars[place].get_x() + bars[place].get_width() / 2 for bars in handles]
        assert sum(middles) / 4 == pytest.approx(place)
    assert [text.get_text() for text in axis.get_xticklabels()] == ["1 kg", "2 kg", "1\nand 2 kg"]
    assert axis.get_ylabel() == "people undecided, of 13"
