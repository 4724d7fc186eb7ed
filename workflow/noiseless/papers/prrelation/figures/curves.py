"""Figures of precision, recall and F-scores (``prrelation``, Figures 3 to 8, and beyond)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noiseless.figures import style
from noiseless.figures.style import create_figure, select_rows, select_statistic

KNOWLEDGE_SYMBOLS = {
    "none": "nothing",
    "prior": r"prior $\rho_p$",
    "records": r"$\rho_p$, records $\rho_c$",
    "time": r"$\rho_p$, $\rho_c$, past $\rho_t$",
}
"""Coefficients of each side knowledge in the paper's symbols, short enough for a narrow figure."""


KNOWLEDGE_STYLES = {
    "none": (style.BLUE, "-"),
    "prior": (style.ORANGE, "--"),
    "records": (style.GREEN, "-."),
    "time": (style.RED, ":"),
}
_CALIBRATIONS = {
    "classical": (style.BLUE, "-", "o", "classical"),
    "printed": (style.RED, ":", "s", "as the paper prints it"),
    "analytic": (style.GREEN, "--", "^", "analytic"),
}


def plot_fig3(
    curves: pd.DataFrame,
    f_scores: pd.DataFrame,
    rates: pd.DataFrame,
    counted: pd.DataFrame,
    printed: pd.DataFrame,
    *,
    answers: int,
) -> Figure:
    """Plot precision against recall, and the best F-score, for a Laplace answer.

    Markers are the rates and scores that were counted, each on ``answers`` noisy answers.
    """
    figure, (left, right) = create_figure(1, 2, height_in=2.9)
    where = {"mechanism": "laplace", "knowledge": "none"}
    _plot_curves(left, curves, rates, where, along="epsilon_nats")
    left.set_title("(a)")
    numbers = style.select_printed(printed, "prrelation/curves", "precision", **where)
    for number in numbers.itertuples():  # of every recall on a curve
        recall = select_statistic(curves, "recall", epsilon_nats=number.epsilon_nats, **where)
        ends = recall["value"].agg(["min", "max"])
        style.plot_printed(left, ends, [number.high] * 2, linestyle="-", linewidth=0.8)
    shown, names = left.get_legend_handles_labels()
    if style.PRINTED_LABEL in names:  # between the curves of the two largest ε
        marks = [shown[names.index(style.PRINTED_LABEL)]]
        left.legend(handles=marks, loc="lower left", bbox_to_anchor=(0.3, 0.79))
    formula = select_statistic(f_scores, "f_score", **where)
    markers = select_statistic(counted, "f_score", query="smokers", **where)
    betas = sorted(formula["beta"].unique())
    lines = []
    for color, (beta, each) in zip(
        style.choose_shades(len(betas)), formula.groupby("beta"), strict=True
    ):
        label = rf"$\beta$ = {beta:g}"
        lines += right.semilogx("epsilon_nats", "value", data=each, color=color, label=label)
        dots = select_rows(markers, beta=beta)
        style.plot_intervals(right, dots["epsilon_nats"], dots, color=color, **_MARKER_STYLE)
    right.set(
        xlabel=r"privacy budget $\epsilon$ (nats)",
        ylabel=r"best $F_\beta$ of any test",
        title="(b)",
    )
    _make_room_at_left(right, formula["epsilon_nats"], decades=0.6)
    style.label_line_starts(right, lines)
    _add_answers_note(figure, answers)
    return figure


def plot_fig4(curves: pd.DataFrame, rates: pd.DataFrame, *, answers: int) -> Figure:
    """Plot precision against recall for a Gaussian answer with the classical calibration."""
    figure, (left, right) = create_figure(1, 2, height_in=2.9, sharey=True)
    gaussian = select_rows(curves, mechanism="gaussian_classical")
    by_delta = gaussian.groupby("delta")["epsilon_nats"].nunique()
    by_epsilon = gaussian.groupby("epsilon_nats")["delta"].nunique()
    delta, epsilon_nats = by_delta.idxmax(), by_epsilon.idxmax()
    where = {"mechanism": "gaussian_classical", "knowledge": "none"}
    _plot_curves(left, curves, rates, {**where, "delta": delta}, along="epsilon_nats")
    left.set_title(rf"(a) $\delta$ = {_format_level(delta)}")
    at_epsilon = {**where, "epsilon_nats": epsilon_nats}
    _plot_curves(right, curves, rates, at_epsilon, along="delta")
    right.set(title=rf"(b) $\epsilon$ = {epsilon_nats:g}", ylabel="")
    _add_answers_note(figure, answers)
    return figure


def plot_fig5_6_7(curves: pd.DataFrame, rates: pd.DataFrame, *, answers: int) -> Figure:
    """Plot precision against recall for a Laplace answer and adversaries with side knowledge."""
    figure, axes = create_figure(1, 3, height_in=2.7, sharey=True)
    panels = {"prior": "Fig. 5b", "records": "Fig. 6b", "time": "Fig. 7b"}
    for axis, (name, title) in zip(axes, panels.items(), strict=True):
        where = {"mechanism": "laplace", "knowledge": name}
        _plot_curves(axis, curves, rates, where, along="epsilon_nats", room=0.32)
        axis.set(title=f"{title}: knows {KNOWLEDGE_SYMBOLS[name]}")
        if axis is not axes[0]:
            axis.set_ylabel("")
    _add_answers_note(figure, answers)
    return figure


