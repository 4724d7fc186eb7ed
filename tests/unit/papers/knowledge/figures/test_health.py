"""Figure of the health regressions."""

from drawn import tidy
from noiseless.papers.knowledge.figures.health import plot_health


def test_answers_are_bars_in_the_order_of_their_losses():
    losses = tidy("share", "loss", answer=["1-0-0-0 (h)", "0-0-0-0 (h)", "1-1-0-0 (h)"])
    losses["value"] = [0.5, 0.25, 0.25, 3, 1, 2]
    spent = tidy("median_share", basis=["answers", "people"], unit=0.25)
    (axis,) = plot_health(losses, spent, epsilon_nats=2).axes
    assert [bar.get_width() for bar in axis.patches] == [1, 2, 3]
    labels = [text.get_text() for text in axis.get_yticklabels()]
    assert labels == ["0-0-0-0 (h)", "1-1-0-0 (h)", "1-0-0-0 (h)"]
    budget, median = (line.get_xdata()[0] for line in axis.lines)
    assert (budget, median) == (8, 2)
    assert axis.lines[1].get_label() == "median of the answers, 25.0%"
