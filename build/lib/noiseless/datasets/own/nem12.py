"""NEM12, the format in which the Australian market exchanges readings of intervals.

A file is a list of records: 100 (header), 200 (a register of a meter: NMI, suffix, unit, length of
the interval), 300 (the readings of a day), 400 and 500 (how and when they came about), 900 (end).
Readings are in market time, UTC+10 all year.  AEMO, "Meter Data File Format Specification NEM12 &
NEM13".

A home is an NMI.  Its consumption is the sum over the registers whose suffix begins with E (energy
drawn from the grid; E1 general, E2 a controlled load, ...).  Energy that is fed in (B) and reactive
energy (Q, K) are excluded and counted; readings of quality N (null) are missing.
"""

import collections
import csv
import logging
import re
import zoneinfo
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.datasets.columns import NUMBER_PATTERN
from noiseless.datasets.csv_text import Lines
from noiseless.datasets.own.layouts import MeterReadings
from noiseless.datasets.own.times import Times, clock_of
from noiseless.datasets.raw_files import RawFile, open_unfolded
from noiseless.errors import DataError

log = logging.getLogger(__name__)

_DAY_MIN, _DAY_S = 1440, 86400
_MARKET_OFFSET_S = 10 * 3600
_UNITS_KWH = {"kwh": 1.0, "wh": 1e-3, "mwh": 1e3}
_QUALITIES = re.compile(r"[AEFNSV]\d{0,2}$|$")


