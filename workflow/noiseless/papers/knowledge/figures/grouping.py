"""Figure of accepted queries by reading of Appendix C (``knowledge``, Figures 1b and 1d)."""

import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures import style
from noiseless.papers.knowledge.figures.composition import get_printed_medians

_READINGS = {
    "none": ("no groups", style.ORANGE, "o"),
    "maximum": ("maximum (Eq. 26)", style.BLUE, "s"),
    "minimum": ("minimum", style.GREEN, "^"),
    "both": ("maximum and minimum", style.PURPLE, "v"),
}
_REGRESSIONS = ("linear", "logistic")


def plot_grouping(accepted: pd.DataFrame, growth: pd.DataFrame, printed: pd.DataFrame) -> Figure:
    """Plot median accepted queries at the largest budget, a row for each reading of Appendix C."""
    figure, axes = style.create_figure(2, 1, width_in=style.COLUMN_WIDTH_IN, height_in=3.0)
    budget_nats = accepted["budget_nats"].max()
    rows = list(range(len(_READINGS)))
    for axis, regression in zip(axes, _REGRESSIONS, strict=True):
        for row, (grouped, (_, color, marker)) in zip(rows, _READINGS.items(), strict=True):
            chosen = {"regression": regression, "grouped": grouped, "basis": "certified"}
            median = style.select_statistic(accepted, "median", budget_nats=budget_nats, **chosen)
            style.plot_intervals(
                axis, [row], median, is_horizontal=True, color=color, marker=marker, markersize=4
            )
            ratio = style.get_value(growth, "slope_ratio", **chosen)
            axis.text(1.0, row, f" {ratio:.1f}", transform=axis.get_yaxis_transform(), va="center")
        for number in get_printed_medians(printed, regression):
            axis.axvline(number, color=style.GREY, linewidth=0.8, zorder=0)
            style.plot_printed(axis, [number] * len(rows), rows)
        axis.set(title=f"{regression} regressions", xlim=(0, None), ylim=(len(rows) - 0.5, -0.5))
        axis.set_yticks(rows, [label for label, _, _ in _READINGS.values()])
    axes[0].text(1.0, 1.02, " slope\n grows", transform=axes[0].transAxes, fontsize=6)
    style.add_outside_legend(figure, axes[:1], "upper center")
    axes[1].set_xlabel(rf"median of accepted queries, $\epsilon_g$ = {budget_nats:g} nat")
    figure.supylabel("grouped in Appendix C", fontsize=7)
    style.add_note(
        figure,
        f"bars: {style.CONFIDENCE_TEXT} intervals over runs; "
        "slope: between the two largest budgets, over that between the two smallest",
    )
    return figure
