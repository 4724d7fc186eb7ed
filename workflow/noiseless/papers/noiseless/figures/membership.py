"""Figure 3 of Farokhi, "Noiseless Privacy": the membership game."""

import itertools
import math
import operator
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from noiseless.adversaries import membership
from noiseless.adversaries.labels import (
    EXACT_LABEL,
    drop_controls,
    insert_controls,
    load_adversary_labels,
)
from noiseless.arrays import Floats
from noiseless.figures import style
from noiseless.figures.labels import sort_by_label
from noiseless.papers.noiseless.limits import ALMOST_ZERO, MAIN_FUSE_KWH

_LOOKS = {
    "correlation": (style.BLUE, "o"),
    "mse": (style.ORANGE, "s"),
    "peaks": (style.GREEN, "^"),
    "pair": (style.PURPLE, "P"),
    "learned": (style.RED, "D"),
    "pair_known": (style.SKY, "X"),
    "control": (style.GREY, "x"),
}
_CHOICES = {
    "quantizer_rule": {
        "n_2^eps": r"levels: $n\,2^\epsilon$ (Thm 8)",
        "2^eps": r"levels: $2^\epsilon$",
    },
    "public_range": {
        "typical": "range: typical home",
        "main_fuse": "range: main fuse",
        "largest_reading": "range: largest reading (not public)",
    },
    "resolution": {"days": "readings: days", "half-hours": "readings: half-hours"},
    "period": {"year": "period: one year", "week": "period: one week"},
    "peaks": {"strict": "peaks: strict", "tolerant": "peaks: tolerant"},
}
# Short labels of the options, by row and by column of the grid of choices.
_CHOICE_SIDES: tuple[dict[str, dict[str, str]], ...] = (
    {
        "quantizer_rule": {"n_2^eps": r"$n\,2^\epsilon$ levels", "2^eps": r"$2^\epsilon$ levels"},
        "public_range": {
            "typical": "typical home",
            "main_fuse": "main fuse",
            "largest_reading": "largest reading",
        },
    },
    {
        "resolution": {"days": "days", "half-hours": "half-hours"},
        "period": {"year": "year", "week": "week"},
        "peaks": {"strict": "strict", "tolerant": "tolerant"},
    },
)
_HELD = ListedColormap(["#BFE3D6", "#FFFFFF"])  # at most the threshold, and above it
_MARKERS = "osv^D<>PX*"
_SET_COLOURS = [
    *(style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PURPLE),
    *(style.COLOURS["sky"], style.BLACK),
]
_MAX_COLUMNS = 4  # of panels that are as wide as their labels
_BLIND = "control\n(sees no output)"
_MIN_BAND = 0.005  # smallest height of the band of a control
MIN_CONSTANT_SHARE = 0.5  # share of draws from which on a release counts as constant
_PAIR_CHOICES = {
    "random": "two at random",
    "largest_and_median": "largest use and median",
    "selected_in_group": "best pair of a group",
    "selected": "best pair, on other draws",
    "selected_in_sample": "best pair, on its own draws",
}
_PAIR_LOOKS = {**_LOOKS, "exact": (style.BLACK, "v")}
_ADVERSARIES = load_adversary_labels(membership)
_PLAYER_LABELS = {**_ADVERSARIES, **EXACT_LABEL}
_INTERVALS = {1: "day", 24: "hour", 48: "half-hour"}  # by their number in a day
_BITS = r"privacy budget $\epsilon$ (bits)"


