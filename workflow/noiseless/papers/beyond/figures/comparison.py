"""Figures of every mechanism at the same error: an adversary's gain against the user's error."""

import itertools
from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.adversaries import linkage
from noiseless.adversaries.labels import labels_of, without_controls
from noiseless.figures import style
from noiseless.figures.labels import in_order
from noiseless.figures.style import rows_where, statistic, value_of
from noiseless.mechanisms.families import mechanism_labels, mechanisms
from noiseless.mechanisms.interface import Identity
from noiseless.statistics import over

REFERENCES = {
    "unprotected": Identity.label,
    "blind": "sees no report",
    "constant": "a constant does as well",
    "smallest": "smallest error of one bit",
}
"""Labels of the lines and bands that the mechanisms are compared with."""

COMPARED_ADVERSARIES = {
    "correlation": "correlation",
    "mse": "mean square error",
    "peaks": "common peaks",
    "co": "combinatorial optimisation",
    "hmm": "hidden Markov model",
    "learned": "learned",
    "normal": "normal likelihood",
}
"""Adversaries of the comparisons at the same error, in the width of a panel's title."""


def homes(comparison: pd.DataFrame, calibration: pd.DataFrame) -> Figure:
    """Plot the advantage in the membership game against the error (kWh), a row for each n.

    Parameters
    ----------
    comparison, calibration : DataFrame
        Tables ``beyond/comparison_homes_<dataset>`` and
        ``beyond/comparison_calibration_homes_<dataset>``.
    """
    sizes = sorted(comparison["n"].unique())
    adversaries = without_controls(in_order(COMPARED_ADVERSARIES, comparison["adversary"]))
    columns, height_in = len(adversaries), 1.3 + 1.5 * len(sizes)
    figure, axes = style.new_figure(
        len(sizes), columns, height_in=height_in, sharex=True, sharey=True
    )
    for axis, (size, adversary) in zip(axes, itertools.product(sizes, adversaries), strict=True):
        _draw(
            axis,
            rows_where(comparison, n=size, adversary=adversary),
            rows_where(calibration, n=size),
            unit="kwh",
            control=rows_where(comparison, n=size, adversary="control"),
        )
        axis.set_title(f"{style.label_of(COMPARED_ADVERSARIES, adversary)}, n = {size}")
    style.label_edges(
        axes,
        columns,
        xlabel="error of the daily mean\n(kWh, root mean square)",
        ylabel="gain: 2 P(right) $-$ 1",
    )
    games, others = (int(value_of(comparison, each)) for each in ("games", "homes"))
    bars = style.bars_of(statistic(comparison, "gain_over_homes"))
    bands = "bands: dark over games, pale over homes"
    title = f"{games:,} games for each n between {others} homes; {bands}\n{bars}"
    _draw_legend(figure, axes, title)
    return figure


def meter(comparison: pd.DataFrame, calibration: pd.DataFrame) -> Figure:
    """Plot the mean f-score above "always on" against the error, a panel for each adversary.

    Parameters
    ----------
    comparison, calibration : DataFrame
        Tables ``beyond/comparison_meter`` and ``beyond/comparison_calibration_meter``.
    """
    adversaries = without_controls(in_order(COMPARED_ADVERSARIES, comparison["adversary"]))
    figure, axes = style.new_figure(1, len(adversaries), height_in=2.8, sharex=True, sharey=True)
    for axis, adversary in zip(axes, adversaries, strict=True):
        _draw(
            axis,
            rows_where(comparison, adversary=adversary),
            calibration,
            unit="share",
            control=rows_where(comparison, adversary="chance"),
        )
        axis.set_title(style.label_of(COMPARED_ADVERSARIES, adversary))
    style.label_edges(
        axes,
        len(axes),
        xlabel="error of an hour's energy\n(share of the mean hour)",
        ylabel='gain: f-score\nabove "always on"',
    )
    minutes, days = (int(value_of(comparison, each)) for each in ("minutes", "days"))
    _draw_legend(figure, axes, f"{minutes:,} minutes on {days} days; {_bars(comparison)}")
    return figure


