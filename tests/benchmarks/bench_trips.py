"""Counting unique trips against the quickest known way to do it in memory.

pandas' groupby, polars and DuckDB take longer than np.unique does, on one integer for each trip.

scikit-mobility's way (a privacy-risk assessment that joins every trip with every other that has
the same places, in pandas) cannot be compared here: its releases need pandas below 2.  More trips
than memory holds, with the memory and the disk that they need, are in ``scale_trips.py``.
"""

import numpy as np
from comparison import Comparison
from peers import UNIQUE

from noiseless.data.nyc_taxi import COORDINATES
from noiseless.data.samples.nyc_taxi import draw_trips
from noiseless.papers.noiseless.trips import compute_trip_keys
from noiseless.theory.groups import compute_share_below, count_group_sizes

EPSILON = 16
BOX = {"latitude_range_deg": (40.49, 40.92), "longitude_range_deg": (-74.27, -73.68)}


def comparisons():
    trips = draw_trips(np.random.default_rng(1), 1_000_000)
    levels = 2 ** (EPSILON // 2)
    coordinates = {name: BOX[f"{name.split('_')[1]}_range_deg"] for name in COORDINATES}

    def with_numpy():
        """Number the cell of each trip in one integer, and count the integers."""
        key = np.zeros(len(trips), dtype=np.int64)
        for name, (low, high) in coordinates.items():
            cell = np.floor((trips[name].to_numpy() - low) / (high - low) * levels)
            key = key * levels + cell.astype(np.int64)
        return (np.unique(key, return_counts=True)[1] == 1).sum() / len(trips)

    def ours():
        return compute_share_below(count_group_sizes(compute_trip_keys(trips, EPSILON, **BOX)), 2)

    def nearly_equal(theirs, own):
        # Trips on the edges of cells may fall to either side in the plain formula.
        assert abs(theirs - own) < 1e-3, (theirs, own)

    yield Comparison(
        "unique trips of 10^6; baseline: cells in one integer, np.unique",
        with_numpy,
        ours,
        nearly_equal,
        peer=UNIQUE,
    )

    keys = compute_trip_keys(trips, EPSILON, **BOX)
    yield Comparison(
        "groups of 10^6 keys in memory; baseline: np.unique",
        lambda: (np.unique(keys, return_counts=True)[1] == 1).sum(),
        lambda: round(compute_share_below(count_group_sizes(keys), 2) * len(keys)),
        np.testing.assert_equal,
        peer=UNIQUE,
    )
