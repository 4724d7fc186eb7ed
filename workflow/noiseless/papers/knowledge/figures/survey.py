"""People of the survey under a privacy filter."""

import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures.style import BLACK, BLUE, GREEN, GREY, PAGE_WIDTH_IN, new_figure, statistic


def survey(people: pd.DataFrame, means: pd.DataFrame) -> Figure:
    """Queries that the people of the survey answer under each filter, and what the means are worth.

    Parameters
    ----------
    people : DataFrame
        Table ``knowledge/survey_people``.
    means : DataFrame
        Table ``knowledge/survey_means``.
    """
    figure, (left, right) = new_figure(1, 2, width_in=PAGE_WIDTH_IN, height_in=2.6)
    number = int(statistic(people, "people")["value"].iloc[0])
    asked = range(int(means["query"].max()) + 1)
    styles = {"basic": (BLACK, "--"), "simplified": (GREEN, ":"), "bayesian": (BLUE, "-")}
    for shift, (name, (color, dashes)) in enumerate(styles.items(), start=-1):
        answering = statistic(means, "people", filter=name).set_index("query")["value"]
        answering = answering.reindex(asked, fill_value=0)
        left.plot(asked, answering, dashes, drawstyle="steps-mid", color=color, label=name)
        chosen = means[means["filter"] == name].pivot(
            index="query", columns="statistic", values="value"
        )
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
    ends = statistic(means, "truth")["value"].agg(["min", "max"])
    right.plot(ends, ends, color=GREY, linewidth=0.6)
    right.set(xlabel="true mean response", ylabel="estimated mean, $\\pm$ standard error")
    left.legend(title="filter", loc="lower left")
    return figure
