"""The layouts that files of meter readings have; readings in one long form come out of each.

- ``long``: a row for each home and time.
- ``wide``: a row for each home and day, and a column for each interval of the day, which is called
  by its time (0:30, 1:00, ..., as in Ausgrid's files) or its number (1 to 48, as in those of
  Elexon, with 46 and 50 on the days on which the clock changes).
- ``nem12``: the format of the Australian market, in which a record is for one register and day.

The last one is recognized.  A wide file that is read as a long one is an error: one half-hour of
each day would pass for the day.  A folder is read as one file, in the order of the names.
"""

import fnmatch
import logging
import re
import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.custodian.reading.nem12 import read_nem12
from noiseless.custodian.reading.readings import MeterReadings
from noiseless.custodian.reading.times import Times, find_zone, midnights_utc, read_times
from noiseless.data.columns import (
    NUMBER,
    TEXT,
    TIME,
    Columns,
    Wanted,
    joined,
    read_columns,
)
from noiseless.data.raw_files import Kind, RawFile, identify, listed
from noiseless.errors import ConfigError, DataError

log = logging.getLogger(__name__)

LAYOUTS = ("long", "wide", "nem12")
_FEWEST_OF_A_KIND = 23  # columns that differ in their numbers alone
_DAY_S, _DAY_MIN = 86400, 1440
_TABLES = (".csv", ".csv.gz", ".txt", ".parquet", ".pq", ".xlsx", ".zip")

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MeterSettings:
    """What the configuration says of a file of meters.

    Attributes
    ----------
    columns : mapping, optional
        The file's names of ``home`` (which meter; without it, each file is a home of its name),
        ``time``, ``value`` and, where the time of day has a column of its own, ``time_of_day``, or
        ``period`` where that is the number of the interval in its day, from 1.  Of
        a wide file ``value`` is a pattern such as ``HH*`` for the columns of the day, and may be
        omitted where there is one family of them.  NEM12 needs none.
    unit : str, optional
        The unit of the values: Wh, kWh or MWh in the interval, or W, kW or MW, the mean power in
        it.  NEM12 says it itself.
    layout : str, optional
        ``long`` or ``wide``; ``nem12`` is recognized.
    time_zone : str, optional
        Such as ``Europe/Paris``: the zone whose days are taken.  Without it, times are those of a
        clock that never changes.
    time_format : str, optional
        ``unix_s`` for seconds since 1970 in UTC, or a format of ``strptime``; ISO 8601 without it.
    time_marks : str
        Whether a time is the ``start`` or the ``end`` of its interval.
    register : bool
        Whether the values are those on the display of a meter, of which differences are taken; a
        time is then when the display was read.
    repeated_rows : str
        ``refuse``: a second reading for the same home and time is an error.  ``drop_identical``: it
        is excluded and counted if its value is the same, and an error if not.
    keep : mapping, optional
        Names of columns, each with the values of the rows to keep.
    first_day, last_day : str, optional
        The period; without them, from the first to the last day that is complete in most homes.
    largest_power_kw : float
        A larger mean power in an interval is an error.
    separator, decimal, encoding : str
        The separator, decimal sign and encoding of a CSV file.
    sheet : str, optional
        The sheet to read, of a workbook with several.
    section : str
        Where the configuration gives these settings, for messages.
    """

    columns: Mapping[str, str] | None = None
    unit: str | None = None
    layout: str | None = None
    time_zone: str | None = None
    time_format: str | None = None
    time_marks: str = "start"
    register: bool = False
    repeated_rows: str = "refuse"
    keep: Mapping[str, Sequence[str]] | None = None
    first_day: str | None = None
    last_day: str | None = None
    largest_power_kw: float = 100
    separator: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    sheet: str | None = None
    section: str = "data.meters"

    @property
    def zone(self) -> zoneinfo.ZoneInfo | None:
        """The time zone by its name."""
        return find_zone(self.time_zone, section=self.section)


