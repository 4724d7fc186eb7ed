"""The layouts that files of meter readings have; readings in one long form come out of each.

- ``long``: a row for each home and time.
- ``wide``: a row for each home and day, and a column for each interval of the day, which is called
  by its time (0:30, 1:00, ..., as in Ausgrid's files) or its number (1 to 48, as in those of
  Elexon, with 46 and 50 on the days on which the clock changes).

A third one, NEM12, is no table (:mod:`noiseless.custodian.reading.nem12`).
A wide file that is read as a long one is an error: one half-hour of
each day would pass for the day.  A folder is read as one file, in the order of the names.
"""

import fnmatch
import logging
import re
import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.custodian.reading.times import find_zone, interval_starts, read_times
from noiseless.data.columns import NUMBER, TEXT, TIME, Columns, Wanted, joined, read_columns
from noiseless.data.raw_files import listed
from noiseless.errors import DataError

log = logging.getLogger(__name__)

_FEWEST_OF_A_KIND = 23  # columns that differ in their numbers alone
_DAY_MIN, _LONG_DAY_HOURS = 1440, 25
_INTERVALS = {hours * n for hours in (24, _LONG_DAY_HOURS) for n in (1, 2, 4, 6, 12)}
_TABLES = (".csv", ".csv.gz", ".txt", ".parquet", ".pq", ".xlsx", ".zip")


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
    form : mapping
        ``separator``, ``decimal`` and ``encoding`` of a CSV file, and the ``sheet`` of a workbook;
        see :class:`~noiseless.data.columns.Form`.
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
    form: Mapping[str, str] = field(default_factory=dict)
    section: str = "data.meters"

    @property
    def zone(self) -> zoneinfo.ZoneInfo | None:
        """The time zone by its name."""
        return find_zone(self.time_zone, section=self.section)


@dataclass(frozen=True)
class MeterReadings:
    """Readings of all homes, in any order.

    Attributes
    ----------
    path : Path
        The file, or the folder.
    table : DataFrame
        A row for each reading, by its number in the file: ``home``, a category; ``at``, when its
        interval begins, or, for ``long``, what the file calls it by; ``amount``, NaN where there is
        none.
    error : callable
        Number of a reading, key and problem to an error that says where it stands; ``count``.
    row_name : callable
        Where a reading stands, for a second place in an error.
    names : mapping
        What the file calls ``home``, ``time`` and ``value``.
    interval_s : int or None
        Sampling interval, where the layout declares it.
    unit : str or None
        Unit of the values, where the file declares it.
    marks_starts : bool
        Whether the times are known to be the starts of the intervals.
    header : tuple of str
        Names of the columns.
    counts : mapping
        Rows of the file(s), and rows that were excluded, by reason.
    """

    path: Path
    table: pd.DataFrame = field(repr=False)
    error: Callable[..., DataError] = field(repr=False)
    row_name: Callable[[int], str] = field(repr=False)
    names: Mapping[str, str]
    interval_s: int | None = None
    unit: str | None = None
    marks_starts: bool = False
    header: tuple[str, ...] = field(default=(), repr=False)
    counts: Mapping[str, int] = field(default_factory=dict)


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
    endings = [ending for ending in _TABLES if file.name.lower().endswith(ending)]
    return file.name[: -max(map(len, endings))] if endings else file.stem


