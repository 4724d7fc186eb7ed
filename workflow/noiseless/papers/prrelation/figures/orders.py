"""Figure of ``prrelation``: largest ratios of the epsilons of two notions of privacy."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures.style import new_figure, rows_where

_NOTIONS = (
    "DP",
    "DP possible",
    "DDP 6.1",
    "DDP",
    "BP any",
    "BP minimal",
    "IP record",
    "MP databases",
    "MP record",
)
_PANELS = {
    "independent records, all possible": ("uniform", "independent"),
    "all priors": ("uniform", "independent", "correlated", "count", "constrained"),
}
_MOST = 4.0  # largest multiple with a shade of its own; only infinity is darker


def orders(table: pd.DataFrame) -> Figure:
    """Plot the largest multiple of each notion's epsilon that another notion's epsilon can be.

    Parameters
    ----------
    table : DataFrame
        Table ``prrelation/notions_orders``.
    """
    figure, axes = new_figure(1, 2, height_in=3.6, sharey=True)
    for axis, (title, kinds) in zip(axes, _PANELS.items(), strict=True):
        multiples = largest_multiples(rows_where_any(table, kinds))
        axis.imshow(np.minimum(multiples, _MOST + 1.5), cmap="Blues", vmin=0, vmax=_MOST + 3)
        for row, column in np.ndindex(multiples.shape):
            multiple = float(multiples[row, column])
            axis.text(
                *(column, row, _words(multiple)),
                ha="center",
                va="center",
                fontsize="x-small",
                color="white" if multiple > _MOST else "black",
            )
        axis.set_xticks(range(len(_NOTIONS)), _NOTIONS, rotation=60, ha="right")
        axis.set_yticks(range(len(_NOTIONS)), _NOTIONS)
        axis.set(title=title, xlabel="multiple of the epsilon of this")
    axes[0].set_ylabel("epsilon of this")
    return figure


def rows_where_any(table: pd.DataFrame, kinds: tuple[str, ...]) -> pd.DataFrame:
    """Select the rows of some kinds of priors."""
    return table[table["records"].isin(kinds)]


def largest_multiples(table: pd.DataFrame) -> np.ndarray:
    """Compute the largest multiple of each notion (rows) and other notion (columns).

    It is infinite where there is no bound.
    """
    multiples = np.ones((len(_NOTIONS), len(_NOTIONS)))
    for row, column in np.ndindex(multiples.shape):
        if row == column:
            continue
        cells = rows_where(table, notion=_NOTIONS[row], than=_NOTIONS[column])
        unbounded = rows_where(cells, statistic="unbounded")["value"].sum()
        largest = rows_where(cells, statistic="largest_multiple")["value"].max()
        multiples[row, column] = np.inf if unbounded else largest
    return multiples


def _words(multiple: float) -> str:
    """Format a multiple with two decimals or fewer, or as the sign of infinity."""
    return "∞" if np.isinf(multiple) else f"{multiple:.2f}".rstrip("0").rstrip(".")
