"""Figure of the people of the survey under a privacy filter."""

import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures import style


def plot_survey(people: pd.DataFrame, means: pd.DataFrame) -> Figure:
    """Plot how many people answer each query, and estimated against true means, by filter.

    Parameters
    ----------
    people : DataFrame
        Table ``knowledge/survey_people``.
    means : DataFrame
        Table ``knowledge/survey_means``.
    """
    figure, (left, right) = style.create_figure(1, 2, height_in=2.6)
    number = int(style.get_value(people, "people"))
    query_numbers = range(int(means["query"].max()) + 1)
    styles = {
        "basic": (style.BLACK, "--"),
        "simplified": (style.GREEN, ":"),
        "bayesian": (style.BLUE, "-"),
    }
    for shift, (name, (color, dashes)) in enumerate(styles.items(), start=-1):
        answering = style.select_statistic(means, "people", filter=name).set_index("query")["value"]
        answering = answering.reindex(query_numbers, fill_value=0)
        left.plot(query_numbers, answering, dashes, drawstyle="steps-mid", color=color, label=name)
        chosen = style.select_rows(means, filter=name)
        chosen = chosen.pivot(index="query", columns="statistic", values="value")
        right.errorbar(
            chosen["truth"] + 0.015 * shift,  # side by side where the truth is the same
            chosen["estimate"],
            yerr=chosen["standard_error"],
            fmt="o",
            markersize=2.5,
            linewidth=0.7,
            color=color,
            label=name,
        )
    left.set(
        xlabel="query in the stream",
        ylabel=f"people who answer, of {number}",
        ylim=(0, 1.08 * number),
    )
    ends = style.select_statistic(means, "truth")["value"].agg(["min", "max"])
    right.plot(ends, ends, color=style.GREY, linewidth=0.6)
    right.set(xlabel="true mean response", ylabel="estimated mean, $\\pm$ standard error")
    left.legend(title="filter", loc="lower left")
    return figure
