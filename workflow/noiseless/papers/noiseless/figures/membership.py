"""Figure 3 of Farokhi, "Noiseless Privacy": the membership game."""

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.adversaries import membership
from noiseless.adversaries.labels import (
    EXACT_LABEL,
    PAPERS_ADVERSARIES,
    drop_controls,
    load_adversary_labels,
)
from noiseless.figures import style
from noiseless.figures.labels import sort_by_label
from noiseless.papers.noiseless.membership import ALMOST_ZERO, MAIN_FUSE_KWH

_LOOKS = {
    "correlation": (style.BLUE, "o"),
    "mse": (style.ORANGE, "s"),
    "peaks": (style.GREEN, "^"),
    "learned": (style.RED, "D"),
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
_CHOICE_COLUMNS = ["n", "epsilon_bits", *_CHOICES]
_SHADE: dict[str, Any] = {"color": style.GREY, "alpha": 0.2, "linewidth": 0}
_MARKERS = "osv^D<>PX*"
_SET_COLOURS = [
    *(style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PURPLE),
    *(style.COLOURS["sky"], style.BLACK),
]
MIN_CONSTANT_SHARE = 0.5  # share of draws from which on a release counts as constant
_PAIR_CHOICES = {
    "random": ("two homes at random", "o"),
    "selected_in_group": ("selected within a group of homes", "D"),
    "largest_and_median": ("largest and median home", "s"),
    "selected": ("selected, on data held back", "^"),
    "selected_in_sample": ("selected, in sample", "x"),
}
_PAIR_LOOKS = {**_LOOKS, "exact": (style.PURPLE, "v")}
_PARTNERS = {"random": "-", "selected": "--"}
_ADVERSARIES = load_adversary_labels(membership)
_PLAYER_LABELS = {**_ADVERSARIES, **EXACT_LABEL}
_BITS = r"privacy budget $\epsilon$ (bits)"


def plot_fig3(table: pd.DataFrame, *, almost_zero: float = ALMOST_ZERO) -> Figure:
    """Plot the advantage against the budget, a panel for each adversary, a line for each n.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_<dataset>``.
    almost_zero : float
        Absolute advantage that counts as almost zero, shaded.
    """
    shown = drop_controls(sort_by_label(_ADVERSARIES, table["adversary"]))
    figure, axes = style.create_figure(1, len(shown), height_in=2.9, sharey=True)
    sizes = sorted(table["n"].unique())
    colours = colormaps["viridis"](np.linspace(0, 0.9, len(sizes)))
    budgets = table["epsilon_bits"].unique()
    budget = 2.0 if 2.0 in budgets else budgets.min()
    blind = style.select_statistic(table, "advantage", adversary="control")["value"]
    for axis, adversary in zip(axes, shown, strict=True):
        for size, colour, marker in zip(sizes, colours, _MARKERS, strict=False):
            bin_kwh = style.get_value(table, "bin_kwh", n=size, epsilon_bits=budget)
            text = f"{size} ({bin_kwh:.3g} kWh)"
            rows = _select_advantages(table, adversary=adversary, n=size)
            _plot_line(axis, *rows, color=colour, marker=marker, label=text)
        look: dict[str, Any] = {
            "color": style.RED,
            "alpha": 0.35,
            "linewidth": 0,
            "label": "control",
        }
        axis.axhspan(blind.min(), blind.max(), **look)
        axis.axhspan(-almost_zero, almost_zero, **_SHADE)
        axis.set(title=style.format_label(_ADVERSARIES, adversary), xlabel=_BITS)
    axes[0].set_ylabel("signed advantage 2 P(correct) $-$ 1")
    games, homes = (int(style.get_value(table, name)) for name in ("games", "homes"))
    bars = style.describe_bars(
        style.select_statistic(table, "advantage_over_homes", adversary=shown[0])
    )
    figure.suptitle(
        f"{homes} homes, {games:,} games for each n; shaded: at most {almost_zero:g}\n{bars}"
    )
    title = rf"n (bin at $\epsilon$ = {budget:g})"
    style.add_outside_legend(figure, axes, title=title, title_fontsize=6.5)
    return figure


def plot_fig3_ranges(
    table: pd.DataFrame,
    *,
    public_range_kwh: float,
    almost_zero: float = ALMOST_ZERO,
    main_fuse_kwh: float = MAIN_FUSE_KWH,
) -> Figure:
    """Plot the advantage against the public range (kWh), for each cell and rule of levels.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_ranges_<dataset>``.
    public_range_kwh, main_fuse_kwh : float
        Ranges that are marked.
    almost_zero : float
        See :func:`plot_fig3`.
    """
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
        words = "share of draws with one bin all the time"
        axis.plot("range_kwh", "value", "k--", data=constant, linewidth=0.8, label=words)
        axis.axhspan(-almost_zero, almost_zero, **_SHADE)
        for marked_kwh, dashes in ((public_range_kwh, "-"), (main_fuse_kwh, ":")):
            axis.axvline(marked_kwh, color=style.GREY, linewidth=0.8, linestyle=dashes)
        start, levels = (
            style.get_value(of_cell, name) for name in ("almost_zero_from_kwh", "levels")
        )
        axis.set_xscale("log")
        widths = axis.secondary_xaxis(
            "top", functions=(lambda x, q=levels: x / q, lambda x, q=levels: x * q)
        )
        widths.set_xlabel("width of a bin (kWh a day)", fontsize=6)
        widths.tick_params(labelsize=5.5)
        zero_range = f"from {start:g} kWh on" if math.isfinite(start) else "at none of these ranges"
        axis.set_title(
            f"{_format_cell(cell)}, {rules[rule]} = {levels:g}\nalmost zero {zero_range}"
        )
    xlabel = "public range of a day's reading, up to (kWh)"
    style.label_edges(axes, len(cells), xlabel=xlabel, ylabel="signed advantage; share")
    figure.suptitle(
        f"{int(style.get_value(table, 'games')):,} games; {style.BARS_TEXT}; "
        f"shaded: at most {almost_zero:g}\n"
        f"vertical lines: {public_range_kwh:g} kWh (ten days of a typical home), "
        f"{main_fuse_kwh:g} kWh (main fuse)"
    )
    style.add_outside_legend(figure, axes)
    return figure


def plot_fig3_pairs(pairs: pd.DataFrame, homes: pd.DataFrame, *, range_kwh: float) -> Figure:
    """Plot the ways to choose the two homes, the risk of each home, and repeated reports.

    Parameters
    ----------
    pairs, homes : DataFrame
        Tables ``membership_pairs_<dataset>`` and ``membership_homes_<dataset>`` of ``noiseless``.
    range_kwh : float
        The public range that is shown.
    """
    pairs, homes = (style.select_rows(each, range_kwh=range_kwh) for each in (pairs, homes))
    pairs = pairs.sort_values("days", kind="stable")
    cells, days = _list_cells(pairs), pairs["days"].unique()
    names = drop_controls(sort_by_label(_PAIR_LOOKS, set(pairs["adversary"]) - {"any"}))
    looks = style.assign_looks(_PAIR_LOOKS, names)
    figure, axes = style.create_figure(3, len(cells), height_in=6.6, sharey="row")
    rows_of_axes = [axes[k * len(cells) : (k + 1) * len(cells)] for k in range(3)]
    for cell, ways, risks, reports in zip(cells, *rows_of_axes, strict=True):
        pairs_of_cell, homes_of_cell = (style.select_rows(each, **cell) for each in (pairs, homes))
        for step, (way, (text, marker)) in enumerate(_PAIR_CHOICES.items()):
            ways.plot([], [], marker, markersize=2.8, color=style.BLACK, label=text)
            for index, (name, (colour, _)) in enumerate(looks.items()):
                games, over = _select_advantages(
                    pairs_of_cell, days=days[-1], choice=way, adversary=name
                )
                if games.empty:
                    games = over.assign(low=np.nan, high=np.nan)
                places = np.full(len(games), index + 0.14 * (step - 2))
                look: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": ""}
                style.plot_intervals(ways, places, games, over, **look)
        for name, (colour, marker) in looks.items():
            for partner, dashes in _PARTNERS.items():
                risk = style.select_statistic(
                    homes_of_cell, "risk", adversary=name, partner=partner
                )
                look = {"color": colour, "linestyle": dashes}
                label = style.format_label(_PLAYER_LABELS, name) if partner == "random" else None
                risks.plot(risk["quantile"], risk["value"], linewidth=1, label=label, **look)
                games = style.select_statistic(
                    pairs_of_cell, "advantage", adversary=name, choice=partner
                )
                style.plot_intervals(reports, np.arange(len(days)), games, marker=marker, **look)
        bits = style.get_value(pairs_of_cell, "composed_bits", days=days[-1])
        ways.set_title(f"{_format_cell(cell)}\n{days[-1]:g} reports: {bits:g} bits")
        ways.set_xticks([])
        risks.set_xlabel("share of homes at less risk")
        budgets = [f"{t:g}\n{t * cell['epsilon_bits']:g} bits" for t in days]
        reports.set_xticks(range(len(days)), budgets)
        reports.set_xlabel("daily reports, and their budget")
    ylabels = ("advantage", "risk of a home", "advantage")
    for axis, text in zip(axes[:: len(cells)], ylabels, strict=True):
        axis.set_ylabel(text)
    for axis in axes:
        axis.axhline(0, color=style.BLACK, linewidth=0.4)
    known, draws = (int(style.get_value(pairs, each)) for each in ("candidates", "draws"))
    group = style.select_statistic(pairs, "group_homes")["value"].min()
    group_text = f"; groups of {group:g} homes and more" if math.isfinite(group) else ""
    figure.suptitle(
        f"range up to {range_kwh:g} kWh a day; all pairs of {known} homes, {draws} draws of the "
        f"others{group_text}\n{style.BARS_TEXT}; solid: partner at random, "
        "dashed: selected on data held back"
    )
    style.add_outside_legend(figure, axes)
    return figure


def plot_fig3_choices(table: pd.DataFrame, *, almost_zero: float = ALMOST_ZERO) -> Figure:
    """Plot the largest absolute advantage of three adversaries, a point per combination.

    The bars are those of the adversary with the largest absolute advantage.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_choices_<dataset>``.
    almost_zero : float
        See :func:`plot_fig3`.
    """
    largest = style.select_statistic(table, "largest_absolute_advantage")
    holds = style.select_statistic(table, "almost_zero")
    strongest = (
        _select_strongest(table, "advantage"),
        _select_strongest(table, "advantage_over_homes"),
    )
    cells = _list_cells(largest)
    figure, axes = style.create_figure(1, len(cells), height_in=3.3, sharey=True, sharex=True)
    # A choice that the data have only one value of has no row.
    values = [
        (column, value)
        for column, names in _CHOICES.items()
        for value in names
        if len(largest[column].unique()) > 1 and (largest[column] == value).any()
    ]
    for axis, cell in zip(axes, cells, strict=True):
        for index, (column, value) in enumerate(values):
            where = {**cell, column: value}
            points = pd.MultiIndex.from_frame(style.select_rows(largest, **where)[_CHOICE_COLUMNS])
            games, homes = (each.reindex(points) for each in strongest)
            is_almost_zero = style.select_rows(holds, **where)["value"].to_numpy() == 1
            # Spread in the order of the table, so that points do not hide each other.
            height = index + np.linspace(-0.28, 0.28, len(points))
            for chosen, colour, marker in (
                (is_almost_zero, style.GREEN, "o"),
                (~is_almost_zero, style.PURPLE, "v"),
            ):
                look: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": ""}
                shown = height[chosen], games[chosen], homes[chosen]
                style.plot_intervals(axis, *shown, is_horizontal=True, markersize=2.6, **look)
            text_style: dict[str, Any] = {"transform": axis.get_yaxis_transform(), "va": "center"}
            axis.text(
                1.0,
                index,
                f" {is_almost_zero.sum()}/{len(is_almost_zero)}",
                fontsize=6,
                **text_style,
            )
            if index and column != values[index - 1][0]:
                axis.axhline(index - 0.5, color=style.GREY, linewidth=0.4)
        axis.axvspan(0, almost_zero, **_SHADE)
        of_cell = style.select_rows(holds, **cell)["value"]
        n_almost_zero, n_all = int(of_cell.sum()), len(of_cell)
        axis.set(
            title=f"{_format_cell(cell)}: almost zero in {n_almost_zero} of {n_all} combinations",
            xlabel="largest |advantage| of the three adversaries",
            ylim=(len(values) - 0.5, -0.5),
        )
    figure.suptitle(
        f"{int(style.get_value(table, 'games')):,} games for each point; circles: none beyond "
        f"{almost_zero:g} (shaded); at the right, how many\n"
        f"{style.describe_bars(style.select_statistic(table, 'advantage_over_homes'))}"
    )
    axes[0].set_yticks(range(len(values)), [_CHOICES[column][value] for column, value in values])
    return figure


def _select_strongest(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Select the largest absolute advantage of the paper's three adversaries, by choices."""
    rows = style.select_statistic(table, name)
    rows = rows[rows["adversary"].isin(PAPERS_ADVERSARIES)].set_index(_CHOICE_COLUMNS)
    # An adversary who is mostly wrong has a negative advantage: its ends swap with its sign.
    negated = -rows.rename(columns={"low": "high", "high": "low"})[["value", "low", "high"]]
    rows = rows[["value", "low", "high"]].where(rows["value"] >= 0, negated)
    rows = rows.sort_values("value", ascending=False, kind="stable")
    return rows[~rows.index.duplicated()]


def plot_fig3_learned(table: pd.DataFrame) -> Figure:
    """Plot the learned and the other adversaries on the same games, a panel for each n.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_learned_<dataset>``.
    """
    sizes = sorted(table["n"].unique())
    columns = min(4, len(sizes))
    looks = style.assign_looks(_LOOKS, sort_by_label(_LOOKS, table["adversary"]))
    rows = math.ceil(len(sizes) / columns)
    figure, axes = style.create_figure(rows, columns, height_in=0.9 + 1.6 * rows, sharey=True)
    for axis, size in zip(axes, sizes, strict=False):
        for name, (colour, marker) in looks.items():
            look = {
                "color": colour,
                "marker": marker,
                "label": style.format_label(_ADVERSARIES, name),
            }
            _plot_line(axis, *_select_advantages(table, adversary=name, n=size), **look)
        axis.axhline(0, color=style.BLACK, linewidth=0.4)
        axis.set_title(f"n = {size}")
    style.label_edges(axes, columns, xlabel=_BITS, ylabel="signed advantage", panels=len(sizes))
    games, homes = (int(style.get_value(table, name)) for name in ("games", "homes"))
    figure.suptitle(
        f"{games:,} games for each n between {homes} homes that training has not seen\n"
        + style.describe_bars(style.select_statistic(table, "advantage_over_homes"))
    )
    style.add_outside_legend(figure, axes)
    return figure


def plot_sets_of_homes(table: pd.DataFrame, *, almost_zero: float = ALMOST_ZERO) -> Figure:
    """Plot the advantage against n, a panel for each budget and adversary, a line for each set.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/sets_of_homes``.  Marks are hollow where ``constant_share`` is at least a
        half.
    almost_zero : float
        See :func:`plot_fig3`.
    """
    adversaries = sort_by_label(_LOOKS, set(table["adversary"]) - {"any"})
    budgets, sets = sorted(table["epsilon_bits"].unique()), list(table["homes"].unique())
    size = {"height_in": 0.9 + 1.9 * len(budgets), "sharey": True, "sharex": True}
    figure, axes = style.create_figure(len(budgets), len(adversaries), **size)
    colours = itertools.cycle(_SET_COLOURS)
    looks = dict(zip(sets, zip(colours, itertools.cycle(_MARKERS)), strict=False))
    panels = itertools.product(budgets, adversaries)
    for axis, (budget, adversary) in zip(axes, panels, strict=True):
        for homes, (colour, marker) in looks.items():
            where = {"homes": homes, "epsilon_bits": budget}
            games, over = _select_advantages(table, adversary=adversary, **where)
            order = games["n"].argsort()
            games, over = games.iloc[order], over.iloc[order]
            look: dict[str, Any] = {"color": colour, "marker": marker, "label": homes}
            style.plot_intervals(axis, games["n"], games, over, **look)
            shares = style.select_statistic(table, "constant_share", **where).set_index("n")[
                "value"
            ]
            hollow = games[shares.reindex(games["n"]).to_numpy() >= MIN_CONSTANT_SHARE]
            mark: dict[str, Any] = {"color": colour, "markerfacecolor": "white", "markersize": 4}
            axis.plot(hollow["n"], hollow["value"], marker, zorder=5, **mark)
        axis.axhspan(-almost_zero, almost_zero, **_SHADE)
        axis.set_xscale("log", base=2)
        label = style.format_label(_ADVERSARIES, adversary)
        axis.set_title(rf"{label}, $\epsilon$ = {budget:g}")
    words = "one bin all the time\nin half of the draws"
    mark = {"color": style.GREY, "markerfacecolor": "white", "markersize": 3, "label": words}
    axes[-1].plot([], [], "o", **mark)
    sizes = sorted(table["n"].unique())
    axes[0].set_xticks(sizes, [f"{each:g}" for each in sizes])
    xlabel = "n, homes in the mean"
    style.label_edges(axes, len(adversaries), xlabel=xlabel, ylabel="signed advantage")
    figure.suptitle(f"shaded: at most {almost_zero:g}; {style.BARS_TEXT}")
    style.add_outside_legend(figure, axes, title="homes")
    return figure


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
    budgets = np.sort(rows["epsilon_bits"].to_numpy())
    finite = budgets[np.isfinite(budgets)]
    gap = max(1.0, np.ptp(finite) / 6) if len(finite) > 1 else 1.0
    right = finite[-1] + gap
    rows, homes = rows.sort_values("epsilon_bits"), homes.sort_values("epsilon_bits")
    exact = ~np.isfinite(rows["epsilon_bits"].to_numpy())
    place = np.where(exact, right, rows["epsilon_bits"])
    style.plot_intervals(axis, place[~exact], rows[~exact], homes[~exact], **look)
    style.plot_intervals(axis, place[exact], rows[exact], homes[exact], **{**look, "label": None})
    axis.axvline(right - gap / 2, color=style.GREY, linewidth=0.5, linestyle=":")
    axis.set_xticks([*finite, right], [*(f"{each:g}" for each in finite), "exact\nmean"])