def read_tables(path: Path, files: Sequence[Path], settings: MeterSettings) -> MeterReadings:
    """Readings of tables in which each row has one, or those of a day.

    Parameters
    ----------
    path : path
        What errors about all files call them.
    files : sequence of path
    settings : MeterSettings
        With the ``columns`` that the layout needs.

    Raises
    ------
    DataError
        If a file cannot be read so; file, line and column are named.
    """
    section, zone = settings.section, settings.zone
    reads = [
        read_columns(
            file,
            section=section,
            columns=lambda header: _wanted(path, header, settings),
            exclude_blank_rows=True,
            **settings.form,
        )
        for file in files
    ]
    names = {tuple(read.names.values()): None for read in reads}
    if len(names) > 1:
        shown = " and ".join(listed(each[-_FEWEST_OF_A_KIND:], 3) for each in names)
        raise DataError(f"{path}: the columns of the day differ between the files: {shown}.")
    read = joined(reads, path)
    file_of = np.repeat(np.array([home_of_file(file) for file in files]), list(map(len, reads)))
    kept = _kept(read, settings)
    counts = {"rows": len(read) + read.blank_rows, "blank_rows": read.blank_rows}
    counts["rows_not_kept"] = int((~kept).sum())
    read = read.keep(kept)
    homes = read.text("home") if "home" in read.names else pd.Categorical(file_of[kept])

    keys = [key for key in read.names if key.startswith("value")]
    amounts = np.column_stack([read.number(key) for key in keys])
    width, interval_s = len(keys), None
    if settings.layout != "wide":
        times = read_times(read, zone, settings.time_format, homes.codes)
    else:
        dates = read_times(read, None, settings.time_format, homes.codes)
        problem = f"a time of day, but a row of a wide file is a day. Correct it, or set {section}"
        read.require("time", dates == dates.normalize(), f"{problem}.layout")
        interval_s = 3600 * (24 if width % _LONG_DAY_HOURS else _LONG_DAY_HOURS) // width
        numbers = np.tile(np.arange(width), len(read))
        times = interval_starts(dates.repeat(width), numbers, interval_s, zone)
        extra = (times.isna() & ~np.isnan(amounts.ravel())).reshape(amounts.shape)
        if extra.any():
            row, k = (int(axis[0]) for axis in np.nonzero(extra))
            count = int(times[row * width : (row + 1) * width].notna().sum())
            problem = f"a reading, but the day has {count} intervals in {settings.time_zone}"
            raise read.error(row, keys[k], problem, count=int(extra.sum()))
    homes = homes[np.repeat(np.arange(len(read)), width)]
    table = pd.DataFrame({"home": homes, "at": times, "amount": amounts.ravel()})

    def error(reading: int, key: str, problem: str, *, count: int = 1) -> DataError:
        row, k = divmod(reading, width)
        return read.error(row, keys[k] if key == "value" else key, problem, count=count)

    return MeterReadings(
        path=path,
        table=table[table["at"].notna()],
        error=error,
        row_name=lambda reading: read.row_name(reading // width),
        names={"value": read.names[keys[0]], **read.names},
        interval_s=interval_s,
        marks_starts=interval_s is not None or "period" in read.names,
        header=read.header,
        counts=counts,
    )


def _wanted(path: Path, header: Sequence[str], settings: MeterSettings) -> Wanted:
    """The columns to read, by our keys."""
    names, section = settings.columns or {}, settings.section
    kept = {f"keep {name}": (name, TEXT) for name in settings.keep or {}}
    kinds = {"home": TEXT, "time": TIME}
    if settings.layout == "wide":
        day = day_columns(header, names.get("value"))
        if not day:
            raise DataError(
                f"{path}: no columns for the intervals of a day, such as 0:00 to 23:30, 0:30 to "
                f"24:00 or 1 to 48 (one family of them, in order). The columns are: "
                f"{listed(header)}. Set {section}.columns.value to a pattern such as 'HH*', or "
                f"{section}.layout to long."
            )
        is_long = len(day) % _LONG_DAY_HOURS == 0
        if is_long != (settings.time_zone is not None):
            advice = (
                "up to those of the 25th hour. Set" if is_long else "so each day has 24 hours. Omit"
            )
            raise DataError(
                f"{path}: the file has {len(day)} columns for the intervals of a day, {advice} "
                f"{section}.time_zone."
            )
        kept |= {f"value {k}": (name, NUMBER) for k, name in enumerate(day)}
    else:
        kinds |= {"time_of_day": TEXT, "period": NUMBER, "value": NUMBER}
        for family in families(header):
            if names["value"] in family:
                raise DataError(
                    f"{path}: column {names['value']!r} is one of {len(family)} that differ in "
                    f"their numbers alone ({listed(family, 3)}). If they are the intervals of a "
                    f"day, the file is wide: set {section}.layout to wide. If each is a meter, "
                    "bring the file into a row for each meter and time."
                )
    return {key: (names[key], kind) for key, kind in kinds.items() if names.get(key)} | kept


def _kept(read: Columns, settings: MeterSettings) -> NDArray[np.bool_]:
    """Which rows are to be kept."""
    chosen = np.ones(len(read), dtype=bool)
    for name, values in (settings.keep or {}).items():
        cells = read.cells(f"keep {name}")
        there = np.isin(cells.astype(str), [str(value) for value in values])
        if not there.any():
            raise DataError(
                f"{read.path}: no row has one of {', '.join(map(repr, values))} in column "
                f"{name!r}; there are {listed(sorted(set(cells)))}. Set {settings.section}.keep."
            )
        chosen &= there
    if not chosen.any():
        raise DataError(f"{read.path}: no row is left by {settings.section}.keep.")
    return chosen


# --- Wide -------------------------------------------------------------------------------------


def families(header: Sequence[str]) -> list[list[str]]:
    """Names that differ in their numbers alone, where there are as many as hours in a day."""
    groups: dict[str, list[str]] = {}
    for name in header:
        if re.search(r"\d", name):
            groups.setdefault(re.sub(r"\d+", "#", name), []).append(name)
    return [group for group in groups.values() if len(group) >= _FEWEST_OF_A_KIND]


def day_columns(header: Sequence[str], pattern: str | None = None) -> tuple[str, ...]:
    """The columns of the intervals of a day; none where there are none, or several such families.

    They are called by the time at which the interval begins (0:00 to 23:30) or ends (0:30 to 24:00
    or to 0:00), by both (00:00-00:30), or by its number, from 0 or 1.  Those of a day of 25 hours
    are a multiple of 25, and no others are.
    """
    found = []
    for family in families(header):
        names = [name for name in family if fnmatch.fnmatchcase(name, pattern or "*")]
        if len(names) >= _FEWEST_OF_A_KIND and _is_a_day([re.findall(r"\d+", n) for n in names]):
            found.append(tuple(names))
    return found[0] if len(found) == 1 else ()


def _is_a_day(texts: Sequence[Sequence[str]]) -> bool:
    """Whether the numbers of names are the times of the intervals of a day, or count them."""
    numbers = np.array([list(map(int, text)) for text in texts])
    first, place, width = numbers[:, 0], np.arange(len(texts)), numbers.shape[1]
    is_counted = width == 1 and first[0] in (0, 1) and (first - first[0] == place).all()
    if is_counted and len(texts) in _INTERVALS:
        return True
    if width in (2, 3, 4, 6):
        minutes = first * 60 + numbers[:, 1]
    elif width == 1 and all(len(text[0]) in (3, 4) for text in texts):  # 0030
        minutes = first // 100 * 60 + first % 100
        if (first % 100 >= 60).any():
            return False
    else:
        return False
    step = _DAY_MIN / len(texts)
    steady = (minutes - minutes[0] - step * place) % _DAY_MIN == 0
    return bool(minutes[0] in (0, step) and steady.all())
