"""Figure 4 of Farokhi, "Noiseless Privacy": disaggregation of quantized mains."""

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from noiseless.adversaries import appliances as players
from noiseless.adversaries.labels import labels_of, without_controls
from noiseless.figures.labels import in_order, label
from noiseless.figures.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    LEVEL,
    ORANGE,
    PAGE_WIDTH_IN,
    PURPLE,
    RED,
    SKY,
    looks_of,
    new_figure,
    statistic,
)
from noiseless.statistics import over

_ADVERSARIES = {
    "co": (RED, "o"),
    "co_vampire": (ORANGE, "v"),
    "hmm": (BLUE, "s"),
    "learned": (GREEN, "^"),
}
_CONTROLS = {"always_on": (BLACK, "--"), "chance": (GREY, ":")}
_LINES = ((BLACK, "o"), (BLUE, "s"), (ORANGE, "^"), (GREEN, "v"), (RED, "D"), (PURPLE, "P"))
_OTHER = (SKY, "", "{} others")  # where there are too many for a line each


def fig4(attacks: pd.DataFrame, recording: pd.DataFrame, *, period_s: int) -> Figure:
    """F-score of each adversary against the budget, mean and by appliance, over the controls.

    Parameters
    ----------
    attacks : DataFrame
        Table ``noiseless/nilm_attacks``.
    recording : DataFrame
        Table ``noiseless/nilm_recording``.
    period_s : int
        Length of a bin in seconds.
    """
    labels = labels_of(players)
    shown = without_controls(in_order(labels, attacks["adversary"]))
    looks = looks_of(_ADVERSARIES, shown)
    usual = over(attacks[attacks["adversary"].isin(_CONTROLS)])
    over_of = {name: over(attacks[attacks["adversary"] == name]) for name in shown}
    marks = {name: "" if over_of[name] == usual else " *" for name in shown}
    marked = attacks[attacks["adversary"].isin([name for name in shown if marks[name]])]
    starred = f" (*: {over(marked)})" if len(marked) else ""
    appliances = attacks["appliance"].drop_duplicates().tolist()
    appliances = ["mean", *(name for name in appliances if name != "mean")]
    columns = math.ceil(len(appliances) / 2)
    figure, axes = new_figure(
        2, columns, width_in=PAGE_WIDTH_IN, height_in=4.3, sharex=True, sharey=True
    )
    for axis, appliance in zip(axes, appliances, strict=False):
        scores = statistic(attacks, "f_score_losses", appliance=appliance)
        for name, (color, marker) in looks.items():
            rows = scores[scores["adversary"] == name].sort_values("epsilon_bits")
            x = _places(rows["epsilon_bits"])
            axis.fill_between(x, rows["low"], rows["high"], color=color, alpha=0.15, linewidth=0)
            called = label(labels, name) + marks[name]
            axis.plot(x, rows["value"], marker=marker, markersize=3, color=color, label=called)
        for name, (color, dashes) in _CONTROLS.items():
            value = scores.loc[scores["adversary"] == name, "value"].item()
            called = labels[name]
            axis.axhline(value, color=color, linestyle=dashes, linewidth=0.9, label=called)
        axis.set_title(_title(appliance, recording, len(appliances) - 1))
        _label_budgets(axis, scores["epsilon_bits"])
    axes[0].set_ylim(0, 1)
    for axis in axes[::columns]:
        axis.set_ylabel("f-score")
    for axis in axes[len(appliances) :]:
        axis.set_axis_off()
    for axis in axes[-columns:]:
        axis.set_xlabel(r"privacy budget $\epsilon$ (bits)")
    test = recording[recording["part"] == "test"]
    bins, days = (int(statistic(test, name)["value"].iloc[0]) for name in ("bins", "days"))
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=2,
        title=f"{bins:,} bins of {period_s} s on {days} days; bands: {LEVEL} intervals over "
        f"{usual}{starred} drawn anew",
        title_fontsize=7,
    )
    return figure


def fig4_choices(choices: pd.DataFrame) -> Figure:
    """What the paper's adversary gains under every option of every choice, one panel per choice.

    Parameters
    ----------
    choices : DataFrame
        Table ``noiseless/nilm_choices``.
    """
    names = choices["choice"].drop_duplicates().tolist()
    columns = 3
    rows = math.ceil(len(names) / columns)
    figure, axes = new_figure(
        rows, columns, width_in=PAGE_WIDTH_IN, height_in=2.1 * rows, sharex=True, sharey=True
    )
    for axis, name in zip(axes, names, strict=False):
        gains = statistic(choices, "gain_losses", choice=name)
        options = [each for each in gains["option"].drop_duplicates() if each != "spread"]
        others = len(options) - 1
        for number, option in enumerate(options):
            chosen = gains[gains["option"] == option].sort_values("epsilon_bits")
            color, marker, label = (*_LINES[number], option) if others < len(_LINES) else _OTHER
            if number == 0:
                color, marker, label = BLACK, "o", "baseline"
            axis.plot(
                _places(chosen["epsilon_bits"]),
                chosen["value"],
                marker=marker,
                markersize=2.5,
                linewidth=0.9,
                color=color,
                zorder=3 if number == 0 else 2,
                label=label.format(others) if number < 2 or others < len(_LINES) else None,
            )
        axis.axhline(0, color=GREY, linestyle="--", linewidth=0.8, zorder=1)
        axis.set_title(name)
        axis.legend(fontsize=5.5)
        _label_budgets(axis, gains["epsilon_bits"])
    for axis in axes[::columns]:
        axis.set_ylabel("f-score above always on")
    for axis in axes[len(names) :]:
        axis.set_axis_off()
    for axis in axes[max(0, len(names) - columns) : len(names)]:
        axis.set_xlabel(r"privacy budget $\epsilon$ (bits)")
        axis.tick_params(labelbottom=True)
    return figure


def _places(epsilon_bits: pd.Series) -> NDArray[np.float64]:
    """Budgets on the axis, with the release without a quantizer beyond the last of them."""
    finite = epsilon_bits[np.isfinite(epsilon_bits)]
    return np.where(np.isfinite(epsilon_bits), epsilon_bits, finite.max() + 1.5)


def _label_budgets(axis: Axes, epsilon_bits: pd.Series) -> None:
    """Mark every budget, or every other one if there are many, and "none"."""
    budgets = epsilon_bits[(epsilon_bits > 0) & np.isfinite(epsilon_bits)].unique()
    shown = [each for each in budgets if len(budgets) <= 6 or each % 2 == 0]
    axis.set_xticks([*shown, budgets.max() + 1.5], [*(f"{each:g}" for each in shown), "none"])


def _title(appliance: str, recording: pd.DataFrame, count: int) -> str:
    """Title of an appliance's panel, with the share of the time that it is on."""
    if appliance == "mean":
        return f"mean of {count} appliances"
    share = statistic(recording, "on_share", part="test", meter=appliance)["value"].item()
    return f"{appliance} (on {100 * share:.1f} % of the time)"
