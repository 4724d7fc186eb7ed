"""Figures of every mechanism at the same error: an adversary's gain against the user's error."""

import itertools
import math
import textwrap
from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from noiseless.adversaries import linkage
from noiseless.adversaries.labels import insert_controls, load_adversary_labels
from noiseless.figures import style
from noiseless.figures.labels import sort_by_label
from noiseless.figures.style import get_value, select_rows, select_statistic
from noiseless.mechanisms.families import load_mechanism_labels, load_mechanisms
from noiseless.mechanisms.interface import Identity
from noiseless.statistics import get_sampled_unit

REFERENCES = {
    "unprotected": Identity.label,
    "blind": "sees no report",
    "constant": "a constant does as well",
    "smallest": "smallest error of one bit",
    "smallest of a plugin": "smallest error, in its colour",
}
"""Labels of the lines and bands that the mechanisms are compared with."""

_WIDE = 200  # largest over smallest error from which on an axis has its decades alone
_BREAK = "\n"
_DISTANCE = "mean distance of reported from true place (m)"

COMPARED_ADVERSARIES = {
    "correlation": "correlation",
    "mse": "mean square error",
    "peaks": "common peaks",
    "co": "combinatorial optimisation",
    "hmm": "hidden Markov model",
    "learned": "learned",
    "normal": "normal likelihood",
    "pair": "pair difference",
    "pair_known": "pair, others' mean known",
    "combined": "normal + pair",
}
"""Adversaries of the comparisons at the same error, in the width of a panel's title."""


