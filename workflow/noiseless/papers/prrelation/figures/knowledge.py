"""Figure of ``prrelation``: effect of the odds, and of knowing them, on the best F-score."""

import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures.style import BLACK, BLUE, ORANGE, create_figure, select_statistic

_CURVES = {
    "even": (BLACK, ":", "even odds"),
    "uninformed": (BLUE, "--", "other odds, taken for even"),
    "informed": (ORANGE, "-", "other odds, known"),
}
_PANELS = {"likelier": "looks for the likelier value", "rarer": "looks for the rarer value"}


def plot_worth(table: pd.DataFrame) -> Figure:
    """Plot the best F1 at even odds, and at other odds that the adversary does or does not know."""
    figure, axes = create_figure(1, 2, height_in=2.6, sharey=True)
    for axis, (sensitive, title) in zip(axes, _PANELS.items(), strict=True):
        for name, (color, dashes, words) in _CURVES.items():
            rows = select_statistic(table, name, knowledge="time", sensitive=sensitive, beta=1)
            axis.plot("epsilon_nats", "value", dashes, data=rows, color=color, label=words)
        axis.set(xscale="log", xlabel="ε (nats)", title=f"adversary {title}")
    axes[0].set_ylabel("best F1")
    axes[0].legend()
    return figure
