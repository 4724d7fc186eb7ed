"""Figures of Pan, "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting"."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.accounting.labels import BASELINES
from noiseless.figures import style
from noiseless.statistics import get_sampled_unit

_MARKERS = ("o", "s", "^", "v", "D", "P", "X")
_COLORS = (style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PURPLE, style.SKY, style.BLACK)
_GROUP_COLORS = (style.ORANGE, style.BLUE)  # colors, the largest groups first


def _format_groups(group: int) -> str:
    """Format a size of groups for a legend: "groups of 10", or "no groups" for 0."""
    return f"groups of {group}" if group else "no groups"


def plot_fig1(
    losses_linear: pd.DataFrame,
    accepted_linear: pd.DataFrame,
    losses_logistic: pd.DataFrame,
    accepted_logistic: pd.DataFrame,
    baselines: pd.DataFrame,
    *,
    epsilon_nats: float,
) -> Figure:
    """Plot losses along runs and accepted queries by budget, for both kinds of regression.

    Parameters
    ----------
    losses_linear, losses_logistic : DataFrame
        Tables ``knowledge/composition_losses_<regression>``.
    accepted_linear, accepted_logistic : DataFrame
        Tables ``knowledge/composition_accepted_<regression>``.
    baselines : DataFrame
        Table ``knowledge/composition_baselines``.
    epsilon_nats : float
        Guarantee of one query (nats), for the line of basic composition.
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
        left.set_title(f"({letters[0]}) {name}, {losses['run'].nunique()} runs")
        runs = accepted["runs"].min()
        _plot_accepted(right, style.select_rows(accepted, runs=runs), baselines)
        right.set_title(f"({letters[1]}) {name}, {runs} runs, 10th to 90th percentile")
    axes[1].legend()  # for both panels, because the lower one has no room
    return figure


def _plot_losses(axis: Axes, losses: pd.DataFrame, epsilon_nats: float) -> None:
    """Plot realized losses (nats) against accepted queries, a line for each run."""
    upper = style.select_statistic(losses, "loss_upper")
    for color, (group, rows) in zip(
        _GROUP_COLORS, list(upper.groupby("group"))[::-1], strict=False
    ):
        label = _format_groups(group)
        for _, path in rows.groupby("run"):
            axis.plot(path["accepted"], path["value"], color=color, linewidth=0.6, label=label)
            label = None
    most = upper["value"].max()
    axis.plot(
        [0, most / epsilon_nats], [0, most], "--", color=style.BLACK, label="basic composition"
    )
    axis.set(xlabel="accepted queries", ylabel="realized privacy loss (nats)")
    axis.legend()


def _plot_accepted(axis: Axes, accepted: pd.DataFrame, baselines: pd.DataFrame) -> None:
    """Plot accepted queries against the budget (nats), with bands from 10 % to 90 % of the runs."""
    bayesian = style.select_rows(accepted, filter="bayesian", basis="certified")
    for color, (group, rows) in zip(
        _GROUP_COLORS, list(bayesian.groupby("group"))[::-1], strict=False
    ):
        p10, median, p90 = (
            style.select_statistic(rows, name).sort_values("budget_nats")
            for name in ("p10", "median", "p90")
        )
        budget_nats = median["budget_nats"]
        axis.fill_between(
            budget_nats, p10["value"], p90["value"], color=color, alpha=0.2, linewidth=0
        )
        label = f"median, {_format_groups(group)}"
        look: dict[str, Any] = {"markersize": 2.5, "color": color, "label": label}
        axis.plot("budget_nats", "value", "o-", data=median, **look)
    simplified = style.select_rows(accepted, filter="simplified")
    group = simplified["group"].min()
    median = style.select_statistic(simplified, "median", group=group, basis="certified")
    label = f"median, {_format_groups(group)}, Algorithm 3"
    axis.plot("budget_nats", "value", ":", data=median, color=style.GREEN, label=label)
    basic = style.select_statistic(accepted, "median", filter="basic")
    axis.plot(
        "budget_nats", "value", "--", data=basic, color=style.BLACK, label="basic composition"
    )
    for (name, label), dashes in zip(BASELINES.items(), ("-.", (0, (1, 3))), strict=True):
        counts = style.select_statistic(baselines, "accepted", baseline=name)
        look = {"linestyle": dashes, "color": style.RED, "linewidth": 0.9, "label": label}
        axis.plot("budget_nats", "value", data=counts, **look)
    axis.set(
        xlabel="privacy budget $\\epsilon_g$ (nats)", ylabel="accepted queries", ylim=(0, None)
    )


