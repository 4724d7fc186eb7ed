"""Time, memory and disk of counting unique trips, up to far more than memory holds.

``scale_trips.py 1e6 1e7 1e8`` measures these numbers of trips, writes what it found into
``measured/groups.json`` in place of earlier rows of the same name, and draws that table as
``measured/trips.png``; without a number it only draws.  Each row is a process of its own,
which goes through the trips file by file: another process writes a file of 10^7 look-alike trips,
this one counts and deletes it, and only the latter is measured.  So 10^9 trips need the room of
what DuckDB spills, 26 GB below TMPDIR.

- ``noiseless`` counts as the workflow's rules do: DuckDB groups on one thread within 1,000 MB, and
  on the disk beyond.
- ``1 of 8 partitions`` is what each of eight jobs does on a cluster.
- ``keys`` reads the trips and makes the keys, which all ways have in common.
- ``own merge`` is what earlier versions did: sorted runs on the disk, merged slice by slice.  Its
  rows are kept as they were measured.

With 30 bits hardly two trips agree, which is the worst case for memory and disk; with 16, popular
places weigh.
"""

import argparse
import itertools
import resource
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from record import MEASURED, keep, kept, picture

from noiseless.data.nyc_taxi import COORDINATES
from noiseless.data.samples.nyc_taxi import draw_trips
from noiseless.figures.style import DEFAULT_LOOKS
from noiseless.papers.noiseless.trips import build_shards_table, compute_trip_keys, count_reports
from noiseless.tables import ContentDigests, Provenance, build_metadata, read_batches

PART = "groups"
FILE_TRIPS, BATCH_TRIPS = 10**7, 10**6
BOX = {"latitude_range_deg": (40.49, 40.92), "longitude_range_deg": (-74.27, -73.68)}
EPSILON_BITS = (30, 16)
LABELS = {"keys": "reading trips, making keys", "own merge": "own merge (earlier)"}
MEMORY_MB = 1000
NAME = ["way", "epsilon_bits", "trips"]


# --- Measuring --------------------------------------------------------------------------------


def write_file(path: Path, seed: int, trips: int) -> None:
    """Write a file of prepared trips, a batch at a time."""
    rng = np.random.default_rng(seed)
    schema = pa.Table.from_pandas(draw_trips(rng, 1), preserve_index=False).schema
    schema, contents = schema.remove_metadata(), ContentDigests()
    with pq.ParquetWriter(path, schema, write_page_checksum=True) as writer:
        for first in range(0, trips, BATCH_TRIPS):
            batch = draw_trips(rng, min(BATCH_TRIPS, trips - first))
            table = pa.Table.from_pandas(batch, schema, preserve_index=False)
            contents.add(table)
            writer.write_table(table)
        writer.add_key_value_metadata(build_metadata(path, Provenance("scale"), contents))


class Files:
    """Files of trips, each of which is there until the next one is asked for."""

    def __init__(self, folder: Path, trips: int) -> None:
        self.folder, self.trips, self.writing_s = folder, trips, 0.0

    def __iter__(self) -> Iterator[Path]:
        with fresh_process() as other:
            for number, first in enumerate(range(0, self.trips, FILE_TRIPS)):
                path = self.folder / f"{number}.parquet"
                start = time.perf_counter()
                other.submit(write_file, path, number, min(FILE_TRIPS, self.trips - first)).result()
                self.writing_s += time.perf_counter() - start
                yield path
                path.unlink()

    def batches_of_keys(self, epsilon_bits: int) -> Iterator[np.ndarray]:
        """Keys of all trips."""
        for file in self:
            for frame in read_batches(file, COORDINATES, BATCH_TRIPS):
                yield compute_trip_keys(frame, epsilon_bits, **BOX)


def fresh_process() -> ProcessPoolExecutor:
    """Whose memory and time are its own."""
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def with_noiseless(files: Files, epsilon_bits: int, partitions: int = 1) -> float:
    """Portion of unique trips of a partition, as the workflow finds it."""
    counts = count_reports(
        files,
        epsilon_bits=[epsilon_bits],
        partition=0,
        partitions=partitions,
        folder=files.folder,
        memory_mb=MEMORY_MB,
        threads=1,
        **BOX,
    )
    table = build_shards_table([counts], files=1, k=[2])
    return float(table.set_index("statistic")["value"]["portion_below_2"])


