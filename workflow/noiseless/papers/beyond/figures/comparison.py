"""Figures of every mechanism at the same error: an adversary's gain against the user's error."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator

from noiseless.adversaries import linkage
from noiseless.adversaries.labels import insert_controls, load_adversary_labels
from noiseless.figures import style
from noiseless.figures.labels import sort_by_label
from noiseless.figures.style import get_value, select_rows, select_statistic
from noiseless.mechanisms.families import load_mechanism_labels, load_mechanisms
from noiseless.mechanisms.interface import Identity
from noiseless.statistics import get_sampled_unit

MAX_ROWS = 4
"""Most numbers n that have rows of panels of their own; more stand along the axis."""

REFERENCES = {
    "unprotected": Identity.label,
    "blind": "sees no report",
    "constant": "a constant does as well",
    "smallest": "smallest error of one bit",
    "smallest of a plugin": "smallest error, in its colour",
}
"""Labels of the lines and bands that the mechanisms are compared with."""

_BREAK = "\n"
_DISTANCE = "mean distance of reported\nfrom true place (m)"
_BUDGETS = {
    "budget_bits": "budget (bits of range)",
    "budget_nats": "budget (nats of\ndifferential privacy)",
}
_TARGETS = {
    "target_error_kwh": "error {:g} kWh",
    "target_error_share": "error {:g}",
    "target_error_m": "error {:g} m",
    "budget_bits": "{:g} bits",
    "budget_nats": "{:g} nats",
}
_NARROW = 100  # ratio of an axis' ends up to which 2 and 5 are named beside powers of ten
_FAR = 4  # how far below the smallest target, as a ratio, the smallest error is marked
_TITLE_LETTERS = 120  # letters of titles beside each other

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


@dataclass(frozen=True)
class _Game:
    """What a figure says of a game: units, axes and titles."""

    unit: str  # of the error, as it stands in names of statistics
    error: str  # label of the axis
    gain: str  # label of the axis
    control: str  # drawn as a band in each panel
    equal: str  # what has an equal error, for the note
    unit_words: str  # the unit for people to read
    size: str = ""  # column of the numbers n that games have, if they have them
    sized: str = ""  # what a title says of such a number, {:,} in its place


_HOMES = _Game(
    "kwh",
    "error of the mean\n(kWh, root mean square)",
    "gain: 2 P(right) $-$ 1",
    "control",
    "the mean",
    "kWh",
    "n",
    "n = {:,}",
)
_METER = _Game(
    "share",
    "error of an hour's energy\n(share of the mean hour)",
    'gain: f-score\nabove "always on"',
    "chance",
    "an hour's energy",
    "of the mean",
)
_LINKED = "gain: reports linked,\nabove guessing"
_TRIPS = _Game(
    *("m", _DISTANCE, _LINKED, "control", "the reported place", "m"),
    *("people", "one of {:,} people"),
)
_PEOPLE = _Game(
    "share",
    "error of a column (share of\nits range, root mean square)",
    *(_LINKED, "control", "a reported column", "of its range"),
    *("people", "one of {:,} people"),
)


def plot_homes(comparison: pd.DataFrame, calibration: pd.DataFrame, **given: Any) -> Figure:
    """Plot the advantage in the membership game against the error (kWh) or the budget.

    Each n has rows of panels, a panel for each adversary; more than :data:`MAX_ROWS` of them stand
    along the axis instead, and each target has the rows.  ``given`` may have another ``control`` to
    draw as a band, and ``knows``, what each adversary knows, by name, for the note.
    """
    games, others = (int(get_value(comparison, each)) for each in ("games", "homes"))
    bars = style.describe_bars(select_statistic(comparison, "gain_over_homes"))
    bands = "bands: dark over games, pale over homes"
    note = f"{games:,} games for each n between {others} homes; {bands}; {bars}"
    return _plot_grid(comparison, calibration, _HOMES, note, **given)


def plot_meter(comparison: pd.DataFrame, calibration: pd.DataFrame, **given: Any) -> Figure:
    """Plot the mean f-score above "always on" against the error or the budget."""
    minutes, days = (int(get_value(comparison, each)) for each in ("minutes", "days"))
    note = f"{minutes:,} minutes on {days} days; {_describe_bars(comparison)}"
    return _plot_grid(comparison, calibration, _METER, note, **given)


def plot_trips(comparison: pd.DataFrame, calibration: pd.DataFrame, **given: Any) -> Figure:
    """Plot the gain in linking reports against the error (m) or the budget."""
    reports, others = (int(get_value(comparison, each)) for each in ("reports", "trips"))
    note = f"{reports:,} reports among {others:,} trips; {_describe_bars(comparison)}"
    return _plot_grid(comparison, calibration, _TRIPS, note, **given)


def plot_people(comparison: pd.DataFrame, calibration: pd.DataFrame, **given: Any) -> Figure:
    """Plot the gain in linking reports about people against the error or the budget."""
    reports, others = (int(get_value(comparison, each)) for each in ("reports", "persons"))
    note = f"{reports:,} reports among {others:,} people; {_describe_bars(comparison)}"
    return _plot_grid(comparison, calibration, _PEOPLE, note, **given)


def _plot_grid(
    comparison: pd.DataFrame,
    calibration: pd.DataFrame,
    game: _Game,
    note: str,
    *,
    control: str = "",
    knows: Mapping[str, str] | None = None,
) -> Figure:
    """Plot a panel for each adversary and n, or for each adversary and target."""
    control = control or game.control
    known = load_adversary_labels(linkage) if game.size == "people" else COMPARED_ADVERSARIES
    named = insert_controls(sort_by_label(known, comparison["adversary"]))
    adversaries = [each for each in named if each != control]
    target = next(each for each in calibration.columns if _is_target(each))
    places = _Places.choose(comparison, calibration, game, target)
    # Errors differ at equal budgets, so that they have a panel of their own.
    shown = [*adversaries, *([None] if target.startswith("budget_") else [])]
    columns = min(4, len(shown) if len(shown) > 1 else len(places.groups))
    empty = -len(shown) % columns if len(shown) > 1 else -len(places.groups) % columns
    panels: list[tuple[Mapping[str, float], str | None] | None] = []
    for group in places.groups:
        panels += [(group, each) for each in shown] + [None] * (empty if len(shown) > 1 else 0)
    panels += [None] * (0 if len(shown) > 1 else empty)
    titles = [
        _format_title(known, each[1], places.describe(each[0]), game, columns) if each else ""
        for each in panels
    ]
    rows = len(panels) // columns
    lines = style.count_extra_lines(load_mechanism_labels(), calibration["mechanism"])
    title_lines = sum(
        max(title.count("\n") for title in titles[row : row + columns])
        for row in range(0, len(titles), columns)
    )
    height_in = 1.3 + 1.5 * rows + 0.06 * lines + 0.12 * title_lines
    figure, axes = style.create_figure(rows, columns, height_in=height_in, sharex=True)
    first = axes[0]
    for place, (axis, panel) in enumerate(zip(axes, panels, strict=True)):
        if panel is None:
            axis.set_visible(False)
            continue
        group, adversary = panel
        axis.set_title(titles[place])
        if adversary is None:
            _plot_errors(axis, comparison, calibration, game, places, group)
            continue
        if axis is not first:
            axis.sharey(first)
        _plot_panel(axis, comparison, calibration, game, places, group, adversary, control)
        if place % columns == 0:
            axis.set_ylabel(game.gain)
        else:
            axis.tick_params(labelleft=False)
    for place, axis in enumerate(axes):
        is_lowest = panels[place] is not None and not any(panels[place + columns :: columns])
        if is_lowest:
            axis.set_xlabel(places.label if columns > 2 else places.label.replace("\n", " "))
            axis.tick_params(labelbottom=True)
    note_lines = [
        f"compared at the same {_describe_equal(game, target)}. {note}",
        *_describe_knowledge(known, knows or {}, adversaries),
        *_describe_absent(calibration, game, target),
    ]
    references = REFERENCES.values()
    seen = [axis for axis in axes if axis.get_visible()]
    style.add_outside_legend(figure, seen, "upper center", last=references, ncols=4)
    style.add_note(figure, *note_lines)
    return figure


def _format_error(axis: Axes, value: float, _: int) -> str:
    """Format an error at a tick: 2 and 5 times a power of ten only on an axis with room."""
    low, high = axis.get_xlim()
    is_power = f"{value:e}".startswith("1.000000e")
    return f"{value:g}" if is_power or high <= _NARROW * low else ""


@dataclass(frozen=True)
class _Places:
    """Where the points of a panel lie along its axis, and what the panels are of."""

    key: str  # column whose values are the points of a line: the target, or n
    points: Sequence[float]  # those values, in rising order
    groups: Sequence[Mapping[str, float]]  # columns with their value in the panels of a group
    label: str  # of the axis
    is_measured: bool  # at measured errors, on a logarithmic axis; else evenly
    formats: Mapping[str, str]  # what a title says of a column's value, {:,} or {:g}

    @classmethod
    def choose(
        cls, comparison: pd.DataFrame, calibration: pd.DataFrame, game: _Game, target: str
    ) -> "_Places":
        """Choose what stands along the axis: the targets, or n where there are many."""
        targets = sorted(calibration[target].unique())
        sizes = sorted(comparison[game.size].unique()) if game.size else []
        is_budget = target.startswith("budget_")
        formats = {target: _TARGETS[target], game.size: game.sized}
        if len(sizes) > MAX_ROWS:
            groups = [{target: each} for each in targets]
            label = "n homes in a mean" if game.size == "n" else "n people"
            return cls(game.size, sizes, groups, label, False, formats)
        label = _BUDGETS[target] if is_budget else game.error
        groups = [{game.size: each} for each in sizes] or [{}]
        return cls(target, targets, groups, label, not is_budget, formats)

    def describe(self, group: Mapping[str, float]) -> str:
        """Describe a group for a title."""
        return ", ".join(self.formats[name].format(value) for name, value in group.items())

    def select_rows(self, table: pd.DataFrame, group: Mapping[str, float]) -> pd.DataFrame:
        """Select the rows of a group; those without a mechanism are in each."""
        is_target = next((name for name in group if _is_target(name)), None)
        if is_target is None:
            columns = {name: value for name, value in group.items() if name in table}
            return select_rows(table, **columns)
        is_chosen = table[is_target] == group[is_target]
        return table[is_chosen | (table["mechanism"] == Identity.name)]

    def prepare_axis(self, axis: Axes) -> None:
        """Scale an axis, and name its places."""
        if self.is_measured:
            axis.set_xscale("log")
            axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.xaxis.set_major_formatter(FuncFormatter(partial(_format_error, axis)))
            axis.xaxis.set_minor_formatter("")
            return
        named = style.select_labels(axis, [f"{each:g}" for each in self.points])
        axis.set_xticks(range(len(self.points)), named)


def _plot_panel(
    axis: Axes,
    comparison: pd.DataFrame,
    calibration: pd.DataFrame,
    game: _Game,
    places: _Places,
    group: Mapping[str, float],
    adversary: str,
    control: str,
) -> None:
    """Plot one adversary's gain, a line for each mechanism."""
    rows = places.select_rows(select_rows(comparison, adversary=adversary), group)
    blind = places.select_rows(select_rows(comparison, adversary=control), group)
    calibration = places.select_rows(calibration, group)
    places.prepare_axis(axis)
    gain = select_statistic(rows, "gain").set_index(["mechanism", places.key])
    over_homes = select_statistic(rows, "gain_over_homes").set_index(["mechanism", places.key])
    for index, (name, color, marker) in enumerate(_assign_looks(calibration)):
        line = pd.MultiIndex.from_product([[name], places.points], names=["mechanism", places.key])
        axis_values: Any = range(len(places.points))
        if places.is_measured:
            errors = select_statistic(rows, f"error_{game.unit}")
            axis_values = errors.set_index(["mechanism", places.key])["value"].reindex(line)
        # A target that cannot be attained has no row, and reindexing breaks the line there.
        if gain["value"].reindex(line).notna().any():
            style.plot_intervals(
                axis,
                axis_values,
                gain.reindex(line),
                over_homes.reindex(line),
                color=color,
                marker=marker,
                # Marks shrink, so that lines on top of each other stay distinguishable.
                markersize=max(1.5, 4.5 - 0.6 * index),
                label=style.format_label(load_mechanism_labels(), name),
            )
        if places.is_measured:
            smallest = get_value(calibration, f"smallest_error_{game.unit}", mechanism=name)
            if smallest > places.points[0] / _FAR:  # a mark further off would stretch the axis
                own = "smallest" if name in load_mechanism_labels() else "smallest of a plugin"
                label = REFERENCES[own]
                axis.axvline(smallest, ymax=0.12, color=color, linewidth=2, label=label)
    dashed = {"color": style.BLACK, "linestyle": "--", "linewidth": 0.9}
    unprotected = select_statistic(rows, "gain", mechanism=Identity.name)
    _plot_across(axis, places, unprotected, label=REFERENCES["unprotected"], **dashed)
    _fill_across(axis, places, unprotected, color=style.BLACK, alpha=0.1, linewidth=0)
    grey: dict[str, Any] = {"color": style.GREY, "linewidth": 0}
    blind_gain = select_statistic(blind, "gain", mechanism=Identity.name)
    _fill_across(axis, places, blind_gain, alpha=0.45, label=REFERENCES["blind"], **grey)
    for table in (rows, blind):
        pale = select_statistic(table, "gain_over_homes", mechanism=Identity.name)
        _fill_across(axis, places, pale, alpha=0.12, **grey)
    if places.is_measured:
        constant = get_value(rows, f"constant_error_{game.unit}")
        look: dict[str, Any] = {"color": style.GREY, "linestyle": ":", "linewidth": 0.9}
        axis.axvline(constant, label=REFERENCES["constant"], **look)
    axis.axhline(0, color=style.GREY, linewidth=0.4)


