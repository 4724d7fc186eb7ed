"""Readings of any meters: one row for each home and interval; days in kWh come out.

1. Times are read (:mod:`noiseless.datasets.own.times`); the distance of two readings is the
   commonest one within the homes.
2. Nothing is mended.  A reading that comes twice, that lies off the beat, that is negative or too
   large for a home is an error; one that is missing makes its day incomplete.
3. The period is from the first to the last day that most homes have whole.  Homes that miss any
   reading of it are left out, named in the log, and counted.

Where the clock changes, a day has 23 or 25 hours, and all of them must be there; without a time
zone every day has 24.
"""

import logging
import zoneinfo
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.datasets.meters import meter_table, report_left_out
from noiseless.datasets.own.columns import NUMBER, TEXT, TIME, Columns, read_columns
from noiseless.datasets.own.times import Times, find_zone, read_times
from noiseless.errors import ConfigError, DataError
from noiseless.tables import tidy

log = logging.getLogger(__name__)

SECTION = "own.meters"
_KINDS = {"home": TEXT, "time": TIME, "value": NUMBER}
# kWh of a reading: energies as they are, powers times the hours of the interval.
ENERGIES_KWH = {"Wh": 1e-3, "kWh": 1.0, "MWh": 1e3}
POWERS_KW = {"W": 1e-3, "kW": 1.0, "MW": 1e3}

_DAY_S, _HOUR_S = 86400, 3600
_FEWEST_WH = 10  # a day, in the middle home
_FEW_DAYS = 14
_REGISTER_READINGS = 10  # so many that never fall are no energies of intervals

Ints = NDArray[np.int64]


