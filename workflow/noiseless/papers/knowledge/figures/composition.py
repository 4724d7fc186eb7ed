"""Figures of Pan, "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting"."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.accounting.labels import BASELINES
from noiseless.figures import style
from noiseless.statistics import get_sampled_unit

_MARKERS = ("o", "s", "^", "v", "D", "P", "X")
_COLORS = (style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PURPLE, style.SKY, style.BLACK)
_GROUP_COLORS = (style.PURPLE, style.ORANGE)  # colors, the largest groups first
# What Appendix C groups: first, and thick, what Equation 26 has.
_READINGS = {
    "maximum": ("groups for the maximum (Eq. 26)", style.BLUE, "s"),
    "minimum": ("groups for the minimum", style.GREEN, "^"),
    "both": ("groups for both extremes", style.PURPLE, "v"),
    "none": ("no groups", style.ORANGE, "o"),
}
_ROOM = 1.25  # of an axis, in printed medians: what lies beyond is cut


def _format_groups(group: int) -> str:
    """Format a size of groups for a legend: "groups of 10", or "no groups" for 0."""
    return f"groups of {group}" if group else "no groups"


def plot_fig1(
    losses_linear: pd.DataFrame,
    accepted_linear: pd.DataFrame,
    losses_logistic: pd.DataFrame,
    accepted_logistic: pd.DataFrame,
    grouping: pd.DataFrame,
    printed: pd.DataFrame,
    *,
    epsilon_nats: float,
) -> Figure:
    """Plot losses along runs and accepted queries by budget, for both kinds of regression.

    ``epsilon_nats`` of one query gives the line of basic composition.
    """
    figure, axes = style.create_figure(2, 2, height_in=4.6)
    rows = (
        ("linear", losses_linear, accepted_linear, "ab"),
        ("logistic", losses_logistic, accepted_logistic, "cd"),
    )
    for (name, losses, accepted, letters), left, right in zip(
        rows, axes[::2], axes[1::2], strict=True
    ):
        _plot_losses(left, losses, epsilon_nats)
        left.set_title(f"({letters[0]}) {name}")
        runs = accepted["runs"].min()
        accepted = style.select_rows(accepted, runs=runs)
        readings = style.select_rows(grouping, regression=name, basis="certified")
        _plot_accepted(right, readings)
        _plot_basic(right, accepted)
        # The band of large medians would press the other lines together.
        medians = style.select_statistic(pd.concat([readings, accepted]), "median")
        right.set_ylim(0, 1.15 * max(medians["value"].max(), 1))
        right.set_title(f"({letters[1]}) {name}")
        medians = get_printed_medians(printed, name)
        for median in medians:
            style.plot_printed(right, 1.0, median)
            right.set_ylim(0, max(right.get_ylim()[1], 1.1 * median))
        left.set_xlim(0, min(left.get_xlim()[1], _ROOM * max(medians, default=math.inf)))
    axes[1].legend()  # for both panels, because the lower one has no room
    style.add_note(
        figure,
        f"left: {losses_linear['run'].nunique()} runs, long ones cut; right: {runs} runs, the band "
        "from their 10th to their 90th percentile, for Equation 26",
    )
    return figure


def _plot_losses(axis: Axes, losses: pd.DataFrame, epsilon_nats: float) -> None:
    """Plot realized losses (nats) against accepted queries, a line for each run."""
    upper = style.select_statistic(losses, "loss_upper")
    for color, (group, rows) in zip(
        itertools.cycle(_GROUP_COLORS), list(upper.groupby("group"))[::-1], strict=False
    ):
        label: str | None = _READINGS["both" if group else "none"][0]
        for _, path in rows.groupby("run"):
            axis.plot(path["accepted"], path["value"], color=color, linewidth=0.6, label=label)
            label = None
    most = upper["value"].max()
    axis.plot(
        [0, most / epsilon_nats], [0, most], "--", color=style.BLACK, label="basic composition"
    )
    axis.set(xlabel="accepted queries", ylabel="realized privacy loss (nats)")
    axis.legend(frameon=True, edgecolor="none", framealpha=0.85)  # over lines, if need be


def _plot_accepted(
    axis: Axes, readings: pd.DataFrame, shown: Sequence[str] = tuple(_READINGS)
) -> None:
    """Plot accepted queries against the budget (nats) by what is grouped, the first thick."""
    for place, grouped in enumerate(shown):
        label, color, marker = _READINGS[grouped]
        rows = style.select_rows(readings, grouped=grouped)
        p10, median, p90 = (
            style.select_statistic(rows, name).sort_values("budget_nats")
            for name in ("p10", "median", "p90")
        )
        budgets = median["budget_nats"]
        if not place:
            axis.fill_between(
                budgets, p10["value"], p90["value"], color=color, alpha=0.2, linewidth=0
            )
        look: dict[str, Any] = {"color": color, "marker": marker, "markersize": 2.5}
        look |= {
            "linewidth": 0.8 if place else 2.0,
            "zorder": 2 if place else 1.5,
        }  # others may coincide
        axis.plot("budget_nats", "value", data=median, label=label, **look)
    axis.set(xlabel="privacy budget $\\epsilon_g$ (nats)", ylabel="accepted queries")


def _plot_basic(axis: Axes, accepted: pd.DataFrame) -> None:
    """Plot the queries that the sum of epsilons accepts against the budget (nats)."""
    basic = style.select_statistic(accepted, "median", filter="basic")
    axis.plot(
        "budget_nats", "value", "--", data=basic, color=style.BLACK, label="basic composition"
    )


def plot_accountants(
    accepted_linear: pd.DataFrame,
    accepted_logistic: pd.DataFrame,
    grouping: pd.DataFrame,
    baselines: pd.DataFrame,
) -> Figure:
    """Plot the queries that each accountant accepts against the budget, for both regressions."""
    figure, axes = style.create_figure(1, 2, height_in=2.9)
    regressions = {"linear": accepted_linear, "logistic": accepted_logistic}
    for axis, (name, accepted) in zip(axes, regressions.items(), strict=True):
        runs = accepted["runs"].min()
        accepted = style.select_rows(accepted, runs=runs)
        readings = style.select_rows(grouping, regression=name, basis="certified")
        _plot_accepted(axis, readings, ["maximum"])
        simplified = style.select_rows(accepted, filter="simplified")
        group = simplified["group"].min()
        median = style.select_statistic(simplified, "median", group=group, basis="certified")
        label = f"{_format_groups(group)}, Algorithm 3"
        axis.plot("budget_nats", "value", "-.", data=median, color=style.GREEN, label=label)
        _plot_basic(axis, accepted)
        for (each, words), (color, dashes) in zip(
            BASELINES.items(), ((style.RED, ":"), (style.PURPLE, (0, (3, 2)))), strict=True
        ):
            counts = style.select_statistic(baselines, "accepted", baseline=each)
            look: dict[str, Any] = {"linestyle": dashes, "color": color, "label": words}
            axis.plot("budget_nats", "value", data=counts, **look)
        axis.set(title=f"{name} regressions", ylim=(0, None))
    style.add_outside_legend(figure, axes, "upper center", ncols=3)
    style.add_note(
        figure, f"medians of {runs} runs; the band from their 10th to their 90th percentile"
    )
    return figure


def plot_scan(scan: pd.DataFrame, printed: pd.DataFrame) -> Figure:
    """Plot median accepted logistic queries by the range of their parameters, and the paper's."""
    figure, (axis,) = style.create_figure()
    medians = style.select_statistic(scan, "median", filter="bayesian")
    label = _format_groups(medians["group"].iloc[0])
    plot_medians(axis, medians, "parameter_range", color=style.BLACK, marker="o", label=label)
    dimensions = medians["dimensions"].iloc[0]
    axis.set(
        title=f"logistic, {dimensions} dimensions",
        xlabel="largest parameter",
        ylabel="median number of accepted queries",
        xscale="log",
    )
    ranges = sorted(medians["parameter_range"].unique())
    axis.set_xticks(ranges, [f"{each:g}" for each in ranges])
    axis.minorticks_off()
    for value in get_printed_medians(printed, "logistic")[:1]:
        axis.axhline(value, color=style.GREY, linewidth=2.4, zorder=1, alpha=0.6)
        axis.plot([], [], color=style.GREY, linewidth=2.4, label=style.PRINTED_LABEL)
    axis.set_ylim(0, None)
    axis.legend()
    style.add_note(
        figure, f"bars: {style.CONFIDENCE_TEXT} intervals over {get_sampled_unit(medians)}"
    )
    return figure


