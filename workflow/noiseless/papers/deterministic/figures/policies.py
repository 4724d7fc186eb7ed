"""Figures of Farokhi, "Development and Analysis of Deterministic Privacy-Preserving Policies"."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator

from noiseless.figures import style
from noiseless.papers.deterministic.policies import QUERIES


def plot_fig1(raster: pd.DataFrame, regions: pd.DataFrame, printed: pd.DataFrame) -> Figure:
    """Plot the regions of the optimal policy for the average of two numbers."""
    return _plot_regions(raster, regions, printed, "average")


def plot_fig2(raster: pd.DataFrame, regions: pd.DataFrame, printed: pd.DataFrame) -> Figure:
    """Plot the regions of the optimal policy for a quadratic query; see :func:`plot_fig1`."""
    return _plot_regions(raster, regions, printed, "quadratic")


def _plot_regions(
    raster: pd.DataFrame, regions: pd.DataFrame, printed: pd.DataFrame, query: str
) -> Figure:
    """Plot the regions of the policy of a query over both coordinates, each with its symbol.

    Lines are the bounds of regions that the paper prints.
    """
    figure, (axis,) = style.create_figure(height_in=3.0)
    grid = style.select_statistic(raster, "region", query=query).pivot(
        index="x2", columns="x1", values="value"
    )
    symbols = style.select_statistic(regions, "symbol", query=query)
    count = len(symbols)
    image = axis.pcolormesh(
        grid.columns,
        grid.index,
        grid.to_numpy(),
        cmap=colormaps["cividis"].resampled(count),
        vmin=0.5,
        vmax=count + 0.5,
        rasterized=True,  # one image in a PDF, not one path for each point
    )
    axis.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    for ticks in (axis.xaxis, axis.yaxis):
        ticks.set_major_locator(MultipleLocator(1))
    bounds = style.select_printed(printed, "deterministic/policies_regions", "lower", query=query)[
        "high"
    ]
    if len(bounds):
        outputs = QUERIES[query](*np.meshgrid(grid.columns, grid.index))
        look: dict[str, Any] = {"colors": "white", "linewidths": 0.7, "linestyles": "dashed"}
        axis.contour(grid.columns, grid.index, outputs, levels=sorted(bounds), **look)
        dashes = Line2D([], [], color=style.GREY, linestyle="--", linewidth=0.9)
        label = f"bounds {style.PRINTED_LABEL}"
        figure.legend([dashes], [label], loc="outside upper center")
    bar = figure.colorbar(image, ax=axis, label=r"region $\mathcal{X}_i$ (reported $b_i$)")
    labels = [f"{row.region:.0f}  ({row.value:g})" for row in symbols.itertuples()]
    labels = [label.replace("-", "\N{MINUS SIGN}") for label in labels]
    bar.set_ticks(range(1, count + 1), labels=labels)
    return figure


def plot_fig3(averaging: pd.DataFrame) -> Figure:
    """Plot leakage, maximin information (nats) and the adversary's error against accuracy gamma."""
    figure, (left, right) = style.create_figure(1, 2, height_in=2.4)
    for name, color, dashes, label in (
        ("leakage_nats", style.BLUE, "-", r"$L_0(X;\tilde f(X))$, equal bins"),
        ("maximin_nats", style.ORANGE, "--", r"$I_\star(X;\tilde f(X))$"),
    ):
        values = style.select_statistic(averaging, name)
        left.step("gamma", "value", dashes, data=values, where="pre", color=color, label=label)
    least = style.select_statistic(averaging, "least_leakage_nats")
    label = r"$L_0(X;\tilde f(X))$, bins of best widths"
    left.plot("gamma", "value", ":", data=least, color=style.GREEN, zorder=3, label=label)
    left.set_ylabel("information (nats)")
    left.legend()
    error = style.select_statistic(averaging, "smallest_error")
    right.step("gamma", "value", data=error, where="pre", color=style.BLACK)
    right.set_ylabel(r"error $d_{\min}$ (unit of the data)")
    for axis in (left, right):
        axis.set(xlabel=r"accuracy $\gamma$ (1/unit of the data)", ylim=(0, None))
    return figure
