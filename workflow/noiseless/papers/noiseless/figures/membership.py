"""Figure 3 of Farokhi, "Noiseless Privacy": the membership game."""

import math

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.adversaries import membership
from noiseless.adversaries.labels import (
    EXACT_LABEL,
    PAPERS_ADVERSARIES,
    labels_of,
    without_controls,
)
from noiseless.figures.labels import in_order, label
from noiseless.figures.style import (
    BARS,
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PAGE_WIDTH_IN,
    PURPLE,
    RED,
    bars_of,
    draw_intervals,
    looks_of,
    new_figure,
    statistic,
)

_LOOKS = {
    "correlation": (BLUE, "o"),
    "mse": (ORANGE, "s"),
    "peaks": (GREEN, "^"),
    "learned": (RED, "D"),
    "control": (GREY, "x"),
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
_MARKERS = "osv^D<>PX*"
_WAYS = {
    "random": ("two homes at random", "o"),
    "selected_in_group": ("selected within a group of homes", "D"),
    "largest_and_median": ("largest and median home", "s"),
    "selected": ("selected, on data held back", "^"),
    "selected_in_sample": ("selected, in sample", "x"),
}
_PLAYERS = {**_LOOKS, "exact": (PURPLE, "v")}
_ADVERSARIES = labels_of(membership)
_PLAYER_LABELS = {**_ADVERSARIES, **EXACT_LABEL}


def fig3(table: pd.DataFrame, *, almost_zero: float) -> Figure:
    """Advantage against the budget, a panel for each adversary, a line for each n.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_<dataset>``.
    almost_zero : float
        Absolute advantage that counts as almost zero, shaded.
    """
    shown = without_controls(in_order(_ADVERSARIES, table["adversary"]))
    figure, axes = new_figure(1, len(shown), width_in=PAGE_WIDTH_IN, height_in=2.9, sharey=True)
    sizes = sorted(table["n"].unique())
    colours = colormaps["viridis"](np.linspace(0, 0.9, len(sizes)))
    budget = 2.0 if 2.0 in table["epsilon_bits"].unique() else table["epsilon_bits"].min()
    for axis, adversary in zip(axes, shown, strict=True):
        for size, colour, marker in zip(sizes, colours, _MARKERS, strict=False):
            bin_kwh = statistic(table, "bin_kwh", n=size, epsilon_bits=budget)["value"].iloc[0]
            _line(
                axis,
                *(
                    statistic(table, name, adversary=adversary, n=size)
                    for name in ("advantage", "advantage_over_homes")
                ),
                color=colour,
                marker=marker,
                label=f"{size} ({bin_kwh:.3g} kWh)",
            )
        control = statistic(table, "advantage", adversary="control")
        low, high = control["value"].min(), control["value"].max()
        axis.axhspan(low, high, color=RED, alpha=0.35, linewidth=0, label="control")
        axis.axhspan(-almost_zero, almost_zero, color=GREY, alpha=0.2, linewidth=0)
        axis.set(
            title=label(_ADVERSARIES, adversary),
            xlabel=r"privacy budget $\epsilon$ (bits)",
        )
    axes[0].set_ylabel("signed advantage 2 P(correct) $-$ 1")
    games, homes = (int(statistic(table, name)["value"].iloc[0]) for name in ("games", "homes"))
    bars = bars_of(statistic(table, "advantage_over_homes", adversary=shown[0]))
    figure.suptitle(
        f"{homes} homes, {games:,} games for each n; shaded: at most {almost_zero:g}\n{bars}",
        fontsize=7,
    )
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        loc="outside right center",
        title=rf"n (bin at $\epsilon$ = {budget:g})",
        title_fontsize=6.5,
    )
    return figure


