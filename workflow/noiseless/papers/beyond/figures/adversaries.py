"""Adversaries who know the mechanism, and the custodian's question, on the membership game."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.adversaries.labels import (
    EXACT_LABEL,
    PAPERS_ADVERSARIES,
    without_controls,
)
from noiseless.figures.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PAGE_WIDTH_IN,
    PURPLE,
    RED,
    bars_of,
    draw_intervals,
    new_figure,
    statistic,
)

# Colours of the adversary who knows what homes are like, from the fewest known homes to the most.
_KNOWING = ((BLUE, "o"), (GREEN, "s"), (ORANGE, "^"), (PURPLE, "v"))


def adversaries(
    adversaries: pd.DataFrame,
    repeated: pd.DataFrame,
    *,
    known_shares: Sequence[float],
    shown_epsilon_bits: float,
) -> Figure:
    """Advantage by what an adversary knows: against the budget, and against the reports.

    Parameters
    ----------
    adversaries, repeated : DataFrame
        Tables ``beyond/adversaries_<dataset>`` and ``beyond/adversaries_repeated_<dataset>``.
    known_shares : sequence of float
        The shares of the other homes that are known, as configured.
    shown_epsilon_bits : float
        Budget in bits of the lower row; the nearest one in the table is taken.
    """
    sizes = sorted(adversaries["n"].unique())
    figure, axes = new_figure(
        2, len(sizes), width_in=PAGE_WIDTH_IN, height_in=4.4, sharey=True, sharex="row"
    )
    budgets = np.sort(adversaries["epsilon_bits"].unique())
    shown = min(budgets, key=lambda each: abs(each - shown_epsilon_bits))
    days = np.sort(repeated["days"].unique())
    exact_place = budgets[-2] + 1.2 if len(budgets) > 1 else 1.0
    places = {b: b if np.isfinite(b) else exact_place for b in budgets}
    for size, above, below in zip(sizes, axes[: len(sizes)], axes[len(sizes) :], strict=True):
        mine = adversaries[adversaries["n"] == size]
        for rows, homes, look in _lines(mine, "epsilon_bits", known_shares):
            draw_intervals(above, rows["epsilon_bits"].map(places), rows, homes, **look)
        mine = repeated[(repeated["n"] == size) & (repeated["epsilon_bits"] == shown)]
        for rows, homes, look in _lines(mine, "days", known_shares):
            draw_intervals(below, rows["days"], rows, homes, **look)
        above.set_title(f"n = {size} homes")
        above.set_xticks(
            list(places.values()), [f"{b:g}" if np.isfinite(b) else "exact\nmean" for b in budgets]
        )
        below.set_xscale("log")
        below.set_xticks(days, [f"{t}\n{t * shown:g}" for t in days])
        below.minorticks_off()
    for axis in axes:
        axis.axhline(0, color=BLACK, linewidth=0.4)
        axis.set_ylim(-0.12, 1.06)
    reports = int(adversaries["days"].max())
    games, homes = (
        int(statistic(adversaries, name)["value"].iloc[0]) for name in ("games", "homes")
    )
    axes[0].set_ylabel(f"advantage, {reports} reports")
    axes[len(sizes)].set_ylabel(rf"advantage, $\epsilon$ = {shown:g} a report")
    for axis in axes[: len(sizes)]:
        axis.set_xlabel(r"budget of a report, $\epsilon$ (bits)")
    for axis in axes[len(sizes) :]:
        axis.set_xlabel("daily reports / their bits (Thm 6)")
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        title=f"{homes} homes, {games:,} games for each n; 0 is a coin toss, 1 is certainty\n"
        f"{bars_of(statistic(adversaries, 'advantage_over_homes'))}",
        title_fontsize=7,
        loc="outside upper center",
        ncols=3,
    )
    return figure


def _lines(
    table: pd.DataFrame, along: str, known_shares: Sequence[float]
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame, dict[str, object]]]:
    """Rows of each adversary of one n, the same over homes, and their look, as in the legend."""
    played, over_homes = (
        statistic(table, name).sort_values(along) for name in ("advantage", "advantage_over_homes")
    )
    who = ["adversary", "known"]

    def same(rows: pd.DataFrame) -> pd.DataFrame:
        cells = rows[[*who, along]]
        return cells.merge(over_homes, on=[*who, along], how="left", validate="one_to_one")

    yield (
        statistic(table, "closed_form").sort_values(along),
        statistic(table, "closed_form_over_homes").sort_values(along),
        {"color": BLACK, "marker": "D", "label": "knows all other homes (exact)"},
    )
    other_homes = int(table["n"].iloc[0]) - 1
    for share, (colour, marker) in sorted(
        zip(sorted(known_shares), _KNOWING, strict=False), reverse=True
    ):
        rows = played[
            (played["adversary"] == "normal") & (played["known"] == int(share * other_homes))
        ]
        name = f"knows {share:.0%} of them" if share else "knows none of them"
        label = f"{name}, and how days vary together"
        yield (
            rows,
            same(rows),
            {"color": colour, "marker": marker, "label": label.replace("%", " %")},
        )
    others = without_controls(set(played["adversary"]) - {"normal", *EXACT_LABEL})
    simple = played[played["adversary"].isin(others)]
    best = (
        "best of the paper's three"
        if set(others) == set(PAPERS_ADVERSARIES)
        else "best who knows no mechanism"
    )
    rows = simple.loc[simple.groupby(along)["value"].idxmax()].sort_values(along)
    yield (
        rows,
        same(rows),
        {"color": RED, "marker": "P", "label": best},
    )
    rows = played[played["adversary"] == "control"]
    yield (
        rows,
        same(rows),
        {"color": GREY, "marker": ".", "linestyle": ":", "label": "control (sees no output)"},
    )
