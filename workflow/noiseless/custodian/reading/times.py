"""Times as people write them: ISO 8601, seconds since 1970, or a form of one's own.

The date and the hour may stand in two columns, the hour as a time or as the number of the interval
in its day (a settlement period).  24:00 is midnight of the next day.
A time without offset from UTC is what a clock showed.  With a time zone, the clock is the zone's:
it skips an hour in spring and shows one twice in autumn.  Without, it is one that never changes.
"""

import difflib
import re
import zoneinfo
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from noiseless.data.columns import NUMBER_PATTERN, Columns
from noiseless.errors import ConfigError, DataError

UNIX = "unix_s"

_DAY_S = 86400
_YEARS = (1980, 2100)
_LARGEST_UNIX_S = 1e11
_PER_HOUR = (1, 2, 4, 6, 12)
# 24:00, 24:00:00 or 24:00:00.000, and not a part of a longer number or time.
_MIDNIGHT = r"(?<![\d:.])24(:00(?::00(?:[.,]0+)?)?)(?![\d:])"
_TIME_OF_DAY = re.compile(r"(\d{1,2})(?::([0-5]\d))?(?::([0-5]\d)(?:\.0+)?)?$|([0-2]\d)([0-5]\d)$")
OFFSET = re.compile(r"\d[T ]\d{2}(?::?\d{2}){0,2}(?:[.,]\d+)? ?(?:Z|[+-]\d{2}(?::?\d{2})?)$")

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Times:
    """Times of all rows, in seconds: on the clock, and on a line without jumps."""

    clock_s: Ints
    line_s: Ints
    zone: zoneinfo.ZoneInfo | None

    def moved(self, seconds: int) -> "Times":
        """The same, a number of seconds earlier."""
        line = self.line_s - seconds
        if self.zone is None:
            return Times(self.clock_s - seconds, line, None)
        return Times(clock_of(line, self.zone), line, self.zone)


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
) -> Times:
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

    Raises
    ------
    DataError
        Names the row of a time that is missing, cannot be read, lies outside 1980 to 2100, or that
        the clock of the zone skips; and says so where a zone is needed or the times disagree.
    """
    cells = read.data[key]
    if pa.types.is_timestamp(cells.type) or pa.types.is_date(cells.type):
        aware = pa.types.is_timestamp(cells.type) and cells.type.tz is not None
        cells = cells.cast(pa.timestamp("s", cells.type.tz if aware else None), safe=False)
        stamps = cells.to_numpy(zero_copy_only=False).astype("datetime64[s]")
        read.require(key, ~np.isnat(stamps), "an empty cell. Fill it, or delete the row")
    else:
        stamps, aware = _parse(read, key, time_format)
    seconds = stamps.astype(np.int64)
    if "time_of_day" in read.names:
        seconds = seconds + _time_of_day(read, key, seconds)
        stamps = seconds.astype("datetime64[s]")
    years = stamps.astype("datetime64[Y]").astype(np.int64) + 1970
    read.require(
        key,
        (_YEARS[0] <= years) & (years < _YEARS[1]),
        f"a time that is not between {_YEARS[0]} and {_YEARS[1]}. Correct it, or set "
        f"{read.section}.time_format",
    )
    if aware and zone is None:
        raise DataError(
            f"{read.path}, column {read.names[key]!r}: the times have an offset from UTC, so it "
            f"must be said where days begin. Set {read.section}.time_zone to the homes' zone, such "
            "as Europe/Paris, or to UTC."
        )
    if "period" in read.names:
        return _by_number(read, key, seconds, zone)
    if zone is None:
        return Times(seconds, seconds, None)
    clock = clock_of(seconds, zone) if aware else seconds
    if not (clock % _DAY_S).any():  # days
        return Times(clock, clock, None)
    line = seconds if aware else _on_line(read, key, seconds, zone, homes)
    return Times(clock, line, zone)


def _parse(read: Columns, key: str, time_format: str | None) -> tuple[NDArray[np.datetime64], bool]:
    """Times of texts, and whether they are in UTC; each text is read once."""
    cells = read.text(key)
    words = pd.Series(cells.categories.astype(str))
    ends_day = words.map(lambda word: re.search(_MIDNIGHT, word) is not None).astype(bool)
    if ends_day.any():
        words = words.str.replace(_MIDNIGHT, r"00\1", regex=True)
    if time_format == UNIX:
        is_number = words.str.match(NUMBER_PATTERN, flags=re.ASCII)
        numbers = pd.to_numeric(words.where(is_number), errors="coerce")
        numbers = numbers.where(numbers.abs() < _LARGEST_UNIX_S)
        stamps = pd.to_datetime(numbers, unit="s", errors="coerce")
        aware = True
    elif time_format is None:
        has_offset = words.str.contains(OFFSET)
        aware = bool(has_offset.any())
        stamps = pd.to_datetime(words, format="ISO8601", errors="coerce", utc=aware)
        read.require(
            key,
            (has_offset | (not aware)).to_numpy()[cells.codes],
            "a time without offset from UTC, while others have one. Write all in the same way",
        )
    else:
        aware = "%z" in time_format
        try:
            stamps = pd.to_datetime(words, format=time_format, errors="coerce", utc=aware)
        except (ValueError, re.error):
            raise ConfigError(
                f"{read.section}.time_format is {time_format!r}, which is no form of a time such "
                "as '%d/%m/%Y %H:%M'."
            ) from None
    stamps = stamps + pd.to_timedelta(ends_day.astype(int), unit="D")
    good = stamps.notna().to_numpy()[cells.codes]
    if not good.all():
        row = int((~good).argmax())
        wanted = {None: "a time like 2013-01-31 00:30", UNIX: "a number of seconds since 1970"}
        form = wanted.get(time_format, f"of the form {time_format!r}")
        raise read.error(
            row,
            key,
            f"{cells[row][:80]!r} is not {form}. "
            f"Correct the cell, or set {read.section}.time_format (for 31/01/2013 00:30 it is "
            "'%d/%m/%Y %H:%M', for seconds since 1970 unix_s)",
            count=int((~good).sum()),
        )
    stamps = (stamps.dt.tz_localize(None) if stamps.dt.tz is not None else stamps).to_numpy()
    return stamps.astype("datetime64[s]")[cells.codes], aware


def _require_date(read: Columns, key: str, date_s: Ints, beside: str) -> None:
    read.require(
        key,
        date_s % _DAY_S == 0,
        f"a time of day beside the date, which is to stand in column {read.names[beside]!r}",
    )


def _by_number(read: Columns, key: str, date_s: Ints, zone: zoneinfo.ZoneInfo | None) -> Times:
    """Times of intervals that are numbered from 1 through their day, N in each hour.

    N is the smallest of 1, 2, 4, 6 and 12 with which the largest number fits a day of 25 hours.
    With a time zone, the first interval begins at its midnight, and all are equally long.
    """
    _require_date(read, key, date_s, "period")
    numbers = read.number("period")
    with np.errstate(invalid="ignore"):
        good = (numbers >= 1) & (numbers <= 25 * _PER_HOUR[-1]) & (numbers % 1 == 0)
    read.require(
        "period",
        good,
        "not the number of an interval in its day, from 1. Correct the cell, or set "
        f"{read.section}.columns.time_of_day if it is a time",
    )
    per_hour = next(each for each in _PER_HOUR if numbers.max() <= 25 * each)
    after_s = (numbers.astype(np.int64) - 1) * (3600 // per_hour)
    if zone is None:
        read.require(
            "period",
            after_s < _DAY_S,
            f"more than the {24 * per_hour} intervals of a day. If the clock changes on that day, "
            f"set {read.section}.time_zone",
        )
        return Times(date_s + after_s, date_s + after_s, None)
    days = date_s // _DAY_S
    line = midnights_utc(days, zone) + after_s
    read.require(
        "period",
        line < midnights_utc(days + 1, zone),
        f"more than the intervals of that day in {zone.key}. Correct it, or omit "
        f"{read.section}.time_zone if each day has 24 hours",
    )
    return Times(clock_of(line, zone), line, zone)


def _time_of_day(read: Columns, key: str, date_s: Ints) -> Ints:
    """Seconds since midnight in the column of the time of day, in the same rows."""
    _require_date(read, key, date_s, "time_of_day")
    cells = read.text("time_of_day")
    seconds = np.full(len(cells.categories), -1, dtype=np.int64)
    for position, word in enumerate(cells.categories.astype(str)):
        if match := _TIME_OF_DAY.match(word):
            hour, minute, second, hour_again, minute_again = match.groups()
            found = (
                int(hour or hour_again) * 3600
                + int(minute or minute_again or 0) * 60
                + int(second or 0)
            )
            if found <= _DAY_S:
                seconds[position] = found
    seconds = seconds[cells.codes]
    if (seconds < 0).any():
        row = int((seconds < 0).argmax())
        raise read.error(
            row,
            "time_of_day",
            f"{cells[row][:80]!r} is not a time of day: an hour from 0 to 24, or a time like "
            "13:30. Correct the cell",
            count=int((seconds < 0).sum()),
        )
    return seconds


def midnights_utc(days: Ints, zone: zoneinfo.ZoneInfo) -> Ints:
    """When days begin in a zone, in seconds since 1970 in UTC; days are counted from 1970."""
    return (
        pd.DatetimeIndex((days * _DAY_S).astype("datetime64[s]"))
        .tz_localize(zone, ambiguous=np.ones(len(days), dtype=bool), nonexistent="shift_forward")
        .tz_convert("UTC")
        .tz_localize(None)
        .to_numpy()
        .astype("datetime64[s]")
        .astype(np.int64)
    )


def clock_of(utc_s: Ints, zone: zoneinfo.ZoneInfo) -> Ints:
    """What the clock of a zone shows, in seconds since its 1970."""
    once, place = np.unique(utc_s, return_inverse=True)
    index = pd.DatetimeIndex(once.astype("datetime64[s]"), tz="UTC").tz_convert(zone)
    shown = index.tz_localize(None).to_numpy().astype("datetime64[s]").astype(np.int64)
    return shown[place]


def _on_line(
    read: Columns, key: str, clock_s: Ints, zone: zoneinfo.ZoneInfo, homes: NDArray[np.integer]
) -> Ints:
    """UTC of what a clock showed; of the times it showed twice, the first one in the file first."""
    once, place = np.unique(clock_s, return_inverse=True)
    index = pd.DatetimeIndex(once.astype("datetime64[s]"))
    first, second = (
        index.tz_localize(zone, ambiguous=np.full(len(once), dst), nonexistent="NaT")
        for dst in (True, False)
    )
    read.require(
        key,
        first.notna()[place],
        f"a time that the clock of {zone.key} skips. If the file has 24 hours on every day, leave "
        f"{read.section}.time_zone out",
    )
    utc = [
        each.tz_convert("UTC").tz_localize(None).to_numpy().astype("datetime64[s]").astype(np.int64)
        for each in (first, second)
    ]
    line = utc[0][place]
    twice = np.flatnonzero((utc[0] != utc[1])[place])
    if len(twice):
        shown = pd.DataFrame({"home": homes[twice], "clock": clock_s[twice]})
        again = shown.groupby(["home", "clock"]).cumcount().to_numpy() > 0
        line[twice[again]] = utc[1][place[twice[again]]]
    return line
