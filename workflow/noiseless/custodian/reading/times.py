"""Times as people write them: ISO 8601, seconds since 1970, or a form of one's own.

The date and the hour may stand in two columns, the hour as a time or as the number of the interval
in its day (a settlement period).  24:00 is midnight of the next day.
A time without offset from UTC is what a clock showed.  With a time zone, the clock is the zone's:
it skips an hour in spring and shows one twice in autumn.  Without, it is one that never changes.
"""

import difflib
import re
import zoneinfo

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from noiseless.data.columns import NUMBER_PATTERN, Columns
from noiseless.errors import ConfigError, DataError

UNIX = "unix_s"

_DAY_S = 86400
_DAY = pd.Timedelta(days=1)
_YEARS = (1980, 2100)
_LARGEST_UNIX_S = 1e11
_PER_HOUR = (1, 2, 4, 6, 12)
# 24:00, 24:00:00 or 24:00:00.000, and not a part of a longer number or time.
_MIDNIGHT = r"(?<![\d:.])24(:00(?::00(?:[.,]0+)?)?)(?![\d:])"
_TIME_OF_DAY = r"^(\d{1,2})(?::([0-5]\d))?(?::([0-5]\d)(?:\.0+)?)?$"
OFFSET = re.compile(r"\d[T ]\d{2}(?::?\d{2}){0,2}(?:[.,]\d+)? ?(?:Z|[+-]\d{2}(?::?\d{2})?)$")


def find_zone(name: str | None, *, section: str) -> zoneinfo.ZoneInfo | None:
    """A time zone by its name; None for None.

    Raises
    ------
    ConfigError
        If there is no such zone.
    """
    try:
        return None if name is None else zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        known = {zone.lower(): zone for zone in zoneinfo.available_timezones()}
        close = difflib.get_close_matches(str(name).lower(), known, n=1)
        hint = f" Did you mean {known[close[0]]}?" if close else ""
        raise ConfigError(
            f"{section}.time_zone is {name!r}, which is no time zone such as Europe/Paris or UTC."
            f"{hint}"
        ) from None


def read_times(
    read: Columns,
    zone: zoneinfo.ZoneInfo | None,
    time_format: str | None,
    homes: NDArray[np.integer],
    *,
    key: str = "time",
) -> pd.DatetimeIndex:
    """Times of all rows.

    Parameters
    ----------
    read : Columns
    zone : ZoneInfo or None
        The zone whose clock is wanted; None for a clock that never changes.
    time_format : str or None
        See :class:`~noiseless.custodian.reading.layouts.MeterSettings`.
    homes : ndarray of int
        Number of each row's home, to tell the two hours that the clock shows twice.
    key : str
        The key of the column's name.  Where the columns have a ``time_of_day`` or a ``period``,
        too, this one is the date alone.

    Returns
    -------
    DatetimeIndex
        In the zone; without one, or where all times are midnights, those of a clock.

    Raises
    ------
    DataError
        Names the row of a time that is missing, cannot be read, lies outside 1980 to 2100, or that
        the clock of the zone skips; and says so where a zone is needed or the times disagree.
    """
    cells = read.data[key]
    if pa.types.is_timestamp(cells.type) or pa.types.is_date(cells.type):
        written = pa.timestamp("s", getattr(cells.type, "tz", None))
        times = pd.DatetimeIndex(cells.cast(written, safe=False).to_pandas())
        read.require(key, times.notna(), "an empty cell. Fill it, or delete the row")
    else:
        times = _parsed(read, key, time_format)
    if times.tz is not None and zone is None:
        raise DataError(
            f"{read.path}, column {read.names[key]!r}: the times have an offset from UTC, so it "
            f"must be said where days begin. Set {read.section}.time_zone to the homes' zone, such "
            "as Europe/Paris, or to UTC."
        )
    beside = next((each for each in ("time_of_day", "period") if each in read.names), None)
    if beside:
        read.require(
            key,
            times == times.normalize(),
            f"a time of day beside the date, which is to stand in column {read.names[beside]!r}",
        )
    if beside == "time_of_day":
        times += _times_of_day(read)
    read.require(
        key,
        (_YEARS[0] <= times.year) & (times.year < _YEARS[1]),
        f"a time that is not between {_YEARS[0]} and {_YEARS[1]}. Correct it, or set "
        f"{read.section}.time_format",
    )
    if beside == "period":
        return _by_number(read, times.tz_localize(None), zone)
    if zone is None:
        return times
    clock = times if times.tz is None else times.tz_convert(zone).tz_localize(None)
    if (clock == clock.normalize()).all():  # days
        return clock
    if times.tz is not None:
        return times.tz_convert(zone)
    # Of the times that the clock showed twice, the first one in the file is the first.
    again = pd.DataFrame({"home": homes, "clock": clock}).duplicated().to_numpy()
    times = _localized(clock, zone, "NaT").where(
        ~again, _localized(clock, zone, "NaT", first=False)
    )
    read.require(
        key,
        times.notna(),
        f"a time that the clock of {zone.key} skips. If the file has 24 hours on every day, leave "
        f"{read.section}.time_zone out",
    )
    return times


