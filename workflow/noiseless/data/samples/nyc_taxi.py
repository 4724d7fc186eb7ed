"""Synthetic sample of the city's raw trip records of 2014."""

from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.files import write_atomically
from noiseless.seeds import make_generator

HEADER = (
    "vendor_id, pickup_datetime, dropoff_datetime, passenger_count, trip_distance, "
    "pickup_longitude, pickup_latitude, rate_code, store_and_fwd_flag, dropoff_longitude, "
    "dropoff_latitude, payment_type, fare_amount, surcharge, mta_tax, tip_amount, tolls_amount, "
    "total_amount"
)
# Busy places, each with its share of the ends of trips, latitude and longitude of its middle, half
# lengths along its axis and across (degrees of latitude), and axis (degrees from north to east).
_PLACES = (
    (0.72, 40.757, -73.982, 0.026, 0.008, 29.0),  # the island's middle
    (0.12, 40.715, -74.003, 0.012, 0.008, 29.0),  # its south
    (0.08, 40.690, -73.970, 0.030, 0.030, 0.0),  # over the river
    (0.04, 40.774, -73.872, 0.002, 0.004, 45.0),  # an airport
    (0.02, 40.646, -73.785, 0.003, 0.004, 0.0),  # another
    (0.02, 40.730, -73.900, 0.090, 0.120, 0.0),  # anywhere
)
_STREETS_DEG = 0.0007  # distance of parallel streets, on which most trips begin and end
_YEAR_START, _YEAR_SECONDS = np.datetime64("2014-01-01", "s"), 365 * 86400
# Shares of spoiled rows, at about the originals' rates.
_ZERO_SHARE, _SWAPPED_SHARE, _FAR_SHARE, _MISSING_SHARE, _UNPARSABLE_SHARE = (
    0.018,
    0.001,
    0.002,
    0.0005,
    0.0005,
)


def draw_trips(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    """Draw complete trips of 2014 in the public box between busy places, by their times.

    The columns are those of :data:`noiseless.data.nyc_taxi.COLUMNS`.
    """
    seconds = np.sort(rng.integers(0, _YEAR_SECONDS, rows))
    trips = {"pickup_time": _YEAR_START + seconds.astype("timedelta64[s]")}
    for end in ("pickup", "dropoff"):
        trips[f"{end}_latitude"], trips[f"{end}_longitude"] = _draw_points(rng, rows)
    return pd.DataFrame(trips)


def _draw_points(rng: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw ends of trips: latitudes and longitudes (degrees), each of shape (rows,)."""
    shares, *shape = np.array(_PLACES).T
    place = rng.choice(len(shares), rows, p=shares)
    latitude, longitude, half_length, half_width, axis = (column[place] for column in shape)
    along = half_length * rng.normal(size=rows)
    across = half_width * rng.normal(size=rows)
    on_street = rng.random(rows) < 0.8
    across = np.where(on_street, np.rint(across / _STREETS_DEG) * _STREETS_DEG, across)
    across += rng.normal(scale=5e-5, size=rows)
    cosine, sine = np.cos(np.radians(axis)), np.sin(np.radians(axis))
    north = latitude + along * cosine - across * sine
    # A degree of longitude is shorter by the cosine of the latitude.
    east = longitude + (along * sine + across * cosine) / 0.76
    return (
        np.round(np.clip(north, 40.495, 40.915), 6),
        np.round(np.clip(east, -74.265, -73.685), 6),
    )


def write_trip_files(path: str | Path, *, rows: int, seed: int, files: int) -> None:
    """Write several files of synthetic trips, ``trips_1.csv`` and so on."""
    for number in range(1, files + 1):
        write_trips(
            Path(path).with_name(f"trips_{number}.csv"), rows=rows, seed=seed, number=number
        )


def write_trips(path: str | Path, *, rows: int, seed: int, number: int) -> None:
    """Write synthetic trips in the raw format of 2014.

    Column names have leading spaces and the line below them is blank. Some rows lie at (0, 0), have
    latitude and longitude exchanged, lie far away, lack an end, or cannot be parsed.
    """
    rng = make_generator(seed, "sample", "nyc_taxi", number)
    trips = draw_trips(rng, rows)
    ends = {
        end: trips[[f"{end}_longitude", f"{end}_latitude"]].to_numpy()
        for end in ("pickup", "dropoff")
    }
    kind = rng.choice(
        5,
        rows,
        p=[
            1 - _ZERO_SHARE - _SWAPPED_SHARE - _FAR_SHARE - _MISSING_SHARE,
            _ZERO_SHARE,
            _SWAPPED_SHARE,
            _FAR_SHARE,
            _MISSING_SHARE,
        ],
    )
    ends["pickup"][kind == 1] = 0
    ends["pickup"][kind == 2] = ends["pickup"][kind == 2, ::-1]
    ends["dropoff"][kind == 3] += (3.0, -2.0)
    distance = rng.gamma(2, 1.4, rows)
    fare = np.round(2.5 + 2.5 * distance, 1)
    duration = np.rint(distance * 300).astype("timedelta64[s]")
    cells = {
        "vendor_id": rng.choice(["CMT", "VTS"], rows),
        "pickup_datetime": _format_times(trips["pickup_time"]),
        "dropoff_datetime": _format_times(trips["pickup_time"] + duration),
        "passenger_count": rng.integers(1, 7, rows),
        "trip_distance": np.round(distance, 1),
        "pickup_longitude": ends["pickup"][:, 0],
        "pickup_latitude": ends["pickup"][:, 1],
        "rate_code": 1,
        "store_and_fwd_flag": "N",
        "dropoff_longitude": np.where(kind == 4, np.nan, ends["dropoff"][:, 0]),
        "dropoff_latitude": np.where(kind == 4, np.nan, ends["dropoff"][:, 1]),
        "payment_type": rng.choice(["CRD", "CSH"], rows),
        "fare_amount": fare,
        "surcharge": 0.5,
        "mta_tax": 0.5,
        "tip_amount": 0,
        "tolls_amount": 0,
        "total_amount": fare + 1,
    }
    lines = pd.DataFrame(cells).to_csv(header=False, index=False, lineterminator="\n").splitlines()
    for position in np.flatnonzero(rng.random(rows) < _UNPARSABLE_SHARE):
        lines[position] = lines[position][: len(lines[position]) // 2]
    with write_atomically(path) as partial:
        partial.write_text("\r\n".join([HEADER, "", *lines, ""]), encoding="utf-8", newline="")


def _format_times(times: pd.Series) -> pd.Series:
    """Format times as texts like 2014-01-31 23:59:59."""
    return times.dt.strftime("%Y-%m-%d %H:%M:%S")
