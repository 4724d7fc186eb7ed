"""Figure of usefulness against risk."""

import numpy as np

from drawn import shown, tidy
from noiseless.papers.beyond.figures.recommendation import recommendation


def test_releases_by_what_they_are():
    names = ("error_share", "error_kwh", "gain_all", "useful", "chosen")
    cell = {"n": [9, 4], "rounding_kwh": [0.1, 0.5, 1.0], "days_per_value": [7, 5]}
    frontier = tidy(*names, unit=1 / 64, **cell)
    for name, flags in (("useful", [1, 1, 0]), ("chosen", [0, 1, 0])):
        frontier.loc[frontier["statistic"] == name, "value"] = np.tile(np.repeat(flags, 2), 2)
    mechanisms = tidy(
        "error_kwh", "gain_all", unit=0.1, mechanism=["none", "laplace"], days_per_value=[7]
    )
    five, seven = recommendation(frontier, mechanisms, gain=0.2).axes
    assert (five.get_title(), seven.get_title()) == ("5 days", "weekly means")
    cells = frontier.pivot(index=[*cell], columns="statistic", values="value")
    for axis, days in ((five, 5), (seven, 7)):
        for size in (4, 9):
            mine = cells.xs((size, days), level=("n", "days_per_value"))
            percent, games = 100 * mine["error_share"], 50 + 50 * mine["gain_all"]
            both = list(zip(percent, games, strict=True))
            assert shown(axis)[f"n = {size}"] == both[:2]
            drawn = [list(map(tuple, line.get_xydata().tolist())) for line in axis.lines]
            assert drawn.count(both) == 1
            assert both[1:2] in drawn  # the ring
            assert both[2:] in drawn  # the open circle
    # Other mechanisms, of which there are some for a week.
    mean_kwh = float((cells["error_kwh"] / cells["error_share"]).median())
    others = mechanisms.pivot(index="mechanism", columns="statistic", values="value").loc["laplace"]
    expected = (100 * others["error_kwh"] / mean_kwh, 50 + 50 * others["gain_all"])
    assert shown(seven)["Laplace noise"] == [expected]
    assert "Laplace noise" not in shown(five)
    grey = seven.patches[0].get_extents().transformed(seven.transData.inverted())
    assert (grey.y0, grey.y1) == (0, 60) or np.isclose([grey.y1], [60]).all()


def test_error_of_a_mean_of_zero_has_no_place():
    cell = {"n": [4], "rounding_kwh": [0.1, 0.5], "days_per_value": [7]}
    names = ("error_share", "error_kwh", "gain_all", "useful", "chosen")
    frontier = tidy(*names, unit=1 / 64, **cell)
    frontier.loc[frontier["statistic"] == "error_share", "value"] = [0.25, np.inf]
    frontier.loc[frontier["statistic"] == "useful", "value"] = 1
    mechanisms = tidy("error_kwh", "gain_all", mechanism=["none"], days_per_value=[7])
    (axis,) = recommendation(frontier, mechanisms, gain=0.2).axes
    (point, placeless) = shown(axis)["n = 4"]
    assert point[0] == 25
    assert np.isnan(placeless[0])