def keys_alone(files: Files, epsilon_bits: int) -> None:
    """Nothing, once all keys are made."""
    for _ in files.batches_of_keys(epsilon_bits):
        pass


WAYS = {
    "noiseless": with_noiseless,
    "1 of 8 partitions": lambda *job: with_noiseless(*job, partitions=8),
    "keys": keys_alone,
}
DRAWN = [*WAYS, "own merge"]


def measure(way: str, epsilon_bits: int, trips: int) -> dict[str, str | float | None]:
    """A row of the table, of this process."""
    with tempfile.TemporaryDirectory() as folder:
        files, disk = Files(Path(folder), trips), Disk(Path(folder))
        start_s, start_cpu_s = time.perf_counter(), time.process_time()
        portion_unique = WAYS[way](files, epsilon_bits)
        wall_s = time.perf_counter() - start_s - files.writing_s
        return {
            "way": way,
            "epsilon_bits": epsilon_bits,
            "trips": trips,
            "wall_s": round(wall_s, 1),
            "cpu_s": round(time.process_time() - start_cpu_s, 1),
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "peak_disk_gb": round(disk.peak() / 1e9, 2),
            "portion_unique": portion_unique,
        }


class Disk(threading.Thread):
    """Looks several times a second at how much a folder holds."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder, self.peak_bytes, self.is_over = folder, 0, threading.Event()
        self.start()

    def run(self) -> None:
        """Until asked for the peak."""
        while not self.is_over.wait(0.2):
            with suppress(FileNotFoundError):  # files come and go
                total = sum(path.stat().st_size for path in self.folder.rglob("*"))
                self.peak_bytes = max(self.peak_bytes, total)

    def peak(self) -> int:
        """In bytes."""
        self.is_over.set()
        self.join()
        return self.peak_bytes


# --- The table and its picture ----------------------------------------------------------------


def keep_row(row: dict[str, str | float | None]) -> None:
    """Take a row into the table, in place of an earlier one of the same name."""
    rows = kept(PART)["rows"] if (MEASURED / f"{PART}.json").exists() else []
    rows = [each for each in rows if any(each[key] != row[key] for key in NAME)] + [row]
    rows.sort(key=lambda each: [each[key] for key in NAME])
    keep(PART, {"duckdb": duckdb.__version__, "pyarrow": pa.__version__, "rows": rows})


def draw() -> None:
    """Time and memory against the number of trips, in the worst case."""
    table = pd.DataFrame(kept(PART)["rows"])
    with picture(PART, "trips", height_in=2.4) as axes:
        looks = dict(zip(DRAWN, DEFAULT_LOOKS, strict=True))
        for way, rows in table[table["epsilon_bits"] == max(EPSILON_BITS)].groupby("way"):
            colour, marker = looks[way]
            trips, label = rows["trips"], LABELS.get(way, way)
            axes[0].plot(trips, rows["cpu_s"], marker, ls="-", ms=3, color=colour, label=label)
            axes[1].plot(trips, rows["peak_memory_mb"] / 1000, marker, ls="-", ms=3, color=colour)
        axes[0].set(ylabel="processor time (s)", yscale="log")
        axes[1].set(ylabel="peak memory (GB)", ylim=(0, None))
        for axis in axes:
            axis.set(xlabel="trips", xscale="log")


def main() -> None:
    """Measure, keep, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trips", nargs="*", type=float)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--epsilon-bits", nargs="+", type=int, default=EPSILON_BITS)
    wanted = parser.parse_args()
    for trips, epsilon_bits, way in itertools.product(
        wanted.trips, wanted.epsilon_bits, wanted.ways
    ):
        with fresh_process() as process:
            row = process.submit(measure, way, epsilon_bits, int(trips)).result()
        print(row, flush=True)
        keep_row(row)
    draw()


if __name__ == "__main__":
    main()