def read_meters(
    path: str | Path,
    *,
    columns: Mapping[str, str],
    unit: str,
    time_zone: str | None = None,
    time_format: str | None = None,
    time_marks: str = "start",
    first_day: str | None = None,
    last_day: str | None = None,
    largest_power_kw: float = 100,
    separator: str = ",",
    decimal: str = ".",
) -> dict[str, pd.DataFrame]:
    """Parse and check a file of readings.

    Parameters
    ----------
    path : path
        CSV or Parquet, as for :func:`~noiseless.datasets.own.columns.read_columns`.
    columns : mapping
        The file's names of ``home`` (which meter), ``time`` and ``value``.
    unit : str
        Of the values: Wh, kWh or MWh in the interval, or W, kW or MW, the mean power in it.
    time_zone : str, optional
        Such as ``Europe/Paris``: the zone whose days are taken.  Without it, times are those of a
        clock that never changes.
    time_format : str, optional
        ``unix_s`` for seconds since 1970 in UTC, or a format of ``strptime``; ISO 8601 without it.
    time_marks : str
        Whether a time is the ``start`` or the ``end`` of its interval.
    first_day, last_day : str, optional
        The period; without them, from the first to the last day that most homes have whole.
    largest_power_kw : float
        A larger mean power in an interval is an error.
    separator, decimal : str
        Of CSV.

    Returns
    -------
    dict
        ``table``: one row per home and day, ``home``, ``time`` (the day) and ``energy_kwh``, as
        from :mod:`noiseless.datasets.meters`.  ``taken``: one cell; statistics ``homes_in_file``,
        ``homes``, ``homes_left_out``, ``days``, ``days_not_used``, ``readings``,
        ``missing_readings`` and ``interval_s``.

    Raises
    ------
    ConfigError
        If the time zone is unknown.
    DataError
        If the file cannot be read so; file, line and column are named.
    """
    zone = find_zone(time_zone, section=SECTION)
    read = read_columns(
        path,
        section=SECTION,
        columns={key: (columns[key], kind) for key, kind in _KINDS.items()},
        separator=separator,
        decimal=decimal,
    )
    homes, values = read.text("home"), read.number("value")
    read.require("value", ~(values < 0), "a negative reading. Give what the home has used")
    times = read_times(read, zone, time_format, homes.codes)
    interval_s = _interval(read, homes, times)
    if time_marks == "end":
        times = times.moved(interval_s)
    energy_kwh = values * _kwh_per_unit(unit, interval_s)
    _require_possible(read, energy_kwh, unit, interval_s, largest_power_kw)
    _require_no_register(read, homes, times, values, unit)

    counted = ~np.isnan(values)
    days, day = np.unique(times.clock_s // _DAY_S, return_inverse=True)
    cell = homes.codes.astype(np.int64)[counted] * len(days) + day[counted]
    shape = len(homes.categories), len(days)
    counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    whole = counts == _readings_of(days, interval_s, zone)
    sums = np.bincount(cell, energy_kwh[counted], minlength=whole.size).reshape(shape)

    period = _period(read, days, whole, first_day, last_day)
    place = np.searchsorted(days, period)
    place[place == len(days)] = 0
    there = days[place] == period
    has = np.where(there, whole[:, place], False)
    kept = has.all(axis=1)
    names = list(homes.categories)
    reasons = {
        names[k]: f"{has[k].sum()} of {len(period)} days are whole" for k in np.flatnonzero(~kept)
    }
    if not kept.any():
        raise _nobody_is_whole(read, period, has, zone)
    report_left_out(SECTION, reasons, int(kept.sum()))
    starts = pd.DatetimeIndex((period * _DAY_S).astype("datetime64[s]"))
    log.info(
        "%s: %d days from %s to %s, of readings every %g minutes.",
        *(SECTION, len(period), starts[0].date(), starts[-1].date(), interval_s / 60),
    )
    if len(period) < _FEW_DAYS:
        log.warning("%s: so few days tell adversaries little: the game is easy on you.", SECTION)
    daily = sums[kept][:, place]
    if np.median(daily.mean(axis=1)) * 1000 < _FEWEST_WH:
        log.warning(
            "%s: half of the homes use less than %d Wh a day. Is the unit %s?",
            *(SECTION, _FEWEST_WH, unit),
        )
    taken = {
        "homes_in_file": len(names),
        "homes": kept.sum(),
        "homes_left_out": len(reasons),
        "days": len(period),
        "days_not_used": (~np.isin(days, period)).sum(),
        "readings": counted.sum(),
        "missing_readings": (~counted).sum(),
        "interval_s": interval_s,
    }
    return {
        "table": meter_table(
            [name for name, keep in zip(names, kept, strict=True) if keep], starts, daily.ravel()
        ),
        "taken": tidy(pd.DataFrame([taken]), []),
    }


# --- Days ----------------------------------------------------------------------------------------


def _readings_of(days: Ints, interval_s: int, zone: zoneinfo.ZoneInfo | None) -> Ints:
    """Number of readings of each day."""
    length = np.full(len(days), _DAY_S)
    if zone is not None and interval_s < _DAY_S:
        start, stop = (
            pd.DatetimeIndex((each * _DAY_S).astype("datetime64[s]"))
            .tz_localize(
                zone, ambiguous=np.ones(len(days), dtype=bool), nonexistent="shift_forward"
            )
            .tz_convert("UTC")
            .tz_localize(None)
            .to_numpy()
            .astype("datetime64[s]")
            .astype(np.int64)
            for each in (days, days + 1)
        )
        length = stop - start
    if (length % interval_s).any():
        raise DataError(
            f"{SECTION}: readings every {interval_s / 60:g} minutes do not fit into days of 23 or "
            f"25 hours. Set {SECTION}.time_zone to UTC, or leave it out."
        )
    return length // interval_s


# --- Checks -----------------------------------------------------------------------------------


def _interval(read: Columns, homes: pd.Categorical, times: Times) -> int:
    """Seconds between two readings of a home."""
    order = np.lexsort((times.line_s, homes.codes))
    same = np.diff(homes.codes[order].astype(np.int64)) == 0
    gaps = np.diff(times.line_s[order])[same]
    later = order[1:][same]
    if (gaps == 0).any():
        at = int((gaps == 0).argmax())
        row, other = sorted((int(later[at]), int(order[:-1][same][at])), reverse=True)
        raise read.error(
            row,
            "time",
            f"home {homes[row]} has a reading for the same time in {read.row_name(other)}. Delete "
            "one of them; or, if it is the hour that the clock shows twice in autumn, set "
            f"{SECTION}.time_zone",
            count=int((gaps == 0).sum()),
        )
    if not len(gaps):
        raise DataError(
            f"{read.path}: no home has two readings. Does column {read.names['home']!r} name the "
            "home?"
        )
    lengths, often = np.unique(gaps, return_counts=True)
    interval_s = int(lengths[often.argmax()])
    if _DAY_S % interval_s:
        raise DataError(
            f"{read.path}: most readings are {interval_s / 60:g} minutes apart, which is no part "
            "of a day. Bring them into equal intervals first, such as quarters of an hour or days."
        )
    off = gaps % interval_s != 0
    if off.any():
        at = int(off.argmax())
        raise read.error(
            int(later[at]),
            "time",
            f"{gaps[at] / 60:g} minutes after the reading before it of home "
            f"{homes[int(later[at])]}, while most are {interval_s / 60:g} minutes apart. Bring the "
            "readings into equal intervals first",
            count=int(off.sum()),
        )
    return interval_s


def _kwh_per_unit(unit: str, interval_s: int) -> float:
    if unit in ENERGIES_KWH:
        return ENERGIES_KWH[unit]
    if unit in POWERS_KW:
        return POWERS_KW[unit] * interval_s / _HOUR_S
    raise ConfigError(
        f"{SECTION}.unit is {unit!r}, but it must be one of "
        f"{', '.join([*ENERGIES_KWH, *POWERS_KW])}."
    )


def _require_possible(
    read: Columns,
    energy_kwh: NDArray[np.float64],
    unit: str,
    interval_s: int,
    largest_power_kw: float,
) -> None:
    power_kw = energy_kwh * _HOUR_S / interval_s
    large = power_kw > largest_power_kw
    if large.any():
        row = int(large.argmax())
        value = read.number("value")[row]
        raise read.error(
            row,
            "value",
            f"{value:g} {unit} in {interval_s / 60:g} minutes is a mean power of "
            f"{power_kw[row]:g} kW, more than the {largest_power_kw:g} kW of "
            f"{SECTION}.largest_power_kw. Is the unit right?",
            count=int(large.sum()),
        )


def _require_no_register(
    read: Columns,
    homes: pd.Categorical,
    times: Times,
    values: NDArray[np.float64],
    unit: str,
) -> None:
    """Energies of intervals fall at times; what never falls, in any home, is a meter's display."""
    counted = np.flatnonzero(~np.isnan(values))
    order = counted[np.lexsort((times.line_s[counted], homes.codes[counted]))]
    same = np.diff(homes.codes[order].astype(np.int64)) == 0
    steps = np.diff(values[order])[same]
    long_enough = len(order) >= _REGISTER_READINGS * len(homes.categories)
    if unit in ENERGIES_KWH and long_enough and (steps >= 0).all() and (steps > 0).any():
        raise DataError(
            f"{read.path}, column {read.names['value']!r}: the readings never fall, in any home, "
            "as on the display of a meter. Give the energy of each interval, the difference of two "
            "readings."
        )


def _period(
    read: Columns,
    days: Ints,
    whole: NDArray[np.bool_],
    first_day: str | None,
    last_day: str | None,
) -> Ints:
    """Numbers of the days from first to last."""
    most = days[2 * whole.sum(axis=0) > len(whole)]
    ends = []
    for key, day, found in (
        ("first_day", first_day, most[:1]),
        ("last_day", last_day, most[-1:]),
    ):
        if day is not None:
            ends.append(int(np.datetime64(day, "D").astype(np.int64)))
        elif len(found):
            ends.append(int(found[0]))
        else:
            raise DataError(
                f"{read.path}: on no day do most homes have all readings (of {len(whole)} homes, "
                f"{whole.any(axis=1).sum()} have a whole day). Fill the gaps, or set "
                f"{SECTION}.{key}."
            )
    if ends[0] > ends[1]:
        raise ConfigError(f"{SECTION}: the first day is after the last one.")
    return np.arange(ends[0], ends[1] + 1)


def _nobody_is_whole(
    read: Columns, period: Ints, has: NDArray[np.bool_], zone: zoneinfo.ZoneInfo | None
) -> DataError:
    worst = int(has.sum(axis=0).argmin())
    day = np.datetime64(int(period[worst]), "D")
    clock = (
        f"If the clock changes on that day, set {SECTION}.time_zone. "
        if zone is None
        else "If the file has 24 hours on that day though the clock changes, leave "
        f"{SECTION}.time_zone out. "
    )
    return DataError(
        f"{read.path}: no home has all readings of the {len(period)} days from "
        f"{np.datetime64(int(period[0]), 'D')} to {np.datetime64(int(period[-1]), 'D')}; on {day} "
        f"only {has[:, worst].sum()} of {len(has)} have. {clock}Otherwise set {SECTION}.first_day "
        "and last_day to a time without gaps."
    )
