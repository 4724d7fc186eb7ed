"""Figure of the least leakage of a query of two outputs."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from noiseless.figures import style
from noiseless.papers.deterministic.areas import RADIUS_SQUARED

_COLORS = (style.BLUE, style.ORANGE, style.GREEN)


def plot_two_outputs(regions: pd.DataFrame, areas: pd.DataFrame) -> Figure:
    """Plot three equal regions of a square, and smallest regions of pairs and of any policy."""
    figure, (left, right) = style.create_figure(1, 2, height_in=2.7)
    boxes = regions.pivot_table(index=["region", "box"], columns="statistic", values="value")
    for region, rows in boxes.groupby(level="region"):
        color = _COLORS[int(region) - 1]
        for box in rows.itertuples():
            size = box.right - box.left, box.top - box.bottom
            left.add_patch(Rectangle((box.left, box.bottom), *size, color=color, alpha=0.5, lw=0))
        middle = rows["middle_1"].iloc[0], rows["middle_2"].iloc[0]
        radius = float(RADIUS_SQUARED) ** 0.5
        left.add_patch(Circle(middle, radius, fill=False, color=color, lw=1))
        left.plot(*middle, "+", color=color)
    left.set(xlim=(-0.3, 1.3), ylim=(-0.15, 1.5), aspect="equal")
    left.set(xlabel="first output", ylabel="second output")
    left.set_title("three reports, each within $r$ of its region")
    left.set(xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    square = areas[(areas["first_side"] == 1) & (areas["second_side"] == 1)]
    for name, color, marker, label in (
        ("most_area", style.BLACK, "v", "no policy has more"),
        ("pair_area", style.BLUE, "o", "best pair of quantizers"),
    ):
        rows = style.select_statistic(square, name)
        right.plot(
            rows["gamma"],
            rows["value"] * rows["gamma"] ** 2,
            marker,
            color=color,
            ms=4,
            label=label,
        )
    right.set_xscale("log", base=2)
    right.xaxis.set_major_formatter("{x:g}")
    right.set(ylim=(0, None), xlabel=r"accuracy $\gamma = 1/r$ (1/side)")
    right.set_ylabel(r"area of the smallest region ($r^2$)")
    right.set_title("what every report leaves open")
    right.legend(loc="lower right")
    return figure
