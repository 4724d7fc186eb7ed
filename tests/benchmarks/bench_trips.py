"""Counting unique trips against the plain ways to do it.

scikit-mobility's way (a privacy-risk assessment that joins every trip with every other that has
the same places, in pandas) cannot be compared here: its releases need pandas below 2.  The count at
10^8 trips, with its memory, is in ``scale_trips.py``.
"""

import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
from comparison import Comparison

from noiseless.datasets.nyc_taxi import COORDINATES
from noiseless.datasets.samples.nyc_taxi import look_alike_trips
from noiseless.experiments.trips import trip_keys
from noiseless.groups import group_sizes, group_sizes_of_runs, portion_below, write_run

EPSILON = 16
BOX = {"latitude_range_deg": (40.49, 40.92), "longitude_range_deg": (-74.27, -73.68)}


def comparisons():
    trips = look_alike_trips(np.random.default_rng(1), 1_000_000)
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
        return portion_below(group_sizes(trip_keys(trips, EPSILON, **BOX)), 2)

    def nearly_equal(theirs, own):
        # Trips on the edges of cells may fall to either side in the plain formula.
        assert abs(theirs - own) < 1e-3, (theirs, own)

    yield Comparison(
        "unique trips of 10^6; baseline: pandas groupby", with_pandas, ours, nearly_equal
    )

    keys = trip_keys(trips, EPSILON, **BOX)

    def with_duckdb():
        found = duckdb.from_arrow(pa.table({"key": keys})).aggregate("count(*) as n", "key")
        return found.filter("n = 1").count("*").fetchall()[0][0] / len(keys)

    yield Comparison(
        "groups of 10^6 keys; baseline: DuckDB",
        with_duckdb,
        lambda: portion_below(group_sizes(keys), 2),
        nearly_equal,
    )

    def runs_of(batches):
        with tempfile.TemporaryDirectory() as folder:
            runs = [Path(folder) / f"{number}.npy" for number in range(len(batches))]
            for batch, run in zip(batches, runs, strict=True):
                write_run(batch, run)
            return group_sizes_of_runs(runs).records

    rng = np.random.default_rng(2)
    batches = [rng.permutation(keys) + number % 3 for number in range(10)]
    yield Comparison(
        "10^7 keys on disk; baseline: ten times 10^6 (1x is a flat cost)",
        lambda: sum(runs_of([batch]) for batch in batches),
        lambda: runs_of(batches),
        lambda theirs, own: np.testing.assert_equal(theirs, own),
    )
