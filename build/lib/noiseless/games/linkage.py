"""The game of linking a reported trip to one of many people.

The adversary knows the true trips of N people and sees the report of one of them.

1. :class:`Plane` is the public box on a plane, in metres.
2. :func:`draw_people` draws the N people of each report.
3. :class:`Linked` names the likeliest of them, and counts who was named rightly.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.errors import ConfigError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_KM_PER_DEGREE = math.pi * 6371.0 / 180  # along a meridian, or the equator
_COLUMNS = ("pickup_latitude", "pickup_longitude", "dropoff_latitude", "dropoff_longitude")


def cell_size_m(
    levels: float, *, latitude_range_deg: Sequence[float], longitude_range_deg: Sequence[float]
) -> tuple[float, float]:
    """Height and width of a cell in the middle of the box, in metres, on a sphere."""
    (south, north), (west, east) = latitude_range_deg, longitude_range_deg
    metres = 1000 * _KM_PER_DEGREE / levels
    middle = math.radians((south + north) / 2)
    return (north - south) * metres, (east - west) * metres * math.cos(middle)


@dataclass(frozen=True)
class Plane:
    """The public box as a rectangle, in metres from its south-west corner.

    Attributes
    ----------
    latitude_range_deg, longitude_range_deg : tuple of float
    """

    latitude_range_deg: tuple[float, float]
    longitude_range_deg: tuple[float, float]

    @property
    def size_m(self) -> tuple[float, float]:
        """Height and width."""
        return cell_size_m(
            1,
            latitude_range_deg=self.latitude_range_deg,
            longitude_range_deg=self.longitude_range_deg,
        )

    def places_m(self, trips: pd.DataFrame) -> Floats:
        """Start and end of each trip, shape (n, 2, 2): end, then northward and eastward."""
        degrees = trips[list(_COLUMNS)].to_numpy(dtype=float).reshape(-1, 2, 2)
        ranges = np.array([self.latitude_range_deg, self.longitude_range_deg])
        metres = np.array(self.size_m) / np.ptp(ranges, axis=1)
        return (degrees - ranges[:, 0]) * metres


def draw_people(rng: np.random.Generator, *, trips: int, people: int, reports: int) -> Ints:
    """Different trips for each report, each choice of them equally likely.

    Repetitions are drawn again until there are none.  No trip is treated unlike another in this,
    so that no choice is likelier than another.

    Parameters
    ----------
    rng : numpy.random.Generator
    trips : int
        Of which the people are drawn.
    people : int
        N, for each report.
    reports : int

    Returns
    -------
    ndarray of int, shape (reports, people)

    Raises
    ------
    ConfigError
        If there are fewer trips than people.
    """
    if trips < people:
        raise ConfigError(
            f"an adversary who knows {people} people needs as many trips, but there are {trips}. "
            "Give smaller `beyond.comparison.trips.people`, or more trips."
        )
    drawn = rng.integers(0, trips, (reports, people))
    while True:
        order = np.argsort(drawn, axis=1, kind="stable")
        in_order = np.take_along_axis(drawn, order, axis=1)
        repeated = np.zeros(drawn.shape, dtype=bool)
        np.put_along_axis(repeated, order[:, 1:], np.diff(in_order, axis=1) == 0, axis=1)
        if not repeated.any():
            return drawn
        drawn[repeated] = rng.integers(0, trips, int(repeated.sum()))


class Linked:
    """What came of the reports of one release, for each number of people."""

    def __init__(self, people: Sequence[int]) -> None:
        self.distance_m = 0.0
        self.correct: dict[int, list[NDArray[np.bool_]]] = {each: [] for each in people}
        self.equals: dict[int, int] = dict.fromkeys(people, 0)

    def judge(self, score: Floats, coin: Floats) -> None:
        """Name the person of the smallest score; the right one is the first of each row."""
        for number, correct in self.correct.items():
            mine = score[:, :number]
            least = mine.min(axis=1)
            equals = (mine == least[:, None]).sum(axis=1)
            correct.append((mine[:, 0] == least) & (coin * equals < 1))
            self.equals[number] += int(equals.sum())


def lengths_m(vectors: Floats) -> Floats:
    """Lengths of vectors of a plane, shape (...), from their coordinates, shape (..., 2)."""
    return np.hypot(vectors[..., 0], vectors[..., 1])
