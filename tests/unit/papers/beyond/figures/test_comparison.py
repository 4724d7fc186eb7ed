"""Figures of the comparison of mechanisms."""

import numpy as np

from noiseless.papers.beyond.figures import comparison


def test_figure_breaks_a_line_at_a_gap(linked_trips):
    """A quantizer makes 1 m and 1500 m, and not 10,000 km: nothing is drawn there."""
    figure = comparison.plot_trips(linked_trips["comparison"], linked_trips["calibration"])
    axis = figure.axes[0]
    handles, labels = axis.get_legend_handles_labels()
    drawn = dict(zip(labels, handles, strict=True))["quantizer"].lines[0]
    x, y = np.asarray(drawn.get_xdata(), float), np.asarray(drawn.get_ydata(), float)
    assert len(x) == 3
    np.testing.assert_array_equal(np.isnan(y), [False, False, True])
    errors = linked_trips["comparison"]
    errors = errors[(errors["statistic"] == "error_m") & (errors["mechanism"] == "quantizer")]
    assert set(errors["value"]) == set(x[:2])
