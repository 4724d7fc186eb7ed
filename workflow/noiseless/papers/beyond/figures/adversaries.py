"""Figure of the adversaries of the membership game who know the mechanism, and other homes."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.adversaries.labels import (
    COMBINED,
    EXACT_LABEL,
    NORMAL,
    PAIR,
    PAIR_KNOWN,
    PAPERS_ADVERSARIES,
    drop_controls,
)
from noiseless.figures import style
from noiseless.figures.style import select_rows, select_statistic

# Colours of the adversary who knows what homes are like, from the fewest known homes to the most.
_KNOWLEDGE_LOOKS = ((style.BLUE, "o"), (style.GREEN, "s"), (style.ORANGE, "^"), (style.PURPLE, "v"))

# Lines of the adversaries by the difference of the two homes, and of who knows other homes, too.
_PAIR_LOOKS: dict[str, dict[str, Any]] = {
    COMBINED: {
        "color": style.BLACK,
        "marker": "*",
        "linestyle": "--",
        "label": "the same knowledge: normal and pair difference",
    },
    PAIR_KNOWN: {
        "color": style.SKY,
        "marker": "X",
        "label": "knows the mean of further homes: pair difference",
    },
    PAIR: {"color": style.RED, "marker": "P", "label": "knows the two homes: pair difference"},
}


def plot_adversaries(
    adversaries: pd.DataFrame,
    repeated: pd.DataFrame,
    *,
    known_shares: Sequence[float],
    shown_epsilon_bits: float = 2,
) -> Figure:
    """Plot the advantage by knowledge: against the budget, and against the number of reports.

    The lower row is of the budget in the table that is nearest to ``shown_epsilon_bits``.
    """
    sizes = sorted(adversaries["n"].unique())
    columns = min(4, len(sizes))
    blocks = math.ceil(len(sizes) / columns)  # of two rows each
    figure, axes = style.create_figure(
        2 * blocks, columns, height_in=0.5 + 3.9 * blocks, sharey=True, sharex="row"
    )
    rows_of_axes = [axes[start : start + columns] for start in range(0, len(axes), columns)]
    upper, lower = (list(itertools.chain(*rows_of_axes[first::2])) for first in (0, 1))
    budgets = np.sort(adversaries["epsilon_bits"].unique())
    shown = min(budgets, key=lambda each: abs(each - shown_epsilon_bits))
    days = np.sort(repeated["days"].unique())
    for axis in [*upper[len(sizes) :], *lower[len(sizes) :]]:
        axis.set_visible(False)
    shown_axes = zip(sizes, upper[: len(sizes)], lower[: len(sizes)], strict=True)
    for size, above, below in shown_axes:
        positions = style.map_budgets(above, budgets, gap=1.2)
        of_size = select_rows(adversaries, n=size)
        for rows, homes, look in _select_lines(of_size, "epsilon_bits", known_shares):
            style.plot_intervals(above, rows["epsilon_bits"].map(positions), rows, homes, **look)
        of_size = select_rows(repeated, n=size, epsilon_bits=shown)
        for rows, homes, look in _select_lines(of_size, "days", known_shares):
            style.plot_intervals(below, rows["days"], rows, homes, **look)
        above.set_title(f"n = {size} homes")
        below.set_title(rf"n = {size}, $\epsilon$ = {shown:g} a report")
        below.set_xscale("log")
        below.set_xticks(days, [f"{t}\n{t * shown:g}" for t in days])
        below.minorticks_off()
    for axis in axes:
        axis.axhline(0, color=style.BLACK, linewidth=0.4)
        axis.set_ylim(-0.12, 1.06)
    reports = int(adversaries["days"].max())
    games, homes = (int(style.get_value(adversaries, name)) for name in ("games", "homes"))
    for place, row in enumerate(rows_of_axes):
        xlabel, ylabel = (
            (r"budget of a report, $\epsilon$ (bits)", f"advantage, {reports} reports"),
            ("daily reports / their bits (Thm 6)", "advantage, by reports"),
        )[place % 2]
        visible = sum(axis.get_visible() for axis in row)
        style.label_edges(row, columns, xlabel=xlabel, ylabel=ylabel, panels=visible)
    style.add_outside_legend(
        figure,
        axes[:1],
        "upper center",
        ncols=2,
    )
    bars = style.describe_bars(select_statistic(adversaries, "advantage_over_homes"))
    style.add_note(
        figure,
        f"{homes} homes, {games:,} games for each n; 0 is a coin toss, 1 is certainty; {bars}",
    )
    return figure


def _select_lines(
    table: pd.DataFrame, along: str, known_shares: Sequence[float]
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame, dict[str, Any]]]:
    """Select each adversary's rows over games, its rows over homes, and its look, for one n."""
    over_games, over_homes = (
        select_statistic(table, name).sort_values(along)
        for name in ("advantage", "advantage_over_homes")
    )
    key = ["adversary", "known"]

    def select_home_rows(rows: pd.DataFrame) -> pd.DataFrame:
        """Select the rows over homes of the cells of ``rows``, in the order of ``rows``."""
        cells = rows[[*key, along]]
        return cells.merge(over_homes, on=[*key, along], how="left", validate="one_to_one")

    yield (
        select_statistic(table, "closed_form").sort_values(along),
        select_statistic(table, "closed_form_over_homes").sort_values(along),
        {"color": style.BLACK, "marker": "D", "label": "knows all other homes (exact)"},
    )
    other_homes = int(table["n"].iloc[0]) - 1
    for share, (colour, marker) in sorted(
        zip(sorted(known_shares), style.iterate_looks(_KNOWLEDGE_LOOKS), strict=False), reverse=True
    ):
        rows = select_rows(over_games, adversary=NORMAL, known=int(share * other_homes))
        name = f"knows {share:.0%} of them" if share else "knows none of them"
        label = f"{name}, and how days vary together".replace("%", " %")
        yield rows, select_home_rows(rows), {"color": colour, "marker": marker, "label": label}
    for name, look in _PAIR_LOOKS.items():
        rows = select_rows(over_games, adversary=name, known=0)
        if len(rows):
            yield rows, select_home_rows(rows), look
    others = drop_controls(set(over_games["adversary"]) - {NORMAL, *_PAIR_LOOKS, *EXACT_LABEL})
    simple = over_games[over_games["adversary"].isin(others)]
    is_papers = set(others) == set(PAPERS_ADVERSARIES)
    best = f"knows the two homes: best of the paper's three{'' if is_papers else ' and plugins'}"
    rows = simple.loc[simple.groupby(along)["value"].idxmax()].sort_values(along)
    look = {"color": style.RED, "marker": "<", "linestyle": ":"}
    yield rows, select_home_rows(rows), look | {"label": best}
    rows = select_rows(over_games, adversary="control")
    look = {"color": style.GREY, "marker": ".", "linestyle": ":"}
    yield rows, select_home_rows(rows), look | {"label": "control (sees no output)"}
