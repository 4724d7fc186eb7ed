"""Figure of the people of the survey under a privacy filter."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures import style

_FILTERS = {"basic": style.BLACK, "simplified": style.GREEN, "bayesian": style.BLUE}
_STEP = 0.26  # distance of two filters at one query


def plot_survey(people: pd.DataFrame, means: pd.DataFrame) -> Figure:
    """Plot how many people answer each query, and the error of the estimated mean, by filter."""
    figure, (above, below) = style.create_figure(
        2, 1, width_in=style.COLUMN_WIDTH_IN, height_in=3.6, sharex=True, height_ratios=[3, 2]
    )
    number = int(style.get_value(people, "people"))
    queries = np.arange(int(means["query"].max()) + 1)
    for shift, (name, color) in enumerate(_FILTERS.items(), start=-1):
        chosen = style.select_rows(means, filter=name)
        chosen = chosen.pivot(index="query", columns="statistic", values="value").reindex(queries)
        places = queries + 1 + _STEP * shift
        answering = chosen["people"].fillna(0)
        above.bar(places, answering, width=_STEP, color=color, label=name)
        below.errorbar(
            places,
            chosen["estimate"] - chosen["truth"],
            yerr=chosen["standard_error"],
            fmt="o",
            markersize=2,
            linewidth=0.7,
            color=color,
        )
    above.set(ylabel="people who answer", ylim=(0, 1.02 * number))
    below.axhline(0, color=style.GREY, linewidth=0.6)
    below.set(xlabel="query in the stream", ylabel="estimated minus\ntrue mean")
    below.set_xticks(queries + 1)
    style.add_outside_legend(figure, [above], "upper center", title="filter", ncols=3)
    style.add_note(figure, f"{number} people; bars of the lower panel: standard errors")
    return figure
