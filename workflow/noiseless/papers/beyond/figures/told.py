"""What an outsider gains against the number of homes that tell it what is usual."""

import pandas as pd
from matplotlib.figure import Figure

from noiseless.adversaries.labels import PAPERS_ADVERSARIES, without_controls
from noiseless.figures.style import (
    BLACK,
    BLUE,
    GREY,
    PAGE_WIDTH_IN,
    RED,
    draw_intervals,
    new_figure,
    statistic,
)

_PERIODS = {1: "daily means", 7: "weekly means", 28: "means of four weeks"}


def told(told: pd.DataFrame) -> Figure:
    """Gain against the number of homes that the outsider knows, a panel for each period and n.

    Parameters
    ----------
    told : DataFrame
        Table ``beyond/told_<dataset>``.
    """
    periods, sizes = (sorted(told[column].unique()) for column in ("days_per_value", "n"))
    figure, axes = new_figure(
        len(periods),
        len(sizes),
        width_in=PAGE_WIDTH_IN,
        height_in=0.9 + 1.6 * len(periods),
        sharey=True,
        sharex=True,
    )
    places = [(days, size) for days in periods for size in sizes]
    for axis, (days, size) in zip(axes, places, strict=True):
        mine = told[(told["days_per_value"] == days) & (told["n"] == size)]
        gain = statistic(mine, "gain")
        normal = gain[gain["adversary"] == "normal"].sort_values("told")
        draw_intervals(
            axis,
            normal["told"],
            normal,
            normal.iloc[:0],
            color=BLUE,
            marker="o",
            label="knows what other homes are like",
        )
        simple = gain[gain["adversary"].isin(without_controls(PAPERS_ADVERSARIES))]
        for rows, colour, style, name in (
            (simple.nlargest(1, "value"), RED, "--", "best of the paper's three"),
            (gain[gain["adversary"] == "control"], GREY, ":", "control (sees no output)"),
        ):
            axis.axhline(rows["value"].iloc[0], color=colour, linestyle=style, label=name)
        axis.axhline(0, color=BLACK, linewidth=0.4)
        axis.set_ylim(-0.1, 1.02)
        axis.set_xlim(left=0)
        axis.set_title(f"{_PERIODS.get(int(days), f'means of {days:g} days')}, n = {size:g}")
    for axis in axes[-len(sizes) :]:
        axis.set_xlabel("homes whose statistics it has")
    for axis in axes[:: len(sizes)]:
        axis.set_ylabel("gain: 2 P(right) $-$ 1")
    games, homes = (int(statistic(told, name)["value"].iloc[0]) for name in ("games", "homes"))
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        title=f"{homes} homes, {games:,} games for each n and period; bars over draws of them",
        title_fontsize=7,
        loc="outside upper center",
        ncols=2,
    )
    return figure
