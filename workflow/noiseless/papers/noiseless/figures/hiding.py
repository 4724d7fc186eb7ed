"""How many homes hide one: advantages on all sets of homes beside the bound and the prediction."""

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import ndtr

from noiseless.adversaries import membership
from noiseless.adversaries.labels import load_adversary_labels
from noiseless.figures import style
from noiseless.papers.noiseless.limits import ALONE, WITH_MEAN

WIDE_BIN_SD = 2.0
"""Width of a bin, in standard deviations of the others' sum, up to which it is uniform error."""
_COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE, style.SKY, style.RED)
_MARKERS = "os^DvP"
_KEYS = ["homes", "adversary", "n", "days", "epsilon_bits"]


def plot_hiding(table: pd.DataFrame) -> Figure:
    """Plot advantages against homes for each reading, and predictions against measurements."""
    wide = table.pivot(index=_KEYS, columns="statistic", values="value").reset_index()
    ends = style.select_statistic(table, "advantage").set_index(_KEYS)[["low", "high"]]
    wide = wide.join(ends, on=_KEYS)
    sets = list(table["homes"].unique())
    looks = dict(zip(sets, itertools.cycle(zip(_COLOURS, _MARKERS, strict=True))))
    figure, axes = style.create_figure(1, 3, height_in=2.6)
    labels = load_adversary_labels(membership)
    for axis, name in zip(axes[:2], (ALONE, WITH_MEAN), strict=True):
        _plot_law(axis, wide[wide["adversary"] == name], looks)
        axis.set_title(style.format_label(labels, name))
    axes[0].set_xlabel("others for each reading, (n $-$ 1)/T")
    axes[1].set_xlabel("effective others for each reading,\n(n $-$ 1)(1 + (n $-$ 1)/K)/T")
    axes[0].set_ylabel("advantage")
    _plot_predictions(axes[2], wide, looks)
    style.add_note(
        figure,
        "n homes in the mean, T days, K further homes whose mean is known. left and middle: exact "
        f"means, bars: {style.CONFIDENCE_TEXT} intervals over games; lines: no adversary above, if "
        "the others' sum is normal (left), and the best test of normal homes that are alike "
        "(middle); right: filled by who knows the others' mean, hollow by who does not; also "
        f"quantized means, grey where a bin is wider than {WIDE_BIN_SD:g} standard deviations of "
        "the others' sum",
    )
    style.add_outside_legend(figure, axes, title="homes", title_fontsize=6.5)
    return figure


def _plot_law(axis: Axes, rows: pd.DataFrame, looks: Mapping[str, tuple[str, str]]) -> None:
    """Plot the advantage in exact means against the number of others for each reading."""
    rows = rows[np.isinf(rows["epsilon_bits"])]
    known = rows["known"].to_numpy(dtype=float)
    others = rows["n"].to_numpy(dtype=float) - 1
    shared = np.divide(others, known, out=np.zeros_like(others), where=known > 0)
    place = others * (1 + shared) / rows["days"].to_numpy(dtype=float)
    for homes, (colour, marker) in looks.items():
        here = (rows["homes"] == homes).to_numpy()
        style.plot_intervals(
            axis,
            place[here],
            rows[here].rename(columns={"advantage": "value"}),
            color=colour,
            marker=marker,
            markersize=3,
            linestyle="",
            label=homes,
        )
    grid = np.geomspace(place.min() / 1.5, place.max() * 1.5, 200)
    axis.plot(grid, 2 * ndtr(np.sqrt(1 / (2 * grid))) - 1, color=style.BLACK, linewidth=0.9)
    axis.set_xscale("log")
    axis.set_ylim(-0.1, 1.05)
    axis.axhline(0, color=style.GREY, linewidth=0.4)


def _plot_predictions(axis: Axes, rows: pd.DataFrame, looks: Mapping[str, tuple[str, str]]) -> None:
    """Plot the advantage against what spectra predict, filled for who has others' mean."""
    for homes, (colour, marker) in looks.items():
        for name, is_wide in itertools.product((ALONE, WITH_MEAN), (False, True)):
            here = rows[(rows["homes"] == homes) & (rows["adversary"] == name)]
            here = here[(here["bin_in_sd"] > WIDE_BIN_SD) == is_wide]
            shade = style.GREY if is_wide else colour
            look: dict[str, Any] = {"color": shade, "markersize": 3, "linestyle": ""}
            face = shade if name == WITH_MEAN else "white"
            axis.plot(
                here["predicted"], here["advantage"], marker=marker, markerfacecolor=face, **look
            )
    axis.plot([0, 1], [0, 1], color=style.BLACK, linewidth=0.9)
    axis.set_title("measured against predicted")
    axis.set_xlabel("predicted by spectra, without a fit")
    axis.set_ylabel("measured advantage")
    axis.set_ylim(-0.1, 1.05)
