"""What k-anonymous data reveal (``deterministic``, Section V)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from noiseless.figures.style import (
    BLACK,
    BLUE,
    GREY,
    PAGE_WIDTH_IN,
    SERIES,
    new_figure,
    statistic,
)


def k_anonymity(release: pd.DataFrame, attack: pd.DataFrame) -> Figure:
    """People whose sensitive answer a k-anonymous release tells exactly, against k.

    A k for which there is no release is a gap, and the figure says so.

    Parameters
    ----------
    release : DataFrame
        Table ``deterministic/k_anonymity``.
    attack : DataFrame
        Table ``deterministic/k_anonymity_homogeneity``.
    """
    figure, (left, right) = new_figure(1, 2, width_in=PAGE_WIDTH_IN, height_in=2.6, sharex=True)
    people = int(statistic(release, "people")["value"].iloc[0])
    for (question, rows), (color, marker) in zip(
        statistic(attack, "revealed").groupby("sensitive", sort=False), SERIES, strict=False
    ):
        answers = int(statistic(attack, "answers", sensitive=question)["value"].iloc[0])
        left.plot(
            rows["k"],
            rows["value"],
            marker=marker,
            markersize=2.5,
            color=color,
            label=f"{question.lower()} ({answers} answers)",
        )
    guarded = statistic(attack, "quantizer_revealed")
    worst = guarded.groupby("k")["value"].agg(lambda values: values.max(skipna=False))
    left.plot(worst.index, worst, ":", color=BLACK, label="any, with the answer quantized")
    left.set(
        xscale="log",
        xlabel="$k$ (people in the smallest class)",
        ylabel=f"people whose answer is certain\n(of {people})",
    )
    left.yaxis.set_major_locator(MaxNLocator(integer=True))
    left.legend()
    for name, color, dashes, label in (
        ("classes", BLUE, "-", "classes"),
        ("excluded", GREY, "--", "people excluded"),
    ):
        values = statistic(release, name)
        right.step(values["k"], values["value"], dashes, where="mid", color=color, label=label)
    right.set(
        xlabel="$k$ (people in the smallest class)",
        ylabel="number of classes, or of people",
        ylim=(0, None),
    )
    classes = statistic(release, "classes")
    gaps = classes.loc[classes["value"].isna(), "k"]
    if len(gaps):
        excluded = statistic(release, "least_excluded_share").set_index("k")["value"]
        right.set_title(
            f"no release for {len(gaps)} of {len(classes)} k, from k = {gaps.min()}:\n"
            f"it would exclude {excluded[gaps.min()]:.0%} or more",
            fontsize="small",
        )
    ticks = [each for each in (2, 5, 10, 20, 50) if each <= np.max(release["k"])]
    right.set_xticks(ticks, [str(each) for each in ticks])
    right.minorticks_off()
    right.legend()
    return figure
