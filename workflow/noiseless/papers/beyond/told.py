"""What an outsider gains from a year of rounded means, against the homes whose statistics it has.

A custodian's homes are compared with everybody's: an outsider may have statistics of any homes that
are public.  :func:`told_table` plays the games of :mod:`noiseless.games.pairs`.  In each draw,
homes are in the mean, candidates, or neither; those that are neither tell, some of them or all.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.adversaries.labels import NORMAL
from noiseless.adversaries.normal_homes import Population
from noiseless.games.membership import WH_PER_KWH, energy_matrix, membership_adversaries
from noiseless.games.pairs import pair_gains_of, periods_of, plan_games, totals_of
from noiseless.games.releases import RoundedMean, sum_seen
from noiseless.seeds import generator
from noiseless.statistics import paired_mean
from noiseless.statistics import rows as rows_of


def told_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    n: Sequence[int],
    told: Sequence[int],
    rounding_kwh: float,
    days_per_value: Sequence[int],
    draws: int,
    candidates: int,
) -> pd.DataFrame:
    """Gain of each outsider for each number of homes that tell.

    Parameters
    ----------
    readings : DataFrame
        Prepared table, as for :func:`noiseless.games.membership.energy_matrix`.
    dataset, seed
        Coordinates of the random streams.
    n : sequence of int
        Homes in a mean; those that leave no two candidates and two other homes are skipped.
    told : sequence of int
        Homes that tell; those that there are too few for are skipped, and all that are neither
        in the mean nor candidates are added.
    rounding_kwh : float
        Step to which a mean is rounded, in kWh a day.
    days_per_value : sequence of int
        Days that one published value is the mean of.
    draws, candidates : int
        Draws of who is in the mean, and candidates in each; all pairs of them play.

    Returns
    -------
    DataFrame
        Cells (days_per_value, n, adversary, told), told 0 for adversaries who know nothing of
        homes.  Statistics: ``gain``, 2 P(right) - 1 with its 95 % interval over draws of these
        homes; for the adversary ``any``, ``games`` and ``homes``.
    """
    energy = energy_matrix(readings, resolution="days")
    homes = len(energy)
    players = [each() for each in membership_adversaries(trained=False) if not each.sees_series]
    rows = []
    cases = [(days, size) for days in days_per_value for size in n if size + 3 <= homes]
    for days, size in tqdm(cases, desc=f"homes that tell, {dataset}", unit="cell"):
        values = periods_of(energy, days)
        release = RoundedMean(size, round(rounding_kwh * days * WH_PER_KWH))
        most = min(candidates, (homes - size + 1) // 2)
        rng = generator(seed, "told", dataset, "n", size, "days", days)
        plan = plan_games(rng, homes=homes, n=size, draws=draws, candidates=most)
        everybody = homes - size + 1 - most
        numbers = [*(each for each in sorted(told) if each < everybody), everybody]
        gains: dict[tuple[str, int], list[float]] = {}
        for draw in plan:
            x, series = values[draw.candidates], release.publish(totals_of(values, draw))
            taken = np.concatenate([draw.others, draw.candidates])
            rest = rng.permutation(np.setdiff1d(np.arange(homes), taken))
            for number in numbers:
                population = Population.estimate(values[rest[:number]])
                seen = sum_seen(release, population)
                # Those who know nothing of homes play once.
                found = pair_gains_of(x, series, seen, players if number == everybody else [])
                for name, gain in found.items():
                    if name == NORMAL or number == everybody:
                        knows = number if name == NORMAL else 0
                        gains.setdefault((name, knows), []).append(float(gain.mean()))
        cell = {"days_per_value": days, "n": size}
        for (name, knows), found_in_draws in gains.items():
            estimate = paired_mean(np.array(found_in_draws), over="draws")
            rows += rows_of({**cell, "adversary": name, "told": knows}, gain=estimate)
        rows += rows_of(
            {**cell, "adversary": "any", "told": 0},
            games=float(draws * most * (most - 1)),
            homes=float(homes),
        )
    return pd.DataFrame(rows)
