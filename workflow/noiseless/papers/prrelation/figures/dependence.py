"""Figure of ``prrelation``: what dependence between records does to an epsilon."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.figures.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RED,
    add_outside_legend,
    create_figure,
    get_value,
    select_statistic,
)
from noiseless.papers.prrelation.dependence import BOUND, BUDGET_NATS, RECORDS

_CHAIN = {
    "law": (BLUE, "-", "knows the law; a noisy count"),
    "worst": (BLACK, "--", "knows the law; the worst mechanism"),
    "others": (GREEN, "-", "is told all others, too; a noisy count"),
    "printed": (RED, "-.", "Equation 21 of the paper"),
}
_SHADES = (ORANGE, BLUE, PURPLE)


def plot_dependence(table: pd.DataFrame) -> Figure:
    """Plot best F1 and largest epsilon in a chain and in households, and an epsilon's worth."""
    figure, (score, epsilon, household, worth) = create_figure(2, 2, height_in=4.6)
    for axis, panel in ((score, "f_score"), (epsilon, "epsilon")):
        for line, (color, dashes, words) in _CHAIN.items():
            _plot_line(axis, table, panel, line, dashes, color=color, label=words)
        axis.set_xlabel("correlation of neighbours r")
    alone = get_value(table, "value", panel="f_score", line="law", x=0.0)
    score.axhline(alone, color=GREY, ls=":", label="independent records")
    score.set(ylabel=f"best F1 at ε = {BUDGET_NATS}", title=f"(a) one of {RECORDS} hours")
    stranger = get_value(table, "value", panel="epsilon", line="printed", x=0.0)
    epsilon.axhline(stranger, color=GREY, ls=":")
    epsilon.set(title=f"(b) one of {RECORDS} hours")
    household.set(title="(c) one of a household")
    household.set_xlabel("probability that all are alike, and else independent")
    score.set_yticks([0.7, 0.8, 0.9, 1.0])
    for axis in (score, epsilon, household):
        axis.set(xlim=(-0.03, 1.03), xticks=[0, 0.2, 0.4, 0.6, 0.8, 1])
    for axis in (epsilon, household):
        axis.set_ylim(0.07, 10)
        axis.set(ylabel=f"largest ε with F1 ≤ {BOUND}", yscale="log")
        axis.set_yticks([0.1, 0.2, 0.5, 1, 2, 5, 10], ["0.1", "0.2", "0.5", "1", "2", "5", "10"])
        axis.minorticks_off()
    for axis, panel, words in (
        (household, "household", "{} people"),
        (worth, "worth", "r = {}"),
    ):
        lines = table[table["panel"] == panel]["line"].unique()
        for color, line in zip(_SHADES, lines, strict=True):
            _plot_line(axis, table, panel, line, "-", color=color, label=words.format(line))
        axis.legend()
    for color, line in zip(_SHADES, table[table["panel"] == "worth"]["line"].unique(), strict=True):
        worth.axhline((1 + float(line)) / (1 - float(line)), color=color, ls=":")
    worth.set(
        xscale="log", yscale="log", xlabel="ε (nats)", title="(d) the middle one of 101 hours"
    )
    worth.set_ylabel("change of log-odds / ε")
    worth.set_xticks([0.01, 0.1, 1, 10], ["0.01", "0.1", "1", "10"])
    worth.set_yticks([1, 2, 5, 10, 20, 40], ["1", "2", "5", "10", "20", "40"])
    worth.minorticks_off()
    add_outside_legend(figure, [score], "upper center", ncols=3)
    return figure


def _plot_line(
    axis: Axes, table: pd.DataFrame, panel: str, line: str, dashes: str, **look: Any
) -> None:
    """Plot one line of a panel; it ends where it has no value."""
    rows = select_statistic(table, "value", panel=panel, line=line).sort_values("x")
    axis.plot("x", "value", dashes, data=rows, **look)
