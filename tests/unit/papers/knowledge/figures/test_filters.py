"""Figure of filters on a stream that goes on after a rejection."""

from drawn import shown, tidy
from noiseless.papers.knowledge.figures.filters import plot_filters


def test_the_figure_shows_leads_and_mean_answers_of_every_filter():
    sizes = {"least_units": [1, 2], "budget_units": [4, 9], "most_units": [9, 3, 6]}
    streams = tidy("lead", filter=["bayesian", "safe"], **sizes)
    names = ["basic", "simplified", "bayesian", "safe"]
    ordinary = tidy("answers", filter=names, mix=["0.1, 0.4", "0.2, 0.3"])
    left, right = plot_filters(streams, ordinary).axes
    drawn = shown(left)
    assert set(drawn) == {"bayesian", "safe"}
    for name, line in drawn.items():
        rows = streams[
            (streams["filter"] == name)
            & (streams["budget_units"] == 9)
            & (streams["least_units"] == 1)
        ].sort_values("most_units")
        assert line == list(zip(rows["most_units"], rows["value"], strict=True))
    assert [text.get_text() for text in right.get_xticklabels()] == ["0.1, 0.4", "0.2, 0.3"]
    means = {bars.get_label(): list(bars.lines[0].get_ydata()) for bars in right.containers}
    assert list(means) == names
    for name, values in means.items():
        assert values == ordinary.loc[ordinary["filter"] == name, "value"].tolist()
