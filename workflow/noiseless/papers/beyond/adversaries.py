"""Advantage in the membership game by knowledge of the mechanism and of other homes.

1. :func:`build_advantage_table` plays the game (:mod:`noiseless.papers.beyond.informed`) for each
   n, budget and number of reports.
2. :func:`build_composed_budgets_table` computes what Theorem 6 of ``noiseless`` guarantees for as
   many reports.
3. :func:`build_adversary_tables` builds both tables for the figures.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from noiseless.games.membership import (
    build_energy_matrix,
    compute_public_maximum_wh,
    filter_possible_days,
    filter_possible_n,
)
from noiseless.games.releases import build_releases
from noiseless.mechanisms.families.quantizer import count_touched_bins
from noiseless.papers.beyond.informed import estimate_advantages
from noiseless.statistics import build_rows


def build_advantage_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    n: Sequence[int],
    epsilon_bits: Sequence[float],
    days: Sequence[int],
    known_shares: Sequence[float],
    public_range_kwh: float,
    quantizer_rule: str,
) -> pd.DataFrame:
    """Estimate the advantage of each adversary for each n, budget and number of reports.

    Half-hours are summed to days; the exact mean (infinite), in which nothing is clipped, is added.
    An n for which half of the homes are too few, and more days than there are readings, are
    skipped, with a message; :class:`TooSmallError` if nothing is left.

    ``known`` is the number of other homes whose readings the adversary knows.  ``behind_exact`` is
    by how much the exact adversary's advantage in the same games is larger, and ``gain_of_knowing``
    the advantage less that of the same adversary with the next smaller number of known homes.
    ``closed_form`` of the exact adversary is the share of games in which the two candidates give
    different outputs, which is its advantage without the luck of its coins.
    """
    energy = build_energy_matrix(readings, resolution="days")
    key, who = "beyond.adversaries", "half of the homes, {}, play"
    n = filter_possible_n(n, homes=len(energy) // 2, key=f"{key}.n", who=who)
    days = filter_possible_days(days, readings=energy.shape[1], key=f"{key}.days")
    maximum = compute_public_maximum_wh(public_range_kwh)
    budgets = [*map(float, epsilon_bits), math.inf]
    return estimate_advantages(
        energy,
        {
            size: [
                ({"epsilon_bits": budget}, release)
                for budget, release in zip(
                    budgets,
                    build_releases(
                        budgets,
                        n=size,
                        maximum_wh=maximum,
                        quantizer_rule=quantizer_rule,
                        energy_wh=energy,
                    ),
                    strict=True,
                )
            ]
            for size in n
        },
        dataset=dataset,
        seed=seed,
        games=games,
        days=days,
        known_shares=known_shares,
    )


def build_composed_budgets_table(advantages: pd.DataFrame) -> pd.DataFrame:
    """Compute what Theorem 6 guarantees for T reports, for each cell of a table of advantages.

    ``composed_bits`` is T epsilon; ``attained_bits`` T times the logarithm of the number of cells
    that one home can move a day's mean into, which for Theorem 8's levels is a little more than
    epsilon; ``guaranteed_advantage`` the largest advantage that this number leaves open for some
    pair of candidates: 0 where there is one output only, and 1 from two on, because two outputs are
    enough to tell two candidates apart.
    """
    rows = []
    levels = advantages[
        (advantages["statistic"] == "levels") & np.isfinite(advantages["epsilon_bits"])
    ]
    for row in levels.itertuples(index=False):
        cell = {
            **{"adversary": "any", "known": 0},
            **{"n": row.n, "epsilon_bits": row.epsilon_bits, "days": row.days},
        }
        touched = count_touched_bins(int(row.value), output_range=row.n, sensitivity=1)
        rows += build_rows(
            cell,
            composed_bits=row.days * row.epsilon_bits,
            attained_bits=row.days * math.log2(touched),
            guaranteed_advantage=float(touched > 1),
        )
    return pd.DataFrame(rows)


def build_adversary_tables(readings: pd.DataFrame, **settings: Any) -> dict[str, pd.DataFrame]:
    """Build both tables of a dataset, by the names of their rule's outputs.

    ``adversaries`` has all statistics of the longest number of days, and ``repeated`` the
    advantages for every number of days, with what Theorem 6 says of them.
    """
    played = build_advantage_table(readings, **settings)
    longest = played["days"] == max(played["days"])
    shown = played["statistic"].isin(
        [
            *("advantage", "advantage_over_homes"),
            *("closed_form", "closed_form_over_homes", "behind_exact"),
        ]
    )
    return {
        "adversaries": played[longest],
        "repeated": pd.concat(
            [played[shown], build_composed_budgets_table(played)], ignore_index=True
        ),
    }
