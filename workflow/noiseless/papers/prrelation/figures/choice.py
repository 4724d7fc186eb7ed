"""Figures of the choice of epsilon and of its risks (``prrelation``, Table 1, and beyond)."""

import itertools

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.accounting.labels import RISK_MECHANISMS
from noiseless.figures import style
from noiseless.mechanisms.labels import CALIBRATIONS
from noiseless.papers.prrelation.figures.curves import KNOWLEDGE_STYLES, KNOWLEDGE_SYMBOLS

_MECHANISMS = {
    "laplace": (style.BLACK, "-"),
    "gaussian_classical": (style.BLUE, "-"),
    "gaussian_analytic": (style.GREEN, "--"),
}
_BOUND = "bound on the adversary's best $F_1$"
_LARGEST = r"largest $\epsilon$ that keeps the bound (nats)"


def plot_choice(choice: pd.DataFrame, printed: pd.DataFrame) -> Figure:
    """Plot the largest epsilon and the smallest noise that keep a bound of the F1-score.

    Of Table 1 in ``printed`` those bounds of the F1-score are shown.
    """
    figure, (left, middle, right) = style.create_figure(1, 3, height_in=2.7)
    for name, (color, dashes) in KNOWLEDGE_STYLES.items():
        where = {"mechanism": "laplace", "knowledge": name, "beta": 1.0}
        chosen = style.select_statistic(choice, "epsilon_nats", **where)
        label = f"knows {KNOWLEDGE_SYMBOLS[name]}"
        left.plot("f_score", "value", dashes, data=chosen, color=color, label=label)
        floor = style.get_value(choice, "floor", **where)
        # The thin line ends at the start of the curve, so that it does not cross the legend.
        left.plot([floor, floor], [0, chosen["value"].min()], color=color, linewidth=0.5)
    left.set(
        xlabel=f"{_BOUND}\n(left of its thin line: no $\\epsilon$ keeps it)",
        ylim=(0, None),
        ylabel=_LARGEST,
        title="Laplace noise, by what the adversary knows",
    )
    table_1 = style.select_printed(printed, "prrelation/choice", "epsilon_nats", beta=1.0)
    if len(table_1):
        style.plot_printed(left, table_1["f_score"], table_1["high"])
    left.legend()
    for name, (color, dashes) in _MECHANISMS.items():
        label = CALIBRATIONS[name]
        where = {"mechanism": name, "knowledge": "none", "beta": 1.0}
        chosen, noise = (
            style.select_statistic(choice, each, **where) for each in ("epsilon_nats", "noise")
        )
        middle.plot("f_score", "value", dashes, data=chosen, color=color, label=label)
        # The standard deviation of Laplace noise is its scale times the root of 2.
        width = np.sqrt(2) if name == "laplace" else 1.0
        right.plot(noise["f_score"], width * noise["value"], dashes, color=color, label=label)
    middle.set(xlabel=_BOUND, ylabel=_LARGEST, title="knows nothing, by the noise")
    middle.legend()
    right.set(
        xlabel=_BOUND,
        ylabel="standard deviation of the noise\n(in sensitivities of the query)",
        title=r"the noise at that $\epsilon$",
        ylim=(0, None),
    )
    right.legend()
    return figure


_COUNT_STYLES = ("-", "--", ":")
_NOISE_COLORS = {"laplace": style.BLACK, "gaussian_analytic": style.GREEN, "any": style.RED}


def plot_meaning(meaning: pd.DataFrame) -> Figure:
    """Plot belief and true positive rate after several answers against the epsilon of each."""
    figure, (left, right) = style.create_figure(1, 2, height_in=2.9)
    prior, counts = meaning["prior"].min(), sorted(meaning["answers"].unique())
    for axis, name in ((left, "posterior"), (right, "true_positives")):
        for (mechanism, color), (count, dashes) in itertools.product(
            _NOISE_COLORS.items(), zip(counts, itertools.cycle(_COUNT_STYLES))
        ):
            shown = style.select_statistic(
                meaning, name, mechanism=mechanism, answers=count, prior=prior
            )
            label = f"{RISK_MECHANISMS[mechanism]}, {count:,}"
            axis.plot("epsilon_nats", "value", dashes, data=shown, color=color, label=label)
        axis.set(xscale="log", xlabel=r"$\epsilon$ of each answer (nats)", ylim=(0, 1.02))
    left.axhline(prior, color=style.BLACK, linewidth=0.5)
    left.set(
        ylabel="belief after the answers\n(95 of 100 cases)",
        title=f"thin line: belief of {100 * prior:g} % before",
    )
    right.set(ylabel="share of those there\nwho are found", title="at 1 % false alarms")
    title = "noise, number of answers"
    style.add_outside_legend(figure, [left, right], "upper center", title=title, ncols=3)
    return figure