def read_layout(path: str | Path, settings: MeterSettings) -> MeterReadings:
    """Readings of a file, or of all files of a folder.

    Raises
    ------
    ConfigError
        If a column that the layout needs is not configured.
    DataError
        If a file cannot be read so; file, line and column are named.
    """
    if settings.layout not in (None, *LAYOUTS):
        raise ConfigError(
            f"{settings.section}.layout is {settings.layout!r}, but it must be one of "
            f"{', '.join(LAYOUTS)}."
        )
    path = Path(path)
    files = files_of(path, settings.section)
    kinds = {file: identify(RawFile(file, settings.section)) for file in files}
    layouts = {
        file: "nem12" if kind is Kind.NEM12 else settings.layout or "long"
        for file, kind in kinds.items()
    }
    if len(set(layouts.values())) > 1:
        one = {layout: file for file, layout in layouts.items()}
        raise DataError(
            f"{path}: its files have several layouts: "
            f"{', '.join(f'{layout} ({file.name})' for layout, file in one.items())}. Put them "
            "into folders of their own."
        )
    (layout,) = set(layouts.values())
    if settings.layout not in (None, layout):
        raise DataError(
            f"{files[0]}: {settings.section}.layout is {settings.layout}, but the file is {layout}."
        )
    if layout == "nem12":
        return read_nem12(path, files, settings.section, settings.zone)
    if not settings.columns:
        raise DataError(
            f"{files[0]}: not NEM12. Set {settings.section}.columns to what the file calls its "
            "columns."
        )
    needed = ("time", "value") if layout == "long" else ("time",)
    for key in needed:
        if not settings.columns.get(key):
            raise ConfigError(
                f"{settings.section}.columns.{key} is missing: say which column it is."
            )
    return (_read_long if layout == "long" else _read_wide)(path, files, settings)


def files_of(path: Path, section: str) -> list[Path]:
    """The file itself; or the tables in a folder, by name.

    Raises
    ------
    DataError
        If there is no table in the folder.
    """
    if not path.is_dir():
        return [path]
    found = sorted(
        file for file in path.iterdir() if file.is_file() and not file.name.startswith((".", "~"))
    )
    tables = [file for file in found if file.name.lower().endswith(_TABLES)]
    if not tables:
        raise DataError(
            f"{path}: no table in this folder (files that end in {', '.join(_TABLES)}). Set "
            f"{section}.path to the folder or the file you have."
        )
    others = [file.name for file in found if file not in tables]
    if others:
        log.warning("%s: not read, as they are no tables: %s.", path, listed(others))
    return tables


def home_of_file(file: Path) -> str:
    """What a home is called whose file it is: the name without its endings."""
    name = file.name
    for ending in sorted(_TABLES, key=len, reverse=True):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return file.stem


# --- Long -------------------------------------------------------------------------------------


def _read_long(path: Path, files: Sequence[Path], settings: MeterSettings) -> MeterReadings:
    names = settings.columns or {}
    if names.get("time_of_day") and names.get("period"):
        raise ConfigError(
            f"{settings.section}.columns has both time_of_day and period. Omit one of them."
        )

    def wanted(header: Sequence[str]) -> Wanted:
        kinds = {"home": TEXT, "time": TIME, "value": NUMBER}
        kinds |= {"time_of_day": TEXT, "period": NUMBER}
        value = names["value"]
        for family in families(header):
            if value in family:
                raise DataError(
                    f"{path}: column {value!r} is one of {len(family)} that differ in their "
                    f"numbers alone ({listed(family, 3)}). If they are the intervals of a day, the "
                    f"file is wide: set {settings.section}.layout to wide. If each is a meter, "
                    "bring the file into a row for each meter and time."
                )
        return {
            **{key: (names[key], kind) for key, kind in kinds.items() if names.get(key)},
            **_kept_columns(settings),
        }

    read, counts = _table(path, files, settings, wanted)
    homes = _homes(read)
    times = read_times(read, settings.zone, settings.time_format, homes.codes)
    return MeterReadings(
        path=path,
        homes=homes,
        times=times,
        amounts=read.number("value"),
        error=read.error,
        row_name=read.row_name,
        names=read.names,
        header=read.header,
        counts=counts,
        marks_starts="period" in read.names,
    )


def _kept_columns(settings: MeterSettings) -> Wanted:
    return {f"keep {name}": (name, TEXT) for name in settings.keep or {}}


