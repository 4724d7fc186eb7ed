"""Figure of ``prrelation``: what other odds do to the best F-score, and what knowing is worth."""

import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures.style import BLACK, BLUE, ORANGE, new_figure, statistic

_CURVES = {
    "even": (BLACK, ":", "even odds"),
    "uninformed": (BLUE, "--", "other odds, taken for even"),
    "informed": (ORANGE, "-", "other odds, known"),
}
_PANELS = {"likelier": "looks for the likelier value", "rarer": "looks for the rarer value"}


def worth(table: pd.DataFrame) -> Figure:
    """Best F1 at even odds, and at those of all three coefficients, known and not known.

    Parameters
    ----------
    table : DataFrame
        Table ``prrelation/knowledge_worth``.
    """
    figure, axes = new_figure(1, 2, height_in=2.6, sharey=True)
    for axis, (sensitive, title) in zip(axes, _PANELS.items(), strict=True):
        for name, (color, dashes, words) in _CURVES.items():
            rows = statistic(table, name, knowledge="time", sensitive=sensitive, beta=1)
            axis.plot("epsilon_nats", "value", dashes, data=rows, color=color, label=words)
        axis.set(xscale="log", xlabel="ε (nats)", title=f"adversary {title}")
    axes[0].set_ylabel("best F1")
    axes[0].legend()
    return figure
