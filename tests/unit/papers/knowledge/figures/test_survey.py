"""Figure of the survey under a filter."""

import numpy as np

from drawn import shown, tidy
from noiseless.papers.knowledge.figures.survey import plot_survey


def test_who_answers_and_what_the_means_are_worth():
    names, filters = ("people", "truth", "estimate", "standard_error"), ["bayesian", "basic"]
    means = tidy(*names, filter=[*filters, "simplified"], query=[0, 1, 3])
    means = means[(means["filter"] != "basic") | (means["query"] < 3)]
    left, right = plot_survey(tidy("people", unit=40, x=[1]), means).axes
    assert left.get_ylabel() == "people who answer, of 40"
    cells = means.pivot(index=["filter", "query"], columns="statistic", values="value")
    for shift, name in zip((-1, 0, 1), ("basic", "simplified", "bayesian"), strict=True):
        answering = cells.loc[name, "people"].reindex(range(4), fill_value=0)
        assert shown(left)[name] == list(enumerate(answering))
        (container,) = (each for each in right.containers if each.get_label() == name)
        x, y = container[0].get_xydata().T
        np.testing.assert_allclose(x, cells.loc[name, "truth"] + 0.015 * shift)
        np.testing.assert_array_equal(y, cells.loc[name, "estimate"])
        (bars,) = container[2]
        reach = np.ptp(np.array(bars.get_segments())[:, :, 1], axis=1)
        np.testing.assert_allclose(reach, 2 * cells.loc[name, "standard_error"])
    assert right.lines[-1].get_xdata().tolist() == [cells["truth"].min(), cells["truth"].max()]
