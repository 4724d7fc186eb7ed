"""Figure 3 of Farokhi, "Noiseless Privacy": the membership game."""

import math

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.figures.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PAGE_WIDTH_IN,
    PURPLE,
    RED,
    looks_of,
    new_figure,
    statistic,
)
from noiseless.labels import MEMBERSHIP_ADVERSARIES, in_order, label, without_controls
from noiseless.statistics import over

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
        "maximum": "range: to the maximum",
        "percentile_99.9": "range: to the 99.9th percentile",
        "round": "range: to a round number",
    },
    "resolution": {"days": "readings: days", "half-hours": "readings: half-hours"},
    "period": {"year": "period: one year", "week": "period: one week"},
    "peaks": {"strict": "peaks: strict", "tolerant": "peaks: tolerant"},
}
_MARKERS = "osv^D<>PX*"


def fig3(table: pd.DataFrame, *, almost_zero: float) -> Figure:
    """Advantage against the budget, a panel for each adversary, a line for each n.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_<dataset>``.
    almost_zero : float
        Absolute advantage that counts as almost zero, shaded.
    """
    shown = without_controls(in_order(MEMBERSHIP_ADVERSARIES, table["adversary"]))
    figure, axes = new_figure(1, len(shown), width_in=PAGE_WIDTH_IN, height_in=2.9, sharey=True)
    sizes = sorted(table["n"].unique())
    colours = colormaps["viridis"](np.linspace(0, 0.9, len(sizes)))
    for axis, adversary in zip(axes, shown, strict=True):
        for size, colour, marker in zip(sizes, colours, _MARKERS, strict=False):
            rows = statistic(table, "advantage", adversary=adversary, n=size)
            _line(axis, rows, color=colour, marker=marker, label=f"n = {size}")
        control = statistic(table, "advantage", adversary="control")
        low, high = control["value"].min(), control["value"].max()
        axis.axhspan(low, high, color=RED, alpha=0.35, linewidth=0, label="control")
        axis.axhspan(-almost_zero, almost_zero, color=GREY, alpha=0.2, linewidth=0)
        axis.set(
            title=label(MEMBERSHIP_ADVERSARIES, adversary),
            xlabel=r"privacy budget $\epsilon$ (bits)",
        )
    axes[0].set_ylabel("signed advantage 2 P(correct) $-$ 1")
    games, homes = (int(statistic(table, name)["value"].iloc[0]) for name in ("games", "homes"))
    figure.suptitle(
        f"{homes} homes, {games:,} games for each n; bars: 95 % intervals over {over(table)}; "
        f"shaded: at most {almost_zero:g}",
        fontsize=7,
    )
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center")
    return figure


def fig3_choices(table: pd.DataFrame, *, almost_zero: float) -> Figure:
    """Largest absolute advantage of the three adversaries, one point per combination of choices.

    Parameters
    ----------
    table : DataFrame
        Table ``noiseless/membership_choices_<dataset>``.
    almost_zero : float
        As for :func:`fig3`.
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
            for chosen, colour, marker in ((ok, GREEN, "o"), (~ok, PURPLE, "v")):
                axis.plot(
                    points["value"].to_numpy()[chosen],
                    height[chosen],
                    marker,
                    markersize=2.6,
                    color=colour,
                )
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
        "at the right, how many",
        fontsize=7,
    )
    axes[0].set_yticks(range(len(values)), [_CHOICES[column][value] for column, value in values])
    return figure


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
            chosen = statistic(table, "advantage", adversary=name, n=size)
            _line(
                axis,
                chosen,
                color=colour,
                marker=marker,
                label=label(MEMBERSHIP_ADVERSARIES, name),
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
        f"{games:,} games for each n between {homes} homes that training has not seen; "
        f"bars: 95 % intervals over {over(table)}",
        fontsize=7,
    )
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center")
    return figure


def _line(axis: Axes, rows: pd.DataFrame, **look: object) -> None:
    """Advantage with intervals along epsilon; the exact mean stands apart, at the right."""
    budgets = np.sort(rows["epsilon_bits"].to_numpy())
    finite = budgets[np.isfinite(budgets)]
    gap = max(1.0, np.ptp(finite) / 6) if len(finite) > 1 else 1.0
    right = finite[-1] + gap
    rows = rows.sort_values("epsilon_bits")
    place = np.where(np.isfinite(rows["epsilon_bits"]), rows["epsilon_bits"], right)
    value = rows["value"].to_numpy()
    bars = np.abs(rows[["low", "high"]].to_numpy().T - value)
    exact = ~np.isfinite(rows["epsilon_bits"].to_numpy())
    style = {"markersize": 2.8, "linewidth": 0.9, "elinewidth": 0.6}
    axis.errorbar(place[~exact], value[~exact], bars[:, ~exact], **style, **look)
    axis.errorbar(place[exact], value[exact], bars[:, exact], **style, **{**look, "label": None})
    axis.axvline(right - gap / 2, color=GREY, linewidth=0.5, linestyle=":")
    axis.set_xticks([*finite, right], [*(f"{each:g}" for each in finite), "exact\nmean"])
