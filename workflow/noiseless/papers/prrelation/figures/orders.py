"""Figure of ``prrelation``: largest ratios of the epsilons of two notions of privacy."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.figures.style import add_note, create_figure, select_rows

_NOTIONS = {
    "DP": ("differential privacy", "DP"),
    "DP possible": ("... both databases possible", "DP, possible"),
    "DDP 6.1": ("dependent DP, as in Section 6.1", "DDP, Sec. 6.1"),
    "DDP": ("dependent DP, both possible", "DDP, possible"),
    "BP any": ("Blowfish privacy, any two databases", "Blowfish, any"),
    "BP minimal": ("... those with none between", "Blowfish, close"),
    "IP record": ("inferential privacy of a record", "inferential"),
    "MP databases": ("membership privacy of a database", "member, database"),
    "MP record": ("membership privacy of a record", "member, record"),
}
"""The words of each notion in a row, and its shorter ones in a column."""
_PANELS = {
    "records independent, every database possible": ("uniform", "independent"),
    "any prior": ("uniform", "independent", "correlated", "count", "constrained"),
}
_MAX_SHADED_MULTIPLE = 4.0  # largest multiple with a shade of its own; only infinity is darker


def plot_orders(table: pd.DataFrame) -> Figure:
    """Plot the largest multiple of each notion's epsilon that another notion's epsilon can be."""
    figure, axes = create_figure(1, 2, height_in=3.6, sharey=True)
    for axis, (title, kinds) in zip(axes, _PANELS.items(), strict=True):
        multiples = compute_max_multiples(select_kinds(table, kinds))
        axis.imshow(
            np.minimum(multiples, _MAX_SHADED_MULTIPLE + 1.5),
            cmap="Blues",
            vmin=0,
            vmax=_MAX_SHADED_MULTIPLE + 3,
        )
        for row, column in np.ndindex(multiples.shape):
            multiple = float(multiples[row, column])
            axis.text(
                *(column, row, _format_multiple(multiple)),
                ha="center",
                va="center",
                fontsize="x-small",
                color="white" if multiple > _MAX_SHADED_MULTIPLE else "black",
            )
        rows, columns = zip(*_NOTIONS.values(), strict=True)
        axis.set_xticks(
            range(len(columns)), columns, rotation=45, ha="right", rotation_mode="anchor"
        )
        axis.set_yticks(range(len(rows)), rows)
        axis.set(title=title, xlabel=r"... so many times the $\epsilon$ of this notion")
    axes[0].set_ylabel(r"the $\epsilon$ of this notion is up to ...")
    add_note(figure, "∞: there is no bound; 1: never above it")
    return figure


def select_kinds(table: pd.DataFrame, kinds: tuple[str, ...]) -> pd.DataFrame:
    """Select the rows of some kinds of priors."""
    return table[table["records"].isin(kinds)]


def compute_max_multiples(table: pd.DataFrame) -> np.ndarray:
    """Compute the largest multiple of each notion (rows) and other notion (columns).

    It is infinite where there is no bound.
    """
    notions = list(_NOTIONS)
    multiples = np.ones((len(notions), len(notions)))
    for row, column in np.ndindex(multiples.shape):
        if row == column:
            continue
        cells = select_rows(table, notion=notions[row], than=notions[column])
        unbounded = select_rows(cells, statistic="unbounded")["value"].sum()
        largest = select_rows(cells, statistic="largest_multiple")["value"].max()
        multiples[row, column] = np.inf if unbounded else largest
    return multiples


def _format_multiple(multiple: float) -> str:
    """Format a multiple with two decimals or fewer, or as the sign of infinity."""
    return "∞" if np.isinf(multiple) else f"{multiple:.2f}".rstrip("0").rstrip(".")
