"""Counting unique trips against the plain ways to do it.

scikit-mobility's way (a privacy-risk assessment that joins every trip with every other that has
the same places, in pandas) cannot be compared here: its releases need pandas below 2.  More trips
than memory holds, with the memory and the disk that they need, are in ``scale_trips.py``.
"""

import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
from comparison import Comparison

from noiseless.data.nyc_taxi import COORDINATES
from noiseless.data.samples.nyc_taxi import look_alike_trips
from noiseless.papers.noiseless.trips import trip_keys
from noiseless.theory.groups import group_sizes, group_sizes_of_runs, new_run, portion_below

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

    def with_duckdb(batches):
        """Group by key on one thread in 256 MB, what ours takes, and on the disk beyond."""
        column = pa.schema([("key", pa.int64())])
        pieces = (pa.record_batch({"key": batch}) for batch in batches)
        with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
            connection.execute("set memory_limit = '256MB'; set threads = 1")
            connection.execute(f"set temp_directory = '{folder}'")
            reader = pa.RecordBatchReader.from_batches(column, pieces)
            groups = connection.from_arrow(reader).aggregate("count(*) as n", "key")
            return groups.filter("n = 1").count("*").fetchall()[0][0]

    def with_runs(batches):
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "run.npy"
            with new_run(run) as add:
                for batch in batches:
                    add(batch)
            sizes = group_sizes_of_runs([run])
            return round(portion_below(sizes, 2) * sizes.records)

    yield Comparison(
        "groups of 10^6 keys in memory; baseline: DuckDB, 256 MB",
        lambda: with_duckdb([keys]),
        lambda: round(portion_below(group_sizes(keys), 2) * len(keys)),
        np.testing.assert_equal,
    )

    rng = np.random.default_rng(2)
    batches = [rng.permutation(keys) + rng.integers(0, 50, len(keys)) for _ in range(10)]
    yield Comparison(
        "groups of 10^7 keys through the disk; baseline: DuckDB, 256 MB",
        lambda: with_duckdb(batches),
        lambda: with_runs(batches),
        np.testing.assert_equal,
    )
    yield Comparison(
        "the same; baseline: 10 times 10^6 keys (1x: a flat cost)",
        lambda: [with_runs([batch]) for batch in batches],
        lambda: with_runs(batches),
        lambda parts, whole: np.testing.assert_array_less(whole, sum(parts)),
    )