def fig3_ranges(
    table: pd.DataFrame, *, almost_zero: float, public_range_kwh: float, main_fuse_kwh: float
) -> Figure:
    """Advantage against the public range; a column for each cell, a row for each rule of levels.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_ranges_<dataset>``.
    almost_zero : float
        See :func:`fig3`.
    public_range_kwh, main_fuse_kwh : float
        Ranges that are marked.
    """
    cells = list(table[["n", "epsilon_bits"]].drop_duplicates().itertuples(index=False))
    rules = list(_CHOICES["quantizer_rule"])
    figure, axes = new_figure(
        len(rules), len(cells), width_in=PAGE_WIDTH_IN, height_in=4.6, sharex=True, sharey=True
    )
    shown = [name for name in in_order(_LOOKS, table["adversary"]) if name != "strongest"]
    looks = looks_of(_LOOKS, without_controls(shown))
    places = [(rule, cell) for rule in rules for cell in cells]
    for axis, (rule, cell) in zip(axes, places, strict=True):
        where = {"quantizer_rule": rule, "n": cell.n, "epsilon_bits": cell.epsilon_bits}
        for name, (colour, marker) in looks.items():
            rows, homes = (
                statistic(table, each, adversary=name, **where).sort_values("range_kwh")
                for each in ("advantage", "advantage_over_homes")
            )
            look = {"color": colour, "marker": marker, "label": label(_PLAYER_LABELS, name)}
            draw_intervals(axis, rows["range_kwh"], rows, homes, **look)
        constant = statistic(table, "constant_share", **where).sort_values("range_kwh")
        axis.plot(
            *(constant["range_kwh"], constant["value"]),
            *("k--",),
            linewidth=0.8,
            label="share of draws with one bin all the time",
        )
        axis.axhspan(-almost_zero, almost_zero, color=GREY, alpha=0.2, linewidth=0)
        for place, style in ((public_range_kwh, "-"), (main_fuse_kwh, ":")):
            axis.axvline(place, color=GREY, linewidth=0.8, linestyle=style)
        start = statistic(table, "almost_zero_from_kwh", **where)["value"].item()
        levels = statistic(table, "levels", **where)["value"].iloc[0]
        axis.set_xscale("log")
        widths = axis.secondary_xaxis(
            "top", functions=(lambda x, q=levels: x / q, lambda x, q=levels: x * q)
        )
        widths.set_xlabel("width of a bin (kWh a day)", fontsize=6)
        widths.tick_params(labelsize=5.5)
        found = f"from {start:g} kWh on" if math.isfinite(start) else "at none of these ranges"
        axis.set_title(
            rf"n = {cell.n:g}, $\epsilon$ = {cell.epsilon_bits:g}, "
            f"{_CHOICES['quantizer_rule'][rule]} = {levels:g}\nalmost zero {found}"
        )
    for axis in axes[-len(cells) :]:
        axis.set_xlabel("public range of a day's reading, up to (kWh)")
    for axis in axes[:: len(cells)]:
        axis.set_ylabel("signed advantage; share")
    games = int(statistic(table, "games")["value"].iloc[0])
    figure.suptitle(
        f"{games:,} games; {BARS}; shaded: at most {almost_zero:g}\n"
        f"vertical lines: {public_range_kwh:g} kWh (ten days of a typical home), "
        f"{main_fuse_kwh:g} kWh (main fuse)",
        fontsize=7,
    )
    figure.legend(*axes[-1].get_legend_handles_labels(), loc="outside right center")
    return figure


