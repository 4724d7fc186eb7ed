"""Figures of Farokhi, "Non-Stochastic Hypothesis Testing for Privacy"."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
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
from noiseless.labels import POLICIES
from noiseless.quantities import BODIES, Quantities

# A single person must not fade into the paper.
_PEOPLE = ListedColormap(colormaps["Blues"](np.linspace(0.25, 1, 256)))
# The part of the public range that the people of the survey fill.
_WEIGHTS_KG = (35, 170)
_HEIGHTS_CM = (140, 210)
_SHORT_UNIT = 2  # letters; accuracy and change then fit one line above a histogram


def fig4(
    budget: pd.DataFrame, enclosure: pd.DataFrame, *, quantities: Quantities = BODIES
) -> Figure:
    """Privacy budget against accuracy, with what the policies earn under Equation 9.

    Parameters
    ----------
    budget : DataFrame
        Table ``nsht/blurring_budget``.
    enclosure : DataFrame
        Table ``nsht/blurring_enclosure``.
    quantities : Quantities
        What the two numbers of a record are called.
    """
    budget, enclosure = quantities.plain(budget), quantities.plain(enclosure)
    figure, (left, right) = new_figure(1, 2, width_in=PAGE_WIDTH_IN, height_in=2.7)
    printed = statistic(budget, "epsilon", policy="collapse")
    rho, epsilon = printed["rho"], printed["value"]
    left.loglog(rho, epsilon, color=BLACK, label=r"Theorem 4, $\epsilon(\rho)$, exact")
    last = printed.iloc[-1]
    left.loglog(rho, last["value"] * last["rho"] / rho, "--", color=GREY, label=r"$O(1/\rho)$")
    earned = statistic(budget, "privacy_nats", policy="stretch")
    left.loglog(
        earned["rho"],
        np.expm1(earned["value"]),
        ":",
        linewidth=2.2,
        color=BLUE,
        label="earned under Eq. 9: stretch",
    )
    left.text(
        0.03,
        0.03,
        "earned under Eq. 9: collapse\n(as printed) is 0 for every $\\rho$",
        transform=left.transAxes,
        color=RED,
        fontsize="small",
    )
    left.set(xlabel=_accuracy(quantities), ylabel=r"privacy budget $\epsilon$")
    left.legend(loc="upper right")

    styles = zip((BLUE, ORANGE, GREEN, RED, BLACK), ("o", "s", "^", "v", "D"), strict=True)
    widths = statistic(enclosure, "relative_width")
    for (each, group), (color, marker) in zip(widths.groupby("rho"), styles, strict=False):
        # A band of one width everywhere is enclosed exactly: there is nothing to draw.
        drawn = group[group["value"] > 0]
        right.loglog(
            drawn["cells"],
            drawn["value"],
            marker=marker,
            markersize=3,
            color=color,
            label=rf"$\rho$ = {each:.3g}/{quantities.x1_unit}" + (": exact" if drawn.empty else ""),
        )
    if not (widths["value"] > 0).any():
        right.set(xscale="linear", yscale="linear", xticks=[], yticks=[])
    right.set(
        xlabel=f"cells along the {quantities.x2}",
        ylabel=r"(upper $-$ lower bound) / $\epsilon$",
        title=r"certified bounds close in on the exact $\epsilon$",
    )
    right.legend()
    return figure


def fig5(
    histogram: pd.DataFrame,
    people: pd.DataFrame,
    *,
    bmi_kg_m2: float,
    histogram_bin: dict[str, float],
) -> Figure:
    """Histograms of reported weight and height for several accuracies and both policies.

    Parameters
    ----------
    histogram : DataFrame
        Table ``nsht/blurring_histogram``.
    people : DataFrame
        Table ``nsht/blurring_people``.
    bmi_kg_m2 : float
        The threshold, drawn as a line.
    histogram_bin : dict
        ``weight_kg`` and ``height_cm``: the size of a bin.
    """
    return draw_histograms(
        histogram,
        people,
        quantities=BODIES,
        threshold=lambda height: bmi_kg_m2 * (height / 100) ** 2,
        bin_size=(histogram_bin["weight_kg"], histogram_bin["height_cm"]),
        window=(_WEIGHTS_KG, _HEIGHTS_CM),
    )


def draw_histograms(
    histogram: pd.DataFrame,
    people: pd.DataFrame,
    *,
    quantities: Quantities,
    threshold: Callable[[np.ndarray], np.ndarray],
    bin_size: tuple[float, float],
    window: tuple[tuple[float, float], tuple[float, float]],
) -> Figure:
    """Histograms of two reported numbers for several accuracies and both policies.

    Parameters
    ----------
    histogram, people : DataFrame
        Tables ``nsht/blurring_histogram`` and ``nsht/blurring_people``, or others like them.
    quantities : Quantities
        What the two numbers are called.
    threshold : callable
        The threshold of the first number, from the second; drawn as a line.
    bin_size : pair of float
        Of a bin, along the two.
    window : pair of (low, high)
        What is shown of the two.
    """
    histogram, people = quantities.plain(histogram), quantities.plain(people)
    recorded = histogram[histogram["policy"] == "none"]
    rhos = sorted(histogram.loc[histogram["policy"] != "none", "rho"].unique())[::-1]
    figure, axes = new_figure(
        2, 1 + len(rhos), width_in=PAGE_WIDTH_IN, height_in=4.1, sharex=True, sharey=True
    )
    norm = LogNorm(1, max(2, histogram["value"].max()))
    total = int(recorded["value"].sum())
    grid = np.array(axes).reshape(2, -1)
    heights = np.linspace(*window[1])
    unit = quantities.x1_unit
    for row, (policy, name) in zip(grid, POLICIES.items(), strict=True):
        row[0].set_title(f"as recorded\n{total} people")
        row[0].set_ylabel(f"{name}\n{quantities.x2} ({quantities.x2_unit})")
        _draw_bins(row[0], recorded, bin_size, norm, window)
        for axis, rho in zip(row[1:], rhos, strict=True):
            chosen = (histogram["policy"] == policy) & (histogram["rho"] == rho)
            bins = _draw_bins(axis, histogram[chosen], bin_size, norm, window)
            moved = statistic(people, "moved", policy=policy, rho=rho)["value"].item()
            gap = " " if len(unit) <= _SHORT_UNIT else "\n"
            title = rf"$\rho$ = {rho:.3g}/{unit}{gap}($\pm${1 / rho:.3g} {unit})"
            axis.set_title(f"{title}\n{moved:.0f} moved")
        for axis in row:
            axis.plot(threshold(heights), heights, color=RED, linewidth=0.5)
    for axis in grid[1]:
        axis.set_xlabel(f"{quantities.x1} ({unit})")
    figure.colorbar(
        bins, ax=axes, label="people per bin", shrink=0.6, aspect=30, pad=0.01, format="%d"
    )
    return figure


def _draw_bins(
    axis: Axes,
    counts: pd.DataFrame,
    size: tuple[float, float],
    norm: LogNorm,
    window: tuple[tuple[float, float], tuple[float, float]],
) -> PatchCollection:
    """Draw the bins that hold anybody; say how many people lie outside the picture."""
    rectangles = [
        Rectangle(corner, *size) for corner in zip(counts["x1"], counts["x2"], strict=True)
    ]
    bins = PatchCollection(rectangles, cmap=_PEOPLE, norm=norm, linewidth=0)
    bins.set_array(counts["value"].to_numpy())
    axis.add_collection(bins)
    axis.set(xlim=window[0], ylim=window[1])
    seen = counts["x1"].between(*window[0]) & counts["x2"].between(*window[1])
    if not seen.all():
        outside = int(counts.loc[~seen, "value"].sum())
        axis.text(
            0.97,
            0.03,
            f"{outside} outside",
            transform=axis.transAxes,
            ha="right",
            fontsize=5.5,
            color=GREY,
        )
    return bins


def fig5_people(people: pd.DataFrame, *, quantities: Quantities = BODIES) -> Figure:
    """People moved by the policy, and people whose reports prove their hypothesis.

    Parameters
    ----------
    people : DataFrame
        Table ``nsht/blurring_people``.
    quantities : Quantities
        What the two numbers of a record are called.
    """
    people = quantities.plain(people)
    figure, (left, right) = new_figure(1, 2, width_in=PAGE_WIDTH_IN, height_in=2.5, sharex=True)
    total = int(statistic(people, "people")["value"].iloc[0])
    above = int(statistic(people, "above")["value"].iloc[0])
    moved = statistic(people, "moved_share", policy="collapse")
    left.semilogx(moved["rho"], 100 * moved["value"], color=BLUE, label="moved")
    changed = ((ORANGE, "--", "collapse"), (GREEN, ":", "stretch"))
    for color, dashes, policy in changed:
        change = statistic(people, "histogram_change_share", policy=policy)
        left.semilogx(
            change["rho"],
            100 * change["value"],
            dashes,
            color=color,
            label=f"histogram changed, {POLICIES[policy]}",
        )
    left.set(xlabel=_accuracy(quantities), ylabel=f"share of {total} people (%)", ylim=(0, None))
    left.legend()
    identifiable = statistic(people, "above_identifiable", policy="collapse")
    right.semilogx(
        identifiable["rho"],
        identifiable["value"],
        color=RED,
        drawstyle="steps-mid",
        label=f"proven {quantities.above} by their report",
    )
    right.axhline(above, color=GREY, linestyle="--", label=f"all {above} {quantities.above} people")
    right.set(xlabel=_accuracy(quantities), ylabel="people", ylim=(0, max(1, above) * 1.1))
    right.yaxis.set_major_locator(MaxNLocator(integer=True))
    right.legend(loc="lower right")
    return figure


def _accuracy(quantities: Quantities) -> str:
    return rf"accuracy $\rho$ (1/{quantities.x1_unit})"