def _parsed(read: Columns, key: str, time_format: str | None) -> pd.DatetimeIndex:
    """Times of texts, in UTC if they say so; each text is read once."""
    cells = read.text(key)
    words = pd.Series(cells.categories.astype(str))
    ends_day = words.str.contains(_MIDNIGHT.replace("(:", "(?::", 1))
    words = words.str.replace(_MIDNIGHT, r"00\1", regex=True)
    if time_format == UNIX:
        wanted = "a number of seconds since 1970"
        is_number = words.str.match(NUMBER_PATTERN, flags=re.ASCII)
        numbers = pd.to_numeric(words.where(is_number), errors="coerce")
        numbers = numbers.where(numbers.abs() < _LARGEST_UNIX_S)
        times = pd.to_datetime(numbers, unit="s", errors="coerce", utc=True)
    elif time_format is None:
        wanted = "a time like 2013-01-31 00:30"
        has_offset = words.str.contains(OFFSET)
        read.require(
            key,
            (has_offset | ~has_offset.any()).to_numpy()[cells.codes],
            "a time without offset from UTC, while others have one. Write all in the same way",
        )
        times = pd.to_datetime(words, format="ISO8601", errors="coerce", utc=has_offset.any())
    else:
        wanted = f"of the form {time_format!r}"
        try:
            times = pd.to_datetime(
                words, format=time_format, errors="coerce", utc="%z" in time_format
            )
        except (ValueError, re.error):
            raise ConfigError(
                f"{read.section}.time_format is {time_format!r}, which is no form of a time such "
                "as '%d/%m/%Y %H:%M'."
            ) from None
    read.require(
        key,
        times.notna().to_numpy()[cells.codes],
        f"{{cell}} is not {wanted}. Correct the cell, or set {read.section}.time_format (for "
        "31/01/2013 00:30 it is '%d/%m/%Y %H:%M', for seconds since 1970 unix_s)",
    )
    return pd.DatetimeIndex(times + ends_day * _DAY).as_unit("s")[cells.codes]


def _times_of_day(read: Columns) -> pd.TimedeltaIndex:
    """Since midnight, in the column of the time of day."""
    cells = read.text("time_of_day")
    words = pd.Series(cells.categories.astype(str))
    words = words.str.replace(r"^([0-2]\d)([0-5]\d)$", r"\1:\2", regex=True)
    parts = words.str.extract(_TIME_OF_DAY).astype(float)
    seconds = parts.fillna({1: 0, 2: 0}) @ [3600, 60, 1]
    read.require(
        "time_of_day",
        (seconds <= _DAY_S).to_numpy()[cells.codes],
        "{cell} is not a time of day: an hour from 0 to 24, or a time like 13:30. Correct the cell",
    )
    return pd.to_timedelta(seconds.to_numpy(), unit="s")[cells.codes]


def _by_number(
    read: Columns, dates: pd.DatetimeIndex, zone: zoneinfo.ZoneInfo | None
) -> pd.DatetimeIndex:
    """Times of intervals that are numbered from 1 through their day, N in each hour.

    N is the smallest of 1, 2, 4, 6 and 12 with which the largest number fits a day of 25 hours.
    """
    numbers = read.number("period")
    read.require(
        "period",
        (numbers >= 1) & (numbers <= 25 * _PER_HOUR[-1]) & (numbers % 1 == 0),
        "not the number of an interval in its day, from 1. Correct the cell, or set "
        f"{read.section}.columns.time_of_day if it is a time",
    )
    per_hour = next(each for each in _PER_HOUR if numbers.max() <= 25 * each)
    times = interval_starts(dates, numbers.astype(np.int64) - 1, 3600 // per_hour, zone)
    read.require(
        "period",
        times.notna(),
        f"more than the {24 * per_hour} intervals of a day. If the clock changes on that day, "
        f"set {read.section}.time_zone"
        if zone is None
        else f"more than the intervals of that day in {zone.key}. Correct it, or omit "
        f"{read.section}.time_zone if each day has 24 hours",
    )
    return times


def midnights(dates: pd.DatetimeIndex, zone: zoneinfo.ZoneInfo | None) -> pd.DatetimeIndex:
    """When days begin in a zone; without one, on a clock that never changes."""
    if zone is None:
        return dates
    return _localized(dates, zone, "shift_forward")


def _localized(
    clock: pd.DatetimeIndex, zone: zoneinfo.ZoneInfo, nonexistent: str, *, first: bool = True
) -> pd.DatetimeIndex:
    """Times of a zone's clock, the first or the second of two; each is looked up once."""
    codes, once = pd.factorize(clock)
    ambiguous = np.full(len(once), first)
    return once.tz_localize(zone, ambiguous=ambiguous, nonexistent=nonexistent)[codes]


def interval_starts(
    dates: pd.DatetimeIndex,
    numbers: NDArray[np.int64],
    interval_s: int,
    zone: zoneinfo.ZoneInfo | None,
) -> pd.DatetimeIndex:
    """When the intervals of days begin, by their numbers from 0; NaT behind the end of the day."""
    times = midnights(dates, zone) + pd.to_timedelta(numbers * interval_s, unit="s")
    return times.where(times < midnights(dates + _DAY, zone)).as_unit("s")
