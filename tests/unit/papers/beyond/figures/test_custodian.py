"""Figure of the custodian's question."""

import pandas as pd
import pytest
from matplotlib.colors import to_rgba

from noiseless.papers.beyond.figures import custodian

ENDS = {(4, 2): (0.01, 0.04), (8, 2): (0.02, 0.15), (4, 5): (0.05, 0.31), (8, 5): (0.2, 0.6)}


def test_a_cell_says_its_limits_in_the_colour_of_what_is_sure():
    cells = [
        {"statistic": "gain", "knowledge": who, "days": days, "n": n, "levels": levels}
        | {"low": low + 0.001 * days, "high": high + 0.001 * days}
        for who in ("neighbour", "outsider")
        for days in (1, 30)
        for (n, levels), (low, high) in ENDS.items()
    ]
    counts = [{**cells[0], "statistic": name, "value": 7.0} for name in ("games", "intervals")]
    table = pd.DataFrame(cells + counts).assign(over="homes")
    axes = custodian.custodian(table, gains=[0.3, 0.1]).axes
    titles = [
        f"{who}, {days}" for who in ("neighbour", "outsider") for days in ("1 report", "30 reports")
    ]
    assert [axis.get_title() for axis in axes] == titles
    # Whole percents, rounded outwards.
    assert [text.get_text() for text in axes[0].texts] == ["1-5", "2-16", "5-32", "20-61"]
    for axis in axes:
        assert [text.get_position() for text in axis.texts] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    legend = axes[0].figure.legends[0]
    labels = [text.get_text() for text in legend.texts]
    assert labels == ["surely below 0.1", "surely below 0.3", "not sure", "surely 0.3 or more"]
    colours = [handle.get_facecolor() for handle in legend.legend_handles]
    expected = [colours[k] for k in (0, 1, 2, 2)]
    assert [patch.get_facecolor() for patch in axes[0].patches] == expected


@pytest.mark.parametrize(
    ("low", "high", "gains", "colour"),
    [
        (0.31, 0.4, [0.1, 0.3], custodian._UNSAFE),
        (0.3, 0.4, [0.1, 0.3], custodian._UNSAFE),
        (0.1, 0.3, [0.1, 0.3], custodian._UNSURE),
        (0.0, 0.05, [0.1], custodian._safe(0.1, [0.1])),
    ],
)
def test_what_is_sure(low, high, gains, colour):
    assert to_rgba(custodian._colour(low, high, gains)) == to_rgba(colour)
