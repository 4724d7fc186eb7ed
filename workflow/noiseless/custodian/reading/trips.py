"""Trips from any file: one row for each, with the coordinates of its two ends.

The box is public and belongs to the configuration, not to the data: an end outside tells something.
Such trips are excluded and counted by reason, as those of the taxis are.
"""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from noiseless.custodian.reading.times import find_zone, read_times
from noiseless.data.columns import NUMBER, TIME, Columns, read_columns, require_accounted
from noiseless.data.nyc_taxi import COLUMNS, REASONS, judge_rows
from noiseless.data.plane import COORDINATES, Plane
from noiseless.errors import ConfigError, DataError
from noiseless.tables import tidy

log = logging.getLogger(__name__)

_GLOBE_DEG = {"latitude": 90, "longitude": 180}
_MOST_OFF_GLOBE = 0.01  # of the rows


def read_trips(
    path: str | Path,
    *,
    columns: Mapping[str, str],
    latitude_range_deg: Sequence[float],
    longitude_range_deg: Sequence[float],
    time_format: str | None = None,
    section: str = "data.trips",
    **form: Any,
) -> dict[str, pd.DataFrame]:
    """Parse and check a file of trips.

    Parameters
    ----------
    path : path
        CSV or Parquet, as for :func:`~noiseless.data.columns.read_columns`.
    columns : mapping
        The file's names of ``pickup_latitude``, ``pickup_longitude``, ``dropoff_latitude`` and
        ``dropoff_longitude``, and, if it has one, of ``pickup_time``.
    latitude_range_deg, longitude_range_deg : pair of float
        The public box.
    time_format : str, optional
        See :func:`~noiseless.custodian.reading.meters.read_meters`; times with an offset from
        UTC are taken in UTC.
    section : str
        Where the configuration gives these settings, for messages.
    **form
        ``separator``, ``decimal`` and ``encoding`` of a CSV file; see
        :class:`~noiseless.data.columns.Form`.

    Returns
    -------
    dict
        ``table``: the trips in the box, in the order of the file; the coordinates and, where given,
        ``pickup_time``.  ``taken``: one cell; statistics ``rows``, ``used``, and one for each
        reason of :func:`noiseless.data.nyc_taxi.judge_rows`.

    Raises
    ------
    ConfigError
        If the box is empty or not on the globe.
    DataError
        If the file cannot be read so, or latitude and longitude are exchanged; file, line and
        column are named.
    """
    box = public_box(latitude_range_deg, longitude_range_deg, section=section)
    kinds = {**dict.fromkeys(COORDINATES, NUMBER), "pickup_time": TIME}
    read = read_columns(
        path,
        section=section,
        columns={key: (name, kinds[key]) for key, name in columns.items() if name is not None},
        **form,
    )
    trips = pd.DataFrame({name: read.number(name) for name in COORDINATES})
    # No time is missing: each is read, or an error.
    verdicts = judge_rows(trips.assign(bad=False, pickup_time=0), box)
    if "pickup_time" in read.names:
        # Only weeks, days and hours of it matter: any clock will do.
        utc = find_zone("UTC", section=section)
        times = read_times(
            read, utc, time_format, np.zeros(len(trips), dtype=int), key="pickup_time"
        )
        trips["pickup_time"] = times.tz_localize(None)
    counts = {name: int((verdicts == k).sum()) for k, name in enumerate(("used", *REASONS))}
    if counts["swapped"] > counts["used"]:
        row = int((verdicts == 1 + REASONS.index("swapped")).argmax())
        raise DataError(
            f"{read.path}: latitude and longitude look exchanged: {counts['swapped']} of "
            f"{len(trips)} rows (first: {read.place(row)}) lie in the box only when they are "
            f"swapped, {counts['used']} as they are. Exchange the names in {section}.columns."
        )
    require_accounted(str(read.path), len(read), counts)
    _require_on_globe(read, trips, verdicts)
    if not counts["used"]:
        raise DataError(
            f"{read.path}: none of the {len(trips)} rows is a trip in the box of latitude "
            f"{list(latitude_range_deg)} and longitude {list(longitude_range_deg)} "
            f"({read.place(0)}: {', '.join(f'{trips[name][0]:g}' for name in COORDINATES)}). Set "
            f"{section}.latitude_range_deg and longitude_range_deg to the box of your trips."
        )
    log.info(
        "%s: %d rows: %s.",
        *(section, len(trips), ", ".join(f"{count} {name}" for name, count in counts.items())),
    )
    order = [name for name in COLUMNS if name in trips]
    used = trips.loc[verdicts == 0, order].reset_index(drop=True)
    return {"table": used, "taken": tidy(pd.DataFrame([{"rows": len(trips), **counts}]), [])}


def public_box(
    latitude_range_deg: Sequence[float],
    longitude_range_deg: Sequence[float],
    *,
    section: str = "data.trips",
) -> Plane:
    """The public box.

    Raises
    ------
    ConfigError
        If one of the ranges is empty, or not on the globe.
    """
    ranges = {"latitude": latitude_range_deg, "longitude": longitude_range_deg}
    for name, (low, high) in ranges.items():
        limit = _GLOBE_DEG[name]
        if not -limit <= low < high <= limit:
            raise ConfigError(
                f"{section}.{name}_range_deg is [{low}, {high}], but it must go from a smaller to "
                f"a larger number between {-limit} and {limit}."
            )
    return Plane(tuple(latitude_range_deg), tuple(longitude_range_deg))


def _require_on_globe(read: Columns, trips: pd.DataFrame, verdicts: np.ndarray) -> None:
    """A few coordinates that cannot be are a receiver's; many are of another kind than degrees."""
    outside = verdicts == 1 + REASONS.index("outside")
    for name in COORDINATES:
        limit = _GLOBE_DEG[name.split("_")[1]]
        off = (trips[name].abs() > limit).to_numpy() & outside
        try:
            read.require(
                name,
                ~off,
                f"{{cell}} is not between {-limit} and {limit} degrees. Correct the cell, or "
                f"{read.section}.columns",
            )
        except DataError as error:
            if off.sum() > _MOST_OFF_GLOBE * len(trips):
                raise
            log.warning("%s The trips are excluded.", error)
