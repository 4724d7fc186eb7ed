"""NEM12, the format in which the Australian market exchanges readings of intervals.

A file is a list of records: 100 (header), 200 (a register of a meter: NMI, suffix, unit, length of
the interval), 300 (the readings of a day), 400 and 500 (how and when they came about), 900 (end).
Readings are in market time, UTC+10 all year.  AEMO, "Meter Data File Format Specification NEM12 &
NEM13".

A home is an NMI.  Its consumption is the sum over the registers whose suffix begins with E (energy
drawn from the grid; E1 general, E2 a controlled load, ...).  Energy that is fed in (B) and reactive
energy (Q, K) are excluded and counted; readings of quality N (null) are missing.

The reader is our own.  ``nemreader`` 0.9.2 passes over records that it cannot use, takes MWh and Wh
for kWh, and counts a day twice that stands twice: of 210 damaged files, it gave 40 with a wrong sum
and 20 with fewer days, without an error.
"""

import csv
import io
import re
import zoneinfo
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from noiseless.custodian.reading.layouts import MeterReadings
from noiseless.custodian.reading.times import interval_starts
from noiseless.data.columns import NUMBER_PATTERN
from noiseless.data.raw_files import RawFile, open_unfolded
from noiseless.errors import DataError

_DAY_MIN = 1440
_MARKET = "Etc/GMT-10"  # UTC+10
_UNITS_KWH = {"kwh": 1.0, "wh": 1e-3, "mwh": 1e3}
_KINDS = ("100", "200", "300", "400", "500", "900")
_QUALITY = re.compile(r"[AEFNSV]\d{0,2}", re.ASCII)
_NUMBER = re.compile(NUMBER_PATTERN, re.ASCII)