def read_nem12(
    path: Path, files: Sequence[Path], section: str, zone: zoneinfo.ZoneInfo | None
) -> MeterReadings:
    """Readings of some files, in kWh.

    Parameters
    ----------
    path : Path
        What errors about all files call them.
    files : sequence of Path
    section : str
        Where the configuration speaks of them.
    zone : ZoneInfo or None
        The zone whose days are taken; None for market time.

    Raises
    ------
    DataError
        Names the line of a record that is not as described; a file without a record 900 is cut off.
    """
    records = [_file_records(file, section) for file in files]
    counts = {"rows": sum(record[0] for record in records), "blank_rows": 0}
    blocks = [block for record in records for block in record[1]]
    counts["rows_not_kept"] = counts["rows"] - len(blocks)
    if not blocks:
        raise DataError(
            f"{path}: no register of energy drawn from the grid (suffix E1, E2, ...) has a reading."
        )
    intervals = sorted({block.interval_s for block in blocks})
    if len(intervals) > 1:
        names = ", ".join(f"{length // 60}" for length in intervals)
        raise DataError(
            f"{path}: registers are read every {names} minutes. Bring them to one sampling "
            "interval."
        )
    (interval_s,) = intervals
    seen: dict[tuple[str, str, int], _Day] = {}
    for block in blocks:
        key = block.home, block.register, block.day_s
        if key in seen:
            raise DataError(
                f"{block.place}: home {block.home} has readings of register {block.register} for "
                f"the same day in {seen[key].place}. Delete one of them."
            )
        seen[key] = block
    of_home = collections.defaultdict(set)
    for home, register, _ in seen:
        of_home[home].add(register)
    for block in blocks:
        named = set(re.findall(r"E[0-9A-Z]", block.configuration))
        if named and named != of_home[block.home]:
            raise DataError(
                f"{block.place}: home {block.home} has the registers {', '.join(sorted(named))} of "
                "energy drawn from the grid, but there are readings of "
                f"{', '.join(sorted(of_home[block.home]))}. Ask for a complete file."
            )
    # The sum over registers; it is missing where one of the home's registers has no reading.
    homes, home_of = np.unique([block.home for block in blocks], return_inverse=True)
    days, day_of = np.unique([block.day_s for block in blocks], return_inverse=True)
    cell, first, place = np.unique(
        home_of * len(days) + day_of, return_index=True, return_inverse=True
    )
    values = np.zeros((len(cell), _DAY_S // interval_s))
    np.add.at(values, place, np.array([block.readings for block in blocks]))
    registers = np.array([len(of_home[home]) for home in homes])
    values[np.bincount(place) < registers[cell // len(days)]] = np.nan
    width = values.shape[1]
    clock = days[cell % len(days)][:, None] + interval_s * np.arange(width)
    line = clock.ravel()
    times = Times(line, line, None)
    if zone is not None:
        utc = line - _MARKET_OFFSET_S
        times = Times(clock_of(utc, zone), utc, zone)

    def row_name(reading: int) -> str:
        return blocks[int(first[reading // width])].place

    def error(reading: int, key: str, problem: str, *, count: int = 1) -> DataError:
        more = f" ({count - 1} more)" if count > 1 else ""
        return DataError(f"{row_name(reading)}, interval {reading % width + 1}: {problem}{more}.")

    return MeterReadings(
        path=path,
        homes=pd.Categorical.from_codes(np.repeat(cell // len(days), width), homes),
        times=times,
        amounts=values.ravel(),
        error=error,
        row_name=row_name,
        names={"home": "NMI", "time": "IntervalDate", "value": "IntervalValue"},
        interval_s=interval_s,
        unit="kWh",
        marks_starts=True,
        counts=counts,
    )


class _Day:
    """The readings of a register on a day."""

    def __init__(
        self,
        place: str,
        home: str,
        register: str,
        day_s: int,
        interval_s: int,
        readings: np.ndarray,
        configuration: str,
    ) -> None:
        self.place, self.home, self.register = place, home, register
        self.configuration = configuration
        self.day_s, self.interval_s, self.readings = day_s, interval_s, readings


def _file_records(path: Path, section: str) -> tuple[int, list[_Day]]:
    """Number of 300 records of a file, and those of consumption."""
    raw = RawFile(path, section)
    number = re.compile(NUMBER_PATTERN, re.ASCII)
    found: list[_Day] = []
    rows = 0
    register: tuple[str, str, float, int, str] | None = None
    days: set[str] = set()  # of the register
    ended = False
    ignored: set[tuple[str, str, str]] = set()
    with open_unfolded(raw) as source:
        blocks = Lines(source, str(path))
        text = "".join(block.decode("utf-8-sig", errors="replace") for block in blocks)
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        for cells in reader:
            place = f"{path}, line {reader.line_num}"
            kind = cells[0].strip() if cells else ""
            if not any(cell.strip() for cell in cells):
                continue
            if ended:
                raise DataError(f"{place}: a record behind the end (900). {raw.again}")
            elif kind == "200":
                if register is not None and not days:
                    raise DataError(
                        f"{place}: the register before has no readings (300), so that records may "
                        f"be missing, or one stands twice. {raw.again}"
                    )
                register, days = _register(place, cells), set()
            elif kind == "300":
                rows += 1
                if register is None:
                    raise DataError(f"{place}: a record 300 without a register (200). {raw.again}")
                home, suffix, factor, minutes, configuration = register
                day = cells[1].strip() if len(cells) > 1 else ""
                days.add(day)
                if not suffix.startswith("E"):
                    # Twice the same day: readings of another register may stand under this one.
                    if (home, suffix, day) in ignored:
                        raise DataError(
                            f"{place}: home {home} has readings of register {suffix} for "
                            f"{day[:40]!r} once more. Delete one of them. {raw.again}"
                        )
                    ignored.add((home, suffix, day))
                    continue
                width = _DAY_MIN // minutes
                readings = [cell.strip() for cell in cells[2 : 2 + width]]
                if len(cells) < width + 3 or len(cells) > width + 7:
                    raise DataError(
                        f"{place}: {len(cells)} cells, but {width} readings of {minutes} minutes "
                        f"make {width + 3} to {width + 7}. {raw.again}"
                    )
                quality = cells[2 + width].strip()
                if not quality or not _QUALITIES.match(quality):
                    raise DataError(
                        f"{place}: {quality[:40]!r} is not a quality of readings such as A or S14. "
                        f"{raw.again}"
                    )
                bad = [
                    each for each in readings if not number.match(each) and quality[0] not in "N"
                ]
                if bad:
                    raise DataError(f"{place}: {bad[0][:40]!r} is not a number. Correct the cell.")
                date = pd.to_datetime(day, format="%Y%m%d", errors="coerce")
                if pd.isna(date):
                    raise DataError(
                        f"{place}: {cells[1][:40]!r} is not a date like 20240131. Correct the cell."
                    )
                values = (
                    np.full(width, np.nan)
                    if quality[0] == "N"
                    else np.array(readings, dtype=float) * factor
                )
                found.append(
                    _Day(
                        place,
                        home,
                        suffix,
                        int(date.timestamp()),
                        minutes * 60,
                        values,
                        configuration,
                    )
                )
            elif kind == "900":
                ended = True
            elif kind not in ("100", "400", "500"):
                raise DataError(
                    f"{place}: {kind[:40]!r} is not a kind of record (100, 200, 300, 400, 500, "
                    f"900). {raw.again}"
                )
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: {error}. {raw.again}") from None
    if not ended:
        raise DataError(f"{path}: no record 900 at the end: the file is cut off. {raw.again}")
    for suffix, count in sorted(collections.Counter(suffix for _, suffix, _ in ignored).items()):
        log.info("%s: %d days of register %s are excluded: no consumption.", path, count, suffix)
    return rows, found


def _register(place: str, cells: Sequence[str]) -> tuple[str, str, float, int, str]:
    """NMI, suffix, kWh of the unit, minutes of the interval, and all registers of the NMI."""
    if len(cells) < 9:
        raise DataError(f"{place}: a record 200 has {len(cells)} cells, but must have 9 or more.")
    configuration = cells[2].strip()
    home, suffix, unit, minutes = (cells[k].strip() for k in (1, 4, 7, 8))
    if not home or not suffix or not home.isprintable():
        raise DataError(f"{place}: a record 200 without an NMI or a suffix that can be read.")
    if not minutes.isascii() or not minutes.isdigit() or _DAY_MIN % (int(minutes) or _DAY_MIN + 1):
        raise DataError(f"{place}: {minutes[:40]!r} is not a length of intervals in minutes.")
    if suffix.startswith("E") and unit.lower() not in _UNITS_KWH:
        raise DataError(
            f"{place}: register {suffix} is in {unit[:40]!r}, but energy is in Wh, kWh or MWh."
        )
    return home, suffix, _UNITS_KWH.get(unit.lower(), 0.0), int(minutes), configuration
