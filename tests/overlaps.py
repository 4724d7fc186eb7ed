"""Texts of a figure that lie on each other or are cut off, by the boxes that they are drawn in."""

import itertools
import math

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from noiseless.figures.style import write_margins

_SLACK = 1.0  # points that two boxes may share, as boxes are larger than letters


def find_overlaps(figure):
    """Pairs of texts whose boxes overlap, after the margins and the layout are made."""
    write_margins(figure, ["noiseless"], [])
    FigureCanvasAgg(figure).draw()
    boxes = list(_list_boxes(figure))
    found = [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(boxes, 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > _SLACK and min(a.y1, b.y1) - max(a.y0, b.y0) > _SLACK
    ]
    width, height = figure.bbox.width, figure.bbox.height
    cut = [
        (text, "edge")
        for text, box in boxes
        if min(box.x0, box.y0) < -_SLACK or box.x1 > width + _SLACK or box.y1 > height + _SLACK
    ]
    return found + cut


def _list_boxes(figure):
    """Texts that are seen, with their boxes; of ticks, only those that name what a user gives."""
    ticks = {
        label
        for axis in figure.axes
        for each in (axis.xaxis, axis.yaxis)
        for tick in (*each.get_major_ticks(), *each.get_minor_ticks())
        for label in (tick.label1, tick.label2)
    }
    named = {
        label
        for axis in figure.axes
        if axis.get_xscale() == "linear" and axis.get_visible()
        for label in axis.get_xticklabels()
    }
    for text in figure.findobj(Text):
        is_seen = text.get_visible() and text.get_text().strip("\u200b \n")
        is_hidden = text.axes is not None and not text.axes.get_visible()
        if not is_seen or is_hidden or (text in ticks and text not in named):
            continue
        box = text.get_window_extent()
        if all(map(math.isfinite, box.extents)) and box.width > 0:
            yield text.get_text(), box
