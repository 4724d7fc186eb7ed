"""Figure of what other homes tell."""

import pandas as pd

from drawn import alike, points, shown, tidy
from noiseless.papers.beyond.figures.told import told as figure_of


def test_figure_has_a_panel_for_each_period_and_n():
    who = ["control", "correlation", "mse", "normal"]
    table = tidy(
        *("gain", "games", "homes"),
        **{"days_per_value": [1, 4], "n": [4, 8], "adversary": who, "told": [9, 5]},
    )
    table = alike(table, "games", "homes")
    control = table["adversary"] == "control"
    seen = alike(table[control], "gain", by=["days_per_value", "n"])
    table = pd.concat([table[~control], seen])
    axes = figure_of(table).axes
    places = [(days, size) for days in (1, 4) for size in (4, 8)]
    titles = ["daily means, n = 4", "daily means, n = 8"]
    titles += ["means of 4 days, n = 4", "means of 4 days, n = 8"]
    assert [axis.get_title() for axis in axes] == titles
    for axis, (days, size) in zip(axes, places, strict=True):
        where = {"statistic": "gain", "days_per_value": days, "n": size}
        lines = shown(axis)
        normal = points(table, "told", adversary="normal", **where)
        assert lines["knows what other homes are like"] == sorted(normal)
        best = max(y for _, y in points(table, "told", adversary="mse", **where))
        assert lines["best of the paper's three"] == [(0, best), (1, best)]
        seen = points(table, "told", adversary="control", **where)[0][1]
        assert lines["control (sees no output)"] == [(0, seen), (1, seen)]
