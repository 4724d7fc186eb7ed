"""What an outsider gains against the number of homes that tell it what is usual."""

import itertools

import pandas as pd
from matplotlib.figure import Figure

from noiseless.adversaries.labels import PAPERS_ADVERSARIES, without_controls
from noiseless.figures import style

_PERIODS = {1: "daily means", 7: "weekly means", 28: "means of four weeks"}


def told(told: pd.DataFrame) -> Figure:
    """Gain against the number of homes that the outsider knows, a panel for each period and n.

    Parameters
    ----------
    told : DataFrame
        Table ``beyond/told_<dataset>``.
    """
    periods, sizes = (sorted(told[column].unique()) for column in ("days_per_value", "n"))
    height_in = 0.9 + 1.6 * len(periods)
    figure, axes = style.new_figure(
        len(periods), len(sizes), height_in=height_in, sharey=True, sharex=True
    )
    for axis, (days, size) in zip(axes, itertools.product(periods, sizes), strict=True):
        gain = style.statistic(told, "gain", days_per_value=days, n=size)
        normal = style.rows_where(gain, adversary="normal").sort_values("told")
        style.draw_intervals(
            axis,
            normal["told"],
            normal,
            color=style.BLUE,
            marker="o",
            label="knows what other homes are like",
        )
        simple = gain[gain["adversary"].isin(without_controls(PAPERS_ADVERSARIES))]
        control = style.value_of(gain, "gain", adversary="control")
        for value, colour, dashes, name in (
            (simple["value"].max(), style.RED, "--", "best of the paper's three"),
            (control, style.GREY, ":", "control (sees no output)"),
        ):
            axis.axhline(value, color=colour, linestyle=dashes, label=name)
        axis.axhline(0, color=style.BLACK, linewidth=0.4)
        axis.set_ylim(-0.1, 1.02)
        axis.set_xlim(left=0)
        axis.set_title(f"{_PERIODS.get(int(days), f'means of {days:g} days')}, n = {size:g}")
    style.label_edges(
        axes,
        len(sizes),
        xlabel="homes whose statistics it has",
        ylabel="gain: 2 P(right) $-$ 1",
    )
    games, homes = (style.range_of(told, name) for name in ("games", "homes"))
    title = f"{homes} homes, {games} games for each n and period; bars over draws of them"
    style.legend_outside(figure, axes, "upper center", title=title, ncols=2)
    return figure
