"""Figure 6 of ``nsht``: bounds of leakage by a privacy budget."""

import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures.style import (
    BLUE,
    GREY,
    ORANGE,
    PRINTED_LABEL,
    create_figure,
    select_statistic,
)


def plot_fig6(bound: pd.DataFrame) -> Figure:
    """Plot the upper bounds of the hypothesis' leakage (nats) against the privacy budget."""
    figure, (axis,) = create_figure()
    lines = {
        "corrected": (BLUE, "-", r"attained, Priv $=\log(1+\epsilon)$"),
        "printed": (GREY, "--", f"{PRINTED_LABEL}; attained,\nPriv $=\\epsilon$"),
        "appendix": (ORANGE, ":", "as its proof ends"),
    }
    for name, (color, dashes, label) in lines.items():
        values = select_statistic(bound, name)
        axis.semilogx("epsilon", "value", dashes, data=values, color=color, label=label)
    axis.set(
        xlabel=r"privacy budget $\epsilon$ (more is more private)",
        ylabel=r"bound of $L_0(Y;H)$ (nats)",
        ylim=(0, None),
    )
    axis.legend()
    return figure