def fig3_pairs(pairs: pd.DataFrame, homes: pd.DataFrame, *, range_kwh: float) -> Figure:
    """How the two homes are come by; the risk of each home; and more and more reports.

    Parameters
    ----------
    pairs, homes : DataFrame
        Tables ``membership_pairs_<dataset>`` and ``membership_homes_<dataset>`` of ``noiseless``.
    range_kwh : float
        The public range that is shown.
    """
    pairs, homes = (each[each["range_kwh"] == range_kwh] for each in (pairs, homes))
    cells = list(pairs[["n", "epsilon_bits"]].drop_duplicates().itertuples(index=False))
    names = without_controls(in_order(_PLAYERS, set(pairs["adversary"]) - {"any"}))
    looks = looks_of(_PLAYERS, names)
    longest = pairs["days"].max()
    figure, axes = new_figure(3, len(cells), width_in=PAGE_WIDTH_IN, height_in=6.6, sharey="row")
    ways, risks, reports = (axes[k * len(cells) : (k + 1) * len(cells)] for k in range(3))
    for axis, cell in zip(ways, cells, strict=True):
        where = {"n": cell.n, "epsilon_bits": cell.epsilon_bits}
        bits = statistic(pairs, "composed_bits", days=longest, **where)["value"].item()
        mine = pairs[(pairs["days"] == longest) & (pairs["n"] == cell.n)]
        mine = mine[mine["epsilon_bits"] == cell.epsilon_bits]
        for step, (way, (text, marker)) in enumerate(_WAYS.items()):
            axis.plot([], [], marker, markersize=2.8, color=BLACK, label=text)
            for place, (name, (colour, _)) in enumerate(looks.items()):
                found = mine[(mine["choice"] == way) & (mine["adversary"] == name)]
                games, over = (
                    statistic(found, each) for each in ("advantage", "advantage_over_homes")
                )
                if games.empty:
                    games = over.assign(low=np.nan, high=np.nan)
                look = {"color": colour, "marker": marker, "linestyle": ""}
                draw_intervals(
                    axis, place + 0.14 * (np.full(len(games), step) - 2), games, over, **look
                )
        axis.set_xticks([])
        axis.set_title(
            rf"n = {cell.n:g}, $\epsilon$ = {cell.epsilon_bits:g}"
            f"\n{longest:g} reports: {bits:g} bits"
        )
    for axis, cell in zip(risks, cells, strict=True):
        for name, (colour, _) in looks.items():
            for partner, style in (("random", "-"), ("selected", "--")):
                rows = statistic(
                    *(homes, "risk"),
                    **{"adversary": name, "partner": partner},
                    **{"n": cell.n, "epsilon_bits": cell.epsilon_bits},
                )
                text = label(_PLAYER_LABELS, name) if partner == "random" else None
                axis.plot(
                    rows["quantile"], rows["value"], style, color=colour, linewidth=1, label=text
                )
        axis.set_xlabel("share of homes at less risk")
    for axis, cell in zip(reports, cells, strict=True):
        where = {"n": cell.n, "epsilon_bits": cell.epsilon_bits}
        days = np.sort(pairs["days"].unique())
        for name, (colour, marker) in looks.items():
            for way, style in (("random", "-"), ("selected", "--")):
                rows = statistic(pairs, "advantage", adversary=name, choice=way, **where)
                rows = rows.sort_values("days")
                look = {"color": colour, "marker": marker, "linestyle": style}
                draw_intervals(axis, np.arange(len(days)), rows, rows.iloc[:0], **look)
        axis.set_xticks(range(len(days)), [f"{t:g}\n{t * cell.epsilon_bits:g} bits" for t in days])
        axis.set_xlabel("daily reports, and their budget")
    for axis, text in zip(
        (ways[0], risks[0], reports[0]), ("advantage", "risk of a home", "advantage"), strict=True
    ):
        axis.set_ylabel(text)
    for axis in axes:
        axis.axhline(0, color=BLACK, linewidth=0.4)
    known, draws = (
        int(statistic(pairs, each)["value"].iloc[0]) for each in ("candidates", "draws")
    )
    group = statistic(pairs, "group_homes")["value"].iloc[0]
    size = f"; groups of {group:g} homes and more" if math.isfinite(group) else ""
    figure.suptitle(
        f"range up to {range_kwh:g} kWh a day; all pairs of {known} homes, {draws} draws of the "
        f"others{size}\n{BARS}; "
        "solid: partner at random, dashed: selected on data held back",
        fontsize=7,
    )
    found = [axis.get_legend_handles_labels() for axis in (ways[0], risks[0])]
    handles, texts = ([item for each in found for item in each[k]] for k in range(2))
    figure.legend(handles, texts, loc="outside right center")
    return figure


def fig3_choices(table: pd.DataFrame, *, almost_zero: float) -> Figure:
    """Largest absolute advantage of the three adversaries, one point per combination of choices.

    The bars are those of the adversary that has it.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_choices_<dataset>``.
    almost_zero : float
        See :func:`fig3`.
    """
    largest = statistic(table, "largest_absolute_advantage")
    holds = statistic(table, "almost_zero")
    cells = largest[["n", "epsilon_bits"]].drop_duplicates().itertuples(index=False)
    cells = list(cells)
    figure, axes = new_figure(
        1, len(cells), width_in=PAGE_WIDTH_IN, height_in=3.3, sharey=True, sharex=True
    )
    # A choice that the data leaves no alternative to is no choice.
    values = [
        (column, value)
        for column, names in _CHOICES.items()
        for value in names
        if len(largest[column].unique()) > 1 and (largest[column] == value).any()
    ]
    for axis, cell in zip(axes, cells, strict=True):
        mine = largest[(largest["n"] == cell.n) & (largest["epsilon_bits"] == cell.epsilon_bits)]
        kept = holds[(holds["n"] == cell.n) & (holds["epsilon_bits"] == cell.epsilon_bits)]
        for place, (column, value) in enumerate(values):
            points = mine[mine[column] == value]
            ok = kept.loc[kept[column] == value, "value"].to_numpy() == 1
            # Spread in the order of the table, so that points do not hide each other.
            height = place + np.linspace(-0.28, 0.28, len(points))
            games, homes = (
                _of_strongest(table, points, name) for name in ("advantage", "advantage_over_homes")
            )
            for chosen, colour, marker in ((ok, GREEN, "o"), (~ok, PURPLE, "v")):
                look = {"color": colour, "marker": marker, "linestyle": "", "markersize": 2.6}
                shown = games[chosen], homes[chosen]
                draw_intervals(axis, height[chosen], *shown, is_horizontal=True, **look)
            axis.text(
                1.0,
                place,
                f" {ok.sum()}/{len(ok)}",
                transform=axis.get_yaxis_transform(),
                va="center",
                fontsize=6,
            )
        axis.axvspan(0, almost_zero, color=GREY, alpha=0.2, linewidth=0)
        changes = [k for k in range(1, len(values)) if values[k][0] != values[k - 1][0]]
        for change in changes:
            axis.axhline(change - 0.5, color=GREY, linewidth=0.4)
        total = int(kept["value"].sum())
        axis.set(
            title=rf"n = {cell.n:g}, $\epsilon$ = {cell.epsilon_bits:g}: "
            f"almost zero in {total} of {len(kept)} combinations",
            xlabel="largest |advantage| of the three adversaries",
            ylim=(len(values) - 0.5, -0.5),
        )
    games = int(statistic(table, "games")["value"].iloc[0])
    figure.suptitle(
        f"{games:,} games for each point; circles: none beyond {almost_zero:g} (shaded); "
        "at the right, how many\n"
        f"{bars_of(statistic(table, 'advantage_over_homes'))}",
        fontsize=7,
    )
    axes[0].set_yticks(range(len(values)), [_CHOICES[column][value] for column, value in values])
    return figure


