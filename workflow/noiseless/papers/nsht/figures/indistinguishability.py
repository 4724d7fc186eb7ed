"""Figures 7 and 8 of ``nsht``: levels and leakage of the averaging query."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noiseless.arrays import Floats
from noiseless.figures.style import (
    DEFAULT_LOOKS,
    GREY,
    create_figure,
    iterate_looks,
    select_statistic,
)


def plot_fig7(indistinguishability: pd.DataFrame) -> Figure:
    """Plot the levels of the quantized average against the budget (bits) that allows them."""
    figure, (axis,) = create_figure()
    people = sorted(indistinguishability["people"].unique())
    shown = sorted({*np.linspace(0, len(people) - 1, 4).astype(int).tolist()})  # evenly spread
    for n, (color, marker) in zip(
        [people[i] for i in shown], iterate_looks(DEFAULT_LOOKS), strict=False
    ):
        look: dict[str, Any] = {"marker": marker, "markersize": 3, "color": color}
        printed, exact = (
            select_statistic(indistinguishability, name, people=n)
            for name in ("levels_printed", "levels_exact")
        )
        axis.semilogy("epsilon_bits", "value", "-", data=printed, label=f"n = {n}", **look)
        axis.semilogy("epsilon_bits", "value", ":", data=exact, label="_", **look)
    axis.plot([], [], "-", color=GREY, label="Theorem 5")
    axis.plot([], [], ":", color=GREY, label="exact")
    axis.set(xlabel=r"budget $\varepsilon$ (bits)", ylabel="levels $q$ of the average")
    axis.legend(ncols=2)
    return figure


def plot_fig8(indistinguishability: pd.DataFrame) -> Figure:
    """Plot the leakage (nats) of the quantized average: of all data, and of one person's data."""
    figure, (left, right) = create_figure(1, 2, height_in=2.6)
    leakage = select_statistic(indistinguishability, "leakage_nats")
    grid = leakage.pivot(index="epsilon_bits", columns="people", values="value")
    people = np.log2(grid.columns.to_numpy(dtype=float))
    budgets_bits = grid.index.to_numpy(dtype=float)
    edges = _compute_edges(people), _compute_edges(budgets_bits)
    image = left.pcolormesh(*edges, grid.to_numpy(), cmap="cividis")
    left.set_xticks(people, [f"{n:g}" for n in grid.columns])
    left.set_yticks(budgets_bits, [f"{each:g}" for each in budgets_bits])
    left.set(xlabel="people $n$", ylabel=r"budget $\varepsilon$ (bits)")
    figure.colorbar(image, ax=left, label="$L_0(X;Y)$ (nats)")
    budgets = [each for each in sorted(leakage["epsilon_bits"].unique()) if each >= 2][:4]
    for epsilon_bits, (color, marker) in zip(budgets, iterate_looks(DEFAULT_LOOKS), strict=False):
        look: dict[str, Any] = {"marker": marker, "markersize": 3, "color": color}
        shared, of_one = (
            select_statistic(indistinguishability, name, epsilon_bits=epsilon_bits)
            for name in ("leakage_per_person_nats", "leakage_of_one_nats")
        )
        label = rf"$\varepsilon$ = {epsilon_bits:g}"
        right.plot("people", "value", "-", data=shared, label=label, **look)
        right.plot("people", "value", ":", data=of_one, label="_", **look)
    right.plot([], [], "-", color=GREY, label="$L_0(X;Y)/n$")
    right.plot([], [], ":", color=GREY, label="$L_0(X_i;Y)$")
    top = 1.45 * select_statistic(indistinguishability, "leakage_per_person_nats")["value"].max()
    right.set_xscale("log", base=2)
    right.set_xticks(grid.columns, [f"{n:g}" for n in grid.columns])
    right.set(xlabel="people $n$", ylabel="leakage for each person (nats)", ylim=(0, top))
    right.legend(ncols=2, loc="upper left")
    return figure


def _compute_edges(places: Floats) -> Floats:
    """Compute the edges of the fields around sorted places: half-way, and as far at both ends."""
    if len(places) == 1:
        return places[0] + np.array([-0.5, 0.5])
    middles = (places[:-1] + places[1:]) / 2
    return np.concatenate([[2 * places[0] - middles[0]], middles, [2 * places[-1] - middles[-1]]])
