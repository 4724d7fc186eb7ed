"""The largest epsilon that keeps a bound of the F-score (``prrelation``, Table 1)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures.prrelation.curves import KNOWLEDGE_STYLES
from noiseless.figures.style import BLACK, BLUE, GREEN, PAGE_WIDTH_IN, new_figure, statistic
from noiseless.labels import CALIBRATIONS, KNOWLEDGE_SYMBOLS

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
        left.plot(
            chosen["f_score"],
            chosen["value"],
            dashes,
            color=color,
            label=f"knows {KNOWLEDGE_SYMBOLS[name]}",
        )
        floor = statistic(choice, "floor", **where)["value"].iloc[0]
        left.axvline(floor, color=color, linewidth=0.5)
    left.set(
        xlabel="bound of $F_1$\n(left of its thin line: none keeps it)",
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
    middle.set(
        xlabel="bound of $F_1$",
        ylabel=r"largest $\epsilon$",
        title="no side knowledge",
    )
    middle.legend()
    right.set(
        xlabel="bound of $F_1$",
        ylabel="standard deviation of the noise\n(in sensitivities of the query)",
        title="no side knowledge",
        ylim=(0, None),
    )
    right.legend()
    return figure
