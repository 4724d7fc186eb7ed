"""What other odds do to the best F-score."""

from drawn import points, shown, tidy
from noiseless.papers.prrelation.figures.knowledge import plot_worth


def test_the_figure_has_three_curves_for_either_value():
    columns = {"sensitive": ["rarer", "likelier"], "knowledge": ["prior", "time"], "beta": [1, 2]}
    table = tidy("informed", "uninformed", "even", **columns, epsilon_nats=[0.1, 1, 2])
    for axis, sensitive in zip(plot_worth(table).axes, ("likelier", "rarer"), strict=True):
        assert axis.get_title() == f"adversary looks for the {sensitive} value"
        where = {"sensitive": sensitive, "knowledge": "time", "beta": 1}
        assert list(shown(axis).values()) == [
            points(table, "epsilon_nats", statistic=name, **where)
            for name in ("even", "uninformed", "informed")
        ]
