"""Unique trips by the coarseness of a map (``noiseless``, Section V-C, Figures 5 and 6).

Each coordinate of each end of a trip is reported as one of floor(2^(epsilon/2)) equal bins of the
public box.  A place then costs epsilon bits and a trip, two places, 2 epsilon (Theorem 6).

1. :func:`build_density_table`: pickups on a map (Figure 5).
2. :func:`build_place_budget_table`: what a budget means, in bins, bits and metres.
3. :func:`build_uniqueness_tables`: the portion of trips whose report no other trip shares (Figure
   6); and beyond the figure, larger groups, other knowledge, fewer trips, and the epsilon at
   which half of the trips are unique.
4. :func:`build_attribution_table`: the portion of trips that an adversary attributes who knows a
   ride's ends, and when it began; with bounds for as many trips as the paper has.
5. :func:`count_reports` and :func:`build_shards_table`: the same count over any number of files and
   more trips than memory holds, by DuckDB, on one machine or in partitions on several.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
from tqdm import tqdm

from noiseless.arrays import Ints
from noiseless.data.plane import compute_cell_size_m
from noiseless.errors import ConfigError
from noiseless.mechanisms.families.quantizer import Quantizer, compute_local_levels
from noiseless.mechanisms.interface import Domain
from noiseless.tables import Rows, read_batches, returns_table, tidy
from noiseless.theory.groups import GroupSizes, compute_share_below, count_group_sizes

# The ends of a trip that an adversary can know, by the name of this knowledge.
TRIP_ENDS = {
    "start and end": ("pickup", "dropoff"),
    "start": ("pickup",),
    "end": ("dropoff",),
}
_BOTH = "start and end"
_COORDINATES = [f"{end}_{axis}" for end in TRIP_ENDS[_BOTH] for axis in ("latitude", "longitude")]
# Budgets of a place on the axis of Figure 6, in bits; the number of trips that the paper speaks of;
# and sizes of groups that a trip is hidden in, of which 2 makes it unique.
EPSILON_BITS: Final = range(1, 31)
PAPER_TRIPS = 1_000_000
GROUPS: Final = (2, 5, 10, 50)
PERIODS_S = {"week": 604800, "day": 86400, "hour": 3600}
_MONDAY_S = 3 * 86400  # the first day of 1970 was a Thursday
HOURS_A_WEEK = 168
# The share of the paper's trips from which on a file counts as complete: the other rows have no
# place in the box.
_MIN_TRIP_SHARE = 0.9
_KEY_BITS = 63
_BATCH_TRIPS = 1 << 20
_HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio


def compute_levels(epsilon_bits: float) -> int:
    """Compute the number of bins of each coordinate, floor(2^(epsilon/2)).

    :class:`ConfigError` if the four numbers of a trip no longer fit one 64-bit key.
    """
    levels = compute_local_levels(epsilon_bits / 2)
    if levels**4 > 2**_KEY_BITS:
        raise ConfigError(
            f"`epsilon_bits` must be at most 31.5 to count trips, got {epsilon_bits}. Give smaller "
            "budgets: at 31 bits, a bin is already less than two metres wide."
        )
    return levels


@returns_table("epsilon_bits")
def build_place_budget_table(
    *, epsilon_bits: Sequence[float] = EPSILON_BITS, **box: Sequence[float]
) -> Rows:
    """Compute bins, bits and cell sizes (m) of each budget of a place in the public ``box``.

    ``budget_bits`` is the logarithm of the number of reports that the two places of a trip allow,
    and ``excess_bits`` by how much it is more than 2 epsilon.
    """
    for each in epsilon_bits:
        levels = compute_levels(each)
        height, width = compute_cell_size_m(levels, **box)
        bits = 4 * math.log2(levels)
        yield {
            "epsilon_bits": float(each),
            "levels": levels,
            "cell_height_m": height,
            "cell_width_m": width,
            "budget_bits": bits,
            "excess_bits": bits - 2 * each,
        }


def compute_place_keys(trips: pd.DataFrame, end: str, levels: int, **box: Sequence[float]) -> Ints:
    """Compute the cell, 0 to levels^2 - 1, of the pickup or dropoff of each trip, shape (n,).

    Coordinates may be categories.  :class:`DataError` if a trip lies outside the box.
    """
    rows, columns = build_quantizers(levels, **box)
    row, column = (
        _find_bins(rows, trips[f"{end}_latitude"]),
        _find_bins(columns, trips[f"{end}_longitude"]),
    )
    return row * levels + column


def _find_bins(quantizer: Quantizer, coordinates: pd.Series) -> Ints:
    """Find the bin of each coordinate, shape (n,); categories are binned once each."""
    if isinstance(coordinates.dtype, pd.CategoricalDtype):
        bins: Ints = quantizer.find_bins(coordinates.cat.categories.to_numpy())
        return bins[coordinates.cat.codes.to_numpy()]
    return quantizer.find_bins(coordinates)


def _encode_coordinates(trips: pd.DataFrame, **box: Sequence[float]) -> pd.DataFrame:
    """Convert the coordinates of trips to categories, which are binned faster many times."""
    for end in TRIP_ENDS[_BOTH]:  # an error if a trip lies outside the box
        compute_place_keys(trips, end, 1, **box)
    return trips.astype(dict.fromkeys(_COORDINATES, "category"))


def build_quantizers(
    levels: int, *, latitude_range_deg: Sequence[float], longitude_range_deg: Sequence[float]
) -> tuple[Quantizer, Quantizer]:
    """Build the quantizers of latitude and longitude in the public box."""
    return _build_quantizer(*latitude_range_deg, levels), _build_quantizer(
        *longitude_range_deg, levels
    )


@lru_cache(maxsize=64)
def _build_quantizer(low: float, high: float, levels: int) -> Quantizer:
    """Build the quantizer of one coordinate, which computes its edges once and clips nothing."""
    return Quantizer(Domain((low,), (high,), "deg"), levels, clip=False)


def compute_trip_keys(trips: pd.DataFrame, epsilon_bits: float, **box: Sequence[float]) -> Ints:
    """Compute the report of each trip, (start cell, end cell), as one number, shape (n,)."""
    levels = compute_levels(epsilon_bits)
    start, end = (compute_place_keys(trips, each, levels, **box) for each in TRIP_ENDS[_BOTH])
    return start * levels**2 + end


@returns_table("latitude_deg", "longitude_deg")
def build_density_table(trips: pd.DataFrame, *, levels: int, **box: Sequence[float]) -> Rows:
    """Count the pickups in each cell of a fine map (Figure 5), by the mid-point of the cell."""
    rows, columns = build_quantizers(levels, **box)
    keys = compute_place_keys(trips, "pickup", levels, **box)
    cells, pickups = np.unique(keys, return_counts=True)
    yield pd.DataFrame(
        {
            "latitude_deg": rows.midpoints[cells // levels],
            "longitude_deg": columns.midpoints[cells % levels],
            "pickups": pickups,
        }
    )


def build_uniqueness_tables(
    trips: pd.DataFrame,
    *,
    numbers: Sequence[int],
    epsilon_bits: Sequence[float] = EPSILON_BITS,
    k: Sequence[int] = GROUPS,
    **box: Sequence[float],
) -> dict[str, pd.DataFrame]:
    """Compute the portion of trips that share their report with fewer than k - 1 others.

    ``known`` is by the known part of the report: the start, the end, or both (Figure 6), or both
    with the pickup time rounded down to the week, day or hour.  ``numbers`` is of both ends among
    the first trips of the file, and ``half`` has the budget at which half of the trips are unique,
    on straight lines between the budgets, with the cells' size there; no row where the half is not
    reached.
    """
    trips = _encode_coordinates(trips, **box)
    numbers = [*sorted(each for each in set(numbers) if each < len(trips)), len(trips)]
    curves: dict[str, list[dict]] = defaultdict(list)
    curves_by_number: dict[int, list[dict]] = {number: [] for number in numbers}
    for each in tqdm(epsilon_bits, desc="unique trips", unit="epsilon"):
        cell = {"epsilon_bits": float(each)}
        for known, keys in _compute_known_keys(trips, compute_levels(each), box).items():
            sizes = count_group_sizes(keys)
            curves[known].append({"known": known, **cell, **_compute_portions(sizes, k)})
            for number in numbers if known == _BOTH else ():
                sizes_of_first = sizes if number == len(trips) else count_group_sizes(keys[:number])
                unique = {"portion_below_2": compute_share_below(sizes_of_first, 2)}
                curves_by_number[number].append({"trips": number, **cell, **unique})
    complete = [(known, len(trips), curve) for known, curve in curves.items()]
    fewer = [(_BOTH, number, curves_by_number[number]) for number in numbers[:-1]]
    half = [
        {"known": known, "trips": number, **_find_half_point(pd.DataFrame(curve), box)}
        for known, number, curve in [*complete, *fewer]
    ]
    return {
        "known": tidy(pd.DataFrame(chain(*curves.values())), ["known", "epsilon_bits"]),
        "numbers": tidy(pd.DataFrame(chain(*curves_by_number.values())), ["trips", "epsilon_bits"]),
        "half": tidy(pd.DataFrame(half), ["known", "trips"]).dropna(ignore_index=True),
    }


def _compute_known_keys(
    trips: pd.DataFrame, levels: int, box: Mapping[str, Sequence[float]]
) -> dict[str, Ints]:
    """Compute one key per trip, shape (n,), for each kind of knowledge, by its name."""
    start, end = (compute_place_keys(trips, each, levels, **box) for each in TRIP_ENDS[_BOTH])
    both = start * levels**2 + end
    keys = {_BOTH: both, "start": start, "end": end}
    periods = {
        f"{_BOTH}, {name}": compute_periods(trips, length) for name, length in PERIODS_S.items()
    }
    return keys | dict(_compute_timed_keys(both, levels, periods))


def compute_periods(trips: pd.DataFrame, length_s: int) -> Ints:
    """Compute the number of the period, from a Monday on, in which each trip begins, shape (n,)."""
    seconds = trips["pickup_time"].to_numpy().astype("datetime64[s]").astype(np.int64)
    return (seconds + _MONDAY_S) // length_s


def _compute_timed_keys(
    report: Ints, levels: int, periods: Mapping[str, Ints]
) -> Iterator[tuple[str, Ints]]:
    """Compute 64-bit keys of a trip's report and period together, by the names of the periods.

    Reports, 0 to ``levels``^4 - 1, are renumbered if a key would not fit.
    """
    since = {name: period - period.min() for name, period in periods.items()}
    reports = levels**4
    if (max(int(period.max()) for period in since.values()) + 1) * reports > 2**_KEY_BITS:
        occurring, report = np.unique(report, return_inverse=True)
        reports = len(occurring)
    for name, period in since.items():
        yield name, period * reports + report


def _compute_portions(sizes: GroupSizes, k: Sequence[int]) -> dict[str, float]:
    """Compute the numbers of trips and groups, and the portion of trips in groups below each k."""
    return {
        "trips": sizes.records,
        "groups": sizes.keys,
        **{f"portion_below_{each}": compute_share_below(sizes, each) for each in k},
    }


def _find_half_point(curve: pd.DataFrame, box: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Find the budget at which half of the trips are unique, and the size (m) of a cell there."""
    epsilon_bits, portion = (
        curve[name].to_numpy(float) for name in ("epsilon_bits", "portion_below_2")
    )
    if not (portion >= 0.5).any():
        return dict.fromkeys(("epsilon_bits", "cell_height_m", "cell_width_m"), math.nan)
    above = int(np.argmax(portion >= 0.5))
    around = slice(max(0, above - 1), above + 1)
    half_bits = float(np.interp(0.5, portion[around], epsilon_bits[around]))
    height, width = compute_cell_size_m(2 ** (half_bits / 2), **box)
    return {"epsilon_bits": half_bits, "cell_height_m": height, "cell_width_m": width}


