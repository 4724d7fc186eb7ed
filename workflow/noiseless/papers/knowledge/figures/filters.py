"""Figure of filters on a stream that goes on after a rejection."""

import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures import style

_STYLES = {
    "basic": (style.BLACK, "s"),
    "simplified": (style.GREEN, "^"),
    "bayesian": (style.BLUE, "o"),
    "safe": (style.ORANGE, "D"),
}


def plot_filters(streams: pd.DataFrame, ordinary: pd.DataFrame) -> Figure:
    """Plot the largest lead of basic composition over a filter, and mean answers by filter."""
    figure, (left, right) = style.create_figure(1, 2, height_in=2.6)
    largest = streams["budget_units"].max()
    leads = style.select_statistic(streams, "lead", budget_units=largest, least_units=1)
    for name in ("bayesian", "safe"):
        color, marker = _STYLES[name]
        chosen = leads[leads["filter"] == name].sort_values("most_units")
        left.plot(
            chosen["most_units"],
            chosen["value"],
            marker=marker,
            color=color,
            markersize=4,
            label=name,
        )
    left.set(
        xlabel="largest ε of the stream over the smallest",
        ylabel="most answers by which basic\ncomposition is ahead",
        title=f"worst of all streams, budget of {largest} units",
    )
    left.legend(title="filter", loc="upper left")
    mixes = list(dict.fromkeys(ordinary["mix"]))
    for shift, (name, (color, marker)) in enumerate(_STYLES.items()):
        chosen = (
            style.select_statistic(ordinary, "answers", filter=name).set_index("mix").loc[mixes]
        )
        ends = [chosen["value"] - chosen["low"], chosen["high"] - chosen["value"]]
        positions = [position + 0.16 * (shift - 1.5) for position in range(len(mixes))]
        right.errorbar(
            positions, chosen["value"], yerr=ends, fmt=marker, color=color, markersize=4, label=name
        )
    right.set_xticks(range(len(mixes)), mixes)
    top = 1.3 * style.select_statistic(ordinary, "answers")["high"].max()  # room for the legend
    right.set(xlabel="ε of the queries, in nats", ylabel="answers, mean", ylim=(0, top))
    right.set_title("random streams, budget of 1 nat")
    right.legend(loc="upper left", fontsize=6, ncols=2)
    style.add_note(figure, f"bars: {style.CONFIDENCE_TEXT} intervals over streams")
    return figure
