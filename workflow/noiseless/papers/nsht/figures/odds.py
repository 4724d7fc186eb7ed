"""Figure of odds against change (``nsht``, Section 7, optimal trade-off)."""

import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures import style
from noiseless.figures.style import get_value, select_rows

_NARROW = "odds_narrow"
_LOOKS = {
    "odds": (style.PURPLE, "-", "least change (OddsBlurring)"),
    "slices": (style.ORANGE, "--", "thin slices, by thickness"),
    "overlay": (style.BLUE, "o", "overlay"),
    _NARROW: (style.GREEN, "-.", "least change, band of the printed policy"),
    "stretch": (style.GREEN, "s", "stretch"),
    "collapse": (style.RED, "v", "collapse (as printed)"),
}


def plot_blurring_odds(odds: pd.DataFrame, people: pd.DataFrame) -> Figure:
    """Plot the worst odds behind a report against the mean change (kg): a line, and the survey."""
    figure, (left, right) = style.create_figure(1, 2, height_in=3.2, sharey=True)
    worst = _select_by_setting(odds, "worst_odds")
    for policy, (color, line, label) in _LOOKS.items():
        behind = worst[policy]
        for axis, table in ((left, odds), (right, people)):
            change = _select_by_setting(table, "mean_change_kg")[policy]
            axis.plot(change, behind[change.index], line, color=color, label=label, markersize=4)
    total = int(get_value(people, "people", policy="collapse"))
    left.set(
        yscale="log",
        xlabel="mean change of a protected record (kg), by length",
        ylabel="worst odds behind a report, by length",
        title="a line with room",
    )
    right.set(
        xlabel=f"mean change of all {total} people (kg)",
        title="people of the survey",
    )
    style.add_outside_legend(figure, [left], "upper center", ncols=3)
    return figure


def _select_by_setting(table: pd.DataFrame, statistic: str) -> dict[str, pd.Series]:
    """Select a statistic for each policy, as a Series indexed by the policy's setting."""
    rows = select_rows(table, statistic=statistic)
    return {name: each.set_index("setting")["value"] for name, each in rows.groupby("policy")}