def plot_fig3(
    table: pd.DataFrame, *, public_range_kwh: float, almost_zero: float = ALMOST_ZERO
) -> Figure:
    """Plot the advantage against the budget, a panel for each adversary, a line for each n.

    ``public_range_kwh`` is of a day; that of a reading in the table says how many there are a day.
    """
    shown = insert_controls(sort_by_label(_LOOKS, table["adversary"]))
    columns = min(4, len(shown))
    rows = math.ceil(len(shown) / columns)
    height_in = 0.9 + 2 * rows + 0.1 * style.count_extra_lines(_ADVERSARIES, shown)
    figure, axes = style.create_figure(rows, columns, height_in=height_in, sharey=True)
    sizes = sorted(table["n"].unique())
    colours = style.choose_shades(len(sizes))
    budgets = table["epsilon_bits"].unique()
    budget = 2.0 if 2.0 in budgets else budgets.min()
    blind = style.select_statistic(table, "advantage", adversary="control")["value"]
    for axis, adversary in zip(axes[: len(shown)], shown, strict=True):
        for size, colour, marker in zip(sizes, colours, itertools.cycle(_MARKERS)):
            bin_kwh = style.get_value(table, "bin_kwh", n=size, epsilon_bits=budget)
            text = f"{size} ({bin_kwh:.3g} kWh)"
            points = _select_advantages(table, adversary=adversary, n=size)
            _plot_line(axis, *points, color=colour, marker=marker, label=text)
        look: dict[str, Any] = {
            "color": style.RED,
            "alpha": 0.35,
            "linewidth": 0,
            "label": _BLIND,
        }
        room = max(0.0, _MIN_BAND - (blind.max() - blind.min())) / 2  # no height is not seen
        axis.axhspan(blind.min() - room, blind.max() + room, **look)
        _plot_almost_zero(axis, almost_zero)
        axis.set_title(style.format_label(_ADVERSARIES, adversary))
    ylabel = "signed advantage 2 P(correct) $-$ 1"
    style.label_edges(axes, columns, xlabel=_BITS, ylabel=ylabel, panels=len(shown))
    games, homes = (int(style.get_value(table, name)) for name in ("games", "homes"))
    bars = style.describe_bars(
        style.select_statistic(table, "advantage_over_homes", adversary=shown[0])
    )
    style.add_note(
        figure,
        f"{homes} homes, {_format_resolution(table, public_range_kwh)}, {games:,} games for each "
        rf"n; bins at $\epsilon$ = {budget:g}; {bars}",
    )
    last = (_BLIND, _format_almost_zero(almost_zero))
    style.add_outside_legend(figure, axes, last=last, title="n (bin)", title_fontsize=6.5)
    return figure


def plot_sets_by_budget(
    *tables: pd.DataFrame, homes: Sequence[str], almost_zero: float = ALMOST_ZERO
) -> Figure:
    """Plot the advantage against the budget on each set of homes, a row of panels for each set.

    The set with the most homes is first.  The note names adversaries beyond the fourth.
    """
    counts = [int(style.get_value(table, "homes")) for table in tables]
    order = np.argsort([-count for count in counts], kind="stable")
    players = [set(style.select_statistic(each, "advantage")["adversary"]) for each in tables]
    everyone = drop_controls(sort_by_label(_LOOKS, sorted(set().union(*players))))
    shown, others = everyone[:_MAX_COLUMNS], everyone[_MAX_COLUMNS:]
    sizes = sorted({size for table in tables for size in table["n"]})
    shades = style.choose_shades(len(sizes))
    looks = dict(zip(sizes, zip(shades, itertools.cycle(_MARKERS), strict=False), strict=True))
    size = {"height_in": 0.9 + 1.25 * len(tables), "sharey": True}
    figure, axes = style.create_figure(len(tables), len(shown), **size)
    for panel, (place, adversary) in zip(axes, itertools.product(order, shown), strict=True):
        table = tables[place]
        for each, (colour, marker) in looks.items():
            points = _select_advantages(table, adversary=adversary, n=each)
            if len(points[0]):
                _plot_line(panel, *points, color=colour, marker=marker, label=f"n = {each:g}")
        _plot_almost_zero(panel, almost_zero, " ")
        if panel in axes[: len(shown)]:
            panel.set_title(style.format_label(_ADVERSARIES, adversary))
    style.label_edges(axes, len(shown), xlabel=_BITS, ylabel="")
    if len({tuple(sorted(table["epsilon_bits"].unique())) for table in tables}) == 1:
        for panel in axes[: -len(shown)]:
            panel.tick_params(labelbottom=False)
    for panel, place in zip(axes[:: len(shown)], order, strict=True):
        name = style.format_label({}, homes[place])
        panel.set_ylabel(f"{name}\n({counts[place]} homes)")
    figure.supylabel("signed advantage", fontsize=7)
    missing = f"in the figures of each set: {', '.join(map(style.escape_text, others))}"
    style.add_note(figure, style.BARS_TEXT, *([missing] if others else []))
    last, columns = [_format_almost_zero(almost_zero, " ")], len(sizes) + 1
    style.add_outside_legend(figure, axes, "upper center", last=last, ncols=columns)
    return figure


