"""Figure 6 of ``nsht``."""

from drawn import points, shown, tidy
from noiseless.papers.nsht.figures.leakage import plot_fig6


def test_each_bound_is_drawn_against_epsilon():
    table = tidy("appendix", "printed", "corrected", epsilon=[1, 2, 4])
    (axis,) = plot_fig6(table).axes
    assert list(shown(axis).values()) == [
        points(table, "epsilon", statistic=name) for name in ("corrected", "printed", "appendix")
    ]
