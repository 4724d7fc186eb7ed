"""Figure of the releases for several analysts (``nsht``, Section 7)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures import style

_RELEASES = {
    "collapse_split": ("printed policy, the budget split", style.ORANGE, "////"),
    "collapse": ("printed policy for each analyst", style.RED, ""),
    "overlay": ("the best policy for each analyst alone", style.BLUE, "...."),
    "chain": ("each a function of the finer one (most there can be)", style.GREEN, ""),
}
_WIDTH = 0.2  # width of a bar; the bars of a group touch


def plot_several_analysts(table: pd.DataFrame) -> Figure:
    """Plot the people who are undecided to each group of analysts, for each kind of releases."""
    figure, (axis,) = style.create_figure(1, height_in=3.0)
    total = int(style.get_value(table, "people"))
    groups = list(dict.fromkeys(table["seen"]))
    for position, (releases, (label, color, hatch)) in enumerate(_RELEASES.items()):
        counts = style.select_statistic(table, "undecided", releases=releases).set_index("seen")[
            "value"
        ]
        left = np.arange(len(groups)) + (position - (len(_RELEASES) - 1) / 2) * _WIDTH
        bars = axis.bar(
            left,
            counts[groups],
            width=_WIDTH,
            color=color,
            hatch=hatch,
            edgecolor="white",
            linewidth=0.3,
            label=label,
        )
        axis.bar_label(bars, fmt="{:.0f}", fontsize=5.5, padding=1)
    labels = [f"{group} kg".replace(" and ", "\nand ") for group in groups]
    axis.set_xticks(range(len(groups)), labels)
    axis.set(
        xlabel="releases that are seen together, by the largest change of a weight",
        ylabel=f"people undecided, of {total}",
    )
    axis.legend(loc="upper right")
    return figure
