"""Counting unique trips against the plain ways to do it.

scikit-mobility's way (a privacy-risk assessment that joins every trip with every other that has
the same places, in pandas) cannot be compared here: its releases need pandas below 2.  More trips
than memory holds, with the memory and the disk that they need, are in ``scale_trips.py``.
"""

import tempfile

import duckdb
import numpy as np
import pyarrow as pa
from comparison import Comparison
from peers import DUCKDB, PANDAS

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

    def cells():
        return {
            name: np.floor((trips[name] - low) / (high - low) * levels).astype(int)
            for name, (low, high) in coordinates.items()
        }

    def with_pandas():
        groups = trips.assign(**cells()).groupby(list(coordinates)).size()
        return (groups == 1).sum() / len(trips)

    def ours():
        return compute_share_below(count_group_sizes(compute_trip_keys(trips, EPSILON, **BOX)), 2)

    def nearly_equal(theirs, own):
        # Trips on the edges of cells may fall to either side in the plain formula.
        assert abs(theirs - own) < 1e-3, (theirs, own)

    yield Comparison(
        "unique trips of 10^6; baseline: pandas groupby",
        with_pandas,
        ours,
        nearly_equal,
        peer=PANDAS,
    )

    keys = compute_trip_keys(trips, EPSILON, **BOX)

    def with_duckdb():
        """Group by key on one thread in 256 MB, and on the disk beyond."""
        with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
            connection.execute("set memory_limit = '256MB'; set threads = 1")
            connection.execute(f"set temp_directory = '{folder}'")
            groups = connection.from_arrow(table).aggregate("count(*) as n", "key")
            return groups.filter("n = 1").count("*").fetchall()[0][0]

    table = pa.table({"key": keys})
    yield Comparison(
        "groups of 10^6 keys in memory; baseline: DuckDB, 256 MB",
        with_duckdb,
        lambda: round(compute_share_below(count_group_sizes(keys), 2) * len(keys)),
        np.testing.assert_equal,
        peer=DUCKDB,
    )