def _format_resolution(table: pd.DataFrame, public_range_kwh: float) -> str:
    """Format how far apart the readings are that a table was played with."""
    finite = table[np.isfinite(table["epsilon_bits"])]
    levels, bin_kwh = (
        style.select_statistic(finite, name)["value"].iloc[0] for name in ("levels", "bin_kwh")
    )
    a_day = round(public_range_kwh / (levels * bin_kwh))
    return f"by the {_INTERVALS[a_day]}" if a_day in _INTERVALS else f"{a_day} readings a day"


def plot_fig3_ranges(
    table: pd.DataFrame,
    *,
    public_range_kwh: float,
    almost_zero: float = ALMOST_ZERO,
    main_fuse_kwh: float = MAIN_FUSE_KWH,
) -> Figure:
    """Plot the advantage against the public range (kWh), for each cell and rule of levels."""
    cells, rules = _list_cells(table), _CHOICES["quantizer_rule"]
    figure, axes = style.create_figure(
        len(rules), len(cells), height_in=4.6, sharex=True, sharey=True
    )
    shown = [name for name in sort_by_label(_LOOKS, table["adversary"]) if name != "strongest"]
    looks = style.assign_looks(_LOOKS, drop_controls(shown))
    table = table.sort_values("range_kwh", kind="stable")
    for axis, (rule, cell) in zip(axes, itertools.product(rules, cells), strict=True):
        of_cell = style.select_rows(table, quantizer_rule=rule, **cell)
        for name, (colour, marker) in looks.items():
            rows, homes = _select_advantages(of_cell, adversary=name)
            look: dict[str, Any] = {"color": colour, "marker": marker}
            look["label"] = style.format_label(_PLAYER_LABELS, name)
            style.plot_intervals(axis, rows["range_kwh"], rows, homes, **look)
        constant = style.select_statistic(of_cell, "constant_share")
        words = "share of draws with\none bin all the time"
        axis.plot("range_kwh", "value", "k--", data=constant, linewidth=0.8, label=words)
        _plot_almost_zero(axis, almost_zero)
        for marked_kwh, dashes in ((public_range_kwh, "-"), (main_fuse_kwh, ":")):
            axis.axvline(marked_kwh, color=style.GREY, linewidth=0.8, linestyle=dashes)
        levels = style.get_value(of_cell, "levels")
        axis.set_xscale("log")
        widths = axis.secondary_xaxis(
            "top", functions=(partial(_compute_width, levels), partial(operator.mul, levels))
        )
        widths.set_xlabel("width of a bin (kWh a day)", fontsize=6)
        widths.tick_params(labelsize=5.5)
        axis.set_title(f"{_format_cell(cell)}\n{rules[rule]} = {levels:g}")
    xlabel = "public range of a day's reading, up to (kWh)"
    style.label_edges(axes, len(cells), xlabel=xlabel, ylabel="signed advantage; share")
    style.add_note(
        figure,
        f"{int(style.get_value(table, 'games')):,} games; {style.BARS_TEXT}; "
        f"vertical lines: {public_range_kwh:g} kWh (ten days of a typical home), "
        f"{main_fuse_kwh:g} kWh (main fuse)",
    )
    style.add_outside_legend(figure, axes, last=[words, _format_almost_zero(almost_zero)])
    return figure