def get_printed_medians(printed: pd.DataFrame, regression: str) -> list[float]:
    """Return the medians that the paper prints at a budget of 1 nat, each once."""
    rows = style.select_printed(
        printed, "knowledge/grouping_accepted", "median", regression=regression, budget_nats=1.0
    )
    return rows["high"].unique().tolist()


def plot_medians(axis: Axes, medians: pd.DataFrame, along: str, **look: Any) -> None:
    """Plot medians with their intervals against the column ``along``."""
    medians = medians.sort_values(along)
    look = {"markersize": 3, "linewidth": 1.2, "elinewidth": 0.7, "capsize": 1.5, **look}
    style.plot_intervals(axis, medians[along], medians, **look)


def plot_cost(cost: pd.DataFrame) -> Figure:
    """Plot relaxations for a certified loss against the number of queries, by dimensions."""
    figure, (left, right) = style.create_figure(1, 2, height_in=2.6, sharex=True, sharey=True)
    for name, axis in (("median_relaxations", left), ("most_relaxations", right)):
        for (dimensions, lines), color, marker in zip(
            style.select_statistic(cost, name).groupby("dimensions"),
            itertools.cycle(_COLORS),
            itertools.cycle(_MARKERS),
            strict=False,
        ):
            look: dict[str, Any] = {"color": color, "marker": marker, "markersize": 3}
            axis.plot("queries", "value", data=lines, label=f"{dimensions} dimensions", **look)
        axis.set(xlabel="logistic queries", xticks=sorted(cost["queries"].unique()))
    unfinished = int(style.select_statistic(cost, "unfinished")["value"].sum())
    left.set(ylabel="relaxations for both extremes", yscale="log", title="median of the problems")
    right.set_title("largest of the problems")
    style.add_note(figure, f"{unfinished} problems met the limit of nodes")
    left.legend()
    return figure
