"""Figure 4 of Farokhi, "Noiseless Privacy": disaggregation of quantized mains."""

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from noiseless.adversaries import appliances as players
from noiseless.adversaries.labels import drop_controls, load_adversary_labels
from noiseless.figures import style
from noiseless.figures.labels import sort_by_label
from noiseless.statistics import get_sampled_unit

_ADVERSARIES = {
    "co": (style.RED, "o"),
    "co_vampire": (style.ORANGE, "v"),
    "hmm": (style.BLUE, "s"),
    "learned": (style.GREEN, "^"),
}
_CONTROLS = {"always_on": (style.BLACK, "--"), "chance": (style.GREY, ":")}
_LINES = (
    *((style.BLACK, "o"), (style.BLUE, "s"), (style.ORANGE, "^"), (style.GREEN, "v")),
    *((style.RED, "D"), (style.PURPLE, "P")),
)
_BITS = r"privacy budget $\epsilon$ (bits)"


def plot_fig4(attacks: pd.DataFrame, meters: pd.DataFrame, *, period_s: int) -> Figure:
    """F-score of each adversary against the budget, mean and by appliance, over the controls.

    Parameters
    ----------
    attacks : DataFrame
        Table ``noiseless/nilm_attacks_<recording>``.
    meters : DataFrame
        Table ``noiseless/nilm_meters_<recording>``.
    period_s : int
        Length of a bin in seconds.
    """
    labels = load_adversary_labels(players)
    shown = drop_controls(sort_by_label(labels, attacks["adversary"]))
    looks = style.assign_looks(_ADVERSARIES, shown)
    usual = get_sampled_unit(attacks[attacks["adversary"].isin(_CONTROLS)])
    others = [
        name for name in shown if get_sampled_unit(attacks[attacks["adversary"] == name]) != usual
    ]
    starred = (
        f" (*: {get_sampled_unit(attacks[attacks['adversary'].isin(others)])})" if others else ""
    )
    appliances = attacks["appliance"].drop_duplicates().tolist()
    appliances = ["mean", *(name for name in appliances if name != "mean")]
    columns = math.ceil(len(appliances) / 2)
    figure, axes = style.create_figure(2, columns, height_in=4.3, sharex=True, sharey=True)
    for axis, appliance in zip(axes[: len(appliances)], appliances, strict=True):
        scores = style.select_statistic(attacks, "f_score_losses", appliance=appliance)
        for name, (color, marker) in looks.items():
            rows = scores[scores["adversary"] == name].sort_values("epsilon_bits")
            x = _compute_positions(rows["epsilon_bits"])
            axis.fill_between(x, rows["low"], rows["high"], color=color, alpha=0.15, linewidth=0)
            called = style.format_label(labels, name) + (" *" if name in others else "")
            axis.plot(x, rows["value"], marker=marker, markersize=3, color=color, label=called)
        for name, (color, dashes) in _CONTROLS.items():
            value = scores.loc[scores["adversary"] == name, "value"].item()
            called = labels[name]
            axis.axhline(value, color=color, linestyle=dashes, linewidth=0.9, label=called)
        axis.set_title(_format_title(appliance, meters, len(appliances) - 1))
        _label_budgets(axis, scores["epsilon_bits"])
    axes[0].set_ylim(0, 1)
    style.label_edges(axes, columns, xlabel=_BITS, ylabel="f-score", panels=len(appliances))
    bins, days = (int(style.get_value(meters, name, part="test")) for name in ("bins", "days"))
    style.add_outside_legend(figure, axes[:1], "upper center", ncols=2)
    style.add_note(
        figure,
        f"{bins:,} bins of {period_s} s on {days} days; bands: {style.CONFIDENCE_TEXT} "
        f"intervals over {usual}{starred} drawn anew",
    )
    return figure


def _compute_positions(epsilon_bits: pd.Series) -> NDArray[np.float64]:
    """Budgets on the axis, with the release without a quantizer beyond the last of them."""
    finite = epsilon_bits[np.isfinite(epsilon_bits)]
    return np.where(np.isfinite(epsilon_bits), epsilon_bits, finite.max() + 1.5)


def _label_budgets(axis: Axes, epsilon_bits: pd.Series) -> None:
    """Mark every budget, or every other one if there are many, and "none"."""
    budgets = epsilon_bits[(epsilon_bits > 0) & np.isfinite(epsilon_bits)].unique()
    shown = [each for each in budgets if len(budgets) <= 6 or each % 2 == 0]
    axis.set_xticks([*shown, budgets.max() + 1.5], [*(f"{each:g}" for each in shown), "none"])


def _format_title(appliance: str, meters: pd.DataFrame, count: int) -> str:
    """Title of an appliance's panel, with the share of the time that it is on."""
    if appliance == "mean":
        return f"mean of {count} appliances"
    share = style.get_value(meters, "on_share", part="test", meter=appliance)
    return f"{style.escape_text(appliance)} (on {100 * share:.1f} % of the time)"
