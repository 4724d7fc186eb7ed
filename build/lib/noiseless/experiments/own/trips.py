"""Unique trips of the user's (:mod:`noiseless.experiments.noiseless.trips`)."""

from collections.abc import Sequence

import pandas as pd

from noiseless.experiments.noiseless.trips import budget_table, density_table, uniqueness_tables


def trips_tables(
    trips: pd.DataFrame,
    *,
    latitude_range_deg: Sequence[float],
    longitude_range_deg: Sequence[float],
    epsilon_bits: Sequence[float],
    k: Sequence[int],
    numbers: Sequence[int],
    map_levels: int,
) -> dict[str, pd.DataFrame]:
    """All tables of the trip experiment.

    Parameters
    ----------
    trips : DataFrame
        Prepared trips; ``pickup_time`` may be absent.
    latitude_range_deg, longitude_range_deg, epsilon_bits, k, numbers
        As for :func:`noiseless.experiments.noiseless.trips.uniqueness_tables`.
    map_levels : int
        Bins of each coordinate of the map.

    Returns
    -------
    dict
        ``budget``, ``density``, ``known``, ``numbers`` and ``half``.
    """
    box = {"latitude_range_deg": latitude_range_deg, "longitude_range_deg": longitude_range_deg}
    return {
        "budget": budget_table(epsilon_bits=epsilon_bits, **box),
        "density": density_table(trips, levels=map_levels, **box),
        **uniqueness_tables(trips, epsilon_bits=epsilon_bits, k=k, numbers=numbers, **box),
    }