def _table(
    path: Path,
    files: Sequence[Path],
    settings: MeterSettings,
    wanted: Callable[[Sequence[str]], Wanted],
) -> tuple[Columns, dict[str, int]]:
    """The rows of all files that are to be kept, and what was excluded of them."""
    reads = [
        read_columns(
            file,
            section=settings.section,
            columns=wanted,
            separator=settings.separator,
            decimal=settings.decimal,
            encoding=settings.encoding,
            sheet=settings.sheet,
            exclude_blank_rows=True,
        )
        for file in files
    ]
    read = joined(reads, path)
    counts = {"rows": len(read) + read.blank_rows, "blank_rows": read.blank_rows}
    chosen = np.ones(len(read), dtype=bool)
    for name, values in (settings.keep or {}).items():
        cells = read.cells(f"keep {name}")
        there = np.isin(cells.astype(str), [str(value) for value in values])
        if not there.any():
            raise DataError(
                f"{path}: no row has one of {', '.join(map(repr, values))} in column {name!r}; "
                f"there are {listed(sorted(set(cells)))}. Set {settings.section}.keep."
            )
        chosen &= there
    counts["rows_not_kept"] = int((~chosen).sum())
    if not chosen.any():
        raise DataError(f"{path}: no row is left by {settings.section}.keep.")
    return read.keep(chosen), counts


def _homes(read: Columns) -> pd.Categorical:
    if "home" in read.names:
        return read.text("home")
    place = read.places["file"].combine_chunks()
    names = [home_of_file(Path(file)) for file in place.dictionary.to_pylist()]
    merged, position = np.unique(names, return_inverse=True)
    return pd.Categorical.from_codes(position[place.indices.to_numpy()], merged)


# --- Wide -------------------------------------------------------------------------------------


def families(header: Sequence[str]) -> list[list[str]]:
    """Names that differ in their numbers alone, where there are as many as hours in a day."""
    groups: dict[str, list[str]] = {}
    for name in header:
        if re.search(r"\d", name):
            groups.setdefault(re.sub(r"\d+", "#", name), []).append(name)
    return [group for group in groups.values() if len(group) >= _FEWEST_OF_A_KIND]


@dataclass(frozen=True)
class DayColumns:
    """The columns that hold the intervals of a day, in their order.

    Attributes
    ----------
    names : tuple of str
    interval_s : int
        Sampling interval.
    has_long_days : bool
        Whether there are columns for the 25th hour of a day on which the clock is set back.
    """

    names: tuple[str, ...]
    interval_s: int
    has_long_days: bool


def day_columns(header: Sequence[str], pattern: str | None) -> DayColumns | None:
    """The columns of a wide file; None where there are none, or several such families.

    They are called by the time at which the interval begins (0:00 to 23:30) or ends (0:30 to 24:00
    or to 0:00), by both (00:00-00:30), or by its number, from 0 or 1.
    """
    found = []
    for family in families(header):
        members = [name for name in family if fnmatch.fnmatchcase(name, pattern or "*")]
        numbers = [tuple(map(int, re.findall(r"\d+", name))) for name in members]
        texts = [re.findall(r"\d+", name) for name in members]
        found.append(_as_times(members, numbers, texts) or _as_numbers(members, numbers))
    found = [each for each in found if each]
    return found[0] if len(found) == 1 else None


