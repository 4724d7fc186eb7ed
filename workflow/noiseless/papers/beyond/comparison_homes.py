"""Every mechanism at the same error in the membership game: who is in the aggregate.

The data's user wants the mean of n homes on each day; the error is the root mean square, in kWh, of
the user's estimate from the published mean (:class:`noiseless.games.homes.MeanReader`) less the
true mean.  The adversaries are those of the membership game.
:func:`build_comparison_tables` plays the same games against every mechanism at every error
(:class:`noiseless.games.homes.MembershipTask`).

Readings are clipped to the public range, and errors are measured against the clipped readings.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Ints
from noiseless.games.comparison import TOLERANCE, play_comparison
from noiseless.games.homes import MembershipTask
from noiseless.games.membership import (
    build_energy_matrix,
    compute_public_maximum_wh,
    filter_possible_n,
)
from noiseless.seeds import make_generator


def build_comparison_tables(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    training_games: int,
    n: Sequence[int],
    target_error_kwh: Sequence[float],
    public_range_kwh: float,
    delta: float,
    tolerance: float = TOLERANCE,
) -> dict[str, pd.DataFrame]:
    """Play the membership game against every mechanism at every error (kWh).

    The release is daily, and its error the root mean square of the estimated mean of a day.  An n
    for which half of the homes are too few is skipped, with a message; :class:`TooSmallError` if
    every n is.  The learned adversary is trained on games between the homes that do not play.

    The mechanism ``none`` stands at 0; a gap has no rows.  ``error_kwh`` is of the reader,
    ``published_error_kwh`` of the number as it is published, and ``constant_error_kwh`` that of a
    reader who takes the usual mean of each day, whatever is published.  ``calibration`` is of
    :func:`noiseless.games.comparison.build_calibration_rows`.
    """
    energy = build_energy_matrix(readings, resolution="days")
    who = "half of the homes, {}, play"
    playing = len(energy) // 2
    n = filter_possible_n(n, homes=playing, key="beyond.comparison.homes.n", who=who)
    tasks = iterate_membership_tasks(
        energy,
        dataset=dataset,
        seed=seed,
        games=games,
        training_games=training_games,
        n=n,
        maximum_wh=compute_public_maximum_wh(public_range_kwh),
    )
    return play_comparison(tasks, targets=target_error_kwh, delta=delta, tolerance=tolerance)


def iterate_membership_tasks(
    energy_wh: Ints,
    *,
    dataset: str,
    seed: int,
    games: int,
    training_games: int,
    n: Sequence[int],
    maximum_wh: int,
    adversaries: Sequence[type[Adversary]] | None = None,
) -> Iterator[MembershipTask]:
    """Iterate over the tasks of each n, on a random half of the homes; the other half is known.

    ``energy_wh`` has the shape (homes, T).
    """
    order = make_generator(seed, "comparison", dataset, "halves").permutation(len(energy_wh))
    known, unknown = np.array_split(np.minimum(energy_wh, maximum_wh)[order], 2)
    for size in tqdm(n, desc=f"comparison, {dataset}", unit="n"):
        yield MembershipTask(
            known,
            unknown,
            maximum_wh,
            n=size,
            games=games,
            training_games=training_games,
            key=("comparison", dataset, "n", size),
            seed=seed,
            adversaries=adversaries,
        )
