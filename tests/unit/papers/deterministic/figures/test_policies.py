"""Figures 1 to 3 of ``deterministic``."""

import pytest

from drawn import points, printed, shown, tidy
from noiseless.papers.deterministic.figures import policies


@pytest.mark.parametrize(
    ("draw", "query"), [(policies.plot_fig1, "average"), (policies.plot_fig2, "quadratic")]
)
def test_the_regions_of_a_query_are_drawn_with_the_printed_bounds(draw, query):
    queries = ["quadratic", "average"]
    raster = tidy("region", query=queries, x1=[0.0, 0.5, 1.0], x2=[0.0, 1.0])
    regions = tidy("symbol", unit=0.5, query=queries, region=[1, 2, 3, 4, 5, 6])
    regions["value"] -= 6  # both signs in either query
    bounds = printed(
        *("deterministic/policies_regions", "lower"),
        *(({"query": [each], "region": [1]}, 0.25) for each in queries),
    )
    figure = draw(raster, regions, bounds)
    axis, bar = figure.axes
    (label,) = figure.legends[0].get_texts()
    assert label.get_text() == "bounds printed in the paper"
    assert axis.collections[1].levels.tolist() == [0.25]
    grid = axis.collections[0].get_array()
    mine = raster[raster["query"] == query]
    for row, x2 in enumerate((0.0, 1.0)):
        drawn = grid.reshape(2, 3)[row].tolist()
        assert drawn == [y for _, y in points(mine, "x1", x2=x2)]
    labels = [text.get_text() for text in bar.get_yticklabels()]
    assert labels == [
        f"{region}  ({value:g})".replace("-", "\N{MINUS SIGN}")
        for region, value in points(regions, "region", query=query)
    ]
    assert "\N{MINUS SIGN}" in labels[0]


def test_the_figure_shows_information_and_error_against_accuracy():
    names = ("smallest_error", "least_leakage_nats", "maximin_nats", "leakage_nats")
    table = tidy(*names, gamma=[1, 2, 3])
    left, right = policies.plot_fig3(table).axes
    assert list(shown(left).values()) == [
        points(table, "gamma", statistic=name)
        for name in ("leakage_nats", "maximin_nats", "least_leakage_nats")
    ]
    drawn = list(map(tuple, right.lines[0].get_xydata()))
    assert drawn == points(table, "gamma", statistic="smallest_error")
