"""Figure 1 of ``knowledge``, other set-ups, and the cost of a bound."""

import numpy as np

from drawn import ends, points, printed, shown, tidy
from noiseless.accounting.labels import BASELINES
from noiseless.figures.style import PRINTED_LABEL
from noiseless.papers.knowledge.figures import composition

BUDGETS, GROUPS = [1.0, 2.0], [0, 10]


MEDIANS = printed(
    *("knowledge/grouping_accepted", "median"),
    ({"regression": ["linear"], "budget_nats": [1.0], "grouped": ["both", "none"]}, 40),
    ({"regression": ["linear"], "budget_nats": [2.0]}, 80),
    ({"regression": ["logistic"], "budget_nats": [1.0]}, 900),
)


def accepted_queries():
    bases, filters = ["possible", "certified"], ["bayesian", "simplified", "basic"]
    where = {"basis": bases, "group": GROUPS, "runs": [50, 9], "budget_nats": BUDGETS[::-1]}
    table = tidy("p10", "median", "p90", filter=filters, **where)
    return table[(table["filter"] != "basic") | (table["group"] == 0)]


def accepted_by_reading():
    return tidy(
        *("p10", "median", "p90"),
        regression=["linear", "logistic"],
        grouped=["both", "maximum", "minimum", "none"],
        basis=["possible", "certified"],
        budget_nats=BUDGETS[::-1],
    )


def test_figure_1_shows_losses_and_accepted_queries():
    losses = tidy("loss_upper", "loss_lower", group=GROUPS, run=[1, 2], accepted=[0, 5, 9])
    accepted = accepted_queries()
    grouping = accepted_by_reading()
    figure = composition.plot_fig1(
        *(losses, accepted, losses, accepted, grouping, MEDIANS), epsilon_nats=0.5
    )
    left, right = figure.axes[:2]
    assert left.get_title() == "(a) linear"
    assert right.get_title() == "(b) linear"
    assert figure.get_supxlabel().startswith("left: 2 runs, long ones cut; right: 9 runs, the band")
    assert [shown(axis)[PRINTED_LABEL] for axis in figure.axes[1::2]] == [[(1, 40)], [(1, 900)]]
    assert figure.axes[3].get_ylim()[1] > 900
    # The line of each run, one of them named, and that of the sum of epsilons.
    drawn = [list(map(tuple, line.get_xydata().tolist())) for line in left.lines]
    assert drawn[:4] == [
        points(losses, "accepted", statistic="loss_upper", group=group, run=run)
        for group in (10, 0)
        for run in (1, 2)
    ]
    assert list(shown(left)) == [*("groups for both extremes", "no groups", "basic composition")]
    most = losses[losses["statistic"] == "loss_upper"]["value"].max()
    assert drawn[4] == [(0, 0), (most / 0.5, most)]
    readings = {
        "maximum": "groups for the maximum (Eq. 26)",
        "minimum": "groups for the minimum",
        "both": "groups for both extremes",
        "none": "no groups",
    }
    assert list(shown(right))[:4] == list(readings.values())  # the one of Equation 26 first
    for grouped, label in readings.items():
        where = {"regression": "linear", "grouped": grouped, "basis": "certified"}
        assert shown(right)[label] == sorted(
            points(grouping, "budget_nats", statistic="median", **where)
        )
    widths = {line.get_label(): line.get_linewidth() for line in right.lines}
    assert widths[readings["maximum"]] > 2 * widths[readings["both"]]
    assert left.get_xlim()[0] == 0
    assert left.get_xlim()[1] <= 1.25 * 40  # a quarter beyond the printed median
    # What is no filter of the paper has a figure of its own.
    assert list(shown(right))[4:] == ["basic composition", PRINTED_LABEL]
    [band] = right.collections
    where = {"regression": "linear", "grouped": "maximum", "basis": "certified"}
    low, high = (
        [y for _, y in points(grouping, "budget_nats", statistic=name, **where)]
        for name in ("p10", "p90")
    )
    assert {*low, *high} == set(band.get_paths()[0].vertices[:, 1])


def test_other_accountants_stand_beside_the_reading_of_equation_26():
    accepted, grouping = accepted_queries(), accepted_by_reading()
    baselines = tidy("accepted", baseline=["another", *BASELINES], budget_nats=BUDGETS)
    figure = composition.plot_accountants(accepted, accepted, grouping, baselines)
    few = accepted[accepted["runs"] == 9]
    for axis, name in zip(figure.axes, ("linear", "logistic"), strict=True):
        where = {"regression": name, "grouped": "maximum", "basis": "certified"}
        lines = shown(axis)
        assert lines.pop("groups for the maximum (Eq. 26)") == sorted(
            points(grouping, "budget_nats", statistic="median", **where)
        )
        where = {"filter": "simplified", "basis": "certified", "group": 0}
        assert lines.pop("no groups, Algorithm 3") == points(
            few, "budget_nats", statistic="median", **where
        )
        for each, label in BASELINES.items():
            assert lines.pop(label) == points(baselines, "budget_nats", baseline=each)
        assert list(lines) == ["basic composition"]
    assert figure.get_supxlabel().startswith("medians of 9 runs; ")


def test_the_scan_shows_the_medians_of_each_range():
    where = {"parameter_range": [10.0, 1.0], "filter": ["basic", "bayesian"]}
    table = tidy("median", regression=["logistic"], dimensions=[9], group=[40], **where)
    (axis,) = composition.plot_scan(table, MEDIANS).axes
    assert [line.get_ydata()[0] for line in axis.lines if line.get_alpha()] == [900]
    expected = sorted(points(table, "parameter_range", filter="bayesian"))
    assert shown(axis)["groups of 40"] == expected
    np.testing.assert_allclose(
        ends(axis)["groups of 40"], [(y - 0.25, y + 0.5) for _, y in expected]
    )
    assert axis.get_title() == "logistic, 9 dimensions"


def test_the_figure_of_cost_shows_relaxations_and_unfinished_runs():
    names = ("median_relaxations", "most_relaxations", "unfinished")
    table = tidy(*names, dimensions=[2, 9], queries=[10, 20])
    figure = composition.plot_cost(table)
    left, right = figure.axes
    for axis, name in ((left, names[0]), (right, names[1])):
        assert shown(axis) == {
            f"{d} dimensions": points(table, "queries", statistic=name, dimensions=d)
            for d in (2, 9)
        }
    assert figure.get_supxlabel() == "42 problems met the limit of nodes"
