"""Figure of what Appendix C groups."""

import numpy as np

from drawn import ends, points, shown, tidy
from noiseless.papers.knowledge.figures.grouping import plot_grouping


def test_median_of_each_reading_with_its_interval():
    where = {"regression": ["logistic", "linear"], "basis": ["possible", "certified"]}
    where["grouped"] = ["both", "minimum", "maximum", "none"]
    accepted = tidy("p10", "median", **where, budget_nats=[2.0, 1.0])
    growth = tidy("slope_ratio", **where)
    printed = {"linear": 70, "logistic": 50}
    figure = plot_grouping(accepted, growth, printed=printed)
    for axis, (regression, number) in zip(figure.axes, printed.items(), strict=True):
        assert axis.get_title() == f"{regression} regressions"
        lines = shown(axis)
        assert lines.pop("printed") == [(2.0, number)]
        for (label, drawn), name in zip(lines.items(), where["grouped"][::-1], strict=True):
            chosen = {"regression": regression, "grouped": name, "basis": "certified"}
            median = sorted(points(accepted, "budget_nats", statistic="median", **chosen))
            assert drawn == median
            expected = [(value - 0.25, value + 0.5) for _, value in median]
            np.testing.assert_allclose(ends(axis)[label], expected)
            ((_, ratio),) = points(growth, "basis", **chosen)
            assert label.endswith(f"slope grows {ratio:.1f}-fold")
