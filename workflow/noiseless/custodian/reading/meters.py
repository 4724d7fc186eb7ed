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
import zoneinfo
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.custodian.reading.layouts import MeterSettings, read_layout
from noiseless.custodian.reading.readings import MeterReadings
from noiseless.custodian.reading.times import Times, midnights_utc
from noiseless.data.columns import require_accounted
from noiseless.data.meters import meter_table, report_excluded
from noiseless.data.raw_files import listed
from noiseless.errors import ConfigError, DataError
from noiseless.tables import tidy

log = logging.getLogger(__name__)

# kWh of a reading: energies as they are, powers times the hours of the interval.
ENERGIES_KWH = {"Wh": 1e-3, "kWh": 1.0, "MWh": 1e3}
POWERS_KW = {"W": 1e-3, "kW": 1.0, "MW": 1e3}

_DAY_S, _HOUR_S = 86400, 3600
_FEWEST_WH = 10  # a day, in the middle home
_FEW_DAYS = 14
_REGISTER_READINGS = 10  # readings of a home that never fall are no energies of intervals

Ints = NDArray[np.int64]


def read_meters(path: str | Path, **settings: Any) -> dict[str, pd.DataFrame]:
    """Parse and check a file, or a folder of files, of readings.

    Parameters
    ----------
    path : path
        CSV, Parquet or a workbook, as for :func:`~noiseless.data.columns.read_columns`; NEM12;
        or a folder of files of one layout.
    **settings
        See :class:`~noiseless.custodian.reading.layouts.MeterSettings`.

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
    asked = MeterSettings(**settings)
    _require_options(asked)
    read = replace(read_layout(path, asked), section=asked.section)
    unit = _unit_of(read, asked.unit)
    in_file = len(read.amounts)
    read, repeated = _without_repeated(read, drop=asked.repeated_rows == "drop_identical")
    read, energy_kwh, interval_s = _energies(read, unit, asked)
    without_difference = in_file - repeated - len(energy_kwh)

    homes, counted = read.homes, ~np.isnan(energy_kwh)
    days, day = np.unique(read.times.clock_s // _DAY_S, return_inverse=True)
    cell = homes.codes.astype(np.int64)[counted] * len(days) + day[counted]
    shape = len(homes.categories), len(days)
    counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    complete = counts == _readings_of(days, interval_s, asked.zone, asked.section)
    sums: NDArray[np.float64] = np.bincount(
        cell, energy_kwh[counted], minlength=complete.size
    ).reshape(shape)

    period = _period(read, days, complete, asked.first_day, asked.last_day)
    place = np.searchsorted(days, period)
    place[place == len(days)] = 0
    has = np.where(days[place] == period, complete[:, place], False)
    kept: NDArray[np.bool_] = has.all(axis=1)
    if not kept.any():
        raise _no_home_is_complete(read, period, has, asked.zone)
    report_excluded(asked.section, _excluded(read, has, interval_s), int(kept.sum()))
    daily, in_period = sums[kept][:, place], np.isin(days, period)
    starts = pd.DatetimeIndex((period * _DAY_S).astype("datetime64[s]"))
    _report(asked, starts, interval_s, daily, unit)
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
    log.info("%s: %d readings in the file: %s.", asked.section, in_file, _listed_counts(fates))
    return {
        "table": meter_table(list(homes.categories[kept]), starts, daily.ravel()),
        "taken": tidy(pd.DataFrame([taken]), []),
    }


def _energies(
    read: MeterReadings, unit: str, asked: MeterSettings
) -> tuple[MeterReadings, NDArray[np.float64], int]:
    """Readings with the starts of their intervals, their energies in kWh, and the interval in s."""
    if asked.register:
        read, interval_s = _differences(read, unit)
    else:
        read.require(
            "value", ~(read.amounts < 0), "a negative reading. Give what the home has used"
        )
        interval_s = read.interval_s or _interval(read)
    energy_kwh = read.amounts * _kwh_per_unit(unit, interval_s, asked.section)
    if not asked.register and read.unit is None:  # else the file says that these are intervals
        _require_no_register(read, unit)
    _require_possible(read, energy_kwh, unit, interval_s, asked.largest_power_kw)
    if asked.time_marks == "end" and not read.marks_starts:
        read = replace(read, times=read.times.moved(interval_s))
    return read, energy_kwh, interval_s


def _excluded(read: MeterReadings, has: NDArray[np.bool_], interval_s: int) -> dict[str, str]:
    """Why each home is excluded in which some days of the period are incomplete."""
    own_interval_s = _intervals_of_homes(read)
    return {
        read.homes.categories[k]: f"{has[k].sum()} of {has.shape[1]} days are complete"
        + (
            f"; its sampling interval is {own_interval_s[k] / 60:g} minutes"
            if own_interval_s[k] not in (0, interval_s)
            else ""
        )
        for k in np.flatnonzero(~has.all(axis=1))
    }


def _report(
    asked: MeterSettings,
    starts: pd.DatetimeIndex,
    interval_s: int,
    daily_kwh: NDArray[np.float64],
    unit: str,
) -> None:
    """Say which days are taken, and warn of what looks odd."""
    section = asked.section
    log.info(
        "%s: %d days from %s to %s, of readings every %g minutes.",
        *(section, len(starts), starts[0].date(), starts[-1].date(), interval_s / 60),
    )
    if len(starts) < _FEW_DAYS:
        log.warning(
            "%s: with so few days an adversary has little to go on: the game understates the risk.",
            section,
        )
    if np.median(daily_kwh.mean(axis=1)) * 1000 < _FEWEST_WH:
        log.warning(
            "%s: half of the homes use less than %d Wh a day. Is the unit %s?",
            *(section, _FEWEST_WH, unit),
        )


def _listed_counts(fates: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in fates.items() if count)


# --- Days ----------------------------------------------------------------------------------------


def _readings_of(days: Ints, interval_s: int, zone: zoneinfo.ZoneInfo | None, section: str) -> Ints:
    """Number of readings of each day."""
    length = np.full(len(days), _DAY_S)
    if zone is not None and interval_s < _DAY_S:
        length = midnights_utc(days + 1, zone) - midnights_utc(days, zone)
    if (length % interval_s).any():
        raise DataError(
            f"{section}: readings every {interval_s / 60:g} minutes do not fit into days of 23 or "
            f"25 hours. Set {section}.time_zone to UTC, or omit it."
        )
    return length // interval_s


# --- Checks -----------------------------------------------------------------------------------


def _require_options(asked: MeterSettings) -> None:
    for key, known in (
        ("time_marks", ("start", "end")),
        ("repeated_rows", ("refuse", "drop_identical")),
    ):
        value = getattr(asked, key)
        if value not in known:
            raise ConfigError(
                f"{asked.section}.{key} is {value!r}, but must be {' or '.join(known)}."
            )
    if asked.register and asked.time_marks == "end":
        raise ConfigError(
            f"{asked.section}.time_marks is end, but a time of a register is when its display was "
            "read. Omit it."
        )


def _unit_of(read: MeterReadings, unit: str | None) -> str:
    if read.unit is None and unit is None:
        raise ConfigError(f"{read.section}.unit is missing: say in what unit the readings are.")
    if None not in (read.unit, unit) and read.unit != unit:
        raise ConfigError(
            f"{read.section}.unit is {unit}, but {read.path} gives its readings in {read.unit}. "
            "Omit the unit."
        )
    return read.unit or unit


def _in_order(read: MeterReadings) -> tuple[Ints, NDArray[np.bool_], Ints]:
    """Order by home and time; for each pair in it, whether it is of one home; and its gap in s."""
    codes = read.homes.codes
    same_order = np.diff(codes.astype(np.int64))
    gaps = np.diff(read.times.line_s)
    if ((same_order > 0) | ((same_order == 0) & (gaps >= 0))).all():  # as most files are
        return np.arange(len(codes)), same_order == 0, gaps
    order = np.lexsort((read.times.line_s, codes))
    same = np.diff(codes[order].astype(np.int64)) == 0
    return order, same, np.diff(read.times.line_s[order])


def _without_repeated(read: MeterReadings, *, drop: bool) -> tuple[MeterReadings, int]:
    """The readings without second ones of the same home, time and value, and how many those are.

    Raises
    ------
    DataError
        If there is a second reading for the same time, and it differs or is not to be dropped.
    """
    order, same_home, gaps = _in_order(read)
    again = same_home & (gaps == 0)
    if not again.any():
        return read, 0
    values = read.amounts[order]
    equal = (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
    bad = again & ~equal if drop else again
    if bad.any():
        at = int(bad.argmax())
        row, other = sorted((int(order[at + 1]), int(order[at])), reverse=True)
        raise _repeated(read, row, other, int(bad.sum()), is_equal=bool(equal[at]), drop=drop)
    chosen = np.ones(len(order), dtype=bool)
    chosen[order[1:][again]] = False
    return _chosen(read, np.flatnonzero(chosen)), int(again.sum())


def _repeated(
    read: MeterReadings, row: int, other: int, count: int, *, is_equal: bool, drop: bool
) -> DataError:
    """Why a home has two readings for one time, as far as that can be told."""
    problem = f"home {read.homes[row]} has a reading for the same time in {read.row_name(other)}"
    clock_s = read.times.clock_s
    if 2 * count > len(clock_s) and not (clock_s % _DAY_S).any() and not read.marks_starts:
        others = [name for name in read.header if name not in read.names.values()]
        return read.error(
            row,
            "time",
            f"{problem}: this column has the day alone. If the hour stands in another one "
            f"({listed(others, 6) or 'there is none'}), set {read.section}.columns.time_of_day, or "
            "columns.period if it is the number of the interval",
            count=count,
        )
    if drop:
        return read.error(
            row, "time", f"{problem}, and the two differ. Delete one of them", count=count
        )
    identical = (
        f"; or, if all such rows are identical, set {read.section}.repeated_rows to drop_identical"
        if is_equal
        else ""
    )
    apart = (
        f"; or, if a column tells them apart, keep one kind by {read.section}.keep"
        if not is_equal and 4 * count > len(clock_s)
        else ""
    )
    return read.error(
        row,
        "time",
        f"{problem}. Delete one of them{identical}{apart}; or, if it is the hour that the clock "
        f"shows twice in autumn, set {read.section}.time_zone",
        count=count,
    )


def _chosen(
    read: MeterReadings, rows: Ints, amounts: NDArray[np.float64] | None = None
) -> MeterReadings:
    """Some of the readings, with other amounts if they are given."""
    times = read.times
    return replace(
        read,
        homes=read.homes[rows],
        times=Times(times.clock_s[rows], times.line_s[rows], times.zone),
        amounts=read.amounts[rows] if amounts is None else amounts,
        error=lambda row, key, problem, *, count=1: read.error(
            int(rows[row]), key, problem, count=count
        ),
        row_name=lambda row: read.row_name(int(rows[row])),
    )


def _differences(read: MeterReadings, unit: str) -> tuple[MeterReadings, int]:
    """What was used between two readings of a register, and the sampling interval.

    Raises
    ------
    ConfigError
        If the unit is one of power.
    DataError
        If a register falls.
    """
    if unit not in ENERGIES_KWH:
        raise ConfigError(
            f"{read.section}.unit is {unit}, but a register counts energy: "
            f"{', '.join(ENERGIES_KWH)}."
        )
    interval_s = read.interval_s or _interval(read)
    order, same_home, gaps = _in_order(read)
    adjacent = same_home & (gaps == interval_s)
    earlier = order[:-1][adjacent]
    used = np.diff(read.amounts[order])[adjacent]
    if (used < 0).any():
        at = int((used < 0).argmax())
        later = int(order[1:][adjacent][at])
        raise read.error(
            later,
            "value",
            f"the register of home {read.homes[later]} falls from {read.amounts[earlier[at]]:g} to "
            f"{read.amounts[later]:g}. If the meter was exchanged, give the two as two homes; if "
            f"these are energies of intervals, omit {read.section}.register",
            count=int((used < 0).sum()),
        )
    # A decimal register has no more digits than its file gives; their difference neither.
    return _chosen(read, earlier, np.round(used, 9)), interval_s


def _intervals_of_homes(read: MeterReadings) -> Ints:
    """The commonest sampling interval of each home, in s; 0 where it has one reading."""
    order, same, gaps = _in_order(read)
    frame = pd.DataFrame({"home": read.homes.codes[order[1:]][same], "gap": gaps[same]})
    often = frame.value_counts().reset_index(name="often")
    common = often.sort_values(["home", "often", "gap"], ascending=[True, False, True])
    common = common.drop_duplicates("home").set_index("home")["gap"]
    return common.reindex(range(len(read.homes.categories)), fill_value=0).to_numpy(np.int64)


def _several_intervals(read: MeterReadings) -> str:
    """A sentence on homes with other sampling intervals; empty where there are none."""
    each = _intervals_of_homes(read)
    lengths = [length for length in np.unique(each) if length]
    if len(lengths) < 2:
        return ""
    parts = [
        f"{(each == length).sum()} every {length / 60:g} minutes (such as "
        f"{read.homes.categories[int((each == length).argmax())]})"
        for length in lengths
    ]
    return (
        f" The homes have different sampling intervals: {listed(parts, 4)}. Bring all to one, or "
        "give them as files of their own."
    )


def _interval(read: MeterReadings) -> int:
    """The sampling interval in seconds: the commonest distance of two readings of a home."""
    order, same, gaps = _in_order(read)
    later = order[1:][same]
    gaps = gaps[same]
    if not len(gaps):
        raise DataError(
            f"{read.path}: no home has two readings. Does column {read.names.get('home', '')!r} "
            "name the home?"
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
            f"{read.homes[int(later[at])]}, while most are {interval_s / 60:g} minutes apart."
            f"{_several_intervals(read)} Bring the readings into equal intervals first",
            count=int(off.sum()),
        )
    return interval_s


def _kwh_per_unit(unit: str, interval_s: int, section: str) -> float:
    if unit in ENERGIES_KWH:
        return ENERGIES_KWH[unit]
    if unit in POWERS_KW:
        return POWERS_KW[unit] * interval_s / _HOUR_S
    raise ConfigError(
        f"{section}.unit is {unit!r}, but it must be one of "
        f"{', '.join([*ENERGIES_KWH, *POWERS_KW])}."
    )


def _require_possible(
    read: MeterReadings,
    energy_kwh: NDArray[np.float64],
    unit: str,
    interval_s: int,
    largest_power_kw: float,
) -> None:
    power_kw = energy_kwh * _HOUR_S / interval_s
    large = power_kw > largest_power_kw
    if large.any():
        row = int(large.argmax())
        raise read.error(
            row,
            "value",
            f"{read.amounts[row]:g} {unit} in {interval_s / 60:g} minutes is a mean power of "
            f"{power_kw[row]:g} kW, more than the {largest_power_kw:g} kW of "
            f"{read.section}.largest_power_kw. Is the unit right?",
            count=int(large.sum()),
        )


def _require_no_register(read: MeterReadings, unit: str) -> None:
    """Energies of intervals fall at times; what never falls, in any home, is a meter's display."""
    order, _, _ = _in_order(read)
    values = read.amounts[order]
    # Steps over missing readings count, too.
    there = ~np.isnan(values)
    codes = read.homes.codes[order][there].astype(np.int64)
    steps = np.diff(values[there])[np.diff(codes) == 0]
    long_enough = there.sum() >= _REGISTER_READINGS * len(read.homes.categories)
    if unit in ENERGIES_KWH and long_enough and (steps >= 0).all() and (steps > 0).any():
        raise DataError(
            f"{read.path}, column {read.names['value']!r}: the readings never fall, in any home, "
            f"as on the display of a meter. Set {read.section}.register to true to take the "
            "differences of two readings; or give the energy of each interval."
        )


