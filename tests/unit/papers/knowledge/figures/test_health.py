"""Figure of the health regressions."""

from drawn import printed, tidy
from noiseless.figures.style import PRINTED_LABEL
from noiseless.papers.knowledge.figures.health import plot_health


def test_answers_are_bars_in_the_order_of_their_losses_beside_the_printed_ones():
    losses = tidy("share", "loss", answer=["1-0-0-12", "0-0-0-0", "1-1-0-0"])
    losses["value"] = [0.5, 0.25, 0.25, 3, 1, 2]
    spent = tidy("median_share", basis=["answers", "people"], unit=0.25)
    numbers = printed(
        *("knowledge/health_losses", "loss"),
        ({"answer": ["1-1-0-0"]}, 2.5),
        ({"answer": ["0-0-0-0"]}, 1.5),
        ({}, 3.7),  # the largest one
    )
    answers, axis = plot_health(losses, spent, numbers, epsilon_nats=2).axes
    assert [bar.get_width() for bar in axis.patches] == [1, 2, 3]
    lines = {line.get_label(): line for line in axis.lines}
    assert lines["basic composition"].get_xdata()[0] == 8
    assert lines["median of the answers"].get_xdata()[0] == 2
    marks = lines[PRINTED_LABEL].get_xydata()
    assert marks[:2].tolist() == [[1.5, 0], [2.5, 1]]
    filled = {
        (x, y)
        for line in answers.lines
        if line.get_markerfacecolor() != "white"
        for x, y in line.get_xydata().tolist()
    }
    assert filled == {(0, 1), (1, 1), (0, 2), (3, 2)}