def trips(comparison: pd.DataFrame, calibration: pd.DataFrame) -> Figure:
    """Plot the gain in linking reports against the error (m), a panel for each number of people.

    With several adversaries, a row for each.

    Parameters
    ----------
    comparison, calibration : DataFrame
        Tables ``beyond/comparison_trips`` and ``beyond/comparison_calibration_trips``.
    """
    people = sorted(comparison["people"].unique())
    adversaries = without_controls(in_order(labels_of(linkage), comparison["adversary"]))
    columns, height_in = len(people), 1.0 + 1.8 * len(adversaries)
    figure, axes = style.new_figure(
        len(adversaries), columns, height_in=height_in, sharex=True, sharey=True
    )
    for axis, (adversary, number) in zip(axes, itertools.product(adversaries, people), strict=True):
        _draw(
            axis,
            rows_where(comparison, people=number, adversary=adversary),
            calibration,
            unit="m",
            control=rows_where(comparison, people=number, adversary="control"),
        )
        prefix = (
            f"{style.label_of(labels_of(linkage), adversary)}, " if len(adversaries) > 1 else ""
        )
        axis.set_title(f"{prefix}one of {number:,} people")
    style.label_edges(
        axes,
        columns,
        xlabel="mean distance of reported from true place (m)",
        ylabel="gain: reports linked,\nabove guessing",
    )
    reports, others = (int(value_of(comparison, each)) for each in ("reports", "trips"))
    _draw_legend(figure, axes, f"{reports:,} reports among {others:,} trips; {_bars(comparison)}")
    return figure


def _draw(
    axis: Axes,
    rows: pd.DataFrame,
    calibration: pd.DataFrame,
    *,
    unit: str,
    control: pd.DataFrame,
) -> None:
    """Plot one adversary's gain against the measured error, a line for each mechanism."""
    cell = ["mechanism", f"target_error_{unit}"]
    gain = statistic(rows, "gain").set_index(cell)
    over_homes = statistic(rows, "gain_over_homes").set_index(cell)
    error = statistic(rows, f"error_{unit}").set_index(cell)["value"]
    axis.set_xscale("log")
    axis.xaxis.set_minor_formatter("")
    labels = mechanism_labels()
    known = {
        name: (style.COLOURS[each.colour], each.marker)
        for name, each in mechanisms().items()
        if each.colour and each.marker
    }
    looks = style.looks_of(known, in_order(labels, calibration["mechanism"]))
    for index, (name, (color, marker)) in enumerate(looks.items()):
        targets = statistic(calibration, "attainable", mechanism=name)[cell[1]].sort_values()
        # A target that cannot be attained has no row, and reindexing breaks the line there.
        targets = pd.MultiIndex.from_product([[name], targets], names=cell)
        style.draw_intervals(
            axis,
            error.reindex(targets),
            gain.reindex(targets),
            over_homes.reindex(targets),
            color=color,
            marker=marker,
            # Marks shrink, so that lines on top of each other stay distinguishable.
            markersize=max(1.5, 4.5 - 0.6 * index),
            label=style.label_of(labels, name),
        )
        smallest = value_of(calibration, f"smallest_error_{unit}", mechanism=name)
        if smallest > 0:
            axis.axvline(
                smallest, ymax=0.12, color=color, linewidth=2, label=REFERENCES["smallest"]
            )
    unprotected = gain.xs(Identity.name).iloc[0]
    axis.axhline(
        unprotected["value"],
        color=style.BLACK,
        linestyle="--",
        linewidth=0.9,
        label=REFERENCES["unprotected"],
    )
    axis.axhspan(unprotected["low"], unprotected["high"], color=style.BLACK, alpha=0.1, linewidth=0)
    blind = statistic(control, "gain", mechanism=Identity.name).iloc[0]
    grey: dict[str, Any] = {"color": style.GREY, "linewidth": 0}
    axis.axhspan(blind["low"], blind["high"], alpha=0.45, label=REFERENCES["blind"], **grey)
    for table in (rows, control):
        over_homes_rows = statistic(table, "gain_over_homes", mechanism=Identity.name).dropna(
            subset="low"
        )
        for low, high in over_homes_rows[["low", "high"]].to_numpy():
            axis.axhspan(low, high, alpha=0.12, **grey)
    constant = value_of(rows, f"constant_error_{unit}")
    axis.axvline(
        constant, color=style.GREY, linestyle=":", linewidth=0.9, label=REFERENCES["constant"]
    )
    axis.axhline(0, color=style.GREY, linewidth=0.4)


def _bars(comparison: pd.DataFrame) -> str:
    """Describe what bars and bands show, for a legend's title."""
    return f"bars and bands: {style.LEVEL} intervals over {over(comparison)}"


def _draw_legend(figure: Figure, axes: Sequence[Axes], title: str) -> None:
    """Add the legend of the mechanisms, and of the references that they are compared with."""
    references = REFERENCES.values()
    style.legend_outside(figure, axes, "upper center", last=references, title=title, ncols=4)