def plot_scan(scan: pd.DataFrame) -> Figure:
    """Plot median accepted queries by dimensions and parameter range, in other set-ups.

    Parameters
    ----------
    scan : DataFrame
        Table ``knowledge/composition_scan``.
    """
    figure, axes = style.create_figure(1, 3, height_in=2.6)
    median = style.select_statistic(scan, "median", filter="bayesian")
    linear = style.select_rows(median, regression="linear")
    for (group, lines), color, marker in zip(
        linear.groupby("group"), _COLORS, _MARKERS, strict=False
    ):
        plot_medians(
            axes[0], lines, "dimensions", color=color, marker=marker, label=_format_groups(group)
        )
    axes[0].set(title="linear", xlabel="dimensions of the object")
    logistic = style.select_rows(median, regression="logistic")
    largest = logistic["parameter_range"].max()
    by_dimension = style.select_rows(logistic, parameter_range=largest)
    plot_medians(axes[1], by_dimension, "dimensions", color=style.BLUE, marker="o")
    axes[1].set(
        title=f"logistic, parameters from U[-{largest:g}, {largest:g}]",
        xlabel="dimensions of the object",
    )
    most = logistic["dimensions"].max()
    by_range = style.select_rows(logistic, dimensions=most)
    plot_medians(axes[2], by_range, "parameter_range", color=style.BLUE, marker="o")
    axes[2].set(title=f"logistic, {most} dimensions", xlabel="range r of the parameters, U[-r, r]")
    for axis in axes:
        axis.set(ylabel="median of accepted queries", ylim=(0, None))
    axes[0].legend()
    figure.suptitle(f"bars: {style.CONFIDENCE_TEXT} intervals over {get_sampled_unit(median)}")
    return figure


def plot_medians(axis: Axes, medians: pd.DataFrame, along: str, **look: Any) -> None:
    """Plot medians with their intervals against the column ``along``."""
    medians = medians.sort_values(along)
    look = {"markersize": 3, "linewidth": 1.2, "elinewidth": 0.7, "capsize": 1.5, **look}
    style.plot_intervals(axis, medians[along], medians, **look)


def plot_cost(cost: pd.DataFrame) -> Figure:
    """Plot relaxations for a certified loss against the number of queries, by dimensions.

    Parameters
    ----------
    cost : DataFrame
        Table ``knowledge/composition_cost``.
    """
    figure, (left, right) = style.create_figure(1, 2, height_in=2.6, sharex=True, sharey=True)
    for name, axis in (("median_relaxations", left), ("most_relaxations", right)):
        for (dimensions, lines), color, marker in zip(
            style.select_statistic(cost, name).groupby("dimensions"),
            _COLORS,
            _MARKERS,
            strict=False,
        ):
            look: dict[str, Any] = {"color": color, "marker": marker, "markersize": 3}
            axis.plot("queries", "value", data=lines, label=f"{dimensions} dimensions", **look)
        axis.set(xlabel="logistic queries", xticks=sorted(cost["queries"].unique()))
    unfinished = int(style.select_statistic(cost, "unfinished")["value"].sum())
    left.set(ylabel="relaxations for both extremes", yscale="log", title="median of the problems")
    right.set_title(f"largest of the problems; {unfinished} met the node limit")
    left.legend()
    return figure
