"""How many homes hide one: what is predicted of real homes, beside what adversaries gain.

The homes are split: some are known to an adversary, who takes their mean, and the others play.  The
prediction (:class:`noiseless.theory.homes_needed.HomeSample`) sees all homes, and no game.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import gammaln
from scipy.stats import binom
from tqdm import tqdm

from noiseless.arrays import Floats
from noiseless.errors import TooSmallError
from noiseless.games.membership import (
    WH_PER_KWH,
    build_energy_matrix,
    compute_public_maximum_wh,
    draw_games,
    filter_possible_n,
    load_membership_adversaries,
    play,
)
from noiseless.games.outcome import Outcome
from noiseless.games.releases import build_releases
from noiseless.papers.noiseless.limits import ALONE, ANYBODY, WITH_MEAN
from noiseless.seeds import make_generator
from noiseless.statistics import build_rows
from noiseless.theory.homes_needed import (
    MIN_HOMES,
    MIN_READINGS,
    HomeSample,
    bound_mean_advantage,
)

_GRID_KWH = 0.05
_MOST_KWH = 200.0  # of the kernel-smoothed law of a day; larger readings are left out

MOST_KNOWN = 100
"""Homes that an adversary knows, or a third of those there are."""


def build_hiding_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    n: Sequence[int],
    days: Sequence[int],
    epsilon_bits: Sequence[float],
    public_range_kwh: float,
) -> pd.DataFrame:
    """Estimate the advantage against means of n homes, and predict it from their spectra.

    The release is daily; the budgets are played on all days, beside the exact mean (infinite bits).
    An n for which too few homes play is skipped, with a message; :class:`TooSmallError` if every n
    is.  ``bound`` is for normal sums, and who knows no reading of another member.  ``anybody`` has
    the distances of the mean of one day of homes of one law (:func:`_compute_laws`).
    """
    energy = build_energy_matrix(readings, resolution="days")
    homes, all_days = energy.shape
    if homes < MIN_HOMES or all_days < MIN_READINGS:
        raise TooSmallError(
            f"there are {homes} homes and {all_days} days, and a prediction takes {MIN_HOMES} and "
            f"{MIN_READINGS}."
        )
    known = min(MOST_KNOWN, homes // 3)
    order = make_generator(seed, "hiding", dataset, "halves").permutation(homes)
    playing, others = energy[order[known:]], energy[order[:known]]
    who = "{} homes play, and the others are known"
    n = filter_possible_n(n, homes=len(playing), key="noiseless.hiding.n", who=who)
    maximum = compute_public_maximum_wh(public_range_kwh)
    adversaries = [
        each
        for each in load_membership_adversaries(trained=True)
        if each.name in (ALONE, WITH_MEAN)
    ]
    lengths = sorted({min(each, all_days) for each in days})
    rows: list[dict[str, object]] = []
    for length in tqdm(lengths, desc=f"homes hidden, {dataset}", unit="days"):
        rng = make_generator(seed, "hiding", dataset, "first day", length)
        first = int(rng.integers(0, all_days - length + 1))
        parts = [each[:, first : first + length] for each in (playing, others, energy)]
        budgets = [math.inf, *map(float, epsilon_bits)] if length == lengths[-1] else [math.inf]
        for size in n:
            drawn = draw_games(
                make_generator(seed, "hiding", dataset, size, length),
                homes=len(playing),
                n=size,
                games=games,
            )
            releases = build_releases(
                budgets, n=size, energy_wh=parts[0], maximum_wh=maximum, quantizer_rule="n_2^eps"
            )
            # Neither learns from games: one takes the mean of the known homes.
            known_homes = parts[1], drawn[:0]
            preferred = play(adversaries, parts[0], drawn, releases, known=known_homes)
            for budget, release, by_name in zip(budgets, releases, preferred, strict=True):
                sample = HomeSample(
                    parts[2] / WH_PER_KWH,
                    cell_kwh=size * release.step_wh / WH_PER_KWH if release.levels else 0.0,
                    range_kwh=maximum / WH_PER_KWH,
                    seed=seed,
                )
                for name, preference in by_name.items():
                    coins = make_generator(
                        seed, "hiding", dataset, size, length, "coin", name, budget
                    )
                    advantage = Outcome.draw(coins, drawn, name, preference).advantage
                    others_known = known if name == WITH_MEAN else 0
                    predicted = sample.predict(size, known=others_known)[0]
                    rows += build_rows(
                        {"adversary": name, "n": size, "days": length, "epsilon_bits": budget},
                        advantage=advantage,
                        predicted=predicted,
                        measured_less_predicted=advantage.value - predicted,
                        bound=bound_mean_advantage(size, length),
                        known=others_known,
                        bin_in_sd=sample.compute_bin_in_sd(size),
                        playing=len(playing),
                    )
        if length == lengths[0]:
            rows += _compute_laws(parts[2][:, 0] / WH_PER_KWH, n)
    return pd.DataFrame(rows)


def _compute_laws(day_kwh: Floats, n: Sequence[int]) -> list[dict[str, object]]:
    """Compute how far sums of homes are from themselves moved, and two bounds, for one day."""
    law = estimate_law(day_kwh)
    apart = np.abs(day_kwh[:, None] - day_kwh)[np.triu_indices(len(day_kwh), 1)]
    moved = max(1, round(float(np.median(apart)) / _GRID_KWH))
    rows: list[dict[str, object]] = []
    for size in n:
        rows += build_rows(
            {"adversary": ANYBODY, "n": size, "days": 1, "epsilon_bits": math.inf},
            distance=1 - compute_overlap(add_independent(law, size - 1), moved),
            fisher_bound=bound_by_fisher_information(law, size - 1, moved),
            overlap_bound=bound_by_overlap(law, size - 1, moved),
        )
    return rows


def estimate_law(day_kwh: Floats) -> Floats:
    """Estimate the law of a home's reading of a day, of weights on a grid, with normal kernels.

    The weights are probabilities of multiples of the grid's step, beginning anywhere.
    """
    width = 1.06 * max(float(day_kwh.std()), 10 * _GRID_KWH) * len(day_kwh) ** -0.2
    ends = day_kwh.min() - 8 * width, min(day_kwh.max(), _MOST_KWH) + 8 * width
    grid = np.arange(ends[0], ends[1] + _GRID_KWH, _GRID_KWH)
    weights = np.exp(-(((grid - day_kwh[:, None]) / width) ** 2) / 2).sum(axis=0)
    return np.asarray(weights / weights.sum())


def add_independent(law: Floats, homes: int) -> Floats:
    """Compute the law of the sum of independent homes of one law, on the same grid."""
    size = homes * (len(law) - 1) + 1
    total = np.fft.irfft(np.fft.rfft(law, 2 * size) ** homes, 2 * size)[:size]
    return np.maximum(total, 0.0)


def compute_overlap(law: Floats, moved: int) -> float:
    """Compute how much of a law remains where it is moved by some places."""
    return float(np.minimum(law[moved:], law[:-moved]).sum()) if moved < len(law) else 0.0


def bound_by_fisher_information(law: Floats, homes: int, moved: int) -> float:
    """Bound the total variation of a sum of homes from itself moved, by Fisher information.

    That of a grid is of differences of square roots, 4 sum of squares: that of the density as the
    grid becomes fine.
    """
    roots = np.sqrt(np.concatenate([[0.0], law, [0.0]]))
    information = 4 * float((np.diff(roots) ** 2).sum())
    return moved / 2 * math.sqrt(information / homes)


def bound_by_overlap(law: Floats, homes: int, moved: int) -> float:
    """Bound the same by the overlap of a home's law with itself moved.

    It is the mean of the largest probability of a number of heads, of as many coins as there are
    homes that can be moved.
    """
    coins = np.arange(homes + 1)
    largest = np.exp(
        gammaln(coins + 1)
        - gammaln(coins // 2 + 1)
        - gammaln(coins - coins // 2 + 1)
        - coins * math.log(2)
    )
    return float(binom.pmf(coins, homes, compute_overlap(law, moved)) @ largest)
