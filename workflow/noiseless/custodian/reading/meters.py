"""Readings of any meters, in any layout; days in kWh come out.

1. Readings come out of the file's layout (:mod:`noiseless.custodian.reading.layouts`): home, time
   and value of each.
2. The sampling interval is declared by the layout, or is the commonest distance of two readings
   within the homes.  If so configured, the differences of a cumulative register are taken.
3. Nothing is mended.  A second reading for the same time, one that does not fit the sampling
   interval, that is negative, or too large for a home is an error; one that is missing makes its
   day incomplete.
4. The period is from the first to the last day that is complete in most homes.  Homes in which a
   day of it is incomplete are excluded, named in the log, and counted.

Every reading of the file is used or excluded for a reason, and the counts of the reasons add up.
Where the clock changes, a day has 23 or 25 hours, and all of them must be there; without a time
zone every day has 24.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.custodian.reading.layouts import MeterReadings, MeterSettings, files_of, read_tables
from noiseless.custodian.reading.nem12 import read_nem12
from noiseless.custodian.reading.times import midnights
from noiseless.data.columns import require_accounted
from noiseless.data.meters import meter_table, report_excluded
from noiseless.data.raw_files import Kind, RawFile, identify, listed
from noiseless.data.settings import OWN_METERS
from noiseless.errors import ConfigError, DataError
from noiseless.settings import validate
from noiseless.tables import tidy

log = logging.getLogger(__name__)

# kWh of a reading: energies as they are, powers times the hours of the interval.
ENERGIES_KWH = {"Wh": 1e-3, "kWh": 1.0, "MWh": 1e3}
POWERS_KW = {"W": 1e-3, "kW": 1.0, "MW": 1e3}

_FORM = ("separator", "decimal", "encoding", "sheet")
_DAY_S, _HOUR_S = 86400, 3600
_DAY = pd.Timedelta(days=1)
_FEWEST_WH = 10  # a day, in the middle home
_FEW_DAYS = 14
_REGISTER_READINGS = 10  # readings of a home that never fall are no energies of intervals


def read_meters(
    path: str | Path, *, section: str = "data.meters", **settings: Any
) -> dict[str, pd.DataFrame]:
    """Parse and check a file, or a folder of files, of readings.

    Parameters
    ----------
    path : path
        CSV, Parquet or a workbook, as for :func:`~noiseless.data.columns.read_columns`; NEM12;
        or a folder of files of one layout.
    section : str
        Where the configuration gives these settings, for messages.
    **settings
        See :class:`~noiseless.custodian.reading.layouts.MeterSettings`; those of its ``form`` stand
        among them.

    Returns
    -------
    dict
        ``table``: one row per home and day, ``home``, ``time`` (the day) and ``energy_kwh``, as
        from :mod:`noiseless.data.meters`.  ``taken``: one cell; statistics ``homes_in_file``,
        ``homes``, ``homes_left_out``, ``days``, ``days_not_used``, ``readings``,
        ``missing_readings``, ``interval_s``; ``rows``, ``blank_rows`` and ``rows_not_kept`` of the
        file; and ``readings_in_file``, the sum of ``missing_readings`` and of the readings
        ``readings_used``, ``readings_repeated``, ``readings_without_difference`` (of registers),
        ``readings_outside_period`` and ``readings_of_excluded_homes``.

    Raises
    ------
    ConfigError
        If the time zone is unknown, or settings contradict each other or the layout.
    DataError
        If the file cannot be read so; file, line and column are named.
    """
    given = {key: value for key, value in settings.items() if value is not None}
    validate(given, OWN_METERS, source=section)
    form = {key: given.pop(key) for key in _FORM if key in given}
    asked = MeterSettings(**given, form=form, section=section)
    if asked.register and asked.time_marks == "end":
        raise ConfigError(
            f"{section}.time_marks is end, but a time of a register is when its display was read. "
            "Omit it."
        )
    read = _read(Path(path), asked)
    unit = _unit_of(read, asked)
    in_file = len(read.table)
    table = _without_repeated(read, asked)
    repeated = in_file - len(table)
    interval_s = read.interval_s or _interval(read, table)
    own_interval_s = _intervals_of_homes(table)
    table = _energies(read, table, unit, interval_s, asked)
    without_difference = in_file - repeated - len(table)

    homes = table["home"].cat.categories
    counted = table["kwh"].notna().to_numpy()
    day, days = pd.factorize(pd.DatetimeIndex(table["at"]).tz_localize(None).normalize(), sort=True)
    cell = table["home"].cat.codes.to_numpy(np.int64)[counted] * len(days) + day[counted]
    shape = len(homes), len(days)
    counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    complete = counts == _readings_of(days, interval_s, asked)
    sums: NDArray[np.float64] = np.bincount(
        cell, table["kwh"][counted], minlength=complete.size
    ).reshape(shape)

    said = _several_intervals(own_interval_s)
    period = _period(read.path, days, complete, asked, said)
    place = days.get_indexer(period)
    has = (place >= 0) & complete[:, place]
    kept: NDArray[np.bool_] = has.all(axis=1)
    if not kept.any():
        raise _no_home_is_complete(read.path, period, has, asked, said)
    excluded = {}
    for home, days_complete in zip(homes[~kept], has[~kept].sum(axis=1), strict=True):
        excluded[home] = f"{days_complete} of {len(period)} days are complete"
        if own_interval_s.get(home, interval_s) != interval_s:
            excluded[home] += f"; its sampling interval is {own_interval_s[home] / 60:g} minutes"
    report_excluded(section, excluded, int(kept.sum()))
    daily, in_period = sums[kept][:, place], days.isin(period)
    _report(section, period, interval_s, daily, unit)
    fates = {
        "missing_readings": int((~counted).sum()),
        "readings_used": int(counts[kept][:, place].sum()),
        "readings_of_excluded_homes": int(counts[~kept][:, in_period].sum()),
        "readings_outside_period": int(counts[:, ~in_period].sum()),
        "readings_repeated": repeated,
        "readings_without_difference": without_difference,
    }
    require_accounted(str(read.path), in_file, fates)
    taken = {
        "homes_in_file": len(kept),
        "homes": kept.sum(),
        "homes_left_out": (~kept).sum(),
        "days": len(period),
        "days_not_used": (~in_period).sum(),
        "readings": counted.sum(),
        "missing_readings": fates.pop("missing_readings"),
        "interval_s": interval_s,
        **read.counts,
        "readings_in_file": in_file,
        **fates,
    }
    listed_counts = [f"{count} {name.replace('_', ' ')}" for name, count in fates.items() if count]
    log.info("%s: %d readings in the file: %s.", section, in_file, ", ".join(listed_counts))
    return {
        "table": meter_table(list(homes[kept]), period, daily.ravel()),
        "taken": tidy(pd.DataFrame([taken]), []),
    }


def _read(path: Path, settings: MeterSettings) -> MeterReadings:
    """Readings of a file, or of all files of a folder."""
    section = settings.section
    files = files_of(path, section)
    kinds = {identify(RawFile(file, section)) is Kind.NEM12: file for file in files}
    if len(kinds) > 1:
        raise DataError(
            f"{path}: its files have several layouts: {kinds[True].name} is NEM12, and "
            f"{kinds[False].name} is not. Put them into folders of their own."
        )
    if settings.layout and (settings.layout == "nem12") != (True in kinds):
        raise DataError(
            f"{files[0]}: {section}.layout is {settings.layout}, but the file is "
            f"{'' if True in kinds else 'not '}NEM12."
        )
    if True in kinds:
        return read_nem12(path, files, section, settings.zone)
    names = settings.columns or {}
    if not names:
        raise DataError(
            f"{files[0]}: not NEM12. Set {section}.columns to what the file calls its columns."
        )
    for key in ("time",) if settings.layout == "wide" else ("time", "value"):
        if not names.get(key):
            raise ConfigError(f"{section}.columns.{key} is missing: say which column it is.")
    if names.get("time_of_day") and names.get("period"):
        raise ConfigError(f"{section}.columns has both time_of_day and period. Omit one of them.")
    return read_tables(path, files, settings)


def _report(
    section: str,
    period: pd.DatetimeIndex,
    interval_s: int,
    daily_kwh: NDArray[np.float64],
    unit: str,
) -> None:
    """Say which days are taken, warn of what looks odd, and refuse readings that are all 0."""
    if not daily_kwh.any():
        raise DataError(
            f"{section}: every reading of these days is 0, so that nothing is to be published or "
            f"to be found. Does {section}.columns name the column of the readings?"
        )
    log.info(
        "%s: %d days from %s to %s, of readings every %g minutes.",
        *(section, len(period), period[0].date(), period[-1].date(), interval_s / 60),
    )
    if len(period) < _FEW_DAYS:
        log.warning(
            "%s: with so few days an adversary has little to go on: the game understates the risk.",
            section,
        )
    if np.median(daily_kwh.mean(axis=1)) * 1000 < _FEWEST_WH:
        log.warning(
            "%s: half of the homes use less than %d Wh a day. Is the unit %s?",
            *(section, _FEWEST_WH, unit),
        )


def _readings_of(
    days: pd.DatetimeIndex, interval_s: int, asked: MeterSettings
) -> NDArray[np.int64]:
    """Number of readings of each day."""
    zone = asked.zone if interval_s < _DAY_S else None
    length = midnights(days + _DAY, zone) - midnights(days, zone)
    length_s = length.total_seconds().to_numpy(np.int64)
    if (length_s % interval_s).any():
        raise DataError(
            f"{asked.section}: readings every {interval_s / 60:g} minutes do not fit into days of "
            f"23 or 25 hours. Set {asked.section}.time_zone to UTC, or omit it."
        )
    return length_s // interval_s


# --- Checks -----------------------------------------------------------------------------------


def _require(
    read: MeterReadings, key: str, bad: pd.Series, problem: str | Callable[[int], str]
) -> None:
    """Check that no reading is bad; the first one in the file is named if one is."""
    if bad.any():
        reading = int(bad.index[bad].min())
        said = problem if isinstance(problem, str) else problem(reading)
        raise read.error(reading, key, said, count=int(bad.sum()))


def _unit_of(read: MeterReadings, asked: MeterSettings) -> str:
    unit = read.unit or asked.unit
    if unit is None:
        raise ConfigError(f"{asked.section}.unit is missing: say in what unit the readings are.")
    if asked.unit not in (None, unit):
        raise ConfigError(
            f"{asked.section}.unit is {asked.unit}, but {read.path} gives its readings in {unit}. "
            "Omit the unit."
        )
    if asked.register and unit not in ENERGIES_KWH:
        raise ConfigError(
            f"{asked.section}.unit is {unit}, but a register counts energy: "
            f"{', '.join(ENERGIES_KWH)}."
        )
    return unit


def _without_repeated(read: MeterReadings, asked: MeterSettings) -> pd.DataFrame:
    """The readings by home and time, without second ones of the same home, time and value.

    ``gap_s`` is the time since the reading before of the same home.

    Raises
    ------
    DataError
        If there is a second reading for the same time, and it differs or is not to be dropped.
    """
    table = read.table.sort_values(["home", "at"], kind="stable")
    gap = table.groupby("home", observed=True)["at"].diff()
    table = table.assign(gap_s=gap.dt.total_seconds())
    again = table["gap_s"] == 0
    before = table["amount"].shift()
    equal = (table["amount"] == before) | (table["amount"].isna() & before.isna())
    drop = asked.repeated_rows == "drop_identical"
    bad = again & ~equal if drop else again
    if bad.any():
        at = int(bad.argmax())
        other, row = sorted(map(int, table.index[at - 1 : at + 1]))
        problem = f"home {table['home'].iloc[at]} has a reading for the same time in "
        problem += read.row_name(other)
        advice = _of_repeated(read, int(bad.sum()), bool(equal.iloc[at]), asked)
        raise read.error(row, "time", problem + advice, count=int(bad.sum()))
    return table[~again]


def _of_repeated(read: MeterReadings, count: int, is_equal: bool, asked: MeterSettings) -> str:
    """Why a home has two readings for one time, as far as that can be told, and what to do."""
    section, at = asked.section, read.table["at"]
    if 2 * count > len(read.table) and not read.marks_starts and (at.dt.normalize() == at).all():
        others = [name for name in read.header if name not in read.names.values()]
        return (
            ": this column has the day alone. If the hour stands in another one "
            f"({listed(others, 6) or 'there is none'}), set {section}.columns.time_of_day, or "
            "columns.period if it is the number of the interval"
        )
    if asked.repeated_rows == "drop_identical":
        return ", and the two differ. Delete one of them"
    known = ". Delete one of them"
    if is_equal:
        known += f"; or, if all such rows are identical, set {section}.repeated_rows to "
        known += "drop_identical"
    elif 4 * count > len(read.table):
        known += f"; or, if a column tells them apart, keep one kind by {section}.keep"
    return (
        f"{known}; or, if it is the hour that the clock shows twice in autumn, set "
        f"{section}.time_zone"
    )


def _interval(read: MeterReadings, table: pd.DataFrame) -> int:
    """The sampling interval in seconds: the commonest distance of two readings of a home."""
    gaps = table["gap_s"].dropna()
    if gaps.empty:
        raise DataError(
            f"{read.path}: no home has two readings. Does column {read.names.get('home', '')!r} "
            "name the home?"
        )
    interval_s = int(gaps.mode()[0])
    if _DAY_S % interval_s:
        raise DataError(
            f"{read.path}: most readings are {interval_s / 60:g} minutes apart, which is no part "
            "of a day. Bring them into equal intervals first, such as quarters of an hour or days."
        )
    _require(
        read,
        "time",
        table["gap_s"] % interval_s > 0,
        lambda reading: (
            f"{table['gap_s'][reading] / 60:g} minutes after the reading before it of "
            f"home {table['home'][reading]}, while most are {interval_s / 60:g} minutes apart."
            f"{_several_intervals(_intervals_of_homes(table))} Bring the readings into equal "
            "intervals first"
        ),
    )
    return interval_s


def _intervals_of_homes(table: pd.DataFrame) -> pd.Series:
    """The commonest sampling interval of each home that has two readings, in s."""
    often = table.groupby(["home", "gap_s"], observed=True).size().reset_index(name="often")
    common = often.sort_values("often", ascending=False, kind="stable").drop_duplicates("home")
    return common.set_index("home")["gap_s"].sort_index()


def _several_intervals(interval_s: pd.Series) -> str:
    """A sentence on homes with other sampling intervals; empty where there are none."""
    parts = [
        f"{len(homes)} every {length / 60:g} minutes (such as {homes[0]})"
        for length, homes in interval_s.groupby(interval_s).groups.items()
    ]
    return (
        f" The homes have different sampling intervals: {listed(parts, 4)}. Bring all to one, or "
        "give them as files of their own."
        if len(parts) > 1
        else ""
    )


def _energies(
    read: MeterReadings, table: pd.DataFrame, unit: str, interval_s: int, asked: MeterSettings
) -> pd.DataFrame:
    """Readings at the starts of their intervals, with their energies in kWh."""
    if asked.register:
        table = _differences(read, table, interval_s, asked.section)
    else:
        negative = "a negative reading. Give what the home has used"
        _require(read, "value", table["amount"] < 0, negative)
        if read.unit is None:  # else the file says that these are intervals
            _require_no_register(read, table, unit, asked.section)
    hours = interval_s / _HOUR_S
    factor = ENERGIES_KWH[unit] if unit in ENERGIES_KWH else POWERS_KW[unit] * hours
    kwh = table["amount"] * factor
    _require(
        read,
        "value",
        kwh / hours > asked.largest_power_kw,
        lambda reading: (
            f"{table['amount'][reading]:g} {unit} in {interval_s / 60:g} minutes is a "
            f"mean power of {kwh[reading] / hours:g} kW, more than the "
            f"{asked.largest_power_kw:g} kW of {asked.section}.largest_power_kw. Is the unit right?"
        ),
    )
    at = table["at"]
    if asked.time_marks == "end" and not read.marks_starts:
        at = at - pd.Timedelta(seconds=interval_s)
    return table.assign(kwh=kwh, at=at)


def _differences(
    read: MeterReadings, table: pd.DataFrame, interval_s: int, section: str
) -> pd.DataFrame:
    """What was used from a reading of a register to the next one."""
    is_next = table["gap_s"] == interval_s
    used = table["amount"].diff().where(is_next)
    _require(
        read,
        "value",
        used < 0,
        lambda reading: (
            f"the register of home {table['home'][reading]} falls from "
            f"{table['amount'].shift()[reading]:g} to {table['amount'][reading]:g}. If the meter "
            "was exchanged, give the two as two homes; if these are energies of intervals, omit "
            f"{section}.register"
        ),
    )
    # A decimal register has no more digits than its file gives; their difference neither.
    amounts = np.round(used[is_next].to_numpy(), 9)
    return table[is_next.shift(-1, fill_value=False)].assign(amount=amounts)


def _require_no_register(read: MeterReadings, table: pd.DataFrame, unit: str, section: str) -> None:
    """Energies of intervals fall at times; what never falls, in any home, is a meter's display."""
    there = table.dropna(subset="amount")  # steps over missing readings count, too
    steps = there.groupby("home", observed=True)["amount"].diff().dropna()
    long_enough = len(there) >= _REGISTER_READINGS * len(table["home"].cat.categories)
    if unit in ENERGIES_KWH and long_enough and (steps >= 0).all() and (steps > 0).any():
        raise DataError(
            f"{read.path}, column {read.names['value']!r}: the readings never fall, in any home, "
            f"as on the display of a meter. Set {section}.register to true to take the "
            "differences of two readings; or give the energy of each interval."
        )


