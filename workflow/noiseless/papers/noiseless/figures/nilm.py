"""Figure 4 of Farokhi, "Noiseless Privacy": disaggregation of quantized mains."""

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.adversaries import appliances as players
from noiseless.adversaries.inputs.appliances import MEAN, MEAN_SWITCHED
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
_MEANS = (MEAN, MEAN_SWITCHED)
_BITS = r"privacy budget $\epsilon$ (bits)"


def plot_fig4(attacks: pd.DataFrame, meters: pd.DataFrame, *, period_s: int) -> Figure:
    """Plot the f-score of each adversary against the budget, in the mean and by appliance.

    The second mean is over the appliances that can be missed, where there are others, too.
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
    appliances = [name for name in attacks["appliance"].drop_duplicates() if name not in _MEANS]
    shares = {
        name: style.get_value(meters, "on_share", part="test", meter=name) for name in appliances
    }
    titles = _format_titles(shares)
    appliances = list(titles)
    columns = math.ceil(len(appliances) / 2)
    figure, axes = style.create_figure(2, columns, height_in=4.3, sharex=True, sharey=True)
    for axis, appliance in zip(axes[: len(appliances)], appliances, strict=True):
        scores = style.select_statistic(attacks, "f_score_losses", appliance=appliance)
        for name, (color, marker) in looks.items():
            rows = scores[scores["adversary"] == name].sort_values("epsilon_bits")
            bits = rows["epsilon_bits"]
            is_finite = np.isfinite(bits)  # the release without a quantizer is beyond the last one
            x = np.where(is_finite, bits, bits[is_finite].max() + 1.5)
            axis.fill_between(x, rows["low"], rows["high"], color=color, alpha=0.15, linewidth=0)
            called = style.format_label(labels, name) + (" *" if name in others else "")
            axis.plot(x, rows["value"], marker=marker, markersize=3, color=color, label=called)
        for name, (color, dashes) in _CONTROLS.items():
            value = scores.loc[scores["adversary"] == name, "value"].item()
            called = labels[name]
            axis.axhline(value, color=color, linestyle=dashes, linewidth=0.9, label=called)
        axis.set_title(titles[appliance])
        _label_budgets(axis, scores["epsilon_bits"])
    axes[0].set_ylim(0, 1.05)  # a line at 1 is not hidden by the frame
    style.label_edges(axes, columns, xlabel=_BITS, ylabel="f-score", panels=len(appliances))
    bins, days = (int(style.get_value(meters, name, part="test")) for name in ("bins", "days"))
    style.add_outside_legend(figure, axes[:1], "upper center", ncols=2)
    style.add_note(
        figure,
        f"{bins:,} bins of {period_s} s on {days} days; bands: {style.CONFIDENCE_TEXT} "
        f"intervals over {usual}{starred} drawn anew",
    )
    return figure


def _label_budgets(axis: Axes, epsilon_bits: pd.Series) -> None:
    """Mark every budget, or every other one beside the last if there are many, and "none"."""
    budgets = epsilon_bits[(epsilon_bits > 0) & np.isfinite(epsilon_bits)].unique()
    is_last = budgets == budgets.max()  # which would touch "none"
    shown = budgets if len(budgets) <= 6 else budgets[(budgets % 2 == 0) & ~is_last]
    axis.set_xticks([*shown, budgets.max() + 1.5], [*(f"{each:g}" for each in shown), "none"])


def _format_titles(shares: Mapping[str, float]) -> dict[str, str]:
    """Format the titles of panels, with the share of the time that each appliance is on."""
    scored = [share for share in shares.values() if share > 0]
    switched = [share for share in scored if share < 1]
    titles = {MEAN: f"mean of {len(scored)} appliances"}
    if 0 < len(switched) < len(scored):
        titles[MEAN_SWITCHED] = f"mean of the {len(switched)} not always on"
    for name, share in shares.items():
        # Neither teaches anything: "on" is never right, or always.
        ends = {0.0: "never on: no score", 1.0: "always on: no gain"}
        percent = ends.get(share, f"on {100 * share:.1f} % of the time")
        titles[name] = f"{style.escape_text(name)} ({percent})"
    return titles