def build_attribution_table(
    trips: pd.DataFrame,
    *,
    epsilon_bits: Sequence[float] = EPSILON_BITS,
    paper_trips: int = PAPER_TRIPS,
    **box: Sequence[float],
) -> pd.DataFrame:
    """Compute the portion of trips that an adversary finds in the release, by its knowledge.

    ``known`` of a ride are the cells of its ``ends``; also its hour of the week, 1 to 168; or also
    the day.  ``portion_unique`` of trips agree with nothing else in the release, and lie between
    ``low`` and ``high`` for ``paper_trips`` trips.

    Among fewer trips, more are unique: a trip that is unique among N trips is so among any of them,
    so the portion of a random sample is, on average, not below that of all.  With fewer trips than
    the paper's, ``low`` is therefore 0; otherwise both ends are the portion itself.
    """
    trips = _encode_coordinates(trips, **box)
    hour = compute_periods(trips, PERIODS_S["hour"])
    periods = {
        "ends": np.zeros_like(hour),
        "ends and hour of the week": hour % HOURS_A_WEEK,
        "ends and hour": hour,
    }
    trips_a_period = {
        known: len(trips) / len(np.unique(period)) for known, period in periods.items()
    }
    is_enough = len(trips) >= _MIN_TRIP_SHARE * paper_trips
    table = []
    for each in epsilon_bits:
        report, levels = compute_trip_keys(trips, each, **box), compute_levels(each)
        for known, keys in _compute_timed_keys(report, levels, periods):
            unique = compute_share_below(count_group_sizes(keys), 2)
            ends = {"low": unique if is_enough else 0.0, "high": unique}
            for facts in (
                {"statistic": "trips", "value": len(trips)},
                {"statistic": "trips_a_period", "value": trips_a_period[known]},
                {"statistic": "portion_unique", "value": unique, **ends},
            ):
                table.append({"known": known, "epsilon_bits": float(each), **facts})
    return pd.DataFrame(table)


