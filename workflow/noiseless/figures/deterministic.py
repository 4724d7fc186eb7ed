"""Figures of Farokhi, "Development and Analysis of Deterministic Privacy-Preserving Policies"."""

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from noiseless.figures.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PAGE_WIDTH_IN,
    RED,
    new_figure,
    statistic,
)

_SERIES = ((BLUE, "o"), (ORANGE, "s"), (GREEN, "^"), (RED, "v"))


def fig1(raster: pd.DataFrame, regions: pd.DataFrame) -> Figure:
    """Regions of the optimal policy for the average of two numbers.

    Parameters
    ----------
    raster : DataFrame
        Table ``deterministic/raster``.
    regions : DataFrame
        Table ``deterministic/regions``.
    """
    return _regions(raster, regions, "average")


def fig2(raster: pd.DataFrame, regions: pd.DataFrame) -> Figure:
    """Regions of the optimal policy for a quadratic query; parameters as for :func:`fig1`."""
    return _regions(raster, regions, "quadratic")


def _regions(raster: pd.DataFrame, regions: pd.DataFrame, query: str) -> Figure:
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
        Table ``deterministic/averaging``.
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


def k_anonymity(release: pd.DataFrame, attack: pd.DataFrame) -> Figure:
    """People whose sensitive answer a k-anonymous release tells exactly, against k.

    A k for which there is no release is a gap, and the figure says so.

    Parameters
    ----------
    release : DataFrame
        Table ``deterministic/k_anonymity``.
    attack : DataFrame
        Table ``deterministic/homogeneity``.
    """
    figure, (left, right) = new_figure(1, 2, width_in=PAGE_WIDTH_IN, height_in=2.6, sharex=True)
    people = int(statistic(release, "people")["value"].iloc[0])
    for (question, rows), (color, marker) in zip(
        statistic(attack, "revealed").groupby("sensitive", sort=False), _SERIES, strict=False
    ):
        answers = int(statistic(attack, "answers", sensitive=question)["value"].iloc[0])
        left.plot(
            rows["k"],
            rows["value"],
            marker=marker,
            markersize=2.5,
            color=color,
            label=f"{question.lower()} ({answers} answers)",
        )
    guarded = statistic(attack, "quantizer_revealed")
    worst = guarded.groupby("k")["value"].agg(lambda values: values.max(skipna=False))
    left.plot(worst.index, worst, ":", color=BLACK, label="any, with the answer quantized")
    left.set(
        xscale="log",
        xlabel="$k$ (people in the smallest class)",
        ylabel=f"of {people} people, revealed exactly",
    )
    left.yaxis.set_major_locator(MaxNLocator(integer=True))
    left.legend()
    for name, color, dashes, label in (
        ("classes", BLUE, "-", "classes"),
        ("left_out", GREY, "--", "people left out"),
    ):
        values = statistic(release, name)
        right.step(values["k"], values["value"], dashes, where="mid", color=color, label=label)
    right.set(
        xlabel="$k$ (people in the smallest class)",
        ylabel="number of classes, of people",
        ylim=(0, None),
    )
    classes = statistic(release, "classes")
    gaps = classes.loc[classes["value"].isna(), "k"]
    if len(gaps):
        left_out = statistic(release, "least_left_out_share").set_index("k")["value"]
        right.set_title(
            f"no release for {len(gaps)} of {len(classes)} k, from k = {gaps.min()}:\n"
            f"it would leave out {left_out[gaps.min()]:.0%} or more",
            fontsize="small",
        )
    ticks = [each for each in (2, 5, 10, 20, 50) if each <= np.max(release["k"])]
    right.set_xticks(ticks, [str(each) for each in ticks])
    right.minorticks_off()
    right.legend()
    return figure