def _plot_errors(
    axis: Axes,
    comparison: pd.DataFrame,
    calibration: pd.DataFrame,
    game: _Game,
    places: _Places,
    group: Mapping[str, float],
) -> None:
    """Plot the error of each mechanism at equal budgets, which no adversary changes."""
    found = select_statistic(comparison, f"error_{game.unit}").drop(columns="adversary")
    rows = places.select_rows(found, group).drop_duplicates(["mechanism", places.key])
    error = rows.set_index(["mechanism", places.key])["value"]
    places.prepare_axis(axis)
    for index, (name, color, marker) in enumerate(_assign_looks(calibration)):
        line = pd.MultiIndex.from_product([[name], places.points], names=error.index.names)
        axis.plot(
            range(len(places.points)),
            error.reindex(line),
            color=color,
            marker=marker,
            markersize=max(1.5, 4.5 - 0.6 * index),
            linewidth=0.9,
        )
    axis.set_ylim(bottom=0)


def _assign_looks(calibration: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Assign a colour and a marker to each mechanism, in the order of legends."""
    known = {
        name: (style.COLOURS[each.colour], each.marker)
        for name, each in load_mechanisms().items()
        if each.colour and each.marker
    }
    names = sort_by_label(load_mechanism_labels(), calibration["mechanism"])
    return [(name, *look) for name, look in style.assign_looks(known, names).items()]


def _plot_across(axis: Axes, places: _Places, rows: pd.DataFrame, **look: Any) -> None:
    """Plot what has no mechanism: one number across the panel, or one for each n."""
    if places.key in rows and len(rows) > 1:
        values = rows.set_index(places.key)["value"].reindex(places.points)
        axis.plot(range(len(values)), values, **look)
    else:
        axis.axhline(rows["value"].iloc[0], **look)


def _fill_across(axis: Axes, places: _Places, rows: pd.DataFrame, **look: Any) -> None:
    """Fill the interval of what has no mechanism, across the panel or for each n."""
    rows = rows.dropna(subset="low")
    if places.key in rows and len(rows) > 1:
        ends = rows.set_index(places.key)[["low", "high"]].reindex(places.points)
        axis.fill_between(range(len(ends)), ends["low"], ends["high"], **look)
    elif len(rows):
        axis.axhspan(rows["low"].iloc[0], rows["high"].iloc[0], **look)


def _is_target(name: str) -> bool:
    return name.startswith(("target_error_", "budget_"))


def _format_title(
    known: Mapping[str, str], adversary: str | None, group: str, game: _Game, columns: int
) -> str:
    """Format the title of a panel, in lines that fit the width of its column."""
    if adversary is None:
        label = f"error ({game.unit_words})"
    else:
        label = style.format_label(known, adversary)
    if not group:
        return label
    width = _TITLE_LETTERS // columns
    last = label.rpartition("\n")[2]
    return f"{label},{' ' if len(last) + len(group) + 2 <= width else _BREAK}{group}"


def _describe_equal(game: _Game, target: str) -> str:
    """Describe what is equal, for the note."""
    if target.startswith("budget_"):
        return f"{_BUDGETS[target]} of one person".replace("\n", " ")
    return f"error of {game.equal}"


def _describe_knowledge(
    known: Mapping[str, str], knows: Mapping[str, str], adversaries: Sequence[str]
) -> list[str]:
    """Describe what adversaries know, for the note: a line for those that know the same."""
    groups: dict[str, list[str]] = {}
    for name in adversaries:
        if name in knows:
            shown = style.format_label(known, name).replace("\n", " ")
            groups.setdefault(knows[name], []).append(shown)
    return [f"given {words}: {', '.join(names)}" for words, names in groups.items()]


def _describe_bars(comparison: pd.DataFrame) -> str:
    """Describe what bars and bands show, for a note."""
    return f"bars and bands: {style.CONFIDENCE_TEXT} intervals over {get_sampled_unit(comparison)}"


def _describe_absent(calibration: pd.DataFrame, game: _Game, target: str) -> list[str]:
    """Describe the mechanisms that attain none of the targets, for a line of the note."""
    labels, words = load_mechanism_labels(), []
    attainable = select_statistic(calibration, "attainable")
    best = attainable.groupby("mechanism", sort=False)["value"].max()
    for name in best.index[best == 0]:
        shown = style.format_label(labels, name).replace("\n", " ")
        if target.startswith("budget_"):
            words.append(shown)
            continue
        ends = [
            select_statistic(calibration, f"{end}_error_{game.unit}", mechanism=name)["value"]
            for end in ("smallest", "largest")
        ]
        smallest, largest = ends[0].min(), ends[1].max()
        upper = f", largest {largest:.3g}" if math.isfinite(largest) else ""
        words.append(f"{shown} (smallest error {smallest:.3g}{upper} {game.unit_words})")
    why = "no target is attained"
    if target.startswith("budget_"):
        why = f"their guarantee is not in {target.removeprefix('budget_')}, or beyond"
    return [f"not shown, as {why}: {', '.join(words)}"] if words else []
