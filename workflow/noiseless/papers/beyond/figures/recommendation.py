"""Usefulness against risk of every release that was tried, and the one that is recommended."""

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.figures import style
from noiseless.figures.labels import label
from noiseless.mechanisms.families import mechanism_labels
from noiseless.mechanisms.interface import Identity

_PERIODS = {1: "daily means", 7: "weekly means", 28: "four weeks", 91: "13 weeks"}
_TICKS = (0, 0.5, 2, 10, 50)  # percent
_MARKERS = "1dx+2PXv^<>sphD8H"  # of mechanisms, those of tables first; circles are means
_INCHES_PER_LETTER = 0.065


def recommendation(frontier: pd.DataFrame, mechanisms: pd.DataFrame, *, gain: float) -> Figure:
    """Games that the best outsider wins against the error of the mean, a panel for each period.

    Parameters
    ----------
    frontier, mechanisms : DataFrame
        Tables ``beyond/recommendation_frontier_<dataset>`` and ``..._mechanisms_<dataset>``.
    gain : float
        Largest gain that is good enough.
    """
    cell = ["n", "rounding_kwh", "days_per_value"]
    values = frontier.pivot(index=cell, columns="statistic", values="value")
    gains = style.statistic(frontier, "gain_all").set_index(cell)
    values = values.join(gains[["low", "high"]]).reset_index()
    # Of a mean of 0 an error has no share, and no place in the figure.
    values["error_share"] = values["error_share"].replace(np.inf, np.nan)
    periods, sizes = sorted(values["days_per_value"].unique()), sorted(values["n"].unique())
    figure, axes = style.new_figure(1, len(periods), height_in=3.3, sharey=True, sharex=True)
    colours = _colours(len(sizes))
    for axis, days in zip(axes, periods, strict=True):
        axis.axhspan(0, 50 + 50 * gain, color=style.GREY, alpha=0.15, lw=0)
        for size, colour in zip(sizes, colours, strict=True):
            mine = style.rows_where(values, days_per_value=days, n=size)
            mine = mine.sort_values("error_share")
            x, y = 100 * mine["error_share"], 50 + 50 * mine["gain_all"]
            axis.plot(x, y, "-", color=colour, lw=1)
            useful = mine["useful"] == 1
            axis.plot(x[useful], y[useful], "o", color=colour, ms=4, label=f"n = {size:g}")
            axis.plot(x[~useful], y[~useful], "o", color=colour, ms=4, mfc="white")
            off = np.abs(mine[["low", "high"]].sub(mine["gain_all"], axis=0)).T
            axis.errorbar(x, y, yerr=50 * off.to_numpy(), fmt="none", ecolor=colour, elinewidth=0.8)
            chosen = mine["chosen"] == 1
            axis.plot(x[chosen], y[chosen], "o", ms=10, mfc="none", mec=style.RED, mew=1.5)
        _draw_mechanisms(axis, mechanisms, values, days)
        axis.set(title=_PERIODS.get(int(days), f"{days:g} days"), ylim=(45, 102))
        axis.set_xscale("symlog", linthresh=0.5)
        axis.set_xticks(_TICKS, [f"{tick:g}" for tick in _TICKS])
        axis.set_xticks([], minor=True)
        axis.set_xlim(left=-0.05, right=max(20, 130 * values["error_share"].max()))
        axis.set_xlabel("error, % of the mean")
    axes[0].set_ylabel("games of 100 won by\nthe best adversary,\nall values of a year")
    labels = {each for axis in axes for each in axis.get_legend_handles_labels()[1]}
    column_in = 0.4 + _INCHES_PER_LETTER * max(map(len, labels))
    style.legend_outside(
        figure,
        axes,
        "upper center",
        title="filled: useful; open: too wrong, or a constant; red ring: recommended; grey: good "
        "enough; bars: for as many other homes",
        ncols=max(1, min(7, len(labels), int(style.PAGE_WIDTH_IN / column_in))),
    )
    return figure


def _colours(count: int) -> list[tuple[float, float, float, float]]:
    """From dark (few homes) to light, so that more homes look less."""
    return [colormaps["viridis"](share) for share in np.linspace(0, 0.9, max(count, 2))[:count]]


def _draw_mechanisms(
    axis: Axes, mechanisms: pd.DataFrame, values: pd.DataFrame, days: float
) -> None:
    """Other mechanisms at the error, n and period of the release that is compared."""
    mine = style.rows_where(mechanisms, days_per_value=days)
    if mine.empty:
        return
    mean = float((values["error_kwh"] / values["error_share"]).median())
    cells = mine.pivot(index="mechanism", columns="statistic", values="value")
    labels = {Identity.name: Identity.label, **mechanism_labels()}
    drawn = dict.fromkeys([*labels, *cells.index])
    markers = dict(zip(drawn, [Identity.marker, *_MARKERS, *_MARKERS], strict=False))
    for name, row in cells.iterrows():
        axis.plot(
            100 * row["error_kwh"] / mean,
            50 + 50 * row["gain_all"],
            markers[name],
            color="black",
            ms=6,
            label=label(labels, name),
            ls="none",
        )