def plot_homes(comparison: pd.DataFrame, calibration: pd.DataFrame) -> Figure:
    """Plot the advantage in the membership game against the error (kWh), a row for each n.

    Parameters
    ----------
    comparison, calibration : DataFrame
        Tables ``beyond/comparison_homes_<dataset>`` and
        ``beyond/comparison_calibration_homes_<dataset>``.
    """
    sizes = sorted(comparison["n"].unique())
    adversaries = insert_controls(sort_by_label(COMPARED_ADVERSARIES, comparison["adversary"]))
    columns = min(4, len(adversaries))
    empty = [None] * (-len(adversaries) % columns)
    panels = [(size, each) for size in sizes for each in [*adversaries, *empty]]
    rows = len(panels) // columns
    height_in = 1.3 + 1.5 * rows + _compute_extra_height_in(calibration, adversaries, rows)
    figure, axes = style.create_figure(rows, columns, height_in=height_in, sharex=True, sharey=True)
    for axis, (size, adversary) in zip(axes, panels, strict=True):
        if adversary is None:
            axis.set_visible(False)
            continue
        _plot_panel(
            axis,
            select_rows(comparison, n=size, adversary=adversary),
            select_rows(calibration, n=size),
            unit="kwh",
            control=select_rows(comparison, n=size, adversary="control"),
        )
        axis.set_title(f"{style.format_label(COMPARED_ADVERSARIES, adversary)}, n = {size}")
    style.label_edges(
        axes,
        columns,
        xlabel="error of the daily mean\n(kWh, root mean square)",
        ylabel="gain: 2 P(right) $-$ 1",
        panels=len(panels) - len(empty),
    )
    for axis in axes[:: len(axes) // len(sizes)]:
        axis.tick_params(labelleft=True)
    games, others = (int(get_value(comparison, each)) for each in ("games", "homes"))
    bars = style.describe_bars(select_statistic(comparison, "gain_over_homes"))
    bands = "bands: dark over games, pale over homes"
    note = f"{games:,} games for each n between {others} homes; {bands}; {bars}"
    _add_legend(figure, axes, note, calibration, "kwh")
    return figure


def plot_meter(comparison: pd.DataFrame, calibration: pd.DataFrame) -> Figure:
    """Plot the mean f-score above "always on" against the error, a panel for each adversary.

    Parameters
    ----------
    comparison, calibration : DataFrame
        Tables ``beyond/comparison_meter`` and ``beyond/comparison_calibration_meter``.
    """
    adversaries = insert_controls(sort_by_label(COMPARED_ADVERSARIES, comparison["adversary"]))
    columns = min(4, len(adversaries))
    rows = math.ceil(len(adversaries) / columns)
    height_in = 1.2 + 1.6 * rows + _compute_extra_height_in(calibration, adversaries, rows)
    figure, axes = style.create_figure(rows, columns, height_in=height_in, sharex=True, sharey=True)
    for axis, adversary in zip(axes[: len(adversaries)], adversaries, strict=True):
        _plot_panel(
            axis,
            select_rows(comparison, adversary=adversary),
            calibration,
            unit="share",
            control=select_rows(comparison, adversary="chance"),
        )
        axis.set_title(style.format_label(COMPARED_ADVERSARIES, adversary))
    style.label_edges(
        axes,
        columns,
        xlabel="error of an hour's energy\n(share of the mean hour)",
        ylabel='gain: f-score\nabove "always on"',
        panels=len(adversaries),
    )
    minutes, days = (int(get_value(comparison, each)) for each in ("minutes", "days"))
    note = f"{minutes:,} minutes on {days} days; {_describe_bars(comparison)}"
    _add_legend(figure, axes, note, calibration, "share")
    return figure


def plot_trips(comparison: pd.DataFrame, calibration: pd.DataFrame) -> Figure:
    """Plot the gain in linking reports against the error (m), a panel for each number of people.

    With several adversaries, a row for each.

    Parameters
    ----------
    comparison, calibration : DataFrame
        Tables ``beyond/comparison_trips`` and ``beyond/comparison_calibration_trips``.
    """
    people = sorted(comparison["people"].unique())
    adversaries = insert_controls(
        sort_by_label(load_adversary_labels(linkage), comparison["adversary"])
    )
    columns = min(4, len(people))
    empty = [None] * (-len(people) % columns)
    panels = list(itertools.product(adversaries, [*people, *empty]))
    rows = len(panels) // columns
    height_in = 1.0 + 1.8 * rows + _compute_extra_height_in(calibration, adversaries, rows)
    figure, axes = style.create_figure(rows, columns, height_in=height_in, sharex=True, sharey=True)
    for axis, (adversary, number) in zip(axes, panels, strict=True):
        if number is None:
            axis.set_visible(False)
            continue
        _plot_panel(
            axis,
            select_rows(comparison, people=number, adversary=adversary),
            calibration,
            unit="m",
            control=select_rows(comparison, people=number, adversary="control"),
        )
        prefix = (
            f"{style.format_label(load_adversary_labels(linkage), adversary)}, "
            if len(adversaries) > 1
            else ""
        )
        axis.set_title(
            f"{prefix}{_BREAK if prefix and columns > 2 else ''}one of {number:,} people"
        )
    style.label_edges(
        axes,
        columns,
        xlabel=_wrap_label(_DISTANCE, columns),
        ylabel="gain: reports linked,\nabove guessing",
        panels=len(panels) - len(empty),
    )
    reports, others = (int(get_value(comparison, each)) for each in ("reports", "trips"))
    note = f"{reports:,} reports among {others:,} trips; {_describe_bars(comparison)}"
    _add_legend(figure, axes, note, calibration, "m")
    return figure


def _wrap_label(text: str, columns: int) -> str:
    """Break the label of an axis where a grid has more than two columns."""
    return textwrap.fill(text, 30) if columns > 2 else text


def _compute_extra_height_in(
    calibration: pd.DataFrame, adversaries: Sequence[str], rows: int
) -> float:
    """Compute the height (inches) that names of plugins take in titles and the legend."""
    lines = style.count_extra_lines(load_mechanism_labels(), calibration["mechanism"])
    known = {**COMPARED_ADVERSARIES, **load_adversary_labels(linkage)}
    titles = max(style.format_label(known, each).count("\n") for each in adversaries)
    return 0.06 * lines + 0.12 * titles * rows


def _plot_panel(
    axis: Axes,
    rows: pd.DataFrame,
    calibration: pd.DataFrame,
    *,
    unit: str,
    control: pd.DataFrame,
) -> None:
    """Plot one adversary's gain against the measured error, a line for each mechanism."""
    cell = ["mechanism", f"target_error_{unit}"]
    gain = select_statistic(rows, "gain").set_index(cell)
    over_homes = select_statistic(rows, "gain_over_homes").set_index(cell)
    error = select_statistic(rows, f"error_{unit}").set_index(cell)["value"]
    axis.set_xscale("log")
    targets = calibration[f"target_error_{unit}"]
    if targets.max() < _WIDE * targets.min():  # where decades alone would be two ticks
        axis.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.xaxis.set_major_formatter("{x:g}")
    axis.xaxis.set_minor_formatter("")
    labels = load_mechanism_labels()
    known = {
        name: (style.COLOURS[each.colour], each.marker)
        for name, each in load_mechanisms().items()
        if each.colour and each.marker
    }
    absent = _list_absent(calibration)
    looks = style.assign_looks(known, sort_by_label(labels, calibration["mechanism"]))
    for index, (name, (color, marker)) in enumerate(looks.items()):
        if name not in absent:
            targets = select_statistic(calibration, "attainable", mechanism=name)[
                cell[1]
            ].sort_values()
            # A target that cannot be attained has no row, and reindexing breaks the line there.
            targets = pd.MultiIndex.from_product([[name], targets], names=cell)
            style.plot_intervals(
                axis,
                error.reindex(targets),
                gain.reindex(targets),
                over_homes.reindex(targets),
                color=color,
                marker=marker,
                # Marks shrink, so that lines on top of each other stay distinguishable.
                markersize=max(1.5, 4.5 - 0.6 * index),
                label=style.format_label(labels, name),
            )
        smallest = get_value(calibration, f"smallest_error_{unit}", mechanism=name)
        if smallest > 0:
            which = REFERENCES["smallest" if name in labels else "smallest of a plugin"]
            axis.axvline(smallest, ymax=0.12, color=color, linewidth=2, label=which)
    unprotected = gain.xs(Identity.name).iloc[0]
    axis.axhline(
        unprotected["value"],
        color=style.BLACK,
        linestyle="--",
        linewidth=0.9,
        label=REFERENCES["unprotected"],
    )
    axis.axhspan(unprotected["low"], unprotected["high"], color=style.BLACK, alpha=0.1, linewidth=0)
    blind = select_statistic(control, "gain", mechanism=Identity.name).iloc[0]
    grey: dict[str, Any] = {"color": style.GREY, "linewidth": 0}
    axis.axhspan(blind["low"], blind["high"], alpha=0.45, label=REFERENCES["blind"], **grey)
    for table in (rows, control):
        over_homes_rows = select_statistic(
            table, "gain_over_homes", mechanism=Identity.name
        ).dropna(subset="low")
        for low, high in over_homes_rows[["low", "high"]].to_numpy():
            axis.axhspan(low, high, alpha=0.12, **grey)
    constant = get_value(rows, f"constant_error_{unit}")
    look: dict[str, Any] = {"color": style.GREY, "linestyle": ":", "linewidth": 0.9}
    axis.axvline(constant, label=REFERENCES["constant"], **look)
    axis.axhline(0, color=style.GREY, linewidth=0.4)


def _describe_bars(comparison: pd.DataFrame) -> str:
    """Describe what bars and bands show, for a note."""
    return f"bars and bands: {style.CONFIDENCE_TEXT} intervals over {get_sampled_unit(comparison)}"


def _list_absent(calibration: pd.DataFrame) -> list[str]:
    """List the mechanisms that attain none of the targets, which no line is drawn of."""
    attainable = select_statistic(calibration, "attainable").groupby("mechanism", sort=False)
    best = attainable["value"].max()
    return best.index[best == 0].tolist()


def _describe_absent(calibration: pd.DataFrame, unit: str) -> list[str]:
    """Describe the mechanisms that attain none of the targets, for a line of the note."""
    labels, words = load_mechanism_labels(), []
    for name in _list_absent(calibration):
        ends = [
            select_statistic(calibration, f"{end}_error_{unit}", mechanism=name)["value"]
            for end in ("smallest", "largest")
        ]
        shown = style.format_label(labels, name).replace("\n", " ")
        named = {"kwh": "kWh", "share": "of the mean", "m": "m"}[unit]
        smallest, largest = ends[0].min(), ends[1].max()
        upper = f", largest {largest:.3g}" if math.isfinite(largest) else ""
        words.append(f"{shown} (smallest error {smallest:.3g}{upper} {named})")
    return [f"not shown, as no target is attained: {', '.join(words)}"] if words else []


def _add_legend(
    figure: Figure, axes: Sequence[Axes], note: str, calibration: pd.DataFrame, unit: str
) -> None:
    """Add the legend of the mechanisms and references, and a note below the axes."""
    references = REFERENCES.values()
    shown = [axis for axis in axes if axis.get_visible()]
    style.add_outside_legend(figure, shown, "upper center", last=references, ncols=4)
    style.add_note(figure, note, *_describe_absent(calibration, unit))
