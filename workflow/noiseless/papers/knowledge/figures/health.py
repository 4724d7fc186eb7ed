"""Figure of the certified losses of the health regressions (``knowledge``, Appendix E)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures import style


def plot_health(losses: pd.DataFrame, spent: pd.DataFrame, *, epsilon_nats: float) -> Figure:
    """Plot the certified loss (nats) of each possible answer to the four health regressions.

    Parameters
    ----------
    losses : DataFrame
        Table ``knowledge/health_losses``.
    spent : DataFrame
        Table ``knowledge/health_spent``.
    epsilon_nats : float
        Guarantee of each regression, in nats.
    """
    figure, (axis,) = style.create_figure(height_in=3.2)
    loss = style.select_statistic(losses, "loss").sort_values("value")
    axis.barh(np.arange(len(loss)), loss["value"], color=style.BLUE, height=0.7)
    axis.set_yticks(np.arange(len(loss)), loss["answer"])
    budget_nats = 4 * epsilon_nats
    axis.axvline(budget_nats, color=style.BLACK, linestyle="--", label="basic composition")
    share = style.get_value(spent, "median_share", basis="answers")
    label = f"median of the answers, {share:.1%}"
    axis.axvline(share * budget_nats, color=style.RED, linestyle=":", label=label)
    axis.set(
        xlabel="realized privacy loss (nats)", ylabel="answer: heart-stroke-diabetes-sleep (h)"
    )
    figure.legend(loc="outside upper center", ncols=2)
    return figure
