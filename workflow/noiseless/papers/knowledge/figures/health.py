"""Figure of the certified losses of the health regressions (``knowledge``, Appendix E)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures import style

_QUESTIONS = ("heart disease", "stroke", "diabetes", "sleep 12 h")


def plot_health(
    losses: pd.DataFrame, spent: pd.DataFrame, printed: pd.DataFrame, *, epsilon_nats: float
) -> Figure:
    """Plot the certified loss (nats) of each possible answer to the four health regressions.

    The dots at the left say what an answer is: filled for yes, hollow for no.
    """
    figure, (answers, axis) = style.create_figure(
        1,
        2,
        width_in=style.COLUMN_WIDTH_IN,
        height_in=3.6,
        sharey=True,
        width_ratios=[1, 3],
    )
    loss = style.select_statistic(losses, "loss").sort_values("value")
    rows = np.arange(len(loss))
    for column in range(len(_QUESTIONS)):
        is_yes = np.array([each.split("-")[column] != "0" for each in loss["answer"]])
        for chosen, fill in ((is_yes, style.BLACK), (~is_yes, "white")):
            look: dict[str, Any] = {
                "markersize": 3.5,
                "markeredgecolor": style.BLACK,
                "markeredgewidth": 0.5,
            }
            place = np.full(chosen.sum(), column)
            answers.plot(place, rows[chosen], "o", markerfacecolor=fill, **look)
    answers.set_xticks(range(len(_QUESTIONS)), _QUESTIONS, rotation=90)
    answers.set(xlim=(-0.6, len(_QUESTIONS) - 0.4), ylabel="answers: filled yes, hollow no")
    answers.set_yticks([])
    answers.spines[["left", "bottom"]].set_visible(False)
    answers.tick_params(length=0)
    axis.tick_params(length=0, axis="y")
    axis.barh(rows, loss["value"], color=style.BLUE, height=0.7)
    numbers = style.select_printed(printed, "knowledge/health_losses", "loss")
    if "answer" in numbers:
        by_answer = numbers.dropna(subset="answer").set_index("answer")["high"]
        style.plot_printed(axis, by_answer.reindex(loss["answer"]), rows)
    budget_nats = 4 * epsilon_nats
    axis.axvline(budget_nats, color=style.BLACK, linestyle="--", label="basic composition")
    share = style.get_value(spent, "median_share", basis="answers")
    axis.axvline(share * budget_nats, color=style.RED, linestyle=":", label="median of the answers")
    axis.set(xlabel="realized privacy loss (nats)", xlim=(0, None))
    style.add_outside_legend(figure, [axis], "upper center", ncols=2)
    return figure
