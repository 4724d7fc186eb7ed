"""Figure of the answers that k-anonymous data reveal (``deterministic``, Section V)."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from noiseless.figures import style


def plot_k_anonymity(release: pd.DataFrame, attack: pd.DataFrame) -> Figure:
    """Plot against k the number of people whose sensitive answer a k-anonymous release reveals.

    A k without a release leaves a gap, which the note states.
    """
    figure, (left, right) = style.create_figure(1, 2, height_in=2.6, sharex=True)
    people = int(style.get_value(release, "people"))
    for (question, rows), (color, marker) in zip(
        style.select_statistic(attack, "revealed").groupby("sensitive", sort=False),
        style.iterate_looks(style.DEFAULT_LOOKS),
        strict=False,
    ):
        answers = int(style.get_value(attack, "answers", sensitive=question))
        look: dict[str, Any] = {"color": color, "marker": marker, "markersize": 2.5}
        name = style.escape_text(question.lower())
        left.plot("k", "value", data=rows, label=f"{name} ({answers} answers)", **look)
    guarded = style.select_statistic(attack, "quantizer_revealed")
    worst = guarded.groupby("k")["value"].agg(lambda values: values.max(skipna=False))
    left.plot(worst.index, worst, ":", color=style.BLACK, label="any, with the answer quantized")
    left.set(xscale="log", ylabel=f"people whose answer is certain\n(of {people})")
    left.yaxis.set_major_locator(MaxNLocator(integer=True))
    for name, color, dashes, label in (
        ("classes", style.BLUE, "-", "classes"),
        ("excluded", style.GREY, "--", "people excluded"),
    ):
        values = style.select_statistic(release, name)
        right.step("k", "value", dashes, data=values, where="mid", color=color, label=label)
    right.set(ylabel="number of classes, or of people", ylim=(0, None))
    classes = style.select_statistic(release, "classes")
    gaps = classes.loc[classes["value"].isna(), "k"]
    if len(gaps):
        excluded = style.get_value(release, "least_excluded_share", k=gaps.min())
        style.add_note(
            figure,
            f"no release for {len(gaps)} of {len(classes)} k, from k = {gaps.min()}: it would "
            f"exclude {excluded:.0%} or more",
        )
    ticks = [each for each in (2, 5, 10, 20, 50) if each <= release["k"].max()]
    right.set_xticks(ticks, [str(each) for each in ticks])
    right.minorticks_off()
    for axis in (left, right):
        axis.set_xlabel("$k$ (people in the smallest class)")
        axis.legend()
    return figure
