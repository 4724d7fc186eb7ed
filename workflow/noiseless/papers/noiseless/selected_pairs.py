"""Advantage of an adversary who selects the two homes (``noiseless``, Section V.A, Figure 2).

"At first, the adversary can select two households": three ways to choose the two are compared.

1. ``random``: two homes drawn at random, as in Figure 3 here; the mean over all pairs.
2. ``largest_and_median``: the home that uses most and the one in the middle, whatever is released.
3. ``selected``: the pair of which each adversary gains most (:mod:`noiseless.games.pairs`), against
   aggregates of one half of the homes; what it gains of it is then counted against aggregates of
   the *other* half, which the selection has not seen.  The halves then change places.
   ``selected_in_sample`` is the largest gain on the very draws it was selected by, too large.

The adversary's gain of the best pair lies between ``selected`` and ``selected_in_sample``, up to
sampling error.  ``selected_in_group`` is ``selected`` within disjoint groups of homes, which gives
the interval over homes that a single best pair cannot have.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.arrays import Ints
from noiseless.errors import TooSmallError
from noiseless.games.membership import (
    WH_PER_KWH,
    build_energy_matrix,
    compute_public_maximum_wh,
    filter_possible_cells,
    filter_possible_days,
    load_membership_adversaries,
)
from noiseless.games.pairs import PairGains, draw_others, play_pair_games
from noiseless.games.releases import QuantizedMeanRelease, build_release
from noiseless.papers.noiseless.limits import MAIN_FUSE_KWH
from noiseless.seeds import make_generator
from noiseless.statistics import (
    Estimate,
    build_rows,
    estimate_group_mean,
    estimate_proportion,
)

# The cells of Figure 3 that Section V.A calls "almost zero", (4, 2) and (8, 3), and one between
# them, which differs from either in one number.
CELLS: Final = (
    {"n": 4, "epsilon_bits": 2},
    {"n": 8, "epsilon_bits": 2},
    {"n": 8, "epsilon_bits": 3},
)
_MIN_GROUPS, _MAX_GROUPS = 5, 20

Halves = tuple[dict[str, PairGains], dict[str, PairGains]]


def build_pairs_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    days: Sequence[int],
    candidates: int,
    draws: int,
    public_range_kwh: float,
    quantizer_rule: str,
    cells: Sequence[Mapping[str, float]] = CELLS,
    main_fuse_kwh: float = MAIN_FUSE_KWH,
) -> pd.DataFrame:
    """Estimate the advantage by each way to choose the two homes.

    Half-hours are summed to days.  The adversary selects from at most ``candidates`` homes, drawn
    at random, and the n - 1 others are drawn from either half of the homes.  An n for which half of
    the homes are too few, and more days than there are readings, are skipped, with a message;
    :class:`TooSmallError` if nothing is left.

    ``advantage`` has an interval over games between these homes: normal over draws where all pairs
    play, Wilson's, which is wider than it need be, for a single pair, and none in sample.
    ``composed_bits`` is the budget of all reports together by Theorem 6.
    """
    energy = build_energy_matrix(readings, resolution="days")
    days = filter_possible_days(days, readings=energy.shape[1], key="noiseless.pairs.days")
    who = "half of the homes, {}, are in the aggregates"
    cells = filter_possible_cells(
        cells, homes=len(energy) // 2, key="n of the selected pairs", who=who
    )
    pairs: list[dict[str, object]] = []
    ranges_kwh = dict.fromkeys((float(public_range_kwh), float(main_fuse_kwh)))
    cases = list(itertools.product(ranges_kwh, cells, days))
    for range_kwh, cell, t in tqdm(cases, desc=f"selected pairs, {dataset}", unit="cell"):
        n, budget = int(cell["n"]), float(cell["epsilon_bits"])
        maximum = compute_public_maximum_wh(range_kwh)
        release = build_release(budget, n=n, maximum_wh=maximum, quantizer_rule=quantizer_rule)
        columns = {"range_kwh": range_kwh, "n": n, "epsilon_bits": budget, "days": t}
        # The key has no range, so that homes and draws are the same at both ranges.
        rng = make_generator(seed, "pairs", dataset, "n", n, "epsilon", budget, "days", t)
        known = np.sort(rng.permutation(len(energy))[:candidates])
        experiment = _PairExperiment(rng, energy, release, draws, t)
        gains = experiment.play_in_halves(np.arange(len(energy)), known)
        groups = experiment.play_in_groups(candidates)
        pairs += _build_pair_rows(experiment, gains, groups, columns)
        pairs += build_rows(
            {"adversary": "any", **columns, "choice": "-"},
            composed_bits=t * budget,
            levels=math.inf if release.levels is None else release.levels,
            bin_kwh=release.step_wh / WH_PER_KWH,
            candidates=len(known),
            draws=2 * draws,
            homes=len(energy),
            group_homes=len(energy) // len(groups) if groups else math.nan,
        )
    return pd.DataFrame(pairs)


@dataclass(frozen=True)
class _PairExperiment:
    """Random numbers, readings, release and sizes of one cell, in which all pairs play."""

    rng: np.random.Generator
    energy: Ints
    release: QuantizedMeanRelease
    draws: int
    days: int

    def play_in_halves(self, homes: Ints, known: Ints) -> Halves:
        """Play all pairs of known homes on either random half of the homes; return both gains."""
        one, other = (
            play_pair_games(
                self.energy,
                known,
                draw_others(self.rng, half, n=self.release.n, draws=self.draws),
                self.release,
                load_membership_adversaries(trained=False),
                starts=self.days
                * self.rng.integers(0, self.energy.shape[1] // self.days, self.draws),
                days=self.days,
            )
            for half in np.array_split(self.rng.permutation(homes), 2)
        )
        return one, other

    def play_in_groups(self, candidates: int) -> list[Halves]:
        """Play all pairs of candidates of disjoint groups; return none if homes are too few."""
        number = min(_MAX_GROUPS, len(self.energy) // (2 * (self.release.n + 1)))
        if number < _MIN_GROUPS:
            return []
        groups = np.array_split(self.rng.permutation(len(self.energy)), number)
        return [self.play_in_halves(group, group[:candidates]) for group in groups]


def _build_pair_rows(
    experiment: _PairExperiment,
    gains: Halves,
    groups: Sequence[Halves],
    columns: Mapping[str, object],
) -> list[dict[str, object]]:
    """Build the rows of all adversaries in one cell, for each way to choose the two homes."""
    by_use = np.argsort(experiment.energy.sum(axis=1), kind="stable")
    fixed_pair = experiment.play_in_halves(np.arange(len(by_use)), by_use[[-1, len(by_use) // 2]])
    rows = []
    for name in gains[0]:
        one, other = gains[0][name], gains[1][name]
        both, both_fixed = one + other, fixed_pair[0][name] + fixed_pair[1][name]
        draw_means = both.draw_means[~np.isnan(both.draw_means)]
        random_mean = estimate_group_mean(float(draw_means.mean()), draw_means, over="games")
        statistics_by_choice: dict[str, dict[str, Estimate | float]] = {
            "random": {"advantage": random_mean},
            "largest_and_median": {
                "advantage": _estimate_pair_advantage(
                    both_fixed.total[0, 1], both_fixed.played[0, 1]
                )
            },
            "selected": {"advantage": _estimate_pair_advantage(*_sum_held_out_gain(one, other))},
            "selected_in_sample": {"advantage": float(np.nanmax(both.advantage))},
        }
        if groups:
            of_groups = [(first[name], second[name]) for first, second in groups]
            means = [np.nanmean((first + second).draw_means) for first, second in of_groups]
            selected = [
                _estimate_pair_advantage(*_sum_held_out_gain(*halves)).value for halves in of_groups
            ]
            statistics_by_choice["random"]["advantage_over_homes"] = estimate_group_mean(
                random_mean.value, means
            )
            statistics_by_choice["selected_in_group"] = {
                "advantage_over_homes": estimate_group_mean(float(np.mean(selected)), selected)
            }
        for choice, statistics in statistics_by_choice.items():
            rows += build_rows({"adversary": name, **columns, "choice": choice}, **statistics)
    return rows


def _sum_held_out_gain(one: PairGains, other: PairGains) -> tuple[float, int]:
    """Sum gains, and count draws, of each half's selected pair on the half that did not select."""
    total, played = 0.0, 0
    for selection, test in ((one, other), (other, one)):
        usable = np.where(test.played > 0, selection.advantage, np.nan)
        if np.isnan(usable).all():
            raise TooSmallError(
                "no pair of homes was played in both halves of the draws: raise "
                "noiseless.pairs.draws or noiseless.pairs.candidates."
            )
        pair = np.unravel_index(np.nanargmax(usable), usable.shape)
        total += float(test.total[pair])
        played += int(test.played[pair])
    return total, played


def _estimate_pair_advantage(total: float, played: int) -> Estimate:
    """Estimate the advantage of one pair from its summed gains and its number of draws.

    It is a mean of numbers in [-1, 1], which vary no more than a coin that is 1 or -1 with the same
    mean, so that Wilson's interval holds at least as often.
    """
    value = total / played
    interval = estimate_proportion(round((played + total) / 2), played).convert_to_advantage()
    return replace(
        interval, value=value, low=min(interval.low, value), high=max(interval.high, value)
    )
