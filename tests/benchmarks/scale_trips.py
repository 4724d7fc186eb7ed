"""Unique trips of far more than memory holds: ``scale_trips.py 1e6 1e7 1e8``.

For each number of trips: look-alike trips are written to files of up to 10^7 each; another process
counts the reports of each file and merges the counts, as the workflow's rules do.  Printed are its
time for each trip, its largest memory and the disk it needed.  10^8 trips take 3 GB of disk for the
trips and 2 GB for the counts, below TMPDIR.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from noiseless.datasets.samples.nyc_taxi import look_alike_trips
from noiseless.experiments.noiseless.trips import shards_table, write_key_runs

# With so many bins hardly two trips agree, which is the worst case for memory and disk.
EPSILON, FILE_TRIPS, BATCH_TRIPS = 30, 10**7, 10**6
BOX = {"latitude_range_deg": (40.49, 40.92), "longitude_range_deg": (-74.27, -73.68)}


def write_files(folder: Path, trips: int) -> list[Path]:
    """Write so many look-alike trips, a batch at a time."""
    rng = np.random.default_rng(trips)
    files = []
    for start in range(0, trips, FILE_TRIPS):
        files.append(folder / f"trips_{start}.parquet")
        schema = pa.Table.from_pandas(look_alike_trips(rng, 1), preserve_index=False).schema
        with pq.ParquetWriter(files[-1], schema) as writer:
            for first in range(start, min(start + FILE_TRIPS, trips), BATCH_TRIPS):
                batch = look_alike_trips(rng, min(BATCH_TRIPS, trips - first))
                writer.write_table(pa.Table.from_pandas(batch, schema, preserve_index=False))
    return files


def count(folder: Path) -> None:
    """Count the files of a folder; the part that is measured."""
    start = time.perf_counter()
    files = sorted(folder.glob("*.parquet"))
    runs = [file.with_suffix(".npy") for file in files]
    for file, run in zip(files, runs, strict=True):
        write_key_runs(file, [run], epsilon_bits=[EPSILON], **BOX)
    table = shards_table({EPSILON: runs}, k=[2]).set_index("statistic")["value"]
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    processor_s = used.ru_utime + used.ru_stime
    disk_gb = sum(run.stat().st_size for run in runs) / 1e9
    print(
        f"{table['trips']:>13,.0f} trips, {len(files)} files: {seconds:7.1f} s, "
        f"{seconds / table['trips'] * 1e6:.3f} us a trip "
        f"({processor_s / table['trips'] * 1e6:.3f} us of a processor), "
        f"at most {used.ru_maxrss / 1024:,.0f} MB of memory, "
        f"{disk_gb:.2f} GB of counts, {100 * table['portion_below_2']:.2f} % unique",
        flush=True,
    )


def main(arguments: list[str]) -> None:
    if arguments[0] == "count":
        count(Path(arguments[1]))
        return
    for trips in arguments:
        with tempfile.TemporaryDirectory() as folder:
            write_files(Path(folder), int(float(trips)))
            subprocess.run([sys.executable, __file__, "count", folder], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