# Of a record 200: a register.  Of a record 300: that of it, too.
_Record = dict[str, Any]


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
    days = [day for file in files for day in _days_of(RawFile(file, section))]
    seen: dict[tuple[str, str, pd.Timestamp], _Record] = {}
    for day in days:
        home, suffix = day["home"], day["suffix"]
        other = seen.setdefault((home, suffix, day["date"]), day)
        again = f"readings of home {home}, register {suffix}, for the same day as in "
        _require(other is day, day["place"], again + other["place"])
    drawn = pd.DataFrame([day for day in days if day["suffix"].startswith("E")])
    _require(len(drawn) > 0, str(path), "no register of energy drawn from the grid (E1, E2, ...)")
    registers = drawn.groupby("home")["suffix"].agg(set)
    for day in drawn.itertuples():
        named, found = set(re.findall(r"E[0-9A-Z]", day.of_home)), registers[day.home]
        lack = f"home {day.home} has the registers {sorted(named)}, not {sorted(found)}"
        _require(not named or named == found, day.place, lack)
    lengths = sorted(set(drawn["interval_min"]))
    _require(len(lengths) == 1, str(path), f"registers are read every {lengths} minutes")
    # The sum over registers; it is missing where one of the home's registers has no reading.
    keys = [drawn["home"], drawn["date"]]
    groups = pd.DataFrame(np.array([*drawn["readings"]])).groupby(keys)
    first = drawn.groupby(keys)["place"].first()
    homes, dates = first.index.get_level_values("home"), first.index.get_level_values("date")
    values = groups.sum().where(groups.count().eq(homes.map(registers.map(len)), axis=0))
    width, interval_s = values.shape[1], 60 * lengths[0]
    numbers = np.tile(np.arange(width), len(values))
    at = interval_starts(dates.repeat(width), numbers, interval_s, None)
    table = pd.DataFrame(
        {
            "home": pd.Categorical(homes.repeat(width)),
            "at": at.tz_localize(_MARKET).tz_convert(zone) if zone else at,
            "amount": values.to_numpy().ravel(),
        }
    )

    def row_name(reading: int) -> str:
        return first.iloc[reading // width]

    def error(reading: int, key: str, problem: str, *, count: int = 1) -> DataError:
        more = f" ({count - 1} more)" if count > 1 else ""
        return DataError(f"{row_name(reading)}, interval {reading % width + 1}: {problem}{more}.")

    return MeterReadings(
        path=path,
        table=table,
        error=error,
        row_name=row_name,
        names={"home": "NMI", "time": "IntervalDate", "value": "IntervalValue"},
        interval_s=interval_s,
        unit="kWh",
        marks_starts=True,
        counts={"rows": len(days), "blank_rows": 0, "rows_not_kept": len(days) - len(drawn)},
    )


def _require(holds: bool, place: str, problem: str) -> None:
    if not holds:
        raise DataError(f"{place}: {problem}. Correct it, or ask for the complete file again.")


def _days_of(raw: RawFile) -> Iterator[_Record]:
    """The records 300 of a file."""
    register: _Record = {}
    is_read, ended = True, False
    with open_unfolded(raw) as source:
        text = io.TextIOWrapper(source, "utf-8-sig", errors="replace", newline="")
        reader = csv.reader(text, strict=True)
        try:
            for line in reader:
                cells = [cell.strip() for cell in line]
                place = f"{raw.path}, line {reader.line_num}"
                if not any(cells):
                    continue
                known = f"{cells[0][:40]!r} is not a kind of record, 100 to 900"
                _require(cells[0] in _KINDS, place, known)
                _require(not ended, place, "a record behind the end (900)")
                if cells[0] == "200":
                    _require(is_read, place, "the register before has no readings (300)")
                    register, is_read = _register(place, cells), False
                elif cells[0] == "300":
                    yield _day(place, cells, register)
                    is_read = True
                ended = cells[0] == "900"
        except csv.Error as error:
            _require(False, f"{raw.path}, line {reader.line_num}", str(error))
    _require(ended, str(raw.path), "no record 900 at the end: the file is cut off")


def _register(place: str, cells: Sequence[str]) -> _Record:
    _require(len(cells) > 8, place, f"a record 200 of {len(cells)} cells, not of 9 or more")
    home, of_home, suffix, unit, minutes = (cells[k] for k in (1, 2, 4, 7, 8))
    _require(bool(home and suffix) and home.isprintable(), place, "an NMI or suffix is missing")
    is_length = re.fullmatch("[1-9][0-9]{0,3}", minutes) and _DAY_MIN % int(minutes) == 0
    _require(bool(is_length), place, f"{minutes[:40]!r} is not a length of intervals in minutes")
    factor = _UNITS_KWH.get(unit.lower(), 0.0)
    is_energy = not suffix.startswith("E") or factor > 0
    _require(is_energy, place, f"energy in {unit[:40]!r}, but it is in Wh, kWh or MWh")
    known = {"home": home, "suffix": suffix, "of_home": of_home}
    return {**known, "factor": factor, "interval_min": int(minutes)}


def _day(place: str, cells: Sequence[str], register: _Record) -> _Record:
    _require(bool(register), place, "a record 300 without a register (200)")
    date = pd.to_datetime("".join(cells[1:2]), format="%Y%m%d", errors="coerce")
    _require(not pd.isna(date), place, f"{''.join(cells[1:2])[:40]!r} is not a date like 20240131")
    width, readings = _DAY_MIN // register["interval_min"], np.zeros(0)
    if register["suffix"].startswith("E"):
        fits = width + 3 <= len(cells) <= width + 7
        _require(fits, place, f"{len(cells)} cells, which do not fit {width} readings")
        values, quality = cells[2 : 2 + width], cells[2 + width]
        is_known = bool(_QUALITY.fullmatch(quality))
        _require(is_known, place, f"{quality[:40]!r} is not a quality such as A or S14")
        bad = [each for each in values if not (_NUMBER.match(each) or quality[0] == "N")]
        _require(not bad, place, f"{''.join(bad[:1])[:40]!r} is not a number")
        readings = np.full(width, np.nan)
        if quality[0] != "N":
            readings = np.array(values, dtype=float) * register["factor"]
    return {**register, "place": place, "date": date, "readings": readings}
