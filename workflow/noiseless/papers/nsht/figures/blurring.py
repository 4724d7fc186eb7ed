"""Figures of Farokhi, "Non-Stochastic Hypothesis Testing for Privacy"."""

from collections.abc import Callable, Mapping
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
from noiseless.figures.style import new_figure, rows_where, statistic, value_of
from noiseless.mechanisms.blurring import Blurring
from noiseless.mechanisms.interface import Identity
from noiseless.mechanisms.policies import blurring_policies
from noiseless.papers.nsht.blurring import BMI_KG_M2, HISTOGRAM_BIN
from noiseless.papers.nsht.quantities import BODIES, Quantities

# A single person must not fade into the paper.
_PEOPLE = ListedColormap(colormaps["Blues"](np.linspace(0.25, 1, 256)))
# The part of the public range that the people of the survey fill.
_WEIGHTS_KG = (35, 170)
_HEIGHTS_CM = (140, 210)
_MARKED_CHANGES = (1, 5, 10, 20)  # largest changes 1/rho that are marked
_SAME_RHO = 0.05  # in the logarithm
_ROOM_FOR_LEGEND = 8  # above the curves, in the logarithm
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
    figure, (left, right) = new_figure(1, 2, height_in=2.7)
    printed = statistic(budget, "epsilon", policy="collapse")
    label = r"Theorem 4, $\epsilon(\rho)$, exact"
    left.loglog("rho", "value", data=printed, color=style.BLACK, label=label)
    last, rho = printed.iloc[-1], printed["rho"]
    left.loglog(
        rho, last["value"] * last["rho"] / rho, "--", color=style.GREY, label=r"$O(1/\rho)$"
    )
    earned = statistic(budget, "privacy_nats", policy="stretch")
    look = {"linewidth": 2.2, "color": style.BLUE, "label": "earned under Eq. 9: stretch"}
    left.loglog(earned["rho"], np.expm1(earned["value"]), ":", **look)
    # A share s of the range that is undecided is a budget of s / (1 - s) in the words of Theorem 4.
    for policy, color, whose in (
        ("stretch", style.BLUE, "collapse, stretch"),
        ("overlay", style.ORANGE, "overlay"),
    ):
        share = statistic(budget, "undecided_share", policy=policy).query("value < 1")
        look = {"color": color, "linewidth": 0.8, "label": f"undecided share: {whose}"}
        left.loglog("rho", "value", data=share, **look)
    note = "earned under Eq. 9: collapse\n(as printed) is 0 for every $\\rho$"
    left.text(0.03, 0.03, note, transform=left.transAxes, color=style.RED, fontsize="small")
    left.set(xlabel=_accuracy(quantities), ylabel=r"privacy budget $\epsilon$, or share")
    left.set_ylim(top=_ROOM_FOR_LEGEND * left.get_ylim()[1])
    left.legend(loc="upper right")

    looks = (*style.SERIES, (style.BLACK, "D"))
    widths = statistic(enclosure, "relative_width")
    for (each, group), (color, marker) in zip(widths.groupby("rho"), looks, strict=False):
        # A band of one width everywhere is enclosed exactly: there is nothing to draw.
        drawn = group[group["value"] > 0]
        label = rf"$\rho$ = {each:.3g}/{quantities.x1_unit}" + (": exact" if drawn.empty else "")
        look = {"marker": marker, "markersize": 3, "color": color, "label": label}
        right.loglog("cells", "value", data=drawn, **look)
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
    bmi_kg_m2: float = BMI_KG_M2,
    histogram_bin: Mapping[str, float] = HISTOGRAM_BIN,
) -> Figure:
    """Histograms of reported weight and height for several accuracies and policies.

    Parameters
    ----------
    histogram : DataFrame
        Table ``nsht/blurring_histogram``.
    people : DataFrame
        Table ``nsht/blurring_people``.
    bmi_kg_m2 : float
        The threshold, drawn as a line.
    histogram_bin : mapping
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
    """Histograms of two reported numbers for several accuracies and policies.

    Parameters
    ----------
    histogram, people : DataFrame
        Tables ``nsht/blurring_histogram`` and ``nsht/blurring_people``, or others like them.
    quantities : Quantities
        What the two numbers are called.
    threshold : callable
        The threshold of the first number, from the second; drawn as a line.
    bin_size : pair of float
        The size of a bin, along the two.
    window : pair of (low, high)
        What is shown of the two.
    """
    histogram, people = quantities.plain(histogram), quantities.plain(people)
    recorded = rows_where(histogram, policy=Identity.name)
    rhos = sorted(histogram.loc[histogram["policy"] != Identity.name, "rho"].unique())[::-1]
    drawn = [name for name, each in _present(histogram).items() if each.is_offered]
    figure, axes = new_figure(
        len(drawn), 1 + len(rhos), height_in=2.05 * len(drawn), sharex=True, sharey=True
    )
    norm = LogNorm(1, max(2, histogram["value"].max()))
    total = int(recorded["value"].sum())
    grid = np.array(axes).reshape(len(drawn), -1)
    heights = np.linspace(*window[1])
    unit = quantities.x1_unit
    for row, policy in zip(grid, drawn, strict=True):
        row[0].set_title(f"as recorded\n{total} people")
        row[0].set_ylabel(f"{policy}\n{quantities.x2} ({quantities.x2_unit})")
        _draw_bins(row[0], recorded, bin_size, norm, window)
        for axis, rho in zip(row[1:], rhos, strict=True):
            blurred = rows_where(histogram, policy=policy, rho=rho)
            bins = _draw_bins(axis, blurred, bin_size, norm, window)
            undecided = value_of(people, "undecided", policy=policy, rho=rho)
            gap = " " if len(unit) <= _SHORT_UNIT else "\n"
            title = rf"$\rho$ = {rho:.3g}/{unit}{gap}($\pm${1 / rho:.3g} {unit})"
            axis.set_title(f"{title}\n{undecided:.0f} undecided")
        for axis in row:
            axis.plot(threshold(heights), heights, color=style.RED, linewidth=0.5)
    for axis in grid[-1]:
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
    """Draw the bins that hold people; say how many people lie outside the picture."""
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
        note, at = f"{outside} outside", axis.transAxes
        axis.text(0.97, 0.03, note, transform=at, ha="right", fontsize=5.5, color=style.GREY)
    return bins


def fig5_people(people: pd.DataFrame, *, quantities: Quantities = BODIES) -> Figure:
    """People undecided under each policy, and people whose reports prove their hypothesis.

    Parameters
    ----------
    people : DataFrame
        Table ``nsht/blurring_people``.
    quantities : Quantities
        What the two numbers of a record are called.
    """
    people = quantities.plain(people)
    figure, (left, right) = new_figure(1, 2, height_in=2.9, sharex=True)
    total, above = (int(value_of(people, each)) for each in ("people", "above"))
    present = _present(people)
    for policy, each in present.items():
        if each.same_people_as:
            continue
        same = [name for name, other in present.items() if other.same_people_as == policy]
        look = {"color": style.COLOURS[each.colour], "label": " = ".join([policy, *same])}
        undecided = statistic(people, "undecided", policy=policy)
        left.semilogx(undecided["rho"], 100 * undecided["value"] / total, each.dashes, **look)
        proven = statistic(people, "above_identifiable", policy=policy)
        right.semilogx("rho", "value", each.dashes, data=proven, drawstyle="steps-mid", **look)
    left.set(
        xlabel=_accuracy(quantities),
        ylabel=f"undecided, of {total} people (%)",
        ylim=(0, 105),
        title="reports that leave the side open",
    )
    left.legend()
    right.axhline(above, color=style.GREY, linestyle="--", linewidth=0.8)
    right.set(
        xlabel=_accuracy(quantities),
        ylabel=f"{quantities.above} people",
        ylim=(0, max(1, above) * 1.1),
        title=f"proven {quantities.above} by their report, of {above}",
    )
    right.yaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def blurring_price(people: pd.DataFrame) -> Figure:
    """People left undecided against the mean change of a record, for all policies.

    Parameters
    ----------
    people : DataFrame
        Table ``nsht/blurring_people``.
    """
    people = BODIES.plain(people)
    figure, (axis,) = new_figure(1, height_in=3.6)
    total = int(value_of(people, "people"))
    place = ["mean_change", "undecided"]
    for policy, each in _present(people).items():
        color = style.COLOURS[each.colour]
        cells = rows_where(people, policy=policy)
        cells = cells.pivot(index="rho", columns="statistic", values="value")
        cells = cells[cells["undecided"] > 0]
        axis.plot(*place, each.dashes, data=cells, color=color, label=each.label)
        for rho in _MARKED_CHANGES:
            nearest = cells.index[np.abs(np.log(cells.index * rho)).argmin()]
            if abs(np.log(nearest * rho)) < _SAME_RHO:
                at = cells.loc[nearest]
                axis.plot(*at[place], "o", color=color, markersize=3.5)
                if each.note:
                    look: dict[str, Any] = {"xytext": each.note, "fontsize": 5.5, "color": color}
                    note = f"$\\pm${rho:g} {BODIES.x1_unit}"
                    axis.annotate(note, at[place], textcoords="offset points", **look)
    axis.set(
        xscale="log",
        yscale="log",
        xlabel=f"mean change of a record ({BODIES.x1_unit}, in the policy's norm)",
        ylabel=f"people undecided, of {total}",
        xlim=(1e-3, None),
    )
    axis.legend(loc="lower right")
    return figure


def _present(table: pd.DataFrame) -> dict[str, type[Blurring]]:
    """The policies that a table holds, in their order."""
    present = set(table["policy"])
    return {name: each for name, each in blurring_policies().items() if name in present}


def _accuracy(quantities: Quantities) -> str:
    """Label of an axis of accuracies."""
    return rf"accuracy $\rho$ (1/{quantities.x1_unit})"