def _period(
    read: MeterReadings,
    days: Ints,
    complete: NDArray[np.bool_],
    first_day: str | None,
    last_day: str | None,
) -> Ints:
    """Numbers of the days from first to last."""
    most = days[2 * complete.sum(axis=0) > len(complete)]
    ends = []
    for key, day, found in (
        ("first_day", first_day, most[:1]),
        ("last_day", last_day, most[-1:]),
    ):
        if day is not None:
            try:
                ends.append(int(np.datetime64(day, "D").astype(np.int64)))
            except ValueError:
                raise ConfigError(
                    f"{read.section}.{key} is {day!r}, which is no day such as 2024-06-30."
                ) from None
        elif len(found):
            ends.append(int(found[0]))
        else:
            advice = f" Fill the gaps, or set {read.section}.{key}."
            raise DataError(
                f"{read.path}: on no day do most homes have all readings (of {len(complete)} "
                f"homes, {complete.any(axis=1).sum()} have a complete day)."
                f"{_several_intervals(read) or advice}"
            )
    if ends[0] > ends[1]:
        raise ConfigError(f"{read.section}: the first day is after the last one.")
    return np.arange(ends[0], ends[1] + 1)


def _no_home_is_complete(
    read: MeterReadings,
    period: Ints,
    has: NDArray[np.bool_],
    zone: zoneinfo.ZoneInfo | None,
) -> DataError:
    worst = int(has.sum(axis=0).argmin())
    day = np.datetime64(int(period[worst]), "D")
    clock = (
        f"If the clock changes on that day, set {read.section}.time_zone. "
        if zone is None
        else "If the file has 24 hours on that day though the clock changes, omit "
        f"{read.section}.time_zone. "
    )
    return DataError(
        f"{read.path}: no home has all readings of the {len(period)} days from "
        f"{np.datetime64(int(period[0]), 'D')} to {np.datetime64(int(period[-1]), 'D')}; on {day} "
        f"only {has[:, worst].sum()} of {len(has)} have.{_several_intervals(read)} "
        f"{clock}Otherwise set {read.section}.first_day and last_day to a time without gaps."
    )
