"""Every mechanism at the same error: what an adversary gains against what the data's user loses."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.adversaries import linkage
from noiseless.adversaries.labels import labels_of, without_controls
from noiseless.figures.labels import in_order, label
from noiseless.figures.style import (
    BLACK,
    COLOURS,
    GREY,
    LEVEL,
    PAGE_WIDTH_IN,
    bars_of,
    draw_intervals,
    looks_of,
    new_figure,
    statistic,
)
from noiseless.mechanisms.families import mechanism_labels, mechanisms
from noiseless.mechanisms.interface import Identity
from noiseless.statistics import over

REFERENCES = {
    "unprotected": Identity.label,
    "blind": "sees no report",
    "constant": "a constant does as well",
    "smallest": "smallest error of one bit",
}
"""What the mechanisms are compared with."""

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
    """Advantage in the membership game against the error, a row for each n.

    Parameters
    ----------
    comparison, calibration : DataFrame
        Tables ``beyond/comparison_homes_<dataset>`` and
        ``beyond/comparison_calibration_homes_<dataset>``.
    """
    sizes = sorted(comparison["n"].unique())
    adversaries = without_controls(in_order(COMPARED_ADVERSARIES, comparison["adversary"]))
    columns = len(adversaries)
    figure, axes = new_figure(
        len(sizes),
        columns,
        width_in=PAGE_WIDTH_IN,
        height_in=1.3 + 1.5 * len(sizes),
        sharex=True,
        sharey=True,
    )
    places = [(size, each) for size in sizes for each in adversaries]
    for axis, (size, adversary) in zip(axes, places, strict=True):
        mine = comparison[comparison["n"] == size]
        _draw(
            axis,
            mine[mine["adversary"] == adversary],
            calibration[calibration["n"] == size],
            unit="kwh",
            control=mine[mine["adversary"] == "control"],
        )
        axis.set_title(f"{label(COMPARED_ADVERSARIES, adversary)}, n = {size}")
    for axis in axes[::columns]:
        axis.set_ylabel("gain: 2 P(right) $-$ 1")
    _label_below(axes, columns, "error of the daily mean\n(kWh, root mean square)")
    games, others = (int(statistic(comparison, each)["value"].iloc[0]) for each in _of("games"))
    bars = bars_of(statistic(comparison, "gain_over_homes"))
    bands = "bands: dark over games, pale over homes"
    title = f"{games:,} games for each n between {others} homes; {bands}\n{bars}"
    return _finish(figure, axes[0], title)


def meter(comparison: pd.DataFrame, calibration: pd.DataFrame) -> Figure:
    """Mean f-score above "always on" against the error, a panel for each adversary.

    Parameters
    ----------
    comparison, calibration : DataFrame
        Tables ``beyond/comparison_meter`` and ``beyond/comparison_calibration_meter``.
    """
    adversaries = without_controls(in_order(COMPARED_ADVERSARIES, comparison["adversary"]))
    figure, axes = new_figure(
        1, len(adversaries), width_in=PAGE_WIDTH_IN, height_in=2.8, sharex=True, sharey=True
    )
    for axis, adversary in zip(axes, adversaries, strict=True):
        _draw(
            axis,
            comparison[comparison["adversary"] == adversary],
            calibration,
            unit="share",
            control=comparison[comparison["adversary"] == "chance"],
        )
        axis.set_title(label(COMPARED_ADVERSARIES, adversary))
    axes[0].set_ylabel('gain: f-score\nabove "always on"')
    _label_below(axes, len(axes), "error of an hour's energy\n(share of the mean hour)")
    minutes, days = (int(statistic(comparison, each)["value"].iloc[0]) for each in _of("minutes"))
    trials = f"{minutes:,} minutes on {days} days"
    return _finish(figure, axes[0], f"{trials}; {_bars(comparison)}")


def trips(comparison: pd.DataFrame, calibration: pd.DataFrame) -> Figure:
    """Reports that are linked to their trip, against the error, a panel for each number of people.

    With several adversaries, a row for each.


    Parameters
    ----------
    comparison, calibration : DataFrame
        Tables ``beyond/comparison_trips`` and ``beyond/comparison_calibration_trips``.
    """
    people = sorted(comparison["people"].unique())
    adversaries = without_controls(in_order(labels_of(linkage), comparison["adversary"]))
    columns = len(people)
    figure, axes = new_figure(
        len(adversaries),
        columns,
        width_in=PAGE_WIDTH_IN,
        height_in=1.0 + 1.8 * len(adversaries),
        sharex=True,
        sharey=True,
    )
    places = [(adversary, number) for adversary in adversaries for number in people]
    for axis, (adversary, number) in zip(axes, places, strict=True):
        mine = comparison[comparison["people"] == number]
        _draw(
            axis,
            mine[mine["adversary"] == adversary],
            calibration,
            unit="m",
            control=mine[mine["adversary"] == "control"],
        )
        who = f"{label(labels_of(linkage), adversary)}, " if len(adversaries) > 1 else ""
        axis.set_title(f"{who}one of {number:,} people")
    for axis in axes[::columns]:
        axis.set_ylabel("gain: reports linked,\nabove guessing")
    _label_below(axes, columns, "mean distance of reported from true place (m)")
    reports, others = (int(statistic(comparison, each)["value"].iloc[0]) for each in _of("reports"))
    trials = f"{reports:,} reports among {others:,} trips"
    return _finish(figure, axes[0], f"{trials}; {_bars(comparison)}")


def _of(trials: str) -> Sequence[str]:
    """The number of trials, and of what one trial consists of."""
    counts: Mapping[str, str] = {"games": "homes", "minutes": "days", "reports": "trips"}
    return trials, counts[trials]


def _draw(
    axis: Axes,
    rows: pd.DataFrame,
    calibration: pd.DataFrame,
    *,
    unit: str,
    control: pd.DataFrame,
) -> None:
    """One adversary's gain against the error found, a line for each mechanism."""
    cell = ["mechanism", f"target_error_{unit}"]
    gain = statistic(rows, "gain").set_index(cell)
    over_homes = statistic(rows, "gain_over_homes").set_index(cell)
    error = statistic(rows, f"error_{unit}").set_index(cell)["value"]
    axis.set_xscale("log")
    axis.xaxis.set_minor_formatter("")
    labels = mechanism_labels()
    known = {
        name: (COLOURS[each.colour], each.marker)
        for name, each in mechanisms().items()
        if each.colour and each.marker
    }
    looks = looks_of(known, in_order(labels, calibration["mechanism"]))
    for place, (name, (color, marker)) in enumerate(looks.items()):
        targets = statistic(calibration, "attainable", mechanism=name)[cell[1]].sort_values()
        # A target that cannot be made has no row, and breaks the line.
        targets = pd.MultiIndex.from_product([[name], targets], names=cell)
        draw_intervals(
            axis,
            error.reindex(targets),
            gain.reindex(targets),
            over_homes.reindex(targets),
            color=color,
            marker=marker,
            markersize=max(1.5, 4.5 - 0.6 * place),  # lines on top of each other can still be told
            label=label(labels, name),
        )
        smallest = statistic(calibration, f"smallest_error_{unit}", mechanism=name)["value"].iloc[0]
        if smallest > 0:
            axis.axvline(
                smallest, ymax=0.12, color=color, linewidth=2, label=REFERENCES["smallest"]
            )
    unprotected = gain.xs(Identity.name).iloc[0]
    axis.axhline(
        unprotected["value"],
        color=BLACK,
        linestyle="--",
        linewidth=0.9,
        label=REFERENCES["unprotected"],
    )
    axis.axhspan(unprotected["low"], unprotected["high"], color=BLACK, alpha=0.1, linewidth=0)
    blind = statistic(control, "gain", mechanism=Identity.name).iloc[0]
    axis.axhspan(
        blind["low"], blind["high"], color=GREY, alpha=0.45, linewidth=0, label=REFERENCES["blind"]
    )
    for some in (rows, control):
        wide = statistic(some, "gain_over_homes", mechanism=Identity.name).dropna(subset="low")
        for low, high in wide[["low", "high"]].to_numpy():
            axis.axhspan(low, high, color=GREY, alpha=0.12, linewidth=0)
    constant = statistic(rows, f"constant_error_{unit}")["value"].iloc[0]
    axis.axvline(constant, color=GREY, linestyle=":", linewidth=0.9, label=REFERENCES["constant"])
    axis.axhline(0, color=GREY, linewidth=0.4)


def _label_below(axes: Sequence[Axes], columns: int, label: str) -> None:
    """Label the axes of the lowest row."""
    for axis in axes[len(axes) - columns :]:
        axis.set_xlabel(label)


def _bars(comparison: pd.DataFrame) -> str:
    """What bars and bands show."""
    return f"bars and bands: {LEVEL} intervals over {over(comparison)}"


def _finish(figure: Figure, axis: Axes, title: str) -> Figure:
    """The figure with its legend and title."""
    handles, labels = axis.get_legend_handles_labels()
    # The mechanisms as they were drawn, and what they are compared with.
    order = [*dict.fromkeys(name for name in labels if name not in REFERENCES.values())]
    order += REFERENCES.values()
    shown = sorted(zip(handles, labels, strict=True), key=lambda each: order.index(each[1]))
    figure.legend(
        [handle for handle, _ in shown],
        [label for _, label in shown],
        loc="outside upper center",
        ncols=4,
        title=title,
        title_fontsize=7,
    )
    return figure
