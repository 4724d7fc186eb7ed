"""Figure of the least leakage of a query of two outputs."""

import numpy as np
from matplotlib.patches import Circle, Rectangle

from drawn import points, shown
from noiseless.papers.deterministic.areas import build_areas_table, build_regions_table
from noiseless.papers.deterministic.figures.areas import plot_two_outputs


def test_the_figure_shows_the_regions_and_their_areas():
    regions = build_regions_table()
    areas = build_areas_table(sides=[[1, 1], [2, 1]], accuracy=[1, 2, 4])
    left, right = plot_two_outputs(regions, areas).axes
    boxes = [each for each in left.patches if isinstance(each, Rectangle)]
    circles = [each for each in left.patches if isinstance(each, Circle)]
    assert len(boxes) == 6
    assert sum(each.get_width() * each.get_height() for each in boxes) == 1
    assert [each.center for each in circles] == [(0.5, 15 / 16), (0.25, 7 / 16), (0.75, 7 / 16)]
    for box in boxes:  # the corners of a region's boxes are in its circle
        [circle] = [each for each in circles if each.get_edgecolor()[:3] == box.get_facecolor()[:3]]
        far = np.hypot(*(box.get_corners() - circle.center).T).max()
        assert far <= circle.radius + 1e-12
    lines = shown(right)
    for name, label in (
        ("pair_area", "best pair of quantizers"),
        ("most_area", "no policy has more"),
    ):
        square = areas[areas["first_side"] == 1]
        expected = [(x, y * x**2) for x, y in points(square, "gamma", statistic=name)]
        np.testing.assert_allclose(lines[label], expected)
