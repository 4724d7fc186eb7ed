"""Figures of Farokhi, "Development and Analysis of Deterministic Privacy-Preserving Policies"."""

import pandas as pd
from matplotlib import colormaps
from matplotlib.figure import Figure

from noiseless.figures.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PAGE_WIDTH_IN,
    new_figure,
    statistic,
)


def fig1(raster: pd.DataFrame, regions: pd.DataFrame) -> Figure:
    """Regions of the optimal policy for the average of two numbers.

    Parameters
    ----------
    raster : DataFrame
        Table ``deterministic/policies_raster``.
    regions : DataFrame
        Table ``deterministic/policies_regions``.
    """
    return _regions(raster, regions, "average")


def fig2(raster: pd.DataFrame, regions: pd.DataFrame) -> Figure:
    """Regions of the optimal policy for a quadratic query; parameters as for :func:`fig1`."""
    return _regions(raster, regions, "quadratic")


def _regions(raster: pd.DataFrame, regions: pd.DataFrame, query: str) -> Figure:
    """Regions of a policy over both coordinates, each with its symbol."""
    figure, (axis,) = new_figure(height_in=3.0)
    grid = statistic(raster, "region", query=query).pivot(index="x2", columns="x1", values="value")
    symbols = statistic(regions, "symbol", query=query)
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
    bar = figure.colorbar(image, ax=axis, label=r"region $\mathcal{X}_i$ (reported $b_i$)")
    bar.set_ticks(
        range(1, count + 1),
        labels=[
            f"{int(region)}  ({value:g})"
            for region, value in zip(symbols["region"], symbols["value"], strict=True)
        ],
    )
    return figure


def fig3(averaging: pd.DataFrame) -> Figure:
    """Leakage, maximin information and the adversary's error against the accuracy.

    Parameters
    ----------
    averaging : DataFrame
        Table ``deterministic/policies_averaging``.
    """
    figure, (left, right) = new_figure(1, 2, width_in=PAGE_WIDTH_IN, height_in=2.4)
    for name, color, dashes, label in (
        ("leakage_nats", BLUE, "-", r"$L_0(X;\tilde f(X))$, equal bins"),
        ("maximin_nats", ORANGE, "--", r"$I_\star(X;\tilde f(X))$"),
    ):
        values = statistic(averaging, name)
        left.step(values["gamma"], values["value"], dashes, where="pre", color=color, label=label)
    least = statistic(averaging, "least_leakage_nats")
    left.plot(
        least["gamma"],
        least["value"],
        ":",
        color=GREEN,
        zorder=3,
        label=r"$L_0(X;\tilde f(X))$, bins of best widths",
    )
    left.set(
        xlabel=r"accuracy $\gamma$ (1/unit of the data)",
        ylabel="information (nats)",
        ylim=(0, None),
    )
    left.legend()
    error = statistic(averaging, "smallest_error")
    right.step(error["gamma"], error["value"], where="pre", color=BLACK)
    right.set(
        xlabel=r"accuracy $\gamma$ (1/unit of the data)",
        ylabel=r"error $d_{\min}$ (unit of the data)",
        ylim=(0, None),
    )
    return figure