# --- Any number of files ----------------------------------------------------------------------


def count_reports(
    trips: Sequence[str | Path],
    *,
    epsilon_bits: Sequence[float],
    partition: int,
    partitions: int,
    folder: str | Path,
    memory_mb: int,
    threads: int,
    **box: Sequence[float],
) -> pd.DataFrame:
    """Count how many trips share each report, among the reports of one partition.

    Files are read piece by piece, and DuckDB groups the reports, in ``folder`` where ``memory_mb``
    does not hold them (the pieces of a file need some hundred MB more); :class:`MemoryError` if it
    needs more of either.  Equal reports are in the same partition, so that the numbers of
    ``groups`` of each ``size`` of all partitions add up.
    """
    settings: dict[str, Any] = {
        "memory_limit": f"{memory_mb}MB",
        "threads": threads,
        "preserve_insertion_order": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    counts = []
    with (
        TemporaryDirectory(prefix=".spilled-", dir=folder) as spill_folder,
        duckdb.connect(config=settings | {"temp_directory": spill_folder}) as connection,
    ):
        connection.execute("SET enable_progress_bar = false")
        for each in epsilon_bits:
            keys = _iterate_partition_keys(trips, each, box, partition, partitions)
            counts.append(_count_groups(connection, keys).assign(epsilon_bits=float(each)))
    return pd.concat(counts, ignore_index=True)[["epsilon_bits", "size", "groups"]]


def _iterate_partition_keys(
    files: Sequence[str | Path],
    epsilon_bits: float,
    box: Mapping[str, Sequence[float]],
    partition: int,
    partitions: int,
) -> Iterator[Ints]:
    """Read trips in batches and iterate their keys, for reports in the partition alone."""
    for file in files:
        for trips in read_batches(file, _COORDINATES, _BATCH_TRIPS):
            keys = compute_trip_keys(trips, epsilon_bits, **box)
            # The high bits of a product with an odd number spread neighbouring cells over all
            # partitions.
            scrambled = (keys.view(np.uint64) * _HASH_MULTIPLIER) >> np.uint64(33)
            yield keys[scrambled % np.uint64(partitions) == partition]


def _count_groups(connection: duckdb.DuckDBPyConnection, pieces: Iterator[Ints]) -> pd.DataFrame:
    """Count the groups of equal keys of each size, in a table with ``size`` and ``groups``."""
    failures: list[BaseException] = []

    def iterate_batches() -> Iterator[pa.RecordBatch]:
        """Convert pieces of keys to record batches; keep an error for the caller."""
        try:
            for keys in pieces:
                yield pa.record_batch({"key": keys})
        except BaseException as error:
            failures.append(error)
            raise

    reader = pa.RecordBatchReader.from_batches(pa.schema([("key", pa.int64())]), iterate_batches())
    try:
        sizes = connection.from_arrow(reader).aggregate("count(*) AS size", "key")
        return sizes.aggregate("size, count(*) AS groups", "size").order("size").df()
    except duckdb.OutOfMemoryException as error:
        raise MemoryError(str(error).splitlines()[0]) from None
    except Exception:
        # DuckDB's error would hide that a file of trips is damaged, or that the job was stopped.
        if not failures:
            raise
    raise failures[0]


@returns_table("epsilon_bits")
def build_shards_table(
    partitions: Sequence[pd.DataFrame], *, files: int, k: Sequence[int] = GROUPS
) -> Rows:
    """Compute the portion of the trips of all files together in groups smaller than k.

    ``partitions`` are the tables of :func:`count_reports` for every partition.
    """
    counts = pd.concat(partitions)
    for each, rows in counts.groupby("epsilon_bits", sort=False):
        groups = rows.groupby("size")["groups"].sum()
        sizes = GroupSizes(groups.index.to_numpy(), groups.to_numpy())
        yield {"epsilon_bits": each, "files": files, **_compute_portions(sizes, k)}


def build_file_table(files: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate what was read of each file, numbered from 1, and why rows were not used.

    ``files`` are the tables of :meth:`noiseless.data.nyc_taxi.FileSummary.build_table`.
    """
    numbered = [table.assign(file=number) for number, table in enumerate(files, start=1)]
    return pd.concat(numbered, ignore_index=True)[["file", "statistic", "value"]]
