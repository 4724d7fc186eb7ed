"""Certified losses of the health regressions (``knowledge``, Appendix E)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures.style import BLACK, BLUE, RED, new_figure, statistic


def health(losses: pd.DataFrame, spent: pd.DataFrame, *, epsilon_nats: float) -> Figure:
    """Certified loss of each possible answer to the four health regressions.

    Parameters
    ----------
    losses : DataFrame
        Table ``knowledge/health_losses``.
    spent : DataFrame
        Table ``knowledge/health_spent``.
    epsilon_nats : float
        Guarantee of each regression.
    """
    figure, (axis,) = new_figure(height_in=3.2)
    loss = statistic(losses, "loss").sort_values("value")
    axis.barh(np.arange(len(loss)), loss["value"], color=BLUE, height=0.7)
    axis.set_yticks(np.arange(len(loss)), loss["answer"])
    budget_nats = 4 * epsilon_nats
    axis.axvline(budget_nats, color=BLACK, linestyle="--", label="basic composition")
    share = statistic(spent, "median_share", basis="answers")["value"].item()
    axis.axvline(
        share * budget_nats, color=RED, linestyle=":", label=f"median of the answers, {share:.1%}"
    )
    axis.set(
        xlabel="realized privacy loss (nats)", ylabel="answer: heart-stroke-diabetes-sleep (h)"
    )
    figure.legend(loc="outside upper center", ncols=2)
    return figure