def plot_fig3_pairs(pairs: pd.DataFrame, *, range_kwh: float) -> Figure:
    """Plot the advantage by how the two homes are chosen, a panel for each cell (n, epsilon).

    Filled marks are after most reports, hollow ones after the first.
    """
    pairs = style.select_rows(pairs, range_kwh=range_kwh)
    cells, days = _list_cells(pairs), np.sort(pairs["days"].unique())
    names = sort_by_label(_PAIR_LOOKS, set(pairs["adversary"]) - {"any"})
    looks = style.assign_looks(_PAIR_LOOKS, drop_controls(names))
    ways = [way for way in _PAIR_CHOICES if (pairs["choice"] == way).any()]
    figure, axes = style.create_figure(
        *(len(cells), 1),
        width_in=style.COLUMN_WIDTH_IN,
        height_in=1.3 + 0.27 * len(ways) * len(cells),
        sharex=True,
    )
    steps = np.linspace(-0.3, 0.3, len(looks))
    for axis, cell in zip(axes, cells, strict=True):
        of_cell = style.select_rows(pairs, **cell)
        for (name, (colour, marker)), step in zip(looks.items(), steps, strict=True):
            look: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": ""}
            label: str | None = style.format_label(_PLAYER_LABELS, name)
            for row, way in enumerate(ways):
                where = {"adversary": name, "choice": way}
                games, over = _select_advantages(of_cell, days=days[-1], **where)
                if games.empty:
                    games = over.assign(low=np.nan, high=np.nan)
                height = np.full(len(games), row + step)
                style.plot_intervals(
                    axis, height, games, over, is_horizontal=True, label=label, **look
                )
                label = None if len(games) else label
                first, _ = _select_advantages(of_cell, days=days[0], **where)
                hollow: dict[str, Any] = {"markerfacecolor": "white", "markersize": 2.8}
                height = np.full(len(first), row + step)
                axis.plot(first["value"], height, marker, color=colour, **hollow)
        for row in range(1, len(ways)):
            axis.axhline(row - 0.5, color=style.GREY, linewidth=0.3)
        axis.axvline(0, color=style.BLACK, linewidth=0.4)
        axis.set_yticks(range(len(ways)), [_PAIR_CHOICES[way] for way in ways])
        axis.set(title=_format_cell(cell), ylim=(len(ways) - 0.5, -0.5))
    axes[-1].set_xlabel("advantage (0: a coin toss, 1: certainty)")
    figure.supylabel("how the two homes are chosen", fontsize=7)
    known, draws = (int(style.get_value(pairs, each)) for each in ("candidates", "draws"))
    group = style.select_statistic(pairs, "group_homes")["value"].min()
    group_text = f", groups of {group:g} homes and more" if math.isfinite(group) else ""
    style.add_note(
        figure,
        f"filled: {days[-1]:g} daily reports, hollow: {days[0]:g} report"
        f"{'s' if days[0] > 1 else ''}; range up to {range_kwh:g} kWh a day; all pairs of {known} "
        f"homes, {draws} draws of the others{group_text}; {style.BARS_TEXT}",
    )
    style.add_outside_legend(figure, axes[:1], "upper center", ncols=2)
    return figure


def plot_fig3_choices(table: pd.DataFrame, *, almost_zero: float = ALMOST_ZERO) -> Figure:
    """Plot the largest absolute advantage of three adversaries for each combination of choices.

    Each combination is a square with its number: rows say how a mean is quantized, columns what is
    published and what counts as a peak.
    """
    largest = style.select_statistic(table, "largest_absolute_advantage")
    cells = _list_cells(largest)
    rows, columns = (_list_combinations(largest, choices) for choices in _CHOICE_SIDES)
    figure, axes = style.create_figure(
        *(len(cells), 1),
        width_in=style.COLUMN_WIDTH_IN,
        height_in=1.7 + 0.2 * len(rows) * len(cells),
        sharex=True,
    )
    for axis, cell in zip(axes, cells, strict=True):
        values = style.select_rows(largest, **cell).pivot(
            index=list(_CHOICE_SIDES[0]), columns=list(_CHOICE_SIDES[1]), values="value"
        )
        numbers = values.loc[rows, columns].to_numpy()
        axis.imshow(
            np.where(numbers <= almost_zero, 0, 1), cmap=_HELD, vmin=0, vmax=1, aspect="auto"
        )
        for row, column in np.ndindex(numbers.shape):
            place: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 6}
            weight = "bold" if numbers[row, column] <= almost_zero else "normal"
            axis.text(column, row, f"{numbers[row, column]:.2f}", weight=weight, **place)
        axis.set_yticks(range(len(rows)), [_format_choices(0, each) for each in rows])
        labels = [_format_choices(1, each) for each in columns]
        axis.set_xticks(range(len(columns)), labels, rotation=90)
        axis.tick_params(length=0, labelsize=6)
        axis.spines[:].set_visible(False)
        axis.set_title(_format_cell(cell))
    axes[-1].set_xlabel("readings published, for how long, peaks")
    figure.supylabel("levels of a budget, and the public range", fontsize=7)
    style.add_note(
        figure,
        f"number: largest |advantage| of the three adversaries; shaded and bold: at most "
        f"{almost_zero:g}; {int(style.get_value(table, 'games')):,} games for each",
    )
    return figure


