"""The largest epsilon that keeps a bound of the F-score (``prrelation``, Table 1)."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.accounting.labels import RISK_MECHANISMS
from noiseless.figures.style import BLACK, BLUE, GREEN, PAGE_WIDTH_IN, RED, new_figure, statistic
from noiseless.mechanisms.labels import CALIBRATIONS
from noiseless.papers.prrelation.figures.curves import KNOWLEDGE_STYLES, KNOWLEDGE_SYMBOLS

_MECHANISMS = {
    "laplace": (BLACK, "-"),
    "gaussian_classical": (BLUE, "-"),
    "gaussian_analytic": (GREEN, "--"),
}


def choice(choice: pd.DataFrame) -> Figure:
    """The largest epsilon, and the least noise, that keeps a bound of the F1-score.

    Parameters
    ----------
    choice : DataFrame
        Table ``prrelation/choice``.
    """
    figure, (left, middle, right) = new_figure(1, 3, width_in=PAGE_WIDTH_IN, height_in=2.7)
    for name, (color, dashes) in KNOWLEDGE_STYLES.items():
        where = {"mechanism": "laplace", "knowledge": name, "beta": 1.0}
        chosen = statistic(choice, "epsilon_nats", **where)
        look: dict[str, Any] = {"color": color, "label": f"knows {KNOWLEDGE_SYMBOLS[name]}"}
        left.plot(chosen["f_score"], chosen["value"], dashes, **look)
        floor = statistic(choice, "floor", **where)["value"].iloc[0]
        # Below the curve's beginning, where no legend is.
        left.plot([floor, floor], [0, chosen["value"].min()], color=color, linewidth=0.5)
    left.set(
        xlabel="bound of $F_1$\n(left of its thin line: no $\\epsilon$ keeps it)",
        ylim=(0, None),
        ylabel=r"largest $\epsilon$",
        title="Laplace",
    )
    left.legend()
    for name, (color, dashes) in _MECHANISMS.items():
        label = CALIBRATIONS[name]
        where = {"mechanism": name, "knowledge": "none", "beta": 1.0}
        chosen, noise = (statistic(choice, each, **where) for each in ("epsilon_nats", "noise"))
        middle.plot(chosen["f_score"], chosen["value"], dashes, color=color, label=label)
        # The scale of Laplace noise is not its standard deviation.
        width = np.sqrt(2) if name == "laplace" else 1.0
        right.plot(noise["f_score"], width * noise["value"], dashes, color=color, label=label)
    middle.set(xlabel="bound of $F_1$", ylabel=r"largest $\epsilon$", title="no side knowledge")
    middle.legend()
    right.set(
        xlabel="bound of $F_1$",
        ylabel="standard deviation of the noise\n(in sensitivities of the query)",
        title="no side knowledge",
        ylim=(0, None),
    )
    right.legend()
    return figure


_COUNT_STYLES = ("-", "--", ":")
_NOISE_COLORS = {"laplace": BLACK, "gaussian_analytic": GREEN, "any": RED}


def meaning(meaning: pd.DataFrame) -> Figure:
    """Belief afterwards, and who is found, against the epsilon of each of several answers.

    Parameters
    ----------
    meaning : DataFrame
        Table ``prrelation/choice_meaning``.
    """
    figure, (left, right) = new_figure(1, 2, width_in=PAGE_WIDTH_IN, height_in=2.9)
    prior, counts = meaning["prior"].min(), sorted(meaning["answers"].unique())
    for axes, name in ((left, "posterior"), (right, "true_positives")):
        for (mechanism, color), (count, dashes) in itertools.product(
            _NOISE_COLORS.items(), zip(counts, itertools.cycle(_COUNT_STYLES), strict=False)
        ):
            shown = statistic(meaning, name, mechanism=mechanism, answers=count, prior=prior)
            look: dict[str, Any] = {
                "color": color,
                "label": f"{RISK_MECHANISMS[mechanism]}, {count:,}",
            }
            axes.plot(shown["epsilon_nats"], shown["value"], dashes, **look)
        axes.set(xscale="log", xlabel=r"$\epsilon$ of each answer (nats)", ylim=(0, 1.02))
    left.axhline(prior, color=BLACK, linewidth=0.5)
    left.set(
        ylabel="belief after the answers\n(95 of 100 cases)",
        title=f"thin line: belief of {prior:.0%} before",
    )
    right.set(ylabel="share of those there\nwho are found", title="at 1 % false alarms")
    lines, title = left.get_legend_handles_labels(), "noise, number of answers"
    figure.legend(*lines, loc="outside upper center", ncols=3, title=title)
    return figure
