"""Figures 5 and 6 of Farokhi, "Noiseless Privacy": taxi trips."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from noiseless.figures import style

_BOTH = "start and end"
# The colours begin above the palest, so that a single pickup does not fade into the background.
_PICKUPS = ListedColormap(colormaps["inferno_r"](np.linspace(0.2, 1, 256)))
_STYLES = (
    *((style.BLUE, "-"), (style.ORANGE, "--"), (style.GREEN, "-."), (style.RED, ":")),
    *((style.PURPLE, (0, (5, 1, 1, 1, 1, 1))), (style.SKY, (0, (1, 1)))),
)
_MARKED_HEIGHTS_M = {10_000: "10 km", 1_000: "1 km", 100: "100 m", 10: "10 m"}
_NEGLIGIBLE = 0.01  # portion of trips at which the claims of Figure 6 are judged
_EPSILON = r"privacy budget of a place $\epsilon$ (bits)"


def plot_fig5(
    density: pd.DataFrame,
    *,
    latitude_range_deg: Sequence[float],
    longitude_range_deg: Sequence[float],
    levels: int,
) -> Figure:
    """Plot a map of the pickups inside the public box."""
    (south, north), (west, east) = latitude_range_deg, longitude_range_deg
    height, width = (north - south) / levels, (east - west) / levels
    pickups = np.full((levels, levels), np.nan)
    row = np.floor((density["latitude_deg"] - south) / height).astype(int)
    column = np.floor((density["longitude_deg"] - west) / width).astype(int)
    pickups[row, column] = density["value"]
    figure, (axis,) = style.create_figure(height_in=2.9)
    image = axis.imshow(
        pickups,
        origin="lower",
        extent=(west, east, south, north),
        norm=LogNorm(1, max(2, density["value"].max())),
        cmap=_PICKUPS,
        interpolation="nearest",
        aspect=1 / math.cos(math.radians((south + north) / 2)),
    )
    axis.set(
        xlabel="longitude (degrees)",
        ylabel="latitude (degrees)",
    )
    style.add_note(figure, f"{int(density['value'].sum()):,} pickups, {levels} x {levels} cells")
    figure.colorbar(image, ax=axis, label="pickups per cell", pad=0.02)
    return figure


def plot_fig6(known: pd.DataFrame, half: pd.DataFrame, budget: pd.DataFrame) -> Figure:
    """Plot the portion of trips with a unique start and end cell against the budget."""
    figure, (axis,) = style.create_figure(height_in=2.9)
    trips = style.select_statistic(known, "trips", known=_BOTH)["value"].max()
    unique = style.select_statistic(known, "portion_below_2", known=_BOTH)
    axis.plot("epsilon_bits", "value", "o-", data=unique, color=style.BLUE, markersize=2.5)
    if not style.select_rows(half, known=_BOTH, trips=trips).empty:
        half_bits, cell_height_m = (
            style.get_value(half, name, known=_BOTH, trips=trips)
            for name in ("epsilon_bits", "cell_height_m")
        )
        axis.plot([half_bits, half_bits, 0], [0, 0.5, 0.5], ":", color=style.GREY)
        axis.plot(half_bits, 0.5, "s", color=style.RED, markersize=4)
        axis.annotate(
            f"half of the trips at\n$\\epsilon$ = {half_bits:.1f}, cells\n"
            f"{cell_height_m:,.0f} m high",
            (half_bits, 0.5),
            xytext=(8, -20),
            textcoords="offset points",
            fontsize=6.5,
        )
    axis.set(
        xlabel=_EPSILON,
        ylabel="portion of unique trips",
        xlim=(0, unique["epsilon_bits"].max() + 0.5),
        ylim=(0, 1.02),
    )
    style.add_note(figure, f"{int(trips):,} trips")
    axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    heights = style.select_statistic(budget, "cell_height_m").sort_values("value")
    marked_m = [height_m for height_m in _MARKED_HEIGHTS_M if heights["value"].min() <= height_m]
    ticks = np.interp(np.log(marked_m), np.log(heights["value"]), heights["epsilon_bits"])
    top = axis.secondary_xaxis("top")
    top.set_xticks(ticks, [_MARKED_HEIGHTS_M[height_m] for height_m in marked_m])
    top.set_xlabel("height of a cell")
    return figure


def plot_fig6_beyond(known: pd.DataFrame, numbers: pd.DataFrame) -> Figure:
    """Plot the portion of trips in larger groups, by other knowledge, and among fewer trips."""
    figure, axes = style.create_figure(1, 3, height_in=2.6, sharey=True)
    below = known[known["statistic"].str.startswith("portion_below_")]
    groups = style.select_rows(below, known=_BOTH).groupby("statistic", sort=False)
    labels = {name: f"fewer than {name.rsplit('_', 1)[1]}" for name, _ in groups}
    labels["portion_below_2"] = "fewer than 2 (unique)"
    _plot_lines(axes[0], groups, labels)
    trips = int(style.select_statistic(known, "trips")["value"].max())
    axes[0].set(title="in groups of ... trips", ylabel="portion of trips")
    unique = style.select_statistic(below, "portion_below_2")
    _plot_lines(axes[1], unique.groupby("known", sort=False), {})
    axes[1].set_title("unique by what is released")
    _plot_lines(axes[2], numbers.groupby("trips"), {n: f"{n:,}" for n in numbers["trips"]})
    axes[2].set_title("unique among the first ... trips")
    for axis in axes:
        axis.set(xlabel=_EPSILON, ylim=(0, 1.02))
        axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    style.add_note(figure, f"left and middle: {trips:,} trips")
    return figure


def plot_fig6_attribution(attribution: pd.DataFrame) -> Figure:
    """Plot the portion of rides found in the release, a line for each kind of knowledge."""
    figure, (axis,) = style.create_figure(height_in=2.9)
    unique = style.select_statistic(attribution, "portion_unique")
    for (known, curve), (color, dashes) in zip(
        unique.groupby("known", sort=False), style.iterate_looks(_STYLES), strict=False
    ):
        shared = style.get_value(attribution, "trips_a_period", known=known)
        label = f"{known} ({shared:,.0f} trips)"
        axis.plot("epsilon_bits", "value", data=curve, color=color, linestyle=dashes, label=label)
        look: dict[str, Any] = {"color": color, "alpha": 0.12, "linewidth": 0}
        axis.fill_between("epsilon_bits", "low", "high", data=curve, **look)
    axis.axhline(_NEGLIGIBLE, color=style.GREY, linestyle=":", linewidth=0.8)
    words = f"{100 * _NEGLIGIBLE:g} % of the rides"
    place: dict[str, Any] = {"xycoords": axis.get_yaxis_transform(), "ha": "right", "va": "bottom"}
    axis.annotate(words, (0.98, _NEGLIGIBLE), fontsize=6, color=style.GREY, **place)
    axis.set(
        xlabel=_EPSILON,
        ylabel="portion of rides that are found",
        xlim=(0, unique["epsilon_bits"].max() + 0.5),
        yscale="log",
        ylim=(1e-5, 1.3),
    )
    axis.legend(
        title="what is known, and how many trips share the time", fontsize=6, title_fontsize=6
    )
    return figure


def _plot_lines(axis: Axes, groups: "pd.api.typing.DataFrameGroupBy", labels: dict) -> None:
    """Plot a line for each group of rows, with the legend below."""
    for (name, group), (color, dashes) in zip(groups, style.iterate_looks(_STYLES), strict=False):
        look = {"color": color, "linestyle": dashes, "label": labels.get(name, name)}
        axis.plot("epsilon_bits", "value", data=group, **look)
    axis.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.24), ncols=2, fontsize=6, handlelength=2.4
    )