def _list_combinations(table: pd.DataFrame, choices: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """List the combinations of options of some choices that a table has, in order of labels."""
    present = set(table[list(choices)].itertuples(index=False, name=None))
    options = itertools.product(*(_CHOICES[column] for column in choices))
    return [each for each in options if each in present]


def _format_choices(side: int, options: Sequence[str]) -> str:
    """Format the options of a row (side 0) or column (side 1) of the grid of choices."""
    labels = _CHOICE_SIDES[side].values()
    words = [names[option] for names, option in zip(labels, options, strict=True)]
    return ", ".join(words)


def plot_fig3_learned(table: pd.DataFrame, *, almost_zero: float = ALMOST_ZERO) -> Figure:
    """Plot the learned and the other adversaries on the same games, a panel for each n."""
    sizes = sorted(table["n"].unique())
    columns = min(4, len(sizes))
    looks = style.assign_looks(_LOOKS, sort_by_label(_LOOKS, table["adversary"]))
    rows = math.ceil(len(sizes) / columns)
    lines = len(looks) + style.count_extra_lines(_ADVERSARIES, looks)
    height_in = max(0.9 + 1.6 * rows, 0.7 + 0.13 * lines)  # the legend is beside the panels
    figure, axes = style.create_figure(rows, columns, height_in=height_in, sharey=True)
    for axis, size in zip(axes[: len(sizes)], sizes, strict=True):
        for name, (colour, marker) in looks.items():
            look = {
                "color": colour,
                "marker": marker,
                "label": style.format_label(_ADVERSARIES, name),
            }
            _plot_line(axis, *_select_advantages(table, adversary=name, n=size), **look)
        _plot_almost_zero(axis, almost_zero)
        axis.set_title(f"n = {size}")
    style.label_edges(axes, columns, xlabel=_BITS, ylabel="signed advantage", panels=len(sizes))
    games, homes = (int(style.get_value(table, name)) for name in ("games", "homes"))
    bars = style.describe_bars(style.select_statistic(table, "advantage_over_homes"))
    style.add_note(
        figure,
        f"{games:,} games for each n between {homes} homes that training has not seen; {bars}",
    )
    style.add_outside_legend(figure, axes, last=[_format_almost_zero(almost_zero)])
    return figure


def plot_sets_of_homes(table: pd.DataFrame, *, almost_zero: float = ALMOST_ZERO) -> Figure:
    """Plot the advantage against n, a panel for each budget and adversary, a line for each set.

    Marks are hollow where ``constant_share`` is at least a half.
    """
    adversaries = sort_by_label(_LOOKS, set(table["adversary"]) - {"any"})
    facts = style.select_statistic(table, "range_days")
    days_by_set = dict(zip(facts["homes"], facts["value"], strict=True))
    table = table[table["statistic"] != "range_days"]
    budgets, sets = sorted(table["epsilon_bits"].unique()), list(table["homes"].unique())
    columns = math.ceil(len(adversaries) / math.ceil(len(adversaries) / 4))
    panels = [
        (budget, adversary)
        for budget in budgets
        for adversary in [*adversaries, *[None] * (-len(adversaries) % columns)]
    ]
    rows = len(panels) // columns
    size = {"height_in": 0.9 + 1.7 * rows, "sharey": True, "sharex": True}
    figure, axes = style.create_figure(rows, columns, **size)
    own = list(zip(_SET_COLOURS, _MARKERS[: len(_SET_COLOURS)], strict=True))
    looks = dict(zip(sets, style.iterate_looks(own), strict=False))
    for axis, (budget, adversary) in zip(axes, panels, strict=True):
        if adversary is None:
            axis.set_visible(False)
            continue
        for homes, (colour, marker) in looks.items():
            where = {"homes": homes, "epsilon_bits": budget}
            games, over = _select_advantages(table, adversary=adversary, **where)
            order = games["n"].argsort()
            games, over = games.iloc[order], over.iloc[order]
            label = f"{homes} ({days_by_set[homes]:.1f} days)"
            look: dict[str, Any] = {"color": colour, "marker": marker, "label": label}
            style.plot_intervals(axis, games["n"], games, over, **look)
            shares = style.select_statistic(table, "constant_share", **where).set_index("n")[
                "value"
            ]
            hollow = games[shares.reindex(games["n"]).to_numpy() >= MIN_CONSTANT_SHARE]
            mark: dict[str, Any] = {"color": colour, "markerfacecolor": "white", "markersize": 4}
            axis.plot(hollow["n"], hollow["value"], marker, zorder=5, **mark)
        _plot_almost_zero(axis, almost_zero)
        axis.set_xscale("log", base=2)
        label = style.format_label(_ADVERSARIES, adversary)
        axis.set_title(rf"{label}, $\epsilon$ = {budget:g}")
        if style.select_statistic(
            table, "advantage", adversary=adversary, epsilon_bits=budget
        ).empty:
            axis.text(0.5, 0.5, "not played", ha="center", transform=axis.transAxes)
    words = "one bin all the time\nin half of the draws"
    mark = {"color": style.GREY, "markerfacecolor": "white", "markersize": 3, "label": words}
    axes[-1].plot([], [], "o", **mark)
    sizes = sorted(table["n"].unique())
    axes[0].set_xticks(sizes, [f"{each:g}" for each in sizes])
    xlabel = "n, homes in the mean"
    style.label_edges(axes, columns, xlabel=xlabel, ylabel="signed advantage")
    style.add_note(figure, style.BARS_TEXT)
    title = "homes (public range, in\ndays of their own mean)"
    last = (words, _format_almost_zero(almost_zero))
    style.add_outside_legend(figure, axes, last=last, title=title, title_fontsize=6.5)
    return figure


def _plot_almost_zero(axis: Axes, almost_zero: float, space: str = "\n") -> None:
    """Shade what is read as almost zero, as good as nothing, and name it in two lines or one."""
    look: dict[str, Any] = {"color": style.GREY, "alpha": 0.2, "linewidth": 0}
    axis.axhspan(-almost_zero, almost_zero, label=_format_almost_zero(almost_zero, space), **look)


def _format_almost_zero(almost_zero: float, space: str = "\n") -> str:
    """Format the label of the band of :func:`_plot_almost_zero`."""
    return f"as good as nothing{space}(at most {almost_zero:g})"


def _compute_width(levels: float, range_kwh: Floats) -> Floats:
    """Compute the width of a bin (kWh) for each public range (kWh)."""
    return range_kwh / levels


def _select_advantages(table: pd.DataFrame, **where: object) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Select the rows of the advantage: with intervals over games, and over homes."""
    games = style.select_statistic(table, "advantage", **where)
    return games, style.select_statistic(table, "advantage_over_homes", **where)


def _list_cells(table: pd.DataFrame) -> list[dict[str, float]]:
    """List the cells (n, epsilon) of a table, in its order."""
    return table[["n", "epsilon_bits"]].drop_duplicates().to_dict("records")


def _format_cell(cell: dict[str, float]) -> str:
    """Format a cell (n, epsilon) for a panel's title."""
    return rf"n = {cell['n']:g}, $\epsilon$ = {cell['epsilon_bits']:g}"


def _plot_line(axis: Axes, rows: pd.DataFrame, homes: pd.DataFrame, **look: Any) -> None:
    """Plot the advantage with intervals along epsilon; the exact mean stands at the right."""
    rows, homes = rows.sort_values("epsilon_bits"), homes.sort_values("epsilon_bits")
    exact = ~np.isfinite(rows["epsilon_bits"].to_numpy())
    place = rows["epsilon_bits"].map(style.map_budgets(axis, rows["epsilon_bits"])).to_numpy()
    style.plot_intervals(axis, place[~exact], rows[~exact], homes[~exact], **look)
    style.plot_intervals(axis, place[exact], rows[exact], homes[exact], **{**look, "label": None})
