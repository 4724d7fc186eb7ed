"""Figure of accepted queries by reading of Appendix C (``knowledge``, Figures 1b and 1d)."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures import style
from noiseless.papers.knowledge.figures.composition import plot_medians

_READINGS = {
    "none": ("no groups", style.ORANGE, "-"),
    "maximum": ("maximum in groups (Eq. 26)", style.BLUE, "-"),
    "minimum": ("minimum in groups", style.GREEN, "--"),
    "both": ("both in groups", style.PURPLE, "-"),
}


# The paper's medians at the largest budget (Sections 6.1 and 6.2).
PRINTED = {"linear": 47, "logistic": 21}


def plot_grouping(
    accepted: pd.DataFrame, growth: pd.DataFrame, *, printed: Mapping[str, float] = PRINTED
) -> Figure:
    """Plot median accepted queries against the budget (nats), by grouped extreme.

    Parameters
    ----------
    accepted : DataFrame
        Table ``knowledge/grouping_accepted``.
    growth : DataFrame
        Table ``knowledge/grouping_growth``.
    printed : mapping of str to float
        The paper's median at the largest budget, by regression.
    """
    figure, axes = style.create_figure(1, 2, height_in=3.0)
    for axis, (regression, number) in zip(axes, printed.items(), strict=True):
        for grouped, (label, color, line) in _READINGS.items():
            chosen = {"regression": regression, "grouped": grouped, "basis": "certified"}
            median = style.select_statistic(accepted, "median", **chosen)
            ratio = style.get_value(growth, "slope_ratio", **chosen)
            plot_medians(
                axis,
                median,
                "budget_nats",
                color=color,
                linestyle=line,
                marker="o",
                label=f"{label}, slope grows {ratio:.1f}-fold",
            )
        budget_nats = accepted["budget_nats"].max()
        axis.plot([budget_nats], [number], "*", color=style.BLACK, markersize=9, label="printed")
        axis.set(
            title=f"{regression} regressions",
            xlabel="privacy budget $\\epsilon_g$ (nats)",
            ylabel="accepted queries (median)",
            ylim=(0, None),
        )
        axis.legend()
    return figure
