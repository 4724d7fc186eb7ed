"""How many homes hide one, drawn."""

import math

import numpy as np
import pytest

from drawn import tidy
from noiseless.figures import style
from noiseless.papers.noiseless.figures.hiding import plot_hiding


def test_marks_stand_at_effective_homes_and_at_what_was_predicted():
    cells = {
        "homes": ["london", "swiss"],
        "adversary": ["pair", "pair_known"],
        "n": [4, 16],
        "days": [30],
        "epsilon_bits": [math.inf, 1.0],
    }
    table = tidy("advantage", "predicted", "known", "bin_in_sd", **cells)
    at = table["statistic"]
    table.loc[at == "known", "value"] = np.where(table["adversary"] == "pair", 0, 5)[at == "known"]
    wide = np.isfinite(table["epsilon_bits"]) & (table["n"] == 4)
    table.loc[at == "bin_in_sd", "value"] = np.where(wide, 3.0, 1.0)[at == "bin_in_sd"]
    figure = plot_hiding(table)
    alone, known, predicted = figure.axes
    for axis, shared in ((alone, [0, 0]), (known, [3 / 5, 15 / 5])):
        expected = [3 / 30 * (1 + shared[0]), 15 / 30 * (1 + shared[1])]
        for bars in axis.containers:
            np.testing.assert_allclose(sorted(bars[0].get_xdata()), expected)
        [curve] = [line for line in axis.get_lines() if len(line.get_xdata()) == 200]
        x, y = curve.get_xdata()[0], curve.get_ydata()[0]
        assert y == pytest.approx(math.erf(math.sqrt(1 / (2 * x)) / math.sqrt(2)))
    marks = [line for line in predicted.get_lines() if line.get_marker() not in ("None", "")]
    grey = [line for line in marks if line.get_color() == style.GREY]
    assert sum(len(line.get_xdata()) for line in marks) == 16
    assert sum(len(line.get_xdata()) for line in grey) == 4  # of bins that are too wide