def plot_fig8(f_scores: pd.DataFrame, counted: pd.DataFrame, *, answers: int) -> Figure:
    """Plot the best F1 against epsilon for adversaries with more and more side knowledge."""
    figure, (axis,) = create_figure()
    lines = []
    for name, (color, dashes) in KNOWLEDGE_STYLES.items():
        where = {"mechanism": "laplace", "knowledge": name, "beta": 1.0}
        formula = select_statistic(f_scores, "f_score", **where)
        look = {"color": color, "label": KNOWLEDGE_SYMBOLS[name]}
        lines += axis.semilogx("epsilon_nats", "value", dashes, data=formula, **look)
        dots = select_statistic(counted, "f_score", query="smokers", **where)
        style.plot_intervals(axis, dots["epsilon_nats"], dots, color=color, **_MARKER_STYLE)
    axis.set(
        xlabel=r"privacy budget $\epsilon$ (nats)",
        ylabel=r"best $F_1$ of any test",
        title="by what the adversary knows",
    )
    _make_room_at_left(axis, f_scores["epsilon_nats"], decades=1.1)
    style.label_line_starts(axis, lines)
    _add_answers_note(figure, answers)
    return figure


def plot_calibrations(calibrations: pd.DataFrame, f_scores: pd.DataFrame) -> Figure:
    """Plot the exact delta of the calibrations of normal noise, and the adversary's best F1."""
    figure, (left, right) = create_figure(1, 2, height_in=2.7)
    delta = select_statistic(f_scores, "f_score", mechanism="gaussian_classical")["delta"].iloc[0]
    where = {"knowledge": "none", "beta": 1.0}
    for name, (color, dashes, marker, label) in _CALIBRATIONS.items():
        kept = select_statistic(calibrations, "delta_ratio", calibration=name, delta=delta)
        shown = kept[kept["value"] > 1e-8]
        look = {"marker": marker, "markersize": 3, "color": color, "label": label}
        left.loglog("epsilon_nats", "value", dashes, data=shown, **look)
        won = select_statistic(f_scores, "f_score", mechanism=f"gaussian_{name}", **where)
        look = {"color": color, "label": f"Gaussian, {label}"}
        right.semilogx("epsilon_nats", "value", dashes, data=won, **look)
    left.axhline(1, color=style.GREY, linewidth=0.6)
    left.set(
        xlabel=r"promised $\epsilon$",
        ylabel=r"exact $\delta$ / promised $\delta$ (above 1: broken)",
        title=rf"promised $\delta$ = {_format_level(delta)}",
        ylim=(1e-8, None),
    )
    left.legend()
    laplace = select_statistic(f_scores, "f_score", mechanism="laplace", **where)
    right.semilogx("epsilon_nats", "value", data=laplace, color=style.BLACK, label="Laplace")
    right.set(
        xlabel=r"promised $\epsilon$",
        ylabel=r"best $F_1$ of any test",
        title="what the adversary wins",
    )
    right.legend(loc="upper left")
    return figure


_MARKER_STYLE: dict[str, Any] = {"fmt": "o", "markersize": 2.2, "linewidth": 0.6, "capsize": 1.2}


def _format_level(level: float) -> str:
    """Format a number as a power of ten, if it is one; delta is one in most uses."""
    exponent = np.log10(level)
    return f"$10^{{{exponent:.0f}}}$" if np.isclose(exponent, np.rint(exponent)) else f"{level:g}"


def _make_room_at_left(axis: Axes, places: pd.Series, *, decades: float) -> None:
    """Make room for labels left of the least place of a logarithmic axis, without ticks there."""
    least = places.min()
    axis.set_xlim(least / 10**decades, 1.5 * places.max())
    for is_minor in (False, True):
        ticks = [each for each in axis.get_xticks(minor=is_minor) if each >= 0.999 * least]
        axis.set_xticks(ticks, minor=is_minor)
    axis.set_xlim(least / 10**decades, 1.5 * places.max())


def _add_answers_note(figure: Figure, answers: int) -> None:
    """Note on how many answers the markers were counted."""
    style.add_note(figure, f"markers: counted on {answers:,} answers each")


def _plot_curves(
    axis: Axes,
    curves: pd.DataFrame,
    rates: pd.DataFrame,
    where: Mapping[str, object],
    *,
    along: str,
    room: float = 0.2,
) -> None:
    """Plot precision against recall and the counted points, a curve for each value of ``along``.

    The labels of the curves take the given room left of a recall of 0.
    """
    precision, recall = (
        select_statistic(curves, name, **where) for name in ("precision", "recall")
    )
    counted, counted_recall = (
        select_statistic(rates, name, query="smokers", **where) for name in ("precision", "recall")
    )
    levels = sorted(precision[along].unique())
    symbol = {"epsilon_nats": r"$\epsilon$", "delta": r"$\delta$"}[along]
    colours = (
        style.choose_two_hues(levels, 1.0)
        if along == "epsilon_nats"
        else style.choose_shades(len(levels))
    )
    lines = []
    for color, level in zip(colours, levels, strict=True):
        x, y, dots_x, dots = (
            select_rows(each, **{along: level})
            for each in (recall, precision, counted_recall, counted)
        )
        label = f"{symbol} = {_format_level(level) if along == 'delta' else f'{level:g}'}"
        lines += axis.plot(x["value"], y["value"], color=color, label=label)
        style.plot_intervals(axis, dots_x["value"], dots, color=color, **_MARKER_STYLE)
    axis.set(xlabel="recall", ylabel="precision", xlim=(-room, 1.01), ylim=(0.45, 1.01))
    axis.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    style.label_line_starts(axis, lines)