def _period(
    path: Path,
    days: pd.DatetimeIndex,
    complete: NDArray[np.bool_],
    asked: MeterSettings,
    several: str,
) -> pd.DatetimeIndex:
    """The days from first to last."""
    most = days[2 * complete.sum(axis=0) > len(complete)]
    if most.empty and None in (asked.first_day, asked.last_day):
        advice = f" Fill the gaps, or set {asked.section}.first_day and last_day."
        raise DataError(
            f"{path}: on no day do most homes have all readings (of {len(complete)} homes, "
            f"{complete.any(axis=1).sum()} have a complete day).{several or advice}"
        )
    first = asked.first_day or most[0]
    last = asked.last_day or most[-1]
    period = pd.date_range(first, last, unit="s")
    if period.empty:
        raise ConfigError(f"{asked.section}: the first day is after the last one.")
    return period


def _no_home_is_complete(
    path: Path, period: pd.DatetimeIndex, has: NDArray[np.bool_], asked: MeterSettings, several: str
) -> DataError:
    worst = int(has.sum(axis=0).argmin())
    clock = (
        f"If the clock changes on that day, set {asked.section}.time_zone. "
        if asked.time_zone is None
        else "If the file has 24 hours on that day though the clock changes, omit "
        f"{asked.section}.time_zone. "
    )
    return DataError(
        f"{path}: no home has all readings of the {len(period)} days from {period[0].date()} to "
        f"{period[-1].date()}; on {period[worst].date()} only {has[:, worst].sum()} of {len(has)} "
        f"have.{several} {clock}Otherwise set {asked.section}.first_day and last_day to a time "
        "without gaps."
    )
