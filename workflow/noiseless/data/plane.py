"""Public box of taxi trips as a rectangle on a plane, in metres."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from noiseless.arrays import Bools, Floats

_KM_PER_DEGREE = math.pi * 6371.0 / 180  # along a meridian, or the equator
COORDINATES = ("pickup_latitude", "pickup_longitude", "dropoff_latitude", "dropoff_longitude")


def compute_cell_size_m(
    levels: float, *, latitude_range_deg: Sequence[float], longitude_range_deg: Sequence[float]
) -> tuple[float, float]:
    """Compute height and width (m) of a grid cell in the middle of the box, on a sphere.

    The height runs from north to south; the box has ``levels`` cells along each side.
    """
    (south, north), (west, east) = latitude_range_deg, longitude_range_deg
    metres = 1000 * _KM_PER_DEGREE / levels
    middle = math.radians((south + north) / 2)
    return (north - south) * metres, (east - west) * metres * math.cos(middle)


@dataclass(frozen=True)
class Plane:
    """Public box as a rectangle on a plane, in metres from its south-west corner.

    Its edges belong to it.
    """

    latitude_range_deg: tuple[float, float]
    longitude_range_deg: tuple[float, float]

    @classmethod
    def from_edges(
        cls, latitude_range_deg: Sequence[float], longitude_range_deg: Sequence[float]
    ) -> "Plane":
        """Create the box from lists of two edges each."""
        (south, north), (west, east) = latitude_range_deg, longitude_range_deg
        return cls((south, north), (west, east))

    def contains(self, latitude: Floats, longitude: Floats) -> Bools:
        """Return whether each point, in degrees, lies in the box, edges included."""
        (south, north), (west, east) = self.latitude_range_deg, self.longitude_range_deg
        return (south <= latitude) & (latitude <= north) & (west <= longitude) & (longitude <= east)

    @property
    def size_m(self) -> tuple[float, float]:
        """Height and width of the box in metres."""
        return compute_cell_size_m(
            1,
            latitude_range_deg=self.latitude_range_deg,
            longitude_range_deg=self.longitude_range_deg,
        )

    def project_trips_m(self, trips: pd.DataFrame) -> Floats:
        """Project start and end of n trips to metres north and east of the corner, (n, 2, 2)."""
        degrees = trips[list(COORDINATES)].to_numpy(dtype=float).reshape(-1, 2, 2)
        ranges = np.array([self.latitude_range_deg, self.longitude_range_deg])
        metres = np.array(self.size_m) / np.ptp(ranges, axis=1)
        return (degrees - ranges[:, 0]) * metres


def compute_lengths_m(vectors: Floats) -> Floats:
    """Compute the lengths, shape (...), of vectors of a plane with coordinates, shape (..., 2)."""
    return np.hypot(vectors[..., 0], vectors[..., 1])
