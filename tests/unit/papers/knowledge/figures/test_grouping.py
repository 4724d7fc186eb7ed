"""Figure of what Appendix C groups."""

import numpy as np

from drawn import points, printed, shown, tidy
from noiseless.figures.style import PRINTED_LABEL
from noiseless.papers.knowledge.figures.grouping import plot_grouping

GROUPED = ["none", "maximum", "minimum", "both"]


def test_median_of_each_reading_with_its_interval_and_the_printed_one():
    where = {"regression": ["logistic", "linear"], "basis": ["possible", "certified"]}
    where["grouped"] = GROUPED[::-1]
    accepted = tidy("p10", "median", **where, budget_nats=[2.0, 1.0])
    growth = tidy("slope_ratio", **where)
    numbers = printed(
        *("knowledge/grouping_accepted", "median"),
        ({"regression": ["linear"], "budget_nats": [1.0]}, 70),
        ({"regression": ["logistic"], "budget_nats": [1.0]}, 50),
    )
    figure = plot_grouping(accepted, growth, numbers)
    for axis, regression, number in zip(figure.axes, ("linear", "logistic"), (70, 50), strict=True):
        assert axis.get_title() == f"{regression} regressions"
        assert shown(axis)[PRINTED_LABEL] == [(number, row) for row in range(4)]
        ratios = [text.get_text().strip() for text in axis.texts]
        for row, (bars, name) in enumerate(zip(axis.containers, GROUPED, strict=True)):
            chosen = {"regression": regression, "grouped": name, "basis": "certified"}
            ((_, median),) = points(
                accepted, "budget_nats", statistic="median", budget_nats=2.0, **chosen
            )
            assert bars[0].get_xydata().tolist() == [[median, row]]
            (segment,) = bars[2][0].get_segments()
            np.testing.assert_allclose(segment[:, 0], (median - 0.25, median + 0.5))
            ((_, ratio),) = points(growth, "basis", **chosen)
            assert ratios[row] == f"{ratio:.1f}"


def test_a_paper_that_prints_no_median_has_no_mark():
    where = {"regression": ["logistic", "linear"], "basis": ["certified"], "grouped": GROUPED}
    accepted = tidy("median", **where, budget_nats=[1.0])
    axes = plot_grouping(accepted, tidy("slope_ratio", **where), printed("a/b", "c")).axes
    assert [list(shown(axis)) for axis in axes] == [[], []]
