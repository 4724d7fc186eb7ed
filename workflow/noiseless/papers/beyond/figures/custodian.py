"""The custodian's question: how many homes, how coarse a scale."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from noiseless.figures import style
from noiseless.statistics import over

_UNSURE = "#dddddd"
_UNSAFE = style.PURPLE


def custodian(limits: pd.DataFrame, *, gains: Sequence[float]) -> Figure:
    """Limits of what the best adversary gains, a panel for who it is and how much is published.

    Parameters
    ----------
    limits : DataFrame
        Table ``beyond/custodian_limits_<dataset>``.
    gains : sequence of float
        Advantages that are looked for.
    """
    rows = style.statistic(limits, "gain")
    days, sizes = sorted(rows["days"].unique()), sorted(rows["n"].unique())
    levels = sorted(rows["levels"].unique())
    known = list(rows["knowledge"].unique())
    gains = sorted(gains)
    height_in = 1.0 + len(known) * (0.5 + 0.24 * len(levels))
    figure, axes = style.new_figure(
        len(known), len(days), height_in=height_in, sharex=True, sharey=True
    )
    for axis, (who, t) in zip(axes, itertools.product(known, days), strict=True):
        for row in style.rows_where(rows, knowledge=who, days=t).itertuples(index=False):
            x, y = sizes.index(row.n), levels.index(row.levels)
            axis.add_patch(_cell(x, y, _colour(row.low, row.high, gains)))
            axis.text(
                *(x, y, f"{math.floor(100 * row.low)}-{math.ceil(100 * row.high)}"),
                **{"ha": "center", "va": "center", "fontsize": 5.8},
            )
        axis.set(
            xlim=(-0.5, len(sizes) - 0.5),
            ylim=(-0.5, len(levels) - 0.5),
            title=f"{who}, {t} report" + ("s" if t > 1 else ""),
        )
        axis.set_xticks(range(len(sizes)), [f"{n}" for n in sizes])
        axis.set_yticks(range(len(levels)), [f"{q}" for q in levels])
        axis.tick_params(length=0)
    style.label_edges(
        axes, len(days), xlabel="homes in the aggregate, n", ylabel="levels of the scale"
    )
    games, intervals = (int(style.value_of(limits, name)) for name in ("games", "intervals"))
    handles = {
        **{f"surely below {gain:g}": _safe(gain, gains) for gain in gains},
        "not sure": _UNSURE,
        f"surely {gains[-1]:g} or more": _UNSAFE,
    }
    figure.legend(
        [_cell(0, 0, colour) for colour in handles.values()],
        handles.keys(),
        title="100 x advantage of the best adversary, lower to upper limit\n"
        f"({games:,} games for each n; all {intervals} intervals together, "
        f"over {over(rows)} between these homes)",
        loc="outside upper center",
        ncols=len(handles),
    )
    return figure


def _colour(low: float, high: float, gains: Sequence[float]) -> str:
    """What is sure of a cell: the smallest gain it stays below, or that it exceeds them all."""
    for gain in gains:
        if high < gain:
            return _safe(gain, gains)
    return _UNSAFE if low >= gains[-1] else _UNSURE


def _safe(gain: float, gains: Sequence[float]) -> str:
    """The smaller the gain, the deeper the green."""
    shares = np.linspace(0.7, 0.2, max(2, len(gains)))
    return to_hex(colormaps["Greens"](shares[list(gains).index(gain)]))


def _cell(x: float, y: float, colour: str) -> Rectangle:
    """A coloured cell of the table around a point."""
    return Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white", linewidth=1)