def _of_strongest(table: pd.DataFrame, points: pd.DataFrame, name: str) -> pd.DataFrame:
    """The absolute advantage of the strongest of the paper's three at each point, with its ends.

    Parameters
    ----------
    table : DataFrame
        See :func:`fig3_choices`.
    points : DataFrame
        Rows of ``largest_absolute_advantage``.
    name : str
        ``advantage`` or ``advantage_over_homes``.
    """
    choice = ["n", "epsilon_bits", *_CHOICES]
    found = statistic(table, name)
    found = found[found["adversary"].isin(PAPERS_ADVERSARIES)]
    found = found.loc[found["value"].abs().groupby([found[each] for each in choice]).idxmax()]
    ends = found[["value", "low", "high"]].mul(np.where(found["value"] < 0, -1, 1), axis=0)
    # Who is mostly wrong turns round, and so do the ends.
    found = found.assign(
        value=ends["value"],
        low=ends[["low", "high"]].min(axis=1, skipna=False),
        high=ends[["low", "high"]].max(axis=1, skipna=False),
    )
    return points[choice].merge(found, on=choice, how="left", validate="one_to_one")


def fig3_learned(table: pd.DataFrame) -> Figure:
    """The learned adversary beside the others on the same games, a panel for each n.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_learned_<dataset>``.
    """
    sizes = sorted(table["n"].unique())
    columns = min(4, len(sizes))
    looks = looks_of(_LOOKS, in_order(_LOOKS, table["adversary"]))
    rows = math.ceil(len(sizes) / columns)
    figure, axes = new_figure(
        rows, columns, width_in=PAGE_WIDTH_IN, height_in=0.9 + 1.6 * rows, sharey=True
    )
    for axis, size in zip(axes, sizes, strict=False):
        for name, (colour, marker) in looks.items():
            _line(
                axis,
                *(
                    statistic(table, each, adversary=name, n=size)
                    for each in ("advantage", "advantage_over_homes")
                ),
                color=colour,
                marker=marker,
                label=label(_ADVERSARIES, name),
            )
        axis.axhline(0, color=BLACK, linewidth=0.4)
        axis.set_title(f"n = {size}")
    for axis in axes[len(sizes) :]:
        axis.set_visible(False)
    for axis in axes[max(0, len(sizes) - columns) : len(sizes)]:
        axis.set_xlabel(r"privacy budget $\epsilon$ (bits)")
    for axis in axes[::columns]:
        axis.set_ylabel("signed advantage")
    games, homes = (int(statistic(table, name)["value"].iloc[0]) for name in ("games", "homes"))
    figure.suptitle(
        f"{games:,} games for each n between {homes} homes that training has not seen\n"
        + bars_of(statistic(table, "advantage_over_homes")),
        fontsize=7,
    )
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center")
    return figure


def _line(axis: Axes, rows: pd.DataFrame, homes: pd.DataFrame, **look: object) -> None:
    """Advantage with intervals along epsilon; the exact mean stands apart, at the right."""
    budgets = np.sort(rows["epsilon_bits"].to_numpy())
    finite = budgets[np.isfinite(budgets)]
    gap = max(1.0, np.ptp(finite) / 6) if len(finite) > 1 else 1.0
    right = finite[-1] + gap
    rows, homes = rows.sort_values("epsilon_bits"), homes.sort_values("epsilon_bits")
    exact = ~np.isfinite(rows["epsilon_bits"].to_numpy())
    place = np.where(exact, right, rows["epsilon_bits"])
    draw_intervals(axis, place[~exact], rows[~exact], homes[~exact], **look)
    draw_intervals(axis, place[exact], rows[exact], homes[exact], **{**look, "label": None})
    axis.axvline(right - gap / 2, color=GREY, linewidth=0.5, linestyle=":")
    axis.set_xticks([*finite, right], [*(f"{each:g}" for each in finite), "exact\nmean"])