def _as_times(
    names: Sequence[str], numbers: Sequence[tuple[int, ...]], texts: Sequence[list[str]]
) -> DayColumns | None:
    width = len(numbers[0])
    if width == 1 and all(len(text[0]) in (3, 4) for text in texts):  # 0030, or 30 of 0030
        minutes = [number[0] // 100 * 60 + number[0] % 100 for number in numbers]
        if any(number[0] % 100 >= 60 for number in numbers):
            return None
    elif width in (2, 3, 4, 6):
        minutes = [number[0] * 60 + number[1] for number in numbers]
    else:
        return None
    step = minutes[1] - minutes[0]
    if step <= 0 or step * len(names) != _DAY_MIN or minutes[0] not in (0, step):
        return None
    wanted = [(minutes[0] + step * k) for k in range(len(names))]
    if [minute % _DAY_MIN for minute in minutes] != [minute % _DAY_MIN for minute in wanted]:
        return None
    return DayColumns(tuple(names), step * 60, has_long_days=False)


def _as_numbers(names: Sequence[str], numbers: Sequence[tuple[int, ...]]) -> DayColumns | None:
    if any(len(number) != 1 for number in numbers):
        return None
    first = numbers[0][0]
    if first not in (0, 1) or [number[0] for number in numbers] != list(
        range(first, first + len(names))
    ):
        return None
    for hours in (24, 25):
        per_hour = len(names) / hours
        if per_hour in (1, 2, 4, 6, 12):
            return DayColumns(tuple(names), round(3600 / per_hour), has_long_days=hours == 25)
    return None


def _wide_columns(
    path: Path, header: Sequence[str], settings: MeterSettings, found: dict[str, DayColumns]
) -> Wanted:
    """The columns of a wide file; those of the day are put into ``found``, by their names."""
    names, section = settings.columns or {}, settings.section
    columns = day_columns(header, names.get("value"))
    if columns is None:
        raise DataError(
            f"{path}: no columns for the intervals of a day, such as 0:00 to 23:30, 0:30 to "
            f"24:00 or 1 to 48 (one family of them, in order). The columns are: "
            f"{listed(header)}. Set {section}.columns.value to a pattern such as 'HH*', or "
            f"{section}.layout to long."
        )
    found[listed(columns.names, 3)] = columns
    if len({each.names for each in found.values()}) > 1:
        raise DataError(
            f"{path}: the columns of the day differ between the files: {' and '.join(found)}."
        )
    if columns.has_long_days != (settings.zone is not None):
        problem = (
            f"up to those of the 25th hour. Set {section}.time_zone"
            if columns.has_long_days
            else f"so each day has 24 hours. Omit {section}.time_zone"
        )
        raise DataError(
            f"{path}: the file has {len(columns.names)} columns for the intervals of a day, "
            f"{problem}."
        )
    return {
        **{key: (names[key], TEXT) for key in ("home",) if names.get(key)},
        "time": (names["time"], TIME),
        **_kept_columns(settings),
        **{f"value {k}": (name, NUMBER) for k, name in enumerate(columns.names)},
    }


def _read_wide(path: Path, files: Sequence[Path], settings: MeterSettings) -> MeterReadings:
    section, zone = settings.section, settings.zone
    found: dict[str, DayColumns] = {}
    read, counts = _table(
        path, files, settings, lambda header: _wide_columns(path, header, settings, found)
    )
    columns = next(iter(found.values()))
    homes = _homes(read)
    days = read_times(read, None, settings.time_format, homes.codes)
    read.require(
        "time",
        days.clock_s % _DAY_S == 0,
        f"a time of day, but a row of a wide file is a day. Correct it, or set {section}.layout",
    )
    width = len(columns.names)
    values = np.column_stack([read.number(f"value {k}") for k in range(width)])
    after_s = columns.interval_s * np.arange(width)
    clock = line = days.clock_s[:, None] + after_s
    there = np.ones(values.shape, dtype=bool)
    if zone is not None:
        day = days.clock_s // _DAY_S
        line = midnights_utc(day, zone)[:, None] + after_s
        there = line < midnights_utc(day + 1, zone)[:, None]
        extra = ~there & ~np.isnan(values)
        if extra.any():
            row, k = (int(axis[0]) for axis in np.nonzero(extra))
            raise read.error(
                row,
                f"value {k}",
                f"a reading, but the day has {int(there[row].sum())} intervals in {zone.key}",
                count=int(extra.sum()),
            )
        clock = np.minimum(clock, (days.clock_s + _DAY_S)[:, None] - 1)  # the day is what counts
    place = np.flatnonzero(there.ravel())

    def error(reading: int, key: str, problem: str, *, count: int = 1) -> DataError:
        row, k = divmod(int(place[reading]), width)
        return read.error(row, f"value {k}" if key == "value" else key, problem, count=count)

    return MeterReadings(
        path=path,
        homes=pd.Categorical.from_codes(np.repeat(homes.codes, width)[place], homes.categories),
        times=Times(clock.ravel()[place], line.ravel()[place], zone),
        amounts=values.ravel()[place],
        error=error,
        row_name=lambda reading: read.row_name(int(place[reading]) // width),
        names={**read.names, "value": columns.names[0]},
        interval_s=columns.interval_s,
        marks_starts=True,
        header=read.header,
        counts=counts,
    )
