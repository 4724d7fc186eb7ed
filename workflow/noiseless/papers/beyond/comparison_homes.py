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

    Parameters
    ----------
    readings : DataFrame
        Prepared table, as for
        :func:`noiseless.games.membership.build_energy_matrix`; the release is daily.
    dataset : str
        Its name, a coordinate of the random streams.
    seed : int
        Seed of the configuration.
    games : int
        Number of games for each n, between the half of the homes that training has not seen.
    training_games : int
        Number of games between the other half that train the learned adversary, for each release.
    n : sequence of int
        Homes in an aggregate; an n is skipped, with a message, if half of the homes are too few for
        it.
    target_error_kwh : sequence of float
        Root mean square errors of the estimated mean of a day.
    public_range_kwh : float
        See :func:`noiseless.games.membership.compute_public_maximum_wh`.
    delta : float
        The delta of the Gaussian mechanism's guarantee.
    tolerance : float
        See :func:`noiseless.mechanisms.calibration.calibrate`.

    Returns
    -------
    dict
        ``comparison``: cells (n, mechanism, target_error_kwh, adversary), the mechanism ``none`` at
        0.  Statistics: ``gain``, the signed advantage 2 P(correct) - 1, and ``won_share``, with
        95 % intervals over games between these homes; ``gain_over_homes``, the same gain with its
        95 % interval over homes (none where those that training has not seen are fewer than
        2 n + 2); ``error_kwh``, of the reader, and
        ``published_error_kwh``, of the number as it is published, as found in these games;
        ``constant_error_kwh``, that of a reader who takes the usual mean of each day, whatever is
        published; ``coin_share``; ``games``; ``homes``.  A gap has no rows here. ``calibration``:
        cells (n, mechanism, target_error_kwh), with the statistics of
        :func:`noiseless.games.comparison.build_calibration_rows`.

    Raises
    ------
    TooSmallError
        If half of the homes are too few for every n.
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

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        Readings of all homes.
    dataset, seed, games, training_games, n
        See :func:`build_comparison_tables`.
    maximum_wh : int
        Upper end of the public range, to which readings are clipped.
    adversaries : sequence of type, optional
        See :class:`noiseless.games.homes.MembershipTask`.
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
