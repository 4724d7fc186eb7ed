"""Trips that are not there, and how reports are linked to them in the tests."""

import numpy as np

from noiseless.data.samples.nyc_taxi import draw_trips

BOX = {"latitude_range_deg": (40.49, 40.92), "longitude_range_deg": (-74.27, -73.68)}
SETTINGS = {
    **{"seed": 3, "reports": 300, "people": [5, 40], "delta": 1e-5, "tolerance": 0.1},
    **BOX,
}


def make_trips():
    """Three thousand trips like those of New York."""
    return draw_trips(np.random.default_rng(7), 3000)
