"""Coverage of intervals of the advantage, on simulated homes whose true advantage is known.

Games of n homes out of one or several hundred share homes, so that they are not independent of each
other when homes are drawn anew.  Before an interval is used, it is tried here:

1. Homes are drawn from a population.  The adversary can tell a share ``findable`` of them from any
   other home; a share ``loud`` hides every other home in an aggregate with it.
2. Games are drawn between them as in :mod:`noiseless.games.membership`.  The adversary wins a game
   with the advantage of its two candidates, half of how many are findable, if no other home is
   loud, and with a coin otherwise.  Over the population its advantage is exactly
   ``findable (1 - loud)^(n - 1)``.
3. Intervals are estimated from the games, and the intervals that hold this number are counted.

A loud home stands for one of very large readings: rare, and decisive for all aggregates it is in.

No run makes this table.  ``make coverage`` prints it (:func:`format_coverage_table`), and
``docs/membership-game.md`` holds what it printed last.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.arrays import Bools, Floats, Ints
from noiseless.games.membership import Games, draw_games
from noiseless.seeds import make_generator
from noiseless.statistics import Estimate, build_rows, estimate_proportion

POPULATIONS = {"common": (0.4, 0.02), "rare": (0.1, 0.005)}
"""Shares ``findable`` and ``loud``, by name."""
SETTINGS: Final[Mapping[str, Any]] = {
    "cases": [
        {"homes": 16, "n": 4},
        {"homes": 41, "n": 4},
        {"homes": 41, "n": 8},
        {"homes": 490, "n": 4},
        {"homes": 490, "n": 8},
        {"homes": 490, "n": 32},
        {"homes": 490, "n": 64},
        {"homes": 245, "n": 16},
        {"homes": 245, "n": 32},
    ],
    "games": 1000,
    "repetitions": 400,
    "resamples": 100,
    "seed": 2019,
}
"""Settings of ``make coverage``."""
_METHODS = {"games": "over games", "homes": "over homes", "bootstrap": "bootstrap"}


def build_coverage_table(
    *,
    seed: int,
    cases: Sequence[Mapping[str, int]],
    games: int,
    repetitions: int,
    resamples: int,
) -> pd.DataFrame:
    """Build the table of how often 95 % intervals of simulated games hold the true advantage.

    Methods: ``games``, Wilson's interval over games; ``bootstrap``, percentiles over homes and
    games drawn with replacement, in which a game counts as often as both candidates do; ``homes``,
    the interval over homes of the tables of advantages, where there are enough homes; ``none``, the
    truth.
    """
    rows = []
    tasks = [(case, name) for case in cases for name in POPULATIONS]
    for case, name in tqdm(tasks, desc="coverage of intervals", unit="case"):
        homes, n = case["homes"], case["n"]
        findable, loud = POPULATIONS[name]
        truth = findable * (1 - loud) ** (n - 1)
        estimates_by_method: dict[str, list[Estimate]] = {}
        for repetition in range(repetitions):
            rng = make_generator(seed, "coverage", name, "homes", homes, "n", n, repetition)
            traits = rng.random(homes) < findable, rng.random(homes) < loud
            for method, estimate in _estimate_advantage(rng, traits, n, games, resamples).items():
                estimates_by_method.setdefault(method, []).append(estimate)
        cell = {"population": name, "homes": homes, "n": n}
        rows += build_rows({**cell, "method": "none"}, advantage=truth)
        for method, estimates in estimates_by_method.items():
            n_holding = sum(each.low <= truth <= each.high for each in estimates)
            rows += build_rows(
                {**cell, "method": method},
                coverage=estimate_proportion(n_holding, len(estimates), over="runs"),
                half_width=float(np.mean([(each.high - each.low) / 2 for each in estimates])),
            )
    return pd.DataFrame(rows)


def _estimate_advantage(
    rng: np.random.Generator,
    traits: tuple[Bools, Bools],
    n: int,
    games: int,
    resamples: int,
) -> dict[str, Estimate]:
    """Estimate the advantage in games between simulated homes, with an interval by each method."""
    homes = len(traits[0])
    between = draw_games(rng, homes=homes, n=n, games=games)
    gain = _simulate_games(rng, traits, between)
    over_games = estimate_proportion(int((gain > 0).sum()), games).convert_to_advantage()
    estimates = {
        "games": over_games,
        "bootstrap": _estimate_by_bootstrap(rng, gain, between, homes, resamples),
    }
    over_homes = between.estimate_over_homes(gain)
    if not np.isnan(over_homes.low):
        estimates["homes"] = over_homes
    return estimates


def _simulate_games(
    rng: np.random.Generator,
    traits: tuple[Bools, Bools],
    games: Games,
) -> Floats:
    """Simulate games; return the adversary's gain in each, 1 (won) or -1 (lost), shape (G,)."""
    findable, loud = traits
    advantage = findable[games.candidates].mean(axis=1) * ~loud[games.others].any(axis=1)
    return np.where(rng.random(len(advantage)) < (1 + advantage) / 2, 1.0, -1.0)


def _estimate_by_bootstrap(
    rng: np.random.Generator, gain: Floats, games: Games, homes: int, resamples: int
) -> Estimate:
    """Estimate the mean gain with the 2.5 % and 97.5 % points of resampled homes and games."""
    # One call draws the homes and the games of all resamples, which is faster than many calls.
    counts = [homes, len(gain)]
    drawn = rng.integers(0, np.tile(np.repeat(counts, counts), (resamples, 1)))
    means = _compute_resample_means(drawn[:, :homes], drawn[:, homes:], games.candidates, gain)
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(float(gain.mean()), float(low), float(high), "homes")


def _compute_resample_means(homes: Ints, games: Ints, candidates: Ints, gain: Floats) -> Floats:
    """Compute the weighted mean gain of each resample of homes and games, shape (resamples,).

    A game counts as often as it is drawn, times how often each of its candidates is.  Gains are 1
    or -1, so that the sums are whole numbers.
    """
    first, second = candidates.T
    means = []
    for drawn_homes, drawn_games in zip(homes, games, strict=True):
        n_drawn = np.bincount(drawn_homes, minlength=len(drawn_homes))
        weight = np.bincount(drawn_games, minlength=len(gain)) * n_drawn[first] * n_drawn[second]
        means.append(weight @ gain / max(weight.sum(), 1))
    return np.array(means)


def format_coverage_table(table: pd.DataFrame) -> str:
    """Format the coverage of each method's intervals as a Markdown table, a row for each case.

    Every case must have enough homes for an interval over homes.
    """
    values = table.pivot_table("value", ["homes", "n", "population"], ["method", "statistic"])
    lines = [
        ["population", "homes", "n", "θ", *_METHODS.values()],
        ["---", *["--:"] * (3 + len(_METHODS))],
    ]
    for (homes, n, population), case in values.iterrows():
        covered = [f"{100 * case[method, 'coverage']:.1f} %" for method in _METHODS]
        truth = case["none", "advantage"]
        lines.append([population, str(homes), str(n), f"{truth:.3f}", *covered])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    print(format_coverage_table(build_coverage_table(**SETTINGS)))
