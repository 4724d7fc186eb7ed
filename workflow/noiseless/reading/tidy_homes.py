"""Readings of homes in a documented form: a row for each home and time.

The file is CSV (UTF-8, commas between cells, points before decimals; may be gzipped) or Parquet,
with the columns ``home``, ``time`` and ``energy_kwh``:

1. ``home`` is a name;
2. ``time`` is when the interval of a reading begins, such as ``2024-01-31`` or
   ``2024-01-31 13:30``: standard time all year, without a zone;
3. ``energy_kwh`` is what the home has used in the interval, 0 or more.

Further columns are named and ignored.  :func:`read_tidy_homes` reads it.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from noiseless.arrays import Bools, Floats, Ints
from noiseless.errors import ConfigError, DataError
from noiseless.reading.columns import (
    NUMBER,
    TEXT,
    TIME,
    ZONED_PATTERN,
    ColumnSpecs,
    TableColumns,
    iterate_rows,
    read_columns,
    split_row,
)
from noiseless.reading.raw_files import RawFile, format_list, is_parquet, open_decompressed

COLUMNS = ("home", "time", "energy_kwh")
INTERVALS_PER_DAY = {"days": 1, "hours": 24, "half-hours": 48}  # intervals per day

MAX_KWH_PER_DAY = 1700  # three phases of 100 A at 230 V carry 1,656 kWh
WH_PER_KWH = 1000

# So many readings of all homes, at so many times, do not rise by accident, nor as days get colder.
_MIN_REGISTER_READINGS, _MIN_REGISTER_TIMES = 30, 10
_LAST_CLOCK_HOUR = 3  # clocks are put forward or back before 4 in the morning
_DAY = r"\d{4}-\d\d-\d\d"
_TIME = re.compile(rf"{_DAY}([ T]\d\d:\d\d(:\d\d)?)?", re.ASCII)
_ZONED = re.compile(ZONED_PATTERN, re.ASCII)
_DAY_FIRST = re.compile(r"\d\d?[./]\d\d?[./]\d{4}.*", re.ASCII)


@dataclass(frozen=True)
class TidyHomes:
    """Readings of homes, each of which has a reading at every time, and what was left out.

    ``energy_kwh`` has the shape (homes, T); ``times`` are the starts of all intervals of each day
    in the file. ``excluded`` counts the missing readings of homes that lack some; homes in
    ``at_rest`` have one number at all times.
    """

    names: tuple[str, ...]
    times: pd.DatetimeIndex = field(repr=False)
    energy_kwh: Floats = field(repr=False)
    resolution: str
    excluded: Mapping[str, int]
    missing_days: int
    ignored: tuple[str, ...]
    at_rest: tuple[str, ...] = ()

    def format_summary(self) -> str:
        """Format in one line which homes, times and columns were read or excluded."""
        first, last = self.times[0], self.times[-1]
        parts = [
            f"{len(self.names)} homes, {len(self.times)} {self.resolution} from "
            f"{first:%Y-%m-%d} to {last:%Y-%m-%d}, in kWh"
        ]
        if self.missing_days:
            parts.append(f"days between them that are not in the file: {self.missing_days}")
        if self.excluded:
            names = _join_names(list(self.excluded))
            parts.append(f"homes excluded for lack of a reading: {len(self.excluded)} ({names})")
        if self.at_rest:
            names = _join_names(self.at_rest)
            parts.append(f"homes whose readings never change: {len(self.at_rest)} ({names})")
        if self.ignored:
            parts.append(f"columns that are not read: {_join_names(self.ignored)}")
        return "; ".join(parts) + "."


def read_tidy_homes(
    path: str | Path,
    *,
    resolution: str,
    largest_reading_kwh: float | None = None,
    days: tuple[str, str] | None = None,
) -> TidyHomes:
    """Read the homes of a file that have a reading at every time.

    The file is as the module describes it, with rows in any order. Without ``largest_reading_kwh``
    a home's fuses limit what is plausible. Days outside of ``days``, whose ends both count, are
    left out after their cells have been checked. A DataError names the first row that is not as
    described.
    """
    if resolution not in INTERVALS_PER_DAY:
        raise ConfigError(
            f"resolution is {resolution!r}, but it must be one of {_join_names(INTERVALS_PER_DAY)}."
        )
    per_day, largest = INTERVALS_PER_DAY[resolution], largest_reading_kwh
    if largest is not None and not 0 < largest < np.inf:
        raise ConfigError(f"the largest reading is {largest} kWh, but it must be larger than 0.")
    path = Path(path)
    if not os.path.exists(path):  # noqa: PTH110 - of too long a name, Path raises an error
        raise DataError(f"{path}: no such file.")
    read = read_columns(path, columns=partial(_match_columns, path), exclude_blank_rows=True)
    homes, energy_kwh = read.get_texts("home"), _read_energy(read)
    names, home = [str(name) for name in homes.categories], homes.codes.astype(np.int64)
    there, slot = _read_slots(read, resolution)
    place = home * len(there) * per_day + slot
    is_repeated = pd.Series(place).duplicated().to_numpy()
    if is_repeated.any():
        raise _build_repeated_error(read, there, per_day, slot, place, is_repeated)
    chosen, is_chosen = _select_days(path, there, slot // per_day, days)
    home, slot = home[is_chosen], slot[is_chosen]
    slot = slot - np.searchsorted(there, chosen[0]) * per_day
    steps = len(chosen) * per_day
    readings = np.bincount(home, minlength=len(names))
    is_complete = readings == steps
    if not is_complete.any():
        raise _build_incomplete_error(path, names, readings, chosen, per_day, home, slot)
    # As many cells as complete homes have readings, so that the file bounds them.
    table = np.empty((int(is_complete.sum()), steps))
    is_used = is_complete[home]
    row = np.cumsum(is_complete) - 1
    table[row[home[is_used]], slot[is_used]] = energy_kwh[is_chosen][is_used]
    _refuse_registers(path, table)
    _check_largest(read, energy_kwh, resolution, largest)
    complete = tuple(np.asarray(names, object)[is_complete])
    never_changes = (table == table[:, :1]).all(axis=1) & (steps > 1)
    return TidyHomes(
        names=complete,
        times=_build_times(chosen, per_day, np.arange(steps)),
        energy_kwh=table,
        resolution=resolution,
        excluded={
            name: int(count) for name, count in zip(names, readings, strict=True) if count < steps
        },
        missing_days=int(chosen[-1] - chosen[0]) + 1 - len(chosen),
        ignored=tuple(name for name in read.header if name not in COLUMNS),
        at_rest=tuple(name for name, rests in zip(complete, never_changes, strict=True) if rests),
    )


def join_homes(reads: Sequence[TidyHomes]) -> TidyHomes:
    """Join the homes of several files, each of which has readings at the same times.

    Other times, and a home in two files, are refused.
    """
    first, *others = reads
    for other in others:
        if not first.times.equals(other.times):
            raise DataError(
                f"one file has {len(first.times)} times from {first.times[0]} to "
                f"{first.times[-1]}, and another one {len(other.times)} from {other.times[0]} to "
                f"{other.times[-1]}. Homes of several files need the same times: give `days`, "
                "which all of them have."
            )
    names = [name for each in reads for name in each.names]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise DataError(f"the homes {_join_names(twice)} are in two files. Give each home once.")
    order = sorted(range(len(names)), key=names.__getitem__)
    return replace(
        first,
        names=tuple(names[place] for place in order),
        energy_kwh=np.concatenate([each.energy_kwh for each in reads])[order],
        excluded={name: count for each in reads for name, count in each.excluded.items()},
        ignored=tuple(dict.fromkeys(name for each in reads for name in each.ignored)),
        at_rest=tuple(sorted(name for each in reads for name in each.at_rest)),
    )


def count_identical(
    names: Sequence[object], readings_wh: ArrayLike, *, allow_identical: bool
) -> int:
    """Count the homes whose readings (whole Wh, shape (homes, T)) are those of another home.

    Refuse them unless ``allow_identical``.
    """
    readings = np.asarray(readings_wh)
    is_identical = find_identical(readings)
    if is_identical.any() and not allow_identical:
        [first, *_] = np.flatnonzero(is_identical)
        same = [
            str(names[int(k)]) for k in np.flatnonzero((readings == readings[first]).all(axis=1))
        ]
        raise DataError(
            f"the homes {_join_names(same)} have identical readings (in all, {is_identical.sum()} "
            "homes have those of another one), which makes the advantage too small. Give each home "
            "once; or, if they are different homes, set `allow_identical=True` of `Homes` "
            "(`--allow-identical`; `allow_identical: true` of the set in a configuration)."
        )
    return int(is_identical.sum())


def find_identical(readings: NDArray[np.generic]) -> Bools:
    """Find the rows of an array that equal another row in every column.

    >>> find_identical(np.array([[1, 2], [3, 4], [1, 2]])).tolist()
    [True, False, True]
    """
    _, first, counts = np.unique(readings, axis=0, return_inverse=True, return_counts=True)
    return np.asarray(counts[first.ravel()] > 1)


# --- Cells ------------------------------------------------------------------------------------


def _read_slots(read: TableColumns, resolution: str) -> tuple[Ints, Ints]:
    """Parse the times; return the days of the file, and the number of each row's interval.

    Days are counted from 1970, and intervals from the first one of the first day, over the days
    that the file has.
    """
    times = read.get_texts("time")
    words = [str(word) for word in times.categories]

    def check_words(good: Sequence[bool], problem: str) -> None:
        """Check the rows by the texts of their times."""
        read.check_rows("time", np.asarray(good, dtype=bool)[times.codes], problem)

    zoned = [_ZONED.fullmatch(word) is None for word in words]
    check_words(zoned, "{cell} has a zone. Give standard time all year, without one")
    plain = pd.Series([word if _TIME.fullmatch(word) else None for word in words], dtype=object)
    # Check after parsing, as 2024-02-30 matches the pattern but is no day.
    parsed = pd.to_datetime(plain, format="ISO8601", errors="coerce")
    starts = pd.DatetimeIndex(parsed).as_unit("s")
    problem = "{cell}: time must be like 2024-01-31 or 2024-01-31 13:30"
    if any(_DAY_FIRST.fullmatch(word) for word in words):
        problem += '; `pd.to_datetime(table["time"], dayfirst=True)` of pandas reads days first'
    check_words(np.asarray(starts.notna()).tolist(), problem)
    minutes = starts.asi8 // 60
    step = 24 * 60 // INTERVALS_PER_DAY[resolution]
    check_words(
        ((starts.asi8 % 60 == 0) & (minutes % step == 0)).tolist(),
        f"{{cell}}: no reading of {resolution} begins then. Say which resolution the readings have",
    )
    days, day = np.unique(minutes // (24 * 60), return_inverse=True)
    slots = day.ravel() * INTERVALS_PER_DAY[resolution] + minutes % (24 * 60) // step
    return days, slots[times.codes]


def _select_days(
    path: Path, there: Ints, day: Ints, wanted: tuple[str, str] | None
) -> tuple[Ints, Bools]:
    """Return the days of the file that are wanted, and whether each row, by its day, is of them."""
    if wanted is None:
        return there, np.ones(len(day), bool)
    first, last = (int(np.datetime64(each, "D").astype(np.int64)) for each in wanted)
    is_wanted = (first <= there) & (there <= last)
    if not is_wanted.any():
        ends = (str(np.datetime64(int(each), "D")) for each in (there[0], there[-1]))
        raise DataError(
            f"{path}: no reading from {wanted[0]} to {wanted[1]}; its days are {' to '.join(ends)}."
        )
    return there[is_wanted], is_wanted[day]


def _read_energy(read: TableColumns) -> Floats:
    """Parse the energy of each row, in kWh."""
    energy_kwh = read.get_numbers("energy_kwh")
    problem = "an empty cell. Leave rows without a reading out"
    read.check_rows("energy_kwh", ~np.isnan(energy_kwh), problem)
    problem = "{cell} kWh is below 0. Give what is used, without what is fed in"
    read.check_rows("energy_kwh", energy_kwh >= 0, problem)
    return energy_kwh


def _refuse_registers(path: Path, energy_kwh: Floats) -> None:
    """Raise DataError if the readings of no home ever fall, and those of some rise."""
    if energy_kwh.size < _MIN_REGISTER_READINGS or energy_kwh.shape[1] < _MIN_REGISTER_TIMES:
        return
    changes = np.diff(energy_kwh, axis=1)
    if (changes >= 0).all() and (changes > 0).any():
        raise DataError(
            f"{path}: over {energy_kwh.size} readings those of no home ever fall, as those of a "
            "meter's register. Give what was used in each interval: the difference of two readings."
        )


def _check_largest(
    read: TableColumns, energy_kwh: Floats, resolution: str, largest: float | None
) -> None:
    """Check that each reading is one that a home can have."""
    limit = MAX_KWH_PER_DAY / INTERVALS_PER_DAY[resolution] if largest is None else largest
    if np.median(energy_kwh) > limit:
        raise DataError(
            f"{read.path}: most readings are above {limit:.4g} kWh, more than any home uses "
            f"({resolution}). Are they Wh? Divide them by 1,000. Or are they a meter's register? "
            "Give the difference of two readings."
        )
    problem = (
        f"{{cell}} kWh is more than the {limit:.4g} kWh that a home can draw ({resolution}), as "
        "the code of a meter that fails. Correct it, or leave the row out; for larger customers "
        "give the largest plausible reading in kWh: `largest_reading_kwh` (`--largest-reading`)"
    )
    read.check_rows("energy_kwh", energy_kwh <= limit, problem)


def _build_times(days: Ints, per_day: int, slots: Ints) -> pd.DatetimeIndex:
    """Build the times at which intervals begin, from their numbers."""
    seconds = (days[slots // per_day] * per_day + slots % per_day) * (24 * 3600 // per_day)
    return pd.DatetimeIndex(seconds.astype("datetime64[s]"))


def _are_clock_hours(days: Ints, per_day: int, slots: Ints) -> bool:
    """Return whether intervals are one hour of the night, on at most one day of a year."""
    per_hour, hours = per_day // 24, np.unique(slots // max(per_day // 24, 1))
    if per_hour == 0 or len(slots) != len(hours) * per_hour:
        return False
    is_night = hours % 24 <= _LAST_CLOCK_HOUR
    years = _build_times(days, 24, hours).year
    return bool(is_night.all()) and years.is_unique


def _build_repeated_error(
    read: TableColumns,
    days: Ints,
    per_day: int,
    slot: Ints,
    place: Ints,
    is_repeated: Bools,
) -> DataError:
    """Build the error about the first row of a home and time that has another one."""
    first, count = int(is_repeated.argmax()), int(is_repeated.sum())
    twice = np.unique(slot[is_repeated])
    is_there = np.isin(slot, twice)
    is_everybody = 2 * len(np.unique(place[is_there])) == is_there.sum() == 2 * count
    problem = "a second reading of this home at this time. Give each home once"
    if is_everybody and _are_clock_hours(days, per_day, twice):
        hours = format_list([str(time) for time in _build_times(days, per_day, twice)])
        problem = (
            f"every home has two readings of {hours}, as on the day when summer time ends: this is "
            "the clock of summer time. Give standard time all year, or UTC"
        )
    shown = f"{read.format_cell(first, 'time')} of home {read.format_cell(first, 'home')}"
    return read.build_error(first, "time", f"{shown}: {problem}", count=count)


def _build_incomplete_error(
    path: Path,
    names: Sequence[str],
    readings: Ints,
    days: Ints,
    per_day: int,
    home: Ints,
    slot: Ints,
) -> DataError:
    """Build the error for a file in which every home lacks a reading."""
    steps, most = len(days) * per_day, int(readings.argmax())
    there, who = np.unique(slot), "no home has"
    if len(there) == steps:
        there = np.unique(slot[home == most])
        who = f"home {_shorten(names[most])}, which has most, does not have"
    # The first number that is not there; the array of all of them may be far larger than the file.
    gap = np.flatnonzero(there != np.arange(len(there)))
    first = int(gap[0]) if gap.size else len(there)
    count = steps - len(there)
    begin, end, lacking = (
        str(_build_times(days, per_day, np.array([each]))[0]) for each in (0, steps - 1, first)
    )
    if who == "no home has" and count <= len(days):
        absent = np.setdiff1d(np.arange(steps), there)
        if _are_clock_hours(days, per_day, absent):
            return DataError(
                f"{path}: no home has a reading of {lacking} ({count} such times), as on the day "
                "when summer time begins: this is the clock of summer time. Give standard time all "
                "year, or UTC."
            )
    return DataError(
        f"{path}: none of {len(names)} homes has all {steps} readings from {begin} to {end}: "
        f"{who} one of {lacking} ({count} such times). Cut the file to days that homes have "
        "completely."
    )


# --- Columns ----------------------------------------------------------------------------------


def _match_columns(path: Path, header: Sequence[str]) -> ColumnSpecs:
    """Return the three columns, after checking that the header has each once."""
    if {list(header).count(name) for name in COLUMNS} != {1}:
        raise _build_columns_error(path, header)
    return dict(zip(COLUMNS, zip(COLUMNS, (TEXT, TIME, NUMBER), strict=True), strict=True))


def _read_first_cells(path: Path) -> list[str]:
    """Read the first cells of the first rows below the header of a CSV file."""
    raw = RawFile(path)
    if is_parquet(raw):
        return []
    with open_decompressed(raw) as source:
        rows = [split_row(row) for _, row in islice(iterate_rows(source, raw), 4)]
    return [cells[0] for cells in rows[1:] if cells]


def _build_columns_error(path: Path, header: Sequence[str]) -> DataError:
    """Build the error for other columns, with the pandas line that converts a wide file."""
    message = (
        f"{path}: its columns are {_join_names(header)}, but it must have home, time and "
        "energy_kwh, once each, and a row for each home and time"
    )
    is_time = [re.match(_DAY, name) is not None for name in header]
    first_cells = _read_first_cells(path)
    read, packed = f"pd.read_csv({str(path)!r})", is_parquet(RawFile(path))
    if packed:  # with an index of pandas as columns, as they are seen here
        read = f"pyarrow.parquet.read_table({str(path)!r}).to_pandas(ignore_metadata=True)"
    separator = re.search(r"[;\t|]", header[0])
    of_time = bool(first_cells) and all(re.match(_DAY, each) for each in first_cells)
    if len(header) > 2 and (of_time or (packed and set(COLUMNS) & {*header} == {"time"})):
        kept, turned = "time", "home"
        if of_time and header[0] != "time":
            read += f'.rename(columns={{"{header[0] or "Unnamed: 0"}": "time"}})'
    elif sum(is_time) > 1:
        kept, turned = "home", "time"
        if not header[0]:  # the index column that pandas writes
            read = f"pd.read_csv({str(path)!r}, index_col=0)"
        others = [name for name in header if name and re.match(_DAY, name) is None]
        if others and "home" not in others:
            read += f'.rename(columns={{"{others[0]}": "home"}})'
        elif not others:  # the homes stand in the column without a name
            read += '.rename_axis("home").reset_index()'
    elif separator and set(header[0].split(separator[0])) & {*COLUMNS} and len(header) == 1:
        return DataError(
            f"{message}. Its cells have {separator[0]!r} between them, and one line of pandas "
            f'converts it: pd.read_csv({str(path)!r}, sep={separator[0]!r}, decimal=",")'
            '.to_csv("tidy.csv", index=False)'
        )
    elif unnamed := [name for name in header if name.startswith("__index_level_")]:
        lacking = [name for name in COLUMNS if name not in header]
        return DataError(
            f"{message}. pandas wrote {len(unnamed)} of them from an index without names: give it "
            f"the names {' and '.join(lacking)} before it is written, as by "
            f"`table.rename_axis({lacking})`."
        )
    else:
        return DataError(f"{message}. Rename or convert its columns.")
    return DataError(
        f"{message}. This one is wide, and one line of pandas turns it: "
        f'{read}.melt("{kept}", var_name="{turned}", value_name="energy_kwh").dropna()'
        '.to_csv("tidy.csv", index=False)'
    )


def _shorten(text: object) -> str:
    """Return at most 40 printable characters of a text; escape others."""
    word = str(text)[:40]
    return word if word.isprintable() else ascii(word)[1:-1]


def _join_names(names: Sequence[str] | Mapping[str, object], most: int = 8) -> str:
    """Join some names by commas, and add the number of the others."""
    shown = [_shorten(name) or "(no name)" for name in list(names)[:most]]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + more
