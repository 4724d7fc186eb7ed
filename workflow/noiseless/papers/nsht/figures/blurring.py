"""Figures of the blurring policies (``nsht``, Figures 4 and 5, and beyond)."""

import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from noiseless.figures import style
from noiseless.figures.style import create_figure, get_value, select_rows, select_statistic
from noiseless.mechanisms.blurring import Blurring
from noiseless.mechanisms.interface import Identity
from noiseless.mechanisms.policies import load_blurring_policies
from noiseless.papers.nsht.blurring import BMI_KG_M2, HISTOGRAM_BIN

# The palest blue is left out, so that a bin of a single person stays visible on white.
_PEOPLE = ListedColormap(colormaps["Blues"](np.linspace(0.25, 1, 256)))
# Axes of the histograms: the part of the public range that holds the people of the survey.
_WEIGHTS_KG = (35, 170)
_HEIGHTS_CM = (140, 210)
_MARKED_CHANGES = (1, 5, 10, 20)  # largest changes 1/rho that are marked, in kg
_RHO_TOLERANCE = 0.05  # largest difference of logarithms of accuracies that count as equal
_RHO_LABEL = r"accuracy $\rho$ (1/kg)"


def plot_fig4(budget: pd.DataFrame) -> Figure:
    """Plot the privacy budget against accuracy, with what policies have by Equation 9."""
    figure, (axis,) = create_figure(height_in=2.8)
    promised = select_statistic(budget, "epsilon", policy="collapse")
    label = r"promised by Theorem 4 for $\rho$"
    axis.loglog("rho_per_kg", "value", data=promised, color=style.BLACK, label=label)
    last, rho = promised.iloc[-1], promised["rho_per_kg"]
    asymptote = last["value"] * last["rho_per_kg"] / rho
    axis.loglog(rho, asymptote, "--", color=style.GREY, label=r"$1/\rho$, its limit (Remark 1)")
    earned = select_statistic(budget, "privacy_nats", policy="stretch")
    label = "by Equation 9, of our policy (stretch)"
    look: dict[str, Any] = {"linewidth": 2.2, "color": style.BLUE, "label": label}
    axis.loglog(earned["rho_per_kg"], np.expm1(earned["value"]), ":", **look)
    printed = select_statistic(budget, "privacy_nats", policy="collapse")
    is_zero = printed["value"] == 0
    if is_zero.any():
        # A logarithmic axis has no 0, so zeros stand at its lower end.
        look = {"transform": axis.get_xaxis_transform(), "clip_on": False, "color": style.RED}
        some = printed.loc[is_zero, "rho_per_kg"].iloc[:: max(1, is_zero.sum() // 12)]
        look |= {"markersize": 4, "label": "by Equation 9, of the paper's policy: 0"}
        axis.plot(some, np.zeros(len(some)), "v", **look)
    axis.set(xlabel=_RHO_LABEL, ylabel=r"privacy budget $\epsilon$ (more is more private)")
    # Above the curves' flat right end, wide as the legend is.
    axis.set_ylim(top=12 * promised["value"].max())
    axis.legend(loc="upper right")
    return figure


def plot_fig5(
    histogram: pd.DataFrame,
    people: pd.DataFrame,
    *,
    bmi_kg_m2: float = BMI_KG_M2,
    histogram_bin: Mapping[str, float] = HISTOGRAM_BIN,
) -> Figure:
    """Plot histograms of reported weight and height for several accuracies and policies.

    The threshold of the body mass index is drawn as a line.
    """
    recorded = select_rows(histogram, policy=Identity.name)
    rhos = sorted(histogram.loc[histogram["policy"] != Identity.name, "rho_per_kg"].unique())[::-1]
    drawn = [
        name for name, each in _list_present_policies(histogram).items() if each.has_histograms
    ]
    figure, axes = create_figure(
        len(drawn), 1 + len(rhos), height_in=2.05 * len(drawn), sharex=True, sharey=True
    )
    norm = LogNorm(1, max(2, histogram["value"].max()))
    total = int(recorded["value"].sum())
    grid = np.array(axes).reshape(len(drawn), -1)
    heights = np.linspace(*_HEIGHTS_CM)
    weights = bmi_kg_m2 * (heights / 100) ** 2
    size = (histogram_bin["weight_kg"], histogram_bin["height_cm"])
    for row, policy in zip(grid, drawn, strict=True):
        row[0].set_title("as recorded")
        label = textwrap.fill(_list_present_policies(histogram)[policy].label, 26)
        row[0].set_ylabel(f"{label}\nheight (cm)")
        _plot_bins(row[0], recorded, size, norm)
        for axis, rho in zip(row[1:], rhos, strict=True):
            blurred = select_rows(histogram, policy=policy, rho_per_kg=rho)
            bins = _plot_bins(axis, blurred, size, norm)
            undecided = get_value(people, "undecided", policy=policy, rho_per_kg=rho)
            title = rf"$\rho$ = {rho:.3g}/kg ($\pm${1 / rho:.3g} kg)"
            axis.set_title(title)
            note = f"{undecided:.0f} undecided"
            axis.text(0.03, 0.97, note, transform=axis.transAxes, va="top", fontsize=6)
        for axis in row:
            axis.plot(weights, heights, color=style.RED, linewidth=0.5)
    for axis in grid[-1]:
        axis.set_xlabel("weight (kg)")
    figure.colorbar(
        bins, ax=axes, label="people per bin", shrink=0.6, aspect=30, pad=0.01, format="%d"
    )
    style.add_note(figure, f"{total} people")
    return figure


def _plot_bins(
    axis: Axes,
    counts: pd.DataFrame,
    size: tuple[float, float],
    norm: LogNorm,
) -> PatchCollection:
    """Plot the bins that hold people, and write how many people lie outside the axes."""
    rectangles = [
        Rectangle(corner, *size)
        for corner in zip(counts["weight_kg"], counts["height_cm"], strict=True)
    ]
    bins = PatchCollection(rectangles, cmap=_PEOPLE, norm=norm, linewidth=0)
    bins.set_array(counts["value"].to_numpy())
    axis.add_collection(bins)
    axis.set(xlim=_WEIGHTS_KG, ylim=_HEIGHTS_CM)
    is_inside = counts["weight_kg"].between(*_WEIGHTS_KG) & counts["height_cm"].between(
        *_HEIGHTS_CM
    )
    if not is_inside.all():
        outside = int(counts.loc[~is_inside, "value"].sum())
        note, at = f"{outside} outside", axis.transAxes
        axis.text(0.97, 0.03, note, transform=at, ha="right", fontsize=5.5, color=style.GREY)
    return bins


def plot_fig5_people(people: pd.DataFrame) -> Figure:
    """Plot the undecided people, and the people who are proven obese, against accuracy."""
    figure, (left, right) = create_figure(1, 2, height_in=2.9, sharex=True)
    total, obese = (int(get_value(people, each)) for each in ("people", "obese"))
    present = _list_present_policies(people)
    for policy, each in present.items():
        if each.same_people_as:
            continue
        same = [name for name, other in present.items() if other.same_people_as == policy]
        alike = f"{', '.join([policy, *same[:-1]])} and {same[-1]}, alike" if same else policy
        look = {"color": style.COLOURS[each.colour], "label": alike}
        undecided = select_statistic(people, "undecided", policy=policy)
        left.semilogx(
            undecided["rho_per_kg"], 100 * undecided["value"] / total, each.dashes, **look
        )
        proven = select_statistic(people, "obese_identifiable", policy=policy)
        right.semilogx(
            "rho_per_kg", "value", each.dashes, data=proven, drawstyle="steps-mid", **look
        )
    left.set(
        xlabel=_RHO_LABEL,
        ylabel=f"undecided, of {total} people (%)",
        ylim=(0, 105),
        title="reports that leave the side open",
    )
    left.legend()
    right.axhline(obese, color=style.GREY, linestyle="--", linewidth=0.8)
    words = f"all {obese} obese people"
    right.annotate(
        words,
        (0.02, obese),
        xycoords=right.get_yaxis_transform(),
        fontsize=6,
        xytext=(0, 1.5),
        textcoords="offset points",
        va="bottom",
        color=style.GREY,
    )
    right.set(
        xlabel=_RHO_LABEL,
        ylabel="obese people",
        ylim=(0, max(1, obese) * 1.1),
        title="proven obese by their report",
    )
    right.yaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def plot_blurring_price(people: pd.DataFrame) -> Figure:
    """Plot the undecided people against the mean change of a record (kg), for all policies."""
    figure, (axis,) = create_figure(1, height_in=3.6)
    total = int(get_value(people, "people"))
    place = ["mean_change_kg", "undecided"]
    for policy, each in _list_present_policies(people).items():
        color = style.COLOURS[each.colour]
        cells = select_rows(people, policy=policy)
        cells = cells.pivot(index="rho_per_kg", columns="statistic", values="value")
        cells = cells[cells["undecided"] > 0]
        axis.plot(*place, each.dashes, data=cells, color=color, label=each.label)
        for rho in _MARKED_CHANGES:
            nearest = cells.index[np.abs(np.log(cells.index * rho)).argmin()]
            if abs(np.log(nearest * rho)) < _RHO_TOLERANCE:
                at = cells.loc[nearest]
                axis.plot(*at[place], "o", color=color, markersize=3.5)
                if each.note:
                    look: dict[str, Any] = {"xytext": each.note, "fontsize": 5.5, "color": color}
                    note = f"$\\pm${rho:g} kg"
                    axis.annotate(note, at[place], textcoords="offset points", **look)
    axis.set(
        xscale="log",
        yscale="log",
        xlabel="mean change of a record (kg, in the policy's norm)",
        ylabel=f"people undecided, of {total}",
        xlim=(1e-3, None),
    )
    axis.legend(loc="lower right")
    return figure


def _list_present_policies(table: pd.DataFrame) -> dict[str, type[Blurring]]:
    """List the blurring policies whose rows a table has, by name, in the order of the registry."""
    present = set(table["policy"])
    return {name: each for name, each in load_blurring_policies().items() if name in present}
