"""Figure of the survey under a filter."""

import numpy as np

from drawn import tidy
from noiseless.papers.knowledge.figures.survey import plot_survey


def test_who_answers_and_what_the_means_are_worth():
    names, filters = ("people", "truth", "estimate", "standard_error"), ["bayesian", "basic"]
    means = tidy(*names, filter=[*filters, "simplified"], query=[0, 1, 3])
    means = means[(means["filter"] != "basic") | (means["query"] < 3)]
    figure = plot_survey(tidy("people", unit=40, x=[1]), means)
    above, below = figure.axes
    assert figure.get_supxlabel().startswith("40 people;")
    cells = means.pivot(index=["filter", "query"], columns="statistic", values="value")
    order = ("basic", "simplified", "bayesian")
    for bars, marks, name in zip(above.containers, below.containers, order, strict=True):
        mine = cells.loc[name].reindex(range(4))
        assert bars.get_label() == name
        assert [bar.get_height() for bar in bars] == mine["people"].fillna(0).tolist()
        middles = [bar.get_x() + bar.get_width() / 2 for bar in bars]
        x, y = marks[0].get_xydata().T
        np.testing.assert_allclose(x, middles)
        np.testing.assert_array_equal(y, mine["estimate"] - mine["truth"])
        (ends,) = marks[2]
        reach = [np.ptp(each[:, 1]) for each in ends.get_segments() if len(each)]
        np.testing.assert_allclose(reach, 2 * mine["standard_error"].dropna())
